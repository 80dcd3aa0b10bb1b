//! Schedules: the steps of a rank in a collective, as a graph.
//!
//! ```text
//!   round 0   receive, receive, send         begin together, and may end in any order
//!        |
//!   round 1   send, receive and combine      begins when all of round 0 has ended
//!        |
//!       ...
//! ```
//!
//! A step depends on all steps of the rounds before its own (as in libNBC; Hoefler, Lumsdaine and Rehm, 2007). The
//! graph is never stored: step `index` of a round is a function. So the state of a collective in progress is a
//! round and the number of its steps that have not ended, regardless of the number of ranks.

use super::cycle::Cycle;
use super::grid::Branch;
use crate::lengths::Lengths;
use serde::{Deserialize, Serialize};

/// The participants, as seen from one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Group {
    pub rank: u32,
    pub size: u32,
}

impl Group {
    /// The rank `distance` after this one, around the ring of all ranks.
    pub fn after(self, distance: u32) -> u32 {
        ((u64::from(self.rank) + u64::from(distance)) % u64::from(self.size)) as u32
    }

    /// The rank `distance` before this one.
    pub fn before(self, distance: u32) -> u32 {
        self.after(self.size - distance % self.size)
    }

    /// The group with another rank as rank 0.
    pub fn relative_to(self, root: u32) -> Group {
        Group { rank: self.before(root), ..self }
    }

    /// Rounds in which a distance doubles until all ranks have been reached: `ceil(log2(size))`.
    pub fn doublings(self) -> u32 {
        u32::BITS - (self.size - 1).leading_zeros()
    }
}

/// Parts of the data of a collective, most often one for each rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// No data.
    None,
    All,
    /// Consecutive blocks; the first comes after the last.
    Range {
        first: u32,
        count: u32,
    },
    /// The blocks whose number has this bit.
    WithBit(u32),
    /// `count` blocks of different ranks for one rank; block `block` is one of them.
    Gathered {
        block: u32,
        count: u32,
    },
    /// The blocks of the `count` ranks that rank `by` reaches in the steps of its algorithm from step `from`.
    Reached {
        by: u32,
        from: u32,
        count: u32,
    },
}

impl Blocks {
    pub fn one(block: u32) -> Self {
        Blocks::Range { first: block, count: 1 }
    }
}

/// The use of data that have been received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Then {
    /// They are where they belong, and stay there.
    Keep,
    /// They are copied.
    Copy,
    /// They are combined with the rank's own, this number of times.
    Combine(u8),
}

/// A step of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Send {
        target: u32,
        blocks: Blocks,
    },
    Receive {
        source: u32,
        then: Then,
    },
    /// A message to all ranks of a branch, which the network copies to them.
    Deposit {
        branch: Branch,
        blocks: Blocks,
    },
    /// The forwarding to a neighbor that the network does as it copies: the rank does nothing.
    Pass {
        target: u32,
        blocks: Blocks,
    },
    /// A send that nothing but the end of the collective waits for.
    Post {
        target: u32,
        blocks: Blocks,
    },
    /// A message from any rank, whose data are where they belong.
    ReceiveAny,
    Copy(Blocks),
    /// The operation that all ranks perform together on a collective network.
    Join {
        turn: u32,
    },
    /// No operation: the step is skipped.
    Skip,
}

impl Step {
    /// This step with each rank replaced by `place(rank)`.
    pub fn at(self, place: impl Fn(u32) -> u32) -> Step {
        match self {
            Step::Send { target, blocks } => Step::Send { target: place(target), blocks },
            Step::Post { target, blocks } => Step::Post { target: place(target), blocks },
            Step::Pass { target, blocks } => Step::Pass { target: place(target), blocks },
            Step::Receive { source, then } => Step::Receive { source: place(source), then },
            // A branch is relative to the rank.
            Step::Deposit { .. } | Step::ReceiveAny | Step::Copy(_) | Step::Join { .. } | Step::Skip => self,
        }
    }
}

/// A rank's part of a collective.
pub(crate) trait Schedule {
    /// Number of rounds.
    fn rounds(&self) -> u32;

    /// Step `index` of a round, or none after its last.
    fn step(&self, round: u32, index: u32) -> Option<Step>;

    /// Whether the messages of a round go to any part of the collective that receives next, not only to the same
    /// part.
    fn is_shared(&self, _round: u32) -> bool {
        false
    }

    /// Messages that all parts of the collective together must have received before a round begins.
    fn received_before(&self, _round: u32) -> u32 {
        0
    }

    /// Whether what a rank sends in a round waits for what it receives in earlier rounds. Otherwise the messages of
    /// all rounds are under way together, a window of them at a time.
    fn sends_wait(&self) -> bool {
        true
    }
}

impl<S: Schedule + ?Sized> Schedule for &S {
    fn rounds(&self) -> u32 {
        (**self).rounds()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        (**self).step(round, index)
    }

    fn is_shared(&self, round: u32) -> bool {
        (**self).is_shared(round)
    }

    fn received_before(&self, round: u32) -> u32 {
        (**self).received_before(round)
    }

    fn sends_wait(&self) -> bool {
        (**self).sends_wait()
    }
}

/// A round in which a rank receives from one rank and sends to another.
pub(super) fn exchange(index: u32, receive: Step, send: Step) -> Option<Step> {
    [receive, send].get(index as usize).copied()
}

/// A round of one step, if any.
pub(super) fn alone(index: u32, step: Option<Step>) -> Option<Step> {
    step.filter(|_| index == 0)
}

/// One schedule after another.
pub(super) struct Chain<A, B>(pub A, pub B);

impl<A: Schedule, B: Schedule> Schedule for Chain<A, B> {
    fn rounds(&self) -> u32 {
        self.0.rounds() + self.1.rounds()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        match round.checked_sub(self.0.rounds()) {
            None => self.0.step(round, index),
            Some(round) => self.1.step(round, index),
        }
    }
}

/// A schedule that names ranks relative to a root.
pub(super) struct Rooted<S> {
    pub root: u32,
    pub size: u32,
    pub schedule: S,
}

impl<S: Schedule> Schedule for Rooted<S> {
    fn rounds(&self) -> u32 {
        self.schedule.rounds()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let place = |rank: u32| Group { rank, size: self.size }.after(self.root);
        Some(self.schedule.step(round, index)?.at(place))
    }
}

/// A schedule that names ranks by their places around a ring.
pub(super) struct Around<S> {
    pub cycle: Cycle,
    pub schedule: S,
}

impl<S: Schedule> Schedule for Around<S> {
    fn rounds(&self) -> u32 {
        self.schedule.rounds()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        Some(self.schedule.step(round, index)?.at(|place| self.cycle.rank(place)))
    }
}

/// The lengths of the blocks of a collective.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sizes<'a> {
    /// Blocks of `block` bytes, except the last, which has the rest.
    Even {
        bytes: u64,
        parts: u32,
        block: u64,
    },
    Listed(&'a Lengths),
}

impl Sizes<'_> {
    /// One block.
    pub fn whole(bytes: u64) -> Self {
        Sizes::Even { bytes, parts: 1, block: bytes }
    }

    /// A block of `bytes` for each of `parts`.
    pub fn each(bytes: u64, parts: u32) -> Self {
        Sizes::Even { bytes: bytes * u64::from(parts), parts, block: bytes }
    }

    /// Number of blocks.
    pub fn parts(&self) -> u32 {
        match self {
            Sizes::Even { parts, .. } => *parts,
            Sizes::Listed(lengths) => lengths.len(),
        }
    }

    /// Bytes of the blocks before block `number`.
    fn before(&self, number: u32) -> u64 {
        match *self {
            Sizes::Even { bytes, parts, .. } if number >= parts => bytes,
            Sizes::Even { bytes, block, .. } => (block * u64::from(number)).min(bytes),
            Sizes::Listed(lengths) => lengths.before(number),
        }
    }

    fn between(&self, first: u32, end: u32) -> u64 {
        self.before(end) - self.before(first)
    }

    /// Bytes of blocks.
    pub fn bytes(&self, blocks: Blocks) -> u64 {
        let parts = self.parts();
        match blocks {
            Blocks::None => 0,
            Blocks::All => self.before(parts),
            Blocks::Range { first, count } if first + count <= parts => self.between(first, first + count),
            Blocks::Range { first, count } => {
                self.between(first, parts) + self.between(0, count - (parts - first))
            }
            Blocks::WithBit(bit) => {
                let (length, below) =
                    (u64::from(parts) >> (bit + 1) << bit, u64::from(parts) & ((2 << bit) - 1));
                (length + below.saturating_sub(1 << bit)) * self.between(0, 1)
            }
            Blocks::Gathered { block, count } => self.between(block, block + 1) * u64::from(count),
            Blocks::Reached { count, .. } => (self.between(0, 1) * u64::from(count)).min(self.before(parts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_blocks_are_the_sum_of_their_lengths() {
        let lengths = Lengths::new([5, 0, 7, 1, 2]);
        let listed = Sizes::Listed(&lengths);
        assert_eq!(listed.bytes(Blocks::All), 15);
        assert_eq!(listed.bytes(Blocks::Range { first: 3, count: 3 }), 1 + 2 + 5);
        assert_eq!(listed.bytes(Blocks::Range { first: 4, count: 5 }), 15);
        let uneven = Sizes::Even { bytes: 10, parts: 4, block: 3 };
        let bytes: Vec<u64> = (0..4).map(|block| uneven.bytes(Blocks::one(block))).collect();
        assert_eq!(bytes, [3, 3, 3, 1]);
        for parts in 1..40 {
            for bit in 0..6 {
                let expected = (0..parts).filter(|block| block >> bit & 1 == 1).count() as u64;
                assert_eq!(Sizes::each(3, parts).bytes(Blocks::WithBit(bit)), 3 * expected);
            }
        }
    }
}
