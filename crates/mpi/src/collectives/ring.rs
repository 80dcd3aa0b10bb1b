//! Blocks around a ring of all ranks (Patarasu and Yuan, 2009). In an allgather a rank forwards to the next the
//! block that it got in the round before, its own first. In a reduce-scatter the block is forwarded after it has
//! been combined, and ends at its own rank. An allreduce is a reduce-scatter, then an allgather.

use super::schedule::{Blocks, Group, Schedule, Step, Then, exchange};

pub(super) struct Allgather(pub Group);

impl Schedule for Allgather {
    fn rounds(&self) -> u32 {
        self.0.size - 1
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let receive = Step::Receive { source: self.0.before(1), then: Then::Keep };
        let blocks = Blocks::one(self.0.before(round));
        exchange(index, receive, Step::Send { target: self.0.after(1), blocks })
    }
}

pub(super) struct ReduceScatter(pub Group);

impl Schedule for ReduceScatter {
    fn rounds(&self) -> u32 {
        self.0.size - 1
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let receive = Step::Receive { source: self.0.before(1), then: Then::Combine(1) };
        let blocks = Blocks::one(self.0.before(round + 1));
        exchange(index, receive, Step::Send { target: self.0.after(1), blocks })
    }
}
