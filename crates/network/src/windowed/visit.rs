//! A visit to a node: the cycles at which something may be granted, each with the events up to it.

use super::family::Family;
use super::node::Node;
use super::pending::Note;
use super::pending::{Arrival, Pending};
use super::sets::{BitSet, Tick, is_given};
use super::store::{Dated, Store};
use crate::engine::Delivery;
use crate::fabric::Fabric;
use crate::node::infinite::lane_of_fifo;
use crate::node::software::{NEVER, Read, Software, Stored};
use crate::packet::Packet;

/// A node, with what belongs to it in the arrays of its slab.
pub struct Visit<'a, F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    /// Its hot state.
    pub(super) node: &'a mut Node<F, P, V, C, S>,
    /// Its number within the slab.
    pub(super) local: usize,
    /// The machine.
    pub(super) fabric: &'a Fabric,
    /// The arrays of the slab.
    pub(super) store: &'a mut Store<F, C>,
    /// The cycle from which the node's times count.
    pub(super) epoch_start: u64,
    /// Heads that the gap in their receiver's arbitration holds back in this cycle.
    pub(super) held_back: F::Places,
    /// When the next link is idle, of those that are busy.
    pub(super) next_link: F::Tick,
    /// Where the node's packets begin.
    first_packet: usize,
}

impl<'a, F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'a, F, P, V, C, S> {
    /// A visit to node number `local` of a slab.
    #[inline(always)]
    pub fn new(
        node: &'a mut Node<F, P, V, C, S>,
        local: usize,
        fabric: &'a Fabric,
        store: &'a mut Store<F, C>,
    ) -> Self {
        let (epoch_start, first_packet) = (node.epoch_start(), local * store.layout.packets);
        let (next_link, held_back) = (F::Tick::NEVER, F::Places::default());
        Visit { node, local, fabric, store, epoch_start, held_back, next_link, first_packet }
    }

    /// Fills the infinite injection FIFOs for the first time; the node will arbitrate at cycle 0.
    pub fn start(&mut self) {
        self.node.wake = F::Tick::after(0);
        if self.store.software.is_empty() {
            for fifo in 0..self.store.layout.fifos {
                F::set_quarter(&mut self.node.quarters, C + fifo, 3);
                self.refill(fifo, 0, 0);
            }
        }
    }

    /// Lets everything happen that can matter before `end`.
    #[inline(always)]
    pub fn run(&mut self, end: u64) {
        let end = (end - self.epoch_start) as i32;
        let mut next = self.next_step();
        while next.cycles() < end {
            next = match self.has_noisy_links() && next < self.next_of_others() {
                true => self.step_of_links(next.cycles()).unwrap_or_else(|| self.step(next.cycles())),
                false => self.step(next.cycles()),
            };
        }
    }

    /// When software wants to run, if that is earlier than `wake`.
    #[inline(always)]
    fn with_software(&self, wake: F::Tick) -> F::Tick {
        match self.store.software(self.local).map(Software::next) {
            None | Some(NEVER) => wake,
            Some(next) => wake.min(self.tick_of(next)),
        }
    }

    /// A cycle to come, counted from the epoch; what is too far is brought as near as it has to be.
    #[inline(always)]
    pub(super) fn tick_of(&self, time: u64) -> F::Tick {
        F::Tick::after((time - self.epoch_start).min(i32::MAX as u64) as i32)
    }

    /// One cycle: events up to now, software, arbitration. When the next one is due.
    #[inline(always)]
    fn step(&mut self, now: i32) -> F::Tick {
        self.before_events(now);
        let due = F::due(&self.node.times, F::Tick::after(now));
        self.next_link = F::next(&self.node.times[..Node::<F, P, V, C, S>::CHANNELS], F::Tick::after(now));
        let mut idle = F::links(due) & ((1 << P) - 1);
        let bypass = self.apply_events(due, now);
        if self.has_noisy_links() {
            idle = self.run_links(now, idle);
        }
        self.after_events(now);
        if self.with_software(F::Tick::NEVER).cycles() <= now {
            self.run_software(now);
        }
        self.look_for_room();
        let is_again = self.arbitrate(now, &mut idle, bypass);
        self.node.is_saturated = idle == 0;
        self.node.wake = if is_again { F::Tick::after(now + 1) } else { self.next_grant(idle) };
        debug_assert!(self.node.wake.cycles() > now, "a node would wait for the past");
        if F::HAS_OPTIONS && self.fabric.parameters.counts_unblocking {
            self.node.wake = self.node.wake.min(self.next_counted_tokens());
        }
        if self.has_noisy_links() {
            self.plan_links();
        }
        self.next_step()
    }

    /// When the next step is due.
    #[inline(always)]
    pub(super) fn next_step(&self) -> F::Tick {
        self.with_links(self.next_of_others())
    }

    /// The same, links that make errors left out of it.
    #[inline(always)]
    fn next_of_others(&self) -> F::Tick {
        self.with_options(self.with_software(self.node.wake))
    }

    /// Applies events before `end` that nothing could be granted for, so that no arbitration is due.
    pub fn settle(&mut self, end: u64) {
        let now = (end - self.epoch_start).min(i32::MAX as u64) as i32 - 1;
        let due = F::due(&self.node.times, F::Tick::after(now));
        let bypass = self.apply_events(due, now);
        self.enter_buffers(bypass);
        if self.has_noisy_links() {
            self.settle_links(end);
        }
    }

    /// The due events in the order of their slots; the places whose heads arrived in this cycle at an empty buffer.
    /// Channels do not feel one another's events, nor those of a cycle before if nobody could be granted anything then.
    #[inline(always)]
    fn apply_events(&mut self, due: F::Slots, now: i32) -> F::Places {
        let mut bypass = F::Places::default();
        let mut channels = due & F::Slots::range(Node::<F, P, V, C, S>::CHANNELS, C);
        while !channels.is_empty() {
            let slot = channels.first_below::<S>();
            channels = channels.without_first();
            // SAFETY: only slots of channels are left in the set.
            unsafe {
                is_given((Node::<F, P, V, C, S>::CHANNELS..Node::<F, P, V, C, S>::INJECTION).contains(&slot))
            };
            self.channel_is_free(slot - Node::<F, P, V, C, S>::CHANNELS, now);
        }
        let mut arrivals = F::links(due >> Node::<F, P, V, C, S>::ARRIVALS) & ((1 << P) - 1);
        while arrivals != 0 {
            let port = arrivals.first_below::<P>();
            arrivals = arrivals.without_first();
            self.arrive(port, now, &mut bypass);
        }
        let fifos = F::links(due >> Node::<F, P, V, C, S>::INJECTION) as u8;
        if fifos != 0 {
            self.injection_events(fifos, now);
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

    /// The next cycle at which something could be granted, `idle` links being left over now.
    #[inline(always)]
    fn next_grant(&self, idle: u32) -> F::Tick {
        let node = &*self.node;
        let mut wake = self.next_link;
        let mut slots = node.prompt;
        if idle != 0 {
            let links = &node.times[..Node::<F, P, V, C, S>::CHANNELS];
            wake = F::earliest(links, F::slots_of_links(self.wanted() & !idle));
            slots = node.eager;
            if node.stalled != 0 {
                wake = wake.min(self.next_tokens());
            }
        }
        let first = Node::<F, P, V, C, S>::CHANNELS;
        wake.min(F::earliest(&node.times[first..], slots >> first))
    }

    /// When the next tokens come back that a head waits for.
    fn next_tokens(&self) -> F::Tick {
        let mut next = F::Tick::NEVER;
        for port in self.node.stalled.iter() {
            next = self.token_notes(port).fold(next, |next, note| next.min(note.time));
        }
        next
    }

    /// The notes of tokens that come back, or have come back, to a sender.
    #[inline(always)]
    pub(super) fn token_notes(&self, port: usize) -> impl Iterator<Item = Note<F::Tick>> {
        let row = self.store.layout.token_notes(self.local, port);
        let row = if F::Pending::HAS_ROWS { &self.store.notes[row] } else { &[] };
        self.node.pending.tokens(port, row, self.fabric.full_packet)
    }

    /// The head of a channel has left it, tail and all.
    #[inline(always)]
    fn channel_is_free(&mut self, place: usize, now: i32) {
        let (receiver, channel) = (place / V, place % V);
        let index = self.packet_index(place, 0);
        let charge = self.charge_of(channel, || self.store.packet(index));
        let node = &mut *self.node;
        let bit = F::Places::only(place);
        node.clear_event(Node::<F, P, V, C, S>::CHANNELS + place);
        let was_in_buffer = u8::from(!node.bypassing.has(place)).wrapping_neg(); // all bits, or none
        let mut queue = node.queues[place];
        queue.first = queue.first.wrapping_add(1);
        queue.held -= 1;
        queue.occupied -= charge & was_in_buffer;
        node.queues[place] = queue;
        F::set_quarter(&mut node.quarters, place, self.fabric.quarter(channel, queue.occupied));
        node.bypassing &= !bit;
        if self.has_noisy_links() {
            self.free_on_link(receiver, channel, charge);
        }
        let node = &mut *self.node;
        if node.to_reception.has(place) {
            self.reception_ends(place, index, now);
        } else {
            node.free_path(receiver);
            self.end_copy(place, index, now);
        }
        self.present_if(queue.held > 0, place, self.store.packet(self.packet_index(place, 0)));
        let flies_next = (queue.held == 0) & (queue.flying > 0);
        self.node.hurry(Node::<F, P, V, C, S>::ARRIVALS + receiver, flies_next, flies_next);
    }

    /// The packet at `index` of the slab's arrays is whole in its reception FIFO.
    pub(super) fn reception_ends(&mut self, place: usize, index: usize, now: i32) {
        let (receiver, channel, now) = (place / V, place % V, self.cycle(now));
        let bus = self.places_of_bus(receiver, channel);
        self.node.to_reception &= !F::Places::only(place);
        self.node.bus_blocked &= !bus;
        self.open_to_copies(bus);
        let stored = self.store.stored(index, now);
        match self.store.software_mut(self.local) {
            Some(software) => software.end_reception(self.fabric, receiver, stored, now),
            None => self.deliver(Read { time: now, stored, is_relayed: false }),
        }
    }

    /// The cycle that one of the node's times means.
    #[inline(always)]
    pub(super) fn cycle(&self, time: i32) -> u64 {
        self.epoch_start.wrapping_add_signed(time.into())
    }

    /// The places that share a channel's bus to the reception FIFOs: normal ones one bus, high priority another.
    #[inline(always)]
    pub(super) fn places_of_bus(&self, receiver: usize, channel: usize) -> F::Places {
        match self.high_priority_channel() {
            Some(high) if high == channel => F::Places::only(receiver * V + high),
            _ => F::Places::range(receiver * V, self.normal_channels()),
        }
    }

    #[inline(always)]
    fn deliver(&mut self, Read { time, stored, is_relayed }: Read) {
        let chunks = self.chunks(stored.packet);
        let store = &mut *self.store;
        if is_relayed {
            store.totals.count_relay();
            return;
        }
        let node = store.first + self.local as u32;
        store.totals.count_delivery(time, stored.offered, chunks);
        store.totals.digest.record(time, node, self.fabric.ports, 0, stored.packet.0 ^ stored.offered);
        self.node.counters.delivered += 1;
        if store.source.is_none() {
            store.deliveries.push(Delivery { time, node, handle: stored.handle, chunks });
        }
    }

    /// An injection FIFO has lost its head, tail and all, or has a head that may ask for the first time.
    fn injection_event(&mut self, fifo: usize, time: i32, now: i32) {
        let (time, now) = (self.cycle(time), self.cycle(now));
        let bit = F::Places::only(C + fifo);
        let has_left = !(self.node.injecting & bit).is_empty();
        self.node.clear_event(Node::<F, P, V, C, S>::INJECTION + fifo);
        self.node.injecting &= !bit;
        match self.store.software_mut(self.local) {
            Some(software) => {
                if has_left {
                    software.head_has_left(self.fabric, fifo, now);
                }
                self.show_head_of_fifo(fifo, now);
            }
            None if has_left => self.refill(fifo, time, now),
            None => self.show_infinite_head(fifo, now),
        }
    }

    /// Takes the next head of an infinite FIFO, which its last one left at `time`, from the source.
    pub(super) fn refill(&mut self, fifo: usize, time: u64, now: u64) {
        let filling = self.store.filling_of(self.local, fifo);
        let has_to_wait = F::HAS_OPTIONS && self.waits_for_acknowledgement(fifo);
        let store = &mut *self.store;
        let source = store.source.as_deref().expect("infinite FIFOs are filled from a source");
        let filling = &mut store.filling[filling];
        let lane = lane_of_fifo(self.fabric, store.first + self.local as u32, fifo);
        let head = match has_to_wait {
            true => None,
            false => filling.progress.next_head(self.fabric, source, lane, time),
        };
        let bit = u8::only(fifo);
        filling.heads &= !bit;
        filling.always_waiting &= !bit;
        if let Some(head) = head {
            filling.heads |= bit;
            if F::HAS_OPTIONS && self.fabric.is_paced(!self.fabric.is_normal_fifo(fifo)) {
                store.optional[self.local].unacknowledged += 1;
            }
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
            self.wait_at_fifo(fifo, requests_from);
        } else {
            self.present_if(true, C + fifo, head.packet);
        }
    }

    /// Lets the head of a real FIFO ask, now or when its time has come.
    fn show_head_of_fifo(&mut self, fifo: usize, now: u64) {
        let software = &self.store.software[self.local];
        F::set_quarter(&mut self.node.quarters, C + fifo, software.quarter(self.fabric, fifo));
        if self.node.injecting.has(C + fifo) {
            return;
        }
        let Some(head) = software.head(fifo) else { return };
        if head.requests_from > now {
            self.wait_at_fifo(fifo, head.requests_from);
        } else {
            let packet = head.stored.packet;
            self.present_if(true, C + fifo, packet);
        }
    }

    /// Nothing happens at an injection FIFO before `time`.
    fn wait_at_fifo(&mut self, fifo: usize, time: u64) {
        let time = (time - self.epoch_start).min(i32::MAX as u64) as i32;
        self.set_injection_event(fifo, time);
    }

    /// Something happens at an injection FIFO at `time`. Software acts at once; a head waits for an idle link.
    #[inline(always)]
    pub(super) fn set_injection_event(&mut self, fifo: usize, time: i32) {
        let is_prompt = self.store.software(self.local).is_some();
        self.node.set_event(Node::<F, P, V, C, S>::INJECTION + fifo, time, true, is_prompt);
    }

    fn run_software(&mut self, now: i32) {
        let now = self.cycle(now);
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

    /// Heads arrive at a receiver.
    #[inline(always)]
    fn arrive(&mut self, port: usize, now: i32, bypass: &mut F::Places) {
        let slot = Node::<F, P, V, C, S>::ARRIVALS + port;
        let mut is_due = true;
        while is_due {
            let time = self.node.times[slot];
            self.node.clear_event(slot);
            let row = self.store.notes(self.store.layout.arrival_notes(self.local, port));
            let Arrival { time, channel, next } = self.node.pending.take_head(port, time, row);
            // SAFETY: the channel is one of the machine's.
            unsafe { is_given(channel < V && port < P) };
            is_due = false;
            if let Some(next) = next {
                self.node.set_event(slot, next.cycles(), true, true);
                is_due = next.cycles() <= now;
            }
            self.enter_queue(port * V + channel, time.cycles() == now, bypass);
        }
    }

    /// A packet whose head has arrived joins its channel's queue; where that is empty, it may pass the buffer by.
    #[inline(always)]
    fn enter_queue(&mut self, place: usize, is_now: bool, bypass: &mut F::Places) {
        let queue = &mut self.node.queues[place];
        queue.flying -= 1;
        queue.held += 1;
        let held = queue.held;
        let packet = self.store.packet(self.packet_index(place, held - 1));
        let may_bypass = (held == 1) & is_now & self.fabric.parameters.router.bypass;
        *bypass |= F::Places::only_if(place, may_bypass);
        self.enter_buffer_if(!may_bypass, place, packet);
        self.present_if(held == 1, place, packet);
    }

    /// A packet counts as being in the buffer, if it is.
    #[inline(always)]
    fn enter_buffer_if(&mut self, is_there: bool, place: usize, packet: Packet) {
        let charge = self.charge_of(place % V, || packet);
        let queue = &mut self.node.queues[place];
        queue.occupied += charge & u8::from(is_there).wrapping_neg();
        let quarter = self.fabric.quarter(place % V, queue.occupied);
        F::set_quarter(&mut self.node.quarters, place, quarter);
    }

    /// Heads that did not pass their buffers by count as being there.
    #[inline(always)]
    pub(super) fn enter_buffers(&mut self, mut places: F::Places) {
        while !places.is_empty() {
            let place = places.first_below::<C>();
            self.enter_buffer_if(true, place, self.store.packet(self.packet_index(place, 0)));
            places = places.without_first();
        }
    }

    /// Where in the slab's arrays the packet of rank `rank` of a channel lies.
    #[inline(always)]
    pub(super) fn packet_index(&self, place: usize, rank: u8) -> usize {
        let layout = &self.store.layout;
        self.first_packet + layout.packet(place, self.node.queues[place].first, rank)
    }

    /// A packet is a head that waits, if it is one.
    #[inline(always)]
    fn present_if(&mut self, is_head: bool, place: usize, packet: Packet) {
        let fabric = self.fabric;
        let is_rigid = fabric.layout.is_rigid(packet) | (self.dynamic_channels() == 0);
        let hints = fabric.layout.hint_bits(packet);
        self.node.present_if(is_head, place, hints, self.ranks(hints), is_rigid);
        if !F::IS_PLAIN && fabric.layout.has_dynamic_only() {
            let is_kept_off = is_head & fabric.layout.is_dynamic_only(packet);
            let unchanged = !F::Places::only_if(place, is_head);
            self.node.dynamic_only =
                (self.node.dynamic_only & unchanged) | F::Places::only_if(place, is_kept_off);
        }
        if F::HAS_OPTIONS && is_head && fabric.has_datelines {
            let has_crossed =
                fabric.escape(packet).is_some_and(|(_, channel)| channel == fabric.escape_channel + 1);
            let crossed = &mut self.store.optional[self.local].crossed;
            *crossed &= !F::Places::only(place);
            *crossed |= F::Places::only_if(place, has_crossed);
        }
        if is_head {
            self.note_copy(place, packet);
        }
        if self.high_priority_channel().is_some() {
            let is_urgent = fabric.layout.is_high_priority(packet);
            self.node.urgent |= F::Places::only_if(place, is_head & is_urgent);
        }
    }

    /// The head of an injection FIFO, which leaves it.
    pub(super) fn leave_injection(&mut self, fifo: usize, now: u64) -> Stored {
        self.node.injecting |= F::Places::only(C + fifo);
        match self.store.software(self.local) {
            Some(software) => software.head(fifo).expect("a granted FIFO has a head").stored,
            None => {
                let head = self.store.heads[self.local * self.store.layout.fifos + fifo];
                let source = self.store.first + self.local as u32;
                Stored { packet: head.packet, offered: head.offered_near(now), handle: 0, source }
            }
        }
    }
}
