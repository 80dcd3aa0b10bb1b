//! What a workload becomes on a given machine: traffic to run, and what theory says of it.

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
}

impl Context<'_> {
    pub(crate) fn shape(&self) -> &Shape {
        &self.parameters.shape
    }

    pub(crate) fn has_infinite_injection_fifos(&self) -> bool {
        self.parameters.node.injection_fifo == FifoSize::Infinite
    }
}

/// A workload made ready for a machine.
#[derive(Debug)]
pub struct Plan {
    /// What the engine is to run.
    pub traffic: PlannedTraffic,
    /// The theoretical peak, where there is one.
    pub bound: Option<Bound>,
    /// Packets that all nodes together receive, if the workload ends: those that are sent, and the copies of a broadcast.
    pub total_packets: Option<u64>,
    /// Mean hops for each packet received, where it is known beforehand.
    pub mean_hops: Option<f64>,
    /// Packets a cycle that all nodes together offer; none where packets always wait.
    pub offered_packets_per_cycle: Option<f64>,
    /// Whether the workload ends by itself.
    pub ends: bool,
}

impl Plan {
    /// About how many links packets cross before cycle `end` (without one: until all are delivered), where that can be
    /// told beforehand. The network is taken to carry what is offered, as far as the bound admits.
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

/// Where a plan's packets come from.
pub enum PlannedTraffic {
    /// A pure function that engines ask for packets.
    Generated(Arc<dyn Source>),
    /// Packets that a driver above the network posts one by one, as others arrive.
    Posted(PostedWork),
}

impl std::fmt::Debug for PlannedTraffic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlannedTraffic::Generated(_) => f.write_str("Generated"),
            PlannedTraffic::Posted(work) => f.debug_tuple("Posted").field(work).finish(),
        }
    }
}

/// Work for a driver: it depends on what arrives, so no pure source can make it.
#[derive(Clone, Debug, PartialEq)]
pub enum PostedWork {
    /// A message back and forth between two nodes.
    PingPong(PingPongPlan),
    /// A recorded program.
    Trace(Trace),
}

/// The theoretical peak of a workload, in network cycles; "peak" counts all bytes on the wire (row S5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// What limits it: `busiest dimension`, `entry links`, `busiest cut`, `links of the colors` or `links` (all alike).
    pub kind: &'static str,
    /// The fewest cycles in which the limiting links can carry all packets, if the workload ends.
    pub drained_cycles: Option<f64>,
    /// The most packets a cycle that all nodes together can send.
    pub packets_per_cycle: Option<f64>,
}

/// A workload that cannot run on the machine: which parameter, what was wrong and what would be right.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{key}: {message}")]
pub struct WorkloadError {
    /// The parameter as a scenario names it within its workload, or `shape` or `dead_nodes` when the machine itself does not
    /// fit.
    pub key: String,
    /// What was wrong, and what would be right.
    pub message: String,
}

impl WorkloadError {
    pub(crate) fn new(key: &str, message: impl Into<String>) -> Self {
        WorkloadError { key: key.into(), message: message.into() }
    }
}

/// An error unless `holds`; the message is only made when it is needed.
pub(crate) fn require(holds: bool, key: &str, message: impl FnOnce() -> String) -> Result<(), WorkloadError> {
    if holds { Ok(()) } else { Err(WorkloadError::new(key, message())) }
}
