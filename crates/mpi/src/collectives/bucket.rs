//! Bucket algorithms (Barnett, Littlefield, Payne and van de Geijn, 1993; Jain and Sabharwal, 2010): rings along one
//! dimension of a grid after the other. A reduce-scatter leaves each rank of a line with its share of what the line had,
//! which the next dimension divides further; an allgather goes the same way back.
//!
//! ```text
//!   4 x 3 ranks, x first     x: 3 rounds, 3 blocks a message     y: 2 rounds, 1 block a message
//! ```
//!
//! Data are cut into a part for each dimension and direction, so that the parts begin with different dimensions and use
//! different links at any time.

use super::grid::Grid;
use super::schedule::{Blocks, Group, Schedule, Step, Then, exchange};

/// One part, whose blocks are numbered by coordinates in the order of its dimensions, the last fastest.
pub(super) struct Bucket {
    pub grid: Grid,
    pub rank: u32,
    /// The dimension with which it begins, as an index into those of more than one rank.
    pub first: usize,
    pub is_plus: bool,
    pub scatters: bool,
    pub gathers: bool,
}

/// A rank's line in one dimension.
struct Line {
    dimension: usize,
    /// Ranks in the order in which data go around.
    ring: Group,
    /// Consecutive blocks of which the line divides as many as it has ranks.
    weight: u32,
    /// The first block that the line divides.
    offset: u32,
}

impl Bucket {
    /// The place of a rank in the ring of its line, or of the rank at a place.
    fn place(&self, coordinate: u32, length: u32) -> u32 {
        if self.is_plus { coordinate } else { length - 1 - coordinate }
    }

    fn line(&self, stage: usize) -> Line {
        let (long, count) = self.grid.long();
        let dimension = |stage: usize| long[(self.first + stage) % count];
        let (mut weight, mut offset) = (self.grid.ranks() as u32, 0);
        for stage in 0..=stage {
            let length = self.grid.length(dimension(stage));
            weight /= length;
            let place = self.place(self.grid.coordinate(self.rank, dimension(stage)), length);
            offset += place * weight;
        }
        let dimension = dimension(stage);
        let size = self.grid.length(dimension);
        let rank = self.place(self.grid.coordinate(self.rank, dimension), size);
        Line { dimension, ring: Group { rank, size }, weight, offset: offset - rank * weight }
    }

    /// Rounds along all dimensions.
    fn rounds_of_half(&self) -> u32 {
        let (long, count) = self.grid.long();
        long[..count].iter().map(|&dimension| self.grid.length(dimension) - 1).sum()
    }

    fn exchange(&self, line: &Line, block: u32, then: Then, index: u32) -> Option<Step> {
        let Line { dimension, ring, weight, offset } = *line;
        let at = |place: u32| self.grid.with(self.rank, dimension, self.place(place, ring.size));
        let receive = Step::Receive { source: at(ring.before(1)), then };
        let blocks = Blocks::Range { first: offset + block * weight, count: weight };
        exchange(index, receive, Step::Send { target: at(ring.after(1)), blocks })
    }
}

impl Schedule for Bucket {
    fn rounds(&self) -> u32 {
        self.rounds_of_half() * (u32::from(self.scatters) + u32::from(self.gathers))
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let (_, stages) = self.grid.long();
        let half = self.rounds_of_half();
        let is_gathering = !self.scatters || round >= half;
        let mut rest = round % half;
        for stage in 0..stages {
            let line = self.line(if is_gathering { stages - 1 - stage } else { stage });
            let rounds = line.ring.size - 1;
            if rest < rounds {
                return match is_gathering {
                    true => self.exchange(&line, line.ring.before(rest), Then::Keep, index),
                    false => self.exchange(&line, line.ring.before(rest + 1), Then::Combine(1), index),
                };
            }
            rest -= rounds;
        }
        None
    }
}
