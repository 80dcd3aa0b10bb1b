//! Grids of ranks: where the ranks of a communicator are in a torus or mesh, for algorithms that use its links.

use serde::{Deserialize, Serialize};

/// The most dimensions of a grid: six of a machine, and the cores of a node.
pub const MAX_GRID_DIMENSIONS: usize = 7;

/// The ranks of a communicator as a grid, whose first coordinate varies fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// By dimension; 1 beyond the last.
    lengths: [u32; MAX_GRID_DIMENSIONS],
    wraps: [bool; MAX_GRID_DIMENSIONS],
}

impl Grid {
    /// A grid of these lengths, each at least 1 and at most [`MAX_GRID_DIMENSIONS`] of them, closed to rings where it
    /// wraps.
    pub fn new(lengths: &[u32], wraps: &[bool]) -> Self {
        assert_eq!(lengths.len(), wraps.len(), "each dimension wraps or does not");
        assert!(lengths.iter().all(|&length| length > 0), "every dimension has a length");
        let mut grid = Grid { lengths: [1; MAX_GRID_DIMENSIONS], wraps: [true; MAX_GRID_DIMENSIONS] };
        grid.lengths[..lengths.len()].copy_from_slice(lengths);
        grid.wraps[..wraps.len()].copy_from_slice(wraps);
        grid
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u64 {
        self.lengths.iter().map(|&length| u64::from(length)).product()
    }

    pub(super) fn length(&self, dimension: usize) -> u32 {
        self.lengths[dimension]
    }

    /// The dimensions of more than one rank, and how many these are.
    pub(super) fn long(&self) -> ([usize; MAX_GRID_DIMENSIONS], usize) {
        let (mut long, mut count) = ([0; MAX_GRID_DIMENSIONS], 0);
        for dimension in (0..MAX_GRID_DIMENSIONS).filter(|&dimension| self.lengths[dimension] > 1) {
            long[count] = dimension;
            count += 1;
        }
        (long, count)
    }

    /// Whether it has links in both directions at every rank, as a ring of two has.
    pub(super) fn is_closed(&self) -> bool {
        self.lengths.iter().zip(&self.wraps).all(|(&length, &wraps)| wraps || length <= 2)
    }

    /// The difference of the numbers of two neighbors.
    pub(super) fn stride(&self, dimension: usize) -> u32 {
        self.lengths[..dimension].iter().product()
    }

    pub(super) fn coordinate(&self, rank: u32, dimension: usize) -> u32 {
        rank / self.stride(dimension) % self.lengths[dimension]
    }

    /// The rank whose coordinate in a dimension is another.
    pub(super) fn with(&self, rank: u32, dimension: usize, coordinate: u32) -> u32 {
        let stride = self.stride(dimension);
        rank - self.coordinate(rank, dimension) * stride + coordinate * stride
    }

    /// The rank so many steps away along a dimension, around its ring.
    pub(super) fn moved(&self, rank: u32, dimension: usize, steps: i64) -> u32 {
        let length = i64::from(self.lengths[dimension]);
        let coordinate = (i64::from(self.coordinate(rank, dimension)) + steps).rem_euclid(length);
        self.with(rank, dimension, coordinate as u32)
    }

    /// The different neighbors of a rank, around rings.
    pub(super) fn neighbors(&self, rank: u32) -> impl Iterator<Item = u32> {
        let grid = *self;
        let (long, count) = self.long();
        long.into_iter().take(count).flat_map(move |dimension| {
            let both = [1, -1].map(|step| grid.moved(rank, dimension, step));
            let different = if both[0] == both[1] { 1 } else { 2 };
            both.into_iter().take(different)
        })
    }

    /// Whether a restored grid is one that [`Grid::new`] makes.
    pub(crate) fn is_valid(&self) -> bool {
        let lengths = self.lengths.iter().try_fold(1u32, |ranks, &length| ranks.checked_mul(length));
        lengths.is_some_and(|ranks| ranks > 0)
    }
}
