//! Alltoall in two phases (Kumar, Sabharwal, Garg and Heidelberger, 2008): along the longest dimension to the rank
//! that is in the plane of the target. That rank combines the blocks of its line for a target, and forwards them.
//!
//! ```text
//!   A line of 3, one target t across, seen from its second rank:
//!
//!   phase 1   blocks for t0, t1, t2 to ranks 0, 1, 2 of the line      short messages, along the line
//!   phase 2   blocks of ranks 0, 1, 2 for t1, combined, to t1         one long message, across
//! ```
//!
//! The targets across are processed in a random order that the ranks of a line share, phase 1 of some of them at a
//! time. Phase 1 does not wait for phase 2, so that both are under way at once and use different links. Messages of
//! phase 2 are received separately: no rank can wait for itself.

use super::grid::Grid;
use super::schedule::{Blocks, Group, Schedule, Step, Then, alone};
use base::draws::mix;
use base::permutation::Permutation;

/// Targets across for which blocks are under way in the first phase.
pub(super) const WINDOW: u32 = 16;

/// Receives of the second phase that are posted at a time.
pub(super) const RECEIVES: u32 = 32;

/// The place of a rank in its line along the longest dimension, and the place of the line among all lines.
#[derive(Clone, Copy)]
struct Place {
    line: Group,
    lines: Group,
}

/// The two phases of one place in the window, or, at [`WINDOW`] or more, one of the receives.
pub(super) struct TwoPhase {
    pub grid: Grid,
    pub rank: u32,
    pub place: u32,
    pub seed: u64,
}

/// The lengths along the longest dimension, and across.
pub(super) fn longest(grid: &Grid) -> (usize, u32) {
    let (long, count) = grid.long();
    let longest = long[..count].iter().copied().rev().max_by_key(|&dimension| grid.length(dimension));
    let dimension = longest.unwrap_or(0);
    (dimension, grid.ranks() as u32 / grid.length(dimension))
}

impl TwoPhase {
    fn here(&self) -> Place {
        let (dimension, lines) = longest(&self.grid);
        let (stride, length) = (self.grid.stride(dimension), self.grid.length(dimension));
        let line = Group { rank: self.grid.coordinate(self.rank, dimension), size: length };
        let number = self.rank / (stride * length) * stride + self.rank % stride;
        Place { line, lines: Group { rank: number, size: lines } }
    }

    /// The rank at a place of a line.
    fn at(&self, place: u32, line: u32) -> u32 {
        let (dimension, _) = longest(&self.grid);
        let (stride, length) = (self.grid.stride(dimension), self.grid.length(dimension));
        line / stride * (stride * length) + place * stride + line % stride
    }

    /// The line of the targets of a turn.
    fn target_line(&self, lines: Group, turn: u32) -> u32 {
        let order = Permutation::new(lines.size.into(), mix(self.seed).wrapping_add(lines.rank.into()));
        lines.after(order.at((self.place + turn * WINDOW).into()) as u32)
    }

    /// Blocks to the others of the line, for the ranks at their places in the line of the targets, and the blocks
    /// from them.
    fn along(&self, Place { line, lines }: Place, targets: u32, index: u32) -> Option<Step> {
        let others = line.size - 1;
        let peer = |index: u32| line.after(1 + index);
        match index {
            _ if index < others => {
                Some(Step::Receive { source: self.at(peer(index), lines.rank), then: Then::Keep })
            }
            _ if index < 2 * others => {
                let place = peer(index - others);
                let blocks = Blocks::one(self.at(place, targets));
                Some(Step::Send { target: self.at(place, lines.rank), blocks })
            }
            _ => None,
        }
    }
}

impl Schedule for TwoPhase {
    fn rounds(&self) -> u32 {
        let (_, lines) = longest(&self.grid);
        match self.place.checked_sub(WINDOW) {
            None => 3 * lines.saturating_sub(self.place).div_ceil(WINDOW),
            Some(receive) => (lines - 1).saturating_sub(receive).div_ceil(RECEIVES),
        }
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        if self.place >= WINDOW {
            return alone(index, Some(Step::ReceiveAny));
        }
        let here = self.here();
        let targets = self.target_line(here.lines, round / 3);
        let target = self.at(here.line.rank, targets);
        let across = Blocks::Gathered { block: target, count: here.line.size };
        let is_across = targets != here.lines.rank;
        match round % 3 {
            0 => self.along(here, targets, index),
            1 => alone(index, is_across.then_some(Step::Copy(across))),
            _ => alone(index, is_across.then_some(Step::Post { target, blocks: across })),
        }
    }

    fn is_shared(&self, round: u32) -> bool {
        self.place >= WINDOW || round % 3 == 2
    }

    /// Both phases are under way at once.
    fn sends_wait(&self) -> bool {
        false
    }
}
