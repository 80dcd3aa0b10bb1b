//! The policies of arbitration, a file for each: those of [`crate::policy`], on sets of inputs.

mod longest_queue;
mod random;

use crate::policy::Policy;
use crate::windowed::specialization::Specialization;
use crate::windowed::visit::Visit;

impl<F: Specialization> Visit<'_, F> {
    /// Of some inputs, those that a policy prefers; at least one if there are any. Uniform machines compute the longest
    /// queues in any case, because the branch would be unpredictable.
    #[inline(always)]
    pub(super) fn preferred_by(&self, policy: Policy, inputs: F::Inputs) -> F::Inputs {
        let is_computed = F::IS_UNIFORM || policy == Policy::LongestQueue;
        let longest = if is_computed { longest_queue::preferred(self, inputs) } else { inputs };
        match policy {
            Policy::LongestQueue => longest,
            Policy::Random => random::preferred::<F>(inputs),
        }
    }
}
