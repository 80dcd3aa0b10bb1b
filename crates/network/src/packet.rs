//! The packet as routers see it: one record of 48 bits, or of 64 where names are whole or 48 leave them less than ten.
//!
//! ```text
//!   47 or 63                                                                                        0
//!   | name: hash of source and sequence | crossed | size | flags | hint bits | hops of each dimension |
//! ```
//!
//! Hint bits and hop counts are set at the source, and a hint bit is cleared with the last hop of its dimension, as the
//! papers have it; no router knows the shape, so wraps, meshes, faults and non-minimal routes need no other router. The
//! widths of the hop counts are those of the shape, so that all lengths fit. The flags are
//! deterministic, high priority, reception group and deposit (row broadcast). [`ExtraBits`] are there only on machines
//! that need them, so that packets of all others keep their names.

use crate::draws::mix;
use crate::source::{Class, LaneKind, Offer};
use geometry::{Direction, Hops, MAX_DIMENSIONS, Shape};
use serde::{Deserialize, Serialize};

const DETERMINISTIC: u64 = 1;
const HIGH_PRIORITY: u64 = 2;
const RECEPTION_GROUP: u64 = 4;
const DEPOSIT: u64 = 8;
const FLAG_BITS: u32 = 4;
const SIZE_BITS: u32 = 4;

/// Bits of a short record, of which 72 a node and their dates take 720 bytes in place of 864.
pub const SHORT_RECORD_BITS: u32 = 48;

/// The least bits of a name in a short record: in the digest it stands beside the packet's way, place and time.
const LEAST_NAME_BITS: u32 = 10;

/// Room for the hint bits of three dimensions at least: the flag that a packet is deterministic comes right behind them,
/// and all that a plain machine's node keeps of a head is one byte of its record ([`PacketLayout::wish`]).
pub const LEAST_HINT_BITS: u32 = 6;

/// A packet's record; only its [`PacketLayout`] can read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Packet(pub u64);

/// Where a packet's record keeps the hops of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hop {
    unit: u64,
    field: u64,
    hint: u64,
}

/// Bits of a record that only some machines need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtraBits {
    /// One for each dimension: whether its dateline has been crossed.
    pub datelines: bool,
    /// Whether the packet keeps off the escape channel.
    pub dynamic_only: bool,
    /// All that 64 bits have room for of the packet's name: its bytes on a link that makes errors are drawn by it.
    pub whole_name: bool,
}

/// Where the fields of a packet's record lie, for one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketLayout {
    dimensions: usize,
    /// Lowest bit of each dimension's hops.
    hops_bit: [u32; MAX_DIMENSIONS],
    hops_mask: [u64; MAX_DIMENSIONS],
    /// One hop, the field it is counted in, and the hint bit, by direction.
    hop: [Hop; 2 * MAX_DIMENSIONS],
    /// Lowest of the hint bits, two for each dimension.
    hints_bit: u32,
    hints_mask: u32,
    flags_bit: u32,
    size_bit: u32,
    /// Lowest of the bits that say whose dateline has been crossed, one for each dimension, where there are datelines.
    crossed_bit: u32,
    name_bit: u32,
    /// The bits of a record that tell packets apart; all others are 0 unless names are whole.
    identity: u64,
    /// The bits of a record that are kept.
    kept: u64,
    /// The flag of packets that keep off the escape channel, or no bit where there are none.
    dynamic_only: u64,
}

impl PacketLayout {
    /// The layout for `shape`: wide enough for `length - 1` hops in each dimension.
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
            name_bit: 0,
            identity: u64::MAX,
            kept: u64::MAX,
            dynamic_only: 0,
        };
        let mut bit = 0;
        for dimension in 0..shape.dimensions() {
            let width = u32::BITS - (shape.length(dimension) - 1).leading_zeros();
            layout.hops_bit[dimension] = bit;
            layout.hops_mask[dimension] = (1 << width) - 1;
            bit += width;
        }
        layout.hints_bit = bit;
        layout.flags_bit = bit + (2 * shape.dimensions() as u32).max(LEAST_HINT_BITS);
        layout.dynamic_only = u64::from(extra.dynamic_only) << (layout.flags_bit + FLAG_BITS);
        layout.size_bit = layout.flags_bit + FLAG_BITS + u32::from(extra.dynamic_only);
        layout.crossed_bit = layout.size_bit + SIZE_BITS;
        layout.name_bit = layout.crossed_bit + if extra.datelines { shape.dimensions() as u32 } else { 0 };
        if layout.name_bit + LEAST_NAME_BITS <= SHORT_RECORD_BITS {
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
            layout.crossed_bit <= 55,
            "MAX_NODES leaves the name at least 9 bits, 3 with datelines"
        );
        layout
    }

    /// The record of packet `sequence` of the lanes of `kind` at `source`.
    pub fn pack(&self, source: u32, kind: LaneKind, sequence: u64, offer: &Offer) -> Packet {
        let name = mix(mix(u64::from(source) << 2 | kind as u64).wrapping_add(sequence));
        let record = name << self.name_bit & self.kept | self.way(&offer.hops);
        debug_assert!((1..=16).contains(&offer.chunks));
        let Class { deterministic, high_priority, reception_group, dynamic_only, deposit } = offer.class;
        debug_assert!(!dynamic_only || self.has_dynamic_only());
        debug_assert!(!deposit || (deterministic && !high_priority && offer.hops.directions().count() == 1));
        let flags = (deterministic as u64 * DETERMINISTIC)
            | (high_priority as u64 * HIGH_PRIORITY)
            | ((reception_group & 1) as u64 * RECEPTION_GROUP)
            | (deposit as u64 * DEPOSIT);
        let dynamic_only = u64::from(dynamic_only).wrapping_neg() & self.dynamic_only;
        Packet(record | flags << self.flags_bit | dynamic_only | u64::from(offer.chunks - 1) << self.size_bit)
    }

    /// A packet that has arrived at a relay, with the way that it is to go on; it has crossed no dateline since.
    pub fn onward(&self, packet: Packet, hops: &Hops, dynamic_only: bool) -> Packet {
        debug_assert_eq!(self.hint_bits(packet), 0, "its last way has ended");
        let dynamic_only = u64::from(dynamic_only).wrapping_neg() & self.dynamic_only;
        let crossed = (1 << self.name_bit) - (1 << self.crossed_bit);
        Packet(packet.0 & !(self.dynamic_only | crossed) | dynamic_only | self.way(hops))
    }

    /// The bits of a way to go.
    #[inline(always)]
    fn way(&self, hops: &Hops) -> u64 {
        let mut way = 0;
        for (dimension, &hops) in hops.0.iter().enumerate().take(self.dimensions) {
            debug_assert!(u64::from(hops.unsigned_abs()) <= self.hops_mask[dimension]);
            let direction = Direction::new(dimension, hops > 0);
            way |= u64::from(hops.unsigned_abs()) << self.hops_bit[dimension];
            way |= u64::from(hops != 0) << (self.hints_bit + direction.index() as u32);
        }
        way
    }

    /// Bits of a record below the packet's name: its way, flags and size.
    pub fn way_bits(&self) -> u32 {
        self.name_bit
    }

    /// Whether records have no more than [`SHORT_RECORD_BITS`] bits.
    pub fn is_short(&self) -> bool {
        self.kept >> SHORT_RECORD_BITS == 0
    }

    /// What tells a packet apart, and holds its way: the same whether or not names are whole.
    #[inline(always)]
    pub fn identity(&self, packet: Packet) -> u64 {
        packet.0 & self.identity
    }

    /// Its size in chunks.
    #[inline(always)]
    pub fn chunks(&self, packet: Packet) -> u8 {
        (packet.0 >> self.size_bit & 15) as u8 + 1
    }

    /// Whether it keeps to dimension order on the escape channel.
    #[inline(always)]
    pub fn is_deterministic(&self, packet: Packet) -> bool {
        packet.0 >> self.flags_bit & DETERMINISTIC != 0
    }

    /// Whether it is of high priority.
    #[inline(always)]
    pub fn is_high_priority(&self, packet: Packet) -> bool {
        packet.0 >> self.flags_bit & HIGH_PRIORITY != 0
    }

    /// Whether it keeps to dimension order, deterministic or of high priority.
    #[inline(always)]
    pub fn is_rigid(&self, packet: Packet) -> bool {
        packet.0 >> self.flags_bit & (DETERMINISTIC | HIGH_PRIORITY) != 0
    }

    /// Whether any packets keep off the escape channel.
    #[inline(always)]
    pub fn has_dynamic_only(&self) -> bool {
        self.dynamic_only != 0
    }

    /// Whether it keeps off the escape channel.
    #[inline(always)]
    pub fn is_dynamic_only(&self, packet: Packet) -> bool {
        packet.0 & self.dynamic_only != 0
    }

    /// Whether it leaves a copy at each node that it passes.
    pub fn is_deposit(&self, packet: Packet) -> bool {
        packet.0 >> self.flags_bit & DEPOSIT != 0
    }

    /// The reception group it goes to, 0 or 1.
    #[inline(always)]
    pub fn reception_group(&self, packet: Packet) -> usize {
        (packet.0 >> self.flags_bit & RECEPTION_GROUP != 0) as usize
    }

    /// Remaining hops along `dimension`.
    #[inline(always)]
    pub fn hops_along(&self, packet: Packet, dimension: usize) -> u32 {
        (packet.0 >> self.hops_bit[dimension] & self.hops_mask[dimension]) as u32
    }

    /// A bit for each direction (by its index) in which there are hops to make: the hint bits. 0 at the destination.
    #[inline(always)]
    pub fn hint_bits(&self, packet: Packet) -> u32 {
        (packet.0 >> self.hints_bit) as u32 & self.hints_mask
    }

    /// What the head of a place asks for on a machine of no more than three dimensions without high priority: hint bits;
    /// behind them whether it keeps to dimension order, and whether it is at its destination.
    #[inline(always)]
    pub fn wish(&self, packet: Packet) -> u8 {
        const HINTS: u8 = (1 << LEAST_HINT_BITS) - 1;
        let of_record = (packet.0 >> self.hints_bit) as u8 & (HINTS << 1 | 1);
        of_record | u8::from(of_record & HINTS == 0) << (LEAST_HINT_BITS + 1)
    }

    /// The packet after a hop in `direction`.
    #[inline(always)]
    pub fn after_hop(&self, packet: Packet, direction: Direction) -> Packet {
        debug_assert!(self.hops_along(packet, direction.dimension()) > 0);
        let Hop { unit, field, hint } = self.hop[direction.index()];
        let moved = packet.0 - unit;
        let is_last = u64::from(moved & field == 0).wrapping_neg(); // all bits, or none: no branch to foretell
        Packet(moved & !(hint & is_last))
    }

    /// The packet after it has crossed the dateline of `dimension`.
    pub fn across_dateline(&self, packet: Packet, dimension: usize) -> Packet {
        Packet(packet.0 | 1 << (self.crossed_bit + dimension as u32))
    }

    /// Whether it has crossed the dateline of `dimension`, of a layout with datelines.
    pub fn has_crossed(&self, packet: Packet, dimension: usize) -> bool {
        packet.0 >> (self.crossed_bit + dimension as u32) & 1 == 1
    }

    /// All hops that remain.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Onward;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_can_be_read(
            lengths in prop::collection::vec(1u32..20, 1..=6), a in any::<u32>(), b in any::<u32>(),
            chunks in 1u8..=16, class in any::<(bool, bool, bool, bool)>(), sequence in any::<u64>(),
            datelines: bool, whole_name: bool,
        ) {
            let shape = Shape::torus(&lengths).unwrap();
            let layout = PacketLayout::new(&shape, ExtraBits { datelines, dynamic_only: class.3, whole_name });
            let (source, target) = (a % shape.nodes(), b % shape.nodes());
            let class = Class {
                deterministic: class.0,
                high_priority: class.1,
                reception_group: class.2 as u8,
                dynamic_only: class.3,
                deposit: false,
            };
            let hops = shape.route(source, target, a ^ b);
            let offer = Offer { hops, chunks, class, ready: 0, onward: Onward::Ends };
            let mut packet = layout.pack(source, LaneKind::Mixed, sequence, &offer);
            prop_assert_eq!(layout.hops(packet), offer.hops);
            prop_assert!(!layout.is_short() || packet.0 >> SHORT_RECORD_BITS == 0);
            prop_assert_eq!(layout.chunks(packet), chunks);
            prop_assert_eq!(layout.is_deterministic(packet), class.deterministic);
            prop_assert_eq!(layout.is_high_priority(packet), class.high_priority);
            prop_assert_eq!(layout.is_dynamic_only(packet), class.dynamic_only);
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
            let onward = Offer { class: Class { dynamic_only: false, ..class }, ..offer };
            let expected = layout.pack(source, LaneKind::Mixed, sequence, &onward);
            prop_assert_eq!(layout.onward(packet, &offer.hops, false), expected);
        }
    }
}
