//! State of the queues at a node's inputs that is read or updated for many inputs at once.
//!
//! ```text
//!   request vector, one byte per input of a compact machine:   | at destination | rigid | hint bits |
//! ```
//!
//! A packet that is leaving no longer counts as waiting. The next packet of the queue becomes the head packet, and
//! requests outputs, when it has left. Plain machines compute that request in advance, so that all head packets that
//! change in a cycle are updated together.

use super::sets::BitSet;
use crate::packet::MIN_HINT_BITS;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::hint::select_unpredictable;

/// The queues of a node, as arrays over its inputs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Queues<W, N, B> {
    /// Requests of the next head packets: of packets that become head packets when the one before has left, or when
    /// they arrive.
    pub next_head_requests: N,
    /// Requests of the waiting head packets, by input.
    pub request_vectors: W,
    /// Packets of each VC that have arrived and are not leaving.
    pub waiting: B,
    /// Occupancy of each VC's buffer, in credits; of injection FIFOs, in quarters.
    pub occupied: B,
}

/// Departures and arrivals at a plain machine's node that are applied together.
pub struct QueueUpdate<B> {
    /// VCs that a packet has left completely.
    pub left: B,
    /// Of `left`, those whose packet was in the buffer.
    pub released: B,
    /// VCs at which a packet arrives.
    pub arriving: B,
    /// Of `arriving`, those whose buffer may be bypassed if it is empty.
    pub may_bypass: B,
    /// VCs that a packet is still leaving.
    pub busy: B,
    /// Credits that each packet takes.
    pub charge: u8,
    /// Whether the hint bits of new head packets are needed.
    pub needs_hints: bool,
}

/// Result of a [`QueueUpdate`].
pub struct QueuesUpdated<B> {
    /// Inputs whose head packets may bypass the buffer.
    pub bypass: B,
    /// Of the VCs that became free, those whose next head packet is still on the link.
    pub is_coming: B,
    /// Union of the hint bits of the new head packets, if needed.
    pub hints: u32,
}

/// Ports through which head packets could leave a plain machine's node.
pub struct AvailableOutputs<'a, B> {
    /// On any VC.
    pub any: u8,
    /// On the escape VC only.
    pub escape: u8,
    /// On the escape VC only, by head packets that go straight on in it; the second item is the straight-on port of
    /// each input, as a bit.
    pub straight_on: (u8, &'a B),
}

/// See [`Specialization::NextHeadRequests`].
pub trait NextHeadRequests: Copy + Debug + Default + Send + Sync + Serialize + DeserializeOwned {
    /// If `is_next`, records the request of the packet that will be the next head packet of an input.
    fn set_if(&mut self, is_next: bool, input: usize, request_vector: impl FnOnce() -> u8);
    /// Records the same if `is_there`, or else that the input has no next head packet.
    fn entry(&mut self, is_there: bool, input: usize, request_vector: impl FnOnce() -> u8);
    /// The requests of the next head packets, if they are kept.
    fn request_vectors(&self) -> Option<&[u8; 32]>;
}

impl NextHeadRequests for () {
    #[inline(always)]
    fn set_if(&mut self, _: bool, _: usize, _: impl FnOnce() -> u8) {}
    #[inline(always)]
    fn entry(&mut self, _: bool, _: usize, _: impl FnOnce() -> u8) {}
    #[inline(always)]
    fn request_vectors(&self) -> Option<&[u8; 32]> {
        None
    }
}

/// An input that does not exist, to which requests are written that must have no effect: a branch would be
/// unpredictable.
const UNUSED_INPUT: usize = 31;

impl NextHeadRequests for [u8; 32] {
    #[inline(always)]
    fn set_if(&mut self, is_next: bool, input: usize, request_vector: impl FnOnce() -> u8) {
        self[select_unpredictable(is_next, input, UNUSED_INPUT) % 32] = request_vector();
    }
    #[inline(always)]
    fn entry(&mut self, is_there: bool, input: usize, request_vector: impl FnOnce() -> u8) {
        self[input] = request_vector() & u8::from(is_there).wrapping_neg();
    }
    #[inline(always)]
    fn request_vectors(&self) -> Option<&[u8; 32]> {
        Some(self)
    }
}

/// Bit of a compact machine's request vector, above the hint bits: the head packet keeps to dimension order.
pub const ORDERED_BIT: usize = MIN_HINT_BITS as usize;
/// Likewise: it is at its destination.
pub const ARRIVED_BIT: usize = ORDERED_BIT + 1;
/// Mask of the hint bits in a request vector.
pub const HINTS: u32 = (1 << ORDERED_BIT) - 1;

/// The request vector of a head packet on a compact machine.
#[inline(always)]
pub fn request_vector(hints: u32, is_dimension_ordered: bool) -> u8 {
    hints as u8 | u8::only_if(ORDERED_BIT, is_dimension_ordered) | u8::only_if(ARRIVED_BIT, hints == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{ExtraBits, PacketLayout};
    use crate::source::{Class, ForwardAction, LaneKind, Offer};
    use geometry::Shape;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_record_holds_the_request_vector_of_its_packet(
            lengths in prop::collection::vec(1u32..40, 1..=3), a: u32, b: u32, deterministic: bool,
            moves in prop::collection::vec(0usize..6, 0..40),
        ) {
            let shape = Shape::torus(&lengths).unwrap();
            let layout = PacketLayout::new(&shape, ExtraBits::default());
            let hops = shape.route(a % shape.nodes(), b % shape.nodes(), a ^ b);
            let class = Class { deterministic, ..Class::default() };
            let offer = Offer { hops, chunks: 8, class, ready: 0, forward_action: ForwardAction::Consume };
            let mut packet = layout.pack(a, LaneKind::Normal, 0, &offer);
            for port in moves {
                if layout.hint_bits(packet) >> port & 1 == 1 {
                    packet = layout.after_hop(packet, geometry::Direction::from_index(port));
                }
                prop_assert_eq!(layout.request_vector(packet), request_vector(layout.hint_bits(packet), deterministic));
            }
        }
    }
}
