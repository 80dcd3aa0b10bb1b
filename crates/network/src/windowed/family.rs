//! The two families of machines that are compiled in, and the types that make the common one small.
//!
//! | family  | machines                                              | masks | times   |
//! |---------|-------------------------------------------------------|-------|---------|
//! | compact | up to 3 dimensions, 4 channels, ordinary latencies     | 32, 64 bits | 16 bits |
//! | wide    | up to 6 dimensions, 6 channels, any latency            | 128 bits    | 32 bits |

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

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
{
    /// The set of one number.
    fn only(number: usize) -> Self;
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

/// A time relative to an epoch, in few bits.
pub trait Tick: Copy + Debug + Eq + Ord + Send + Sync {
    /// Later than anything.
    const NEVER: Self;
    /// Cycles of an epoch: half of what the type holds.
    const EPOCH_CYCLES: u64;

    /// `cycles` after the epoch's start; what is too far is brought as near as it has to be, and looked at again then.
    fn after(cycles: u64) -> Self;
    /// Cycles after the epoch's start.
    fn cycles(self) -> u64;
    /// The same moment, `epochs` later.
    fn age(self, epochs: u64) -> Self;
}

macro_rules! tick {
    ($($integer:ty),*) => {$(
        impl Tick for $integer {
            const NEVER: Self = <$integer>::MAX;
            const EPOCH_CYCLES: u64 = 1 << (<$integer>::BITS - 2);

            #[inline(always)]
            fn after(cycles: u64) -> Self {
                cycles.min(2 * Self::EPOCH_CYCLES - 2) as $integer
            }
            #[inline(always)]
            fn cycles(self) -> u64 {
                debug_assert!(self >= 0);
                self as u64
            }
            #[inline(always)]
            fn age(self, epochs: u64) -> Self {
                match self {
                    Self::NEVER => self,
                    _ => (i64::from(self) - (epochs * Self::EPOCH_CYCLES) as i64) as $integer,
                }
            }
        }
    )*};
}
tick!(i16, i32);

/// A note of something that will happen at a later cycle: the time's low bits, and 16 bits of what.
pub trait Note: Copy + Debug + Default + Send + Sync {
    /// `what`, at `time`.
    fn new(time: u64, what: u16) -> Self;
    /// When; it must be less than half of what the note's bits can count away from `near`.
    fn time(self, near: u64) -> u64;
    /// What.
    fn what(self) -> u16;
}

impl Note for u32 {
    #[inline(always)]
    fn new(time: u64, what: u16) -> Self {
        (time as u32) << 16 | u32::from(what)
    }
    #[inline(always)]
    fn time(self, near: u64) -> u64 {
        let difference = ((self >> 16) as u16).wrapping_sub(near as u16) as i16;
        near.wrapping_add_signed(difference.into())
    }
    #[inline(always)]
    fn what(self) -> u16 {
        self as u16
    }
}

impl Note for u64 {
    #[inline(always)]
    fn new(time: u64, what: u16) -> Self {
        time << 16 | u64::from(what)
    }
    #[inline(always)]
    fn time(self, _near: u64) -> u64 {
        self >> 16
    }
    #[inline(always)]
    fn what(self) -> u16 {
        self as u16
    }
}

/// A family of machines: the types that its node states are made of.
pub trait Family: Copy + Default + Send + Sync + 'static {
    /// Waiting places of a node: channels of receivers, then injection FIFOs.
    type Places: BitSet;
    /// Event slots of a node.
    type Slots: BitSet;
    /// Event times.
    type Tick: Tick;
    /// Notes in the rings of a node.
    type Note: Note;

    /// The earliest of the times.
    fn earliest(times: &[Self::Tick]) -> Self::Tick;
    /// The slots whose time is `time`.
    fn equal(times: &[Self::Tick], time: Self::Tick) -> Self::Slots;
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
    type Note = u32;

    #[inline(always)]
    fn earliest(times: &[i16]) -> i16 {
        super::vector::minimum(times)
    }
    #[inline(always)]
    fn equal(times: &[i16], time: i16) -> u64 {
        super::vector::equal(times, time)
    }
}

impl Family for Wide {
    type Places = u128;
    type Slots = u128;
    type Tick = i32;
    type Note = u64;

    #[inline(always)]
    fn earliest(times: &[i32]) -> i32 {
        times.iter().copied().min().unwrap_or(i32::MAX)
    }
    #[inline(always)]
    fn equal(times: &[i32], time: i32) -> u128 {
        times.iter().enumerate().fold(0, |set, (slot, &at)| set | u128::from(at == time) << slot)
    }
}
