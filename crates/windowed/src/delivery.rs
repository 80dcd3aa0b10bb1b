//! The delivery, in batches, of the events that nodes have sent: they are recorded, with their times, at the nodes that
//! receive them.

use super::buffers::Buffers;
use super::options;
use super::outgoing::RemoteEvent;
use super::pending::{Pending, PendingEvent};
use super::queues::NextHeadRequests;
use super::sets::{BitSet, Tick, assume};
use super::steps::Steps;
use super::subdomain::Subdomain;
use super::wake_priority::WakePriority;
use base::memory;
use network::collective::Signal;
use network::node::software::Announcement;
use std::hint::select_unpredictable;

impl<F: Steps> Subdomain<F> {
    /// Delivers the events that nodes have sent. The last `in_flight` events of each kind stay, as their receivers may
    /// not be in the cache yet.
    #[inline(always)]
    pub(super) fn deliver(&mut self, in_flight: usize) {
        let mut outgoing = std::mem::take(&mut self.store.outgoing);
        let heads = outgoing.heads.deliver(in_flight);
        if self.outgrows_cache {
            heads.iter().for_each(|event| self.prefetch_room(event));
        }
        for event in heads {
            match self.local(event.node) {
                Some(local) => self.receive_arrival(local, event),
                None => self.outgoing_queue.events.push(*event),
            }
        }
        for event in outgoing.credits.deliver(in_flight) {
            match self.local(event.node) {
                Some(local) => self.receive_credits(local, event),
                None => self.outgoing_queue.events.push(*event),
            }
        }
        self.store.outgoing = outgoing;
    }

    /// Passes on the announcements of this window: no packet arrives before the next.
    pub(super) fn deliver_announcements(&mut self) {
        let mut announced = std::mem::take(&mut self.store.outgoing.announcements);
        for announcement in announced.drain(..) {
            match self.local(announcement.node).is_some() {
                true => self.receive_announcement(&announcement),
                false => self.outgoing_queue.announcements.push(announcement),
            }
        }
        self.store.outgoing.announcements = announced;
    }

    /// Passes on the signals that collective networks have sent in this window; they take effect in a later one.
    pub(super) fn deliver_signals(&mut self) {
        if self.store.outgoing.signals.is_empty() {
            return;
        }
        let mut signals = std::mem::take(&mut self.store.outgoing.signals);
        for signal in signals.drain(..) {
            match self.local(signal.node) {
                Some(_) => self.receive_signal(&signal),
                None => self.outgoing_queue.signals.push(signal),
            }
        }
        self.store.outgoing.signals = signals;
    }

    /// Receives a signal of any node; its time lies in a later window.
    pub fn receive_signal(&mut self, signal: &Signal) {
        let local = (signal.node - self.store.first) as usize;
        self.enter_epoch(local);
        let endpoints = self.store.endpoints_mut().expect("software sends to software");
        endpoints.receive_signal(local, signal);
        self.update_software_time(local);
        self.mark_next(local);
    }

    /// Passes an announcement to the software of one of these nodes.
    pub fn receive_announcement(&mut self, announcement: &Announcement) {
        let local = (announcement.node - self.store.first) as usize;
        let endpoints = self.store.endpoints_mut().expect("software announces to software");
        endpoints.receive(local, announcement);
    }

    /// Receives an event from a node of another subdomain; its time lies in a later window.
    pub fn receive(&mut self, event: &RemoteEvent<F::Metadata>) {
        let local = (event.node - self.store.first) as usize;
        if event.is_arrival() {
            self.receive_arrival(local, event);
        } else if !options::receives(self, local, event) {
            self.receive_credits(local, event);
        }
    }

    #[inline(always)]
    fn receive_arrival(&mut self, local: usize, event: &RemoteEvent<F::Metadata>) {
        if !options::accepts(self, local, event) {
            return;
        }
        let time = self.time_of(local, event);
        let (is_to_wake, time) = self.record_arrival(local, event, time);
        self.wake_if(is_to_wake, local, time);
    }

    #[inline(always)]
    fn receive_credits(&mut self, local: usize, event: &RemoteEvent<F::Metadata>) {
        let time = self.time_of(local, event);
        if self.record_credits(local, event, time) {
            self.wake_if(true, local, time);
        }
    }

    /// The time of an event, relative to the epoch of its receiver.
    #[inline(always)]
    fn time_of(&mut self, local: usize, event: &RemoteEvent<F::Metadata>) -> i32 {
        // SAFETY: an event is delivered to the subdomain of its node.
        unsafe { assume(local < self.nodes.len()) };
        self.enter_epoch(local);
        (event.time - self.nodes[local].epoch_start()) as i32
    }

    /// Records the arrival of a packet's head; returns whether, and when, the node is to be woken for it.
    #[inline(always)]
    fn record_arrival(&mut self, local: usize, event: &RemoteEvent<F::Metadata>, time: i32) -> (bool, i32) {
        let (port, input) = (event.port as usize, event.port as usize * F::VCS + event.vc as usize);
        // SAFETY: an event names a port and a VC of the machine.
        unsafe { assume(port < F::PORTS && (event.vc as usize) < F::VCS && input < F::VC_INPUTS) };
        let layout = &self.store.layout;
        let slot = F::ARRIVAL_SLOT + port;
        let leaves_before = F::VC_SLOT + input;
        let row = layout.arrival_events(local, port);
        let node = &self.nodes[local];
        let vc = self.vc(local, input);
        let packets = node.count[input] + u8::from(node.is_pending(leaves_before));
        let is_full = self.store.buffers.is_full(vc, packets);
        let has_room =
            node.pending.has_room_for_arrival(port, !node.is_pending(slot), self.store.pending_events(row));
        if is_full | !has_room {
            self.settle_node(local, self.window_start());
        }
        let layout = &self.store.layout;
        let node = &mut self.nodes[local];
        let (count, is_left) = (node.count[input], node.is_pending(leaves_before));
        debug_assert!(
            usize::from(count) < self.fabric.packet_capacity(event.vc.into()),
            "a VC buffer overflows"
        );
        debug_assert!(!self.store.buffers.is_full(vc, count + u8::from(is_left)), "a ring overflows");
        self.store.buffers.push(vc, count, event);
        node.count[input] += 1;
        let is_first = !node.is_pending(slot);
        let row = layout.arrival_events(local, port);
        let row = self.store.pending_events(row);
        assert!(
            node.pending.has_room_for_arrival(port, is_first, row),
            "too many pending arrivals for a link"
        );
        node.pending.record_arrival(port, F::Tick::near(time), event.vc, row);
        if is_first {
            node.times[slot] = F::Tick::near(time);
            node.armed |= F::Slots::only(slot);
        }
        let hints = self.fabric.layout.hint_bits(event.packet);
        let is_head = count == 0;
        node.queues
            .next_head_requests
            .set_if(is_head, input, || self.fabric.layout.request_vector(event.packet));
        // Behind a single packet that is leaving, this packet becomes the head packet when that one has left.
        let left = node.times[leaves_before];
        let waits_for_it = is_head & is_left & (left >= F::Tick::near(time));
        // Selected without branches, which would be unpredictable.
        let slot = select_unpredictable(waits_for_it, leaves_before, slot);
        let time = select_unpredictable(waits_for_it, left.cycles(), time);
        let wakes = WakePriority::of_arrival(is_head, hints == 0, is_first);
        node.raise_wake_priority(slot, wakes);
        (wakes.always | (wakes.if_idle & !node.is_saturated), time)
    }

    /// Records returned credits; returns whether the node is to be woken for them.
    #[inline(always)]
    fn record_credits(&mut self, local: usize, event: &RemoteEvent<F::Metadata>, time: i32) -> bool {
        let port = event.port as usize;
        // SAFETY: an event names a port of the machine.
        unsafe { assume(port < F::PORTS) };
        let window_start = self.window_start();
        let node = &mut self.nodes[local];
        let past = F::Tick::after((window_start - node.epoch_start()) as i32 - 1);
        let entry = PendingEvent { time: F::Tick::near(time), vc: event.vc, credits: event.credits };
        let row = self.store.layout.credit_events(local, port);
        node.record_credits(port, entry, past, self.store.pending_events(row));
        options::wakes_for_credits::<F>(&self.fabric) | self.nodes[local].is_stalled(port)
    }

    /// Wakes a node at `time`, which lies in a later window, if `is_to_wake`.
    #[inline(always)]
    fn wake_if(&mut self, is_to_wake: bool, local: usize, time: i32) {
        let node = &mut self.nodes[local];
        let is_earlier = node.wake_by(is_to_wake, time);
        let time = node.epoch_start().wrapping_add_signed(time.into());
        self.mark_if(is_earlier, local, time);
    }

    /// Prefetches the data that the arrival of a packet accesses.
    #[inline(always)]
    pub(super) fn prefetch_for_arrival(&self, local: usize, event: &RemoteEvent<F::Metadata>) {
        let node = &self.nodes[local];
        memory::line(&node.times[0]);
        memory::line(&node.armed);
        memory::line(&node.count[0]);
        memory::line(&node.queues);
        memory::line(&node.first[0]);
        memory::lines(&self.store.pending_events[self.store.layout.arrival_events(local, event.port.into())]);
    }

    /// Prefetches the slot for an arriving packet, whose node is in the cache by now.
    #[inline(always)]
    fn prefetch_room(&self, event: &RemoteEvent<F::Metadata>) {
        if let Some(local) = self.local(event.node) {
            let node = &self.nodes[local];
            let input = event.port as usize * F::VCS + event.vc as usize;
            // SAFETY: an event names a port and a VC of the machine.
            unsafe { assume(input < F::VC_INPUTS) };
            let vc = self.vc(local, input);
            self.store.buffers.prefetch_push(vc, node.count[input]);
        }
    }

    /// Prefetches the data that returned credits access.
    #[inline(always)]
    pub(super) fn prefetch_for_credits(&self, local: usize, event: &RemoteEvent<F::Metadata>) {
        let node = &self.nodes[local];
        memory::line(&node.armed);
        memory::line(node.pending.lane(event.port.into()));
        memory::line(&node.credits[0]);
        memory::lines(&self.store.pending_events[self.store.layout.credit_events(local, event.port.into())]);
    }
}
