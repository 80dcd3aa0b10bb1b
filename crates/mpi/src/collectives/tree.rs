//! The binomial tree over `0..size`, rooted at 0: a member's parent is the member without its lowest set bit.
//!
//! ```text
//!   0 --- 4 --- 6 --- 7
//!   |     +---- 5
//!   +---- 2 --- 3
//!   +---- 1
//! ```

/// The parent of `member`, or none for the root.
pub(super) fn parent(member: u32) -> Option<u32> {
    (member != 0).then(|| member & (member - 1))
}

/// Number of children of `member`.
pub(super) fn children(member: u32, size: u32) -> u32 {
    let fitting = u32::BITS - (size - 1 - member).leading_zeros();
    fitting.min(member.trailing_zeros())
}

/// Child `index` of `member`, the smallest subtree first.
pub(super) fn child(member: u32, index: u32) -> u32 {
    member + (1 << index)
}
