//! What is done to many bytes, or to many 16-bit event times, at once.
//!
//! ```text
//!   portable:  one by one, on any processor; what the others are held to
//!   sse2:      sixteen bytes at a time, as every x86-64 can
//!   avx2:      thirty-two, as processors of x86-64-v3 can
//!   avx512:    the same with sets as masks, as processors of x86-64-v4 can
//! ```

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

/// Something that is compiled anew for each kind of processor.
pub trait Work {
    /// What comes of it.
    type Output;
    /// Does it. This is to be inlined always, with all that is in it, as only what is inlined is compiled anew.
    fn run(self) -> Self::Output;
}

/// What a kind of processor does at once. Bytes are 32, one for each place of a node; sets of them are bits of 32.
pub trait Vectors: Copy + Debug + Default + Send + Sync + 'static {
    /// Runs some work, compiled for it, in a function of its own.
    #[inline(never)]
    fn run<W: Work>(work: W) -> W::Output {
        work.run()
    }

    /// Thirty-two bytes in registers.
    type Bytes: Copy;

    /// The number of rank `rank` (from 0) in a set, ascending.
    #[inline(always)]
    fn nth(set: u32, rank: u32) -> usize {
        count_off(set, rank)
    }

    /// Takes bytes from memory.
    fn load(bytes: &[u8; 32]) -> Self::Bytes;
    /// Puts bytes into memory.
    fn store(bytes: Self::Bytes, into: &mut [u8; 32]);
    /// The same byte everywhere.
    fn all(byte: u8) -> Self::Bytes;
    /// A byte at the places of a set, and 0 elsewhere.
    fn all_in(set: u32, byte: u8) -> Self::Bytes;
    /// Place by place, a sum.
    fn add(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Place by place, a difference.
    fn sub(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bits that both have.
    fn and(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bits that one or both have.
    fn or(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The set of the places where two are equal.
    fn equal(a: Self::Bytes, b: Self::Bytes) -> u32;
    /// The set of the places where the first is no less than the second.
    fn at_least(a: Self::Bytes, b: Self::Bytes) -> u32;
    /// The set of the places whose bytes have a bit, 0 to 7.
    fn having(bytes: Self::Bytes, bit: usize) -> u32;
    /// The set of the places whose lowest bit that is set is `bit`.
    fn lowest_is(bytes: Self::Bytes, bit: usize) -> u32;
    /// The bits that are set in any of the bytes.
    fn any(bytes: Self::Bytes) -> u8;

    /// A bit for each of up to 64 times that is no later than `now`; their number is a multiple of eight.
    fn due(times: &[i16], now: i16) -> u64;
    /// A bit for each of eight times that is `now`.
    fn are_now(times: &[i16; 8], now: i16) -> u8;
    /// The earliest of eight times that is later than `now`; the latest there is, if none is.
    fn next_of_eight(times: &[i16; 8], now: i16) -> i16;
    /// The earliest of those times, a multiple of eight, that have a bit in `set`, none of these being below 0; the
    /// latest there is, if none has.
    fn earliest(times: &[i16], set: u64) -> i16;
}

/// The number of rank `rank` (from 0) in a set, ascending, counted off.
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

    /// What a kind of processor makes of some bytes and times, as plain numbers.
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
            [X::equal(x, y), X::at_least(x, y), X::having(x, bit), X::lowest_is(x, bit), X::any(x).into()];
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
        fn bytes_agree_with_plain_code(a: [u8; 32], b: [u8; 32], few in prop::array::uniform32(0u8..3), set: u32, bit in 0usize..8) {
            for other in [b, few, a] {
                let expected = results::<Portable>(a, other, set, bit);
                prop_assert_eq!(&results::<Baseline>(a, other, set, bit), &expected);
                #[cfg(target_arch = "x86_64")]
                if Avx2::is_here() {
                    prop_assert_eq!(&results::<Avx2>(a, other, set, bit), &expected);
                }
                #[cfg(target_arch = "x86_64")]
                if Avx512::is_here() {
                    prop_assert_eq!(&results::<Avx512>(a, other, set, bit), &expected);
                }
            }
        }

        #[test]
        fn times_agree_with_plain_code(
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
            if Avx2::is_here() {
                prop_assert_eq!(&results_of_times::<Avx2>(times, now, set), &expected);
            }
            #[cfg(target_arch = "x86_64")]
            if Avx512::is_here() {
                prop_assert_eq!(&results_of_times::<Avx512>(times, now, set), &expected);
            }
        }
    }
}
