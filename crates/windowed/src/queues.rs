//! The state of the queues at a node's inputs that is read or updated for many inputs at once.
//!
//! ```text
//!   request vector, one byte per input of a compact machine:   | at destination | rigid | hint bits |
//! ```
//!
//! A packet that is leaving no longer counts as waiting. The next packet of the queue becomes the head packet, and
//! requests outputs, when it has left. Uniform machines compute that request in advance, so that all head packets that
//! change in a cycle are updated together.

use super::array::{Array, Items};
use super::sets::BitSet;
use super::vector::Vectors;
use network::packet::MIN_HINT_BITS;
use std::fmt::Debug;
use std::hint::select_unpredictable;
use std::marker::PhantomData;

/// The queues of a node, as arrays over its inputs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Queues<W, N, B> {
    /// Requests of the next head packets, which become head packets when the one before has left, or when they arrive.
    pub next_head_requests: N,
    /// Requests of the waiting head packets, by input.
    pub request_vectors: W,
    /// Number of packets of each VC that have arrived and are not leaving.
    pub waiting: B,
    /// Occupancy of each VC's buffer, in credits; of injection FIFOs, in quarters.
    pub occupied: B,
}

/// Requests of a node's waiting head packets. Each has the packet's hint bits, or the sign that the packet is at its
/// destination. It also states whether the packet keeps to the order of the escape VC. `B` is a set of inputs.
pub trait RequestVectors<B>: Copy + Debug + Default + Send + Sync {
    /// Registers the request of the head packet at an input if it `is_there`. `hints` is 0 at the destination.
    fn request_if(&mut self, is_there: bool, input: usize, hints: u32, is_dimension_ordered: bool);
    /// Withdraws the request of the head packet at an input.
    fn withdraw(&mut self, input: usize);
    /// Two sets of inputs for a port. The head packets of the first have the port's hint bit and do not keep to
    /// dimension order. The port is the lowest of the hint bits of the head packets of the second.
    fn requesting(&self, port: usize) -> (B, B);
    /// Inputs at which head packets wait.
    fn waiting(&self) -> B;
    /// Hint bits of the head packet at an input, and whether it keeps to dimension order.
    fn request_of(&self, input: usize) -> (u32, bool);
    /// Inputs whose head packets are at their destination.
    fn arrived(&self) -> B;
    /// The union of the hint bits of all inputs.
    fn all_hints(&self) -> u32;
}

/// One byte for each input of a compact machine. A shift and one gather of the top bits find the inputs that request a
/// port.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByteRequests<X> {
    /// The request vectors.
    pub bytes: Array<u8, 32>,
    processor: PhantomData<X>,
}

impl<X: Vectors> RequestVectors<u32> for ByteRequests<X> {
    #[inline(always)]
    fn request_if(&mut self, is_there: bool, input: usize, hints: u32, is_dimension_ordered: bool) {
        self.bytes.0[input] |=
            request_vector(hints, is_dimension_ordered) & u8::from(is_there).wrapping_neg();
    }
    #[inline(always)]
    fn withdraw(&mut self, input: usize) {
        self.bytes.0[input] = 0;
    }
    #[inline(always)]
    fn requesting(&self, port: usize) -> (u32, u32) {
        let bytes = X::load(&self.bytes.0);
        (X::with_bit(bytes, port) & !X::with_bit(bytes, ORDERED_BIT), X::lowest_is(bytes, port))
    }
    #[inline(always)]
    fn waiting(&self) -> u32 {
        !X::equal(X::load(&self.bytes.0), X::all(0))
    }
    #[inline(always)]
    fn request_of(&self, input: usize) -> (u32, bool) {
        let request_vector = u32::from(self.bytes.0[input % 32]);
        (request_vector & HINTS, request_vector >> ORDERED_BIT & 1 == 1)
    }
    #[inline(always)]
    fn arrived(&self) -> u32 {
        X::with_bit(X::load(&self.bytes.0), ARRIVED_BIT)
    }
    #[inline(always)]
    fn all_hints(&self) -> u32 {
        u32::from(X::any(X::load(&self.bytes.0))) & HINTS
    }
}

/// Hint bits `H` by input, and masks `B`, of a wide machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct WideRequests<B, H> {
    hints: H,
    dimension_ordered: B,
    arrived: B,
}

impl<B: BitSet, H: Items<u16>> WideRequests<B, H> {
    /// The inputs whose hint bits satisfy a condition.
    fn inputs(&self, is_in: impl Fn(u16) -> bool) -> B {
        B::of_flags(self.hints.iter().map(|&bits| is_in(bits)))
    }
}

impl<B: BitSet, H: Items<u16> + Debug + Default + Send + Sync> RequestVectors<B> for WideRequests<B, H> {
    #[inline(always)]
    fn request_if(&mut self, is_there: bool, input: usize, hints: u32, is_dimension_ordered: bool) {
        self.hints[input] |= if is_there { hints as u16 } else { 0 };
        self.dimension_ordered |= B::only_if(input, is_there & is_dimension_ordered);
        self.arrived |= B::only_if(input, is_there & (hints == 0));
    }
    #[inline(always)]
    fn withdraw(&mut self, input: usize) {
        self.hints[input] = 0;
        self.dimension_ordered &= !B::only(input);
        self.arrived &= !B::only(input);
    }
    fn requesting(&self, port: usize) -> (B, B) {
        let hinted = self.inputs(|bits| bits >> port & 1 == 1);
        (hinted & !self.dimension_ordered, self.inputs(|bits| bits & bits.wrapping_neg() == 1 << port))
    }
    fn waiting(&self) -> B {
        self.inputs(|bits| bits != 0) | self.arrived
    }
    fn request_of(&self, input: usize) -> (u32, bool) {
        (self.hints[input].into(), self.dimension_ordered.has(input))
    }
    fn arrived(&self) -> B {
        self.arrived
    }
    fn all_hints(&self) -> u32 {
        self.hints.iter().fold(0, |all, &bits| all | bits).into()
    }
}

/// See [`Specialization::NextHeadRequests`](super::specialization::Specialization::NextHeadRequests).
pub trait NextHeadRequests: Copy + Debug + Default + Send + Sync {
    /// If `is_next`, records the request of the packet that will be the next head packet of an input.
    fn set_if(&mut self, is_next: bool, input: usize, request_vector: impl FnOnce() -> u8);
    /// Records the request of the packet that will be the next head packet of an input if it `is_there`. Otherwise
    /// records that the input has none.
    fn entry(&mut self, is_there: bool, input: usize, request_vector: impl FnOnce() -> u8);
}

impl NextHeadRequests for () {
    #[inline(always)]
    fn set_if(&mut self, _: bool, _: usize, _: impl FnOnce() -> u8) {}
    #[inline(always)]
    fn entry(&mut self, _: bool, _: usize, _: impl FnOnce() -> u8) {}
}

/// An input that does not exist. Requests that must have no effect are written to it, as a branch would be
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
}

/// Bit of a compact machine's request vector, above the hint bits: the head packet keeps to dimension order.
pub const ORDERED_BIT: usize = MIN_HINT_BITS as usize;
/// Bit of a compact machine's request vector, above [`ORDERED_BIT`]: the head packet is at its destination.
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
    use geometry::Shape;
    use network::packet::{ExtraBits, PacketLayout};
    use network::source::{Class, ForwardAction, LaneKind, Offer};
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
