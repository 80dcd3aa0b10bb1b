//! The rules of allocation: which of the free partitions of its size a job gets.
//!
//! # To add one
//!
//! 1. A line in `words!` with its word and its meaning, and its arm in [`Allocation::choose`], which the compiler asks for.
//!    Descriptions, options, their help and errors, and the random tests of `tests/room.rs` follow from it.
//! 2. Its word in the paragraph on allocation in `docs/models/queue.md`: `tests/test_schedule.py` asks for it.
//! 3. A case in `tests/room.rs`.

use crate::words::words;
use std::cmp::Reverse;

words! {
    /// Which of the free partitions a job gets.
    pub enum Allocation, "an allocation rule" {
        /// The one that blocks the fewest other free partitions, as in Cobalt; ties go to the first in the catalogue.
        LeastBlocking = "least-blocking",
        /// The first in the catalogue.
        FirstFit = "first-fit",
        /// The one that blocks the most other free partitions: the worst case.
        MostBlocking = "most-blocking",
    }
}

impl Allocation {
    /// The partition that a job gets, of free ones in the order of the catalogue. `blocked` counts the free partitions that
    /// become blocked if one is taken.
    pub(super) fn choose(
        self,
        mut candidates: impl Iterator<Item = u32>,
        blocked: impl Fn(u32) -> u32,
    ) -> Option<u32> {
        match self {
            Allocation::FirstFit => candidates.next(),
            Allocation::LeastBlocking => candidates.min_by_key(|&place| blocked(place)),
            Allocation::MostBlocking => candidates.min_by_key(|&place| Reverse(blocked(place))),
        }
    }
}
