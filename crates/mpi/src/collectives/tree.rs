//! The binomial tree over `0..size`, rooted at 0: a member's parent is the member without its lowest set bit.
//!
//! ```text
//!   0 --- 4 --- 6 --- 7
//!   |     +---- 5
//!   +---- 2 --- 3
//!   +---- 1
//! ```

use super::schedule::{Blocks, Group};

/// The parent of `member`, or none for the root.
pub(super) fn parent(member: u32) -> Option<u32> {
    (member != 0).then(|| member & (member - 1))
}

/// Number of children of a member.
pub(super) fn children(Group { rank, size }: Group) -> u32 {
    let fitting = u32::BITS - (size - 1 - rank).leading_zeros();
    fitting.min(rank.trailing_zeros())
}

/// Child `index` of `member`, the smallest subtree first.
pub(super) fn child(member: u32, index: u32) -> u32 {
    member + (1 << index)
}

/// The blocks of a member and of all below it.
pub(super) fn subtree(member: u32, size: u32) -> Blocks {
    let max = if member == 0 { size } else { member & member.wrapping_neg() };
    Blocks::Range { first: member, count: max.min(size - member) }
}
