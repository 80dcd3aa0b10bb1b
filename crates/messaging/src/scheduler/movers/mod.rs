//! The parts of a node that move packets between FIFOs and memory.
//!
//! ```text
//!   cores           core <---> FIFOs
//!   co-processors   core <--- scratchpad ---> co-processor <---> FIFOs
//!   DMA engine      core <--- FIFOs in memory ---> engine <---> FIFOs
//! ```
//!
//! Each time line of a node moves packets in one of these ways, [`Mover`]; the scheduler is compiled for each.

pub mod coprocessor;
pub mod core;
pub mod dma;

use super::{Scheduler, Step};
use network::node::software::Resume;
use network::packet::Stored;

/// The way in which a time line moves packets.
pub(crate) trait Mover: Sized {
    /// Whether it pays for the first packet of a message when it writes that.
    const PAYS_SETUP: bool = true;

    /// Does the work that comes first.
    #[inline]
    fn next(scheduler: &mut Scheduler<'_, '_>) -> Step {
        scheduler.next_of_core::<Self>()
    }

    /// Begins to read the next packet, if any.
    fn begin_read(scheduler: &mut Scheduler<'_, '_>) -> bool;

    /// A packet has been read, which the node does not forward.
    #[inline]
    fn end_read(scheduler: &mut Scheduler<'_, '_>, stored: Stored) {
        scheduler.receive(stored.tag);
    }

    /// The arrivals that wake it when it has nothing to do.
    fn when_received(_: &Scheduler<'_, '_>) -> Resume {
        Resume::IDLE
    }

    /// Begins to write the next packet to the peer after `passed` others, if its FIFO has room.
    fn write_after(scheduler: &mut Scheduler<'_, '_>, passed: usize) -> Result<(), Resume>;

    /// The core through whose FIFOs it writes a message of a rank, and the set of these FIFOs.
    #[inline]
    fn outlet(scheduler: &Scheduler<'_, '_>, _source: u32) -> (usize, usize) {
        (scheduler.core_number(), scheduler.set)
    }

    /// All packets of a message of a rank have been made.
    fn end_making(_: &mut Scheduler<'_, '_>, _source: u32) {}
}
