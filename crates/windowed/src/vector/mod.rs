//! SIMD operations on many bytes, or on many 16-bit event times.
//!
//! ```text
//!   portable:  one element at a time, on any processor; the reference for the others
//!   sse2:      16 bytes at a time, on every x86-64
//!   avx2:      32 bytes at a time, on x86-64-v3
//!   avx512:    the same with sets as masks, on x86-64-v4
//! ```

/// Defines `has_features` and `run_with_features` from one list of processor features. Code compiled for a feature that
/// was not detected would be undefined behavior. A hypervisor may hide any of them.
macro_rules! with_features {
    ($($feature:tt),+) => {
        /// Whether this processor has all features for which [`run_with_features`] is compiled.
        fn has_features() -> bool {
            $(std::arch::is_x86_feature_detected!($feature))&&+
        }

        /// Runs work with these features.
        ///
        /// # Safety
        /// The processor must have them.
        #[inline(never)]
        $(#[target_feature(enable = $feature)])+
        unsafe fn run_with_features<W: Kernel>(work: W) -> W::Output {
            work.run()
        }
    };
}

/// Declares operations that are those of another instruction set.
macro_rules! as_in {
    ($other:ident: $($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?),+ $(,)?) => {
        $(#[inline(always)]
        fn $name($($argument: $type),*) $(-> $result)? {
            $other::$name($($argument),*)
        })+
    };
}

mod avx2;
mod avx512;
mod portable;
mod sse2;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(test)]
pub use portable::Portable;
#[cfg(not(target_arch = "x86_64"))]
pub use portable::Portable as Baseline;
#[cfg(target_arch = "x86_64")]
pub use sse2::Sse2 as Baseline;

use super::sets::BitSet;
use std::fmt::Debug;

/// A computation that is compiled separately for each instruction set.
pub trait Kernel {
    /// The result of the computation.
    type Output;
    /// Runs the computation. This function, and all that it calls, must always be inlined: only inlined code is
    /// compiled for the instruction set.
    fn run(self) -> Self::Output;
}

/// The operations of an instruction set. Byte operations work on 32 lanes, one for each input of a node. A set of lanes
/// is a 32-bit mask.
pub trait Vectors: Copy + Debug + Default + Send + Sync + 'static {
    /// Runs work compiled for this instruction set, in a separate function.
    #[inline(never)]
    fn run<W: Kernel>(work: W) -> W::Output {
        work.run()
    }

    /// Thirty-two bytes in registers.
    type Bytes: Copy;

    /// The number of rank `rank` (from 0, ascending) in a set.
    #[inline(always)]
    fn nth(set: u32, rank: u32) -> usize {
        count_off(set, rank)
    }

    /// Loads bytes from memory.
    fn load(bytes: &[u8; 32]) -> Self::Bytes;
    /// Stores bytes in memory.
    fn store(bytes: Self::Bytes, into: &mut [u8; 32]);
    /// A byte in every lane.
    fn all(byte: u8) -> Self::Bytes;
    /// A byte in the lanes of a set, 0 in the others.
    fn all_in(set: u32, byte: u8) -> Self::Bytes;
    /// Wrapping sum, lane by lane.
    fn add(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Wrapping difference, lane by lane.
    fn sub(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bitwise AND.
    fn and(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bitwise OR.
    fn or(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The set of lanes in which `a` equals `b`.
    fn equal(a: Self::Bytes, b: Self::Bytes) -> u32;
    /// The set of lanes in which `a` is at least `b`.
    fn at_least(a: Self::Bytes, b: Self::Bytes) -> u32;
    /// The set of lanes in which bit `bit`, 0 to 7, is set.
    fn with_bit(bytes: Self::Bytes, bit: usize) -> u32;
    /// The set of lanes whose lowest set bit is `bit`.
    fn lowest_is(bytes: Self::Bytes, bit: usize) -> u32;
    /// The OR of all bytes.
    fn any(bytes: Self::Bytes) -> u8;

    /// The set of times no later than `now`. There are up to 64 times, a multiple of eight.
    fn due(times: &[i16], now: i16) -> u64;
    /// The set of times equal to `now`.
    fn are_now(times: &[i16; 8], now: i16) -> u8;
    /// The earliest of eight times that is later than `now`; `i16::MAX` if there is none.
    fn next_of_eight(times: &[i16; 8], now: i16) -> i16;
    /// The earliest of the times in `set`, none of which is negative; `i16::MAX` if there is none. The number of times
    /// is a multiple of eight.
    fn earliest(times: &[i16], set: u64) -> i16;
}

/// The number of rank `rank` (from 0, ascending) in a set, found by counting.
#[inline(always)]
pub fn count_off<B: BitSet>(mut set: B, rank: u32) -> usize {
    for _ in 0..rank {
        set = set.without_first();
    }
    set.first()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The results of an instruction set's byte operations, as plain numbers.
    fn results<X: Vectors>(a: [u8; 32], b: [u8; 32], set: u32, bit: usize) -> (Vec<[u8; 32]>, Vec<u32>) {
        let stored = |bytes| {
            let mut into = [0; 32];
            X::store(bytes, &mut into);
            into
        };
        let (x, y) = (X::load(&a), X::load(&b));
        let bytes =
            [X::add(x, y), X::sub(x, y), X::and(x, y), X::or(x, y), X::all(a[0]), X::all_in(set, a[0])];
        let sets =
            [X::equal(x, y), X::at_least(x, y), X::with_bit(x, bit), X::lowest_is(x, bit), X::any(x).into()];
        let set = set | 1;
        let nth = X::nth(set, u32::from(b[0]) % set.count_ones()) as u32;
        (bytes.map(stored).to_vec(), [&sets[..], &[nth]].concat())
    }

    fn results_of_times<X: Vectors>(times: &[i16], now: i16, set: u64) -> (u64, [i16; 2], u8) {
        let eight: [i16; 8] = times[..8].try_into().unwrap();
        let is_in = |slot: usize| set >> slot & 1 == 1;
        let not_below = |(slot, &time): (usize, &i16)| if is_in(slot) { time.max(0) } else { time };
        let positive: Vec<i16> = times.iter().enumerate().map(not_below).collect();
        let next = [X::next_of_eight(&eight, now), X::earliest(&positive, set)];
        (X::due(times, now), next, X::are_now(&eight, now))
    }

    proptest! {
        #[test]
        fn bytes_match_portable_code(a: [u8; 32], b: [u8; 32], few in prop::array::uniform32(0u8..3), set: u32, bit in 0usize..8) {
            for other in [b, few, a] {
                let expected = results::<Portable>(a, other, set, bit);
                prop_assert_eq!(&results::<Baseline>(a, other, set, bit), &expected);
                #[cfg(target_arch = "x86_64")]
                if Avx2::is_supported() {
                    prop_assert_eq!(&results::<Avx2>(a, other, set, bit), &expected);
                }
                #[cfg(target_arch = "x86_64")]
                if Avx512::is_supported() {
                    prop_assert_eq!(&results::<Avx512>(a, other, set, bit), &expected);
                }
            }
        }

        #[test]
        fn times_match_portable_code(
            times in prop::collection::vec(-3i16..50, 8..=64), now in -3i16..50, set: u64,
        ) {
            let times = &times[..times.len() / 8 * 8];
            let eight: [i16; 8] = times[..8].try_into().unwrap();
            let (mut left, mut expected) = (eight, eight);
            let taken = Baseline::take_due(&mut left, now);
            prop_assert_eq!((taken, left), (Portable::take_due(&mut expected, now), expected));
            let expected = results_of_times::<Portable>(times, now, set);
            prop_assert_eq!(&results_of_times::<Baseline>(times, now, set), &expected);
            #[cfg(target_arch = "x86_64")]
            if Avx2::is_supported() {
                prop_assert_eq!(&results_of_times::<Avx2>(times, now, set), &expected);
            }
            #[cfg(target_arch = "x86_64")]
            if Avx512::is_supported() {
                prop_assert_eq!(&results_of_times::<Avx512>(times, now, set), &expected);
            }
        }
    }
}
