//! The queues of a node's places, as far as many of them are looked at or change at once, and how they change.
//!
//! ```text
//!   wish, one byte of a compact machine's place:   | at destination | rigid | hint bits |
//! ```
//!
//! A packet that is leaving counts no longer among those that wait, and the next head asks when it has left: what that asks
//! for is known before, on plain machines, so that all heads that change in a cycle do so in one stroke.

use super::sets::BitSet;
use crate::packet::LEAST_HINT_BITS;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::hint::select_unpredictable;

/// The queues of a node, as far as many of them are looked at or change at once.
#[repr(C)]
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Queues<W, N, B> {
    /// What those will ask for that are heads next: when who is before them has left, or when they arrive.
    pub nexts: N,
    /// What the heads that wait ask for, by place.
    pub wishes: W,
    /// Packets of each channel that have arrived and are not leaving.
    pub waiting: B,
    /// Tokens' worth of packets in the buffer of each channel, by which fullness is measured; of injection FIFOs, quarters.
    pub occupied: B,
}

/// What happens at the queues of a plain machine's node at once.
pub struct Turn<B> {
    /// Channels that have become free of the packet that was leaving.
    pub left: B,
    /// Of these, those whose packet was in the buffer.
    pub released: B,
    /// Channels that a head comes to.
    pub come: B,
    /// Those of them that may be passed by, if they are empty.
    pub come_to_pass: B,
    /// Channels that a packet is leaving still.
    pub busy: B,
    /// Tokens that each packet takes.
    pub charge: u8,
    /// Whether it matters what new heads ask for.
    pub needs_hints: bool,
}

/// What came of it.
pub struct Turned<B> {
    /// Places whose heads may pass the buffer by.
    pub bypass: B,
    /// Of the channels that became free, those whose next head is on the link still.
    pub is_coming: B,
    /// What the new heads ask for, if that matters.
    pub hints: u32,
}

/// Ports by which heads could leave a plain machine's node.
pub struct Ways<'a, B> {
    /// On any channel.
    pub any: u8,
    /// On the escape only.
    pub escape: u8,
    /// On the escape only, and going straight on in it, which by place is the port of the second.
    pub straight_on: (u8, &'a B),
}

/// See [`Family::Nexts`].
pub trait Nexts: Copy + Debug + Default + Send + Sync + Serialize + DeserializeOwned {
    /// Notes what a packet asks for that is the next head of a place, if it `is_next`: otherwise nothing changes.
    fn note_if(&mut self, is_next: bool, place: usize, wish: impl FnOnce() -> u8);
    /// Notes the same, or that a place has no next head.
    fn note(&mut self, is_there: bool, place: usize, wish: impl FnOnce() -> u8);
    /// What the next heads ask for.
    fn wishes(&self) -> Option<&[u8; 32]>;
}

impl Nexts for () {
    #[inline(always)]
    fn note_if(&mut self, _: bool, _: usize, _: impl FnOnce() -> u8) {}
    #[inline(always)]
    fn note(&mut self, _: bool, _: usize, _: impl FnOnce() -> u8) {}
    #[inline(always)]
    fn wishes(&self) -> Option<&[u8; 32]> {
        None
    }
}

/// Where what is to be forgotten is written: there is no such place. No processor could foretell whether it is.
const NOWHERE: usize = 31;

impl Nexts for [u8; 32] {
    #[inline(always)]
    fn note_if(&mut self, is_next: bool, place: usize, wish: impl FnOnce() -> u8) {
        self[select_unpredictable(is_next, place, NOWHERE) % 32] = wish();
    }
    #[inline(always)]
    fn note(&mut self, is_there: bool, place: usize, wish: impl FnOnce() -> u8) {
        self[place] = wish() & u8::from(is_there).wrapping_neg();
    }
    #[inline(always)]
    fn wishes(&self) -> Option<&[u8; 32]> {
        Some(self)
    }
}

/// In the byte of a compact family's wish, behind the hint bits: the head keeps to dimension order.
pub const RIGID_BIT: usize = LEAST_HINT_BITS as usize;
/// The same: it is at its destination.
pub const ARRIVED_BIT: usize = RIGID_BIT + 1;
/// The hint bits of the byte.
pub const HINTS: u32 = (1 << RIGID_BIT) - 1;

/// A head's wish in a byte, as compact families keep it.
#[inline(always)]
pub fn wish(hints: u32, is_rigid: bool) -> u8 {
    hints as u8 | u8::only_if(RIGID_BIT, is_rigid) | u8::only_if(ARRIVED_BIT, hints == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{ExtraBits, PacketLayout};
    use crate::source::{Class, LaneKind, Offer, Onward};
    use geometry::Shape;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_record_holds_the_wish_of_its_packet(
            lengths in prop::collection::vec(1u32..40, 1..=3), a: u32, b: u32, deterministic: bool,
            moves in prop::collection::vec(0usize..6, 0..40),
        ) {
            let shape = Shape::torus(&lengths).unwrap();
            let layout = PacketLayout::new(&shape, ExtraBits::default());
            let hops = shape.route(a % shape.nodes(), b % shape.nodes(), a ^ b);
            let class = Class { deterministic, ..Class::default() };
            let offer = Offer { hops, chunks: 8, class, ready: 0, onward: Onward::Ends };
            let mut packet = layout.pack(a, LaneKind::Normal, 0, &offer);
            for port in moves {
                if layout.hint_bits(packet) >> port & 1 == 1 {
                    packet = layout.after_hop(packet, geometry::Direction::from_index(port));
                }
                prop_assert_eq!(layout.wish(packet), wish(layout.hint_bits(packet), deterministic));
            }
        }
    }
}
