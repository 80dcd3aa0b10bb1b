//! Broadcast by the deposit bit (slides, October 2003; Kumar et al., 2008): data that go straight on in a tree are
//! one message along a line, of which the network leaves a copy with each rank.
//!
//! ```text
//!   R ===o===o===o        the root sends along its row
//!        |   |   |
//!        o   o   o        each rank of the row sends along its column
//!        |   |   |
//!        o   o   o
//! ```
//!
//! Where all dimensions wrap, the trees are those of [`super::rectangle`]; on another plane those of
//! [`super::red_blue`]. All other meshes have one tree, in the order of the dimensions: both ways from the root's
//! coordinate. The other ranks of a node get the data from the rank that is in the trees ([`WithinNode`]).

use super::forest::Tree;
use super::grid::{Branch, Grid, Heading};
use super::schedule::{Blocks, Schedule, Step, Then, alone};
use std::iter::successors;

/// The trees along whose lines data go.
pub(super) enum Trees {
    Rectangle,
    RedBlue,
    InOrder,
}

impl Trees {
    /// The trees on a grid of nodes.
    pub fn on(grid: &Grid) -> Self {
        match grid.long().1 {
            _ if grid.is_closed() => Trees::Rectangle,
            2 => Trees::RedBlue,
            _ => Trees::InOrder,
        }
    }
}

/// A rank's part of a broadcast along the lines of a tree.
pub(super) struct DownLines<T> {
    pub rank: u32,
    pub tree: T,
}

impl<T: Tree> DownLines<T> {
    /// The directions in which a rank has a child.
    fn branches(&self) -> impl Iterator<Item = Heading> {
        let (grid, rank) = (self.tree.grid(), self.rank);
        let is_branch =
            move |heading: &Heading| self.tree.heading(grid.ahead(rank, *heading)) == Some(*heading);
        grid.headings().filter(is_branch)
    }

    /// The rank at which data began to go straight on in a direction to a rank.
    fn sender(&self, heading: Heading) -> u32 {
        let behind = |&rank: &u32| {
            (self.tree.heading(rank) == Some(heading)).then(|| self.tree.grid().behind(rank, heading))
        };
        successors(Some(self.rank), behind).last().unwrap_or(self.rank)
    }

    /// The branch along which data go straight on from the rank.
    fn branch(&self, heading: Heading) -> Branch {
        let grid = self.tree.grid();
        let straight = |&rank: &u32| {
            Some(grid.ahead(rank, heading)).filter(|&next| self.tree.heading(next) == Some(heading))
        };
        let ranks = successors(Some(self.rank), straight).count() as u32 - 1;
        Branch { heading, ranks }
    }
}

impl<T: Tree> Schedule for DownLines<T> {
    fn rounds(&self) -> u32 {
        2
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let own = self.tree.heading(self.rank);
        if round == 0 {
            let source = own.map(|heading| self.sender(heading));
            return alone(index, source.map(|source| Step::Receive { source, then: Then::Keep }));
        }
        let (heading, blocks) = (self.branches().nth(index as usize)?, Blocks::All);
        Some(match own == Some(heading) {
            true => Step::Pass { target: self.tree.grid().ahead(self.rank, heading), blocks },
            false => Step::Deposit { branch: self.branch(heading), blocks },
        })
    }
}

/// The tree of a grid in which data go along its first dimension first, the shorter way from the root's coordinate.
pub(super) struct InOrder {
    pub grid: Grid,
    pub root: u32,
}

impl Tree for InOrder {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn heading(&self, rank: u32) -> Option<Heading> {
        let (long, count) = self.grid.long();
        let at = |dimension: usize| [rank, self.root].map(|rank| self.grid.coordinate(rank, dimension));
        let differs = |dimension: &usize| at(*dimension)[0] != at(*dimension)[1];
        let dimension = long[..count].iter().copied().rev().find(differs)?;
        let ([own, from], length) = (at(dimension), self.grid.length(dimension));
        let is_plus = match self.grid.has_rings_of_lines(dimension) {
            true => 2 * ((own + length - from) % length) <= length,
            false => own > from,
        };
        Some(Heading { dimension, is_plus })
    }
}

/// A schedule of one rank on each node: the root, and the ranks on the same core as the root. Each of them sends
/// what it has to the other ranks of its node.
pub(super) struct WithinNode<S> {
    pub rank: u32,
    pub root: u32,
    pub nodes: u32,
    pub cores: u32,
    pub schedule: S,
}

impl<S: Schedule> Schedule for WithinNode<S> {
    fn rounds(&self) -> u32 {
        self.schedule.rounds()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let (node, core, of_root) = (self.rank % self.nodes, self.rank / self.nodes, self.root / self.nodes);
        if core != of_root {
            let source = of_root * self.nodes + node;
            return alone(index, (round == 0).then_some(Step::Receive { source, then: Then::Keep }));
        }
        let others = if round + 1 == self.rounds() { self.cores - 1 } else { 0 };
        match index.checked_sub(others) {
            None => {
                let core = (of_root + 1 + index) % self.cores;
                Some(Step::Send { target: core * self.nodes + node, blocks: Blocks::All })
            }
            Some(index) => Some(self.schedule.step(round, index)?.at(|rank| of_root * self.nodes + rank)),
        }
    }
}
