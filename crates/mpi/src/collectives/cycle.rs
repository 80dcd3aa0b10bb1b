//! The cyclic order in which a ring goes through all ranks of a grid, if it can from neighbor to neighbor.
//!
//! ```text
//!   o  o--o--o     an even dimension, here downward, is the back of a comb: the ring goes to and fro through its teeth,
//!   |  |     |     which are paths through all other dimensions, and returns along their first ranks
//!   o  o--o--o
//!   |        |
//!   o--o--o--o
//! ```
//!
//! So it uses no link twice, needs none that closes a ring, and leaves the links of the opposite direction to the
//! ring that goes the other way. In one dimension, or where all lengths are odd, ranks are in the order of their
//! numbers.

use super::grid::Grid;

/// A cyclic order of ranks.
#[derive(Clone, Copy)]
pub(super) struct Cycle {
    comb: Option<Comb>,
    ranks: u32,
    is_mirrored: bool,
}

impl Cycle {
    pub fn new(grid: Option<Grid>, ranks: u32) -> Self {
        Cycle { comb: grid.and_then(Comb::new), ranks, is_mirrored: false }
    }

    /// The opposite order.
    pub fn mirrored(self) -> Self {
        Cycle { is_mirrored: !self.is_mirrored, ..self }
    }

    /// The place of a rank.
    pub fn place(&self, rank: u32) -> u32 {
        self.directed(self.comb.map_or(rank, |comb| comb.place(rank)))
    }

    /// The rank at a place.
    pub fn rank(&self, place: u32) -> u32 {
        let place = self.directed(place);
        self.comb.map_or(place, |comb| comb.rank(place))
    }

    fn directed(&self, place: u32) -> u32 {
        if self.is_mirrored { self.ranks - 1 - place } else { place }
    }
}

/// Teeth along all dimensions but the back's, which is even.
#[derive(Clone, Copy)]
struct Comb {
    grid: Grid,
    back: usize,
}

impl Comb {
    fn new(grid: Grid) -> Option<Self> {
        let (long, count) = grid.long();
        let back = long[..count].iter().copied().find(|&dimension| grid.length(dimension).is_multiple_of(2));
        back.filter(|_| count > 1).map(|back| Comb { grid, back })
    }

    /// Number of teeth, and the ranks of each beyond its first.
    fn teeth(&self) -> (u32, u32) {
        let teeth = self.grid.length(self.back);
        (teeth, self.grid.ranks() as u32 / teeth - 1)
    }

    fn rank(&self, place: u32) -> u32 {
        let (teeth, length) = self.teeth();
        let (tooth, along) = (place / length, place % length);
        let (tooth, along) = match tooth {
            _ if tooth >= teeth => (teeth - 1 - (place - teeth * length), 0),
            _ if tooth.is_multiple_of(2) => (tooth, 1 + along),
            _ => (tooth, length - along),
        };
        self.at(tooth, along)
    }

    fn place(&self, rank: u32) -> u32 {
        let (teeth, length) = self.teeth();
        let tooth = self.grid.coordinate(rank, self.back);
        match self.along(rank) {
            0 => teeth * length + teeth - 1 - tooth,
            along if tooth.is_multiple_of(2) => tooth * length + along - 1,
            along => tooth * length + length - along,
        }
    }

    /// The dimensions of a tooth. The last varies fastest, so that the cores of a node are adjacent.
    fn dimensions(&self) -> impl Iterator<Item = usize> {
        let ((long, count), back) = (self.grid.long(), self.back);
        long.into_iter().take(count).filter(move |&dimension| dimension != back)
    }

    /// The rank at a place of a tooth, in the reflected order: each dimension goes to and fro.
    fn at(&self, tooth: u32, along: u32) -> u32 {
        let (_, length) = self.teeth();
        let mut left = length + 1;
        self.dimensions().fold(tooth * self.grid.stride(self.back), |rank, dimension| {
            let length = self.grid.length(dimension);
            left /= length;
            let (turn, step) = (along / left / length, along / left % length);
            rank + reflected(turn, step, length) * self.grid.stride(dimension)
        })
    }

    /// The place of a rank in its tooth.
    fn along(&self, rank: u32) -> u32 {
        self.dimensions().fold(0, |turn, dimension| {
            let length = self.grid.length(dimension);
            turn * length + reflected(turn, self.grid.coordinate(rank, dimension), length)
        })
    }
}

/// A step of a path that goes to and fro.
fn reflected(turn: u32, step: u32, length: u32) -> u32 {
    if turn.is_multiple_of(2) { step } else { length - 1 - step }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_ring_is_in_every_place_once_and_goes_from_neighbor_to_neighbor(
            lengths in prop::collection::vec(1u32..7, 1..=4), is_mirrored: bool,
        ) {
            let grid = Grid::new(&lengths, &vec![false; lengths.len()]);
            let ranks = grid.ranks() as u32;
            let cycle = Cycle::new(Some(grid), ranks);
            let cycle = if is_mirrored { cycle.mirrored() } else { cycle };
            prop_assert!((0..ranks).all(|rank| cycle.rank(cycle.place(rank)) == rank && cycle.place(rank) < ranks));
            let distance = |from: u32, to: u32| -> u32 {
                let along = |dimension| grid.coordinate(from, dimension).abs_diff(grid.coordinate(to, dimension));
                (0..lengths.len()).map(along).sum()
            };
            let is_even = ranks.is_multiple_of(2) && grid.long().1 > 1;
            let hops = (0..ranks).map(|place| distance(cycle.rank(place), cycle.rank((place + 1) % ranks)));
            prop_assert!(!is_even || hops.into_iter().all(|hops| hops == 1));
        }
    }
}
