//! Interrupts stop the computation of a core, which does the work of the interrupt and then goes on. The computation
//! ends later by that time. There are two causes:
//!
//! - Reception FIFOs are full up to a watermark. The core reads all packets. With a DMA engine the FIFO is that in
//!   memory, and the core also describes the messages that answer them.
//! - There is room for descriptors again in an injection FIFO of the DMA engine that the core has found full. The core
//!   fills it.

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
        if !matches!(self.core().task, Some(Task::Compute)) {
            return false;
        }
        let Some(cycles) = self.interrupt_cost() else { return false };
        self.stop_computation(cycles.into());
        true
    }

    /// The processor cycles until the core begins to serve the interrupt; none if there is no cause for one.
    fn interrupt_cost(&self) -> Option<u32> {
        let Parameters { watermark, dma, .. } = &self.setup.parameters;
        let at_watermark = watermark.filter(|watermark| self.is_full_up_to(watermark.bytes));
        let of_refill = dma.filter(|_| self.can_refill());
        at_watermark
            .map(|watermark| watermark.interrupt_processor_cycles)
            .or(of_refill.map(|dma| dma.interrupt_processor_cycles))
    }

    /// Whether packets of this number of bytes wait for the core.
    fn is_full_up_to(&self, bytes: u32) -> bool {
        let chunks = bytes.div_ceil(self.chunk_bytes());
        match self.setup.dma_line {
            None => self.io.received_chunks(self.set) >= chunks,
            Some(_) => self.has_taken(chunks),
        }
    }

    /// Does the work of an interrupt; returns whether the core is interrupted and some work was left.
    #[inline]
    pub fn serve_interrupt<M: Mover>(&mut self) -> bool {
        if !self.core().is_interrupted {
            return false;
        }
        let reads = self.setup.parameters.watermark.is_some();
        let writes = self.setup.dma_line.is_some();
        let has_done = reads && M::begin_read(self) || writes && self.write_next::<M>().is_ok();
        self.core().is_interrupted = has_done;
        has_done
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
        // A DMA engine notifies the cores of what it has read.
        let is_interruptible = self.setup.parameters.watermark.is_some()
            && self.setup.dma_line.is_none()
            && core.task.as_ref().is_some_and(|task| self.observes_at_end(task));
        let when_received = if is_interruptible { 1 << self.set } else { 0 };
        Resume { at: end, when_received, ..Resume::IDLE }
    }
}
