//! Open-loop workloads: each node sends packets without end or up to a number, always or with Poisson arrivals.

use crate::bound::Demand;
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::options::{OpenLoopOptions, Routing, require_share};
use crate::plan::{Plan, PlannedTraffic};
use crate::targets::Route;
use crate::traffic::arrivals::Arrivals;
use crate::traffic::lengths::{Lengths, Place};
use crate::traffic::sender::{PacketDraws, Reachability, Sender};
use base::draws::{Purpose, Share};
use geometry::{MAX_DIMENSIONS, Preference};
use network::parameters::SoftwareCost;
use network::{Detour, Lane, LaneKind, Offer, Source};
use std::sync::Arc;

/// The targets of a node's packets.
pub(crate) trait Targets: Send + Sync {
    /// The route of the packet with the given draws; none when `node` sends nothing at all.
    fn route(&self, node: u32, draws: &PacketDraws) -> Option<Route>;

    /// Whether all packets of a node have the same target.
    fn are_fixed(&self) -> bool {
        false
    }
}

/// The number of times that an unreachable target is redrawn. After that, the next live node after the sender
/// replaces it.
const MAX_REDRAWS: usize = 100;

/// One value for each kind of lane.
#[derive(Clone, Copy, Debug)]
struct ByKind<T> {
    mixed: T,
    normal: T,
    high_priority: T,
}

impl<T: Copy> ByKind<T> {
    fn of(&self, kind: LaneKind) -> T {
        match kind {
            LaneKind::Mixed => self.mixed,
            LaneKind::Normal => self.normal,
            LaneKind::HighPriority => self.high_priority,
        }
    }
}

/// The generator of an open-loop workload.
struct OpenLoop<T> {
    targets: T,
    lengths: Lengths,
    high_priority_share: Share,
    /// Number of packets in a node's sequence of each kind; `u64::MAX` is without end.
    limits: ByKind<u64>,
    /// The arrivals of messages of each kind, or none if nodes always have a packet waiting.
    arrivals: Option<ByKind<Arrivals>>,
    sender: Sender,
}

/// The random draws of a packet.
struct Drawn {
    draws: PacketDraws,
    place: Place,
    /// The draws of the packet's message, which decide its target and class.
    message: PacketDraws,
    high_priority: bool,
    route: Route,
}

impl<T: Targets> OpenLoop<T> {
    /// The route of a packet to a live node; a dead target is redrawn. None when the node sends nothing at all.
    /// Then its pattern gives it no target, or the node or its only target is dead.
    #[inline]
    fn live_route(&self, node: u32, draws: &PacketDraws, high_priority: bool) -> Option<Route> {
        let route = self.targets.route(node, draws)?;
        if self.sender.faults().is_empty()
            || self.sender.reachability(node, route, high_priority) == Reachability::Reachable
        {
            return Some(route);
        }
        if self.targets.are_fixed() || self.sender.faults().is_dead(node) {
            return None;
        }
        let arrives =
            |route: &Route| self.sender.reachability(node, *route, high_priority) == Reachability::Reachable;
        let redrawn =
            (1..=MAX_REDRAWS).filter_map(|attempt| self.targets.route(node, &draws.redraw(attempt)));
        redrawn.into_iter().find(arrives).or_else(|| self.sender.next_live_node(node).map(Route::To))
    }

    /// Number of sending nodes on a machine with faults; the error is a node whose packets would be trapped.
    fn live_senders(&self, nodes: u32) -> Result<u64, u32> {
        let classes = [(false, self.limits.normal), (true, self.limits.high_priority)];
        let classes: Vec<bool> =
            classes.iter().filter(|(_, limit)| *limit > 0).map(|(high, _)| *high).collect();
        let mut senders = 0;
        for node in (0..nodes).filter(|&node| !self.sender.faults().is_dead(node)) {
            let lane = Lane { node, kind: LaneKind::Mixed, number: 0, lanes: 1 };
            let draws = PacketDraws::new(self.sender.seed, lane, 0);
            let route = self.targets.route(node, &draws);
            let is_trapped = |&high: &bool| {
                route
                    .is_some_and(|route| self.sender.reachability(node, route, high) == Reachability::Trapped)
            };
            if classes.iter().any(is_trapped) {
                return Err(node);
            }
            senders += u64::from(self.live_route(node, &draws, false).is_some());
        }
        Ok(senders)
    }

    fn is_high_priority(&self, kind: LaneKind, draws: &PacketDraws) -> bool {
        match kind {
            LaneKind::Mixed => self.high_priority_share.contains(draws.bits(Purpose::Class)),
            LaneKind::Normal => false,
            LaneKind::HighPriority => true,
        }
    }

    fn ready(&self, lane: Lane, place: &Place, message: &PacketDraws, previous_ready: u64) -> u64 {
        let Some(arrivals) = self.arrivals.as_ref().filter(|_| place.is_first) else { return previous_ready };
        previous_ready.saturating_add(arrivals.of(lane.kind).gap(place.message, lane.lanes, message))
    }

    /// The random draws of packet `index` of a lane, if the lane has not ended.
    #[inline]
    fn drawn(&self, lane: Lane, index: u64) -> Option<Drawn> {
        let draws = PacketDraws::new(self.sender.seed, lane, index);
        if draws.sequence >= self.limits.of(lane.kind) {
            return None;
        }
        let place = self.lengths.place(&draws, lane, index);
        // All packets of a message have its target and class.
        let message = match self.lengths.are_of_messages() {
            true => PacketDraws::new(self.sender.seed, lane, place.message),
            false => draws,
        };
        let high_priority = self.is_high_priority(lane.kind, &message);
        let route = self.live_route(lane.node, &message, high_priority)?;
        Some(Drawn { draws, place, message, high_priority, route })
    }
}

impl<T: Targets> Source for OpenLoop<T> {
    fn offer(&self, lane: Lane, index: u64, previous_ready: u64) -> Option<Offer> {
        let drawn = self.drawn(lane, index);
        let Drawn { draws, place, message, high_priority, route } = drawn.as_ref()?;
        let ready = self.ready(lane, place, message, previous_ready);
        Some(self.sender.offer(lane.node, route, draws, *high_priority, place.chunks, ready))
    }

    fn detour(&self, lane: Lane, index: u64) -> Option<Detour> {
        let Drawn { draws, route, high_priority, .. } = self.drawn(lane, index)?;
        if high_priority { None } else { self.sender.detour(lane.node, &route, &draws) }
    }

    fn smallest_chunks(&self) -> u8 {
        self.lengths.smallest_chunks()
    }

    fn uses_high_priority(&self) -> bool {
        self.limits.high_priority > 0 || self.high_priority_share.contains(0)
    }
}

/// Number of packets in each kind's sequence. Normal and high priority split them by share, rounded to whole packets.
fn limits(packets_per_node: Option<u64>, high_priority_share: f64) -> ByKind<u64> {
    let mixed = packets_per_node.unwrap_or(u64::MAX);
    let share_of = |share: f64| if share > 0.0 { u64::MAX } else { 0 };
    match packets_per_node {
        None => ByKind {
            mixed,
            normal: share_of(1.0 - high_priority_share),
            high_priority: share_of(high_priority_share),
        },
        Some(packets) => {
            let high_priority = ((packets as f64 * high_priority_share).round() as u64).min(packets);
            ByKind { mixed, normal: packets - high_priority, high_priority }
        }
    }
}

/// The arrivals of messages of each kind if a node sends `messages_per_cycle`. A kind without messages never uses
/// its arrivals.
fn arrivals(
    messages_per_cycle: f64,
    options: &OpenLoopOptions,
    lanes: u8,
) -> Result<ByKind<Arrivals>, WorkloadError> {
    let of = |share: f64, lanes: u8| match share > 0.0 {
        true => Arrivals::new(1.0 / (messages_per_cycle * share), options.burst, lanes),
        false => Ok(Arrivals::none()),
    };
    let share = options.high_priority_share;
    Ok(ByKind { mixed: of(1.0, lanes)?, normal: of(1.0 - share, 1)?, high_priority: of(share, 1)? })
}

/// The largest load, far beyond saturation, where more load changes nothing.
const MAX_LOAD: f64 = 1000.0;

fn check(context: &Context, options: &OpenLoopOptions, demand: &Demand) -> Result<(), WorkloadError> {
    let shape = context.shape();
    require(demand.flows > 0, "shape", || format!("in {shape} no node has a peer to send to"))?;
    require_share("high_priority_share", options.high_priority_share)?;
    let is_mixed = options.high_priority_share > 0.0 && options.high_priority_share < 1.0;
    require(
        !is_mixed || options.load.is_some() || !context.has_infinite_injection_fifos(),
        "high_priority_share",
        || {
            "with infinite injection FIFOs that always have a packet waiting, no share can be kept: \
             give a load, or real FIFOs"
                .into()
        },
    )?;
    require(options.burst.is_none() || options.load.is_some(), "burst", || {
        "without a load a node always has a packet waiting, and no bursts: give workload.load".into()
    })?;
    require(options.packets_per_node != Some(0), "packets_per_node", || "0 packets: at least 1".into())?;
    match options.load {
        Some(load) => require(load > 0.0 && load <= MAX_LOAD, "load", || {
            format!("{load} is not a share of the peak above 0 (1 is the peak) and at most {MAX_LOAD}")
        }),
        None => Ok(()),
    }
}

/// Checks that packets can be routed over intermediate nodes, if this is requested.
fn check_detours(
    context: &Context,
    routing: Routing,
    preferences: &[Preference; MAX_DIMENSIONS],
) -> Result<(), WorkloadError> {
    if !routing.has_detours() {
        return Ok(());
    }
    let is_minimal = preferences.iter().all(|&preference| preference == Preference::Minimal);
    require(is_minimal, "directions", || {
        "both segments of a route over an intermediate node are minimal: leave directions out".into()
    })?;
    let node = &context.parameters.node;
    let chooses_at_entry = context.has_infinite_injection_fifos() && node.software == SoftwareCost::default();
    require(routing != Routing::Ugal || chooses_at_entry, "routing", || {
        "chooses by the queues of the cycle in which a packet enters the network: needs infinite injection FIFOs \
         (machine.node.injection_fifo_bytes), and no costs of software in machine.node"
            .into()
    })
}

/// The plan in which every flow of `demand` is a sending node.
pub(crate) fn plan(
    context: &Context,
    options: &OpenLoopOptions,
    preferences: [Preference; MAX_DIMENSIONS],
    targets: impl Targets + 'static,
    demand: Demand,
) -> Result<Plan, WorkloadError> {
    check(context, options, &demand)?;
    check_detours(context, options.routing, &preferences)?;
    let OpenLoopOptions { load, packets_per_node, high_priority_share, .. } = *options;
    let format = &context.parameters.packet;
    let lengths = Lengths::new(options.packet_bytes, options.message_bytes.as_ref(), format)?;
    let (mean_wire_bytes, mean_bytes) = (lengths.mean_wire_bytes(format), lengths.mean_bytes(format));
    let peak = demand.flow_packets_per_cycle(mean_wire_bytes);
    // The cores that send share a node's messages; infinite FIFOs take them without cores.
    let lanes = if context.has_infinite_injection_fifos() { 1 } else { context.parameters.node.cores };
    let arrivals = load.map(|load| arrivals(load * peak / lengths.mean_packets(), options, lanes));
    let open_loop = OpenLoop {
        targets,
        lengths,
        high_priority_share: Share::new(high_priority_share),
        limits: limits(packets_per_node, high_priority_share),
        arrivals: arrivals.transpose()?,
        sender: Sender::new(context, options.routing, preferences),
    };
    let is_whole = context.parameters.faults.is_empty();
    let senders = if is_whole { demand.flows } else { live_senders(context, &open_loop)? };
    let total_packets = packets_per_node.map(|packets| {
        senders.checked_mul(packets).ok_or_else(|| {
            WorkloadError::new("packets_per_node", format!("{packets} packets are too many to count"))
        })
    });
    Ok(Plan {
        bound: is_whole.then(|| demand.bound(packets_per_node, mean_wire_bytes, context.parameters)),
        total_packets: total_packets.transpose()?,
        mean_hops: (is_whole && options.routing != Routing::Ugal).then_some(demand.mean_hops),
        offered_packets_per_cycle: load.map(|load| load * peak * senders as f64),
        mean_packet_bytes: Some(mean_bytes),
        ends: packets_per_node.is_some(),
        ..Plan::of(PlannedTraffic::Generated(Arc::new(open_loop)))
    })
}

/// Number of sending nodes on a machine with faults.
fn live_senders<T: Targets>(context: &Context, open_loop: &OpenLoop<T>) -> Result<u64, WorkloadError> {
    let shape = context.shape();
    let senders = open_loop.live_senders(shape.nodes()).map_err(|node| {
        let coordinates = &shape.coordinates(node)[..shape.dimensions()];
        let message =
            format!("packets of node {coordinates:?} have fixed hops and would be trapped by dead links");
        WorkloadError::new("dead_nodes", message)
    })?;
    require(senders > 0, "dead_nodes", || "no live node has a live target".into())?;
    Ok(senders)
}
