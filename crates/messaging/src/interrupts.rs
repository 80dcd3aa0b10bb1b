//! Interrupts: reception FIFOs that are full up to a watermark stop the computation of their core, which reads all packets
//! and then goes on. The computation ends that much later.

use crate::core::Task;
use crate::observer::Activity;
use crate::ranks::Operation;
use crate::turn::Turn;
use network::node::software::Resume;

impl Turn<'_, '_> {
    /// Stops the task if so many packets wait to be read; returns whether it has.
    pub fn interrupt(&mut self) -> bool {
        let Some(watermark) = self.setup.parameters.watermark else { return false };
        let chunks = watermark.bytes.div_ceil(self.chunk_bytes());
        let set = self.set();
        let is_computing = matches!(self.core().task, Some(Task::Compute));
        let is_full = is_computing && self.io.received_chunks(set) >= chunks;
        if is_full {
            self.stop_computation(u64::from(watermark.interrupt_processor_cycles));
        }
        is_full
    }

    /// Stops the computation of the rank; the rest of it becomes an operation again.
    fn stop_computation(&mut self, cycles: u64) {
        let (planned, began_at) = (self.core().free_at, self.core().began_at);
        let now = self.clock().start(began_at, self.io.now);
        let core = self.core();
        (core.task, core.free_at, core.is_interrupted) = (None, now, true);
        self.end_compute();
        if self.observer.is_some() {
            self.observe(Activity::Interrupt, None, now, now + cycles);
        }
        self.core().free_at += cycles;
        let rank = self.rank();
        rank.computed -= planned - now;
        rank.operations.push_front(Operation::Compute { cycles: planned - now });
    }

    /// A computation has ended, or has been stopped.
    pub fn end_compute(&mut self) {
        let (start, end) = (self.core().began_at, self.core().free_at);
        if self.observer.is_some() && self.observes_at_end(&Task::Compute) {
            self.observe(Activity::Compute, None, start, end);
        }
    }

    /// Whether it is not known when a task begins how long it will take.
    pub fn observes_at_end(&self, task: &Task) -> bool {
        self.setup.parameters.watermark.is_some() && matches!(task, Task::Compute)
    }

    /// When a core that is busy has to run again.
    pub fn busy_until(&self, end: u64) -> Resume {
        let core = &self.cores[self.number];
        let is_interruptible = core.task.as_ref().is_some_and(|task| self.observes_at_end(task));
        let when_received = if is_interruptible { 1 << self.set() } else { 0 };
        Resume { at: end, when_received, ..Resume::IDLE }
    }
}
