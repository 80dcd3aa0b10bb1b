//! The plan of a workload on a given machine: the traffic to run, and its theoretical peak.

use crate::bound::Bound;
use crate::flows::Flows;
use crate::job_nodes::JobNodes;
use crate::ranks::RankWork;
use messaging::RankMap;
use network::Source;
use std::sync::Arc;

/// A workload prepared for a machine.
#[derive(Debug)]
pub struct Plan {
    /// The traffic that the engine runs.
    pub traffic: PlannedTraffic,
    /// The theoretical peak, if any.
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
    /// The data sent from each source to each target. None if they are not known in advance, or only once a trace
    /// has been read.
    pub flows: Option<Flows>,
    /// The places of the ranks of these flows, if they have a known placement. Otherwise nodes are ranks, or their
    /// work has the places.
    pub map: Option<RankMap>,
    /// The jobs, if there are several workloads.
    pub jobs: Vec<JobPlan>,
}

impl Plan {
    /// Traffic that ends by itself, of which nothing else is known.
    pub(crate) fn of(traffic: PlannedTraffic) -> Self {
        Plan {
            traffic,
            bound: None,
            total_packets: None,
            mean_hops: None,
            offered_packets_per_cycle: None,
            mean_packet_bytes: None,
            ends: true,
            flows: None,
            map: None,
            jobs: Vec::new(),
        }
    }

    /// Estimated number of link crossings before cycle `end`, or until all packets are delivered if there is no
    /// `end`. None if it cannot be estimated. The estimate assumes that the network carries the offered load up to
    /// the bound.
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
    pub fn max_bytes_per_cycle(&self) -> Option<f64> {
        Some(self.bound?.packets_per_cycle? * self.mean_packet_bytes?)
    }

    /// Estimated number of link crossings in a cycle, while traffic flows at the rate that the load and the bound allow.
    /// None if it cannot be estimated.
    pub fn expected_packet_hops_per_cycle(&self) -> Option<f64> {
        let of_end = || Some(self.total_packets? as f64 / self.bound?.drained_cycles?);
        Some(self.expected_packets_per_cycle().or_else(of_end)? * self.mean_hops?)
    }

    fn expected_packets_per_cycle(&self) -> Option<f64> {
        let max = self.bound?.packets_per_cycle?;
        Some(self.offered_packets_per_cycle.map_or(max, |offered| offered.min(max)))
    }
}

/// A job on the machine.
#[derive(Clone, Debug)]
pub struct JobPlan {
    /// The name of the job.
    pub name: String,
    /// The kind of the job's workload.
    pub kind: &'static str,
    /// Whether the job has ranks; otherwise its nodes send packets.
    pub has_ranks: bool,
    /// The nodes of the job.
    pub nodes: Arc<JobNodes>,
    /// The cycle at which the job starts.
    pub start_cycles: u64,
    /// Packets that the job's nodes receive, if its workload ends and they are known.
    pub total_packets: Option<u64>,
    /// The theoretical peak of the job's traffic on a machine of the shape of its nodes, if no minimal route leaves
    /// them.
    pub bound: Option<Bound>,
}

/// The origin of a plan's packets.
pub enum PlannedTraffic {
    /// A pure function from which engines request packets.
    Generated(Arc<dyn Source>),
    /// Messages of ranks, whose software runs on the nodes.
    Ranks(RankWork),
    /// The traffic of each of several jobs, on nodes and with times that are numbered within it.
    Jobs(Vec<PlannedTraffic>),
}

impl std::fmt::Debug for PlannedTraffic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlannedTraffic::Generated(_) => f.write_str("Generated"),
            PlannedTraffic::Ranks(work) => f.debug_tuple("Ranks").field(work).finish(),
            PlannedTraffic::Jobs(jobs) => f.debug_tuple("Jobs").field(jobs).finish(),
        }
    }
}
