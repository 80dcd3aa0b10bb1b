//! What happens at a node's channels and injection FIFOs by itself: packets have left, heads arrive.
//!
//! Channels do not feel one another's events, nor those of a cycle before if nobody could be granted anything then. On
//! plain machines all that is due happens at once, in a few vectors, so that how much it is costs nothing and need not be
//! foretold; on others one by one.

use super::family::Family;
use super::node::Node;
use super::pending::{Arrival, Pending};
use super::queues::{Turn, Turned};
use super::sets::{BitSet, Tick, is_given};
use super::visit::Visit;
use crate::packet::Packet;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// The due events; the places whose heads arrived in this cycle at an empty buffer.
    #[inline(always)]
    pub(super) fn apply_events(&mut self, due: F::Slots, now: i32) -> F::Places {
        let left = F::places(due >> Node::<F, P, V, C, S>::CHANNELS) & F::Places::range(0, C);
        let reached = F::links(due >> Node::<F, P, V, C, S>::ARRIVALS) & ((1 << P) - 1);
        let bypass = match F::IS_PLAIN {
            true => self.turn_at_once(left, reached, now),
            false => self.turn_one_by_one(left, reached, now),
        };
        let fifos = F::links(due >> Node::<F, P, V, C, S>::INJECTION) as u8;
        if fifos != 0 {
            self.injection_events(fifos, now);
        }
        bypass
    }

    /// Packets have left channels, and heads arrive at receivers.
    #[inline(always)]
    fn turn_at_once(&mut self, left: F::Places, reached: u32, now: i32) -> F::Places {
        let arrivals = self.node.times.last_chunk().expect("there are eight slots and more");
        let are_now = F::are_now(arrivals, F::Tick::after(now)) >> (8 + Node::<F, P, V, C, S>::ARRIVALS - S);
        let node = &mut *self.node;
        node.clear_events(
            F::slots_of_places(left) << Node::<F, P, V, C, S>::CHANNELS
                | F::slots_of_links(reached) << Node::<F, P, V, C, S>::ARRIVALS,
        );
        let come = node.pending.take_heads(F::channels_of::<V>(reached));
        let may_bypass = self.fabric.parameters.router.bypass;
        let come_to_pass = if may_bypass { F::channels_of::<V>(are_now) } else { F::Places::default() };
        let turn = Turn {
            left,
            released: left & !node.bypassing,
            come,
            come_to_pass,
            busy: node.leaving(),
            charge: self.fabric.full_packet,
            needs_hints: node.closed != 0,
        };
        let Turned { bypass, is_coming, hints } = F::turn(&mut node.queues, &turn);
        node.bypassing &= !left;
        node.closed &= !hints as u16;
        for place in is_coming.iter() {
            node.hurry(Node::<F, P, V, C, S>::ARRIVALS + place / V, true, true);
        }
        let received = left & node.to_reception;
        node.free_paths(left & !received);
        for place in received.iter() {
            // The node may not have been woken for it.
            let time = self.node.times[Node::<F, P, V, C, S>::CHANNELS + place].cycles();
            self.reception_ends(place, self.index_of_leaving(place), time);
        }
        bypass
    }

    fn turn_one_by_one(&mut self, left: F::Places, reached: u32, now: i32) -> F::Places {
        let mut bypass = F::Places::default();
        for place in left.iter() {
            self.channel_is_free(place, now);
        }
        for port in reached.iter() {
            self.arrive(port, now, &mut bypass);
        }
        bypass
    }

    /// What happens at some injection FIFOs, in the order of its times: who is first takes the node's next packet.
    fn injection_events(&mut self, mut fifos: u8, now: i32) {
        while fifos != 0 {
            let time_of = |fifo: &usize| self.node.times[Node::<F, P, V, C, S>::INJECTION + fifo];
            let first = fifos.iter().min_by_key(time_of).expect("some are left");
            let time = time_of(&first).cycles();
            fifos &= !u8::only(first);
            self.injection_event(first, time, now);
        }
    }

    /// The head of a channel has left it, tail and all.
    #[inline(always)]
    fn channel_is_free(&mut self, place: usize, now: i32) {
        // SAFETY: a place is one of the node's channels.
        unsafe { is_given(place < C) };
        let (receiver, channel) = (place / V, place % V);
        let index = self.index_of_leaving(place);
        let charge = self.charge_of(channel, || self.store.packet(index));
        let node = &mut *self.node;
        let bit = F::Places::only(place);
        node.clear_events(F::Slots::only(Node::<F, P, V, C, S>::CHANNELS + place));
        let was_in_buffer = u8::from(!node.bypassing.has(place)).wrapping_neg(); // all bits, or none
        node.queues.occupied[place] -= charge & was_in_buffer;
        node.bypassing &= !bit;
        if self.has_noisy_links() {
            self.free_on_link(receiver, channel, charge);
        }
        if self.node.to_reception.has(place) {
            self.reception_ends(place, index, now);
        } else {
            self.node.free_paths(bit);
            self.end_copy(place, index, now);
        }
        let (waiting, count) = (self.node.queues.waiting[place], self.node.count[place]);
        self.present_if(waiting > 0, place, self.store.packet(self.packet_index(place, 0)));
        let is_coming = (waiting == 0) & (count > 0);
        self.node.hurry(Node::<F, P, V, C, S>::ARRIVALS + receiver, is_coming, is_coming);
    }

    /// Heads arrive at a receiver.
    #[inline(always)]
    fn arrive(&mut self, port: usize, now: i32, bypass: &mut F::Places) {
        let slot = Node::<F, P, V, C, S>::ARRIVALS + port;
        let mut is_due = true;
        while is_due {
            self.node.clear_events(F::Slots::only(slot));
            let row = self.store.notes(self.store.layout.arrival_notes(self.local, port));
            let Arrival { time, channel, next } = self.node.pending.take_head(port, row);
            // SAFETY: the channel is one of the machine's.
            unsafe { is_given(channel < V && port < P) };
            is_due = false;
            if let Some(next) = next {
                self.node.set_event(slot, next, true, true);
                is_due = next.cycles() <= now;
            }
            self.enter_queue(port * V + channel, time.cycles() == now, bypass);
        }
    }

    /// A packet whose head has arrived joins its channel's queue; where that is empty, it may pass the buffer by.
    #[inline(always)]
    fn enter_queue(&mut self, place: usize, is_now: bool, bypass: &mut F::Places) {
        self.node.queues.waiting[place] += 1;
        let waiting = self.node.queues.waiting[place];
        let packet = self.store.packet(self.packet_index(place, waiting - 1));
        let is_head = (waiting == 1) & !self.node.leaving().has(place);
        let may_bypass = is_head & is_now & self.fabric.parameters.router.bypass;
        *bypass |= F::Places::only_if(place, may_bypass);
        self.enter_buffer_if(!may_bypass, place, packet);
        self.present_if(is_head, place, packet);
    }

    /// A packet counts as being in the buffer, if it is.
    #[inline(always)]
    fn enter_buffer_if(&mut self, is_there: bool, place: usize, packet: Packet) {
        let charge = self.charge_of(place % V, || packet);
        self.node.queues.occupied[place] += charge & u8::from(is_there).wrapping_neg();
    }

    /// Heads that did not pass their buffers by count as being there.
    #[inline(always)]
    pub(super) fn enter_buffers(&mut self, mut places: F::Places) {
        if F::IS_PLAIN {
            return F::add(&mut self.node.queues.occupied, places, self.fabric.full_packet);
        }
        while !places.is_empty() {
            let place = places.first_below::<C>();
            self.enter_buffer_if(true, place, self.store.packet(self.packet_index(place, 0)));
            places = places.without_first();
        }
    }
}
