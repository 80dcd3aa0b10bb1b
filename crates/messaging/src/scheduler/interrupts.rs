//! Interrupts stop the computation of a core, which does the work of the interrupt and then goes on. The computation
//! ends later by that time. There are two causes: reception FIFOs that are full up to a watermark, of which the core
//! reads all packets; and room for descriptors in an injection FIFO of the DMA engine that the core has found full,
//! which it fills again.

use super::Scheduler;
use super::movers::Mover;
use crate::node::task::Task;
use crate::parameters::Parameters;
use crate::ranks::Operation;
use crate::time_lines::{Activity, DetailedActivity, RankStep};
use network::node::software::Resume;

impl Scheduler<'_, '_> {
    /// Stops the task if there is a cause, and begins the interrupt; returns whether it has.
    pub fn interrupt(&mut self) -> bool {
        match self.setup.parameters.dma {
            None => self.interrupt_at_watermark(),
            Some(dma) => {
                let is_computing = matches!(self.core().task, Some(Task::Compute));
                let is_due = is_computing && self.can_refill();
                if is_due {
                    self.stop_computation(dma.interrupt_processor_cycles.into());
                }
                is_due
            }
        }
    }

    /// Does the work of an interrupt; returns whether the core is interrupted and some work was left.
    #[inline]
    pub fn serve_interrupt<M: Mover>(&mut self) -> bool {
        if !self.core().is_interrupted {
            return false;
        }
        let has_done = match self.setup.dma_line {
            None => M::begin_read(self),
            Some(_) => self.write_next::<M>().is_ok(),
        };
        self.core().is_interrupted = has_done;
        has_done
    }

    fn interrupt_at_watermark(&mut self) -> bool {
        let Some(watermark) = self.setup.parameters.watermark else { return false };
        let chunks = watermark.bytes.div_ceil(self.chunk_bytes());
        let set = self.set;
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
        self.begin(Task::Interrupt, now, now + cycles);
        let rank = self.rank();
        rank.computed -= planned - now;
        rank.operations.push_front(Operation::Compute { cycles: planned - now });
    }

    /// A computation has ended, or has been stopped.
    pub fn end_compute(&mut self) {
        let (start, end) = (self.core().began_at, self.core().free_at);
        if self.observer.is_some() && self.observes_at_end(&Task::Compute) {
            let step = Some(RankStep::Computation);
            self.observe(DetailedActivity { step, ..Activity::Compute.into() }, start..end);
        }
    }

    /// Whether the length of a task is unknown when it begins.
    pub fn observes_at_end(&self, task: &Task) -> bool {
        let Parameters { watermark, dma, .. } = &self.setup.parameters;
        (watermark.is_some() || dma.is_some()) && matches!(task, Task::Compute)
    }

    /// The time at which a busy core has to run again.
    pub fn busy_until(&self, end: u64) -> Resume {
        let core = &self.cores[self.number];
        let is_interruptible = self.setup.parameters.watermark.is_some()
            && core.task.as_ref().is_some_and(|task| self.observes_at_end(task));
        let when_received = if is_interruptible { 1 << self.set } else { 0 };
        Resume { at: end, when_received, ..Resume::IDLE }
    }
}
