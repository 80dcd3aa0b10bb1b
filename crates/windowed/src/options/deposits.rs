//! Copies by the deposit bit (row S37). A head packet that leaves a copy at this node also needs the bus to the node's
//! reception FIFO, and room in that FIFO.
//!
//! ```text
//!   waiting:   needs link, VC and path like any other packet, and also  bus  and  room in the FIFO
//!   leaving:   path and bus are in use until the tail has left
//!   has left:  path and bus are free, the copy is complete in the FIFO, software is called
//! ```
//!
//! A head packet without bus or room is treated as one without a path. Both change only by events of its own node, the
//! end of a reception or of a software task, and the node is woken at the exact cycle of each.

use super::machine_option::{Departure, MachineOption};
use super::state::Copies;
use crate::sets::BitSet;
use crate::specialization::Specialization;
use crate::visit::Visit;
use network::fabric::Fabric;
use network::node::fifos::Fifos;
use network::packet::Packet;

/// Copies by the deposit bit.
pub struct Deposits;

impl MachineOption for Deposits {
    const TRANSFERS_USE_BUSES: bool = true;

    fn is_on(fabric: &Fabric) -> bool {
        fabric.deposits
    }

    /// Records whether the new head packet of an input leaves a copy.
    fn new_head<F: Specialization>(visit: &mut Visit<'_, F>, input: usize, packet: Packet) {
        let leaves_one = input < F::VC_INPUTS && visit.fabric.deposits_here(packet);
        let copies = visit.copies();
        copies.waiting = (copies.waiting & !F::Inputs::only(input)) | F::Inputs::only_if(input, leaves_one);
    }

    /// Determines which copies have room in the reception FIFO, and unblocks the outputs of those that now do.
    fn before_arbitration<F: Specialization>(visit: &mut Visit<'_, F>) {
        if visit.store.endpoints().is_some() {
            let waiting = visit.copies().waiting;
            let has_none = waiting.iter().filter(|&input| !visit.has_room_for_copy(input));
            let without_room = has_none.fold(F::Inputs::default(), |set, input| set | F::Inputs::only(input));
            let before = std::mem::replace(&mut visit.copies().without_room, without_room);
            visit.unblock_for_copies(before & !without_room);
        }
    }

    /// Inputs whose head packets must leave a copy and cannot.
    fn blocked<F: Specialization>(visit: &Visit<'_, F>) -> F::Inputs {
        let copies = &visit.store.optional[visit.local].copies;
        copies.waiting & (visit.node.bus_blocked | copies.without_room)
    }

    /// The copy, if the packet leaves one, begins to leave over the bus. It needs the bus until then.
    fn begins_transfer<F: Specialization>(visit: &mut Visit<'_, F>, input: usize) -> bool {
        let leaves_one = visit.copies().waiting.has(input);
        if leaves_one {
            visit.begin_copy(input);
        }
        leaves_one
    }

    fn frees_bus<F: Specialization>(visit: &mut Visit<'_, F>, inputs: F::Inputs) {
        visit.unblock_for_copies(inputs);
    }

    /// With the packet, its copy has left completely.
    fn has_left<F: Specialization>(visit: &mut Visit<'_, F>, departure: Departure, now: i32) {
        let Departure { input, index, .. } = departure;
        if visit.copies().leaving.has(input) {
            visit.copies().leaving &= !F::Inputs::only(input);
            visit.store.totals.deposited += 1;
            visit.store.totals.deposited_ever += 1;
            visit.reception_ends(input, index, now);
        }
    }
}

impl<F: Specialization> Visit<'_, F> {
    fn copies(&mut self) -> &mut Copies<F::Inputs> {
        &mut self.store.optional[self.local].copies
    }

    fn has_room_for_copy(&self, input: usize) -> bool {
        let packet = self.store.packet(self.packet_index(input, 0));
        let fits = |fifos: &Fifos| fifos.can_receive(self.fabric, self.local, input / F::VCS, packet);
        self.store.endpoints().is_none_or(|endpoints| fits(endpoints.fifos()))
    }

    /// Unblocks the outputs of those inputs in `inputs` whose head packets leave copies. Each has a single output.
    fn unblock_for_copies(&mut self, inputs: F::Inputs) {
        for input in (self.copies().waiting & inputs).iter() {
            let packet = self.store.packet(self.packet_index(input, 0));
            self.node.blocked_outputs &= !(self.fabric.layout.hint_bits(packet) as u16);
        }
    }

    fn begin_copy(&mut self, input: usize) {
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
}
