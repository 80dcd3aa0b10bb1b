//! SSE2, which every x86-64 has: 16 bytes, or 8 times, at a time. An operation on 32 bytes works on two halves.
#![cfg(target_arch = "x86_64")]

use super::Vectors;
use std::arch::x86_64::*;

/// Operations for any x86-64.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sse2;

impl Sse2 {
    /// The set of times no later than `now`; these are replaced by `i16::MAX`.
    #[inline(always)]
    pub fn take_due(times: &mut [i16; 8], now: i16) -> u8 {
        // SAFETY: SSE2 is part of x86-64, and eight times are 16 bytes.
        unsafe {
            let all = load(times, 0);
            let is_later = _mm_cmpgt_epi16(all, _mm_set1_epi16(now));
            let latest = _mm_andnot_si128(is_later, _mm_set1_epi16(i16::MAX));
            let left = _mm_or_si128(_mm_and_si128(is_later, all), latest);
            _mm_storeu_si128(times.as_mut_ptr().cast(), left);
            !_mm_movemask_epi8(_mm_packs_epi16(is_later, is_later)) as u8
        }
    }
}

/// Loads eight times from position `at`.
#[inline(always)]
pub(super) fn load(times: &[i16], at: usize) -> __m128i {
    let eight: &[i16; 8] = times[at..at + 8].try_into().expect("the slice has eight times");
    // SAFETY: `eight` is 16 readable bytes, and the load needs no alignment; SSE2 is part of x86-64.
    unsafe { _mm_loadu_si128(eight.as_ptr().cast()) }
}

/// Applies an operation to two pairs of halves.
#[inline(always)]
fn by_halves(a: [__m128i; 2], b: [__m128i; 2], of: impl Fn(__m128i, __m128i) -> __m128i) -> [__m128i; 2] {
    [of(a[0], b[0]), of(a[1], b[1])]
}

/// The set of bytes whose highest bit is set.
#[inline(always)]
fn tops([low, high]: [__m128i; 2]) -> u32 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { _mm_movemask_epi8(low) as u32 | (_mm_movemask_epi8(high) as u32) << 16 }
}

/// The minimum of eight lanes: halves are folded onto each other.
#[inline(always)]
fn min_lane(lanes: __m128i) -> i16 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let mut min = _mm_min_epi16(lanes, _mm_shuffle_epi32::<0b01_00_11_10>(lanes));
        min = _mm_min_epi16(min, _mm_shuffle_epi32::<0b10_11_00_01>(min));
        min = _mm_min_epi16(min, _mm_shufflelo_epi16::<0b10_11_00_01>(min));
        _mm_cvtsi128_si32(min) as i16
    }
}

#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "SAFETY: SSE2 is part of x86-64, and each half is 16 bytes of an array of 32"
)]
impl Vectors for Sse2 {
    type Bytes = [__m128i; 2];

    #[inline(always)]
    fn load(bytes: &[u8; 32]) -> [__m128i; 2] {
        unsafe { [_mm_loadu_si128(bytes.as_ptr().cast()), _mm_loadu_si128(bytes.as_ptr().add(16).cast())] }
    }
    #[inline(always)]
    fn store([low, high]: [__m128i; 2], into: &mut [u8; 32]) {
        unsafe {
            _mm_storeu_si128(into.as_mut_ptr().cast(), low);
            _mm_storeu_si128(into.as_mut_ptr().add(16).cast(), high);
        }
    }
    #[inline(always)]
    fn all(byte: u8) -> [__m128i; 2] {
        unsafe { [_mm_set1_epi8(byte as i8); 2] }
    }
    #[inline(always)]
    fn all_in(set: u32, byte: u8) -> [__m128i; 2] {
        // Each byte of the set is repeated eight times, and each copy tests its own bit.
        unsafe {
            let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let half = |set: u16| {
                let pairs = _mm_cvtsi32_si128(set.into());
                let pairs = _mm_unpacklo_epi8(pairs, pairs);
                let eights = _mm_shuffle_epi32::<0b01_01_00_00>(_mm_shufflelo_epi16::<0b01_01_00_00>(pairs));
                let is_in = _mm_cmpeq_epi8(_mm_and_si128(eights, bits), bits);
                _mm_and_si128(is_in, _mm_set1_epi8(byte as i8))
            };
            [half(set as u16), half((set >> 16) as u16)]
        }
    }
    #[inline(always)]
    fn add(a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 2] {
        by_halves(a, b, |a, b| unsafe { _mm_add_epi8(a, b) })
    }
    #[inline(always)]
    fn sub(a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 2] {
        by_halves(a, b, |a, b| unsafe { _mm_sub_epi8(a, b) })
    }
    #[inline(always)]
    fn and(a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 2] {
        by_halves(a, b, |a, b| unsafe { _mm_and_si128(a, b) })
    }
    #[inline(always)]
    fn or(a: [__m128i; 2], b: [__m128i; 2]) -> [__m128i; 2] {
        by_halves(a, b, |a, b| unsafe { _mm_or_si128(a, b) })
    }
    #[inline(always)]
    fn equal(a: [__m128i; 2], b: [__m128i; 2]) -> u32 {
        tops(by_halves(a, b, |a, b| unsafe { _mm_cmpeq_epi8(a, b) }))
    }
    #[inline(always)]
    fn at_least(a: [__m128i; 2], b: [__m128i; 2]) -> u32 {
        tops(by_halves(a, b, |a, b| unsafe { _mm_cmpeq_epi8(_mm_max_epu8(a, b), a) }))
    }
    #[inline(always)]
    fn with_bit(bytes: [__m128i; 2], bit: usize) -> u32 {
        // The bit is shifted to the top of its byte, and the top bits are gathered.
        tops(bytes.map(|half| unsafe { _mm_sll_epi16(half, _mm_cvtsi32_si128(7 - bit as i32)) }))
    }
    #[inline(always)]
    fn lowest_is(bytes: [__m128i; 2], bit: usize) -> u32 {
        unsafe {
            let negative = by_halves([_mm_setzero_si128(); 2], bytes, |a, b| _mm_sub_epi8(a, b));
            let lowest = by_halves(bytes, negative, |a, b| _mm_and_si128(a, b));
            Self::equal(lowest, Self::all(1 << bit))
        }
    }
    #[inline(always)]
    fn any([low, high]: [__m128i; 2]) -> u8 {
        unsafe {
            let all = _mm_or_si128(low, high);
            let all = _mm_cvtsi128_si64(_mm_or_si128(all, _mm_unpackhi_epi64(all, all))) as u64;
            let all = all | all >> 32;
            let all = all | all >> 16;
            (all | all >> 8) as u8
        }
    }

    #[inline(always)]
    fn due(times: &[i16], now: i16) -> u64 {
        // Two comparisons are packed to bytes, whose top bits are gathered.
        let (mut later, mut at) = (0, 0);
        let now = unsafe { _mm_set1_epi16(now) };
        while at + 16 <= times.len() {
            let bits = unsafe {
                let low = _mm_cmpgt_epi16(load(times, at), now);
                let high = _mm_cmpgt_epi16(load(times, at + 8), now);
                _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u16
            };
            later |= u64::from(bits) << at;
            at += 16;
        }
        if at < times.len() {
            let bits = unsafe {
                let low = _mm_cmpgt_epi16(load(times, at), now);
                _mm_movemask_epi8(_mm_packs_epi16(low, low)) as u8
            };
            later |= u64::from(bits) << at;
        }
        !later & (u64::MAX >> (64 - times.len()))
    }
    #[inline(always)]
    fn are_now(times: &[i16; 8], now: i16) -> u8 {
        unsafe {
            let equal = _mm_cmpeq_epi16(load(times, 0), _mm_set1_epi16(now));
            _mm_movemask_epi8(_mm_packs_epi16(equal, equal)) as u8
        }
    }
    #[inline(always)]
    fn next_of_eight(times: &[i16; 8], now: i16) -> i16 {
        // Times that are not later than `now` become the latest time.
        unsafe {
            let times = load(times, 0);
            let is_past = _mm_cmpgt_epi16(_mm_set1_epi16(now.saturating_add(1)), times);
            let min = _mm_or_si128(
                _mm_andnot_si128(is_past, times),
                _mm_and_si128(is_past, _mm_set1_epi16(i16::MAX)),
            );
            min_lane(min)
        }
    }
    #[inline(always)]
    fn earliest(times: &[i16], set: u64) -> i16 {
        // A lane counts if its bit is in the set; the others become the latest time.
        unsafe {
            let bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
            let never = _mm_set1_epi16(i16::MAX);
            let mut min = never;
            for at in (0..times.len()).step_by(8) {
                let mine = _mm_set1_epi16((set >> at) as u8 as i16);
                let is_in = _mm_cmpeq_epi16(_mm_and_si128(mine, bits), bits);
                let counted =
                    _mm_or_si128(_mm_and_si128(is_in, load(times, at)), _mm_andnot_si128(is_in, never));
                min = _mm_min_epi16(min, counted);
            }
            min_lane(min)
        }
    }
}
