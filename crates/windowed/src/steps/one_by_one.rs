//! The general form: packets of any size, software, any FIFOs. Events are applied one by one, and ports are examined
//! one by one.

use crate::buffers::Buffers;
use crate::options::{self, Departure};
use crate::pending::{Arrival, Pending};
use crate::sets::{BitSet, Tick, assume};
use crate::specialization::Specialization;
use crate::visit::Visit;
use crate::wake_priority::WakePriority;
use network::packet::Packet;

impl<F: Specialization> Visit<'_, F> {
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
        if self.node.to_reception.has(input) {
            self.reception_ends(input, index, now);
        } else {
            self.node.free_paths(bit);
        }
        options::has_left(self, Departure { input, index, charge }, now);
        self.store.buffers.end_leaving(self.vc(input));
        let (waiting, count) = (self.node.queues.waiting[input], self.node.count[input]);
        self.request_if(waiting > 0, input, self.store.packet(self.packet_index(input, 0)));
        let is_coming = (waiting == 0) & (count > 0);
        self.node
            .raise_wake_priority(F::ARRIVAL_SLOT + receiver, WakePriority::of_expected_arrival(is_coming));
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
                self.node.set_event(slot, next, WakePriority::of_next_arrival());
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

    /// The next return of credits for which a head packet waits.
    #[inline(always)]
    pub(super) fn next_credit_return_of_each(&self) -> F::Tick {
        let mut next = F::Tick::NEVER;
        for port in self.node.stalled.iter() {
            next = next.min(self.next_credit_return_of(port));
        }
        next
    }

    /// Unblocks the stalled ports whose credits have returned.
    #[inline(always)]
    pub(super) fn unblock_each_for_credits(&mut self, now: i32) {
        for port in (self.node.stalled & self.node.blocked_outputs).iter() {
            let are_due = self.next_credit_return_of(port).cycles() <= now;
            self.node.blocked_outputs &= !u16::only_if(port, are_due);
        }
    }

    /// The blocked outputs for which still only credits are missing.
    #[inline(always)]
    pub(super) fn still_stalled_each(&self, after_grant: bool) -> u16 {
        let mut stalled = self.node.stalled & self.node.blocked_outputs;
        if after_grant && stalled != 0 {
            for port in stalled.iter() {
                let (wants, escapes) = self.wanted_by(port);
                stalled &= !u16::only_if(port, (wants | escapes).is_empty());
            }
        }
        stalled
    }
}
