//! The plan of a workload on a given machine: the traffic to run, and its theoretical peak.

use crate::collective::CollectivePlan;
use crate::flows::Flows;
use crate::kernels::KernelPlan;
use crate::patterns::{PingPongPlan, Trace};
use geometry::Shape;
use messaging::{Mapping, Order, RankMap};
use mpi::WorldNetworks;
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
    /// Where ranks run.
    pub placement: &'a Placement,
}

/// Where ranks run, as a scenario states it.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// How they are placed. Default: once every node has a rank, the second cores follow in the same order (XYZT).
    pub mapping: Option<Mapping>,
    /// Number of ranks. Default: that of the workload.
    pub ranks: Option<u32>,
}

impl Placement {
    /// Places ranks that are a grid, or a line if it has no lengths.
    ///
    /// # Errors
    /// When they do not fit on the machine, with the key `mapping` or `shape`.
    pub fn place(&self, ranks: u32, grid: &[u32], parameters: &Parameters) -> Result<RankMap, WorkloadError> {
        let in_order = || Mapping::Order(Order::cores_last(parameters.shape.dimensions()));
        let map = self.mapping.clone().unwrap_or_else(in_order).place(ranks, grid, parameters);
        map.map_err(|error| {
            let is_of_machine = matches!(error, messaging::RankMapError::TooManyRanks { .. });
            WorkloadError::new(if is_of_machine { "shape" } else { "mapping" }, error.to_string())
        })
    }
}

impl Context<'_> {
    pub(crate) fn shape(&self) -> &Shape {
        &self.parameters.shape
    }

    /// Ranks that the machine has room for: one for each core of a live node.
    pub(crate) fn most_ranks(&self) -> u32 {
        self.parameters.live_nodes().saturating_mul(self.parameters.node.cores.into())
    }

    /// The networks beside the torus that carry collectives on MPI_COMM_WORLD.
    pub(crate) fn world_networks(&self) -> WorldNetworks {
        world_networks(self.parameters, self.messaging)
    }

    /// A rank on each of these nodes.
    pub(crate) fn on_nodes(&self, nodes: &[u32]) -> Result<RankMap, WorkloadError> {
        let map = RankMap::on_nodes(nodes, self.shape(), self.parameters.node.cores);
        map.map_err(|error| WorkloadError::new("shape", error.to_string()))
    }

    pub(crate) fn has_infinite_injection_fifos(&self) -> bool {
        self.parameters.node.injection_fifo == FifoSize::Infinite
    }
}

/// The networks of a machine beside its torus that carry collectives on MPI_COMM_WORLD, if its message layer uses them.
pub fn world_networks(parameters: &Parameters, messaging: &messaging::Parameters) -> WorldNetworks {
    let networks =
        WorldNetworks { tree: parameters.tree.is_some(), interrupts: parameters.interrupts.is_some() };
    networks.used_by(messaging)
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
    /// Mean size of a packet in memory, of open-loop traffic.
    pub mean_packet_bytes: Option<f64>,
    /// Whether the workload ends by itself.
    pub ends: bool,
    /// What is sent from where to where; none if it is not known in advance, or only once a trace has been read.
    pub flows: Option<Flows>,
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

    /// Bytes per cycle, of packets in memory, that all nodes together offer; none if nodes always have a packet waiting.
    pub fn offered_bytes_per_cycle(&self) -> Option<f64> {
        Some(self.offered_packets_per_cycle? * self.mean_packet_bytes?)
    }

    /// The most bytes per cycle, of packets in memory, that all nodes together can receive; of open-loop traffic.
    pub fn most_bytes_per_cycle(&self) -> Option<f64> {
        Some(self.bound?.packets_per_cycle? * self.mean_packet_bytes?)
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
    /// A collective call.
    Collective(CollectivePlan),
    /// A program outside the simulator.
    Program {
        /// Where they run.
        map: RankMap,
    },
}

/// The theoretical peak of a workload, in network cycles; "peak" counts all bytes on the wire (row S5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The limit: `busiest dimension`, `entry links`, `busiest cut`, `busiest link`, `links of the colors`, `links of a node`,
    /// `links of the root`, `latency` or `links` (all equally).
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
    /// The parameter as a scenario names it within its workload; `shape` or `dead_nodes` if the machine itself is
    /// unsuitable, or `mapping` if the placement of ranks is.
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
