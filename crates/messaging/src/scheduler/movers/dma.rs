//! The DMA engine of a node: it moves packets between memory and the FIFOs of the torus for all cores, on a separate
//! time line.
//!
//! ```text
//!   core   --descriptor-->  injection FIFO in memory  --fetch-->  engine  --write-->  injection FIFO of the torus
//!   core   <-----take-----  reception FIFO in memory  <---------  engine  <--read---  reception FIFO of the torus
//!   buffer <-------------------- direct put --------------------  engine
//! ```
//!
//! A descriptor describes a whole message. The engine makes its packets, those of messages to different ranks in turns,
//! and reads and writes in turns too: its bandwidth is shared by all directions. A core that finds its injection FIFO
//! full asks for an interrupt and goes on; as soon as there is room, the interrupt stops its computation, and it fills
//! the FIFO again (Balaji, Naik and Desai 2009, section II). Packets of eager messages and of handshakes go to a FIFO
//! in memory, which cores poll; a watermark of it may interrupt a core that computes. Packets of a rendezvous body go
//! to where they belong, and a counter of the receiver shows when all have arrived. A core that computes stops neither.

use super::Mover;
use crate::node::task::Task;
use crate::parameters::Dma;
use crate::protocol::Kind;
use crate::scheduler::{Scheduler, Step};
use base::memory;
use network::node::software::Resume;
use network::packet::Stored;

/// A core whose packets the DMA engine of its node moves.
pub(crate) struct CoreWithDma;

/// The DMA engine of a node.
pub(crate) struct DmaEngine;

impl Mover for CoreWithDma {
    fn begin_read(scheduler: &mut Scheduler<'_, '_>) -> bool {
        scheduler.begin_poll()
    }

    fn write_after(scheduler: &mut Scheduler<'_, '_>, _passed: usize) -> Result<(), Resume> {
        scheduler.describe_next()
    }
}

impl Mover for DmaEngine {
    const PAYS_SETUP: bool = false;

    /// Forwards packets; else reads and writes in turns.
    fn next(scheduler: &mut Scheduler<'_, '_>) -> Step {
        if let Some(step) = scheduler.forward_first() {
            return step;
        }
        scheduler.fetch_descriptors();
        let writes_first = std::mem::take(&mut scheduler.core().writes_first);
        if writes_first && scheduler.write_next::<Self>().is_ok() || Self::begin_read(scheduler) {
            return Step::Done;
        }
        match scheduler.write_next::<Self>() {
            Ok(()) => Step::Done,
            Err(blocked) => Step::Wait(Self::when_received(scheduler).or(blocked)),
        }
    }

    fn begin_read(scheduler: &mut Scheduler<'_, '_>) -> bool {
        scheduler.begin_dma_read()
    }

    fn end_read(scheduler: &mut Scheduler<'_, '_>, stored: Stored) {
        scheduler.end_dma_read(stored);
    }

    fn when_received(scheduler: &Scheduler<'_, '_>) -> Resume {
        scheduler.sets().map(Resume::when_received).fold(Resume::IDLE, Resume::or)
    }

    fn write_after(scheduler: &mut Scheduler<'_, '_>, passed: usize) -> Result<(), Resume> {
        scheduler.write_packet::<Self>(passed)
    }

    fn outlet(scheduler: &Scheduler<'_, '_>, source: u32) -> (usize, usize) {
        let core = scheduler.setup.core_of(scheduler.setup.line(source));
        (core, scheduler.io.fabric.fifo_sets.of_core(core))
    }

    fn end_making(scheduler: &mut Scheduler<'_, '_>, source: u32) {
        scheduler.free_descriptor(source);
    }
}

impl Scheduler<'_, '_> {
    /// Whether the time line belongs to the node's DMA engine.
    pub fn is_dma(&self) -> bool {
        self.setup.dma_line == Some(self.number)
    }

    fn dma(&self) -> Dma {
        self.setup.parameters.dma.expect("the node has a DMA engine")
    }

    /// Begins to write a descriptor of the core's next message, if there is room for it.
    fn describe_next(&mut self) -> Result<(), Resume> {
        if self.cores[self.number].sends.first(self.pool).is_none() {
            return Err(Resume::IDLE);
        }
        if !self.has_room_for_descriptor() {
            self.core().handover.awaits_descriptors = true;
            return Err(Resume::IDLE); // the engine will notify the core
        }
        let outgoing = self.cores[self.number].sends.take(self.pool).expect("a message is next");
        let setup = self.setup.costs_of(outgoing.kind).setup;
        let start = self.start();
        let end = start + u64::from(self.dma().descriptor_processor_cycles) + u64::from(setup);
        let core = self.core();
        core.handover.awaits_descriptors = false;
        core.handover.descriptors += 1;
        core.handover.described.push_back((end, outgoing));
        self.begin(Task::Describe, start, end);
        Ok(())
    }

    fn has_room_for_descriptor(&self) -> bool {
        self.cores[self.number].handover.descriptors < self.dma().injection_fifo_descriptors
    }

    /// A descriptor is in its FIFO.
    pub fn end_describe(&mut self) {
        let time = self.core().free_at;
        self.hand_over(time);
    }

    /// Whether the core has asked for an interrupt, and there is room for descriptors again.
    pub fn can_refill(&self) -> bool {
        self.cores[self.number].handover.awaits_descriptors && self.has_room_for_descriptor()
    }

    /// The engine makes the last packet of a message, whose descriptor leaves its FIFO.
    fn free_descriptor(&mut self, source: u32) {
        let core = &mut self.cores[self.setup.line(source)];
        core.handover.descriptors -= 1;
        self.has_handed_over |= core.handover.awaits_descriptors;
    }

    /// Takes the descriptors that have been written by now.
    fn fetch_descriptors(&mut self) {
        let (clock, now, engine) = (self.clock(), self.io.now, self.number);
        for core in 0..engine {
            while let Some(&(written, outgoing)) = self.cores[core].handover.described.front()
                && clock.cycle_of(written) <= now
            {
                self.cores[core].handover.described.pop_front();
                memory::rewind(&mut self.cores[core].handover.described);
                if self.cores[engine].sends.first(self.pool).is_none() {
                    self.be_idle_until(written);
                }
                self.cores[engine].sends.push(self.pool, outgoing);
            }
        }
    }

    fn sets(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.io.fabric.parameters.node.fifo_sets()
    }

    /// Begins to read the packet that has waited longest in one of the sets of FIFOs, which take turns.
    fn begin_dma_read(&mut self) -> bool {
        let (sets, next) = (self.sets().count(), self.core().handover.next_set);
        let in_turn = (0..sets).map(|number| (next + number) % sets);
        let Some((set, received)) =
            in_turn.map(|set| (set, self.io.begin_read(set))).find(|(_, received)| received.is_some())
        else {
            return false;
        };
        let received = received.expect("it was found");
        let start = self.start();
        let cycles = self.dma().packet(self.io.fabric.layout.chunks(received.stored.packet));
        if is_put(&received.stored) && !self.is_relayed(&received.stored) {
            self.shared.arrivals.begin(received.stored.tag);
        }
        (self.core().handover.next_set, self.core().writes_first) = ((set + 1) % sets, true);
        self.begin(Task::Read(received), start, start + cycles);
        true
    }

    /// The engine has read a packet: it is where it belongs, or in the FIFO of its core.
    fn end_dma_read(&mut self, stored: Stored) {
        if is_put(&stored) {
            return self.receive(stored.tag);
        }
        let time = self.core().free_at;
        let core = self.shared.arrivals.core_of(stored.tag);
        self.cores[core].handover.taken.push_back((time, stored));
        self.hand_over(time);
    }

    /// Whether at least `chunks` chunks of packets wait in the core's FIFO in memory.
    pub fn has_taken(&self, chunks: u32) -> bool {
        let (clock, now, layout) = (self.clock(), self.io.now, &self.io.fabric.layout);
        let taken = &self.cores[self.number].handover.taken;
        let mut arrived = taken.iter().take_while(|(time, _)| clock.cycle_of(*time) <= now);
        let mut left = chunks;
        arrived.any(|(_, stored)| {
            left = left.saturating_sub(layout.chunks(stored.packet).into());
            left == 0
        })
    }

    /// Begins to take a packet from the FIFO in memory, if one has arrived by now.
    fn begin_poll(&mut self) -> bool {
        let (clock, now) = (self.clock(), self.io.now);
        let Some(&(received, stored)) = self.core().handover.taken.front() else { return false };
        if clock.cycle_of(received) > now {
            return false;
        }
        self.core().handover.taken.pop_front();
        memory::rewind(&mut self.core().handover.taken);
        let start = self.start().max(received);
        let cycles = self.read_cycles(&stored) + self.dispatch(&stored, start);
        self.begin(Task::Take(stored), start, start + cycles);
        true
    }
}

/// Whether a packet is put where its data belong.
fn is_put(stored: &Stored) -> bool {
    Kind::names_put(stored.tag.message)
}
