//! Events at a node's VCs and injection FIFOs: packets have left, packets arrive.
//!
//! Events of different VCs are independent. Events of earlier cycles, in which nothing could be granted, can be applied
//! together with those of the current cycle. Plain machines apply all due events at once (`specialization/plain.rs`),
//! others one by one.

use super::buffers::Buffers;
use super::pending::{Arrival, Pending};
use super::sets::{BitSet, Tick, assume};
use super::specialization::Specialization;
use super::visit::Visit;
use super::wake::Wakes;
use crate::packet::Packet;

impl<F: Specialization> Visit<'_, F> {
    /// Applies the due events. Returns the inputs whose head packets arrived in this cycle at an empty buffer.
    #[inline(always)]
    pub(super) fn apply_events(&mut self, due: F::Slots, now: i32) -> F::Inputs {
        let left = F::inputs(due >> F::VC_SLOT) & F::Inputs::range(0, F::VC_INPUTS);
        let reached = F::links(due >> F::ARRIVAL_SLOT) & ((1 << F::PORTS) - 1);
        let bypass = F::apply_to_queues(self, left, reached, now);
        let fifos = F::links(due >> F::FIFO_SLOT) as u8;
        if fifos != 0 {
            self.injection_events(fifos, now);
        }
        bypass
    }

    /// Applies departures from VCs, then arrivals at receivers, one by one.
    #[inline(always)]
    pub(super) fn apply_individually(&mut self, mut left: F::Inputs, reached: u32, now: i32) -> F::Inputs {
        let mut bypass = F::Inputs::default();
        let received = left & self.node.to_reception;
        if self.has_lazy_software() && received.count() > 1 {
            self.release_in_order(received, now);
            left &= !received;
        }
        for input in left.iter() {
            self.release_vc(input, now);
        }
        for port in reached.iter() {
            self.arrive(port, now, &mut bypass);
        }
        bypass
    }

    /// Applies the ends of receptions in time order, in which software reads the packets.
    #[cold]
    fn release_in_order(&mut self, mut received: F::Inputs, now: i32) {
        while !received.is_empty() {
            let time_of = |input: &usize| self.node.times[F::VC_SLOT + input];
            let first = received.iter().min_by_key(time_of).expect("some are left");
            received &= !F::Inputs::only(first);
            self.release_vc(first, now);
        }
    }

    /// Applies the events of some injection FIFOs in time order: the earliest FIFO takes the node's next packet.
    fn injection_events(&mut self, mut fifos: u8, now: i32) {
        while fifos != 0 {
            let time_of = |fifo: &usize| self.node.times[F::FIFO_SLOT + fifo];
            let first = fifos.iter().min_by_key(time_of).expect("some are left");
            let time = time_of(&first).cycles();
            fifos &= !u8::only(first);
            self.injection_event(first, time, now);
        }
    }

    /// The head packet of a VC has left it completely, including its tail.
    #[inline(always)]
    fn release_vc(&mut self, input: usize, now: i32) {
        // SAFETY: `input` is one of the node's VCs.
        unsafe { assume(input < F::VC_INPUTS) };
        let (receiver, vc) = (input / F::VCS, input % F::VCS);
        let index = self.index_of_leaving(input);
        let charge = self.charge_of(vc, || self.store.packet(index));
        let node = &mut *self.node;
        let bit = F::Inputs::only(input);
        node.clear_events(F::Slots::only(F::VC_SLOT + input));
        let was_in_buffer = u8::from(!node.bypassing.has(input)).wrapping_neg(); // all bits, or none
        node.queues.occupied[input] -= charge & was_in_buffer;
        node.bypassing &= !bit;
        if self.has_lossy_links() {
            self.free_on_link(receiver, vc, charge);
        }
        if self.node.to_reception.has(input) {
            self.reception_ends(input, index, now);
        } else {
            self.node.free_paths(bit);
            self.end_copy(input, index, now);
        }
        self.store.buffers.end_leaving(self.vc(input));
        let (waiting, count) = (self.node.queues.waiting[input], self.node.count[input]);
        self.request_if(waiting > 0, input, self.store.packet(self.packet_index(input, 0)));
        let is_coming = (waiting == 0) & (count > 0);
        self.node.raise_wake_priority(F::ARRIVAL_SLOT + receiver, Wakes::of_expected_arrival(is_coming));
    }

    /// Applies the due arrivals at a receiver.
    #[inline(always)]
    fn arrive(&mut self, port: usize, now: i32, bypass: &mut F::Inputs) {
        let slot = F::ARRIVAL_SLOT + port;
        let mut is_due = true;
        while is_due {
            let time = self.node.times[slot];
            self.node.clear_events(F::Slots::only(slot));
            let row = self.store.pending_events(self.store.layout.arrival_events(self.local, port));
            let Arrival { vc, next } = self.node.pending.take_arrival(port, row);
            // SAFETY: port and VC are of the machine.
            unsafe { assume(vc < F::VCS && port < F::PORTS) };
            is_due = false;
            if let Some(next) = next {
                self.node.set_event(slot, next, Wakes::of_next_arrival());
                is_due = next.cycles() <= now;
            }
            self.enter_queue(port * F::VCS + vc, time.cycles() == now, bypass);
        }
    }

    /// A packet whose head has arrived joins the queue of its VC. If the queue is empty, it may bypass the buffer.
    #[inline(always)]
    fn enter_queue(&mut self, input: usize, is_now: bool, bypass: &mut F::Inputs) {
        self.node.queues.waiting[input] += 1;
        let waiting = self.node.queues.waiting[input];
        let packet = self.store.packet(self.packet_index(input, waiting - 1));
        let is_head = (waiting == 1) & !self.node.leaving().has(input);
        let may_bypass = is_head & is_now & self.fabric.parameters.router.bypass;
        *bypass |= F::Inputs::only_if(input, may_bypass);
        self.enter_buffer_if(!may_bypass, input, packet);
        self.request_if(is_head, input, packet);
    }

    /// If `is_there`, adds a packet to the buffer's occupancy.
    #[inline(always)]
    fn enter_buffer_if(&mut self, is_there: bool, input: usize, packet: Packet) {
        let charge = self.charge_of(input % F::VCS, || packet);
        self.node.queues.occupied[input] += charge & u8::from(is_there).wrapping_neg();
    }

    /// Adds head packets that did not bypass their buffers to the buffers' occupancy.
    #[inline(always)]
    pub(super) fn enter_buffers_individually(&mut self, mut inputs: F::Inputs) {
        while !inputs.is_empty() {
            let input = inputs.first_below(F::VC_INPUTS);
            self.enter_buffer_if(true, input, self.store.packet(self.packet_index(input, 0)));
            inputs = inputs.without_first();
        }
    }
}
