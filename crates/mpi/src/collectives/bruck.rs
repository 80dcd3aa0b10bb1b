//! Bruck's algorithms (Bruck, Ho, Kipnis, Upfal and Weathersby, 1997), for any number of ranks: in round `k` ranks at
//! distance `2^k` exchange blocks. They take `ceil(log2(ranks))` rounds, and copies.

use super::schedule::{Blocks, Group, Schedule, Step, Then, alone, exchange};

/// Allgather: each rank gets the blocks of the ranks after it, twice as many in each round, and rotates them at the end.
pub(super) struct Allgather(pub Group);

impl Schedule for Allgather {
    fn rounds(&self) -> u32 {
        self.0.doublings() + 1
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        if round == self.0.doublings() {
            return alone(index, Some(Step::Copy(Blocks::All)));
        }
        let distance = 1 << round;
        let receive = Step::Receive { source: self.0.after(distance), then: Then::Keep };
        let blocks = Blocks::Range { first: self.0.rank, count: distance.min(self.0.size - distance) };
        exchange(index, receive, Step::Send { target: self.0.before(distance), blocks })
    }
}

/// Alltoall: block `i` is at first for the rank `i` after its own. In round `k` the blocks whose number has bit `k`
/// move by `2^k` ranks, packed and unpacked. In the end block `i` is from the rank `i` before.
pub(super) struct Alltoall(pub Group);

impl Schedule for Alltoall {
    fn rounds(&self) -> u32 {
        2 * self.0.doublings() + 2
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let is_rotation = round == 0 || round + 1 == self.rounds();
        if is_rotation {
            return alone(index, Some(Step::Copy(Blocks::All)));
        }
        let bit = (round - 1) / 2;
        let blocks = Blocks::WithBit(bit);
        if round % 2 == 1 {
            return alone(index, Some(Step::Copy(blocks)));
        }
        let receive = Step::Receive { source: self.0.before(1 << bit), then: Then::Copy };
        exchange(index, receive, Step::Send { target: self.0.after(1 << bit), blocks })
    }
}
