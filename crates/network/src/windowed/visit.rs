//! A visit to a node: the cycles at which something may be granted, each with the events up to it.

use super::dated::Dated;
use super::family::Family;
use super::node::Node;
use super::pending::Note;
use super::pending::Pending;
use super::queues::Ways;
use super::sets::{BitSet, Tick, is_given};
use super::store::Store;
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
    /// When the node is to be woken next if no link is idle: when one is, or for an event that it is to be woken for in any
    /// case.
    pub(super) next_if_saturated: F::Tick,
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
        let (next_if_saturated, held_back) = (F::Tick::NEVER, F::Places::default());
        Visit { node, local, fabric, store, epoch_start, held_back, next_if_saturated, first_packet }
    }

    /// Fills the infinite injection FIFOs for the first time; the node will arbitrate at cycle 0.
    pub fn start(&mut self) {
        self.node.wake = F::Tick::after(0);
        if self.store.software.is_empty() {
            for fifo in 0..self.store.layout.fifos {
                self.node.queues.occupied[C + fifo] = 3;
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
        let due = F::due(&self.node.times, F::Tick::near(now)) & self.node.armed;
        self.next_if_saturated =
            F::next(&self.node.times[..Node::<F, P, V, C, S>::CHANNELS], F::Tick::near(now));
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
        self.await_buses();
        self.next_if_saturated = self.next_if_saturated.min(self.next_of(self.node.prompt));
        let is_again = self.arbitrate(now, &mut idle, bypass);
        self.node.is_saturated = idle == 0;
        self.node.wake = if is_again { F::Tick::near(now + 1) } else { self.next_grant(idle) };
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
        let due = F::due(&self.node.times, F::Tick::after(now)) & self.node.armed;
        let bypass = self.apply_events(due, now);
        self.enter_buffers(bypass);
        if self.has_noisy_links() {
            self.settle_links(end);
        }
    }

    /// The next cycle at which something could be granted, `idle` links being left over now.
    #[inline(always)]
    fn next_grant(&self, idle: u32) -> F::Tick {
        let node = &*self.node;
        if idle == 0 {
            return self.next_if_saturated;
        }
        let links = &node.times[..Node::<F, P, V, C, S>::CHANNELS];
        let awaited = self.wanted() & !idle;
        let wake = match awaited {
            0 => F::Tick::NEVER,
            _ => F::earliest(links, F::slots_of_links(awaited) & node.armed),
        };
        if node.stalled == 0 {
            return wake.min(self.next_of(node.eager));
        }
        let eager = node.eager & !self.leaving_in_vain(awaited as u8);
        wake.min(self.next_tokens()).min(self.next_of(eager | node.prompt))
    }

    /// The channels of whose becoming free nothing comes, while links are stalled: what those want who are heads or have a
    /// path then is shut, or `awaited` by others, so that the node is woken without that when it is idle again.
    #[inline(always)]
    fn leaving_in_vain(&self, awaited: u8) -> F::Slots {
        if !F::IS_PLAIN {
            return F::Slots::default();
        }
        let shut = self.node.shut & self.node.stalled as u8;
        let ways = Ways {
            any: !(awaited | shut),
            escape: shut & self.node.escapable,
            straight_on: (shut, &self.store.layout.straight_on),
        };
        let (heads, next_heads) = F::having_ways(&self.node.queues, &ways);
        let of_use = next_heads | (heads & self.node.path_blocked).groups::<V>(P);
        F::slots_of_places(F::Places::range(0, C) & !of_use) << Node::<F, P, V, C, S>::CHANNELS
    }

    /// When the next event of some slots is due, links not among them.
    #[inline(always)]
    fn next_of(&self, slots: F::Slots) -> F::Tick {
        let first = Node::<F, P, V, C, S>::CHANNELS;
        F::earliest(&self.node.times[first..], (slots & self.node.armed) >> first)
    }

    /// When the next tokens come back that a head waits for.
    fn next_tokens(&self) -> F::Tick {
        if !F::Pending::HAS_ROWS {
            return self.node.pending.next_tokens_of(self.node.stalled.into());
        }
        let mut next = F::Tick::NEVER;
        for port in self.node.stalled.iter() {
            next = next.min(self.next_tokens_of(port));
        }
        next
    }

    /// A sender's row of notes; empty where there are none.
    #[inline(always)]
    fn token_row(&self, port: usize) -> &[Note<F::Tick>] {
        let row = self.store.layout.token_notes(self.local, port);
        if F::Pending::HAS_ROWS { &self.store.notes[row] } else { &[] }
    }

    /// When the first tokens come back to a sender, or have come back.
    #[inline(always)]
    pub(super) fn next_tokens_of(&self, port: usize) -> F::Tick {
        // SAFETY: a port is one of the machine's.
        unsafe { is_given(port < P) };
        self.node.pending.next_tokens(port, self.token_row(port))
    }

    /// The notes of tokens that come back, or have come back, to a sender.
    #[inline(always)]
    pub(super) fn token_notes(&self, port: usize) -> impl Iterator<Item = Note<F::Tick>> {
        self.node.pending.tokens(port, self.token_row(port), self.fabric.full_packet)
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

    /// Whether the node has to be woken when the bus to the reception FIFOs is free that the head at `place` takes: always,
    /// but on plain machines only if another head waits for it.
    #[inline(always)]
    pub(super) fn is_bus_awaited(&self, place: usize) -> bool {
        let others = self.places_of_bus(place / V, place % V) & !F::Places::only(place);
        !F::IS_PLAIN || !(F::arrived(&self.node.queues.wishes) & others).is_empty()
    }

    /// Sees to it that the node is woken when the buses are free that heads wait for.
    #[inline(always)]
    fn await_buses(&mut self) {
        if F::IS_PLAIN {
            let waiting = F::arrived(&self.node.queues.wishes) & self.node.bus_blocked;
            if !waiting.is_empty() {
                let awaited = self.node.to_reception & waiting.groups::<V>(P);
                let slots = F::slots_of_places(awaited) << Node::<F, P, V, C, S>::CHANNELS;
                self.node.prompt |= slots;
                self.node.eager |= slots;
            }
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
        store.totals.digest.record(
            time,
            node,
            self.fabric.ports,
            0,
            self.fabric.layout.identity(stored.packet) ^ stored.offered,
        );
        self.node.counters.delivered += 1;
        if store.source.is_none() {
            store.deliveries.push(Delivery { time, node, handle: stored.handle, chunks });
        }
    }

    /// An injection FIFO has lost its head, tail and all, or has a head that may ask for the first time.
    pub(super) fn injection_event(&mut self, fifo: usize, time: i32, now: i32) {
        let (time, now) = (self.cycle(time), self.cycle(now));
        let bit = F::Places::only(C + fifo);
        let has_left = !(self.node.injecting & bit).is_empty();
        self.node.clear_events(F::Slots::only(Node::<F, P, V, C, S>::INJECTION + fifo));
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
            store.heads[self.local * store.layout.fifos + fifo] =
                F::Dated::new(head.packet, head.offered as u32);
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
            self.present_if(true, C + fifo, head.packet());
        }
    }

    /// Lets the head of a real FIFO ask, now or when its time has come.
    fn show_head_of_fifo(&mut self, fifo: usize, now: u64) {
        let software = &self.store.software[self.local];
        self.node.queues.occupied[C + fifo] = software.quarter(self.fabric, fifo);
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

    /// Sets when a slot has its next event; whether the node is to be woken for it if a link is idle, or always. What is
    /// known of the next event is kept beside the times: to find it among them again would have to wait for their stores.
    #[inline(always)]
    pub(super) fn set_event(&mut self, slot: usize, time: F::Tick, eager: bool, prompt: bool) {
        self.node.set_event(slot, time, eager, prompt);
        self.next_if_saturated = self.next_if_saturated.min(if prompt { time } else { F::Tick::NEVER });
    }

    /// Nothing happens at an injection FIFO before `time`.
    fn wait_at_fifo(&mut self, fifo: usize, time: u64) {
        self.set_injection_event(fifo, self.tick_of(time), true);
    }

    /// The head of an injection FIFO will have left it at `left`. Of an infinite FIFO the next head
    /// asks no earlier than the last one taken of its lane, for which the node is woken, as another FIFO has it.
    #[inline(always)]
    pub(super) fn fifo_is_free_at(&mut self, fifo: usize, left: i32) {
        let is_eager = self.store.software(self.local).is_some() || {
            let progress = &self.store.filling[self.store.filling_of(self.local, fifo)].progress;
            progress.last_asks_from(self.fabric) <= self.cycle(left)
        };
        self.set_injection_event(fifo, F::Tick::near(left), is_eager);
    }

    /// Something happens at an injection FIFO at `time`. Software acts at once; a head waits for an idle link.
    #[inline(always)]
    fn set_injection_event(&mut self, fifo: usize, time: F::Tick, is_eager: bool) {
        let is_prompt = self.store.software(self.local).is_some();
        self.set_event(Node::<F, P, V, C, S>::INJECTION + fifo, time, is_eager, is_prompt);
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

    /// Where in the slab's arrays the packet of rank `rank` of a channel lies, of those that are not leaving.
    #[inline(always)]
    pub(super) fn packet_index(&self, place: usize, rank: u8) -> usize {
        self.first_packet + self.store.layout.packet(place, self.node.first[place].wrapping_add(rank))
    }

    /// Where the packet lies that is leaving a channel, or has just left it.
    #[inline(always)]
    pub(super) fn index_of_leaving(&self, place: usize) -> usize {
        self.first_packet + self.store.layout.packet(place, self.node.first[place].wrapping_sub(1))
    }

    /// A packet is a head that waits, if it is one.
    #[inline(always)]
    pub(super) fn present_if(&mut self, is_head: bool, place: usize, packet: Packet) {
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
                Stored { packet: head.packet(), offered: head.offered_near(now), handle: 0, source }
            }
        }
    }
}
