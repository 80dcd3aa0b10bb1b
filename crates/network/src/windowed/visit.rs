//! A visit to a node: the cycles in which something may be granted, each with the events up to it.

use super::buffers::{Buffers, Vc};
use super::node::Node;
use super::pending::Pending;
use super::pending::PendingEvent;
use super::sets::{BitSet, Tick, assume};
use super::specialization::Specialization;
use super::store::Store;
use super::timestamped::Timestamped;
use super::wake::Wakes;
use crate::fabric::Fabric;
use crate::node::infinite::lane_of_fifo;
use crate::node::software::Read;
use crate::packet::{Packet, Stored, Tag};

/// A node and its share of the arrays of its subdomain.
pub struct Visit<'a, F: Specialization> {
    /// Its hot state.
    pub(super) node: &'a mut Node<F>,
    /// Its number within the subdomain.
    pub(super) local: usize,
    /// The machine.
    pub(super) fabric: &'a Fabric,
    /// The arrays of the subdomain.
    pub(super) store: &'a mut Store<F>,
    /// The cycle to which the node's times are relative.
    pub(super) epoch_start: u64,
    /// Inputs whose head packets are held back in this cycle by the gap in their receiver's arbitration.
    pub(super) held_by_gap: F::Inputs,
    /// The next wake-up if no link is idle: when a link becomes idle, or for an event that always wakes the node.
    pub(super) next_if_saturated: F::Tick,
    /// The first place of the node in the VC buffers.
    buffers_base: usize,
}

impl<'a, F: Specialization> Visit<'a, F> {
    /// A visit to node number `local` of a subdomain.
    #[inline(always)]
    pub fn new(node: &'a mut Node<F>, local: usize, fabric: &'a Fabric, store: &'a mut Store<F>) -> Self {
        let (epoch_start, buffers_base) = (node.epoch_start(), store.buffers.base(local));
        let (next_if_saturated, held_by_gap) = (F::Tick::NEVER, F::Inputs::default());
        Visit { node, local, fabric, store, epoch_start, held_by_gap, next_if_saturated, buffers_base }
    }

    /// Fills the infinite injection FIFOs for the first time; the node will arbitrate at cycle 0.
    pub fn start(&mut self) {
        self.node.wake = F::Tick::after(0);
        if self.store.endpoints().is_none() {
            for fifo in 0..self.store.layout.fifos {
                self.node.queues.occupied[F::VC_INPUTS + fifo] = 3;
                self.refill(fifo, 0, 0);
            }
        }
    }

    /// Runs the steps before `end`; returns when the next is due. Events that cannot lead to a grant may stay pending.
    #[inline(always)]
    pub fn run(&mut self, end: u64) -> F::Tick {
        let end = (end - self.epoch_start) as i32;
        let mut next = self.next_step();
        while next.cycles() < end {
            let time = next;
            next = match next.cycles() {
                now if self.has_lossy_links() && next < self.next_of_others() => {
                    self.step_links(now).unwrap_or_else(|| self.step(now))
                }
                now if self.is_for_software_alone(next) => self.step_software(now),
                now => self.step(now),
            };
            debug_assert!(next >= time, "a node would run a cycle of the past");
        }
        next
    }

    /// A future cycle, relative to the epoch; see [`Tick::after`] for cycles beyond the range.
    #[inline(always)]
    pub(super) fn tick_of(&self, time: u64) -> F::Tick {
        F::Tick::after((time - self.epoch_start).min(i32::MAX as u64) as i32)
    }

    /// Simulates one cycle: events up to now, software, arbitration. Returns when the next step is due.
    #[inline(always)]
    fn step(&mut self, now: i32) -> F::Tick {
        self.before_events(now);
        let due = F::due(&self.node.times, F::Tick::near(now)) & self.node.armed;
        self.next_if_saturated = F::next(&self.node.times[..F::VC_SLOT], F::Tick::near(now));
        let mut idle = F::links(due) & ((1 << F::PORTS) - 1);
        let bypass = self.apply_events(due, now);
        if self.has_lossy_links() {
            idle = self.run_links(now, idle);
        }
        self.after_events(now);
        if self.earliest_with_software(F::Tick::NEVER).cycles() <= now {
            self.run_software(now);
        }
        self.update_copy_room();
        self.await_buses();
        self.next_if_saturated = self.next_if_saturated.min(self.next_of(self.node.wakes_always));
        let arbitrates_again = self.arbitrate(now, &mut idle, bypass);
        self.node.is_saturated = idle == 0;
        self.node.wake = if arbitrates_again { F::Tick::near(now + 1) } else { self.next_grant(idle) };
        debug_assert!(self.node.wake.cycles() > now, "a node would be woken in the past");
        if F::HAS_OPTIONS && self.fabric.parameters.counts_unblocking {
            self.node.wake = self.node.wake.min(self.next_counted_credits());
        }
        if self.has_lossy_links() {
            self.schedule_links();
        }
        self.next_step()
    }

    /// Applies events before `end` that cannot lead to a grant, so that no arbitration is due.
    pub fn settle(&mut self, end: u64) {
        let now = (end - self.epoch_start).min(i32::MAX as u64) as i32 - 1;
        let due = F::due(&self.node.times, F::Tick::after(now)) & self.node.armed;
        let bypass = self.apply_events(due, now);
        F::enter_buffers(self, bypass);
        if self.has_lossy_links() {
            self.settle_links(end);
        }
    }

    /// A sender's row of pending credit events; empty if there are no rows.
    #[inline(always)]
    fn credit_row(&self, port: usize) -> &[PendingEvent<F::Tick>] {
        let row = self.store.layout.credit_events(self.local, port);
        if F::Pending::HAS_ROWS { &self.store.pending_events[row] } else { &[] }
    }

    /// The time of a sender's first pending credit event, which may have passed.
    #[inline(always)]
    pub(super) fn next_credit_return_of(&self, port: usize) -> F::Tick {
        // SAFETY: `port` is one of the machine's.
        unsafe { assume(port < F::PORTS) };
        self.node.pending.next_credit_return(port, self.credit_row(port))
    }

    /// The pending credit events of a sender, whose times may have passed.
    #[inline(always)]
    pub(super) fn credit_events(&self, port: usize) -> impl Iterator<Item = PendingEvent<F::Tick>> {
        self.node.pending.credits(port, self.credit_row(port), self.fabric.full_packet)
    }

    /// The packet at `index` of the subdomain's arrays is completely in its reception FIFO.
    pub(super) fn reception_ends(&mut self, input: usize, index: usize, now: i32) {
        let (receiver, vc, now) = (input / F::VCS, input % F::VCS, self.cycle(now));
        let bus = self.inputs_of_bus(receiver, vc);
        self.node.to_reception &= !F::Inputs::only(input);
        self.node.bus_blocked &= !bus;
        self.unblock_for_copies(bus);
        let stored = self.store.stored(index, now);
        match self.store.endpoints_mut() {
            Some(endpoints) => {
                endpoints.end_reception(self.fabric, self.local, receiver, stored, now);
                self.update_software_time();
            }
            None => self.deliver(Read { time: now, stored, is_relayed: false }),
        }
    }

    /// Converts one of the node's times to a cycle.
    #[inline(always)]
    pub(super) fn cycle(&self, time: i32) -> u64 {
        self.epoch_start.wrapping_add_signed(time.into())
    }

    /// The inputs that share a VC's bus to the reception FIFOs: normal VCs share one bus, the high-priority VC has
    /// another.
    #[inline(always)]
    pub(super) fn inputs_of_bus(&self, receiver: usize, vc: usize) -> F::Inputs {
        match self.high_priority_vc() {
            Some(high) if high == vc => F::Inputs::only(receiver * F::VCS + high),
            _ => F::Inputs::range(receiver * F::VCS, self.normal_vcs()),
        }
    }

    #[inline(always)]
    pub(super) fn deliver(&mut self, Read { time, stored, is_relayed }: Read) {
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
    }

    /// The tail of a packet has left an injection FIFO, or a head packet may make its first request.
    pub(super) fn injection_event(&mut self, fifo: usize, time: i32, now: i32) {
        let (time, now) = (self.cycle(time), self.cycle(now));
        let bit = F::Inputs::only(F::VC_INPUTS + fifo);
        let has_left = !(self.node.injecting & bit).is_empty();
        self.node.clear_events(F::Slots::only(F::FIFO_SLOT + fifo));
        self.node.injecting &= !bit;
        match self.store.endpoints_mut() {
            Some(endpoints) => {
                if has_left {
                    endpoints.end_leaving(self.local, fifo, now);
                    self.update_software_time();
                }
                self.request_for_head(fifo, now);
            }
            None if has_left => self.refill(fifo, time, now),
            None => self.request_for_infinite_head(fifo, now),
        }
    }

    /// Takes the next head packet of an infinite FIFO from the source; the previous one left at `time`.
    pub(super) fn refill(&mut self, fifo: usize, time: u64, now: u64) {
        let fifo_state = self.store.fifo_state_of(self.local, fifo);
        let has_to_wait = F::HAS_OPTIONS && self.waits_for_acknowledgement(fifo);
        let store = &mut *self.store;
        let source = store.source.as_deref().expect("infinite FIFOs are filled from a source");
        let fifo_state = &mut store.fifo_state[fifo_state];
        let lane = lane_of_fifo(self.fabric, store.first + self.local as u32, fifo);
        let head = match has_to_wait {
            true => None,
            false => fifo_state.progress.next_head(self.fabric, source, lane, time),
        };
        let bit = u8::only(fifo);
        fifo_state.heads &= !bit;
        fifo_state.always_waiting &= !bit;
        if let Some(head) = head {
            fifo_state.heads |= bit;
            if F::HAS_OPTIONS && self.fabric.is_paced(!self.fabric.is_normal_fifo(fifo)) {
                store.optional[self.local].unacknowledged += 1;
            }
            fifo_state.always_waiting |= if fifo_state.progress.previous_ready == 0 { bit } else { 0 };
            store.heads[self.local * store.layout.fifos + fifo] =
                F::Timestamped::new(head.packet, head.offered as u32);
            self.request_for_infinite_head(fifo, now);
        }
    }

    /// Lets the head packet of an infinite FIFO make its request, now or when its time has come.
    fn request_for_infinite_head(&mut self, fifo: usize, now: u64) {
        let store = &*self.store;
        let head = store.heads[self.local * store.layout.fifos + fifo];
        let always_waits = store.fifo_state[store.fifo_state_of(self.local, fifo)].always_waiting.has(fifo);
        let latency = u64::from(self.fabric.parameters.node.injection_latency_cycles);
        // A packet that always waits was there before its predecessor left: only the first of a run waits for the
        // latency.
        let requests_from = latency + if always_waits { 0 } else { head.offered_near(now) };
        if requests_from > now {
            self.schedule_injection_event(fifo, requests_from);
        } else {
            self.request_if(true, F::VC_INPUTS + fifo, head.packet());
        }
    }

    /// Sets the time of a slot's next event, and whether it wakes the node.
    /// `next_if_saturated` is updated here: a later search of the times would have to wait for their stores.
    #[inline(always)]
    pub(super) fn set_event(&mut self, slot: usize, time: F::Tick, wakes: Wakes) {
        self.node.set_event(slot, time, wakes);
        self.next_if_saturated = self.next_if_saturated.min(if wakes.always { time } else { F::Tick::NEVER });
    }

    /// The next event at an injection FIFO is at `time`.
    pub(super) fn schedule_injection_event(&mut self, fifo: usize, time: u64) {
        let is_exact = F::HAS_OPTIONS && self.store.endpoints().is_some();
        self.set_event(F::FIFO_SLOT + fifo, self.tick_of(time), Wakes::of_new_head(is_exact));
    }

    /// The head packet of an injection FIFO will have left it at `left`.
    #[inline(always)]
    pub(super) fn fifo_is_free_at(&mut self, fifo: usize, left: i32) {
        let wakes = match self.store.endpoints() {
            None => {
                let progress = &self.store.fifo_state[self.store.fifo_state_of(self.local, fifo)].progress;
                Wakes::of_infinite_fifo(progress.last_requests_from(self.fabric) <= self.cycle(left))
            }
            Some(_) if F::HAS_OPTIONS => Wakes::of_fifo(true, true),
            Some(endpoints) => {
                let is_followed = endpoints.fifos().head(self.local, fifo).is_some();
                Wakes::of_fifo(is_followed, endpoints.resume(self.local).when_room)
            }
        };
        self.set_event(F::FIFO_SLOT + fifo, F::Tick::near(left), wakes);
    }

    /// A VC of the node.
    #[inline(always)]
    pub(super) fn vc(&self, input: usize) -> Vc {
        Vc { base: self.buffers_base, input, first: self.node.first[input] }
    }

    /// Index, in the buffers, of the packet of rank `rank` in a VC; packets that are leaving do not count.
    #[inline(always)]
    pub(super) fn packet_index(&self, input: usize, rank: u8) -> usize {
        self.store.buffers.index(self.vc(input), rank)
    }

    /// Index of the packet that is leaving a VC, or has just left it.
    #[inline(always)]
    pub(super) fn index_of_leaving(&self, input: usize) -> usize {
        self.store.buffers.index_of_leaving(self.vc(input))
    }

    /// Registers the request of the packet at `input` if it is the head packet.
    #[inline(always)]
    pub(super) fn request_if(&mut self, is_head: bool, input: usize, packet: Packet) {
        let fabric = self.fabric;
        let is_dimension_ordered = fabric.layout.is_dimension_ordered(packet) | (self.adaptive_vcs() == 0);
        let hints = fabric.layout.hint_bits(packet);
        self.node.request_if(is_head, input, hints, self.ranks(hints), is_dimension_ordered);
        if !F::IS_PLAIN && fabric.layout.has_adaptive_only() {
            let is_kept_off = is_head & fabric.layout.is_adaptive_only(packet);
            let unchanged = !F::Inputs::only_if(input, is_head);
            self.node.adaptive_only =
                (self.node.adaptive_only & unchanged) | F::Inputs::only_if(input, is_kept_off);
        }
        if F::HAS_OPTIONS && is_head && fabric.has_datelines {
            let has_crossed = fabric.escape(packet).is_some_and(|(_, vc)| vc == fabric.escape_vc + 1);
            let crossed = &mut self.store.optional[self.local].crossed;
            *crossed &= !F::Inputs::only(input);
            *crossed |= F::Inputs::only_if(input, has_crossed);
        }
        if is_head {
            self.record_copy(input, packet);
        }
        if self.high_priority_vc().is_some() {
            let is_high_priority = fabric.layout.is_high_priority(packet);
            self.node.high_priority |= F::Inputs::only_if(input, is_head & is_high_priority);
        }
    }

    /// The head packet of an injection FIFO, which begins to leave.
    pub(super) fn leave_injection(&mut self, fifo: usize, now: u64) -> Stored {
        self.node.injecting |= F::Inputs::only(F::VC_INPUTS + fifo);
        match self.store.endpoints_mut() {
            Some(endpoints) => endpoints.begin_leaving(self.fabric, self.local, fifo),
            None => {
                let head = self.store.heads[self.local * self.store.layout.fifos + fifo];
                let source = self.store.first + self.local as u32;
                Stored { packet: head.packet(), offered: head.offered_near(now), tag: Tag::default(), source }
            }
        }
    }
}
