//! Recursive halving among `2^n` ranks: partners exchange halves of what they still reduce, until each rank has one
//! block of the result. Rabenseifner's allreduce and reduce (2004) then collect the blocks along the same pairs,
//! backwards.

use super::schedule::{Blocks, Group, Schedule, Step, Then, alone, exchange};

/// Reduce-scatter with partners farthest apart first. Rank `r` ends with block `r`, or, after a fold of `pairs`
/// pairs, with both blocks of its pair.
pub(super) struct ReduceScatter {
    pub group: Group,
    pub pairs: u32,
}

impl ReduceScatter {
    /// The first block of a rank among those that continue.
    fn first(&self, rank: u32) -> u32 {
        if rank < self.pairs { 2 * rank } else { rank + self.pairs }
    }
}

impl Schedule for ReduceScatter {
    fn rounds(&self) -> u32 {
        self.group.size.trailing_zeros()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let half = self.group.size >> (round + 1);
        let partner = self.group.rank ^ half;
        let first = partner & !(half - 1);
        let (begin, end) = (self.first(first), self.first(first + half));
        let blocks = Blocks::Range { first: begin, count: end - begin };
        let receive = Step::Receive { source: partner, then: Then::Combine(1) };
        exchange(index, receive, Step::Send { target: partner, blocks })
    }
}

/// The blocks that a rank still reduces after `rounds` rounds in which partners are next to each other first. The
/// lowest bit of its number decides about halves, the next about quarters.
fn kept(Group { rank, size }: Group, rounds: u32) -> Blocks {
    let first = (0..rounds).map(|round| (rank >> round & 1) * (size >> (round + 1))).sum();
    Blocks::Range { first, count: size >> rounds }
}

/// Reduce-scatter with partners next to each other first, while messages are longest.
pub(super) struct Halving(pub Group);

impl Schedule for Halving {
    fn rounds(&self) -> u32 {
        self.0.size.trailing_zeros()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let Group { rank, size } = self.0;
        let partner = rank ^ 1 << round;
        let receive = Step::Receive { source: partner, then: Then::Combine(1) };
        let blocks = kept(Group { rank: partner, size }, round + 1);
        exchange(index, receive, Step::Send { target: partner, blocks })
    }
}

/// Allgather after [`Halving`].
pub(super) struct Allgather(pub Group);

impl Schedule for Allgather {
    fn rounds(&self) -> u32 {
        self.0.size.trailing_zeros()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let bit = self.rounds() - 1 - round;
        let partner = self.0.rank ^ 1 << bit;
        let receive = Step::Receive { source: partner, then: Then::Keep };
        exchange(index, receive, Step::Send { target: partner, blocks: kept(self.0, bit + 1) })
    }
}

/// Gather to rank 0 after [`Halving`]: in each round the upper half of the remaining ranks sends to the lower.
pub(super) struct Gather(pub Group);

impl Schedule for Gather {
    fn rounds(&self) -> u32 {
        self.0.size.trailing_zeros()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let bit = self.rounds() - 1 - round;
        let partner = self.0.rank ^ 1 << bit;
        alone(
            index,
            match self.0.rank >> bit {
                0 => Some(Step::Receive { source: partner, then: Then::Keep }),
                1 => Some(Step::Send { target: partner, blocks: kept(self.0, bit + 1) }),
                _ => None, // it has sent
            },
        )
    }
}
