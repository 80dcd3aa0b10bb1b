//! Sets of small numbers as bits, and cycles in few bits: what masks and event times are made of.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

/// Tells the compiler what holds by the engine's construction, so that it does not look after it on the way of each
/// packet. Builds with debug assertions, which all tests use, check it.
///
/// # Safety
/// The condition must hold.
#[inline(always)]
pub unsafe fn is_given(condition: bool) {
    debug_assert!(condition);
    // SAFETY: the caller's.
    unsafe { std::hint::assert_unchecked(condition) };
}

/// A set of small numbers, as bits.
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
    /// The set of one number, or of none.
    fn only_if(number: usize, is_in: bool) -> Self;
    /// The numbers below `count`, moved up by `first`.
    fn range(first: usize, count: usize) -> Self;
    /// Whether nothing is in it.
    fn is_empty(self) -> bool;
    /// Whether more than one number is in it.
    fn has_several(self) -> bool;
    /// The least number; of an empty set, something out of range.
    fn first(self) -> usize;
    /// How many numbers.
    fn count(self) -> u32;
    /// All but the least number.
    fn without_first(self) -> Self;

    /// The least number of a set that is not empty and whose numbers are all below `N`: the compiler is told so, and
    /// leaves out what would look after the bounds of an array.
    #[inline(always)]
    fn first_below<const N: usize>(self) -> usize {
        let first = self.first();
        // SAFETY: the sets of a node hold ports below P, places below C + 8 and slots below S, and the callers ask for
        // those that they have just masked or tested.
        unsafe { is_given(first < N) };
        first
    }

    /// Whether `number` is in it.
    #[inline(always)]
    fn has(self, number: usize) -> bool {
        !(self & Self::only(number)).is_empty()
    }

    /// The numbers, ascending.
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

    /// Of `count` groups of `N` numbers, one behind the other, all that have a number in the set.
    #[inline(always)]
    fn groups<const N: usize>(self, count: usize) -> Self {
        let firsts = (0..count).fold(Self::default(), |set, group| set | Self::only(group * N));
        let any = (1..N).fold(self, |any, number| any | self >> number) & firsts;
        (1..N).fold(any, |all, number| all | any << number)
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

/// A cycle counted from the start of an epoch, in few bits. What has passed may lie before it.
pub trait Tick: Copy + Debug + Default + Eq + Ord + Send + Sync + Serialize + DeserializeOwned {
    /// Later than anything.
    const NEVER: Self;
    /// Cycles of an epoch.
    const EPOCH_CYCLES: i32;

    /// The cycle `cycles` after the epoch's start; what is too far is brought as near as it has to be, and looked at
    /// again then.
    fn after(cycles: i32) -> Self;
    /// The same for a cycle that is known to be near: no farther than anything is noted ahead.
    fn near(cycles: i32) -> Self;
    /// Cycles after the epoch's start.
    fn cycles(self) -> i32;
    /// The same moment, `epochs` later; what has long passed stays in the past.
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
                debug_assert_eq!(Self::after(cycles), cycles as $integer, "{cycles} cycles are far");
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
