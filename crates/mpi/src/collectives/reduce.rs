//! Along a binomial tree to rank 0: receive from the children one after the other, the smallest subtree first, then
//! send to the parent. A reduction combines the data that it receives, a gather keeps them.

use super::schedule::{Blocks, Group, Schedule, Step, Then, alone};
use super::tree;

pub(super) struct UpTree {
    pub group: Group,
    /// Whether the blocks of all ranks are kept apart.
    pub gathers: bool,
}

impl Schedule for UpTree {
    fn rounds(&self) -> u32 {
        tree::children(self.group) + 1
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let Group { rank, size } = self.group;
        if round < tree::children(self.group) {
            let then = if self.gathers { Then::Keep } else { Then::Combine(1) };
            return alone(index, Some(Step::Receive { source: tree::child(rank, round), then }));
        }
        let blocks = if self.gathers { tree::subtree(rank, size) } else { Blocks::All };
        alone(index, tree::parent(rank).map(|target| Step::Send { target, blocks }))
    }
}
