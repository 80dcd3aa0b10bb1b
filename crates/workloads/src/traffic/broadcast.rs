//! Broadcasts by the deposit bit, in parts (*colors*) that share no link.
//!
//! ```text
//!   color x+ of a plane                        color y+: the same with x and y exchanged; x-, y-: mirrored
//!
//!      y   o<-----+  +  +       o  gets its copy over the link that closes the ring, from the last node of its row
//!          o<- ...|  |  |       +  gets a copy of a packet that passes
//!          R===+==+==+          R  the root; software of each node of its row forwards the packet into y
//!            stage 0  stage 1, then the closing link of each row: stage 2
//! ```
//!
//! The packets of a color leave the root along the color's first dimension. A node that gets a packet in one
//! dimension forwards it along all dimensions that follow in cyclic order. This reaches all nodes whose coordinate
//! in the first dimension differs from the root's. The other nodes are reached by one more hop in the first
//! dimension, around the ring.
//!
//! No two colors share a link. A link of dimension e that leads back to the root's coordinate belongs to the colors
//! of e. Any other belongs to the first dimension after e, in cyclic order, in which its node's coordinate differs
//! from the root's, or to e if no such dimension exists. In D dimensions, 2 D colors use all links of the machine
//! except those that lead into the root (row M13).

use crate::bound::Bound;
use crate::bound::last_reception_cycle;
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::options::require_for_each_dimension;
use crate::plan::{Plan, PlannedTraffic};
use crate::traffic::finite::Message;
use geometry::{Hops, Shape};
use network::{Class, CyclesPerByte, ForwardAction, Lane, LaneKind, Offer, Source};
use std::sync::Arc;

/// Low bits of a tag, which hold the stage; the bits above hold the packet's number.
const STAGE_BITS: u32 = 3;

/// The routes of a broadcast.
pub(crate) struct Broadcast {
    shape: Shape,
    root: u32,
    /// The dimensions of the broadcast that have more than one node.
    dimensions: Vec<usize>,
    colors: u64,
    fifo_sets: usize,
}

/// A part of the message: the dimension (as an index into the list) and direction in which it leaves the root.
#[derive(Clone, Copy)]
struct Color {
    first: usize,
    is_plus: bool,
}

impl Broadcast {
    /// A broadcast from the node at `root` (if empty: the first node) over `dimensions`. Error messages refer to
    /// them by `key`.
    pub(crate) fn new(
        context: &Context,
        key: &str,
        dimensions: &[usize],
        root: &[u32],
        colors: Option<u32>,
    ) -> Result<Self, WorkloadError> {
        let shape = context.shape();
        require(context.parameters.faults.is_empty(), "kind", || {
            "broadcasts need a machine without dead nodes or links: packets with the deposit bit cannot be routed around them".into()
        })?;
        let dimensions: Vec<usize> =
            dimensions.iter().copied().filter(|&dimension| shape.length(dimension) > 1).collect();
        require(!dimensions.is_empty(), key, || "the sending node is the only one".into())?;
        let open = dimensions.iter().find(|&&dimension| !shape.has_rings_of_lines(dimension));
        require(open.is_none(), key, || {
            let number = open.copied().unwrap_or_default();
            let reason = if shape.wraps(number) { "shifts others where it wraps" } else { "does not wrap" };
            format!("dimension {number} {reason}; a broadcast needs lines that are rings")
        })?;
        let max = 2 * dimensions.len() as u32;
        let colors = colors.unwrap_or(max);
        require((1..=max).contains(&colors), "colors", || format!("{colors}: from 1 to {max}"))?;
        Ok(Broadcast {
            root: node_at(shape, root)?,
            shape: shape.clone(),
            dimensions,
            colors: colors.into(),
            fifo_sets: context.parameters.node.fifo_sets(),
        })
    }

    /// Number of nodes that receive the message.
    fn receivers(&self) -> u64 {
        let lengths = self.dimensions.iter().map(|&dimension| u64::from(self.shape.length(dimension)));
        lengths.product::<u64>() - 1
    }

    /// The color of packet number `packet`. Packets cycle through the colors: plus, then minus, of each dimension.
    fn color(&self, packet: u64) -> Color {
        let color = packet % self.colors;
        Color { first: (color / 2) as usize, is_plus: color.is_multiple_of(2) }
    }

    /// The dimension of a stage of a color.
    fn dimension(&self, color: Color, stage: usize) -> usize {
        self.dimensions[(color.first + stage) % self.dimensions.len()]
    }

    /// Distance from the root to `node` along the dimension of a color's stage, in the color's direction.
    fn steps(&self, node: u32, color: Color, stage: usize) -> u32 {
        let dimension = self.dimension(color, stage);
        let length = self.shape.length(dimension);
        let of = |node| self.shape.coordinates(node)[dimension];
        let (from, to) = if color.is_plus { (of(self.root), of(node)) } else { (of(node), of(self.root)) };
        (to + length - from) % length
    }

    /// The stages in which `node` forwards a packet of a color that it received in `stage`.
    fn next_stages(&self, node: u32, color: Color, stage: usize) -> impl Iterator<Item = usize> {
        let count = self.dimensions.len();
        let is_last = self.steps(node, color, 0) + 1 == self.shape.length(self.dimension(color, 0));
        let is_off_line = (1..count).any(|stage| self.steps(node, color, stage) > 0);
        let round = (stage < count && is_last && is_off_line).then_some(count);
        (stage + 1..count).chain(round)
    }

    /// The hops of a stage: along the whole line, or the one hop around the ring.
    fn hops(&self, color: Color, stage: usize) -> Hops {
        let dimension = self.dimension(color, stage % self.dimensions.len());
        let hops = if stage < self.dimensions.len() { self.shape.length(dimension) as i32 - 1 } else { 1 };
        let mut route = Hops::default();
        route.0[dimension] = if color.is_plus { hops } else { -hops };
        route
    }
}

/// The node at the coordinates `root`, or the first if no coordinates are given.
fn node_at(shape: &Shape, root: &[u32]) -> Result<u32, WorkloadError> {
    if root.is_empty() {
        return Ok(0);
    }
    require_for_each_dimension("root", root.len(), shape)?;
    let mut coordinates = [0; geometry::MAX_DIMENSIONS];
    for (dimension, &coordinate) in root.iter().enumerate() {
        let length = shape.length(dimension);
        require(coordinate < length, "root", || {
            format!("{coordinate} in dimension {dimension}: from 0 to {}", length - 1)
        })?;
        coordinates[dimension] = coordinate;
    }
    Ok(shape.node(&coordinates))
}

/// The generator of a broadcast's packets.
struct BroadcastSource {
    broadcast: Broadcast,
    message: Message,
}

impl BroadcastSource {
    fn offer_of(&self, packet: u64, stage: usize) -> Offer {
        let color = self.broadcast.color(packet);
        // With two cores, one serves the plus directions and one the minus directions (row S38).
        let reception_group = (self.broadcast.fifo_sets > 1 && !color.is_plus) as u8;
        let tag = (packet as u32) << STAGE_BITS | stage as u32;
        Offer {
            hops: self.broadcast.hops(color, stage),
            chunks: self.message.chunks(packet),
            class: Class { deterministic: true, reception_group, deposit: true, ..Class::default() },
            ready: 0,
            forward_action: if self.forwards() {
                ForwardAction::Forward(tag)
            } else {
                ForwardAction::Consume
            },
        }
    }
}

impl Source for BroadcastSource {
    fn offer(&self, lane: Lane, index: u64, _previous_ready: u64) -> Option<Offer> {
        let packet = lane.sequence(index);
        let is_sent = lane.node == self.broadcast.root
            && lane.kind != LaneKind::HighPriority
            && packet < self.message.packets();
        is_sent.then(|| self.offer_of(packet, 0))
    }

    fn smallest_chunks(&self) -> u8 {
        self.message.smallest_chunks()
    }

    fn deposits(&self) -> bool {
        true
    }

    fn forwards(&self) -> bool {
        self.broadcast.dimensions.len() > 1
    }

    fn forwarded(&self, node: u32, tag: u32, index: u32) -> Option<Offer> {
        let (packet, stage) = (u64::from(tag >> STAGE_BITS), (tag & ((1 << STAGE_BITS) - 1)) as usize);
        let color = self.broadcast.color(packet);
        let stage = self.broadcast.next_stages(node, color, stage).nth(index as usize)?;
        Some(self.offer_of(packet, stage))
    }
}

/// The plan of a broadcast of `payload_bytes` bytes. Its peak assumes that the links of all colors are always busy.
/// It excludes the time until the first packet reaches the last link.
pub(crate) fn plan(
    context: &Context,
    broadcast: Broadcast,
    payload_bytes: u64,
) -> Result<Plan, WorkloadError> {
    let format = &context.parameters.packet;
    let message = Message::with_payload(payload_bytes, format)?;
    let max = u64::from(u32::MAX >> STAGE_BITS);
    require(message.packets() <= max, "payload_bytes", || format!("more than {max} packets"))?;
    let slowest =
        broadcast.dimensions.iter().map(|&dimension| context.parameters.links[dimension].cycles_per_byte);
    let mean_wire_bytes = message.mean_wire_bytes(format);
    let cycles_per_packet = mean_wire_bytes * f64::from(slowest.max().unwrap_or(CyclesPerByte::ONE));
    let (receivers, colors) = (broadcast.receivers(), broadcast.colors);
    let busy_cycles = message.packets() as f64 / colors as f64 * cycles_per_packet;
    let bound = Bound {
        kind: "links of the colors",
        drained_cycles: Some(last_reception_cycle(busy_cycles, mean_wire_bytes, context.parameters)),
        packets_per_cycle: Some((colors * receivers) as f64 / cycles_per_packet),
    };
    Ok(Plan {
        total_packets: Some(message.packets() * receivers),
        mean_hops: Some(1.0), // every link crossing ends at a node that gets a copy
        bound: Some(bound),
        ..Plan::of(PlannedTraffic::Generated(Arc::new(BroadcastSource { broadcast, message })))
    })
}
