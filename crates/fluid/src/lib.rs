//! Times of flows without packets: flows share the links of a torus fairly.
//!
//! ```text
//!   Flows --ranks_per_node--> one rank for all, or each --Demand--> loads of links and cores, by round
//!                                                                |-- fair: max-min fair rates, until all have ended
//!                                                                |-- correction: what blocking costs packets
//!                                                                '-- latency of the last message
//! ```
//!
//! `docs/models/fluid.md` has the model and its accuracy. Nothing is read or written, and no clock is read.
//!
//! # To add what the engine knows
//!
//! 1. What a workload sends, and when, is in its flows. Rounds come from `mpi::DryRun::follow`
//!    (`workloads/src/flows/of_ranks.rs`). Nodes of a pattern that are alike say so (`are_alike` of `Peers`
//!    and `FixedRoute`).
//! 2. What it costs is in `machine.rs`.
//! 3. What blocking adds is in `correction.rs`, whose numbers the study `fluid` fits.
//! 4. What it does not know is refused in `simulation/src/fluid.rs`.
//! 5. The study `fluid` is recorded again: results state the errors of its verdicts
//!    (`python/torusim/runs/fluid.py`).

#![forbid(unsafe_code)]

mod correction;
mod demand;
mod exact;
mod fair;
mod machine;
mod rounds;
mod spread;

pub use demand::{LinkLoad, NodeLoad};
pub use machine::{Machine, RouteChoice, Sender};

use correction::Blocking;
use demand::{Demand, LinkSums, NodeCounts, Setting};
use mapping::ranks_per_node;
use messaging::RankMap;
use thiserror::Error;
use workloads::Routing;
use workloads::flows::Flows;

/// The most kinds of rounds of a phase.
const MAX_ROUNDS: usize = 4096;

/// The time and the load of flows.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Network cycles until the last of them has arrived.
    pub cycles: f64,
    /// The network cycles without the correction for blocking.
    pub uncorrected_cycles: f64,
    /// Whether the cost of blocking is known for all flows.
    pub is_corrected: bool,
    /// The loads of links by node and direction; of one node only, if it stands for all.
    pub links: Vec<LinkLoad>,
    /// The loads of all nodes, or of the one.
    pub nodes: Vec<NodeLoad>,
    /// Packets that nodes receive.
    pub packets: f64,
    /// Links that they cross.
    pub packet_hops: f64,
    /// Their bytes in memory.
    pub delivered_bytes: f64,
}

/// The reason why flows do not give a time.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Unsuited {
    /// The rounds are not known.
    #[error("does not know which messages of this workload wait for others")]
    NoRounds,
    /// Ranks are in different rounds at the same time.
    #[error(
        "knows only ranks that go from round to round together, and those of this workload follow one another"
    )]
    NotTogether,
    /// There are more rounds that differ than are held.
    #[error("knows at most {MAX_ROUNDS} rounds that differ, of which this workload has more")]
    TooManyRounds,
    /// Packets go over other nodes than those of minimal routes.
    #[error("knows minimal routes only")]
    Detours,
    /// The ranks are not alike, and memory does not hold what all of them need of links.
    #[error(
        "needs more than {MAX_GIGABYTES} GB for the routes of ranks that are not alike, as they are not on open dimensions"
    )]
    TooLarge,
}

/// The memory for what ranks need of links. More of it would also take hours.
const MAX_GIGABYTES: usize = 2;

/// The least number of targets of a rank at which each direction round a ring counts as drawn equally often. With fewer
/// targets there are too few draws.
const FEW_TARGETS: usize = 64;

/// The time of flows between ranks at these places.
///
/// # Errors
/// When flows do not give it.
pub fn time_of(machine: &Machine, flows: &Flows, places: &RankMap) -> Result<Estimate, Unsuited> {
    let setting = setting(machine, flows, places)?;
    let mut estimate = Estimate {
        cycles: 0.0,
        uncorrected_cycles: 0.0,
        is_corrected: true,
        links: Vec::new(),
        nodes: Vec::new(),
        packets: 0.0,
        packet_hops: 0.0,
        delivered_bytes: 0.0,
    };
    for phase in flows.phases.iter().filter(|phase| phase.repetitions > 0) {
        rounds::demands(setting, phase, flows.ranks, MAX_GIGABYTES << 30, |demand, rounds| {
            let times = phase.repetitions as f64 * rounds as f64;
            estimate.add(machine, times, &demand, setting.alike.is_some());
        })?;
    }
    Ok(estimate)
}

/// Checks flows for [`time_of`], in the time that it takes to produce them.
///
/// # Errors
/// When they do not give a time. Routes may turn out too large only when they are added up.
pub fn check(machine: &Machine, flows: &Flows, places: &RankMap) -> Result<(), Unsuited> {
    let setting = setting(machine, flows, places)?;
    let mut phases = flows.phases.iter().filter(|phase| phase.repetitions > 0);
    phases.try_for_each(|phase| rounds::check(setting, phase, flows.ranks, MAX_GIGABYTES << 30))
}

fn setting<'a>(
    machine: &'a Machine<'a>,
    flows: &Flows,
    places: &'a RankMap,
) -> Result<Setting<'a>, Unsuited> {
    if flows.routing.is_some_and(Routing::has_detours) {
        return Err(Unsuited::Detours);
    }
    let alike = ranks_per_node(flows, places, &machine.network.shape);
    let alike = alike.filter(|_| !is_drawn(machine, flows, places));
    Ok(Setting { machine, routing: flows.routing, places, alike })
}

/// Whether the loads of links depend on draws. Of two equally short directions round a ring, packets that must not
/// overtake one another all take one. Few flows leave that to chance.
fn is_drawn(machine: &Machine, flows: &Flows, places: &RankMap) -> bool {
    let shape = &machine.network.shape;
    let node = |rank: u32| places.place(rank).node;
    let is_half_way = |target: u32| shape.minimal_routes(node(0), node(target)).are_several();
    let is_one_way = |bytes: u64| {
        let transfers = machine.sending(bytes, flows.routing).transfers;
        transfers.iter().any(|transfer| transfer.route_choice.is_one_direction())
    };
    flows.phases.iter().filter_map(|phase| phase.senders.rounds(0)).flatten().any(|round| {
        round.flows.len() < FEW_TARGETS
            && round.flows.iter().any(|flow| {
                flow.messages > 0 && is_half_way(flow.target) && is_one_way(flow.bytes / flow.messages)
            })
    })
}

impl Estimate {
    /// Adds a round, which follows those before it.
    fn add(&mut self, machine: &Machine, times: f64, demand: &Demand, are_alike: bool) {
        let (drained, agent) = (demand.drained_cycles(), demand.busiest_agent());
        let blocking = Blocking::of(machine, demand, are_alike);
        let others = demand.latency + demand.compute_cycles;
        self.uncorrected_cycles += times * (drained.max(agent) + others);
        self.cycles += times * (blocking.corrected(drained).max(agent) + others);
        self.is_corrected &= blocking.is_known || drained == 0.0;
        self.packets += times * demand.packets as f64;
        self.packet_hops += times * demand.packet_hops as f64;
        self.delivered_bytes += times * demand.delivered_bytes as f64;
        self.links.resize(demand.links.len(), LinkLoad::default());
        for (all, link) in self.links.iter_mut().zip(demand.links.iter().map(LinkSums::load)) {
            all.packets += times * link.packets;
            all.bytes += times * link.bytes;
        }
        self.nodes.resize(demand.nodes.len(), NodeLoad::default());
        for (all, node) in self.nodes.iter_mut().zip(demand.nodes.iter().map(NodeCounts::load)) {
            all.injected += times * node.injected;
            all.received += times * node.received;
        }
    }
}
