//! Bit sets of small numbers and compact cycle counts: the types of masks and event times.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

/// Lets the compiler assume a condition that holds by construction. The code for each packet then contains no check of
/// it. Builds with debug assertions, which all tests use, do check it. The fuzz test of checkpoints recognizes the
/// failure by its message.
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
    /// Number of elements of the set.
    fn count(self) -> u32;
    /// The set without its smallest number.
    fn without_first(self) -> Self;
    /// The numbers below 32 that are in the set, as bits.
    fn low_word(self) -> u32;
    /// The set of these numbers below 32, for all of which the type has room.
    fn from_word(word: u32) -> Self;

    /// The smallest number of a nonempty set whose numbers are all below `limit`. The compiler may assume this, and
    /// omits the bounds check of an array.
    #[inline(always)]
    fn first_below(self, limit: usize) -> usize {
        let first = self.first();
        // SAFETY: the sets of a node hold ports, inputs and slots of its width, and callers pass sets
        // that they have just masked or tested.
        unsafe { assume(first < limit) };
        first
    }

    /// The set of some numbers.
    #[inline(always)]
    fn of(numbers: impl Iterator<Item = usize>) -> Self {
        numbers.fold(Self::default(), |set, number| set | Self::only(number))
    }

    /// The set of the places, from 0, at which a flag is set.
    #[inline(always)]
    fn of_flags(flags: impl Iterator<Item = bool>) -> Self {
        flags.enumerate().fold(Self::default(), |set, (place, is_in)| set | Self::only_if(place, is_in))
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

    /// All numbers of those groups that intersect the set; there are `count` consecutive groups of `size` numbers.
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
            #[inline(always)]
            fn low_word(self) -> u32 {
                self as u32
            }
            #[inline(always)]
            fn from_word(word: u32) -> Self {
                word as $integer
            }
        }
    )*};
}
bit_set!(u8, u16, u32, u64, u128);

/// A bit set of numbers below 64 x `N`, in words of ascending numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words<const N: usize>(#[serde(with = "BigArray")] [u64; N]);

impl<const N: usize> Words<N> {
    fn of_words(word: impl Fn(usize) -> u64) -> Self {
        Words(std::array::from_fn(word))
    }

    /// A word, or 0 if there is none.
    fn word(&self, place: Option<usize>) -> u64 {
        place.and_then(|place| self.0.get(place)).copied().unwrap_or(0)
    }
}

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Words([0; N])
    }
}

impl<const N: usize> BitAnd for Words<N> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Words::of_words(|place| self.0[place] & other.0[place])
    }
}

impl<const N: usize> BitOr for Words<N> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Words::of_words(|place| self.0[place] | other.0[place])
    }
}

impl<const N: usize> BitAndAssign for Words<N> {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const N: usize> BitOrAssign for Words<N> {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const N: usize> Not for Words<N> {
    type Output = Self;
    fn not(self) -> Self {
        Words(self.0.map(|word| !word))
    }
}

impl<const N: usize> Shl<usize> for Words<N> {
    type Output = Self;
    fn shl(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        Words::of_words(|place| {
            let from = place.checked_sub(words);
            let carried = self.word(from.and_then(|from| from.checked_sub(1)));
            self.word(from) << bits | carried.checked_shr(64 - bits as u32).unwrap_or(0)
        })
    }
}

impl<const N: usize> Shr<usize> for Words<N> {
    type Output = Self;
    fn shr(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        Words::of_words(|place| {
            let carried = self.word(Some(place + words + 1));
            self.word(Some(place + words)) >> bits | carried.checked_shl(64 - bits as u32).unwrap_or(0)
        })
    }
}

impl<const N: usize> BitSet for Words<N> {
    fn only(number: usize) -> Self {
        Words::only_if(number, true)
    }
    fn only_if(number: usize, is_in: bool) -> Self {
        let mut set = Words::default();
        set.0[number / 64] = u64::from(is_in) << (number % 64);
        set
    }
    fn range(first: usize, count: usize) -> Self {
        (!Words::default() << first) & !(!Words::default() << (first + count))
    }
    fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
    fn has_several(self) -> bool {
        self.count() > 1
    }
    fn first(self) -> usize {
        let place = self.0.iter().position(|&word| word != 0).unwrap_or(N);
        64 * place + self.word(Some(place)).trailing_zeros() as usize
    }
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }
    fn low_word(self) -> u32 {
        self.0[0] as u32
    }
    fn from_word(word: u32) -> Self {
        Words::of_words(|place| if place == 0 { word.into() } else { 0 })
    }
}

/// The preferred members of a set, if it has any; else all members.
#[inline(always)]
pub fn prefer<B: BitSet>(inputs: B, preferred: B) -> B {
    let some = inputs & preferred;
    if some.is_empty() { inputs } else { some }
}

/// A cycle relative to the start of an epoch, in few bits. Past cycles may be negative.
pub trait Tick: Copy + Debug + Default + Eq + Ord + Send + Sync + Serialize + DeserializeOwned {
    /// A time later than any cycle.
    const NEVER: Self;
    /// The latest cycle, to which later ones are clamped.
    const LATEST: Self;
    /// Length of an epoch in cycles.
    const EPOCH_CYCLES: i32;

    /// The cycle `cycles` after the epoch's start. A cycle beyond the range is clamped to the latest one, and examined
    /// again then.
    fn after(cycles: i32) -> Self;
    /// The cycle `cycles` after the epoch's start. It is known to be in range, within the engine's longest look-ahead.
    fn near(cycles: i32) -> Self;
    /// Number of cycles after the epoch's start.
    fn cycles(self) -> i32;
    /// This cycle, relative to an epoch that starts `epochs` later. A cycle in the distant past is clamped and stays in
    /// the past.
    fn age(self, epochs: u32) -> Self;
}

macro_rules! tick {
    ($($integer:ty),*) => {$(
        impl Tick for $integer {
            const NEVER: Self = <$integer>::MAX;
            const LATEST: Self = <$integer>::MAX - 1;
            const EPOCH_CYCLES: i32 = 1 << (<$integer>::BITS - 2);

            #[inline(always)]
            fn after(cycles: i32) -> Self {
                cycles.min(Self::LATEST as i32) as $integer
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(set: u128) -> Words<2> {
        Words([set as u64, (set >> 64) as u64])
    }

    proptest! {
        #[test]
        fn words_are_a_wider_integer(a: u128, b: u128, few in prop::collection::vec(0usize..128, 0..4), by in 0usize..128,
            first in 0usize..128, count in 0usize..127)
        {
            let few = u128::of(few.into_iter());
            let count = count.min(127 - first);
            prop_assert_eq!(words(a) & words(b), words(a & b));
            prop_assert_eq!(words(a) | words(b), words(a | b));
            prop_assert_eq!(!words(a), words(!a));
            prop_assert_eq!((words(a) << by, words(a) >> by), (words(a << by), words(a >> by)));
            prop_assert_eq!(Words::<2>::range(first, count), words(u128::range(first, count)));
            prop_assert_eq!(words(few).count(), few.count());
            prop_assert_eq!(words(few).has_several(), few.has_several());
            prop_assert_eq!(words(few).without_first(), words(few.without_first()));
            prop_assert_eq!(words(few).iter().collect::<Vec<_>>(), few.iter().collect::<Vec<_>>());
            prop_assert_eq!((words(a).low_word(), Words::from_word(7)), (a as u32, words(7)));
        }
    }
}
