//! Recursive doubling for scan and exscan: in round `k`, ranks that differ in bit `k` exchange the operands combined so
//! far; the higher one combines them with its result too.

use super::schedule::{Blocks, Group, Schedule, Step, Then, exchange};

pub(super) struct Scan(pub Group);

impl Schedule for Scan {
    fn rounds(&self) -> u32 {
        self.0.doublings()
    }

    fn step(&self, round: u32, index: u32) -> Option<Step> {
        let Group { rank, size } = self.0;
        let partner = rank ^ 1 << round;
        if partner >= size {
            return None;
        }
        let then = Then::Combine(if rank > partner { 2 } else { 1 });
        let send = Step::Send { target: partner, blocks: Blocks::All };
        exchange(index, Step::Receive { source: partner, then }, send)
    }
}
