//! Swing (De Sensi, Bonato, Saam and Hoefler, 2024): recursive halving and doubling whose partners stay near on
//! rings. In step `s` of a ring, ranks of even coordinate exchange with the one `1 - 2 + 4 ... (-2)^s` after them.
//! In a grid the steps alternate between the dimensions, and parts of the data begin with different dimensions and
//! in different directions.
//!
//! ```text
//!   distances   1   1   3   5   11 ...      of halves, quarters, eighths ... of the data
//! ```

use super::grid::Grid;
use super::schedule::{Blocks, Schedule, Step, Then, exchange};

/// One part, among powers of two of ranks in each dimension.
pub(super) struct Swing {
    pub grid: Grid,
    pub rank: u32,
    /// The dimension with which the part begins, as an index into the dimensions of more than one rank.
    pub first: usize,
    pub is_plus: bool,
    pub scatters: bool,
    pub gathers: bool,
}

impl Swing {
    /// Steps in which every rank reaches every other.
    pub fn steps(&self) -> u32 {
        (self.grid.ranks() as u32).trailing_zeros()
    }

    /// The dimension of a step, and the number of earlier steps in the same dimension.
    fn dimension(&self, step: u32) -> (usize, u32) {
        let (long, count) = self.grid.long();
        let order = (0..count).map(|place| long[(self.first + place) % count]);
        let has_step = |dimension: usize, times: u32| self.grid.length(dimension) >> (times + 1) > 0;
        let mut steps = (0..).flat_map(|times| order.clone().map(move |dimension| (dimension, times)));
        let mut in_turn = steps.by_ref().filter(|&(dimension, times)| has_step(dimension, times));
        in_turn.nth(step as usize).expect("a step of the grid")
    }

    /// The rank with which a rank exchanges in a step.
    pub fn partner(&self, rank: u32, step: u32) -> u32 {
        let (dimension, times) = self.dimension(step);
        let distance = (1 - (-2i64).pow(times + 1)) / 3;
        let is_even = self.grid.coordinate(rank, dimension).is_multiple_of(2);
        self.grid.moved(rank, dimension, if is_even == self.is_plus { distance } else { -distance })
    }

    /// The blocks of the ranks that a rank reaches in the steps from `from`.
    fn reached(&self, by: u32, from: u32) -> Blocks {
        Blocks::Reached { by, from, count: 1 << (self.steps() - from) }
    }
}

impl Schedule for Swing {
    fn rounds(&self) -> u32 {
        self.steps() * (u32::from(self.scatters) + u32::from(self.gathers))
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let steps = self.steps();
        let is_gathering = !self.scatters || round >= steps;
        let step = if is_gathering { steps - 1 - round % steps } else { round };
        let partner = self.partner(self.rank, step);
        let (then, by) = if is_gathering { (Then::Keep, self.rank) } else { (Then::Combine(1), partner) };
        let blocks = self.reached(by, step + 1);
        exchange(index, Step::Receive { source: partner, then }, Step::Send { target: partner, blocks })
    }
}
