//! Events at injection FIFOs: a packet has left, the next one makes its request. FIFOs of generated traffic without
//! software are infinite: their head packets come from the source.

use super::options;
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::timestamped::Timestamped;
use super::visit::Visit;
use super::wake_priority::WakePriority;
use network::node::infinite::lane_of_fifo;
use network::packet::{Stored, Tag};

impl<F: Specialization> Visit<'_, F> {
    /// Applies the events of some injection FIFOs in time order: the earliest FIFO takes the node's next packet.
    pub(super) fn injection_events(&mut self, mut fifos: u8, now: i32) {
        while fifos != 0 {
            let time_of = |fifo: &usize| self.node.times[F::FIFO_SLOT + fifo];
            let first = fifos.iter().min_by_key(time_of).expect("some are left");
            let time = time_of(&first).cycles();
            fifos &= !u8::only(first);
            self.injection_event(first, time, now);
        }
    }

    /// The tail of a packet has left an injection FIFO, or a head packet may make its first request.
    fn injection_event(&mut self, fifo: usize, time: i32, now: i32) {
        let (time, now) = (self.cycle(time), self.cycle(now));
        let bit = F::Inputs::only(F::VC_INPUTS + fifo);
        let has_left = !(self.node.injecting & bit).is_empty();
        self.node.clear_events(F::Slots::only(F::FIFO_SLOT + fifo));
        self.node.injecting &= !bit;
        match self.store.endpoints_mut() {
            Some(endpoints) => {
                if has_left {
                    endpoints.end_leaving(self.local, fifo, now);
                    self.software_is_resumed();
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
        let may_refill = options::may_refill(self, fifo);
        let store = &mut *self.store;
        let source = store.source.as_deref().expect("infinite FIFOs are filled from a source");
        let fifo_state = &mut store.fifo_state[fifo_state];
        let lane = lane_of_fifo(self.fabric, store.first + self.local as u32, fifo);
        let head = match may_refill {
            true => fifo_state.progress.next_head(self.fabric, source, lane, time),
            false => None,
        };
        let bit = u8::only(fifo);
        fifo_state.heads &= !bit;
        fifo_state.always_waiting &= !bit;
        if let Some(head) = head {
            fifo_state.heads |= bit;
            fifo_state.always_waiting |= if fifo_state.progress.previous_ready == 0 { bit } else { 0 };
            store.heads[self.local * store.layout.fifos + fifo] =
                F::Timestamped::new(head.packet, store.far.store(head.offered, now));
            options::has_refilled(self, fifo);
            self.request_for_infinite_head(fifo, now);
        }
    }

    /// The cycle in which the head packet of an infinite FIFO makes its first request, as known at `now`.
    #[inline(always)]
    fn infinite_head_requests_from(&self, fifo: usize, now: u64) -> u64 {
        let store = &*self.store;
        let head = store.heads[self.local * store.layout.fifos + fifo];
        let always_waits = store.fifo_state[store.fifo_state_of(self.local, fifo)].always_waiting.has(fifo);
        let latency = u64::from(self.fabric.parameters.node.injection_latency_cycles);
        // A packet that always waits was present before its predecessor left: only the first of a run waits for the
        // latency.
        latency + if always_waits { 0 } else { store.far.cycle(head.offered(), now) }
    }

    /// Infinite FIFOs whose next event lies beyond the times that a node can represent.
    pub(super) fn late_fifos(&self) -> u8 {
        let fifos = if self.store.heads.is_empty() { 0 } else { self.store.layout.fifos };
        let is_late = |fifo: &usize| {
            let slot = F::FIFO_SLOT + fifo;
            self.node.is_pending(slot) && self.node.times[slot] == F::Tick::LATEST
        };
        (0..fifos).filter(is_late).fold(0, |set, fifo| set | u8::only(fifo))
    }

    /// The first request of one of these late FIFOs.
    pub(super) fn next_late_request(&self, now: u64) -> Option<u64> {
        self.late_fifos().iter().map(|fifo| self.infinite_head_requests_from(fifo, now)).min()
    }

    /// Rebases the times of FIFOs that were late in another epoch to the present one. It also rebases the time of the
    /// node, if it waits for them alone.
    pub(super) fn restate(&mut self, late: u8, is_late: bool, now: u64) {
        let mut first = F::Tick::NEVER;
        for fifo in late.iter() {
            let time = self.infinite_head_requests_from(fifo, now).max(self.epoch_start);
            self.node.times[F::FIFO_SLOT + fifo] = self.tick_of(time);
            first = first.min(self.tick_of(time));
        }
        if is_late && late != 0 {
            self.node.wake = first;
        }
    }

    /// Lets the head packet of an infinite FIFO make its request, now or at its time.
    fn request_for_infinite_head(&mut self, fifo: usize, now: u64) {
        let requests_from = self.infinite_head_requests_from(fifo, now);
        if requests_from > now {
            self.schedule_injection_event(fifo, requests_from);
        } else {
            options::before_first_request(self, fifo, now);
            let head = self.store.heads[self.local * self.store.layout.fifos + fifo];
            self.request_if(true, F::VC_INPUTS + fifo, head.packet());
        }
    }

    /// Lets the head packet of a FIFO filled by software make its request, now or at its time.
    pub(super) fn request_for_head(&mut self, fifo: usize, now: u64) {
        let Some(endpoints) = self.store.endpoints() else { return };
        self.node.queues.occupied[F::VC_INPUTS + fifo] = endpoints.fifos().quarter(self.local, fifo);
        if self.node.injecting.has(F::VC_INPUTS + fifo) {
            return;
        }
        let Some(head) = endpoints.fifos().head(self.local, fifo) else { return };
        if head.requests_from > now {
            self.schedule_injection_event(fifo, head.requests_from);
        } else {
            let packet = head.stored.packet;
            self.request_if(true, F::VC_INPUTS + fifo, packet);
        }
    }

    /// Schedules the next event at an injection FIFO for `time`.
    fn schedule_injection_event(&mut self, fifo: usize, time: u64) {
        let is_exact = F::HAS_OPTIONS && (self.store.endpoints().is_some() || self.has_detours());
        self.set_event(F::FIFO_SLOT + fifo, self.tick_of(time), WakePriority::of_new_head(is_exact));
    }

    /// Records that the head packet of an injection FIFO will have left it at `left`.
    #[inline(always)]
    pub(super) fn fifo_is_free_at(&mut self, fifo: usize, left: i32) {
        let wakes = match self.store.endpoints() {
            None => {
                let progress = &self.store.fifo_state[self.store.fifo_state_of(self.local, fifo)].progress;
                WakePriority::of_infinite_fifo(
                    progress.last_requests_from(self.fabric) <= self.cycle(left),
                    self.has_detours(),
                )
            }
            Some(_) if F::HAS_OPTIONS => WakePriority::of_fifo(true, true),
            Some(endpoints) => {
                let is_followed = endpoints.fifos().head(self.local, fifo).is_some();
                if endpoints.resume(self.local).when_room >> fifo & 1 == 1 {
                    self.software_awaits(F::Tick::near(left));
                }
                WakePriority::of_fifo(is_followed, false)
            }
        };
        self.set_event(F::FIFO_SLOT + fifo, F::Tick::near(left), wakes);
    }

    /// The head packet of an injection FIFO, which begins to leave.
    pub(super) fn leave_injection(&mut self, fifo: usize, now: u64) -> Stored {
        self.node.injecting |= F::Inputs::only(F::VC_INPUTS + fifo);
        match self.store.endpoints_mut() {
            Some(endpoints) => endpoints.begin_leaving(self.fabric, self.local, fifo),
            None => {
                let head = self.store.heads[self.local * self.store.layout.fifos + fifo];
                let source = self.store.first + self.local as u32;
                let offered = self.store.far.take(head.offered(), now);
                Stored { packet: head.packet(), offered, tag: Tag::default(), source }
            }
        }
    }
}
