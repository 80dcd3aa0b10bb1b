//! Broadcasts by the deposit bit, in parts (*colours*) that share no link.
//!
//! ```text
//!   colour x+ of a plane                       colour y+: the same with x and y exchanged; x-, y-: in a mirror
//!
//!      y   o<-----+  +  +       o  gets its copy by a link round the ring, from the last of its row
//!          o<- ...|  |  |       +  gets a copy from a packet that passes
//!          R===+==+==+          R  the root; each node of its row turns the corner, in software
//!            stage 0  stage 1, then the last link of each row: stage 2
//! ```
//!
//! A colour's packets leave the root along its own dimension. Each node that gets one on its way along one dimension sends
//! it on along all dimensions that follow in cyclic order, so that all nodes off the root's own line, plane, and so on in
//! the first dimension are reached; those that are level with the root in it are reached by one more hop, round the ring.
//! The links of dimension e that a colour uses are told apart by the first coordinate behind e, in cyclic order, in which a
//! node is not level with the root: every colour has links of its own, and 2 D colours all links of the machine (row M13).

use crate::options::require_for_each_dimension;
use crate::plan::{Bound, Context, Plan, PlannedTraffic, WorkloadError, require};
use crate::traffic::exchange::Message;
use geometry::{Hops, Shape};
use network::{Class, Lane, LaneKind, Offer, Onward, Source};
use std::sync::Arc;

/// Bits of a tag that hold the stage; the packet's number is above them.
const STAGE_BITS: u32 = 3;

/// Who sends to whom.
pub(crate) struct Broadcast {
    shape: Shape,
    root: u32,
    /// Dimensions of more than one node, over which it goes.
    dimensions: Vec<usize>,
    colors: u64,
    cores: u8,
}

/// A part of the message: the dimension (its place in the list) and the way by which it leaves the root.
#[derive(Clone, Copy)]
struct Color {
    first: usize,
    is_plus: bool,
}

impl Broadcast {
    /// A broadcast from the node at `root` (none: the first) over `dimensions`, which `key` has named.
    pub(crate) fn new(
        context: &Context,
        key: &str,
        dimensions: &[usize],
        root: &[u32],
        colors: Option<u32>,
    ) -> Result<Self, WorkloadError> {
        let shape = context.shape();
        require(context.parameters.faults.is_empty(), "kind", || {
            "broadcasts need a machine with nothing dead: their copies have no way round it".into()
        })?;
        let dimensions: Vec<usize> =
            dimensions.iter().copied().filter(|&dimension| shape.length(dimension) > 1).collect();
        require(!dimensions.is_empty(), key, || "only the sending node is there".into())?;
        let open = dimensions.iter().find(|&&dimension| !shape.wraps(dimension));
        require(open.is_none(), key, || {
            let number = open.copied().unwrap_or_default();
            format!("dimension {number} does not wrap, and the parts of a broadcast go round rings")
        })?;
        let most = 2 * dimensions.len() as u32;
        let colors = colors.unwrap_or(most);
        require((1..=most).contains(&colors), "colors", || format!("{colors}: from 1 to {most}"))?;
        Ok(Broadcast {
            root: node_at(shape, root)?,
            shape: shape.clone(),
            dimensions,
            colors: colors.into(),
            cores: context.parameters.node.cores,
        })
    }

    /// All nodes that the message goes to.
    fn receivers(&self) -> u64 {
        let lengths = self.dimensions.iter().map(|&dimension| u64::from(self.shape.length(dimension)));
        lengths.product::<u64>() - 1
    }

    /// The colour of packet number `packet`: they take turns, plus and minus in turn.
    fn color(&self, packet: u64) -> Color {
        let color = packet % self.colors;
        Color { first: (color / 2) as usize, is_plus: color.is_multiple_of(2) }
    }

    /// The dimension of a colour's stage.
    fn dimension(&self, color: Color, stage: usize) -> usize {
        self.dimensions[(color.first + stage) % self.dimensions.len()]
    }

    /// How far `node` lies from the root along the dimension of a colour's stage, as the colour goes.
    fn steps(&self, node: u32, color: Color, stage: usize) -> u32 {
        let dimension = self.dimension(color, stage);
        let length = self.shape.length(dimension);
        let of = |node| self.shape.coordinates(node)[dimension];
        let (from, to) = if color.is_plus { (of(self.root), of(node)) } else { (of(node), of(self.root)) };
        (to + length - from) % length
    }

    /// The stages in which `node` sends on a packet of a colour that it got in `stage`.
    fn next_stages(&self, node: u32, color: Color, stage: usize) -> impl Iterator<Item = usize> {
        let count = self.dimensions.len();
        let is_last = self.steps(node, color, 0) + 1 == self.shape.length(self.dimension(color, 0));
        let is_off_line = (1..count).any(|stage| self.steps(node, color, stage) > 0);
        let round = (stage < count && is_last && is_off_line).then_some(count);
        (stage + 1..count).chain(round)
    }

    /// The way in a stage: along the whole line, or the one hop round the ring.
    fn hops(&self, color: Color, stage: usize) -> Hops {
        let dimension = self.dimension(color, stage % self.dimensions.len());
        let hops = if stage < self.dimensions.len() { self.shape.length(dimension) as i32 - 1 } else { 1 };
        let mut way = Hops::default();
        way.0[dimension] = if color.is_plus { hops } else { -hops };
        way
    }
}

/// The node at some coordinates, or the first.
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
        // Where there are two cores, one serves the plus directions and one the minus directions (S38).
        let reception_group = (self.broadcast.cores > 1 && !color.is_plus) as u8;
        let tag = (packet as u32) << STAGE_BITS | stage as u32;
        Offer {
            hops: self.broadcast.hops(color, stage),
            chunks: self.message.chunks(packet),
            class: Class { deterministic: true, reception_group, deposit: true, ..Class::default() },
            ready: 0,
            onward: if self.turns() { Onward::Turns(tag) } else { Onward::Ends },
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

    fn turns(&self) -> bool {
        self.broadcast.dimensions.len() > 1
    }

    fn turn(&self, node: u32, tag: u32, index: u32) -> Option<Offer> {
        let (packet, stage) = (u64::from(tag >> STAGE_BITS), (tag & ((1 << STAGE_BITS) - 1)) as usize);
        let color = self.broadcast.color(packet);
        let stage = self.broadcast.next_stages(node, color, stage).nth(index as usize)?;
        Some(self.offer_of(packet, stage))
    }
}

/// The plan of a broadcast of so many payload bytes. Its peak has the links of all colours busy all the time; what it
/// takes until the last link has the first packet is not in it.
pub(crate) fn plan(
    context: &Context,
    broadcast: Broadcast,
    payload_bytes: u64,
) -> Result<Plan, WorkloadError> {
    let format = &context.parameters.packet;
    let message = Message::with_payload(payload_bytes, format)?;
    let most = u64::from(u32::MAX >> STAGE_BITS);
    require(message.packets() <= most, "payload_bytes", || format!("more than {most} packets"))?;
    let slowest =
        broadcast.dimensions.iter().map(|&dimension| context.parameters.links[dimension].cycles_per_byte);
    let cycles_per_packet = message.mean_wire_bytes(format) * f64::from(slowest.max().unwrap_or(1));
    let (receivers, colors) = (broadcast.receivers(), broadcast.colors);
    let bound = Bound {
        kind: "links of the colors",
        drained_cycles: Some(message.packets() as f64 / colors as f64 * cycles_per_packet),
        packets_per_cycle: Some((colors * receivers) as f64 / cycles_per_packet),
    };
    Ok(Plan {
        total_packets: Some(message.packets() * receivers),
        mean_hops: Some(1.0), // each link crossed ends at a node that gets a copy
        traffic: PlannedTraffic::Generated(Arc::new(BroadcastSource { broadcast, message })),
        bound: Some(bound),
        offered_packets_per_cycle: None,
        ends: true,
    })
}
