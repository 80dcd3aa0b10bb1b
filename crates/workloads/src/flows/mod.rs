//! Flows: the data that a workload sends between ranks or nodes, without time.
//!
//! ```text
//!   Flows:  phase 0 (repeated)   rank 0 -> (target, bytes, messages), ...     rank 1 -> ...
//!           phase 1 (repeated)   ...
//! ```
//!
//! A phase is a function that reports the flows of one rank, never a matrix: 32,768 ranks have a billion pairs. For
//! kernels and traces it is a dry run of the rank's calls ([`mpi::DryRun`]), for patterns their definition, with
//! nodes for ranks. Bounds, the evaluation of mappings, and the search for hot links read flows.

mod of_nodes;
mod of_ranks;

use crate::options::Routing;
use geometry::{Hops, Shape};
use messaging::CallCounts;
pub(crate) use of_nodes::{OfPeers, OfRoutes, Routes};
pub(crate) use of_ranks::OfKernel;
pub use of_ranks::{counted, of_trace};
use std::fmt;
use std::sync::Arc;

/// Messages of one length from a source to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flow {
    /// The rank that receives the messages.
    pub target: u32,
    /// The bytes of all messages together.
    pub bytes: u64,
    /// The number of messages.
    pub messages: u64,
    /// The hops between nodes, where the workload states them; otherwise routes are minimal.
    pub hops: Option<Hops>,
}

/// The flows of each source.
pub trait Senders: Send + Sync {
    /// Reports the flows of a source.
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow));

    /// The rounds of a source, in order. It sends the data of a round once it has received those of earlier rounds.
    /// None if the rounds are not known. Default: a single one.
    fn rounds(&self, source: u32) -> Option<Vec<Round>> {
        let mut round = Round::default();
        self.report(source, &mut |flow| round.flows.push(flow));
        Some(vec![round])
    }
}

/// The actions of a source between two times at which it waits for others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Round {
    /// The flows that it sends.
    pub flows: Vec<Flow>,
    /// Messages that it waits for at the end, if it is a rank.
    pub received: Option<u64>,
    /// Calls of MPI that it makes.
    pub calls: CallCounts,
    /// Processor cycles for which it computes.
    pub compute_processor_cycles: u64,
}

/// Flows that are sent together.
#[derive(Clone)]
pub struct Phase {
    /// The number of times that they are sent.
    pub repetitions: u64,
    /// The flows.
    pub senders: Arc<dyn Senders>,
}

impl fmt::Debug for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Phase").field("repetitions", &self.repetitions).finish_non_exhaustive()
    }
}

/// The data that a workload sends.
#[derive(Clone, Debug)]
pub struct Flows {
    /// Number of ranks; for a pattern, the number of nodes, each of which counts as a rank.
    pub ranks: u32,
    /// The lengths of a periodic grid of ranks, whose first dimension varies fastest, under whose translations all
    /// ranks are alike. If one rank sends data to another, each sends the same to the rank as far away. Empty if
    /// ranks are not alike.
    pub grid: Vec<u32>,
    /// Whether the ranks are the nodes of a torus, and alike under its translations, also across the wraps of a twist. If
    /// one node sends data to another, each sends the same to the node as far away.
    pub are_alike_nodes: bool,
    /// The routing of packets, if the workload states it; otherwise the protocol of messages determines it.
    pub routing: Option<Routing>,
    /// The phases, in order.
    pub phases: Vec<Phase>,
}

impl Flows {
    /// The flows of ranks, in one phase.
    pub(crate) fn of_ranks(
        ranks: u32,
        grid: Vec<u32>,
        repetitions: u64,
        senders: impl Senders + 'static,
    ) -> Self {
        let phases = vec![Phase { repetitions, senders: Arc::new(senders) }];
        Flows { ranks, grid, are_alike_nodes: false, routing: None, phases }
    }

    /// The flows of the nodes of a pattern; `are_alike` if they are on a torus.
    pub(crate) fn of_nodes(
        shape: &Shape,
        routing: Routing,
        are_alike: bool,
        senders: impl Senders + 'static,
    ) -> Self {
        let phases = vec![Phase { repetitions: 1, senders: Arc::new(senders) }];
        // Moving all coordinates by one, modulo their lengths, maps a twisted torus to another machine.
        let has_grid = are_alike && shape.is_torus() && !shape.is_twisted();
        let grid = if has_grid { shape.lengths().to_vec() } else { Vec::new() };
        let are_alike_nodes = are_alike && shape.is_torus();
        Flows { ranks: shape.nodes(), grid, are_alike_nodes, routing: Some(routing), phases }
    }

    /// Reports all flows of a source, each as often as it is repeated.
    pub fn of_source(&self, source: u32, mut visit: impl FnMut(Flow)) {
        for phase in &self.phases {
            phase.senders.report(source, &mut |flow| {
                let (bytes, messages) = (flow.bytes * phase.repetitions, flow.messages * phase.repetitions);
                visit(Flow { bytes, messages, ..flow });
            });
        }
    }

    /// Reports all flows, with their sources.
    pub fn for_each(&self, mut visit: impl FnMut(u32, Flow)) {
        for source in 0..self.ranks {
            self.of_source(source, |flow| visit(source, flow));
        }
    }
}
