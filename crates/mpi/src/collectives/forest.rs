//! Broadcast down trees along the links of a grid. The data are cut into one color for each tree. As no two trees
//! have a link in common, all colors move at the full rate of a link.

use super::grid::{Grid, Heading};
use super::schedule::{Blocks, Schedule, Step, Then, alone};

/// A tree that spans a grid.
pub(super) trait Tree {
    fn grid(&self) -> &Grid;

    /// The direction in which data arrive at a rank; none at the root.
    fn heading(&self, rank: u32) -> Option<Heading>;

    /// The neighbor from which a rank receives; none at the root.
    fn parent(&self, rank: u32) -> Option<u32> {
        self.heading(rank).map(|heading| self.grid().behind(rank, heading))
    }
}

impl<T: Tree + ?Sized> Tree for &T {
    fn grid(&self) -> &Grid {
        (**self).grid()
    }

    fn heading(&self, rank: u32) -> Option<Heading> {
        (**self).heading(rank)
    }
}

/// A rank's part of a broadcast down a tree.
pub(super) struct DownForest<T> {
    pub rank: u32,
    pub tree: T,
}

impl<T: Tree> Schedule for DownForest<T> {
    fn rounds(&self) -> u32 {
        2
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        if round == 0 {
            let parent = self.tree.parent(self.rank);
            return alone(index, parent.map(|source| Step::Receive { source, then: Then::Keep }));
        }
        let is_child = |&neighbor: &u32| self.tree.parent(neighbor) == Some(self.rank);
        let target = self.tree.grid().neighbors(self.rank).filter(is_child).nth(index as usize)?;
        Some(Step::Send { target, blocks: Blocks::All })
    }
}
