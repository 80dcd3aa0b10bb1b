//! The software of a node beside its router.
//!
//! ```text
//!   router:    ... | step |             | step |            | step |
//!   software:      |      | run |  run  |      |    run     |      |
//! ```
//!
//! Tasks of cores begin and end without a step of the router. A run of software leads to one only if it lets a head
//! packet move: the first packet of an injection FIFO, or one that waits for room in a reception FIFO.
//!
//! Conversely, what the router does for software only is applied when software runs next, in the order of its times: a
//! packet has left an injection FIFO without another behind it, or is complete in a reception FIFO. Such an event wakes
//! the node only if software waits for it: software that begins to wait makes the events on their way wake the node.
//! Machines with options apply all of these at their own time.

use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::visit::Visit;
use crate::node::software::{Effects, NEVER};

impl<F: Specialization> Visit<'_, F> {
    /// Keeps the time at which software runs next at hand.
    pub(super) fn update_software_time(&mut self) {
        let at = self.store.endpoints().map_or(NEVER, |endpoints| endpoints.resume(self.local).at);
        let tick = if at == NEVER { F::Tick::NEVER } else { self.tick_of(at) };
        if let Some(software_at) = self.store.software_at.get_mut(self.local) {
            *software_at = tick;
        }
    }

    /// Whether events that concern software alone wait until it runs.
    #[inline(always)]
    pub(super) fn has_lazy_software(&self) -> bool {
        !F::HAS_OPTIONS && self.store.endpoints().is_some()
    }

    /// Whether only software has work at `next`.
    #[inline(always)]
    pub(super) fn is_for_software_alone(&self, next: F::Tick) -> bool {
        self.has_lazy_software() && next < self.node.wake
    }

    /// Runs the software without a step of the router, unless a head packet can now move in this cycle.
    #[inline(always)]
    pub(super) fn step_software(&mut self, now: i32) -> F::Tick {
        let injection = F::slots_of_links((1 << self.store.layout.fifos) - 1);
        let for_software =
            injection << F::FIFO_SLOT | F::slots_of_inputs(self.node.to_reception) << F::VC_SLOT;
        let due = F::due(&self.node.times, F::Tick::near(now)) & self.node.armed & for_software;
        if due != F::Slots::default() {
            self.apply_events(due, now);
        }
        let effects = self.run_software(now);
        self.wake_after_software(effects, now);
        self.next_step()
    }

    /// Runs the software of the node.
    pub(super) fn run_software(&mut self, now: i32) -> Effects {
        let now = self.cycle(now);
        let (fabric, local) = (self.fabric, self.local);
        let Some(mut endpoints) = self.store.endpoints.take() else { return Effects::default() };
        let effects = endpoints.run(fabric, local, now, |read| self.deliver(read));
        for fifo in effects.changed.iter() {
            self.node.queues.occupied[F::VC_INPUTS + fifo] = endpoints.fifos().quarter(local, fifo);
        }
        let resume = *endpoints.resume(local);
        endpoints.take_announcements(&mut self.store.outgoing.announcements);
        self.store.endpoints = Some(endpoints);
        self.update_software_time();
        for fifo in effects.new_heads.iter() {
            self.request_for_head(fifo, now);
        }
        self.await_events(effects, resume);
        effects
    }

    /// Lets the head packet of a FIFO filled by software make its request, now or when its time has come.
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
}
