//! The run of a visit: the cycles in which something may be granted, each with the events up to it.
//!
//! ```text
//!   step:           events up to now | software | arbitration     then: when is the next step due?
//!   step_software:  software alone
//!   of an option:   that option's step, if it alone is due
//!   settle:         events up to now, without a grant
//! ```

use super::options;
use super::sets::{BitSet, Tick};
use super::steps::Steps;
use super::visit::Visit;

impl<F: Steps> Visit<'_, F> {
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

    /// Runs the steps before `end`; returns when the next step is due. Events that cannot lead to a grant may stay
    /// pending.
    #[inline(always)]
    pub fn run(&mut self, end: u64) -> F::Tick {
        let end = (end - self.epoch_start) as i32;
        let mut next = self.next_step();
        while next.cycles() < end {
            let (time, now) = (next, next.cycles());
            next = match options::step_alone(self, next) {
                Some(next) => next,
                None if self.is_for_software_alone(next) => self.step_software(now),
                None => self.step(now),
            };
            debug_assert!(next >= time, "a node would run a cycle of the past");
        }
        next
    }

    /// Simulates one cycle: events up to now, software, arbitration. Returns when the next step is due.
    #[inline(always)]
    fn step(&mut self, now: i32) -> F::Tick {
        options::before_events(self, now);
        let due = F::due(&self.node.times, F::Tick::near(now)) & self.node.armed;
        self.next_if_saturated = F::next(&self.node.times[..F::VC_SLOT], F::Tick::near(now));
        let mut idle = F::links(due) & ((1 << F::PORTS) - 1);
        let bypass = self.apply_events(due, now);
        options::after_events(self, now, &mut idle);
        if self.store.software_at(self.local).cycles() <= now {
            self.run_software(now);
        }
        options::before_arbitration(self);
        self.await_buses();
        self.next_if_saturated = self.next_if_saturated.min(self.next_of(self.node.wakes_always));
        let arbitrates_again = self.arbitrate(now, &mut idle, bypass);
        self.node.is_saturated = idle == 0;
        self.node.wake = if arbitrates_again { F::Tick::near(now + 1) } else { self.next_grant(idle) };
        debug_assert!(self.node.wake.cycles() > now, "a node would be woken in the past");
        options::after_step(self);
        self.next_step()
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

    /// Applies events before `end` that cannot lead to a grant, so that no arbitration is due.
    pub fn settle(&mut self, end: u64) {
        let now = (end - self.epoch_start).min(i32::MAX as u64) as i32 - 1;
        let due = F::due(&self.node.times, F::Tick::after(now)) & self.node.armed;
        let bypass = self.apply_events(due, now);
        F::enter_buffers(self, bypass);
        options::settle(self, end);
    }

    /// Applies the due events. Returns the inputs whose head packets arrived in this cycle at an empty buffer.
    #[inline(always)]
    fn apply_events(&mut self, due: F::Slots, now: i32) -> F::Inputs {
        let left = F::inputs(due >> F::VC_SLOT) & F::Inputs::range(0, F::VC_INPUTS);
        let reached = F::links(due >> F::ARRIVAL_SLOT) & ((1 << F::PORTS) - 1);
        let bypass = F::apply_to_queues(self, left, reached, now);
        let fifos = F::links(due >> F::FIFO_SLOT) as u8;
        if fifos != 0 {
            self.injection_events(fifos, now);
        }
        bypass
    }
}
