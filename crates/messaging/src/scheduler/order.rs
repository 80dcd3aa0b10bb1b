//! The order of a core's work.

use super::movers::Mover;
use super::{Scheduler, Step};
use crate::node::rank::Rank;
use network::node::software::Resume;

impl Scheduler<'_, '_> {
    /// Does the work that comes first.
    #[inline]
    pub fn next_of_core<M: Mover>(&mut self) -> Step {
        // A packet that the core has read as a relay: nothing else is done before that is written.
        if let Some(step) = self.forward_first() {
            return step;
        }
        // The work of an interrupt.
        let has_begun = self.serve_interrupt::<M>()
            // The operations of the rank, and packets of a send as far as FIFOs have room.
            || self.perform_next::<M>()
            // The packet that has waited longest; a core that computes reads only if another part of the node moves packets.
            || M::begin_read(self)
            // A message of another rank of the node.
            || self.begin_local()
            // A packet of the tree network, or a wire that has been released.
            || self.begin_collective_read();
        if has_begun { Step::Done } else { self.resume_or_write::<M>() }
    }

    /// Resumes the rank, writes or waits.
    #[inline]
    fn resume_or_write<M: Mover>(&mut self) -> Step {
        // The rank, once it is due.
        let due = self.core().rank.as_ref().and_then(Rank::due);
        let resume = due.map_or(Resume::IDLE, |due| Resume::at(self.clock().cycle_of(due)));
        if let Some(due) = due.filter(|_| resume.at <= self.io.now) {
            self.resume(due);
            return Step::Done;
        }
        // A packet of the tree network, or a wire.
        if self.begin_collective_write() {
            return Step::Done;
        }
        // The next packet of the core's messages.
        match self.write_next::<M>() {
            Ok(()) => Step::Done,
            Err(blocked) => Step::Wait(M::when_received(self).or(resume).or(blocked)),
        }
    }

    /// Begins to write the packet that is to be forwarded first, if any.
    #[inline]
    pub fn forward_first(&mut self) -> Option<Step> {
        let forwarded = *self.core().to_forward.front()?;
        Some(self.forward(&forwarded))
    }
}
