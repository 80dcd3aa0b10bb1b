//! The memories of arbiters, for rules of arbitration that depend on earlier grants.

use super::machine_option::MachineOption;
use crate::specialization::Specialization;
use crate::visit::Visit;
use network::arbitration::record_grant;
use network::fabric::Fabric;

/// The memories of arbiters.
pub struct ArbitrationMemory;

impl MachineOption for ArbitrationMemory {
    fn is_on(fabric: &Fabric) -> bool {
        fabric.parameters.router.arbitration.has_memory()
    }

    fn granted<F: Specialization>(visit: &mut Visit<'_, F>, input: usize, sender: Option<usize>) {
        record_grant(visit.store.memories_of_mut(visit.local), Visit::<F>::origin(input), sender);
    }
}
