//! Bit sets of small numbers and compact cycle counts: the types of masks and event times.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

/// Lets the compiler assume a condition that holds by construction, so that the code for each packet contains no check
/// of it. Builds with debug assertions, which all tests use, do check it; the fuzz test of checkpoints knows it by its
/// message.
///
/// # Safety
/// The condition must hold.
#[inline(always)]
pub unsafe fn assume(condition: bool) {
    debug_assert!(condition, "what the compiler may assume does not hold");
    // SAFETY: the caller guarantees the condition.
    unsafe { std::hint::assert_unchecked(condition) };
}

/// A bit set of small numbers.
pub trait BitSet:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + Serialize
    + DeserializeOwned
{
    /// The set of one number.
    fn only(number: usize) -> Self;
    /// The set of one number if `is_in`, else the empty set.
    fn only_if(number: usize, is_in: bool) -> Self;
    /// The numbers `first..first + count`.
    fn range(first: usize, count: usize) -> Self;
    /// Whether the set is empty.
    fn is_empty(self) -> bool;
    /// Whether the set has more than one number.
    fn has_several(self) -> bool;
    /// The smallest number; out of range for an empty set.
    fn first(self) -> usize;
    /// How many numbers the set has.
    fn count(self) -> u32;
    /// The set without its smallest number.
    fn without_first(self) -> Self;

    /// The smallest number of a nonempty set whose numbers are all below `limit`. The compiler may assume this, and omits
    /// the bounds check of an array.
    #[inline(always)]
    fn first_below(self, limit: usize) -> usize {
        let first = self.first();
        // SAFETY: the sets of a node hold ports, inputs and slots of its width, and callers pass sets
        // that they have just masked or tested.
        unsafe { assume(first < limit) };
        first
    }

    /// Whether the set contains `number`.
    #[inline(always)]
    fn has(self, number: usize) -> bool {
        !(self & Self::only(number)).is_empty()
    }

    /// The numbers in ascending order.
    #[inline(always)]
    fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            if self.is_empty() {
                return None;
            }
            let first = self.first();
            self = self.without_first();
            Some(first)
        })
    }

    /// Of `count` consecutive groups of `size` numbers, all numbers of the groups that intersect the set.
    #[inline(always)]
    fn groups(self, size: usize, count: usize) -> Self {
        let firsts = (0..count).fold(Self::default(), |set, group| set | Self::only(group * size));
        let any = (1..size).fold(self, |any, number| any | self >> number) & firsts;
        (1..size).fold(any, |all, number| all | any << number)
    }
}

macro_rules! bit_set {
    ($($integer:ty),*) => {$(
        impl BitSet for $integer {
            #[inline(always)]
            fn only(number: usize) -> Self {
                1 << number
            }
            #[inline(always)]
            fn only_if(number: usize, is_in: bool) -> Self {
                Self::from(is_in) << number
            }
            #[inline(always)]
            fn range(first: usize, count: usize) -> Self {
                ((1 << count) - 1) << first
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn has_several(self) -> bool {
                self & self.wrapping_sub(1) != 0
            }
            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}
bit_set!(u8, u16, u32, u64, u128);

/// The preferred members of a set, if there are any; else all.
#[inline(always)]
pub fn prefer<B: BitSet>(inputs: B, preferred: B) -> B {
    let some = inputs & preferred;
    if some.is_empty() { inputs } else { some }
}

/// A cycle relative to the start of an epoch, in few bits. Past cycles may be negative.
pub trait Tick: Copy + Debug + Default + Eq + Ord + Send + Sync + Serialize + DeserializeOwned {
    /// Later than any cycle.
    const NEVER: Self;
    /// Length of an epoch in cycles.
    const EPOCH_CYCLES: i32;

    /// The cycle `cycles` after the epoch's start. A cycle beyond the range is clamped to the latest one, and examined
    /// again then.
    fn after(cycles: i32) -> Self;
    /// The same for a cycle that is known to be in range, being within the engine's longest look-ahead.
    fn near(cycles: i32) -> Self;
    /// Cycles after the epoch's start.
    fn cycles(self) -> i32;
    /// The same cycle, relative to an epoch that starts `epochs` later. A cycle in the distant past is clamped and
    /// stays in the past.
    fn age(self, epochs: u32) -> Self;
}

macro_rules! tick {
    ($($integer:ty),*) => {$(
        impl Tick for $integer {
            const NEVER: Self = <$integer>::MAX;
            const EPOCH_CYCLES: i32 = 1 << (<$integer>::BITS - 2);

            #[inline(always)]
            fn after(cycles: i32) -> Self {
                const LATEST: i32 = (2 * (<$integer>::EPOCH_CYCLES as i64) - 2) as i32;
                cycles.min(LATEST) as $integer
            }
            #[inline(always)]
            fn near(cycles: i32) -> Self {
                debug_assert_eq!(Self::after(cycles), cycles as $integer, "{cycles} cycles are out of range");
                cycles as $integer
            }
            #[inline(always)]
            fn cycles(self) -> i32 {
                i32::from(self)
            }
            fn age(self, epochs: u32) -> Self {
                let aged = i64::from(self) - i64::from(epochs) * i64::from(Self::EPOCH_CYCLES);
                if self == Self::NEVER { self } else { aged.max(-i64::from(Self::EPOCH_CYCLES)) as $integer }
            }
        }
    )*};
}
tick!(i16, i32);
