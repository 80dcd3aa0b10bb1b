//! Ring allgather: in each round a rank passes on to the next the block that it got in the round before, its own first.

use super::schedule::{Blocks, Group, Schedule, Step, Then, exchange};

pub(super) struct Ring(pub Group);

impl Schedule for Ring {
    fn rounds(&self) -> u32 {
        self.0.size - 1
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let receive = Step::Receive { source: self.0.before(1), then: Then::Keep };
        let blocks = Blocks::one(self.0.before(round));
        exchange(index, receive, Step::Send { target: self.0.after(1), blocks })
    }
}
