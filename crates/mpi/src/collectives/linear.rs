//! Between the root and every other rank directly: gatherv and scatterv, in which only the root knows all lengths. Blocks
//! without bytes are not sent.

use super::schedule::{Blocks, Group, Schedule, Sizes, Step, Then, alone};

pub(super) struct Linear<'a> {
    pub group: Group,
    pub root: u32,
    pub sizes: Sizes<'a>,
    pub gathers: bool,
}

impl Linear<'_> {
    /// The block of a rank. A rank other than the root may know only its own.
    fn block(&self, rank: u32) -> Blocks {
        if self.sizes.parts() == 1 { Blocks::All } else { Blocks::one(rank) }
    }

    fn transfer(&self, peer: u32, block: Blocks, sends: bool) -> Step {
        match (self.sizes.bytes(block), sends) {
            (0, _) => Step::Skip,
            (_, true) => Step::Send { target: peer, blocks: block },
            (_, false) => Step::Receive { source: peer, then: Then::Keep },
        }
    }
}

impl Schedule for Linear<'_> {
    fn rounds(&self) -> u32 {
        1
    }

    fn step(&self, _: u32, index: u32) -> Option<Step> {
        let Group { rank, size } = self.group;
        if rank != self.root {
            return alone(index, Some(self.transfer(self.root, self.block(rank), self.gathers)));
        }
        let peer = index + u32::from(index >= rank);
        (peer < size).then(|| self.transfer(peer, self.block(peer), !self.gathers))
    }
}
