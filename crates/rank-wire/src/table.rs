//! Tables: what the ranks of a collective contribute, and the result that one of them computes for all.
//!
//! The simulator makes a table when the first rank calls, and enters each contribution. A rank reads it when its part of
//! the collective has ended: the simulated messages say that what it needs has been contributed by then. The last rank
//! that releases a table gives back all of its blocks.

use crate::futex::{is_woken, wake};
use crate::memory::{Memory, OfAtomics};
use crate::sides::SimulatorSide;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

#[repr(C)]
struct Head {
    /// Ranks that have not released the table.
    left: AtomicU32,
    /// Whether the result is computed, and by which rank of the machine.
    state: AtomicU32,
    result: AtomicU64,
    members: AtomicU64,
}

// SAFETY: its fields are atomic words.
unsafe impl OfAtomics for Head {}

const UNKNOWN: u32 = 0;
const KNOWN: u32 = 1;
/// The first rank computes the result; the next numbers stand for the others.
const COMPUTING: u32 = 2;

/// The time between two looks whether the rank that computes still runs.
const LOOK: Duration = Duration::from_millis(20);

/// A rank's part in the result of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The rank computes the result, and tells it by [`Table::tell`].
    Computes,
    /// Another rank has computed it: the offset of its block.
    Reads(u64),
}

/// A table, by the offset of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table(pub u64);

impl Table {
    /// A table for this number of ranks; none if the simulator's arena is full.
    pub fn create(simulator: &mut SimulatorSide, members: u32) -> Option<Self> {
        let bytes = size_of::<Head>() as u64 + 8 * u64::from(members);
        let table = Table(simulator.allocate(bytes, 1)?);
        let memory = &**simulator.memory();
        let head = table.head(memory)?;
        head.left.store(members, Ordering::Relaxed);
        head.state.store(UNKNOWN, Ordering::Relaxed);
        head.result.store(0, Ordering::Relaxed);
        head.members.store(members.into(), Ordering::Relaxed);
        (0..members)
            .filter_map(|member| table.entry(memory, member))
            .for_each(|entry| entry.store(0, Ordering::Relaxed));
        Some(table)
    }

    fn head<'a>(&self, memory: &'a Memory) -> Option<&'a Head> {
        memory.object(self.0)
    }

    fn entry<'a>(&self, memory: &'a Memory, member: u32) -> Option<&'a AtomicU64> {
        memory.object(self.0 + size_of::<Head>() as u64 + 8 * u64::from(member))
    }

    /// Enters the block that a rank of the communicator contributes.
    pub fn contribute(&self, memory: &Memory, member: u32, offset: u64) {
        if let Some(entry) = self.entry(memory, member) {
            entry.store(offset, Ordering::Release);
        }
    }

    /// The block that a rank of the communicator has contributed; 0 without one.
    pub fn contribution(&self, memory: &Memory, member: u32) -> u64 {
        self.entry(memory, member).map_or(0, |entry| entry.load(Ordering::Acquire))
    }

    /// The result, or the task of this rank of the machine to compute it. Waits while another rank does so, which may
    /// end before it has told the result: what it computes is a function of the program.
    pub fn part(&self, memory: &Memory, rank: u32) -> Part {
        let Some(head) = self.head(memory) else { return Part::Reads(0) };
        let mut expected = UNKNOWN;
        loop {
            let computing = COMPUTING + rank;
            let taken = head.state.compare_exchange(expected, computing, Ordering::AcqRel, Ordering::Acquire);
            match taken {
                Ok(_) => return Part::Computes,
                Err(KNOWN) => return Part::Reads(head.result.load(Ordering::Acquire)),
                Err(state) if !memory.is_running(state.wrapping_sub(COMPUTING)) => expected = state,
                Err(state) => {
                    is_woken(&head.state, state, Some(LOOK));
                }
            }
        }
    }

    /// Tells all ranks the result.
    pub fn tell(&self, memory: &Memory, result: u64) {
        if let Some(head) = self.head(memory) {
            head.result.store(result, Ordering::Release);
            head.state.store(KNOWN, Ordering::Release);
            wake(&head.state, i32::MAX);
        }
    }

    /// Releases the table for one rank.
    pub fn release(&self, memory: &Memory) {
        let Some(head) = self.head(memory) else { return };
        if head.left.fetch_sub(1, Ordering::AcqRel) != 1 {
            return;
        }
        let members = head.members.load(Ordering::Relaxed).min(memory.layout().ranks.into()) as u32;
        for member in 0..members {
            memory.release(self.contribution(memory, member));
        }
        memory.release(head.result.load(Ordering::Acquire));
        memory.release(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout, RankSide};
    use std::sync::Arc;

    #[test]
    fn the_last_rank_gives_all_blocks_back() {
        let memory = Memory::create(Layout { ranks: 2, far_bytes: 2 << 20 }, 1e9).unwrap();
        let mut simulator = SimulatorSide::new(Arc::new(memory));
        let shared = simulator.memory().clone();
        let attached = Memory::attach(shared.file().try_clone_to_owned().unwrap()).unwrap();
        let mut rank = RankSide::new(Arc::new(attached), 1, -1);
        let table = Table::create(&mut simulator, 2).unwrap();
        let block = rank.allocate(40, 1).unwrap();
        table.contribute(&shared, 1, block);
        assert_eq!((table.contribution(&shared, 0), table.contribution(&shared, 1)), (0, block));
        assert_eq!(table.part(&shared, 1), Part::Computes);
        // The simulator has not resumed rank 1, so that it does not compute.
        assert_eq!(table.part(&shared, 0), Part::Computes);
        let result = rank.allocate(40, 1).unwrap();
        table.tell(&shared, result);
        assert_eq!(table.part(&shared, 0), Part::Reads(result));
        table.release(&shared);
        assert_ne!(rank.allocate(40, 1).unwrap(), block);
        table.release(&shared);
        let again = [(); 2].map(|()| rank.allocate(40, 1).unwrap());
        assert!(again.contains(&block) && again.contains(&result));
        assert_eq!(Table::create(&mut simulator, 2), Some(table));
    }
}
