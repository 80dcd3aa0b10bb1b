//! Pairwise exchange: in each round a rank sends one rank its block and receives its own from another. Both are the
//! same rank where the number of ranks is a power of two.

use super::schedule::{Blocks, Group, Schedule, Step, Then, exchange};

pub(super) struct Pairwise {
    pub group: Group,
    pub then: Then,
}

impl Schedule for Pairwise {
    fn rounds(&self) -> u32 {
        self.group.size - 1
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let distance = round + 1;
        let (source, target) = match self.group.size.is_power_of_two() {
            true => (self.group.rank ^ distance, self.group.rank ^ distance),
            false => (self.group.before(distance), self.group.after(distance)),
        };
        let send = Step::Send { target, blocks: Blocks::one(target) };
        exchange(index, Step::Receive { source, then: self.then }, send)
    }
}
