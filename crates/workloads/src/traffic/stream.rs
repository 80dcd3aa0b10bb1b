//! Streams: each node sends packets without end, so many, or as a Poisson process brings them.

use crate::bound::Demand;
use crate::options::{PacketBytes, StreamOptions, require_share};
use crate::plan::{Context, Plan, PlannedTraffic, WorkloadError, require};
use crate::traffic::exponential::{ExponentialGap, MAX_MEAN_GAP_CYCLES};
use crate::traffic::sender::{Fate, PacketDraws, Sender, Way};
use geometry::{MAX_DIMENSIONS, Preference};
use network::draws::{Purpose, Share, pick};
use network::parameters::PacketFormat;
use network::{Lane, LaneKind, Offer, Source};
use std::sync::Arc;

/// Whom a node's packets go to.
pub(crate) trait Targets: Send + Sync {
    /// The way of the packet with these draws; none when `node` sends nothing at all.
    fn way(&self, node: u32, draws: &PacketDraws) -> Option<Way>;

    /// Whether all packets of a node go the same way.
    fn are_fixed(&self) -> bool {
        false
    }
}

/// How often a target is drawn anew because it is dead, before any other live node takes its place.
const MOST_ATTEMPTS: usize = 100;

/// Sizes of packets, in chunks, uniform from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    least_chunks: u8,
    most_chunks: u8,
}

impl Sizes {
    fn new(packet_bytes: PacketBytes, format: &PacketFormat) -> Result<Self, WorkloadError> {
        let [least, most] = match packet_bytes {
            PacketBytes::Fixed(bytes) => [bytes, bytes],
            PacketBytes::Range(range) => range,
        };
        require(least <= most, "packet_bytes", || {
            format!("[{least}, {most}] is no range: the lesser comes first")
        })?;
        Ok(Sizes { least_chunks: chunks(least, format)?, most_chunks: chunks(most, format)? })
    }

    fn draw(&self, draws: &PacketDraws) -> u8 {
        let sizes = u32::from(self.most_chunks - self.least_chunks) + 1;
        if sizes == 1 {
            return self.least_chunks;
        }
        self.least_chunks + pick(draws.bits(Purpose::Size), sizes) as u8
    }

    fn mean_wire_bytes(&self, format: &PacketFormat) -> f64 {
        let ends = [self.least_chunks, self.most_chunks].map(|chunks| f64::from(format.wire_bytes(chunks)));
        (ends[0] + ends[1]) / 2.0
    }
}

/// The chunks of a packet of so many bytes.
fn chunks(bytes: u32, format: &PacketFormat) -> Result<u8, WorkloadError> {
    let (chunk_bytes, most) = (format.chunk_bytes, format.chunk_bytes * u32::from(format.max_chunks));
    require(
        (chunk_bytes..=most).contains(&bytes) && bytes.is_multiple_of(chunk_bytes),
        "packet_bytes",
        || format!("{bytes} is not a multiple of {chunk_bytes} bytes from {chunk_bytes} to {most}"),
    )?;
    Ok((bytes / chunk_bytes) as u8)
}

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

/// The generator of a stream.
struct Stream<T> {
    targets: T,
    sizes: Sizes,
    high_priority_share: Share,
    /// Packets of a node's sequence of each kind; `u64::MAX` without end.
    limits: ByKind<u64>,
    /// Gaps of each kind's Poisson process, or none: always a packet waiting.
    gaps: Option<ByKind<ExponentialGap>>,
    sender: Sender,
}

impl<T: Targets> Stream<T> {
    /// The way of a packet to a live node: a target that is dead is drawn anew. None when the node sends nothing at all, as
    /// a dead one does, or one whose only target is dead.
    #[inline]
    fn live_way(&self, node: u32, draws: &PacketDraws, high_priority: bool) -> Option<Way> {
        let way = self.targets.way(node, draws)?;
        if self.sender.faults().is_empty() || self.sender.fate(node, way, high_priority) == Fate::Arrives {
            return Some(way);
        }
        if self.targets.are_fixed() || self.sender.faults().is_dead(node) {
            return None;
        }
        let arrives = |way: &Way| self.sender.fate(node, *way, high_priority) == Fate::Arrives;
        let anew = (1..=MOST_ATTEMPTS).filter_map(|attempt| self.targets.way(node, &draws.again(attempt)));
        anew.into_iter().find(arrives).or_else(|| self.sender.next_live_node(node).map(Way::To))
    }

    /// How many nodes send, if something is dead; or a node whose packets would be trapped.
    fn live_senders(&self, nodes: u32) -> Result<u64, u32> {
        let classes = [(false, self.limits.normal), (true, self.limits.high_priority)];
        let classes: Vec<bool> =
            classes.iter().filter(|(_, limit)| *limit > 0).map(|(high, _)| *high).collect();
        let mut senders = 0;
        for node in (0..nodes).filter(|&node| !self.sender.faults().is_dead(node)) {
            let lane = Lane { node, kind: LaneKind::Mixed, number: 0, lanes: 1 };
            let draws = PacketDraws::new(self.sender.seed, lane, 0);
            let way = self.targets.way(node, &draws);
            let is_trapped =
                |&high: &bool| way.is_some_and(|way| self.sender.fate(node, way, high) == Fate::Trapped);
            if classes.iter().any(is_trapped) {
                return Err(node);
            }
            senders += u64::from(self.live_way(node, &draws, false).is_some());
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

    fn ready(&self, lane: Lane, draws: &PacketDraws, previous_ready: u64) -> u64 {
        let Some(gaps) = &self.gaps else { return previous_ready };
        let gap = gaps.of(lane.kind).cycles(lane.lanes, draws.bits64(Purpose::Gap));
        previous_ready.saturating_add(gap)
    }
}

impl<T: Targets> Source for Stream<T> {
    fn offer(&self, lane: Lane, index: u64, previous_ready: u64) -> Option<Offer> {
        let draws = PacketDraws::new(self.sender.seed, lane, index);
        if draws.sequence >= self.limits.of(lane.kind) {
            return None;
        }
        let high_priority = self.is_high_priority(lane.kind, &draws);
        let way = self.live_way(lane.node, &draws, high_priority);
        let way = way.as_ref()?;
        let ready = self.ready(lane, &draws, previous_ready);
        Some(self.sender.offer(lane.node, way, &draws, high_priority, self.sizes.draw(&draws), ready))
    }

    fn smallest_chunks(&self) -> u8 {
        self.sizes.least_chunks
    }

    fn uses_high_priority(&self) -> bool {
        self.limits.high_priority > 0 || self.high_priority_share.contains(0)
    }
}

/// How many packets each kind's sequence has: the kinds share them out as nearly as whole packets allow.
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

/// The gaps of each kind when a node sends `packets_per_cycle`; a kind without packets never asks for its gap.
fn gaps(packets_per_cycle: f64, high_priority_share: f64) -> Result<ByKind<ExponentialGap>, WorkloadError> {
    let gap = |share: f64| {
        let mean_cycles = if share > 0.0 { 1.0 / (packets_per_cycle * share) } else { 0.0 };
        require(mean_cycles <= MAX_MEAN_GAP_CYCLES, "load", || {
            format!("so low that a node's packets would be {mean_cycles:.1e} cycles apart")
        })?;
        Ok(ExponentialGap::new(mean_cycles))
    };
    let (normal, high_priority) = (gap(1.0 - high_priority_share)?, gap(high_priority_share)?);
    Ok(ByKind { mixed: gap(1.0)?, normal, high_priority })
}

/// The largest load: far beyond saturation, where nothing more can change.
const MAX_LOAD: f64 = 1000.0;

fn check(context: &Context, options: &StreamOptions, demand: &Demand) -> Result<(), WorkloadError> {
    let shape = context.shape();
    require(demand.flows > 0, "shape", || format!("in {shape} no node has anyone to send to"))?;
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
    require(options.packets_per_node != Some(0), "packets_per_node", || "0 packets: at least 1".into())?;
    match options.load {
        Some(load) => require(load > 0.0 && load <= MAX_LOAD, "load", || {
            format!("{load} is not a share of the peak above 0 (1 is the peak) and at most {MAX_LOAD}")
        }),
        None => Ok(()),
    }
}

/// The plan in which every flow of `demand` is a sending node.
pub(crate) fn plan(
    context: &Context,
    options: StreamOptions,
    preferences: [Preference; MAX_DIMENSIONS],
    targets: impl Targets + 'static,
    demand: Demand,
) -> Result<Plan, WorkloadError> {
    check(context, &options, &demand)?;
    let StreamOptions { load, packets_per_node, high_priority_share, .. } = options;
    let format = &context.parameters.packet;
    let sizes = Sizes::new(options.packet_bytes, format)?;
    let mean_wire_bytes = sizes.mean_wire_bytes(format);
    let peak = demand.flow_packets_per_cycle(mean_wire_bytes);
    let gaps = load.map(|load| gaps(load * peak, high_priority_share));
    let stream = Stream {
        targets,
        sizes,
        high_priority_share: Share::new(high_priority_share),
        limits: limits(packets_per_node, high_priority_share),
        gaps: gaps.transpose()?,
        sender: Sender::new(context, options.routing, preferences),
    };
    let is_whole = context.parameters.faults.is_empty();
    let senders = if is_whole { demand.flows } else { live_senders(context, &stream)? };
    let total_packets = packets_per_node.map(|packets| {
        senders.checked_mul(packets).ok_or_else(|| {
            WorkloadError::new("packets_per_node", format!("{packets} packets are too many to count"))
        })
    });
    Ok(Plan {
        traffic: PlannedTraffic::Generated(Arc::new(stream)),
        bound: is_whole.then(|| demand.bound(packets_per_node, mean_wire_bytes)),
        total_packets: total_packets.transpose()?,
        mean_hops: is_whole.then_some(demand.mean_hops),
        offered_packets_per_cycle: load.map(|load| load * peak * senders as f64),
        ends: packets_per_node.is_some(),
    })
}

/// The nodes that send, some being dead.
fn live_senders<T: Targets>(context: &Context, stream: &Stream<T>) -> Result<u64, WorkloadError> {
    let shape = context.shape();
    let senders = stream.live_senders(shape.nodes()).map_err(|node| {
        let coordinates = &shape.coordinates(node)[..shape.dimensions()];
        let message =
            format!("packets of node {coordinates:?} take exactly stated hops, and would be trapped");
        WorkloadError::new("dead_nodes", message)
    })?;
    require(senders > 0, "dead_nodes", || "no live node is left who would send to another".into())?;
    Ok(senders)
}
