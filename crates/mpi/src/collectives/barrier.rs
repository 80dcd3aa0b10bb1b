//! Dissemination barrier (Hensgen, Finkel and Manber, 1988). In round `k`, rank `r` sends to rank `r + 2^k` and
//! receives from rank `r - 2^k`, modulo the number of ranks. After `ceil(log2(ranks))` rounds every rank knows that all
//! have arrived. It works for any number of ranks.

use super::schedule::{Blocks, Group, Schedule, Step, Then, exchange};

pub(super) struct Dissemination(pub Group);

impl Schedule for Dissemination {
    fn rounds(&self) -> u32 {
        self.0.doublings()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let (source, target) = (self.0.before(1 << round), self.0.after(1 << round));
        let receive = Step::Receive { source, then: Then::Keep };
        exchange(index, receive, Step::Send { target, blocks: Blocks::None })
    }
}
