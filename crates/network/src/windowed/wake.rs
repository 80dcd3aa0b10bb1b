//! When a node is visited: every cause, and why no other is needed.
//!
//! A node acts on others, and on its counters of time, only by a *grant*: at the start of a transfer or of a reception
//! all of its consequences are known and sent. Any other event can wait: it is applied at the next visit, with its own
//! time, before anything is granted there, and until then nothing that others observe depends on it. So a node has to be
//! visited in the first cycle in which something can be granted that could not be before, and in those few in which
//! something else takes effect.
//!
//! A head packet is granted a link if all of the first five items are there, and its reception if the sixth and seventh
//! are. At the end of a step everything that could be granted has been, or the next cycle arbitrates again
//! (`arbitrates_again`). From then on only the arrival of an item that was missing makes a grant possible, so that one
//! cause for each of them suffices:
//!
//! | what becomes available | known from             | wakes the node                                   | here |
//! |------------------------|------------------------|--------------------------------------------------|------|
//! | an idle link           | its slot               | all links busy: always; else if it is requested  | [`Visit::next_grant`] |
//! | a head packet          | the packet arrives     | if it becomes the head packet                    | [`Wakes::of_arrival`], [`Wakes::of_expected_arrival`], [`Wakes::of_next_arrival`] |
//! |                        | the one before leaves  | if one follows it                                | [`Wakes::of_departure`] |
//! |                        | its injection FIFO     | if it is the earliest of its lane                | [`Wakes::of_infinite_fifo`], [`Wakes::of_fifo`], [`Wakes::of_new_head`] |
//! | credits                | pending credit events  | if a link is stalled for them                    | [`Subdomain::wakes_for_credits`], [`Visit::next_grant`] |
//! | a transfer path        | a departure            | if all paths of the receiver are in use          | [`Node::await_path`] |
//! | room for a copy        | a departure, software  | options: each such event wakes                   | [`Wakes::of_departure`], [`Visit::earliest_with_software`] |
//! | the bus to reception   | a departure            | if a head packet, or an idle core, waits for it  | [`Visit::is_bus_awaited`], [`Visit::await_buses`] |
//! | room in reception      | software reads         | if a head packet waits for it                    | [`Visit::wake_after_software`] |
//!
//! Causes other than a grant, each with a time of its own that [`Visit::next_step`] and [`Subdomain::mark_next`] take
//! into account:
//!
//! | what takes effect               | because                                                                            |
//! |---------------------------------|------------------------------------------------------------------------------------|
//! | software runs                   | what it writes, reads and announces has the time of its task                       |
//! | an acknowledgement (pacing)     | it lets a core, or an infinite FIFO, take a packet, whose time of offer is counted  |
//! | credits that are counted        | whether they unblock a packet depends on the state in the cycle in which they return |
//! | a task of a lossy link          | a frame, acknowledgement or retransmission leaves at that cycle                    |
//!
//! **While all links are busy** (the node is *saturated*), no head packet can be granted a link, whatever else arrives.
//! The first link that becomes idle wakes the node, and everything due is applied then. Only receptions need no link:
//! events that may lead to one wake the node *always*, the others *if a link is idle* ([`Wakes`]).
//!
//! **Too early is harmless.** A visit at which nothing can be granted changes nothing that can be observed. Causes
//! therefore need not be exact: they must not be missing. Some needless ones are left out where that is cheap to know
//! (`needless_departures`).

use super::node::Node;
use super::queues::RequestVectors;
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::subdomain::Subdomain;
use super::visit::Visit;
use crate::node::software::{Effects, Resume};
use std::cmp::Reverse;
use std::hint::select_unpredictable;

/// Whether an event on its way wakes its node.
#[derive(Clone, Copy, Debug)]
pub struct Wakes {
    /// If a link is idle: it may let a head packet be granted one.
    pub if_idle: bool,
    /// Always: it may lead to a reception, or concerns more than grants.
    pub always: bool,
}

impl Wakes {
    /// A packet leaves its VC. Its follower becomes the head packet then, and may be at its destination. Other head
    /// packets may wait for what the packet has used (`is_awaited`): the bus, or room for a copy; transfer paths are in
    /// [`Node::await_path`]. On lossy links the departure must be acknowledged (`is_acknowledged`).
    #[inline(always)]
    pub fn of_departure(
        is_followed: bool,
        is_follower_received: bool,
        is_awaited: bool,
        is_acknowledged: bool,
    ) -> Self {
        let always = is_awaited | (is_followed & is_follower_received) | is_acknowledged;
        Wakes { if_idle: is_followed, always }
    }

    /// A packet arrives at a VC. If others are there before it, their departures make it the head packet
    /// ([`Wakes::of_departure`], [`Wakes::of_expected_arrival`]). If it is at its destination, it needs no link. The slot
    /// of a port has the time of the port's first arrival only: a later one is scheduled when that is applied, which
    /// must therefore not wait.
    #[inline(always)]
    pub fn of_arrival(is_head: bool, is_received: bool, is_first_at_port: bool) -> Self {
        Wakes { if_idle: is_head, always: is_head & (is_received | !is_first_at_port) }
    }

    /// A VC has become free and its next packet is on the link (`is_coming`). When the packet was sent, others were
    /// before it, so that its arrival did not wake; whether it is at its destination is not looked up again.
    #[inline(always)]
    pub fn of_expected_arrival(is_coming: bool) -> Self {
        Wakes { if_idle: is_coming, always: is_coming }
    }

    /// The arrival at a port after one that has just been applied. It may be of a head packet at its destination, which
    /// is not looked up again.
    #[inline(always)]
    pub fn of_next_arrival() -> Self {
        Wakes { if_idle: true, always: true }
    }

    /// A packet leaves an infinite FIFO, which takes the next packet of its lane then. If the last packet taken from the
    /// lane requests later than that (`is_next` is false), the next one does so too: its FIFO wakes the node.
    #[inline(always)]
    pub fn of_infinite_fifo(is_next: bool) -> Self {
        Wakes { if_idle: is_next, always: false }
    }

    /// A packet leaves a FIFO that software fills. Another behind it needs an idle link; software that waits for room
    /// does not.
    #[inline(always)]
    pub fn of_fifo(is_followed: bool, is_room_awaited: bool) -> Self {
        Wakes { if_idle: is_followed, always: is_room_awaited }
    }

    /// The head packet of an injection FIFO makes its first request. With options, events of FIFOs that software fills
    /// are applied at their own time.
    #[inline(always)]
    pub fn of_new_head(is_exact: bool) -> Self {
        Wakes { if_idle: true, always: is_exact }
    }
}

impl<F: Specialization> Node<F> {
    /// Makes the event of a slot wake the node.
    #[inline(always)]
    pub fn raise_wake_priority(&mut self, slot: usize, wakes: Wakes) {
        self.wakes_if_idle |= F::Slots::only_if(slot, wakes.if_idle | wakes.always);
        self.wakes_always |= F::Slots::only_if(slot, wakes.always);
    }

    /// Makes the events of some slots always wake the node.
    #[inline(always)]
    fn await_slots(&mut self, slots: F::Slots) {
        self.wakes_always |= slots;
        self.wakes_if_idle |= slots;
    }

    /// All transfer paths of receivers are in use: a packet that leaves any of the VCs at `inputs` frees one. The head
    /// packets that wait for it need an idle link too.
    #[inline(always)]
    pub fn await_path(&mut self, inputs: F::Inputs) {
        self.wakes_if_idle |= F::slots_of_inputs(inputs) << F::VC_SLOT;
    }
}

impl<F: Specialization> Visit<'_, F> {
    /// When the next step is due.
    #[inline(always)]
    pub(super) fn next_step(&self) -> F::Tick {
        self.earliest_with_links(self.next_of_others())
    }

    /// The same without lossy links.
    #[inline(always)]
    pub(super) fn next_of_others(&self) -> F::Tick {
        self.earliest_with_options(self.earliest_with_software(self.node.wake))
    }

    /// The earlier of `wake` and the next cycle in which software runs.
    #[inline(always)]
    pub(super) fn earliest_with_software(&self, wake: F::Tick) -> F::Tick {
        wake.min(self.store.software_at(self.local))
    }

    /// The earliest of `wake`, the next acknowledgement and the next return of counted credits.
    #[inline(always)]
    fn earliest_with_options(&self, wake: F::Tick) -> F::Tick {
        let may_be = F::HAS_OPTIONS
            && (self.fabric.parameters.counts_unblocking
                || self.fabric.parameters.node.injection_window_packets.is_some());
        match self.store.optional.get(self.local).filter(|_| may_be) {
            None => wake,
            Some(options) => {
                let acknowledged = options.acknowledgements.peek().map(|Reverse(time)| self.tick_of(*time));
                wake.min(acknowledged.unwrap_or(F::Tick::NEVER)).min(self.next_counted_credits())
            }
        }
    }

    /// The next return of credits, if they are counted.
    pub(super) fn next_counted_credits(&self) -> F::Tick {
        let ports = if self.fabric.parameters.counts_unblocking { self.fabric.ports } else { 0 };
        let times = (0..ports).flat_map(|port| self.credit_events(port).map(|entry| entry.time));
        times.min().unwrap_or(F::Tick::NEVER)
    }

    /// The earlier of `wake` and the next visit because of the node's lossy links.
    #[inline(always)]
    fn earliest_with_links(&self, wake: F::Tick) -> F::Tick {
        match self.store.lossy.as_ref().filter(|_| F::HAS_OPTIONS).and_then(|lossy| lossy.wake(self.local)) {
            Some(time) => wake.min(self.tick_of(time)),
            None => wake,
        }
    }

    /// The next cycle in which something could be granted; `idle` are the links left idle in this cycle. Of the busy
    /// links only those are awaited that head packets request: a later head packet has a cause of its own, and finds
    /// them then. Credits are awaited for links that lack nothing else (`stalled`).
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

    /// When the next event of `slots`, which contain no links, is due.
    #[inline(always)]
    pub(super) fn next_of(&self, slots: F::Slots) -> F::Tick {
        F::earliest(&self.node.times[F::VC_SLOT..], (slots & self.node.armed) >> F::VC_SLOT)
    }

    /// When the next credits return for which a head packet waits.
    #[inline(always)]
    pub(super) fn next_credit_return_of_each(&self) -> F::Tick {
        let mut next = F::Tick::NEVER;
        for port in self.node.stalled.iter() {
            next = next.min(self.next_credit_return_of(port));
        }
        next
    }

    /// Whether the end of a reception wakes the node only if somebody waits for it.
    #[inline(always)]
    fn has_lazy_receptions(&self) -> bool {
        F::IS_PLAIN || self.has_lazy_software()
    }

    /// Whether the node has to be woken when the head packet at `input`, which begins to leave for its reception FIFO,
    /// frees its bus: where receptions are lazy, only if another head packet waits for the bus, or an idle core for the
    /// packet. Whoever begins to wait later raises the priority of the event ([`Visit::await_buses`],
    /// [`Visit::await_events`]).
    #[inline(always)]
    pub(super) fn is_bus_awaited(&self, input: usize) -> bool {
        if !self.has_lazy_receptions() {
            return true;
        }
        let others = self.inputs_of_bus(input / F::VCS, input % F::VCS) & !F::Inputs::only(input);
        let is_read_at_once =
            self.store.endpoints().is_some_and(|endpoints| endpoints.resume(self.local).when_received != 0);
        is_read_at_once | !(self.node.queues.request_vectors.arrived() & others).is_empty()
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

    /// After a run of software: lets events on their way wake the node if software now waits for them, or has written a
    /// packet behind one that is leaving.
    pub(super) fn await_events(&mut self, effects: Effects, resume: Resume) {
        if !self.has_lazy_software() {
            return;
        }
        let leaving = F::links(F::slots_of_inputs(self.node.injecting) >> F::VC_INPUTS);
        let awaited = if resume.when_room { leaving } else { leaving & effects.written };
        if awaited != 0 {
            self.node.await_slots(F::slots_of_links(awaited) << F::FIFO_SLOT);
        }
        if resume.when_received != 0 {
            self.node.await_slots(F::slots_of_inputs(self.node.to_reception) << F::VC_SLOT);
        }
    }

    /// After a run of software without a step of the router: the node is woken, in this cycle at the earliest, if room
    /// is free for which a head packet waits, for the new head packets of injection FIFOs, and for what always wakes
    /// it. A packet whose head arrived before the VC became free, which happened only now, waits since before `now`.
    #[inline(always)]
    pub(super) fn wake_after_software(&mut self, effects: Effects, now: i32) {
        if effects.freed_room && self.has_head_without_room() {
            self.node.wake = F::Tick::near(now);
        }
        for fifo in effects.new_heads.iter() {
            self.node.wake = self.node.wake.min(self.next_request_of(fifo, now));
        }
        let awaited = self.next_of(self.node.wakes_always).max(F::Tick::near(now));
        self.node.wake = self.node.wake.min(awaited);
    }

    /// When a FIFO whose head packet is new has its next event; now if the packet requests already.
    fn next_request_of(&self, fifo: usize, now: i32) -> F::Tick {
        let slot = F::FIFO_SLOT + fifo;
        if self.node.is_pending(slot) { self.node.times[slot] } else { F::Tick::near(now) }
    }

    /// Whether a head packet at its destination waits although its bus is free.
    fn has_head_without_room(&self) -> bool {
        !(self.node.queues.request_vectors.arrived() & !self.node.bus_blocked).is_empty()
    }
}

impl<F: Specialization> Subdomain<F> {
    /// Marks a node for the window of its next visit, if there is one.
    #[inline(always)]
    pub(super) fn mark_next(&mut self, local: usize) {
        self.mark_at(local, self.nodes[local].wake.min(self.store.software_at(local)));
        if F::HAS_OPTIONS {
            let options = self.store.optional.get(local);
            if let Some(&Reverse(time)) = options.and_then(|options| options.acknowledgements.peek()) {
                self.mark(local, time);
            }
            if let Some(time) = self.store.lossy.as_ref().and_then(|lossy| lossy.wake(local)) {
                self.mark(local, time);
            }
        }
    }

    /// Whether credits that return to a port wake the node: only if the port lacks nothing else, or if they are counted.
    /// All others are found when a head packet that wants the port is examined.
    #[inline(always)]
    pub(super) fn wakes_for_credits(&self, local: usize, port: usize) -> bool {
        let is_counted = F::HAS_OPTIONS && self.store.fabric.parameters.counts_unblocking;
        is_counted | self.nodes[local].stalled.has(port)
    }

    /// Wakes a node at `time`, which lies in a later window, if `is_to_wake`.
    #[inline(always)]
    pub(super) fn wake_if(&mut self, is_to_wake: bool, local: usize, time: i32) {
        let node = &mut self.nodes[local];
        let is_earlier = is_to_wake & (F::Tick::near(time) < node.wake);
        node.wake = select_unpredictable(is_earlier, F::Tick::near(time), node.wake);
        let time = node.epoch_start().wrapping_add_signed(time.into());
        self.mark_if(is_earlier, local, time);
    }
}
