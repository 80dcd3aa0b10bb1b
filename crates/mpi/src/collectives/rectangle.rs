//! Multi-color broadcast on lines, planes and tori that wrap: `2 D` edge-disjoint trees in `D` dimensions.
//!
//! ```text
//!   color x+ of a plane                        color y+: the same with x and y exchanged; x-, y-: mirrored
//!
//!      y   o<-----+  +  +       along the root's row, up all other columns, and over the link that closes each ring to the
//!          o<- ...|  |  |       root's column
//!          R===+==+==+
//! ```
//!
//! A rank that differs from the root in a color's first dimension receives in the last dimension, in cyclic order
//! from the first, in which it differs. Any other rank receives in the first dimension, around the ring. So the
//! colors of one sign receive in different dimensions at every rank: they share no link. On a twisted torus two ranks
//! differ in the dimensions of the steps from one to the other in the color's directions. The trees are those of the
//! deposit-bit broadcasts (Kumar et al., 2008).

use super::forest::Tree;
use super::grid::{Grid, Heading};

/// The tree of a color.
pub(super) struct Rectangle {
    pub grid: Grid,
    pub root: u32,
    /// The dimension in which the tree leaves the root, as an index into the dimensions of more than one rank.
    pub first: usize,
    pub is_plus: bool,
}

impl Tree for Rectangle {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn heading(&self, rank: u32) -> Option<Heading> {
        if rank == self.root {
            return None;
        }
        let (long, count) = self.grid.long();
        let in_order = (0..count).map(|place| long[(self.first + place) % count]);
        let is_plus = self.is_plus;
        let differs = |&dimension: &usize| self.grid.differs(self.root, rank, Heading { dimension, is_plus });
        let first = long[self.first];
        let dimension = if differs(&first) { in_order.rev().find(differs)? } else { first };
        Some(self.grid.toward(rank, dimension, is_plus))
    }
}
