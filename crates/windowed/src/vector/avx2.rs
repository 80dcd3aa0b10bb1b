//! AVX2: 32 bytes, or 16 times, at a time. An engine that uses it is created only if the processor supports it.
#![cfg(target_arch = "x86_64")]

use super::sse2::{Sse2, load};
use super::{Kernel, Vectors};
use std::arch::x86_64::*;

/// Operations for any x86-64-v3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Avx2;

impl Avx2 {
    /// Whether this processor supports the instructions of x86-64-v3 that are used here.
    pub fn is_supported() -> bool {
        has_features()
    }
}

// These features of x86-64-v3 include bit counts and shifts as single instructions.
with_features!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt");

/// Loads 16 times from position `at`.
#[inline(always)]
fn load_sixteen(times: &[i16], at: usize) -> __m256i {
    let sixteen: &[i16; 16] = times[at..at + 16].try_into().expect("the slice has sixteen times");
    // SAFETY: `sixteen` is 32 readable bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(sixteen.as_ptr().cast()) }
}

/// The minimum of eight lanes, none of which is negative.
#[inline(always)]
pub(super) fn min_lane(lanes: __m128i) -> i16 {
    // SAFETY: SSE4.1 is part of x86-64-v3.
    unsafe { _mm_cvtsi128_si32(_mm_minpos_epu16(lanes)) as i16 }
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "SAFETY: the processor has AVX2, as no engine of this kind is created otherwise; loads and stores access arrays of 32 bytes"
)]
impl Vectors for Avx2 {
    type Bytes = __m256i;

    #[inline(always)]
    fn run<W: Kernel>(work: W) -> W::Output {
        unsafe { run_with_features(work) }
    }

    #[inline(always)]
    fn nth(set: u32, rank: u32) -> usize {
        unsafe { _pdep_u32(1 << rank, set) }.trailing_zeros() as usize
    }

    #[inline(always)]
    fn load(bytes: &[u8; 32]) -> __m256i {
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(bytes: __m256i, into: &mut [u8; 32]) {
        unsafe { _mm256_storeu_si256(into.as_mut_ptr().cast(), bytes) }
    }
    #[inline(always)]
    fn all(byte: u8) -> __m256i {
        unsafe { _mm256_set1_epi8(byte as i8) }
    }
    #[inline(always)]
    fn all_in(set: u32, byte: u8) -> __m256i {
        // Each byte of the set is repeated eight times, and each copy tests its own bit.
        unsafe {
            let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let (first, second) = (0x0101_0101_0101_0101, 0x0202_0202_0202_0202);
            let repeated = _mm256_setr_epi64x(0, first, second, first + second);
            let eights = _mm256_shuffle_epi8(_mm256_set1_epi32(set as i32), repeated);
            let is_in = _mm256_cmpeq_epi8(_mm256_and_si256(eights, bits), bits);
            _mm256_and_si256(is_in, _mm256_set1_epi8(byte as i8))
        }
    }
    #[inline(always)]
    fn add(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_add_epi8(a, b) }
    }
    #[inline(always)]
    fn sub(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_sub_epi8(a, b) }
    }
    #[inline(always)]
    fn and(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn or(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_or_si256(a, b) }
    }
    #[inline(always)]
    fn equal(a: __m256i, b: __m256i) -> u32 {
        unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b)) as u32 }
    }
    #[inline(always)]
    fn at_least(a: __m256i, b: __m256i) -> u32 {
        unsafe { _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a)) as u32 }
    }
    #[inline(always)]
    fn with_bit(bytes: __m256i, bit: usize) -> u32 {
        // The bit is shifted to the top of its byte, and the top bits are gathered.
        unsafe { _mm256_movemask_epi8(_mm256_sll_epi16(bytes, _mm_cvtsi32_si128(7 - bit as i32))) as u32 }
    }
    #[inline(always)]
    fn lowest_is(bytes: __m256i, bit: usize) -> u32 {
        unsafe {
            let lowest = _mm256_and_si256(bytes, _mm256_sub_epi8(_mm256_setzero_si256(), bytes));
            Self::equal(lowest, _mm256_set1_epi8(1u8.wrapping_shl(bit as u32) as i8))
        }
    }
    #[inline(always)]
    fn any(bytes: __m256i) -> u8 {
        unsafe { Sse2::any([_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)]) }
    }

    #[inline(always)]
    fn due(times: &[i16], now: i16) -> u64 {
        // Two comparisons are packed to bytes within each 128-bit half; the permutation swaps the two middle quarters
        // back.
        let (mut later, mut at) = (0, 0);
        while at + 32 <= times.len() {
            let bits = unsafe {
                let now = _mm256_set1_epi16(now);
                let low = _mm256_cmpgt_epi16(load_sixteen(times, at), now);
                let high = _mm256_cmpgt_epi16(load_sixteen(times, at + 16), now);
                let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
                _mm256_movemask_epi8(packed) as u32
            };
            later |= u64::from(bits) << at;
            at += 32;
        }
        if at < times.len() {
            let rest = &times[at..];
            return (Sse2::due(rest, now) << at) | (!later & ((1 << at) - 1));
        }
        !later & (u64::MAX >> (64 - times.len()))
    }
    #[inline(always)]
    fn are_now(times: &[i16; 8], now: i16) -> u8 {
        Sse2::are_now(times, now)
    }
    #[inline(always)]
    fn next_of_eight(times: &[i16; 8], now: i16) -> i16 {
        Sse2::next_of_eight(times, now)
    }
    #[inline(always)]
    fn earliest(times: &[i16], set: u64) -> i16 {
        // A lane counts if its bit is in the set. The others become the latest time or, if negative, a greater unsigned
        // value.
        unsafe {
            let bits = _mm256_setr_epi16(
                1,
                2,
                4,
                8,
                16,
                32,
                64,
                128,
                256,
                512,
                1024,
                2048,
                4096,
                8192,
                16384,
                i16::MIN,
            );
            let never = _mm256_set1_epi16(i16::MAX);
            let (mut min, mut at) = (never, 0);
            while at + 16 <= times.len() {
                let mine = _mm256_set1_epi16((set >> at) as i16);
                let is_in = _mm256_cmpeq_epi16(_mm256_and_si256(mine, bits), bits);
                let counted = _mm256_or_si256(load_sixteen(times, at), _mm256_andnot_si256(is_in, never));
                min = _mm256_min_epu16(min, counted);
                at += 16;
            }
            let mut eight = _mm_min_epu16(_mm256_castsi256_si128(min), _mm256_extracti128_si256::<1>(min));
            if at < times.len() {
                let bits = _mm256_castsi256_si128(bits);
                let mine = _mm_set1_epi16((set >> at) as i16);
                let is_in = _mm_cmpeq_epi16(_mm_and_si128(mine, bits), bits);
                let never = _mm256_castsi256_si128(never);
                eight = _mm_min_epu16(eight, _mm_or_si128(load(times, at), _mm_andnot_si128(is_in, never)));
            }
            min_lane(eight)
        }
    }
}
