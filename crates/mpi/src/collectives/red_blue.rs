//! Red-blue broadcast on a plane that need not wrap (slides of October 2003): two edge-disjoint trees.
//!
//! ```text
//!   red, root R in a corner               blue: the same with rows and columns exchanged
//!
//!     R ==> o ==> o ==> o                 along the root's row, down all other columns; at their ends into the root's
//!     ^     |     |     |                 column, which is filled by its reverse links
//!     |     v     v     v
//!     o     o     o     o
//!     ^     v     v     v
//!     o <== o     o     o
//! ```
//!
//! The slides' picture is lost; these trees have the numbers of sends and receives that it gives (3 + 2, 2 + 2, 1 +
//! 2, 0 + 2). From a root that is in no corner, rows and columns go both ways.

use super::forest::Tree;
use super::grid::{Grid, Heading};

/// The tree of a color.
pub(super) struct RedBlue {
    pub grid: Grid,
    pub root: u32,
    pub is_red: bool,
}

impl RedBlue {
    /// The dimension of the root's row, and that of the columns, for this color.
    fn dimensions(&self) -> [usize; 2] {
        let ([x, y, ..], _) = self.grid.long();
        if self.is_red { [x, y] } else { [y, x] }
    }
}

impl Tree for RedBlue {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn heading(&self, rank: u32) -> Option<Heading> {
        let [along, across] = self.dimensions();
        let at = |dimension: usize| {
            (self.grid.coordinate(rank, dimension), self.grid.coordinate(self.root, dimension))
        };
        let from = |dimension: usize, (own, from): (u32, u32)| Heading { dimension, is_plus: own > from };
        let ((x, root_x), (y, root_y)) = (at(along), at(across));
        match (x == root_x, y == root_y) {
            (true, true) => None,
            (false, true) => Some(from(along, (x, root_x))),
            (false, false) => Some(from(across, (y, root_y))),
            (true, false) => {
                let end = if y > root_y { self.grid.length(across) - 1 } else { 0 };
                let adjacent = if x + 1 < self.grid.length(along) { x + 1 } else { x - 1 };
                Some(if y == end { from(along, (x, adjacent)) } else { from(across, (y, end)) })
            }
        }
    }
}
