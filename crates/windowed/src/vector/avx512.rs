//! AVX-512: 32 bytes, or 32 times, at a time, with sets as masks. An engine that uses it is created only if the
//! processor supports it.
#![cfg(target_arch = "x86_64")]

use super::avx2::{Avx2, min_lane};
use super::sse2::{Sse2, load};
use super::{Kernel, Vectors};
use std::arch::x86_64::*;

/// Operations for any x86-64-v4.
#[derive(Clone, Copy, Debug, Default)]
pub struct Avx512;

impl Avx512 {
    /// Whether this processor supports the instructions of x86-64-v4 that are used here.
    pub fn is_supported() -> bool {
        has_features()
    }
}

// Those of x86-64-v4.
with_features!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "avx512f", "avx512bw", "avx512vl");

/// Loads 32 times from position `at`.
#[inline(always)]
fn load_many(times: &[i16], at: usize) -> __m512i {
    let many: &[i16; 32] = times[at..at + 32].try_into().expect("the slice has thirty-two times");
    // SAFETY: `many` is 64 readable bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(many.as_ptr().cast()) }
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "SAFETY: the processor has AVX-512, as no engine of this kind is created otherwise"
)]
impl Vectors for Avx512 {
    type Bytes = __m256i;

    as_in! { Avx2:
        nth(set: u32, rank: u32) -> usize,
        load(bytes: &[u8; 32]) -> __m256i,
        store(bytes: __m256i, into: &mut [u8; 32]),
        all(byte: u8) -> __m256i,
        add(a: __m256i, b: __m256i) -> __m256i,
        sub(a: __m256i, b: __m256i) -> __m256i,
        and(a: __m256i, b: __m256i) -> __m256i,
        or(a: __m256i, b: __m256i) -> __m256i,
        any(bytes: __m256i) -> u8,
    }
    as_in! { Sse2: next_of_eight(times: &[i16; 8], now: i16) -> i16 }

    #[inline(always)]
    fn run<W: Kernel>(work: W) -> W::Output {
        unsafe { run_with_features(work) }
    }
    #[inline(always)]
    fn all_in(set: u32, byte: u8) -> __m256i {
        unsafe { _mm256_maskz_set1_epi8(set, byte as i8) }
    }
    #[inline(always)]
    fn equal(a: __m256i, b: __m256i) -> u32 {
        unsafe { _mm256_cmpeq_epi8_mask(a, b) }
    }
    #[inline(always)]
    fn at_least(a: __m256i, b: __m256i) -> u32 {
        unsafe { _mm256_cmpge_epu8_mask(a, b) }
    }
    #[inline(always)]
    fn with_bit(bytes: __m256i, bit: usize) -> u32 {
        unsafe { _mm256_test_epi8_mask(bytes, _mm256_set1_epi8(1u8.wrapping_shl(bit as u32) as i8)) }
    }
    #[inline(always)]
    fn lowest_is(bytes: __m256i, bit: usize) -> u32 {
        unsafe {
            let lowest = _mm256_and_si256(bytes, _mm256_sub_epi8(_mm256_setzero_si256(), bytes));
            _mm256_cmpeq_epi8_mask(lowest, _mm256_set1_epi8(1u8.wrapping_shl(bit as u32) as i8))
        }
    }

    #[inline(always)]
    fn due(times: &[i16], now: i16) -> u64 {
        let (mut due, mut at) = (0, 0);
        unsafe {
            while at + 32 <= times.len() {
                let mask = _mm512_cmple_epi16_mask(load_many(times, at), _mm512_set1_epi16(now));
                due |= u64::from(mask) << at;
                at += 32;
            }
            while at < times.len() {
                due |= u64::from(_mm_cmple_epi16_mask(load(times, at), _mm_set1_epi16(now))) << at;
                at += 8;
            }
        }
        due
    }
    #[inline(always)]
    fn are_now(times: &[i16; 8], now: i16) -> u8 {
        unsafe { _mm_cmpeq_epi16_mask(load(times, 0), _mm_set1_epi16(now)) }
    }
    #[inline(always)]
    fn earliest(times: &[i16], set: u64) -> i16 {
        // Lanes outside the set become the latest time.
        unsafe {
            let mut at = 0;
            let mut min = _mm_set1_epi16(i16::MAX);
            while at + 32 <= times.len() {
                let counted = _mm512_mask_mov_epi16(
                    _mm512_set1_epi16(i16::MAX),
                    (set >> at) as u32,
                    load_many(times, at),
                );
                let (low, high) = (_mm512_castsi512_si256(counted), _mm512_extracti64x4_epi64::<1>(counted));
                let half = _mm256_min_epu16(low, high);
                let quarter =
                    _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
                min = _mm_min_epu16(min, quarter);
                at += 32;
            }
            while at < times.len() {
                let counted =
                    _mm_mask_mov_epi16(_mm_set1_epi16(i16::MAX), (set >> at) as u8, load(times, at));
                min = _mm_min_epu16(min, counted);
                at += 8;
            }
            min_lane(min)
        }
    }
}
