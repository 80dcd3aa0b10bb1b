//! The load that is expected of each node, by which the nodes are divided among processes.
//!
//! ```text
//!   messages known (kernels, patterns)    their packets, along their routes
//!   packets of a source                   a sample of them, along their routes
//!   ranks of which no more is known       each the same
//! ```
//!
//! A load is a count of packets that a node sends, passes on or receives. What it gets wrong costs speed, and no result
//! depends on it. All processes compute the same.

use crate::mapping::flows_and_map;
use crate::scenario::Scenario;
use base::draws::mix;
use geometry::{Hops, Shape};
use messaging::RankMap;
use network::{Division, Lane, LaneKind, Parameters, Source, Traffic};
use workloads::flows::Flows;
use workloads::{Bound, JobPlan, Plan, PlannedTraffic, RankWork};

/// The most flows that are followed. Where there are more, each rank sends to any other.
const MOST_FLOWS: u64 = 1 << 20;

/// The most runs of nodes whose loads are told apart, and the most nodes whose packets are sampled.
const MOST_RUNS: u32 = 1 << 20;

/// The number of packets of a sample, unless there are more nodes. Loads of slabs are within some 2 % then.
const PACKETS: u32 = 1 << 17;

/// The most packets of a node in a sample.
const MOST_PACKETS_OF_A_NODE: u32 = 64;

/// The cost of receiving a packet at the last node of its route, in packets that a node passes on: a fifth of the instructions of a
/// hop are those of the node that it leads to (`docs/performance.md`).
const END_OF_ROUTE: f64 = 0.2;

/// The cost of writing or reading a packet by a rank's software, in packets that its node passes on: both ends take half of a
/// packet's instructions (`docs/performance.md`).
const END_OF_RANKS: f64 = 1.0;

/// The nodes of a scenario, divided among processes.
pub(crate) struct Divided {
    pub division: Division,
    /// The share of each process in the expected load, if that is known.
    pub load_shares: Option<Vec<f64>>,
}

impl Divided {
    /// Divides the nodes by their expected loads.
    pub fn of(scenario: &Scenario, plan: &Plan, traffic: &Traffic, processes: usize) -> Self {
        let shape = &scenario.parameters.shape;
        if processes == 1 {
            return Divided { division: Division::equal(shape.nodes(), 1), load_shares: None };
        }
        let loads = expected_loads(scenario, plan, traffic);
        let division = Division::by_load(shape, &loads, processes);
        Divided { load_shares: division.shares(&loads), division }
    }
}

/// The expected loads of runs of consecutive nodes, in any unit; all 0 if nothing is known.
fn expected_loads(scenario: &Scenario, plan: &Plan, traffic: &Traffic) -> Vec<f64> {
    let mut loads = Loads::new(&scenario.parameters);
    match &plan.traffic {
        PlannedTraffic::Jobs(jobs) => {
            for (planned, job) in jobs.iter().zip(&plan.jobs) {
                loads.add_job(planned, job, traffic);
            }
        }
        planned @ (PlannedTraffic::Generated(_) | PlannedTraffic::Ranks(_)) => {
            loads.add_planned(planned, flows_of(scenario, plan), traffic);
        }
    }
    loads.of_runs
}

/// The messages of a workload, unless a trace has to be read for them.
fn flows_of(scenario: &Scenario, plan: &Plan) -> Option<(Flows, RankMap)> {
    let is_trace = matches!(&plan.traffic, PlannedTraffic::Ranks(RankWork::Trace(_)));
    if is_trace { None } else { flows_and_map(scenario, plan).ok().flatten() }
}

/// The number of flows of a source: the greater one of the first and of one in the middle.
fn flows_of_a_source(flows: &Flows) -> u64 {
    let count = |source: u32| {
        let mut count = 0;
        flows.of_source(source, |_| count += 1);
        count
    };
    count(0).max(count(flows.ranks / 2))
}

/// The most packets in a cycle that a bound allows.
fn rate(bound: &Bound, total_packets: Option<u64>) -> Option<f64> {
    let of_end = || Some(total_packets? as f64 / bound.drained_cycles?);
    bound.packets_per_cycle.or_else(of_end)
}

struct Loads<'a> {
    shape: &'a Shape,
    /// Bytes of a full packet.
    full_packet: u32,
    /// The number of nodes in a run.
    run: u32,
    of_runs: Vec<f64>,
}

impl<'a> Loads<'a> {
    fn new(parameters: &'a Parameters) -> Self {
        let Parameters { shape, packet, .. } = parameters;
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        let lines = (0..=shape.dimensions()).map(|dimensions| shape.lengths()[..dimensions].iter().product());
        let fits = |run: &u32| shape.nodes() / run <= MOST_RUNS;
        let run = lines.into_iter().find(fits).expect("the machine itself is one run");
        Loads { shape, full_packet, run, of_runs: vec![0.0; (shape.nodes() / run) as usize] }
    }

    /// Adds the packets of a workload, whose messages are `known` or not.
    fn add_planned(&mut self, planned: &PlannedTraffic, known: Option<(Flows, RankMap)>, traffic: &Traffic) {
        let end = if matches!(planned, PlannedTraffic::Ranks(_)) { END_OF_RANKS } else { 0.0 };
        let are_few = |flows: &Flows| flows_of_a_source(flows) * u64::from(flows.ranks) <= MOST_FLOWS;
        match (known, planned) {
            (Some((flows, map)), _) if are_few(&flows) => self.add_flows(&flows, &map, end),
            (_, PlannedTraffic::Generated(source)) => {
                let nodes: Vec<u32> = (0..self.shape.nodes()).collect();
                self.add_sample(&**source, &nodes, f64::INFINITY);
            }
            (Some((_, map)), _) => self.add_pairs(&map),
            (None, _) => self.add_ranks(traffic, 0..self.shape.nodes(), 1.0),
        }
    }

    /// Adds the packets of a job in a cycle, as many as its bound allows.
    fn add_job(&mut self, planned: &PlannedTraffic, job: &JobPlan, traffic: &Traffic) {
        let nodes = job.nodes.nodes();
        // Without a bound, nodes send as much as a link can carry.
        let unbound = nodes.len() as f64 / f64::from(self.full_packet);
        let most = job.bound.and_then(|bound| rate(&bound, job.total_packets)).unwrap_or(unbound);
        match planned {
            PlannedTraffic::Generated(source) => self.add_sample(&**source, nodes, most),
            PlannedTraffic::Ranks(_) | PlannedTraffic::Jobs(_) => {
                self.add_ranks(traffic, nodes.iter().copied(), most);
            }
        }
    }

    fn add(&mut self, node: u32, load: f64) {
        self.of_runs[(node / self.run) as usize] += load;
    }

    /// Adds packets to all nodes of a route in dimension order, of which the last sends none on. Both ends count `end` more.
    fn add_route(&mut self, source: u32, hops: &Hops, packets: f64, end: f64) {
        self.add(source, packets * (1.0 + end));
        let mut node = source;
        for toward in hops.directions() {
            for _ in 0..hops.0[toward.dimension()].unsigned_abs() {
                node = self.shape.neighbor(node, toward).unwrap_or(node);
                self.add(node, packets);
            }
        }
        self.add(node, packets * (END_OF_ROUTE - 1.0 + end));
    }

    /// Adds the messages between ranks, or nodes.
    fn add_flows(&mut self, flows: &Flows, map: &RankMap, end: f64) {
        flows.for_each(|source, flow| {
            let (from, to) = (map.place(source).node, map.place(flow.target).node);
            let hops = flow.hops.unwrap_or_else(|| self.shape.route(from, to, mix(source.into()) as u32));
            let packets = flow.messages.max(flow.bytes.div_ceil(self.full_packet.into()));
            self.add_route(from, &hops, packets as f64, end);
        });
    }

    /// Adds messages from each rank to any other.
    fn add_pairs(&mut self, map: &RankMap) {
        for draw in 0..u64::from(PACKETS.max(map.ranks().min(MOST_RUNS))) {
            let bits = mix(draw);
            let source = map.place((draw % u64::from(map.ranks())) as u32).node;
            let target = map.place(((u128::from(bits) * u128::from(map.ranks())) >> 64) as u32).node;
            self.add_route(source, &self.shape.route(source, target, bits as u32), 1.0, END_OF_RANKS);
        }
    }

    /// Adds ranks of which no more is known, which send a number of packets in a cycle.
    fn add_ranks(&mut self, traffic: &Traffic, nodes: impl Iterator<Item = u32> + Clone, packets: f64) {
        let Traffic::Software(builder) = traffic else { return };
        let ranks: u64 = nodes.clone().map(|node| u64::from(builder.ranks_at(node))).sum();
        let of_rank = packets * 2.0 * (1.0 + END_OF_RANKS) / ranks.max(1) as f64;
        nodes.for_each(|node| self.add(node, of_rank * f64::from(builder.ranks_at(node))));
    }

    /// Adds a sample of the packets of a source, whose nodes are numbered as those of `nodes` are listed. They count for
    /// those of a cycle, which are at most `most`.
    fn add_sample(&mut self, source: &dyn Source, nodes: &[u32], most: f64) {
        if source.forwards() {
            return; // Few nodes send what all pass on.
        }
        let packets = (PACKETS / nodes.len() as u32).clamp(1, MOST_PACKETS_OF_A_NODE);
        // An odd distance meets all coordinates of the usual lengths.
        let distance = nodes.len().div_ceil(MOST_RUNS as usize) | 1;
        let (mut sample, mut cycles, mut senders) = (Vec::new(), 0, 0);
        for (own, &node) in (0u32..).zip(nodes).step_by(distance) {
            let lane = Lane { node: own, kind: LaneKind::Mixed, number: 0, lanes: 1 };
            let mut ready = 0;
            let before = sample.len();
            for index in 0..u64::from(packets) {
                let Some(offer) = source.offer(lane, index, ready) else { break };
                ready = offer.ready;
                sample.push((node, offer.hops));
            }
            cycles += ready;
            senders += usize::from(sample.len() > before);
        }
        // The mean rate of a node that sends, times the number of those nodes.
        let offered = sample.len() as f64 / cycles as f64 * (senders * distance) as f64;
        let weight = offered.min(most).min(f64::from(u32::MAX)) / sample.len() as f64;
        for (node, hops) in &sample {
            self.add_route(*node, hops, weight, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Prepared;
    use crate::scenario::resolve;
    use network::Processes;
    use std::path::Path;

    fn loads_of(text: &str) -> (Shape, Vec<f64>) {
        let scenario = resolve(text, "test.toml", Path::new(""), &[]).expect("a scenario");
        let Prepared { plan, traffic, .. } = Prepared::of(&scenario, Processes::ONE).expect("it can run");
        (scenario.parameters.shape.clone(), expected_loads(&scenario, &plan, &traffic))
    }

    /// The loads of slabs, as shares of the mean.
    fn slabs(text: &str) -> Vec<f64> {
        let (shape, loads) = loads_of(text);
        let slabs = shape.length(shape.dimensions() - 1) as usize;
        let mean = loads.iter().sum::<f64>() / slabs as f64;
        loads.chunks(loads.len() / slabs).map(|slab| slab.iter().sum::<f64>() / mean).collect()
    }

    fn are_near(found: &[f64], expected: &[f64], tolerance: f64) {
        assert_eq!(found.len(), expected.len());
        for (one, other) in found.iter().zip(expected) {
            assert!((one - other).abs() <= tolerance, "{found:?}, expected {expected:?}");
        }
    }

    const MACHINE: &str = "[machine]\nshape = [4, 4, 8]\n";
    const OPEN: &str = "[machine]\nshape = [4, 4, 8]\nwrap = [true, true, false]\n";

    #[test]
    fn all_slabs_of_a_torus_have_the_same_load() {
        for workload in [
            "[workload]\nkind = \"uniform-random\"",
            "[workload]\nkind = \"all-to-all\"\npayload_bytes = 240",
            "[workload]\nkind = \"kernel\"\nname = \"halo-3d\"",
            "[workload]\nkind = \"collective\"\noperation = \"all-to-all\"\nbytes = 12800",
        ] {
            are_near(&slabs(&format!("{MACHINE}{workload}\n")), &[1.0; 8], 0.03);
        }
    }

    #[test]
    fn the_middle_of_an_open_dimension_has_more() {
        for workload in [
            "[workload]\nkind = \"uniform-random\"",
            "[workload]\nkind = \"all-to-all\"\npayload_bytes = 240",
        ] {
            let found = slabs(&format!("{OPEN}{workload}\n"));
            let mirrored: Vec<f64> = found.iter().rev().copied().collect();
            are_near(&found, &mirrored, 0.05);
            assert!(found[..4].is_sorted(), "{found:?}");
            assert!(found[3] > 1.2 && found[0] < 0.8, "{found:?}");
        }
    }

    #[test]
    fn a_hot_region_has_more() {
        let hot = "[workload]\nkind = \"hot-region\"\nshare = 0.9\nload = 0.1\norigin = [0, 0, 0]\nbox = [4, 4, 1]\n";
        let found = slabs(&format!("{MACHINE}{hot}"));
        // Hops in the plane of the region are made before those toward it.
        assert!(found[7] + found[0] + found[1] > 1.3 * (found[3] + found[4] + found[5]), "{found:?}");
    }

    #[test]
    fn jobs_have_their_loads_and_other_nodes_none() {
        let job = |z: u32, workload: &str| {
            format!(
                "[[jobs]]\nbox = {{ origin = [0, 0, {z}], shape = [4, 4, 2] }}\n[jobs.workload]\n{workload}\n"
            )
        };
        let light = job(0, "kind = \"uniform-random\"\nload = 0.1");
        let heavy = job(2, "kind = \"uniform-random\"\nload = 0.8");
        let ranks = job(4, "kind = \"kernel\"\nname = \"halo-3d\"");
        let found = slabs(&format!("{MACHINE}{light}{heavy}{ranks}[run]\nalone = false\n"));
        assert!(found[2] > 4.0 * found[0] && found[0] > 0.0, "{found:?}");
        assert!(found[4] > 0.0, "{found:?}");
        are_near(&found[6..], &[0.0; 2], 0.0);
    }

    #[test]
    fn nodes_without_ranks_have_what_passes() {
        let ping_pong = "[workload]\nkind = \"ping-pong\"\npayload_bytes = 16\n";
        let found = slabs(&format!("{MACHINE}{ping_pong}"));
        assert!(found.contains(&0.0) && found.iter().any(|&slab| slab > 1.0), "{found:?}");
    }
}
