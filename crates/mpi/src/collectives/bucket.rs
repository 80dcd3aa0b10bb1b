//! Bucket algorithms (Barnett, Littlefield, Payne and van de Geijn, 1993; Jain and Sabharwal, 2010): rings along
//! one dimension of a grid after the other. A reduce-scatter leaves each rank of a line with its share of the
//! line's data, which the next dimension divides further; an allgather goes the same way back.
//!
//! ```text
//!   4 x 3 ranks, x first     x: 3 rounds, 3 blocks a message     y: 2 rounds, 1 block a message
//! ```
//!
//! Data are cut into colors, which begin with different dimensions and in different directions, so that they use
//! different links at any time. Where the dimensions differ, so do the stages of the colors:
//! [`orders`](super::grid::orders) gives shares of the data with which all links carry the same. Each color is cut into
//! segments, of which one is in each stage at a time. So a link that one stage leaves idle is used by another.
//!
//! **On a twisted torus** a ring ends where it began but for a place in the dimensions of later stages. All ranks with
//! the same places in the stages up to its own have the same part of the data, so this place will do
//! (`grid/orbits.rs`).
//!
//! **Open dimensions** have open lines instead of rings. In a reduce-scatter a block goes from both ends toward its
//! rank, the farthest first, so that the ends, which have only one link, send all the time. In an allgather it goes
//! the same way back. A color uses both directions of a line.
//!
//! ```text
//!   0 --3--> 1          round 0: rank 0 sends block 3
//!   0 --2--> 1 --3--> 2        1
//!   0 --1--> 1 --2--> 2 --3--> 3     2, the last: each rank has all for its own block
//! ```

use super::grid::orders::Orders;
use super::grid::{Grid, Heading};
use super::schedule::{Blocks, Group, Schedule, Step, Then, exchange};
use std::rc::Rc;

/// One dimension of a color, whose blocks are numbered by coordinates in the order of its dimensions, the last fastest.
pub(super) struct Bucket {
    pub grid: Grid,
    pub orders: Rc<Orders>,
    pub rank: u32,
    /// The index of the order.
    pub order: usize,
    pub is_plus: bool,
    /// The dimension of the order, as an index.
    pub stage: usize,
    pub is_gathering: bool,
}

/// A rank's line in one dimension.
struct Line {
    dimension: usize,
    /// Ranks in the order in which data go around.
    ring: Group,
    /// The number of consecutive blocks that the line divides, per rank of the line.
    weight: u32,
    /// The first block that the line divides.
    offset: u32,
}

impl Bucket {
    /// The place of a rank in the ring of its line, or of the rank at a place.
    fn place(&self, coordinate: u32, length: u32) -> u32 {
        if self.is_plus { coordinate } else { length - 1 - coordinate }
    }

    fn line(&self) -> Option<Line> {
        let (mut weight, mut offset, mut line) = (self.grid.ranks() as u32, 0, None);
        for stage in 0..=self.stage {
            let dimension = self.orders.dimension(self.order, stage)?;
            let size = self.orders.length(self.order, stage);
            weight /= size;
            let coordinate = self.orders.coordinate(&self.grid, self.rank, self.order, dimension);
            let rank = self.place(coordinate, size);
            line = Some(Line { dimension, ring: Group { rank, size }, weight, offset });
            offset += rank * weight;
        }
        line
    }

    /// The rank at the next place of the line, or at the one before.
    fn neighbor(&self, line: &Line, is_next: bool) -> u32 {
        self.grid.ahead(self.rank, Heading { dimension: line.dimension, is_plus: is_next == self.is_plus })
    }

    fn around(&self, line: &Line, round: u32, index: u32) -> Option<Step> {
        let ring = line.ring;
        let (block, then) = match self.is_gathering {
            true => (ring.before(round), Then::Keep),
            false => (ring.before(round + 1), Then::Combine(1)),
        };
        let receive = Step::Receive { source: self.neighbor(line, false), then };
        exchange(index, receive, Step::Send { target: self.neighbor(line, true), blocks: line.block(block) })
    }

    /// A round of an open line: at most a receive and a send in each direction.
    fn along(&self, line: &Line, round: u32, index: u32) -> Option<Step> {
        let both = [true, false].map(|is_up| self.in_direction(line, round, is_up));
        both.into_iter().flatten().flatten().nth(index as usize)
    }

    /// A receive and a send toward higher places or lower ones. Seen in its direction, the rank has `behind` ranks behind it
    /// and `ahead` ranks ahead.
    fn in_direction(&self, line: &Line, round: u32, is_up: bool) -> [Option<Step>; 2] {
        let Group { rank, size } = line.ring;
        let ranks_ahead = size - 1 - rank;
        let (behind, ahead) = if is_up { (rank, ranks_ahead) } else { (ranks_ahead, rank) };
        // The rank `distance` places back in this direction.
        let back = |distance: u32| if is_up { rank - distance } else { rank + distance };
        let forth = |distance: u32| if is_up { rank + distance } else { rank - distance };
        let (then, receives, block) = match self.is_gathering {
            // The own block goes first, then the blocks from behind as they arrive.
            true => (Then::Keep, round < behind, (ahead > 0 && round <= behind).then(|| back(round))),
            // The farthest first, as soon as it has arrived from behind.
            false => (
                Then::Combine(1),
                behind > 0 && round + 1 >= behind,
                (ahead > 0 && round >= behind).then(|| forth(ahead + behind - round)),
            ),
        };
        let receive = receives.then(|| Step::Receive { source: self.neighbor(line, !is_up), then });
        let send =
            block.map(|block| Step::Send { target: self.neighbor(line, is_up), blocks: line.block(block) });
        [receive, send]
    }
}

impl Line {
    fn block(&self, place: u32) -> Blocks {
        Blocks::Range { first: self.offset + place * self.weight, count: self.weight }
    }
}

impl Schedule for Bucket {
    fn rounds(&self) -> u32 {
        self.orders.length(self.order, self.stage) - 1
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let line = self.line()?;
        match self.orders.is_ring(line.dimension) {
            true => self.around(&line, round, index),
            false => self.along(&line, round, index),
        }
    }
}
