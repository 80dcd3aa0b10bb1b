//! The packets in the VC buffers of a subdomain: packets that wait, packets on the link toward a buffer, and the packet
//! that is leaving one.
//!
//! ```text
//!   rings:  a ring of slots for each VC       uniform machines: few packets fill a buffer
//!   lists:  a list for each VC in one pool    others: room for many small packets, few of them present at a time
//! ```
//!
//! The places of packets that have left are the first to be used again, so that lists stay in the cache.

use super::metadata::Metadata;
use super::outgoing::RemoteEvent;
use super::sets::assume;
use super::timestamped::{ShortTimestamped, Timestamped};
use base::memory::{self, filled};
use network::fabric::Fabric;
use network::node::pool::{HalfLine, List, Pool};

/// A VC of a node.
#[derive(Clone, Copy)]
pub struct Vc {
    /// The first place of the node: [`Buffers::base`].
    pub base: usize,
    /// The number of the VC as an input.
    pub input: usize,
    /// Ring position of the VC's first packet that is not leaving; unused in lists.
    pub first: u8,
}

/// The VC buffers of the nodes of a subdomain, with packets `T` and their metadata `M`.
pub trait Buffers<T: Timestamped, M: Metadata>: Send {
    /// Empty buffers of `nodes` nodes whose inputs number `vcs` VCs at each port.
    fn new(fabric: &Fabric, nodes: usize, vcs: usize) -> Self;

    /// The first place of a node.
    fn base(&self, local: usize) -> usize;

    /// The index of the packet of rank `rank` in a VC; the packet that is leaving does not count. Any index if there is
    /// no such packet.
    fn index(&self, vc: Vc, rank: u8) -> usize;

    /// The index of the packet that is leaving a VC.
    fn index_of_leaving(&self, vc: Vc) -> usize;

    /// Whether a VC with `packets` packets is full; they include the packet that is leaving. No packet can be added
    /// before that one has left.
    fn is_full(&self, vc: Vc, packets: u8) -> bool;

    /// Adds a packet to the `count` of a VC that are not leaving.
    fn push(&mut self, vc: Vc, count: u8, event: &RemoteEvent<M>);

    /// The first packet of a VC begins to leave; returns the new position of the first.
    fn begin_leaving(&mut self, vc: Vc) -> u8;

    /// Removes the packet that has left a VC.
    fn end_leaving(&mut self, vc: Vc);

    /// The packet at an index, with the time at which it was offered; a default one at no index.
    fn timestamped(&self, index: usize) -> T;

    /// The metadata of the packet at an index.
    fn metadata(&self, index: usize) -> M;

    /// Replaces the packet at an index.
    fn replace(&mut self, index: usize, timestamped: T);

    /// Prefetches the data that a visit to a node is likely to access.
    fn prefetch_node(&self, local: usize);

    /// Prefetches the first packets of a VC, which a visit soon to come may move, unless [`Buffers::prefetch_node`]
    /// does.
    #[inline(always)]
    fn prefetch_first(&self, _: Vc) {}

    /// Prefetches the packet that is leaving a VC, unless [`Buffers::prefetch_node`] does.
    #[inline(always)]
    fn prefetch_leaving(&self, _: Vc) {}

    /// Prefetches the data that [`Buffers::push`] accesses.
    fn prefetch_push(&self, vc: Vc, count: u8);

    /// Bytes of state.
    fn bytes(&self) -> usize;
}

/// Maximum number of inputs of a uniform machine.
const RINGS: usize = 32;

/// A packet in a ring; with a tag, on one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct InRing<M: Metadata> {
    timestamped: ShortTimestamped,
    metadata: M,
    _aligned: [M::Aligned; 0],
}

impl<M: Metadata> InRing<M> {
    fn new(timestamped: ShortTimestamped, metadata: M) -> Self {
        InRing { timestamped, metadata, _aligned: [] }
    }
}

/// A ring of slots for each VC.
pub struct Rings<M: Metadata> {
    slots: Vec<InRing<M>>,
    /// Number of slots of a node.
    of_node: usize,
    /// The place among the slots of a node at which each VC's ring begins.
    start: [u16; RINGS],
    /// Slots of each ring, a power of two, less one.
    mask: [u8; RINGS],
}

impl<M: Metadata> Rings<M> {
    /// Index of a position in a VC's ring; positions wrap around.
    #[inline(always)]
    fn slot(&self, vc: Vc, position: u8) -> usize {
        // SAFETY: uniform machines have fewer inputs.
        unsafe { assume(vc.input < RINGS) };
        vc.base + usize::from(self.start[vc.input]) + usize::from(position & self.mask[vc.input])
    }
}

impl<M: Metadata> Buffers<ShortTimestamped, M> for Rings<M> {
    fn new(fabric: &Fabric, nodes: usize, vcs: usize) -> Self {
        let (mut start, mut mask, mut of_node) = ([0; RINGS], [0; RINGS], 0);
        for port in 0..fabric.ports {
            for vc in 0..fabric.vcs {
                let room = fabric.packet_capacity(vc).next_power_of_two();
                start[port * vcs + vc] = of_node as u16;
                mask[port * vcs + vc] = (room - 1) as u8;
                of_node += room;
            }
        }
        Rings {
            slots: filled(nodes * of_node, InRing::new(ShortTimestamped::default(), M::default())),
            of_node,
            start,
            mask,
        }
    }

    #[inline(always)]
    fn base(&self, local: usize) -> usize {
        local * self.of_node
    }

    #[inline(always)]
    fn index(&self, vc: Vc, rank: u8) -> usize {
        self.slot(vc, vc.first.wrapping_add(rank))
    }

    #[inline(always)]
    fn index_of_leaving(&self, vc: Vc) -> usize {
        self.slot(vc, vc.first.wrapping_sub(1))
    }

    #[inline(always)]
    fn is_full(&self, vc: Vc, packets: u8) -> bool {
        packets > self.mask[vc.input]
    }

    #[inline(always)]
    fn push(&mut self, vc: Vc, count: u8, event: &RemoteEvent<M>) {
        let index = self.index(vc, count);
        // SAFETY: the slot is of a node of the subdomain.
        unsafe { assume(index < self.slots.len()) };
        let timestamped = ShortTimestamped::new(event.packet, event.offered);
        self.slots[index] = InRing::new(timestamped, event.metadata);
    }

    #[inline(always)]
    fn begin_leaving(&mut self, vc: Vc) -> u8 {
        vc.first.wrapping_add(1)
    }

    #[inline(always)]
    fn end_leaving(&mut self, _: Vc) {}

    #[inline(always)]
    fn timestamped(&self, index: usize) -> ShortTimestamped {
        // SAFETY: the index comes from these rings, for a node of the subdomain.
        unsafe { assume(index < self.slots.len()) };
        self.slots[index].timestamped
    }

    #[inline(always)]
    fn metadata(&self, index: usize) -> M {
        // SAFETY: the slot is of a node of the subdomain, as in `timestamped`.
        unsafe { assume(index < self.slots.len()) };
        self.slots[index].metadata
    }

    fn replace(&mut self, index: usize, timestamped: ShortTimestamped) {
        self.slots[index].timestamped = timestamped;
    }

    #[inline(always)]
    fn prefetch_node(&self, local: usize) {
        memory::few_lines(&self.slots[local * self.of_node..(local + 1) * self.of_node]);
    }

    #[inline(always)]
    fn prefetch_first(&self, vc: Vc) {
        let (first, second) = (self.index(vc, 0), self.index(vc, 1));
        // SAFETY: the slots are of a node of the subdomain.
        unsafe { assume(first < self.slots.len() && second < self.slots.len()) };
        memory::line(&self.slots[first]);
        memory::line(&self.slots[second]);
    }

    #[inline(always)]
    fn prefetch_leaving(&self, vc: Vc) {
        memory::line(&self.slots[self.index_of_leaving(vc)]);
    }

    #[inline(always)]
    fn prefetch_push(&self, vc: Vc, count: u8) {
        memory::line(&self.slots[self.index(vc, count)]);
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }
}

/// A packet in a list.
#[derive(Clone, Copy, Debug)]
struct Buffered<T, M> {
    timestamped: T,
    metadata: M,
}

/// The packets of a VC.
#[derive(Clone, Copy, Debug)]
struct VcPackets {
    waiting: List,
    /// The place of the packet that is leaving.
    leaving: u32,
}

/// A list for each VC.
pub struct Lists<T, M> {
    vcs: Vec<VcPackets>,
    /// Number of VCs of a node.
    of_node: usize,
    pool: Pool<Buffered<T, M>, HalfLine>,
    /// Number of packets for which there is room from the beginning: full-size ones that fill all buffers.
    room: usize,
}

impl<T: Timestamped, M: Metadata> Lists<T, M> {
    #[inline(always)]
    fn vc(&self, vc: Vc) -> &VcPackets {
        &self.vcs[vc.base + vc.input]
    }
}

impl<T: Timestamped, M: Metadata> Buffers<T, M> for Lists<T, M> {
    fn new(fabric: &Fabric, nodes: usize, vcs: usize) -> Self {
        let full = |vc: usize| usize::from(fabric.capacity[vc] / fabric.full_packet);
        let room = nodes * fabric.ports * (0..fabric.vcs).map(full).sum::<usize>();
        let of_node = fabric.ports * vcs;
        let empty = VcPackets { waiting: List::EMPTY, leaving: 0 };
        Lists { vcs: filled(nodes * of_node, empty), of_node, pool: Pool::with_room(room), room }
    }

    #[inline(always)]
    fn base(&self, local: usize) -> usize {
        local * self.of_node
    }

    #[inline(always)]
    fn index(&self, vc: Vc, rank: u8) -> usize {
        self.pool.place_in(self.vc(vc).waiting, rank.into())
    }

    #[inline(always)]
    fn index_of_leaving(&self, vc: Vc) -> usize {
        self.vc(vc).leaving as usize
    }

    #[inline(always)]
    fn is_full(&self, _: Vc, _: u8) -> bool {
        false
    }

    #[inline(always)]
    fn push(&mut self, vc: Vc, _: u8, event: &RemoteEvent<M>) {
        let timestamped = T::new(event.packet, event.offered);
        let waiting = &mut self.vcs[vc.base + vc.input].waiting;
        self.pool.push(waiting, Buffered { timestamped, metadata: event.metadata });
    }

    #[inline(always)]
    fn begin_leaving(&mut self, vc: Vc) -> u8 {
        let packets = &mut self.vcs[vc.base + vc.input];
        packets.leaving = self.pool.detach_first(&mut packets.waiting);
        vc.first
    }

    #[inline(always)]
    fn end_leaving(&mut self, vc: Vc) {
        self.pool.free(self.vc(vc).leaving);
    }

    #[inline(always)]
    fn timestamped(&self, index: usize) -> T {
        self.pool.get(index).map_or_else(T::default, |buffered| buffered.timestamped)
    }

    #[inline(always)]
    fn metadata(&self, index: usize) -> M {
        self.pool.get(index).map_or_else(M::default, |buffered| buffered.metadata)
    }

    fn replace(&mut self, index: usize, timestamped: T) {
        if let Some(buffered) = self.pool.get_mut(index) {
            buffered.timestamped = timestamped;
        }
    }

    #[inline(always)]
    fn prefetch_node(&self, local: usize) {
        memory::few_lines(&self.vcs[local * self.of_node..(local + 1) * self.of_node]);
    }

    #[inline(always)]
    fn prefetch_push(&self, vc: Vc, _: u8) {
        memory::line(self.vc(vc));
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.vcs[..]) + self.pool.bytes_for(self.room)
    }
}

#[cfg(test)]
mod tests {
    use super::super::metadata::NoMetadata;
    use super::super::offered::Offered;
    use super::*;
    use geometry::Shape;
    use network::fabric::Needs;
    use network::packet::{Packet, Tag};
    use network::parameters::Parameters;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    /// The expected state of a VC: the packet that is leaving, and the packets that wait.
    #[derive(Clone, Default)]
    struct Model {
        leaving: Option<u32>,
        waiting: VecDeque<u32>,
    }

    fn fabric() -> Fabric {
        let needs = Needs {
            smallest_chunks: 8,
            high_priority: false,
            source_forwards: false,
            deposits: false,
            other_software: false,
            participants: None,
        };
        Fabric::new(Parameters::bluegene_l(Shape::torus(&[4, 4, 4]).unwrap(), 1), &needs)
    }

    fn are_held<M: Metadata, B: Buffers<ShortTimestamped, M>>(buffers: &B, vc: Vc, model: &Model) -> bool {
        let offered = |index: usize| buffers.timestamped(index).offered().bits();
        let leaving = model.leaving.is_none_or(|number| offered(buffers.index_of_leaving(vc)) == number);
        let mut waiting = (0u8..).zip(&model.waiting);
        leaving && waiting.all(|(rank, &number)| offered(buffers.index(vc, rank)) == number)
    }

    /// Puts random packets into VCs and takes them out.
    fn behaves<M: Metadata, B: Buffers<ShortTimestamped, M>>(steps: &[(usize, usize, u8)]) -> bool {
        let fabric = fabric();
        let mut buffers = B::new(&fabric, 2, 3);
        let (mut models, mut firsts) = (vec![Model::default(); 36], [0; 36]);
        steps.iter().zip(0..).all(|(&(local, input, action), number)| {
            let place = local * 18 + input;
            let vc = Vc { base: buffers.base(local), input, first: firsts[place] };
            let model = &mut models[place];
            let (count, is_leaving) = (model.waiting.len(), model.leaving.is_some());
            if action == 0 && count + usize::from(is_leaving) < fabric.packet_capacity(input % 3) {
                let (packet, offered) = (Packet::default(), Offered::from_bits(number));
                buffers.push(vc, count as u8, &RemoteEvent { packet, offered, ..RemoteEvent::default() });
                model.waiting.push_back(number);
            } else if is_leaving {
                buffers.end_leaving(vc);
                model.leaving = None;
            } else if count > 0 {
                firsts[place] = buffers.begin_leaving(vc);
                model.leaving = model.waiting.pop_front();
            }
            (0..36).all(|place| {
                let (local, input) = (place / 18, place % 18);
                let vc = Vc { base: buffers.base(local), input, first: firsts[place] };
                are_held(&buffers, vc, &models[place])
            })
        })
    }

    proptest! {
        #[test]
        fn each_vc_is_a_queue(steps in prop::collection::vec((0usize..2, 0usize..18, 0u8..2), 0..300)) {
            prop_assert!(behaves::<NoMetadata, Rings<NoMetadata>>(&steps));
            prop_assert!(behaves::<Tag, Rings<Tag>>(&steps));
            prop_assert!(behaves::<Tag, Lists<ShortTimestamped, Tag>>(&steps));
        }
    }

    #[test]
    fn places_are_used_again() {
        let fabric = fabric();
        let mut lists = Lists::<ShortTimestamped, Tag>::new(&fabric, 1, 3);
        let mut bytes = Vec::new();
        for round in 0..1000 {
            let vc = Vc { base: 0, input: round % 18, first: 0 };
            lists.push(vc, 0, &RemoteEvent::default());
            lists.push(vc, 1, &RemoteEvent::default());
            for _ in 0..2 {
                lists.begin_leaving(vc);
                lists.end_leaving(vc);
            }
            bytes.push(lists.pool.bytes_for(0));
        }
        assert!(bytes[0] > 0 && bytes.iter().all(|&bytes_then| bytes_then == bytes[0]));
    }
}
