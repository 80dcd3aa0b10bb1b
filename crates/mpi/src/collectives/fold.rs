//! Folding onto a power of two: among the first ranks, one of each pair combines the operands of both; the other
//! waits until the result is returned.

use super::schedule::{Blocks, Group, Schedule, Step, Then, alone};

/// The rank of a pair that continues, and what the other gets in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pairing {
    /// The odd rank continues; the other gets all of the result.
    OddReturnsAll,
    /// The odd rank continues; the other gets its block.
    OddReturnsBlock,
    /// The even rank continues; the other gets nothing.
    Even,
}

impl Pairing {
    /// The place in its pair of the rank that continues.
    fn kept(self) -> u32 {
        match self {
            Pairing::Even => 0,
            Pairing::OddReturnsAll | Pairing::OddReturnsBlock => 1,
        }
    }

    /// The blocks that it returns to the other.
    fn returned(self, other: u32) -> Option<Blocks> {
        match self {
            Pairing::OddReturnsAll => Some(Blocks::All),
            Pairing::OddReturnsBlock => Some(Blocks::one(other)),
            Pairing::Even => None,
        }
    }
}

/// The ranks of a group that continue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folding {
    group: Group,
    pairing: Pairing,
    /// Ranks beyond the power of two, which is the number of pairs.
    pub pairs: u32,
}

impl Folding {
    pub fn new(group: Group, pairing: Pairing) -> Self {
        Folding { group, pairing, pairs: group.size - power_of_two(group.size) }
    }

    fn is_paired(&self) -> bool {
        self.group.rank < 2 * self.pairs
    }

    fn goes_on(&self) -> bool {
        !self.is_paired() || self.group.rank % 2 == self.pairing.kept()
    }

    /// The group of the ranks that continue; at a rank that waits, its partner in that group.
    pub fn inner(&self) -> Group {
        let rank = if self.is_paired() { self.group.rank / 2 } else { self.group.rank - self.pairs };
        Group { rank, size: power_of_two(self.group.size) }
    }

    /// The rank in the whole group of a rank that continues.
    fn place(&self, inner: u32) -> u32 {
        if inner < self.pairs { 2 * inner + self.pairing.kept() } else { inner + self.pairs }
    }
}

/// The greatest power of two up to `size`.
pub(super) fn power_of_two(size: u32) -> u32 {
    1 << size.ilog2()
}

/// A schedule among a power of two, for any number of ranks. Ranks that wait have as many rounds as the others, so
/// that all ranks are in the same round at a time.
pub(super) struct Fold<S> {
    pub folding: Folding,
    pub schedule: S,
}

impl<S: Schedule> Fold<S> {
    /// The partner of a rank gives its operands, and gets a result.
    fn pair_step(&self, is_return: bool) -> Option<Step> {
        let Folding { group: Group { rank, .. }, pairing, .. } = self.folding;
        if !self.folding.is_paired() {
            return None;
        }
        let partner = rank ^ 1;
        let blocks = if is_return { pairing.returned(partner)? } else { Blocks::All };
        let then = if is_return { Then::Keep } else { Then::Combine(1) };
        Some(match self.folding.goes_on() == is_return {
            true => Step::Send { target: partner, blocks },
            false => Step::Receive { source: partner, then },
        })
    }
}

impl<S: Schedule> Schedule for Fold<S> {
    fn rounds(&self) -> u32 {
        2 + self.schedule.rounds()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        if round == 0 || round + 1 == self.rounds() {
            return alone(index, self.pair_step(round > 0));
        }
        let step = if self.folding.goes_on() { self.schedule.step(round - 1, index) } else { None };
        Some(step?.at(|rank| self.folding.place(rank)))
    }
}
