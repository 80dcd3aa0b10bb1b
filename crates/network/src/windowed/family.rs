//! The two families of machines that are compiled in, and the types that make the common one small.
//!
//! | family  | machines                                              | masks | times   |
//! |---------|-------------------------------------------------------|-------|---------|
//! | compact | up to 3 dimensions, 4 channels, ordinary latencies     | 32, 64 bits | 16 bits |
//! | wide    | up to 6 dimensions, 6 channels, any latency            | 128 bits    | 32 bits |

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shr};

/// Something for each place of a node.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct PerPlace<T: Copy + Serialize + DeserializeOwned, const N: usize>(
    #[serde(with = "BigArray")] [T; N],
);

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

    /// The number of rank `rank` (from 0), ascending.
    #[inline(always)]
    fn nth(mut self, rank: u32) -> usize {
        for _ in 0..rank {
            self = self.without_first();
        }
        self.first()
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

/// A family of machines: the types that its node states are made of.
pub trait Family: Copy + Default + Send + Sync + 'static {
    /// Waiting places of a node: channels of receivers, then injection FIFOs.
    type Places: BitSet;
    /// Event slots of a node.
    type Slots: BitSet;
    /// Event times.
    type Tick: Tick;
    /// The hint bits of the heads at all places.
    type Hints: Copy + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// No hint bits anywhere.
    fn no_hints() -> Self::Hints;
    /// Adds hint bits of the head at a place.
    fn add_hints(hints: &mut Self::Hints, place: usize, bits: u32);
    /// The head at a place no longer waits.
    fn clear_hints(hints: &mut Self::Hints, place: usize);
    /// The places whose heads have a port's hint bit, and those of which it is the first.
    fn hinted(hints: &Self::Hints, port: usize) -> (Self::Places, Self::Places);
    /// All hint bits of all places.
    fn all_hints(hints: &Self::Hints) -> u32;

    /// The slots whose time has come by `now`.
    fn due(times: &[Self::Tick], now: Self::Tick) -> Self::Slots;
    /// The earliest of the times that is later than `now`.
    fn next(times: &[Self::Tick], now: Self::Tick) -> Self::Tick;
    /// The earliest of the times of some slots.
    fn earliest(times: &[Self::Tick], slots: Self::Slots) -> Self::Tick;
    /// The slots of links, which come first.
    fn links(slots: Self::Slots) -> u32;
}

/// Up to three dimensions and four channels: Blue Gene/L and its like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compact;

/// Everything else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wide;

impl Family for Compact {
    type Places = u32;
    type Slots = u64;
    type Tick = i16;
    /// One byte for each place: what wants a port is found by a shift and one gathering of top bits.
    type Hints = PerPlace<u8, 32>;

    #[inline(always)]
    fn no_hints() -> PerPlace<u8, 32> {
        PerPlace([0; 32])
    }
    #[inline(always)]
    fn add_hints(hints: &mut PerPlace<u8, 32>, place: usize, bits: u32) {
        hints.0[place] |= bits as u8;
    }
    #[inline(always)]
    fn clear_hints(hints: &mut PerPlace<u8, 32>, place: usize) {
        hints.0[place] = 0;
    }
    #[inline(always)]
    fn hinted(hints: &PerPlace<u8, 32>, port: usize) -> (u32, u32) {
        super::vector::hinted(&hints.0, port)
    }
    #[inline(always)]
    fn all_hints(hints: &PerPlace<u8, 32>) -> u32 {
        hints.0.iter().fold(0, |all, &bits| all | bits).into()
    }
    #[inline(always)]
    fn due(times: &[i16], now: i16) -> u64 {
        super::vector::at_most(times, now)
    }
    #[inline(always)]
    fn next(times: &[i16], now: i16) -> i16 {
        match times.try_into() {
            Ok(eight) => super::vector::next_of_eight(eight, now),
            Err(_) => times.iter().copied().filter(|&at| at > now).min().unwrap_or(i16::MAX),
        }
    }
    #[inline(always)]
    fn earliest(times: &[i16], slots: u64) -> i16 {
        super::vector::earliest(times, slots)
    }
    #[inline(always)]
    fn links(slots: u64) -> u32 {
        slots as u32
    }
}

impl Family for Wide {
    type Places = u128;
    type Slots = u128;
    type Tick = i32;
    type Hints = PerPlace<u16, 80>;

    fn no_hints() -> PerPlace<u16, 80> {
        PerPlace([0; 80])
    }
    #[inline(always)]
    fn add_hints(hints: &mut PerPlace<u16, 80>, place: usize, bits: u32) {
        hints.0[place] |= bits as u16;
    }
    #[inline(always)]
    fn clear_hints(hints: &mut PerPlace<u16, 80>, place: usize) {
        hints.0[place] = 0;
    }
    fn hinted(hints: &PerPlace<u16, 80>, port: usize) -> (u128, u128) {
        let places = |is_in: &dyn Fn(u16) -> bool| {
            hints.0.iter().enumerate().fold(0, |set, (place, &bits)| set | u128::from(is_in(bits)) << place)
        };
        (places(&|bits| bits >> port & 1 == 1), places(&|bits| bits & bits.wrapping_neg() == 1 << port))
    }
    fn all_hints(hints: &PerPlace<u16, 80>) -> u32 {
        hints.0.iter().fold(0, |all, &bits| all | bits).into()
    }
    #[inline(always)]
    fn due(times: &[i32], now: i32) -> u128 {
        times.iter().enumerate().fold(0, |set, (slot, &at)| set | u128::from(at <= now) << slot)
    }
    #[inline(always)]
    fn next(times: &[i32], now: i32) -> i32 {
        times.iter().copied().filter(|&at| at > now).min().unwrap_or(i32::MAX)
    }
    #[inline(always)]
    fn earliest(times: &[i32], slots: u128) -> i32 {
        slots.iter().map(|slot| times[slot]).min().unwrap_or(i32::MAX)
    }
    #[inline(always)]
    fn links(slots: u128) -> u32 {
        slots as u32
    }
}
