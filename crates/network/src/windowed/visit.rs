//! A visit to a node: the events that happen to it, cycle by cycle.

use super::family::{BitSet, Family, Note, Tick};
use super::node::Node;
use super::store::{Dated, Store};
use crate::engine::Delivery;
use crate::fabric::Fabric;
use crate::node::infinite::lane_of_fifo;
use crate::node::software::{Read, Stored};
use crate::packet::Packet;

/// A node, with what belongs to it in the arrays of its slab.
pub struct Visit<'a, F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    /// Its hot state.
    pub node: &'a mut Node<F, P, V, C, S>,
    /// Its number within the slab.
    pub local: usize,
    /// The machine.
    pub fabric: &'a Fabric,
    /// The arrays of the slab.
    pub store: &'a mut Store<F, C>,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// Fills the infinite injection FIFOs for the first time; the node will arbitrate at cycle 0.
    pub fn start(&mut self) {
        self.node.set_time(Node::<F, P, V, C, S>::RETRY, 0);
        if self.store.software.is_empty() {
            for fifo in 0..self.store.layout.fifos {
                self.node.set_fullness(C + fifo, 3);
                self.refill(fifo, 0);
            }
        }
    }

    /// Lets everything happen that happens before `end`; the cycle of what comes next.
    #[inline(always)]
    pub fn run(&mut self, end: u64) -> Option<u64> {
        loop {
            let earliest = F::earliest(&self.node.times);
            let mut now = match earliest == F::Tick::NEVER {
                true => u64::MAX,
                false => self.node.epoch_start() + earliest.cycles(),
            };
            if !self.store.software.is_empty() {
                now = now.min(self.store.software[self.local].next());
            }
            if now >= end {
                return (now != u64::MAX).then_some(now);
            }
            self.step(now);
        }
    }

    /// One cycle: events in the order of their slots, software, arbitration.
    #[inline(always)]
    fn step(&mut self, now: u64) {
        let mut due = F::equal(&self.node.times, F::Tick::after(now - self.node.epoch_start()));
        let mut bypass = F::Places::default();
        while !due.is_empty() {
            self.apply(due.first(), now, &mut bypass);
            due = due.without_first();
        }
        if !self.store.software.is_empty() && self.store.software[self.local].next() <= now {
            self.run_software(now);
        }
        self.arbitrate(now, bypass);
    }

    #[inline(always)]
    fn apply(&mut self, slot: usize, now: u64, bypass: &mut F::Places) {
        if slot < Node::<F, P, V, C, S>::LINKS {
            self.take_tokens(slot, now);
        } else if slot < Node::<F, P, V, C, S>::CHANNELS {
            self.link_is_idle(slot - Node::<F, P, V, C, S>::LINKS, now);
        } else if slot < Node::<F, P, V, C, S>::INJECTION {
            self.channel_is_free(slot - Node::<F, P, V, C, S>::CHANNELS, now);
        } else if slot < Node::<F, P, V, C, S>::ARRIVALS {
            self.injection_event(slot - Node::<F, P, V, C, S>::INJECTION, now);
        } else if slot < Node::<F, P, V, C, S>::RETRY {
            self.arrive(slot - Node::<F, P, V, C, S>::ARRIVALS, now, bypass);
        } else {
            self.node.clear_time(slot);
        }
    }

    /// A link has carried its packet. Tokens that came back meanwhile count from now on: nobody could have used them.
    #[inline(always)]
    fn link_is_idle(&mut self, port: usize, now: u64) {
        self.node.clear_time(Node::<F, P, V, C, S>::LINKS + port);
        self.node.idle |= 1 << port;
        if self.node.token_notes[port] > 0 {
            self.take_tokens(port, now);
        }
    }

    /// Tokens that have come back to the sender of an idle link.
    #[inline(always)]
    fn take_tokens(&mut self, port: usize, now: u64) {
        let notes = self.store.token_notes(self.local, port);
        let notes = &mut self.store.notes[notes];
        self.node.take_tokens(port, notes, now);
        let slot = Node::<F, P, V, C, S>::TOKENS + port;
        match self.node.token_notes[port] {
            0 => self.node.clear_time(slot),
            _ => self.node.set_time(slot, notes[0].time(now)),
        }
    }

    /// The head of a channel has left it, tail and all.
    #[inline(always)]
    fn channel_is_free(&mut self, place: usize, now: u64) {
        let (receiver, channel) = (place / V, place % V);
        let index = self.packet_index(place, 0);
        let chunks = self.fabric.layout.chunks(self.store.packets[index].packet);
        let charge = self.fabric.charge(channel, chunks);
        let node = &mut *self.node;
        let bit = F::Places::only(place);
        node.clear_time(Node::<F, P, V, C, S>::CHANNELS + place);
        let queue = &mut node.queues[place];
        queue.first =
            if queue.first + 1 == self.store.layout.ring_length[place] { 0 } else { queue.first + 1 };
        queue.held -= 1;
        let has_next = queue.held > 0;
        if (node.bypassing & bit).is_empty() {
            queue.occupied -= charge;
            let quarter = self.fabric.quarter(channel, queue.occupied);
            node.set_fullness(place, quarter);
        }
        node.bypassing &= !bit;
        if (node.to_reception & bit).is_empty() {
            node.paths_used[receiver] -= 1;
            node.path_blocked &= !F::Places::range(receiver * V, V);
        } else {
            node.to_reception &= !bit;
            let bus = self.places_of_bus(receiver, channel);
            self.node.bus_blocked &= !bus;
            let stored = self.store.stored(index, now);
            self.end_reception(receiver, stored, now);
        }
        if has_next {
            self.present(place, self.store.packets[self.packet_index(place, 0)].packet);
        }
    }

    /// The places that share a channel's bus to the reception FIFOs: normal ones one bus, high priority another.
    #[inline(always)]
    pub(super) fn places_of_bus(&self, receiver: usize, channel: usize) -> F::Places {
        match self.fabric.high_priority_channel {
            Some(high) if high == channel => F::Places::only(receiver * V + high),
            _ => F::Places::range(receiver * V, self.fabric.escape_channel + 1),
        }
    }

    fn end_reception(&mut self, receiver: usize, stored: Stored, now: u64) {
        match self.store.software.get_mut(self.local) {
            Some(software) => software.end_reception(self.fabric, receiver, stored, now),
            None => self.deliver(Read { time: now, stored }),
        }
    }

    fn deliver(&mut self, Read { time, stored }: Read) {
        let store = &mut *self.store;
        let node = store.first + self.local as u32;
        store.totals.count_delivery(time, stored.offered, self.fabric.layout.chunks(stored.packet));
        store.totals.digest.record(time, node, self.fabric.ports, 0, stored.packet.0 ^ stored.offered);
        self.node.counters.delivered += 1;
        if store.source.is_none() {
            store.deliveries.push(Delivery { time, node, handle: stored.handle });
        }
    }

    /// An injection FIFO has lost its head, tail and all, or has a head that may ask for the first time.
    fn injection_event(&mut self, fifo: usize, now: u64) {
        let bit = F::Places::only(C + fifo);
        let has_left = !(self.node.injecting & bit).is_empty();
        self.node.clear_time(Node::<F, P, V, C, S>::INJECTION + fifo);
        self.node.injecting &= !bit;
        match self.store.software.get_mut(self.local) {
            Some(software) => {
                if has_left {
                    software.head_has_left(self.fabric, fifo, now);
                }
                self.show_head_of_fifo(fifo, now);
            }
            None if has_left => self.refill(fifo, now),
            None => self.show_infinite_head(fifo, now),
        }
    }

    /// Takes the next head of an infinite FIFO from the source.
    fn refill(&mut self, fifo: usize, now: u64) {
        let filling = self.store.filling_of(self.local, fifo);
        let store = &mut *self.store;
        let source = store.source.as_deref().expect("infinite FIFOs are filled from a source");
        let filling = &mut store.filling[filling];
        let lane = lane_of_fifo(self.fabric, store.first + self.local as u32, fifo);
        let head = filling.progress.next_head(self.fabric, source, lane, now);
        let bit = u8::only(fifo);
        filling.heads &= !bit;
        filling.always_waiting &= !bit;
        if let Some(head) = head {
            filling.heads |= bit;
            filling.always_waiting |= if filling.progress.previous_ready == 0 { bit } else { 0 };
            store.heads[self.local * store.layout.fifos + fifo] = Dated::new(head.packet, head.offered);
            self.show_infinite_head(fifo, now);
        }
    }

    /// Lets the head of an infinite FIFO ask, now or when its time has come.
    fn show_infinite_head(&mut self, fifo: usize, now: u64) {
        let store = &*self.store;
        let head = store.heads[self.local * store.layout.fifos + fifo];
        let always_waits = store.filling[store.filling_of(self.local, fifo)].always_waiting.has(fifo);
        let latency = u64::from(self.fabric.parameters.node.injection_latency_cycles);
        // What always waits was there before its predecessor left: only the first of a run waits for the latency.
        let requests_from = latency + if always_waits { 0 } else { head.offered_near(now) };
        if requests_from > now {
            self.node.set_time(Node::<F, P, V, C, S>::INJECTION + fifo, requests_from);
        } else {
            self.present(C + fifo, head.packet);
        }
    }

    /// Lets the head of a real FIFO ask, now or when its time has come.
    fn show_head_of_fifo(&mut self, fifo: usize, now: u64) {
        let software = &self.store.software[self.local];
        self.node.set_fullness(C + fifo, software.quarter(self.fabric, fifo));
        if self.node.injecting.has(C + fifo) {
            return;
        }
        let Some(head) = software.head(fifo) else { return };
        if head.requests_from > now {
            self.node.set_time(Node::<F, P, V, C, S>::INJECTION + fifo, head.requests_from);
        } else {
            let packet = head.stored.packet;
            self.present(C + fifo, packet);
        }
    }

    fn run_software(&mut self, now: u64) {
        let store = &mut *self.store;
        let mut read = Vec::new();
        store.software[self.local].run(self.fabric, store.source.as_deref(), now, &mut read);
        for fifo in 0..store.layout.fifos {
            self.show_head_of_fifo(fifo, now);
        }
        for read in read {
            self.deliver(read);
        }
    }

    /// A head arrives at a receiver.
    #[inline(always)]
    fn arrive(&mut self, port: usize, now: u64, bypass: &mut F::Places) {
        let notes = self.store.arrival_notes(self.local, port);
        let notes = &mut self.store.notes[notes];
        let noted = self.node.arrival_notes[port] as usize;
        debug_assert_eq!(notes[0].time(now), now);
        let place = port * V + notes[0].what() as usize;
        for position in 1..noted {
            notes[position - 1] = notes[position];
        }
        self.node.arrival_notes[port] -= 1;
        let slot = Node::<F, P, V, C, S>::ARRIVALS + port;
        match noted > 1 {
            true => self.node.set_time(slot, notes[0].time(now)),
            false => self.node.clear_time(slot),
        }
        self.enter_queue(place, bypass);
    }

    /// A packet whose head has arrived joins its channel's queue; where that is empty, it may pass the buffer by.
    #[inline(always)]
    fn enter_queue(&mut self, place: usize, bypass: &mut F::Places) {
        let queue = &mut self.node.queues[place];
        queue.flying -= 1;
        queue.held += 1;
        let held = queue.held;
        let packet = self.store.packets[self.packet_index(place, held - 1)].packet;
        if held == 1 && self.fabric.parameters.router.bypass {
            *bypass |= F::Places::only(place);
        } else {
            self.enter_buffer(place, packet);
        }
        if held == 1 {
            self.present(place, packet);
        }
    }

    /// A packet counts as being in the buffer.
    #[inline(always)]
    pub(super) fn enter_buffer(&mut self, place: usize, packet: Packet) {
        let fabric = self.fabric;
        let queue = &mut self.node.queues[place];
        queue.occupied += fabric.charge(place % V, fabric.layout.chunks(packet));
        let quarter = fabric.quarter(place % V, queue.occupied);
        self.node.set_fullness(place, quarter);
    }

    /// Where in the slab's arrays the packet of rank `rank` of a channel lies.
    #[inline(always)]
    pub(super) fn packet_index(&self, place: usize, rank: u8) -> usize {
        let layout = &self.store.layout;
        self.local * layout.packets + layout.packet(place, self.node.queues[place].first, rank)
    }

    /// A packet is a head that waits.
    #[inline(always)]
    fn present(&mut self, place: usize, packet: Packet) {
        let fabric = self.fabric;
        let is_urgent = fabric.high_priority_channel.is_some() && fabric.layout.is_high_priority(packet);
        let adaptive = !is_urgent && fabric.dynamic_channels > 0 && !fabric.layout.is_deterministic(packet);
        self.node.present(place, fabric.layout.hint_bits(packet), adaptive);
        if is_urgent {
            self.node.urgent |= F::Places::only(place);
        }
    }

    /// The head of an injection FIFO, which leaves it.
    pub(super) fn leave_injection(&mut self, fifo: usize, now: u64) -> Stored {
        self.node.injecting |= F::Places::only(C + fifo);
        match self.store.software.get(self.local) {
            Some(software) => software.head(fifo).expect("a granted FIFO has a head").stored,
            None => {
                let head = self.store.heads[self.local * self.store.layout.fifos + fifo];
                Stored { packet: head.packet, offered: head.offered_near(now), handle: 0 }
            }
        }
    }
}
