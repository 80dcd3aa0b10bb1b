//! All transfers of an alltoall posted without waiting, each rank beginning with another: in batches of 32
//! (MPICH2's `MPIR_ALLTOALL_THROTTLE`), or all at once. Blocks without bytes are not sent.

use super::schedule::{Blocks, Group, Schedule, Sizes, Step, Then};

/// Receives, and sends, of a batch.
pub(super) const BATCH: u32 = 32;

pub(super) struct Scattered<'a> {
    pub group: Group,
    pub batch: u32,
    pub sent: Sizes<'a>,
    pub received: Sizes<'a>,
}

impl Schedule for Scattered<'_> {
    fn rounds(&self) -> u32 {
        (self.group.size - 1).div_ceil(self.batch)
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let first = 1 + round * self.batch;
        let batch = self.batch.min(self.group.size - first);
        let distance = first + index % batch;
        let (source, target) = (self.group.after(distance), self.group.before(distance));
        let is_empty = |sizes: &Sizes<'_>, rank| sizes.bytes(Blocks::one(rank)) == 0;
        Some(match index / batch {
            0 if is_empty(&self.received, source) => Step::Skip,
            0 => Step::Receive { source, then: Then::Keep },
            1 if is_empty(&self.sent, target) => Step::Skip,
            1 => Step::Send { target, blocks: Blocks::one(target) },
            _ => return None,
        })
    }
}
