//! The places of all parts in the memory, as bytes from its beginning.

use crate::slot::{Header, Slot};

/// The words of a batch.
pub const BATCH_WORDS: usize = 2_048;

/// A batch, and the distance from one to the next: the first words of batches fall into different sets of a cache.
const BATCH_BYTES: u64 = 8 * BATCH_WORDS as u64;
const BATCH_STRIDE: u64 = BATCH_BYTES + 64;

/// Small blocks of all ranks lie close together: a process that reads blocks of a thousand ranks needs few page tables.
const NEAR_BYTES: u64 = 64 << 10;

/// The addresses of a rank's far arena, used as touched: room for messages of a GiB, in size classes.
pub const FAR_BYTES: u64 = 4 << 30;

const PAGE_BYTES: u64 = 4_096;
const FAR_ALIGNMENT: u64 = 2 << 20;

/// The sizes on which all places depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number of ranks.
    pub ranks: u32,
    /// The addresses of each far arena in bytes, a multiple of 2 MiB.
    pub far_bytes: u64,
}

impl Layout {
    const SLOTS: u64 = PAGE_BYTES;

    fn batches(&self) -> u64 {
        Self::SLOTS + u64::from(self.ranks) * size_of::<Slot>() as u64
    }

    fn near(&self) -> u64 {
        (self.batches() + u64::from(self.ranks) * BATCH_STRIDE).next_multiple_of(PAGE_BYTES)
    }

    fn far(&self) -> u64 {
        (self.near() + (u64::from(self.ranks) + 1) * NEAR_BYTES).next_multiple_of(FAR_ALIGNMENT)
    }

    /// The bytes of all parts.
    pub fn bytes(&self) -> u64 {
        self.far() + (u64::from(self.ranks) + 1) * self.far_bytes
    }

    /// The slot of a rank.
    pub(crate) fn slot(&self, rank: u32) -> u64 {
        Self::SLOTS + u64::from(rank) * size_of::<Slot>() as u64
    }

    /// The batch of a rank.
    pub(crate) fn batch(&self, rank: u32) -> u64 {
        self.batches() + u64::from(rank) * BATCH_STRIDE
    }

    /// The owner of the arenas after those of the ranks.
    pub(crate) fn simulator(&self) -> u32 {
        self.ranks
    }

    /// The small blocks of an owner: a rank, or the simulator.
    pub(crate) fn near_arena(&self, owner: u32) -> (u64, u64) {
        let first = self.near() + u64::from(owner) * NEAR_BYTES;
        (first, first + NEAR_BYTES)
    }

    /// The other blocks of an owner.
    pub(crate) fn far_arena(&self, owner: u32) -> (u64, u64) {
        let first = self.far() + u64::from(owner) * self.far_bytes;
        (first, first + self.far_bytes)
    }

    /// Whether `bytes` bytes at an offset are in an arena.
    pub(crate) fn is_in_arenas(&self, offset: u64, bytes: u64) -> bool {
        offset >= self.near() && offset.checked_add(bytes).is_some_and(|end| end <= self.bytes())
    }
}

const _: () = assert!(size_of::<Header>() as u64 <= PAGE_BYTES);
