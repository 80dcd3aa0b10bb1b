//! Alltoall by recursive doubling among `2^n` ranks: block `i` is for the rank whose number differs by `i`. In round `k` the
//! blocks whose number has bit `k` move to the rank that differs in that bit, packed and unpacked.

use super::schedule::{Blocks, Group, Schedule, Step, Then, alone, exchange};

pub(super) struct Hypercube(pub Group);

impl Schedule for Hypercube {
    fn rounds(&self) -> u32 {
        2 * self.0.size.trailing_zeros()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let (partner, blocks) = (self.0.rank ^ 1 << (round / 2), Blocks::WithBit(round / 2));
        if round.is_multiple_of(2) {
            return alone(index, Some(Step::Copy(blocks)));
        }
        let receive = Step::Receive { source: partner, then: Then::Copy };
        exchange(index, receive, Step::Send { target: partner, blocks })
    }
}
