//! Along a binomial tree from rank 0: receive from the parent, then send to the children one after the other, the
//! largest subtree first. A broadcast sends all data to every rank, a scatter only those of the subtree.

use super::schedule::{Blocks, Group, Schedule, Step, Then, alone};
use super::tree;

pub(super) struct DownTree {
    pub group: Group,
    /// Whether each rank gets its own block only.
    pub scatters: bool,
}

impl Schedule for DownTree {
    fn rounds(&self) -> u32 {
        1 + tree::children(self.group)
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let Group { rank, size } = self.group;
        let Some(sent) = round.checked_sub(1) else {
            return alone(index, tree::parent(rank).map(|source| Step::Receive { source, then: Then::Keep }));
        };
        let target = tree::child(rank, tree::children(self.group) - 1 - sent);
        let blocks = if self.scatters { tree::subtree(target, size) } else { Blocks::All };
        alone(index, Some(Step::Send { target, blocks }))
    }
}
