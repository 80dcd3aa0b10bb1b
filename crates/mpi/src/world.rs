//! The networks that carry collectives on MPI_COMM_WORLD whose algorithm is not named.
//!
//! The message layer of Blue Gene/L took the tree network for `MPI_Bcast`, `MPI_Reduce`, `MPI_Allreduce` and `MPI_Barrier`, and
//! the global interrupts for `MPI_Barrier`, where all ranks took part (slides, October 2003).

use crate::collectives::{Algorithm, Collective, Operands, Operation, Tuning};
use crate::communicators::WORLD;
use messaging::WorldCollectives;

/// The collective networks that a machine has, or those that carry such collectives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorldNetworks {
    /// The tree network.
    pub tree: bool,
    /// The global interrupts.
    pub interrupts: bool,
}

impl WorldNetworks {
    /// The networks of a machine that its message layer uses.
    #[must_use]
    pub fn used_by(self, parameters: &messaging::Parameters) -> Self {
        match parameters.world_collectives {
            WorldCollectives::Torus => WorldNetworks::default(),
            WorldCollectives::AllNetworks => self,
        }
    }

    /// Whether any network is set.
    pub fn is_any(self) -> bool {
        self.tree || self.interrupts
    }

    /// The tuning of a collective on a communicator; `tuning` is what its call states. Operands are taken to be
    /// floating-point numbers (assumed: calls here count bytes).
    #[must_use]
    pub fn tuning(self, collective: &Collective, communicator: u32, tuning: Tuning) -> Tuning {
        if communicator != WORLD || tuning.algorithm != Algorithm::Auto {
            return tuning;
        }
        use Operation::*;
        let algorithm = match collective.operation() {
            Barrier if self.interrupts => Algorithm::Interrupts,
            Barrier | Broadcast | Reduce | AllReduce if self.tree => Algorithm::TreeNetwork,
            Barrier | Broadcast | Reduce | AllReduce => return tuning,
            AllGather | ReduceScatter | Scatter | Gather | AllToAll | AllToAllV | Other => return tuning,
        };
        Tuning { algorithm, operands: Operands::Floating, ..tuning }
    }
}
