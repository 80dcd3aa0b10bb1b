//! Recursive doubling among `2^n` ranks: in round `k`, ranks that differ in bit `k` exchange all that they have. An
//! allgather then has twice as many blocks as before, an allreduce the operands of twice as many ranks.

use super::schedule::{Blocks, Group, Schedule, Step, Then, exchange};

pub(super) struct Doubling {
    pub group: Group,
    pub gathers: bool,
}

impl Schedule for Doubling {
    fn rounds(&self) -> u32 {
        self.group.size.trailing_zeros()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let (rank, count) = (self.group.rank, 1 << round);
        let partner = rank ^ count;
        let (then, blocks) = match self.gathers {
            true => (Then::Keep, Blocks::Range { first: rank & !(count - 1), count }),
            false => (Then::Combine(1), Blocks::All),
        };
        exchange(index, Step::Receive { source: partner, then }, Step::Send { target: partner, blocks })
    }
}
