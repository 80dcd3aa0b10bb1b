//! The times at which a node is visited: every cause, and why no other is needed.
//!
//! A node acts on others, and on its counters of time, only by a *grant*: at the start of a transfer or of a reception
//! all of its consequences are known and sent. Any other event can wait: it is applied at the next visit, with its own
//! time, before anything is granted there, and until then nothing that others observe depends on it. So a node has to
//! be visited in the first cycle in which something can be granted that could not be before, and in those few in which
//! something else takes effect.
//!
//! A head packet is granted a link if the first five items are available, and its reception if the sixth and seventh
//! are. At the end of a step everything that could be granted has been, or the next cycle arbitrates again
//! (`arbitrates_again`). After that, only the arrival of an item that was missing makes a grant possible, so that one
//! cause for each of them suffices:
//!
//! | what becomes available | known from             | wakes the node                                   | here |
//! |------------------------|------------------------|--------------------------------------------------|------|
//! | an idle link           | its slot               | all links busy: always; else if it is requested  | [`Visit::next_grant`] |
//! | a head packet          | the packet arrives     | if it becomes the head packet                    | [`WakePriority::of_arrival`], [`WakePriority::of_expected_arrival`], [`WakePriority::of_next_arrival`] |
//! |                        | the one before leaves  | if one follows it                                | [`WakePriority::of_departure`] |
//! |                        | its injection FIFO     | if it is the earliest of its lane                | [`WakePriority::of_infinite_fifo`], [`WakePriority::of_fifo`], [`WakePriority::of_new_head`] |
//! | credits                | pending credit events  | if a link is stalled for them                    | [`Node::is_stalled`], [`Visit::next_grant`] |
//! | a transfer path        | a departure            | if all paths of the receiver are in use          | [`Node::await_path`] |
//! | room for a copy        | a departure, software  | options: each such event wakes                   | [`WakePriority::of_departure`], [`Visit::next_of_router`] |
//! | the bus to reception   | a departure            | if a head packet waits for it                    | [`Visit::is_bus_awaited`], [`Visit::await_buses`] |
//! | room in reception      | software reads         | if a head packet waits for it                    | [`Visit::wake_after_software`] |
//!
//! Causes other than a grant, each with a separate time that [`Visit::next_step`] and [`Subdomain::mark_next`] take
//! into account:
//!
//! | what takes effect               | because                                                                            |
//! |---------------------------------|------------------------------------------------------------------------------------|
//! | software runs                   | its writes, reads and announcements have the time of its task, or of the awaited event |
//! | an acknowledgement (pacing)     | it lets a core, or an infinite FIFO, take a packet, whose time of offer is counted  |
//! | credits that are counted        | whether they unblock a packet depends on the state in the cycle in which they return |
//! | a task of a lossy link          | a frame, acknowledgement or retransmission leaves at that cycle                    |
//!
//! **While all links are busy** (the node is *saturated*), no head packet can be granted a link, whatever else arrives.
//! The first link that becomes idle wakes the node, and everything due is applied then. Only receptions need no link:
//! events that may lead to one wake the node *always*, the others *if a link is idle* ([`WakePriority`]).
//!
//! **Too early is harmless.** A visit at which nothing can be granted changes nothing that can be observed. Causes
//! therefore need not be exact: they must not be missing. Some needless ones are left out where that is cheap to know
//! ([`Steps::needless_departures`]).
//!
//! # To add a cause
//!
//! 1. A row in one of the tables above, with the reason why it suffices: something new can let a head packet move,
//!    or takes effect at a time that others observe.
//! 2. A function, here or in `wake_priority.rs`, that the code calls where it schedules the event.
//!
//! A missing cause is found by `tests/engines.rs`, as a grant comes too late. A needless one only costs time.
//!
//! [`WakePriority`]: super::wake_priority::WakePriority
//! [`WakePriority::of_arrival`]: super::wake_priority::WakePriority::of_arrival
//! [`WakePriority::of_expected_arrival`]: super::wake_priority::WakePriority::of_expected_arrival
//! [`WakePriority::of_next_arrival`]: super::wake_priority::WakePriority::of_next_arrival
//! [`WakePriority::of_departure`]: super::wake_priority::WakePriority::of_departure
//! [`WakePriority::of_infinite_fifo`]: super::wake_priority::WakePriority::of_infinite_fifo
//! [`WakePriority::of_fifo`]: super::wake_priority::WakePriority::of_fifo
//! [`WakePriority::of_new_head`]: super::wake_priority::WakePriority::of_new_head
//! [`Subdomain::mark_next`]: super::subdomain::Subdomain::mark_next

use super::node::Node;
use super::options;
use super::queues::RequestVectors;
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::steps::Steps;
use super::visit::Visit;
use network::node::software::Effects;
use std::hint::select_unpredictable;

impl<F: Specialization> Visit<'_, F> {
    /// The time at which the next step is due.
    #[inline(always)]
    pub(super) fn next_step(&self) -> F::Tick {
        let next = self.next_of_router();
        match options::next_visit(self.store, self.local) {
            Some(time) => next.min(self.tick_of(time)),
            None => next,
        }
    }

    /// The cycle of the next step, at `now`. Times that are clamped are looked up.
    pub(super) fn next_cycle(&self, now: u64) -> Option<u64> {
        let cycle_of = |tick: F::Tick| (tick != F::Tick::NEVER).then(|| self.cycle(tick.cycles()));
        let router = match self.node.wake {
            tick if tick == F::Tick::LATEST => self.next_late_request(now).or(cycle_of(tick)),
            tick => cycle_of(tick),
        };
        let software = match (self.store.software_at(self.local), self.store.endpoints()) {
            (tick, Some(endpoints)) if tick == F::Tick::LATEST => Some(endpoints.resume(self.local).at),
            (tick, _) => cycle_of(tick),
        };
        let option = options::next_visit(self.store, self.local);
        [router, software, option].into_iter().flatten().min()
    }

    /// The time at which the router or software is next due.
    #[inline(always)]
    pub(super) fn next_of_router(&self) -> F::Tick {
        self.node.wake.min(self.store.software_at(self.local))
    }

    /// The time at which the next event of `slots`, which contain no links, is due.
    #[inline(always)]
    pub(super) fn next_of(&self, slots: F::Slots) -> F::Tick {
        F::earliest(&self.node.times[F::VC_SLOT..], (slots & self.node.armed) >> F::VC_SLOT)
    }

    /// Whether the end of a reception wakes the node only if a head packet waits for it.
    #[inline(always)]
    fn has_lazy_receptions(&self) -> bool {
        F::IS_PLAIN || self.has_lazy_software()
    }

    /// Whether the node has to be woken when the head packet at `input` frees its bus. The packet begins to leave for
    /// its reception FIFO. Where receptions are lazy, it is woken only if another head packet waits for the bus. A head
    /// packet that begins to wait later raises the priority of the event ([`Visit::await_buses`]).
    #[inline(always)]
    pub(super) fn is_bus_awaited(&self, input: usize) -> bool {
        if !self.has_lazy_receptions() {
            return true;
        }
        let others = self.inputs_of_bus(input / F::VCS, input % F::VCS) & !F::Inputs::only(input);
        !(self.node.queues.request_vectors.arrived() & others).is_empty()
    }

    /// Lets the departures that free buses wake the node if head packets now wait for them.
    #[inline(always)]
    pub(super) fn await_buses(&mut self) {
        if self.has_lazy_receptions() {
            let waiting = self.node.queues.request_vectors.arrived() & self.node.bus_blocked;
            if !waiting.is_empty() {
                let awaited = self.node.to_reception & waiting.groups(F::VCS, F::PORTS);
                self.node.await_slots(F::slots_of_inputs(awaited) << F::VC_SLOT);
            }
        }
    }

    /// Lets the departure of a packet from an injection FIFO wake the node, after a run of software. A packet that
    /// software has written behind it then becomes the head packet. That one needs an idle link.
    pub(super) fn await_followed(&mut self, effects: Effects) {
        let followed = self.leaving_fifos() & effects.written;
        if followed != 0 {
            self.node.wakes_if_idle |= F::slots_of_links(followed) << F::FIFO_SLOT;
        }
    }

    /// Wakes the node after a run of software without a step of the router, in this cycle at the earliest. It is woken
    /// if room is free for which a head packet waits. If a link may be idle, it is also woken for the new head packets
    /// of injection FIFOs.
    #[inline(always)]
    pub(super) fn wake_after_software(&mut self, effects: Effects, now: i32) {
        if effects.freed_room && self.node.has_head_without_room() {
            self.node.wake = F::Tick::near(now);
        }
        if self.node.is_saturated {
            return;
        }
        let followed = self.leaving_fifos() & effects.written;
        for fifo in (effects.new_heads | followed).iter() {
            self.node.wake = self.node.wake.min(self.next_request_of(fifo, now));
        }
    }

    /// The time at which a packet that software has written can make its first request. It is no earlier than the event
    /// of its FIFO. At this event the packet before it has left, or its own time has come. It is now if there is no
    /// such event.
    fn next_request_of(&self, fifo: usize, now: i32) -> F::Tick {
        let slot = F::FIFO_SLOT + fifo;
        if !self.node.is_pending(slot) {
            return F::Tick::near(now);
        }
        let head = self.store.endpoints().and_then(|endpoints| endpoints.fifos().head(self.local, fifo));
        let requests_from = head.map_or(0, |head| head.requests_from);
        self.node.times[slot].max(self.tick_of(requests_from.max(self.epoch_start)))
    }
}

impl<F: Steps> Visit<'_, F> {
    /// The next cycle in which something could be granted; `idle` are the links left idle in this cycle. Only those
    /// busy links are awaited that head packets request. A later head packet has its own cause, and finds them then.
    /// Credits are awaited for links that lack nothing else (`stalled`).
    #[inline(always)]
    pub(super) fn next_grant(&self, idle: u32) -> F::Tick {
        let node = &*self.node;
        if idle == 0 {
            return self.next_if_saturated;
        }
        let links = &node.times[..F::VC_SLOT];
        let awaited = self.requested_ports() & !idle;
        let wake = match awaited {
            0 => F::Tick::NEVER,
            _ => F::earliest(links, F::slots_of_links(awaited) & node.armed),
        };
        if node.stalled == 0 {
            return wake.min(self.next_of(node.wakes_if_idle));
        }
        let wakes_if_idle = node.wakes_if_idle & !F::needless_departures(self, awaited as u8);
        wake.min(F::next_credit_return(self)).min(self.next_of(wakes_if_idle | node.wakes_always))
    }
}

impl<F: Specialization> Node<F> {
    /// Whether a head packet at its destination waits although its bus is free.
    #[inline(always)]
    pub(super) fn has_head_without_room(&self) -> bool {
        !(self.queues.request_vectors.arrived() & !self.bus_blocked).is_empty()
    }

    /// Whether a port lacks nothing but credits, so that returning ones wake the node. All other ports are found when a
    /// head packet that requests the port is examined.
    #[inline(always)]
    pub(super) fn is_stalled(&self, port: usize) -> bool {
        self.stalled.has(port)
    }

    /// Wakes the node at `time`, if `is_to_wake`; returns whether that is earlier than it would be woken otherwise.
    #[inline(always)]
    pub(super) fn wake_by(&mut self, is_to_wake: bool, time: i32) -> bool {
        let is_earlier = is_to_wake & (F::Tick::near(time) < self.wake);
        self.wake = select_unpredictable(is_earlier, F::Tick::near(time), self.wake);
        is_earlier
    }
}
