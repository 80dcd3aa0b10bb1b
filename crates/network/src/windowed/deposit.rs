//! Copies by the deposit bit (row S37): a head that leaves one here goes on when the bus to the reception FIFO of this node
//! is free as well, and that has room. Compiled into the forms with options alone.
//!
//! ```text
//!   head waits:  link, channel and path as for any other, and  bus  and  room in the FIFO
//!   it leaves:   path and bus are in use until its tail has left
//!   it has left: path and bus are free, the copy is whole in the FIFO, software is called
//! ```
//!
//! Such a head counts as one without a path while it has no bus or room. Both come and go with events of the node itself,
//! the end of a reception or of a task of software, for each of which the node is woken at its very cycle.

use super::family::Family;
use super::sets::BitSet;
use super::store::Copies;
use super::visit::Visit;
use crate::packet::Packet;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// Whether packets leave copies.
    #[inline(always)]
    pub(super) fn has_copies(&self) -> bool {
        F::HAS_OPTIONS && self.fabric.deposits
    }

    #[inline(always)]
    fn copies(&mut self) -> &mut Copies<F::Places> {
        &mut self.store.optional[self.local].copies
    }

    /// A packet has become the head at a place: whether it leaves a copy is noted.
    #[inline(always)]
    pub(super) fn note_copy(&mut self, place: usize, packet: Packet) {
        if self.has_copies() {
            let leaves_one = place < C && self.fabric.leaves_a_copy(packet);
            let copies = self.copies();
            copies.waiting =
                (copies.waiting & !F::Places::only(place)) | F::Places::only_if(place, leaves_one);
        }
    }

    /// The places whose heads cannot leave the copies that they have to.
    #[inline(always)]
    pub(super) fn without_copy(&self) -> F::Places {
        if !self.has_copies() {
            return F::Places::default();
        }
        let copies = &self.store.optional[self.local].copies;
        copies.waiting & (self.node.bus_blocked | copies.without_room)
    }

    /// Sees for which copies there is room, before heads ask, and looks again at the links of those for which there is now.
    #[inline(always)]
    pub(super) fn look_for_room(&mut self) {
        if self.has_copies() && self.store.software(self.local).is_some() {
            let waiting = self.copies().waiting;
            let has_none = waiting.iter().filter(|&place| !self.has_room_for_copy(place));
            let without_room = has_none.fold(F::Places::default(), |set, place| set | F::Places::only(place));
            let before = std::mem::replace(&mut self.copies().without_room, without_room);
            self.open_to_copies(before & !without_room);
        }
    }

    fn has_room_for_copy(&self, place: usize) -> bool {
        let packet = self.store.packet(self.packet_index(place, 0));
        let software = self.store.software(self.local);
        software.is_none_or(|software| software.can_receive(self.fabric, place / V, packet))
    }

    /// Of `places`, those whose heads leave copies may have their links now, whose only way that is.
    #[inline(always)]
    pub(super) fn open_to_copies(&mut self, places: F::Places) {
        if self.has_copies() {
            for place in (self.copies().waiting & places).iter() {
                let packet = self.store.packet(self.packet_index(place, 0));
                self.node.closed &= !(self.fabric.layout.hint_bits(packet) as u16);
            }
        }
    }

    /// The head at `place` begins to leave over a path: with a copy, if it leaves one. Whether it does.
    #[inline(always)]
    pub(super) fn begin_copy(&mut self, place: usize) -> bool {
        let leaves_one = self.has_copies() && self.copies().waiting.has(place);
        if leaves_one {
            let receiver = place / V;
            let packet = self.store.packet(self.packet_index(place, 0));
            self.node.bus_blocked |= self.places_of_bus(receiver, place % V);
            let copies = self.copies();
            copies.waiting &= !F::Places::only(place);
            copies.leaving |= F::Places::only(place);
            if let Some(software) = self.store.software_mut(self.local) {
                software.begin_reception(self.fabric, receiver, packet);
            }
        }
        leaves_one
    }

    /// The packet at `index` of the slab's arrays has left its place over a path, tail and all: so has its copy, if there
    /// is one.
    #[inline(always)]
    pub(super) fn end_copy(&mut self, place: usize, index: usize, now: i32) {
        if self.has_copies() && self.copies().leaving.has(place) {
            self.copies().leaving &= !F::Places::only(place);
            self.store.totals.deposited += 1;
            self.store.totals.deposited_ever += 1;
            self.reception_ends(place, index, now);
        }
    }
}
