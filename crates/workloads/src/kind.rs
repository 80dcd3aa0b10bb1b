//! The questions that every kind of workload answers.

use crate::context::Context;
use crate::error::WorkloadError;
use crate::options::Routing;
use crate::plan::Plan;

/// A kind of workload: its parameters, and its answers to every question. No item has a default, so that the
/// compiler asks for each answer of a new kind.
pub(crate) trait Kind {
    /// The senders, and what follows from them.
    fn senders(&self) -> Senders;

    /// The plan on a machine.
    ///
    /// # Errors
    /// The first parameter that is out of range or does not fit the machine.
    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError>;
}

/// The senders of a workload: nodes send packets, or ranks messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Senders {
    /// Whether ranks send messages, rather than nodes packets.
    pub has_ranks: bool,
    /// Whether a mapping places the ranks; other workloads have none, or place them themselves.
    pub is_mapped: bool,
    /// Whether packets may be routed over intermediate nodes.
    pub has_detours: bool,
    /// Whether something is sent at a time that the workload states, rather than as soon as possible.
    pub has_starts: bool,
    /// The origin of the ranks' calls.
    pub calls: CallOrigin,
    /// Whether the workload names the algorithms of its collectives, so that the choices of a scenario have no
    /// effect.
    pub names_algorithms: bool,
}

/// The origin of the calls of ranks, from which their default costs follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallOrigin {
    /// Calls are recorded, and the times between them contain the costs of calls; or the workload has no calls.
    Recorded,
    /// A program outside the simulator makes calls, from one window of time to the next.
    Outside,
    /// The simulator makes the calls.
    Simulated,
}

impl Senders {
    /// The senders of a workload whose nodes send packets with this routing.
    pub(crate) fn nodes(routing: Routing) -> Self {
        Senders {
            has_ranks: false,
            is_mapped: false,
            has_detours: routing.has_detours(),
            has_starts: false,
            calls: CallOrigin::Recorded,
            names_algorithms: false,
        }
    }

    /// The senders of a workload whose ranks are placed by a mapping and make such calls.
    pub(crate) fn ranks(calls: CallOrigin) -> Self {
        Senders { has_ranks: true, is_mapped: true, calls, ..Senders::nodes(Routing::Adaptive) }
    }
}
