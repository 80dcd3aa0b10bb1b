//! The plan of a workload on a given machine: the traffic to run, and its theoretical peak.

use crate::kernels::KernelPlan;
use crate::patterns::{PingPongPlan, Trace};
use geometry::Shape;
use network::parameters::FifoSize;
use network::{Parameters, Source};
use std::sync::Arc;
use thiserror::Error;

/// The machine a workload is planned for.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Shape, packet format, link rates, node and seed; assumed to have passed [`Parameters::check`].
    pub parameters: &'a Parameters,
    /// The software of ranks, on whose packets the bound of messages depends; assumed to have passed its check.
    pub messaging: &'a messaging::Parameters,
}

impl Context<'_> {
    pub(crate) fn shape(&self) -> &Shape {
        &self.parameters.shape
    }

    pub(crate) fn has_infinite_injection_fifos(&self) -> bool {
        self.parameters.node.injection_fifo == FifoSize::Infinite
    }
}

/// A workload prepared for a machine.
#[derive(Debug)]
pub struct Plan {
    /// The traffic that the engine runs.
    pub traffic: PlannedTraffic,
    /// The theoretical peak, if there is one.
    pub bound: Option<Bound>,
    /// Packets that all nodes together receive, if the workload ends. Each copy of a broadcast packet counts.
    pub total_packets: Option<u64>,
    /// Mean hops per packet received, if known in advance.
    pub mean_hops: Option<f64>,
    /// Packets per cycle that all nodes together offer; none if nodes always have a packet waiting.
    pub offered_packets_per_cycle: Option<f64>,
    /// Whether the workload ends by itself.
    pub ends: bool,
}

impl Plan {
    /// Estimated number of link crossings before cycle `end`, or until all packets are delivered if there is no `end`.
    /// None if it cannot be estimated. The estimate assumes that the network carries the offered load up to the bound.
    pub fn expected_packet_hops(&self, end: Option<u64>) -> Option<f64> {
        let all = self.total_packets.map(|packets| packets as f64);
        let until_end = end.zip(self.expected_packets_per_cycle()).map(|(end, rate)| end as f64 * rate);
        let packets = [all, until_end].into_iter().flatten().reduce(f64::min)?;
        Some(packets * self.mean_hops?)
    }

    fn expected_packets_per_cycle(&self) -> Option<f64> {
        let most = self.bound?.packets_per_cycle?;
        Some(self.offered_packets_per_cycle.map_or(most, |offered| offered.min(most)))
    }
}

/// The origin of a plan's packets.
pub enum PlannedTraffic {
    /// A pure function from which engines request packets.
    Generated(Arc<dyn Source>),
    /// Messages of ranks, whose software runs on the nodes.
    Ranks(RankWork),
}

impl std::fmt::Debug for PlannedTraffic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlannedTraffic::Generated(_) => f.write_str("Generated"),
            PlannedTraffic::Ranks(work) => f.debug_tuple("Ranks").field(work).finish(),
        }
    }
}

/// What ranks do. Their packets depend on arrivals, so no pure source can generate them.
#[derive(Clone, Debug)]
pub enum RankWork {
    /// A message back and forth between two nodes.
    PingPong(PingPongPlan),
    /// A recorded program.
    Trace(Trace),
    /// A kernel.
    Kernel(KernelPlan),
    /// A program outside the simulator.
    Program {
        /// Number of ranks.
        ranks: u32,
    },
}

/// The theoretical peak of a workload, in network cycles; "peak" counts all bytes on the wire (row S5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The limit: `busiest dimension`, `entry links`, `busiest cut`, `busiest link`, `links of the colors` or `links` (all equally).
    pub kind: &'static str,
    /// The fewest cycles in which the limiting links can carry all packets, if the workload ends.
    pub drained_cycles: Option<f64>,
    /// The most packets per cycle that all nodes together can receive.
    pub packets_per_cycle: Option<f64>,
}

/// A workload that cannot run on the machine: the parameter, what is wrong with it and what is expected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{key}: {message}")]
pub struct WorkloadError {
    /// The parameter as a scenario names it within its workload, or `shape` or `dead_nodes` if the machine itself is
    /// unsuitable.
    pub key: String,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl WorkloadError {
    pub(crate) fn new(key: &str, message: impl Into<String>) -> Self {
        WorkloadError { key: key.into(), message: message.into() }
    }
}

/// Returns an error unless `holds`; the message is only created when needed.
pub(crate) fn require(holds: bool, key: &str, message: impl FnOnce() -> String) -> Result<(), WorkloadError> {
    if holds { Ok(()) } else { Err(WorkloadError::new(key, message())) }
}
