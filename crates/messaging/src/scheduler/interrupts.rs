//! Interrupts stop the computation of a core, which does the work of the interrupt and then goes on. The computation
//! ends later by that time. There are three causes:
//!
//! - Reception FIFOs are full up to a watermark. The core reads all packets. With a DMA engine the FIFO is that in
//!   memory, and the core also describes the messages that answer them.
//! - An injection FIFO that had no room is empty down to a watermark. The core writes what has room.
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
        let Parameters { watermark, injection_watermark, dma, .. } = &self.setup.parameters;
        let at_watermark = watermark.filter(|watermark| self.is_full_up_to(watermark.bytes));
        let of_room = injection_watermark.filter(|watermark| self.is_empty_down_to(watermark.bytes));
        let of_refill = dma.filter(|_| self.can_refill());
        at_watermark
            .or(of_room)
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

    /// Whether an injection FIFO for which packets wait holds no more than this number of bytes, and has room for each.
    fn is_empty_down_to(&self, bytes: u32) -> bool {
        let (awaited, chunks) = (self.cores[self.number].awaits_room, bytes / self.chunk_bytes());
        let full_packet = self.io.fabric.full_packet;
        (0..u32::BITS as usize).any(|fifo| {
            awaited >> fifo & 1 == 1
                && self.io.chunks(fifo) <= chunks
                && self.io.has_room(fifo, full_packet, false)
        })
    }

    /// Does the work of an interrupt; returns whether the core is interrupted and some work was left.
    #[inline]
    pub fn serve_interrupt<M: Mover>(&mut self) -> bool {
        if !self.core().is_interrupted {
            return false;
        }
        let Parameters { watermark, injection_watermark, .. } = &self.setup.parameters;
        let reads = watermark.is_some();
        let writes = injection_watermark.is_some() || self.setup.dma_line.is_some();
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
        self.setup.has_interrupts() && matches!(task, Task::Compute)
    }

    /// The time at which a busy core has to run again.
    pub fn busy_until(&self, end: u64) -> Resume {
        let core = &self.cores[self.number];
        // A DMA engine notifies the cores of what it has read.
        if self.setup.dma_line.is_some() || !core.task.as_ref().is_some_and(|task| self.observes_at_end(task))
        {
            return Resume::at(end);
        }
        let Parameters { watermark, injection_watermark, .. } = &self.setup.parameters;
        let when_received = watermark.map_or(0, |_| 1 << self.set);
        let when_room = injection_watermark.map_or(0, |_| core.awaits_room);
        Resume { at: end, when_received, when_room }
    }
}
