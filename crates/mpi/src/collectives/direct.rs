//! Alltoall directly to every rank: each rank sends in its own random order, and receives from any. A window of
//! messages is under way: one more is sent for each that has been received.
//!
//! No rank waits forever. Receives are posted regardless of sends, so that every message is received. Ranks that
//! had not sent everything would have sent more than they have received, and no rank has sent less.

use super::schedule::{Blocks, Group, Schedule, Step};
use base::draws::mix;
use base::permutation::Permutation;

/// Messages that a rank sends in excess of those that it has received, and receives that it posts (MPICH2's
/// `MPIR_ALLTOALL_THROTTLE`).
const WINDOW: u32 = 32;

/// Part 0 sends; the others receive.
pub(super) struct Direct {
    pub group: Group,
    pub part: u32,
    pub seed: u64,
}

impl Direct {
    /// Number of parts.
    pub fn parts(group: Group) -> u32 {
        1 + WINDOW.min(group.size - 1)
    }
}

impl Schedule for Direct {
    fn rounds(&self) -> u32 {
        let others = self.group.size - 1;
        match self.part.checked_sub(1) {
            None => others,
            Some(receive) => (others - receive).div_ceil(WINDOW),
        }
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        if index > 0 {
            return None;
        }
        if self.part > 0 {
            return Some(Step::ReceiveAny);
        }
        let Group { rank, size } = self.group;
        let order = Permutation::new((size - 1).into(), mix(self.seed).wrapping_add(rank.into()));
        let target = self.group.after(1 + order.at(round.into()) as u32);
        Some(Step::Send { target, blocks: Blocks::one(target) })
    }

    fn is_shared(&self, _: u32) -> bool {
        true
    }

    fn received_before(&self, round: u32) -> u32 {
        if self.part == 0 { (round + 1).saturating_sub(WINDOW) } else { 0 }
    }

    fn sends_wait(&self) -> bool {
        false
    }
}
