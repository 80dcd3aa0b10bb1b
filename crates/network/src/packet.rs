//! The packet as routers see it: one record of 48 bits, or of 64 bits. It has 64 bits if it holds the whole name of the
//! packet, or if 48 bits would leave fewer than ten bits for the name.
//!
//! ```text
//!   47 or 63                                                                                        0
//!   | name: hash of source and sequence | onward hops | crossed | size | flags | hint bits | hops of each dimension |
//! ```
//!
//! Hint bits and hop counts are set at the source, and a hint bit is cleared with the last hop of its dimension, as in
//! the Blue Gene papers. A packet thus carries its remaining hops and their directions, and routers do not need the
//! shape of the machine to route it. The same router serves tori, meshes, faults and non-minimal routes. The shape is
//! used only where links are set up, for datelines, and for the width of each dimension's hop count. The flags are
//! deterministic, high priority, reception group and deposit (row broadcast). Records have [`ExtraBits`] only on
//! machines that need them, so that the names of packets on all other machines do not change.

use crate::detour::Detour;
use crate::source::{Class, LaneKind, Offer};
use base::draws::mix;
use geometry::{Direction, Hops, MAX_DIMENSIONS, Shape};
use serde::{Deserialize, Serialize};

const DETERMINISTIC: u64 = 1;
const HIGH_PRIORITY: u64 = 2;
const RECEPTION_GROUP: u64 = 4;
const DEPOSIT: u64 = 8;
const FLAG_BITS: u32 = 4;
const SIZE_BITS: u32 = 4;

/// Number of bits of a short record. With its timestamp, a short record takes 10 bytes instead of 12. The 72 packets in
/// a node's VC buffers take 720 bytes instead of 864.
pub const SHORT_RECORD_BITS: u32 = 48;

/// The minimum number of name bits in a short record. Ten bits suffice because the digest hashes the name together with
/// the packet's route, port, VC and time.
const MIN_NAME_BITS: u32 = 10;

/// The maximum number of bits below the name of a packet without dateline bits and onward hops.
pub(crate) const MAX_PLAIN_ROUTE_BITS: u32 = 55;

/// The minimum width of the hint bits: enough for three dimensions. The deterministic flag follows them directly. So
/// one byte holds all that a node of a uniform machine needs of a head packet's record
/// ([`PacketLayout::request_vector`]).
pub const MIN_HINT_BITS: u32 = 6;

/// A packet's record. Only the [`PacketLayout`] of the machine can read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Packet(pub u64);

/// Data that software attaches to a packet, in addition to the packet's record. The network carries the data unchanged.
/// It reads only the action, so as not to acknowledge packets that are to be relayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Tag {
    /// The action of software on the packet when it is received: an encoded
    /// [`ForwardAction`](crate::source::ForwardAction).
    pub action: u32,
    /// The rank that sent the packet's message, if the packet belongs to a message.
    pub rank: u32,
    /// The number of that message among those that the rank has sent.
    pub message: u32,
}

impl Tag {
    /// The tag of a packet that belongs to no message.
    pub(crate) fn of_action(action: u32) -> Self {
        Tag { action, ..Tag::default() }
    }
}

/// A packet in a FIFO or in software.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The packet.
    pub packet: Packet,
    /// The cycle from which the packet's age counts.
    pub offered: u64,
    /// Data that software has attached to the packet.
    pub tag: Tag,
    /// The node that sent the packet, if packets are acknowledged.
    pub source: u32,
}

impl Stored {
    /// The packet with its times measured from an origin `cycles` cycles earlier, so that they grow.
    #[inline]
    #[must_use]
    pub fn later(self, cycles: u64) -> Self {
        Stored { offered: self.offered + cycles, ..self }
    }

    /// The packet with its times measured from an origin `cycles` cycles later, so that they shrink.
    #[inline]
    #[must_use]
    pub fn earlier(self, cycles: u64) -> Self {
        Stored { offered: self.offered.saturating_sub(cycles), ..self }
    }
}

/// The position of one direction's hops in a packet's record: one hop (`unit`), the mask of the hop count (`field`),
/// and the hint bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hop {
    unit: u64,
    field: u64,
    hint: u64,
}

/// Bits of a record that only some machines need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtraBits {
    /// One bit for each dimension: whether its dateline has been crossed.
    pub datelines: bool,
    /// Whether the packet must avoid the escape VC.
    pub adaptive_only: bool,
    /// The hops of a second route segment, with their signs.
    pub onward: bool,
    /// All bits of the packet's name that fit into a record of 64 bits. On lossy links the payload is generated from
    /// the name.
    pub whole_name: bool,
}

/// The positions of the fields of a packet's record, for one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketLayout {
    dimensions: usize,
    /// Lowest bit of each dimension's hops.
    hops_bit: [u32; MAX_DIMENSIONS],
    hops_mask: [u64; MAX_DIMENSIONS],
    /// The position of the hops, by direction.
    hop: [Hop; 2 * MAX_DIMENSIONS],
    /// Lowest of the hint bits, two for each dimension.
    hints_bit: u32,
    hints_mask: u32,
    flags_bit: u32,
    size_bit: u32,
    /// Lowest of the dateline bits, one for each dimension, if there are datelines.
    crossed_bit: u32,
    /// Lowest bit of each dimension's onward hops, if the layout has them. The bit of their sign is above them.
    onward_bit: [u32; MAX_DIMENSIONS],
    onward_mask: u64,
    name_bit: u32,
    /// The bits of a record that identify a packet. All others are 0, unless records hold whole names.
    identity: u64,
    /// The bits of a record that are used.
    kept: u64,
    /// The flag of packets that must avoid the escape VC. 0 if no packet must.
    adaptive_only: u64,
}

impl PacketLayout {
    /// The layout for `shape`. It has room for one hop less than the rings of a dimension have nodes.
    pub fn new(shape: &Shape, extra: ExtraBits) -> Self {
        let mut layout = PacketLayout {
            dimensions: shape.dimensions(),
            hops_bit: [0; MAX_DIMENSIONS],
            hops_mask: [0; MAX_DIMENSIONS],
            hop: [Hop::default(); 2 * MAX_DIMENSIONS],
            hints_bit: 0,
            hints_mask: (1 << (2 * shape.dimensions())) - 1,
            flags_bit: 0,
            size_bit: 0,
            crossed_bit: 0,
            onward_bit: [0; MAX_DIMENSIONS],
            onward_mask: 0,
            name_bit: 0,
            identity: u64::MAX,
            kept: u64::MAX,
            adaptive_only: 0,
        };
        let mut bit = 0;
        for dimension in 0..shape.dimensions() {
            let width = hop_bits(shape, dimension);
            layout.hops_bit[dimension] = bit;
            layout.hops_mask[dimension] = (1 << width) - 1;
            bit += width;
        }
        layout.hints_bit = bit;
        layout.flags_bit = bit + (2 * shape.dimensions() as u32).max(MIN_HINT_BITS);
        layout.adaptive_only = u64::from(extra.adaptive_only) << (layout.flags_bit + FLAG_BITS);
        layout.size_bit = layout.flags_bit + FLAG_BITS + u32::from(extra.adaptive_only);
        layout.crossed_bit = layout.size_bit + SIZE_BITS;
        layout.name_bit = layout.crossed_bit + if extra.datelines { shape.dimensions() as u32 } else { 0 };
        if extra.onward {
            let first = layout.name_bit;
            for dimension in 0..shape.dimensions() {
                layout.onward_bit[dimension] = layout.name_bit;
                layout.name_bit += hop_bits(shape, dimension) + 1;
            }
            layout.onward_mask = (1 << layout.name_bit) - (1 << first);
        }
        debug_assert_eq!(layout.name_bit, Self::route_bits_of(shape, extra));
        if layout.name_bit + MIN_NAME_BITS <= SHORT_RECORD_BITS {
            layout.identity = (1 << SHORT_RECORD_BITS) - 1;
        }
        layout.kept = if extra.whole_name { u64::MAX } else { layout.identity };
        for direction in Direction::all(shape.dimensions()) {
            let dimension = direction.dimension();
            layout.hop[direction.index()] = Hop {
                unit: 1 << layout.hops_bit[dimension],
                field: layout.hops_mask[dimension] << layout.hops_bit[dimension],
                hint: 1 << (layout.hints_bit + direction.index() as u32),
            };
        }
        debug_assert!(
            layout.crossed_bit <= MAX_PLAIN_ROUTE_BITS,
            "MAX_NODES and the check of twists leave the name at least 9 bits, 3 with datelines"
        );
        layout
    }

    /// Number of bits that a layout needs below the packet's name. If the shape is too large, this is more than a
    /// record has.
    pub(crate) fn route_bits_of(shape: &Shape, extra: ExtraBits) -> u32 {
        let dimensions = shape.dimensions() as u32;
        let hops: u32 = (0..shape.dimensions()).map(|dimension| hop_bits(shape, dimension)).sum();
        let flags = FLAG_BITS + u32::from(extra.adaptive_only) + SIZE_BITS;
        let datelines = if extra.datelines { dimensions } else { 0 };
        let onward = if extra.onward { hops + dimensions } else { 0 };
        hops + (2 * dimensions).max(MIN_HINT_BITS) + flags + datelines + onward
    }

    /// The record of the packet with number `sequence` in the lanes of `kind` at `source`.
    pub fn pack(&self, source: u32, kind: LaneKind, sequence: u64, offer: &Offer) -> Packet {
        self.named(self.nameless(offer), source, kind, sequence)
    }

    /// The record `nameless` with the name of the packet with number `sequence` in the lanes of `kind` at `source`.
    #[inline]
    pub fn named(&self, nameless: Packet, source: u32, kind: LaneKind, sequence: u64) -> Packet {
        let name = mix(mix(u64::from(source) << 2 | kind as u64).wrapping_add(sequence));
        Packet(nameless.0 | name << self.name_bit & self.kept)
    }

    /// The record of the packet that `offer` describes, without a name.
    pub fn nameless(&self, offer: &Offer) -> Packet {
        let record = self.route_record(&offer.hops);
        debug_assert!((1..=16).contains(&offer.chunks));
        let Class { deterministic, high_priority, reception_group, adaptive_only, deposit } = offer.class;
        debug_assert!(!adaptive_only || self.has_adaptive_only());
        debug_assert!(!deposit || (deterministic && !high_priority && offer.hops.directions().count() == 1));
        let flags = (deterministic as u64 * DETERMINISTIC)
            | (high_priority as u64 * HIGH_PRIORITY)
            | ((reception_group & 1) as u64 * RECEPTION_GROUP)
            | (deposit as u64 * DEPOSIT);
        let adaptive_only = u64::from(adaptive_only).wrapping_neg() & self.adaptive_only;
        Packet(
            record | flags << self.flags_bit | adaptive_only | u64::from(offer.chunks - 1) << self.size_bit,
        )
    }

    /// A packet that has arrived at a relay, with `hops` as its next route segment. It has not yet crossed a dateline
    /// on that segment, and no other segment follows.
    pub(crate) fn with_route(&self, packet: Packet, hops: &Hops, adaptive_only: bool) -> Packet {
        debug_assert_eq!(self.hint_bits(packet), 0, "the previous segment has ended");
        let adaptive_only = u64::from(adaptive_only).wrapping_neg() & self.adaptive_only;
        let crossed_and_onward = (1 << self.name_bit) - (1 << self.crossed_bit);
        Packet(
            packet.0 & !(self.adaptive_only | crossed_and_onward) | adaptive_only | self.route_record(hops),
        )
    }

    /// A packet at its source, with the non-minimal route `detour` instead of its own route.
    pub(crate) fn with_detour(&self, packet: Packet, detour: &Detour) -> Packet {
        debug_assert!(detour.to_intermediate != Hops::default() && detour.onward != Hops::default());
        let of_route = ((1 << self.flags_bit) - 1) | self.onward_mask;
        Packet(
            packet.0 & !of_route
                | self.route_record(&detour.to_intermediate)
                | self.onward_record(&detour.onward),
        )
    }

    /// The packet as it continues from a node. At its intermediate node it enters its last segment, on which it has not
    /// yet crossed a dateline. At any other node it is unchanged.
    #[inline]
    pub fn at_next_segment(&self, packet: Packet) -> Packet {
        if self.hint_bits(packet) != 0 || !self.has_onward(packet) {
            return packet;
        }
        self.with_route(packet, &self.onward(packet), false)
    }

    /// Whether another segment follows the one that the packet is on.
    #[inline(always)]
    pub fn has_onward(&self, packet: Packet) -> bool {
        packet.0 & self.onward_mask != 0
    }

    /// The hops of the segment that follows. All are 0 if the packet is on its last segment.
    pub fn onward(&self, packet: Packet) -> Hops {
        let mut hops = Hops::default();
        if self.onward_mask != 0 {
            for dimension in 0..self.dimensions {
                let count = packet.0 >> self.onward_bit[dimension] & self.hops_mask[dimension];
                let is_minus = packet.0 >> self.onward_sign_bit(dimension) & 1 == 1;
                hops.0[dimension] = if is_minus { -(count as i32) } else { count as i32 };
            }
        }
        hops
    }

    fn onward_record(&self, hops: &Hops) -> u64 {
        let of_dimension = |dimension: usize| {
            let hops = hops.0[dimension];
            u64::from(hops.unsigned_abs()) << self.onward_bit[dimension]
                | u64::from(hops < 0) << self.onward_sign_bit(dimension)
        };
        (0..self.dimensions).fold(0, |record, dimension| record | of_dimension(dimension))
    }

    fn onward_sign_bit(&self, dimension: usize) -> u32 {
        self.onward_bit[dimension] + self.hops_mask[dimension].count_ones()
    }

    /// The hop counts and hint bits of a route.
    #[inline(always)]
    fn route_record(&self, hops: &Hops) -> u64 {
        let mut record = 0;
        for (dimension, &hops) in hops.0.iter().enumerate().take(self.dimensions) {
            debug_assert!(u64::from(hops.unsigned_abs()) <= self.hops_mask[dimension]);
            let direction = Direction::new(dimension, hops > 0);
            record |= u64::from(hops.unsigned_abs()) << self.hops_bit[dimension];
            record |= u64::from(hops != 0) << (self.hints_bit + direction.index() as u32);
        }
        record
    }

    /// Number of bits of a record below the packet's name: its route, flags and size.
    pub(crate) fn route_bits(&self) -> u32 {
        self.name_bit
    }

    /// Whether records have at most [`SHORT_RECORD_BITS`] bits.
    pub fn is_short(&self) -> bool {
        self.kept >> SHORT_RECORD_BITS == 0
    }

    /// The bits that identify a packet, which include its route. They do not depend on whether records hold whole
    /// names.
    #[inline(always)]
    pub fn identity(&self, packet: Packet) -> u64 {
        packet.0 & self.identity
    }

    /// The packet's size in chunks.
    #[inline(always)]
    pub fn chunks(&self, packet: Packet) -> u8 {
        (packet.0 >> self.size_bit & 15) as u8 + 1
    }

    /// Whether the packet is routed in dimension order on the escape VC only.
    #[inline(always)]
    pub fn is_deterministic(&self, packet: Packet) -> bool {
        packet.0 >> self.flags_bit & DETERMINISTIC != 0
    }

    /// Whether the packet is of high priority.
    #[inline(always)]
    pub fn is_high_priority(&self, packet: Packet) -> bool {
        packet.0 >> self.flags_bit & HIGH_PRIORITY != 0
    }

    /// Whether the packet is routed in dimension order: it is deterministic or of high priority.
    #[inline(always)]
    pub fn is_dimension_ordered(&self, packet: Packet) -> bool {
        packet.0 >> self.flags_bit & (DETERMINISTIC | HIGH_PRIORITY) != 0
    }

    /// Whether any packets must avoid the escape VC.
    #[inline(always)]
    pub fn has_adaptive_only(&self) -> bool {
        self.adaptive_only != 0
    }

    /// Whether the packet must avoid the escape VC.
    #[inline(always)]
    pub fn is_adaptive_only(&self, packet: Packet) -> bool {
        packet.0 & self.adaptive_only != 0
    }

    /// Whether the packet leaves a copy at each node that it passes.
    pub(crate) fn is_deposit(&self, packet: Packet) -> bool {
        packet.0 >> self.flags_bit & DEPOSIT != 0
    }

    /// The reception group to which the packet goes, 0 or 1.
    #[inline(always)]
    pub fn reception_group(&self, packet: Packet) -> usize {
        (packet.0 >> self.flags_bit & RECEPTION_GROUP != 0) as usize
    }

    /// Remaining hops along `dimension`.
    #[inline(always)]
    pub fn hops_along(&self, packet: Packet, dimension: usize) -> u32 {
        (packet.0 >> self.hops_bit[dimension] & self.hops_mask[dimension]) as u32
    }

    /// The hint bits: one bit for each direction, by index, set if hops remain in it. All are 0 at the destination.
    #[inline(always)]
    pub fn hint_bits(&self, packet: Packet) -> u32 {
        (packet.0 >> self.hints_bit) as u32 & self.hints_mask
    }

    /// The request vector of a head packet, on a machine of up to three dimensions without high priority. It starts
    /// with the hint bits. Two bits follow: one for routing in dimension order, one for a packet at its destination.
    #[inline(always)]
    pub fn request_vector(&self, packet: Packet) -> u8 {
        const HINTS: u8 = (1 << MIN_HINT_BITS) - 1;
        let of_record = (packet.0 >> self.hints_bit) as u8 & (HINTS << 1 | 1);
        of_record | u8::from(of_record & HINTS == 0) << (MIN_HINT_BITS + 1)
    }

    /// The packet after a hop in `direction`.
    #[inline(always)]
    pub fn after_hop(&self, packet: Packet, direction: Direction) -> Packet {
        debug_assert!(self.hops_along(packet, direction.dimension()) > 0);
        let Hop { unit, field, hint } = self.hop[direction.index()];
        let moved = packet.0 - unit;
        let is_last = u64::from(moved & field == 0).wrapping_neg(); // all bits, or none: avoids an unpredictable branch
        Packet(moved & !(hint & is_last))
    }

    /// The packet after it has crossed the dateline of `dimension`.
    pub fn across_dateline(&self, packet: Packet, dimension: usize) -> Packet {
        Packet(packet.0 | 1 << (self.crossed_bit + dimension as u32))
    }

    /// Whether the packet has crossed the dateline of `dimension`. The layout must have datelines.
    pub fn has_crossed(&self, packet: Packet, dimension: usize) -> bool {
        packet.0 >> (self.crossed_bit + dimension as u32) & 1 == 1
    }

    /// The remaining hops.
    pub fn hops(&self, packet: Packet) -> Hops {
        let mut hops = Hops::default();
        for dimension in 0..self.dimensions {
            let count = self.hops_along(packet, dimension) as i32;
            let is_minus = self.hint_bits(packet) >> (2 * dimension + 1) & 1 == 1;
            hops.0[dimension] = if is_minus { -count } else { count };
        }
        hops
    }
}

/// The number of bits of the hop count of a dimension.
fn hop_bits(shape: &Shape, dimension: usize) -> u32 {
    u32::BITS - shape.longest_hops(dimension).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Parameters;
    use crate::source::ForwardAction;
    use geometry::Twist;
    use proptest::prelude::*;

    /// Two lines in x are one ring of eight nodes.
    #[test]
    fn packets_have_room_for_the_rings_of_a_twist() {
        let shape = Shape::torus(&[4, 8]).unwrap().with_twist(Twist::default().shifting(0, 1, 4)).unwrap();
        let layout = PacketLayout::new(&shape, ExtraBits::default());
        let hops = Hops([7, -7, 0, 0, 0, 0]);
        assert_eq!(layout.hops(Packet(layout.route_record(&hops))), hops);
    }

    #[test]
    fn rings_too_long_for_a_packet_are_refused() {
        let chain = (1..6).fold(Twist::default(), |twist, along| twist.shifting(along - 1, along, 1));
        let shape = Shape::torus(&[4; 6]).unwrap().with_twist(chain).unwrap();
        let refused = Parameters::bluegene_l(shape, 1).check().unwrap_err().to_string();
        assert!(refused.contains("has rings of [4096, 1024, 256, 64, 16, 4] nodes"), "{refused}");
    }

    proptest! {
        #[test]
        fn packed_fields_read_back(
            lengths in prop::collection::vec(1u32..20, 1..=6), a in any::<u32>(), b in any::<u32>(),
            chunks in 1u8..=16, class in any::<(bool, bool, bool, bool)>(), sequence in any::<u64>(),
            datelines: bool, onward: bool, whole_name: bool,
        ) {
            let shape = Shape::torus(&lengths).unwrap();
            let extra = ExtraBits { datelines, adaptive_only: class.3, onward, whole_name };
            prop_assume!(PacketLayout::route_bits_of(&shape, extra) < 60);
            let layout = PacketLayout::new(&shape, extra);
            let (source, target) = (a % shape.nodes(), b % shape.nodes());
            let class = Class {
                deterministic: class.0,
                high_priority: class.1,
                reception_group: class.2 as u8,
                adaptive_only: class.3,
                deposit: false,
            };
            let hops = shape.route(source, target, a ^ b);
            let offer = Offer { hops, chunks, class, ready: 0, forward_action: ForwardAction::Consume };
            let mut packet = layout.pack(source, LaneKind::Mixed, sequence, &offer);
            prop_assert_eq!(layout.hops(packet), offer.hops);
            prop_assert!(!layout.is_short() || packet.0 >> SHORT_RECORD_BITS == 0);
            prop_assert_eq!(layout.chunks(packet), chunks);
            prop_assert_eq!(layout.is_deterministic(packet), class.deterministic);
            prop_assert_eq!(layout.is_high_priority(packet), class.high_priority);
            prop_assert_eq!(layout.is_adaptive_only(packet), class.adaptive_only);
            prop_assert_eq!(layout.reception_group(packet), class.reception_group as usize);
            let mut hops = 0;
            while layout.hint_bits(packet) != 0 {
                let direction = Direction::from_index(layout.hint_bits(packet).trailing_zeros() as usize);
                packet = layout.after_hop(packet, direction);
                hops += 1;
                if datelines {
                    prop_assert!(!layout.has_crossed(packet, direction.dimension()) || hops > 1);
                    packet = layout.across_dateline(packet, direction.dimension());
                    prop_assert!(layout.has_crossed(packet, direction.dimension()));
                }
            }
            prop_assert_eq!(layout.chunks(packet), chunks);
            prop_assert_eq!(hops, offer.hops.total());
            let next_offer = Offer { class: Class { adaptive_only: false, ..class }, ..offer };
            let expected = layout.pack(source, LaneKind::Mixed, sequence, &next_offer);
            prop_assert_eq!(layout.with_route(packet, &offer.hops, false), expected);
        }

        #[test]
        fn a_detour_leads_over_the_intermediate_node(
            lengths in prop::collection::vec(2u32..12, 1..=4), nodes in any::<[u32; 3]>(), datelines: bool,
        ) {
            let shape = Shape::torus(&lengths).unwrap();
            let layout = PacketLayout::new(&shape, ExtraBits { datelines, onward: true, ..ExtraBits::default() });
            let [source, intermediate, target] = nodes.map(|node| node % shape.nodes());
            prop_assume!(intermediate != source && intermediate != target && source != target);
            let class = Class::default();
            let offer = Offer { hops: shape.route(source, target, 0), chunks: 8, class, ready: 0,
                forward_action: ForwardAction::Consume };
            let minimal = layout.pack(source, LaneKind::Mixed, 7, &offer);
            let (to_intermediate, onward) = (shape.route(source, intermediate, 1), shape.route(intermediate, target, 2));
            let mut packet = layout.with_detour(minimal, &Detour { to_intermediate, onward, is_optional: false });
            prop_assert_eq!((layout.hops(packet), layout.onward(packet)), (to_intermediate, onward));
            let (mut node, mut visited) = (source, false);
            while layout.hint_bits(packet) != 0 {
                let direction = Direction::from_index(layout.hint_bits(packet).trailing_zeros() as usize);
                packet = layout.at_next_segment(layout.after_hop(packet, direction));
                node = shape.neighbor(node, direction).unwrap();
                visited |= node == intermediate && !layout.has_onward(packet);
            }
            prop_assert!(visited && node == target);
            prop_assert_eq!(packet.0 >> layout.route_bits(), minimal.0 >> layout.route_bits());
        }
    }
}
