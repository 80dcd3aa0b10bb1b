//! A subdomain: consecutively numbered nodes, all their state, and the windows in which they are visited.

use super::buffers::{Buffers, Vc};
use super::calendar::{self, Calendar};
use super::node::Node;
use super::outgoing::{ACKNOWLEDGEMENT, LINK_ACK, LOST_FRAME, Outgoing, RemoteEvent, RemoteEvents};
use super::pending::{Pending, PendingEvent};
use super::queues::NextHeadRequests;
use super::sets::{BitSet, Tick, assume};
use super::specialization::Specialization;
use super::store::Store;
use super::vector::{Kernel, Vectors};
use super::visit::Visit;
use super::wake::Wakes;
use super::windows::Windows;
use crate::fabric::Fabric;
use crate::memory;
use crate::node::software::Announcement;
use crate::traffic::Traffic;
use geometry::Direction;
use std::cmp::Reverse;
use std::hint::select_unpredictable;
use std::sync::Arc;

/// Size of a subdomain, in bytes, up to which it stays in the cache of a present-day core.
const CACHE_BYTES: usize = 1 << 20;

/// How many active nodes ahead memory is prefetched: far enough for the data to arrive, near enough for it to stay.
const PREFETCH_AHEAD: usize = 8;

/// How many events of each kind wait for their receivers to be in the cache.
const EVENTS_HELD_BACK: usize = 24;

/// Nodes `store.first..store.first + nodes.len()` of the network.
pub struct Subdomain<F: Specialization> {
    /// Their hot state.
    pub nodes: Vec<Node<F>>,
    fabric: Arc<Fabric>,
    /// Their other state.
    pub store: Store<F>,
    calendar: Calendar,
    windows: Windows,
    /// Whether memory has to be prefetched.
    outgrows_cache: bool,
    /// The epoch of the current window.
    epoch: u32,
    /// The nodes of the current window; kept to reuse the allocation.
    active: Vec<u32>,
    /// What goes to nodes of other subdomains.
    pub outgoing_queue: RemoteEvents<F::Metadata>,
}

impl<F: Specialization> Subdomain<F> {
    /// Nodes `first..first + count` at rest at cycle 0.
    pub fn new(fabric: &Arc<Fabric>, traffic: &Traffic, first: u32, count: u32) -> Self {
        let mut nodes = memory::room_for(count as usize);
        nodes.extend((first..first + count).map(|number| new_node(fabric, number)));
        let mut subdomain = Subdomain {
            nodes,
            fabric: fabric.clone(),
            store: Store::new(fabric, traffic, first, count),
            calendar: Calendar::starting(count as usize, 0),
            windows: Windows::of(fabric),
            outgrows_cache: false,
            epoch: 0,
            active: Vec::new(),
            outgoing_queue: RemoteEvents::default(),
        };
        subdomain.outgrows_cache = subdomain.bytes() > CACHE_BYTES;
        for local in 0..subdomain.nodes.len() {
            Visit::new(&mut subdomain.nodes[local], local, fabric, &mut subdomain.store).start();
        }
        subdomain.rebuild_calendar(0);
        subdomain
    }

    /// Rebuilds the calendar from the state of the nodes at cycle `now`.
    pub fn rebuild_calendar(&mut self, now: u64) {
        self.calendar = Calendar::starting(self.nodes.len(), self.windows.number(now));
        self.epoch = self.epoch_of_window();
        for local in 0..self.nodes.len() {
            // Times of a restored node that has long been idle may be out of the range of its epoch.
            self.enter_epoch(local);
            self.update_software_time(local);
            self.mark_next(local);
        }
    }

    /// The epoch of the current window.
    fn epoch_of_window(&self) -> u32 {
        (self.window_start() / F::Tick::EPOCH_CYCLES as u64) as u32
    }

    /// Number of the subdomain's first node.
    pub fn first(&self) -> u32 {
        self.store.first
    }

    /// Marks a node for the window that contains `time`.
    #[inline(always)]
    pub(super) fn mark(&mut self, local: usize, time: u64) {
        self.mark_if(true, local, time);
    }

    /// The same if `condition`.
    #[inline(always)]
    pub(super) fn mark_if(&mut self, condition: bool, local: usize, time: u64) {
        self.calendar.mark_if(condition, self.windows.number(time), local);
    }

    /// The window of the next event.
    pub fn next_window(&self) -> Option<u64> {
        self.calendar.next_window()
    }

    /// The first cycle of the window of `now`.
    pub(super) fn window_start_at(&self, now: u64) -> u64 {
        self.windows.start(self.windows.number(now))
    }

    /// The first cycle of the current window.
    fn window_start(&self) -> u64 {
        self.windows.start(self.calendar.window())
    }

    /// Marks a node for the window that contains a time of its epoch.
    #[inline(always)]
    pub(super) fn mark_at(&mut self, local: usize, next: F::Tick) {
        if next != F::Tick::NEVER {
            let start = self.nodes[local].epoch_start();
            self.mark(local, start.wrapping_add_signed(next.cycles().into()));
        }
    }

    /// Simulates the part of `window` before `end`, node by node in order of their numbers.
    pub fn run_window(&mut self, window: u64, end: u64) {
        F::Processor::run(Window { subdomain: self, window, end });
    }

    #[inline(always)]
    fn visit_nodes(&mut self, window: u64, end: u64) {
        for local in self.calendar.enter(window) {
            self.mark_next(local as usize);
        }
        self.epoch = self.epoch_of_window();
        let mut active = std::mem::take(&mut self.active);
        self.calendar.take_window(&mut active);
        for (number, &local) in active.iter().enumerate() {
            if self.outgrows_cache
                && let Some(&ahead) = active.get(number + PREFETCH_AHEAD)
            {
                self.prefetch_visit(ahead as usize);
            }
            self.visit(local as usize, end);
            let Outgoing { heads, credits, .. } = &self.store.outgoing;
            if heads.is_due(EVENTS_HELD_BACK) | credits.is_due(EVENTS_HELD_BACK) {
                self.deliver(EVENTS_HELD_BACK);
            }
        }
        self.deliver(0);
        if F::HAS_OPTIONS {
            self.deliver_acknowledgements();
            self.deliver_link_acks();
        }
        if !F::IS_PLAIN {
            self.deliver_announcements();
        }
        self.active = active;
    }

    /// Prefetches what a visit is likely to access.
    #[inline(always)]
    fn prefetch_visit(&self, local: usize) {
        memory::lines(&self.nodes[local..local + 1]);
        self.store.buffers.prefetch_node(local);
        self.store.links.prefetch(local);
    }

    /// Prefetches what the arrival of a packet accesses.
    #[inline(always)]
    fn prefetch_for_arrival(&self, local: usize, event: &RemoteEvent<F::Metadata>) {
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

    /// Prefetches what returned credits access.
    #[inline(always)]
    fn prefetch_for_credits(&self, local: usize, event: &RemoteEvent<F::Metadata>) {
        let node = &self.nodes[local];
        memory::line(&node.armed);
        memory::line(node.pending.lane(event.port.into()));
        memory::line(&node.credits[0]);
        memory::lines(&self.store.pending_events[self.store.layout.credit_events(local, event.port.into())]);
    }

    /// Visits a node up to `end`, and prefetches the state of the nodes that will receive its events.
    #[inline(always)]
    fn visit(&mut self, local: usize, end: u64) {
        // SAFETY: the calendar holds only nodes of the subdomain.
        unsafe { assume(local < self.nodes.len()) };
        let Outgoing { heads, credits, .. } = &self.store.outgoing;
        let positions = (heads.position(), credits.position());
        self.enter_epoch(local);
        let next = Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).run(end);
        match F::HAS_OPTIONS {
            true => self.mark_next(local),
            false => self.mark_at(local, next),
        }
        if self.outgrows_cache {
            let Outgoing { heads, credits, .. } = &self.store.outgoing;
            // Most visits on plain machines send something, and a branch on that would be unpredictable.
            for event in heads.latest(positions.0, F::IS_PLAIN) {
                if let Some(local) = self.local(event.node) {
                    self.prefetch_for_arrival(local, event);
                }
            }
            for event in credits.latest(positions.1, F::IS_PLAIN) {
                if let Some(local) = self.local(event.node) {
                    self.prefetch_for_credits(local, event);
                }
            }
        }
    }

    /// Makes a node count its times from the current epoch.
    #[inline(always)]
    fn enter_epoch(&mut self, local: usize) {
        if self.nodes[local].epoch != self.epoch {
            self.change_epoch(local);
        }
    }

    /// Events of the past are applied first, as the change of epoch discards their times.
    #[cold]
    fn change_epoch(&mut self, local: usize) {
        self.settle_node(local, self.window_start());
        let pending_events = &mut self.store.pending_events[self.store.layout.pending_events_of(local)];
        self.nodes[local].enter_epoch(self.epoch, pending_events);
        self.update_software_time(local);
    }

    fn update_software_time(&mut self, local: usize) {
        Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).update_software_time();
    }

    /// Applies all events before `now` that could not lead to a grant.
    pub fn settle(&mut self, now: u64) {
        for local in 0..self.nodes.len() {
            self.settle_node(local, now);
        }
    }

    fn settle_node(&mut self, local: usize, now: u64) {
        Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).settle(now);
    }

    /// The number of a node within the subdomain, if it belongs to it.
    #[inline(always)]
    pub(super) fn local(&self, node: u32) -> Option<usize> {
        let local = node.wrapping_sub(self.store.first) as usize;
        (local < self.nodes.len()).then_some(local)
    }

    /// A VC of a node.
    #[inline(always)]
    pub(super) fn vc(&self, local: usize, input: usize) -> Vc {
        Vc { base: self.store.buffers.base(local), input, first: self.nodes[local].first[input] }
    }

    /// Delivers what nodes have sent, except the last `in_flight` events of each kind, whose receivers may not be in
    /// the cache yet.
    #[inline(always)]
    fn deliver(&mut self, in_flight: usize) {
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

    /// Passes on what software has announced in this window: no packet arrives before the next.
    fn deliver_announcements(&mut self) {
        let mut announced = std::mem::take(&mut self.store.outgoing.announcements);
        for announcement in announced.drain(..) {
            match self.local(announcement.node) {
                Some(local) => self.receive_announcement(local, &announcement),
                None => self.outgoing_queue.announcements.push(announcement),
            }
        }
        self.store.outgoing.announcements = announced;
    }

    fn receive_announcement(&mut self, local: usize, announcement: &Announcement) {
        let endpoints = self.store.endpoints_mut().expect("software announces to software");
        endpoints.receive(local, announcement);
    }

    fn deliver_acknowledgements(&mut self) {
        for event in std::mem::take(&mut self.store.outgoing.acknowledgements) {
            match self.local(event.node) {
                Some(local) => self.receive_acknowledgement(local, &event),
                None => self.outgoing_queue.events.push(event),
            }
        }
    }

    fn receive_acknowledgement(&mut self, local: usize, event: &RemoteEvent<F::Metadata>) {
        self.store.optional[local].acknowledgements.push(Reverse(event.time));
        self.mark(local, event.time);
    }

    /// Receives an announcement from a node of another subdomain.
    pub fn hear(&mut self, announcement: &Announcement) {
        self.receive_announcement((announcement.node - self.store.first) as usize, announcement);
    }

    /// Receives an event from a node of another subdomain; it lies in a later window.
    pub fn receive(&mut self, event: &RemoteEvent<F::Metadata>) {
        let local = (event.node - self.store.first) as usize;
        match event.credits {
            0 | LOST_FRAME => self.receive_arrival(local, event),
            LINK_ACK => self.receive_link_ack(local, event),
            ACKNOWLEDGEMENT => self.receive_acknowledgement(local, event),
            _ => self.receive_credits(local, event),
        }
    }

    #[inline(always)]
    fn receive_arrival(&mut self, local: usize, event: &RemoteEvent<F::Metadata>) {
        if F::HAS_OPTIONS && self.store.lossy.is_some() && !self.record_frame(local, event) {
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
        // Behind a single packet that is leaving, this one becomes the head packet when that one has left.
        let left = node.times[leaves_before];
        let waits_for_it = is_head & is_left & (left >= F::Tick::near(time));
        // Selected without branches, which would be unpredictable.
        let slot = select_unpredictable(waits_for_it, leaves_before, slot);
        let time = select_unpredictable(waits_for_it, left.cycles(), time);
        let wakes = Wakes::of_arrival(is_head, hints == 0, is_first);
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
        self.wakes_for_credits(local, port)
    }

    /// Bytes of state.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + self.store.bytes()
            + calendar::bytes_for(self.nodes.len() as u64) as usize
    }
}

/// A subdomain and the window that it runs.
struct Window<'a, F: Specialization> {
    subdomain: &'a mut Subdomain<F>,
    window: u64,
    end: u64,
}

impl<F: Specialization> Kernel for Window<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.subdomain.visit_nodes(self.window, self.end);
    }
}

fn new_node<F: Specialization>(fabric: &Fabric, number: u32) -> Node<F> {
    let shape = &fabric.parameters.shape;
    let coordinates = shape.coordinates(number);
    let is_edge = |direction: &Direction| {
        let dimension = direction.dimension();
        coordinates[dimension] == if direction.is_plus() { shape.length(dimension) - 1 } else { 0 }
    };
    let edges =
        Direction::all(shape.dimensions()).filter(is_edge).fold(0, |set, edge| set | 1 << edge.index());
    // A dead link is never idle, so nothing is sent over it.
    let is_link = |direction: &Direction| {
        shape.neighbor(number, *direction).is_some() && !fabric.is_dead_link(number, direction.index())
    };
    let links = Direction::all(shape.dimensions()).filter(is_link);
    let links = links.fold(0, |set, link| set | 1 << link.index());
    let credits = |vc: usize| fabric.capacity[vc];
    Node::new(fabric.seed_key.of_node(number), credits, links, edges)
}
