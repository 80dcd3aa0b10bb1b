//! The software of a node, which runs between the steps of its router.
//!
//! ```text
//!   router:    ... | step |             | step |            | step |
//!   software:      |      | run |  run  |      |    run     |      |
//! ```
//!
//! Tasks of cores begin and end without a step of the router. A run of software leads to one only if it lets a head
//! packet move: the first packet of an injection FIFO, or one that waits for room in a reception FIFO.
//!
//! Conversely, the effects of the router on software only are applied when software runs next, in the order of their
//! times: a packet has left an injection FIFO without another behind it, or is complete in a reception FIFO. If
//! software waits for such an event, it runs then, without a step of the router. Machines with options apply all of
//! these at their own time.

use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::visit::Visit;
use network::node::software::{Effects, Endpoints, NEVER, Resume};

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
        let occupied = self.has_detours().then(|| self.occupied(now));
        let Some(endpoints) = self.store.endpoints.as_deref_mut() else { return Effects::default() };
        let effects = endpoints.run(fabric, local, now, occupied.as_ref());
        for fifo in effects.changed.iter() {
            self.node.queues.occupied[F::VC_INPUTS + fifo] = endpoints.fifos().quarter(local, fifo);
        }
        let resume = *endpoints.resume(local);
        endpoints.take_announcements(&mut self.store.outgoing.announcements);
        endpoints.take_signals(&mut self.store.outgoing.signals, &mut self.store.totals);
        while let Some(read) = self.store.endpoints_mut().and_then(Endpoints::take_read) {
            self.deliver(read);
        }
        for fifo in effects.new_heads.iter() {
            if self.has_detours() {
                // The event of the packet comes before software has given it another route.
                self.node.withdraw_request(F::VC_INPUTS + fifo);
            }
            self.request_for_head(fifo, now);
        }
        self.await_followed(effects);
        self.software_resumes(&resume);
        effects
    }

    /// Updates the time of the software after an event that may have resumed it. The time of lazy software that awaited
    /// the event is known already.
    #[inline(always)]
    pub(super) fn software_is_resumed(&mut self) {
        if !self.has_lazy_software() {
            self.update_software_time();
        }
    }

    /// Stores the time at which software runs next.
    pub(super) fn update_software_time(&mut self) {
        if let Some(endpoints) = self.store.endpoints() {
            let resume = *endpoints.resume(self.local);
            self.software_resumes(&resume);
        }
    }

    fn software_resumes(&mut self, resume: &Resume) {
        let mut at = if resume.at == NEVER { F::Tick::NEVER } else { self.tick_of(resume.at) };
        if self.has_lazy_software() && (resume.when_room != 0 || resume.when_received != 0) {
            let awaited = self.awaited_events(resume);
            for slot in (awaited & self.node.armed).iter() {
                at = at.min(self.node.times[slot]);
            }
        }
        self.store.software_at[self.local] = at;
    }

    /// Records that an event for which software waits comes at `time`.
    pub(super) fn software_awaits(&mut self, time: F::Tick) {
        let at = &mut self.store.software_at[self.local];
        *at = time.min(*at);
    }

    /// The slots of pending events that resume software.
    fn awaited_events(&self, resume: &Resume) -> F::Slots {
        let mut slots = F::Slots::default();
        slots |= F::slots_of_links(self.leaving_fifos() & resume.when_room) << F::FIFO_SLOT;
        if resume.when_received != 0 {
            slots |= F::slots_of_inputs(self.node.to_reception) << F::VC_SLOT;
        }
        slots
    }

    /// Injection FIFOs that a packet is leaving.
    pub(super) fn leaving_fifos(&self) -> u32 {
        F::links(F::slots_of_inputs(self.node.injecting) >> F::VC_INPUTS)
    }
}
