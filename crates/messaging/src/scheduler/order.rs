//! The order of a core's work.

use super::movers::Mover;
use super::{Scheduler, Step};
use crate::node::rank::Rank;
use network::node::software::Resume;

impl Scheduler<'_, '_> {
    /// Does the work that comes first.
    #[inline]
    pub fn next_of_core<M: Mover>(&mut self) -> Step {
        // A packet that it has read as a relay: nothing else is done before that is written.
        self.forward_first()
            // The work of an interrupt.
            .or_else(|| self.serve_interrupt::<M>())
            // The operations of its rank, and packets of a send as far as FIFOs have room.
            .or_else(|| self.perform_next::<M>())
            // The packet that has waited longest; a core that computes reads only if another part of the node moves packets.
            .or_else(|| Step::done(M::begin_read(self)))
            // A message of another rank of its node.
            .or_else(|| Step::done(self.begin_local()))
            // A packet of the tree network, or a wire that has been released.
            .or_else(|| Step::done(self.begin_joint_read()))
            // Its rank, if that is due.
            .or_else(|| Step::done(self.resume_if_due()))
            // A packet of the tree network, or a wire.
            .or_else(|| Step::done(self.begin_joint_write()))
            // The next packet of its messages.
            .unwrap_or_else(|| self.write_or_wait::<M>())
    }

    /// Begins to write the packet that is to be forwarded first, if any.
    #[inline]
    pub fn forward_first(&mut self) -> Option<Step> {
        let forwarded = *self.core().to_forward.front()?;
        Some(self.forward(&forwarded))
    }

    #[inline]
    fn resume_if_due(&mut self) -> bool {
        let Some(due) = self.core().rank.as_ref().and_then(Rank::due) else { return false };
        let is_due = self.clock().cycle_of(due) <= self.io.now;
        if is_due {
            self.resume(due);
        }
        is_due
    }

    #[inline]
    fn write_or_wait<M: Mover>(&mut self) -> Step {
        match self.write_next::<M>() {
            Ok(()) => Step::Done,
            Err(blocked) => {
                let due = self.core().rank.as_ref().and_then(Rank::due);
                let at = due.map_or(Resume::IDLE, |due| Resume::at(self.clock().cycle_of(due)));
                Step::Wait(M::when_received(self).or(at).or(blocked))
            }
        }
    }
}

impl Step {
    /// A step, if one has been done.
    #[inline]
    fn done(is_done: bool) -> Option<Step> {
        is_done.then_some(Step::Done)
    }
}
