//! Co-processor mode: the second core of a node moves packets between FIFOs and memory, on a separate time line.
//!
//! ```text
//!   core           give ------ scratchpad ------>  write ---> injection FIFO      co-processor
//!                  take <----- scratchpad -------  read <---- reception FIFO
//! ```
//!
//! Both cores copy what passes through the scratchpad, non-cached memory that they share (slides, October 2003: the simple
//! solution). Without copies, they keep their caches coherent by flushing and invalidating lines (the complex one).

use super::Mover;
use crate::node::task::{Given, Task};
use crate::parameters;
use crate::scheduler::{Scheduler, Step};
use crate::setup::Movers;
use crate::transfers::making::packet;
use base::memory;
use network::node::choice::longest_direction;
use network::node::forward::Forwarded;
use network::node::software::Resume;
use network::packet::Stored;

/// The most packets that lie in the scratchpad, in each direction (assumed: half of 16 KB of SRAM). A co-processor is
/// given no more to write where packets stay in memory, either.
pub(crate) const SCRATCHPAD_PACKETS: usize = 32;

/// A core whose co-processor moves its packets.
pub(crate) struct CoreWithCoprocessor;

/// The co-processor of a core.
pub(crate) struct Coprocessor;

impl Mover for CoreWithCoprocessor {
    fn begin_read(scheduler: &mut Scheduler<'_, '_>) -> bool {
        scheduler.begin_take()
    }

    fn write_after(scheduler: &mut Scheduler<'_, '_>, passed: usize) -> Result<(), Resume> {
        scheduler.give_packet(passed)
    }
}

impl Mover for Coprocessor {
    /// Forwards packets; else reads and writes in turns.
    fn next(scheduler: &mut Scheduler<'_, '_>) -> Step {
        if let Some(step) = scheduler.forward_first() {
            return step;
        }
        if scheduler.core().writes_first && scheduler.write_given().is_ok() || Self::begin_read(scheduler) {
            return Step::Done;
        }
        match scheduler.write_given() {
            Ok(()) => Step::Done,
            Err(blocked) => Step::Wait(Self::when_received(scheduler).or(blocked)),
        }
    }

    fn begin_read(scheduler: &mut Scheduler<'_, '_>) -> bool {
        if !scheduler.can_hand_in() {
            return false;
        }
        let Some(received) = scheduler.io.begin_read(scheduler.set) else { return false };
        let start = scheduler.start();
        let cycles = scheduler.read_cycles(&received.stored);
        scheduler.core().writes_first = true;
        scheduler.begin(Task::Read(received), start, start + cycles);
        true
    }

    fn end_read(scheduler: &mut Scheduler<'_, '_>, stored: Stored) {
        scheduler.hand_in(stored);
    }

    fn when_received(scheduler: &Scheduler<'_, '_>) -> Resume {
        Resume::when_received(scheduler.set)
    }

    fn write_after(scheduler: &mut Scheduler<'_, '_>, _passed: usize) -> Result<(), Resume> {
        scheduler.write_given()
    }
}

impl Scheduler<'_, '_> {
    /// Whether the time line belongs to a co-processor.
    pub fn is_coprocessor(&self) -> bool {
        self.setup.movers == Movers::Coprocessors && self.number % 2 == 1
    }

    fn coprocessor(&self) -> parameters::Coprocessor {
        self.setup.parameters.coprocessor.expect("the node has co-processors")
    }

    /// Processor cycles in which a core passes a packet to its co-processor, or the co-processor to its core.
    fn pass(&self, packet: &Stored) -> u64 {
        let coprocessor = self.coprocessor();
        let each = coprocessor
            .scratchpad_processor_cycles_per_chunk
            .unwrap_or(coprocessor.flush_processor_cycles_per_chunk);
        u64::from(each) * u64::from(self.io.fabric.layout.chunks(packet.packet))
    }

    /// The processor cycle from which the other core can take what is passed now.
    fn handover_time(&mut self) -> u64 {
        self.core().free_at + u64::from(self.coprocessor().handover_processor_cycles)
    }

    /// Whether the co-processor can leave another packet for its core: always, if packets go to memory.
    fn can_hand_in(&self) -> bool {
        self.coprocessor().scratchpad_processor_cycles_per_chunk.is_none()
            || self.cores[self.number - 1].handover.taken.len() < SCRATCHPAD_PACKETS
    }

    /// Whether the core can give its co-processor a packet.
    fn can_give(&self) -> bool {
        self.cores[self.number + 1].handover.given.len() < SCRATCHPAD_PACKETS
    }

    /// Begins to give the next packet to the co-processor, if it has room for the packet.
    fn give_packet(&mut self, passed: usize) -> Result<(), Resume> {
        let (fabric, node, can_give) = (self.io.fabric, self.io.node, self.can_give());
        let (first, request) = self.next_packet(passed)?;
        if !can_give {
            return Err(Resume::IDLE);
        }
        let (kind, begins) = (first.kind, first.written == 0);
        let offer = packet(fabric, node, &request, &mut first.route);
        let setup = if begins { self.setup.costs_of(kind).setup } else { 0 };
        let (nameless, action) = (fabric.layout.nameless(&offer), offer.forward_action.code());
        let (stored, reports) = self.take_packet::<CoreWithCoprocessor>(nameless, action, request.sequence);
        let packet = Forwarded { offer, stored, number: request.sequence };
        let start = self.start();
        self.begin_give(Given { packet, reports }, start, setup);
        Ok(())
    }

    /// Begins to give the co-processor a packet.
    fn begin_give(&mut self, given: Given, start: u64, setup: u32) {
        let cycles = self.pass(&given.packet.stored) + u64::from(setup);
        self.begin(Task::Give(Box::new(given)), start, start + cycles);
    }

    /// The co-processor has been given a packet.
    pub fn end_give(&mut self, given: Given) {
        let time = self.handover_time();
        self.cores[self.number + 1].handover.given.push_back((time, given));
        self.hand_over(time);
    }

    /// The co-processor passes a packet to its core.
    fn hand_in(&mut self, stored: Stored) {
        let time = self.handover_time();
        self.cores[self.number - 1].handover.taken.push_back((time, stored));
        self.hand_over(time);
    }

    /// Begins to take a packet from the co-processor, if one has been passed by now.
    fn begin_take(&mut self) -> bool {
        let (clock, now) = (self.clock(), self.io.now);
        let Some(&(passed, stored)) = self.core().handover.taken.front() else { return false };
        if clock.cycle_of(passed) > now {
            return false;
        }
        self.core().handover.taken.pop_front();
        memory::rewind(&mut self.core().handover.taken);
        self.has_handed_over = true; // there is room in the scratchpad
        let start = self.start().max(passed);
        let cycles = self.pass(&stored) + self.dispatch(&stored, start);
        self.begin(Task::Take(stored), start, start + cycles);
        true
    }

    /// Begins to write a packet that the core has given, if one has been passed by now and has room.
    fn write_given(&mut self) -> Result<(), Resume> {
        let now = self.io.now;
        let Some(&(passed, given)) = self.core().handover.given.front() else { return Err(Resume::IDLE) };
        let at = self.clock().cycle_of(passed);
        if at > now {
            return Err(Resume::at(at));
        }
        let Given { packet: Forwarded { offer, stored, number }, reports } = given;
        let request = self.request(&offer, number);
        let fifo = request.choose(self.io, || longest_direction(&offer.hops))?;
        self.core().handover.given.pop_front();
        memory::rewind(&mut self.core().handover.given);
        self.has_handed_over = true; // there is room in the scratchpad
        self.core().writes_first = false;
        let start = self.start().max(passed);
        self.write(fifo, offer.chunks, stored, reports, start, 0);
        Ok(())
    }
}
