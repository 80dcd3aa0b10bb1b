//! A core that moves packets by itself.

use super::Mover;
use crate::node::task::Task;
use crate::scheduler::Scheduler;
use network::node::software::Resume;

/// A core that reads and writes the packets of its rank.
pub(crate) struct MovingCore;

impl Mover for MovingCore {
    #[inline]
    fn begin_read(scheduler: &mut Scheduler<'_, '_>) -> bool {
        let Some(received) = scheduler.io.begin_read(scheduler.set) else { return false };
        if scheduler.setup.is_plain {
            let slot = scheduler.first_slot + scheduler.number;
            scheduler.ranks.prefetch_arrival(slot, received.stored.tag.rank);
        }
        let start = scheduler.start();
        let cycles = scheduler.read_cycles(&received.stored) + scheduler.dispatch(&received.stored, start);
        scheduler.begin(Task::Read(received), start, start + cycles);
        true
    }

    #[inline]
    fn when_received(scheduler: &Scheduler<'_, '_>) -> Resume {
        Resume::when_received(scheduler.set)
    }

    #[inline]
    fn write_after(scheduler: &mut Scheduler<'_, '_>, passed: usize) -> Result<(), Resume> {
        scheduler.write_packet::<Self>(passed)
    }
}
