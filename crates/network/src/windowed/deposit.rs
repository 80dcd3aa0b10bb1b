//! Copies by the deposit bit (row S37). A head packet that leaves a copy at this node also needs the bus to the node's
//! reception FIFO, and room in that FIFO. Compiled only into specializations with options.
//!
//! ```text
//!   waiting:   needs link, VC and path like any other packet, and also  bus  and  room in the FIFO
//!   leaving:   path and bus are in use until the tail has left
//!   has left:  path and bus are free, the copy is complete in the FIFO, software is called
//! ```
//!
//! A head packet without bus or room is treated as one without a path. Both change only by events of its own node, the
//! end of a reception or of a software task, and the node is woken at the exact cycle of each.

use super::sets::BitSet;
use super::specialization::Specialization;
use super::store::Copies;
use super::visit::Visit;
use crate::node::fifos::Fifos;
use crate::packet::Packet;

impl<F: Specialization> Visit<'_, F> {
    /// Whether any packets leave copies.
    #[inline(always)]
    pub(super) fn has_copies(&self) -> bool {
        F::HAS_OPTIONS && self.fabric.deposits
    }

    #[inline(always)]
    fn copies(&mut self) -> &mut Copies<F::Inputs> {
        &mut self.store.optional[self.local].copies
    }

    /// Records whether the new head packet of an input leaves a copy.
    #[inline(always)]
    pub(super) fn record_copy(&mut self, input: usize, packet: Packet) {
        if self.has_copies() {
            let leaves_one = input < F::VC_INPUTS && self.fabric.deposits_here(packet);
            let copies = self.copies();
            copies.waiting =
                (copies.waiting & !F::Inputs::only(input)) | F::Inputs::only_if(input, leaves_one);
        }
    }

    /// Inputs whose head packets must leave a copy and cannot.
    #[inline(always)]
    pub(super) fn without_copy(&self) -> F::Inputs {
        if !self.has_copies() {
            return F::Inputs::default();
        }
        let copies = &self.store.optional[self.local].copies;
        copies.waiting & (self.node.bus_blocked | copies.without_room)
    }

    /// Determines, before arbitration, which copies have room in the reception FIFO, and unblocks the outputs of those
    /// that now do.
    #[inline(always)]
    pub(super) fn update_copy_room(&mut self) {
        if self.has_copies() && self.store.endpoints().is_some() {
            let waiting = self.copies().waiting;
            let has_none = waiting.iter().filter(|&input| !self.has_room_for_copy(input));
            let without_room = has_none.fold(F::Inputs::default(), |set, input| set | F::Inputs::only(input));
            let before = std::mem::replace(&mut self.copies().without_room, without_room);
            self.unblock_for_copies(before & !without_room);
        }
    }

    fn has_room_for_copy(&self, input: usize) -> bool {
        let packet = self.store.packet(self.packet_index(input, 0));
        let fits = |fifos: &Fifos| fifos.can_receive(self.fabric, self.local, input / F::VCS, packet);
        self.store.endpoints().is_none_or(|endpoints| fits(endpoints.fifos()))
    }

    /// Unblocks the outputs of those `inputs` whose head packets leave copies. Each has a single output.
    #[inline(always)]
    pub(super) fn unblock_for_copies(&mut self, inputs: F::Inputs) {
        if self.has_copies() {
            for input in (self.copies().waiting & inputs).iter() {
                let packet = self.store.packet(self.packet_index(input, 0));
                self.node.blocked_outputs &= !(self.fabric.layout.hint_bits(packet) as u16);
            }
        }
    }

    /// The head packet at `input` begins to leave over a transfer path, and its copy, if any, over the bus. Returns
    /// whether it leaves a copy.
    #[inline(always)]
    pub(super) fn begin_copy(&mut self, input: usize) -> bool {
        let leaves_one = self.has_copies() && self.copies().waiting.has(input);
        if leaves_one {
            let receiver = input / F::VCS;
            let packet = self.store.packet(self.packet_index(input, 0));
            self.node.bus_blocked |= self.inputs_of_bus(receiver, input % F::VCS);
            let copies = self.copies();
            copies.waiting &= !F::Inputs::only(input);
            copies.leaving |= F::Inputs::only(input);
            if let Some(endpoints) = self.store.endpoints_mut() {
                endpoints.begin_reception(self.fabric, self.local, receiver, packet);
            }
        }
        leaves_one
    }

    /// The packet at `index` of the subdomain's arrays has left its input completely; so has its copy, if any.
    #[inline(always)]
    pub(super) fn end_copy(&mut self, input: usize, index: usize, now: i32) {
        if self.has_copies() && self.copies().leaving.has(input) {
            self.copies().leaving &= !F::Inputs::only(input);
            self.store.totals.deposited += 1;
            self.store.totals.deposited_ever += 1;
            self.reception_ends(input, index, now);
        }
    }
}
