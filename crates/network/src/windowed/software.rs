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

use super::sets::BitSet;
use super::specialization::Specialization;
use super::visit::Visit;
use crate::node::software::Effects;

impl<F: Specialization> Visit<'_, F> {
    /// Whether only software has work at `next`.
    #[inline(always)]
    pub(super) fn is_for_software_alone(&self, next: F::Tick) -> bool {
        self.has_lazy_software() && next < self.node.wake
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
        endpoints.take_signals(&mut self.store.outgoing.signals, &mut self.store.totals);
        self.store.endpoints = Some(endpoints);
        self.update_software_time();
        for fifo in effects.new_heads.iter() {
            self.request_for_head(fifo, now);
        }
        self.await_events(effects, resume);
        effects
    }
}
