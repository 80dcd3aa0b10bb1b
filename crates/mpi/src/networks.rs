//! The networks that carry collectives whose algorithm is not named.
//!
//! The message layer of Blue Gene/L took the tree network for `MPI_Bcast`, `MPI_Reduce`, `MPI_Allreduce` and `MPI_Barrier`, and
//! the global interrupts for `MPI_Barrier`, where all ranks took part (slides, October 2003). Other communicators do so
//! here if they have a class route, or a wire.
//!
//! ```text
//!   class   0                1       2       3       4  ...
//!           MPI_COMM_WORLD   in the order in which communicators are made by all ranks
//!   route   yes              yes     yes     yes     yes    below `class_routes`
//!   wire    those left       one     one     one     -      up to `communicator_wires`
//! ```

use crate::collectives::{Algorithm, Collective, Ground, Operands, Operation, Tuning};
use messaging::{RouteName, WorldCollectives};

/// The collective networks that a machine has, or those that carry such collectives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollectiveNetworks {
    /// The tree network.
    pub tree: bool,
    /// The global interrupts.
    pub interrupts: bool,
    /// The class routes of the tree network for communicators other than MPI_COMM_WORLD.
    pub class_routes: u8,
    /// The wires of the global interrupts for such communicators.
    pub wires: u8,
}

impl CollectiveNetworks {
    /// The networks of a machine that its message layer uses.
    #[must_use]
    pub fn used_by(self, parameters: &messaging::Parameters) -> Self {
        match parameters.world_collectives {
            WorldCollectives::Torus => CollectiveNetworks::default(),
            WorldCollectives::AllNetworks => self,
        }
    }

    /// Whether any network is set.
    pub fn is_any(self) -> bool {
        self.tree || self.interrupts
    }

    /// The number of classes that communicators other than MPI_COMM_WORLD can have.
    pub(crate) fn other_classes(self) -> u32 {
        self.class_routes.max(self.wires).into()
    }

    /// The tuning of a collective on a communicator, by its route; `tuning` is what its call states. Operands are taken
    /// to be floating-point numbers (assumed: calls here count bytes).
    #[must_use]
    pub fn tuning(self, collective: &Collective, route: Option<RouteName>, tuning: Tuning) -> Tuning {
        if tuning.algorithm != Algorithm::Auto {
            return tuning;
        }
        let has = |algorithm| self.has(algorithm, route);
        use Operation::*;
        let algorithm = match collective.operation() {
            Barrier if has(Algorithm::Interrupts) => Algorithm::Interrupts,
            Barrier | Broadcast | Reduce | AllReduce if has(Algorithm::TreeNetwork) => Algorithm::TreeNetwork,
            Barrier | Broadcast | Reduce | AllReduce => return tuning,
            AllGather | ReduceScatter | Scatter | Gather | AllToAll | AllToAllV | Other => return tuning,
        };
        Tuning { algorithm, operands: Operands::Floating, ..tuning }
    }

    /// Whether a communicator, by its route, has what an algorithm of a collective network needs.
    pub fn has(self, algorithm: Algorithm, route: Option<RouteName>) -> bool {
        let class = route.map(RouteName::class);
        class.is_some_and(|class| match algorithm.ground() {
            Ground::TreeNetwork => self.tree && class <= self.class_routes,
            Ground::Interrupts => self.interrupts && class <= self.wires,
            Ground::Anywhere | Ground::Grid | Ground::Torus | Ground::TorusOfPowers | Ground::Plane => false,
        })
    }
}
