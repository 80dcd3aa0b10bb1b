//! Compares of many 16-bit event times, and of bytes, at once: with SSE2, which every x86-64 has; elsewhere one by one.

#[cfg(not(target_arch = "x86_64"))]
pub use portable::*;
#[cfg(target_arch = "x86_64")]
pub use x86::*;

/// The bits that are set in any of the bytes.
#[inline(always)]
pub fn any_of(bytes: &[u8; 32]) -> u8 {
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let all = (word(0) | word(8)) | (word(16) | word(24));
    let all = all | all >> 32;
    let all = all | all >> 16;
    (all | all >> 8) as u8
}

/// What every processor can do, and what the others are held to.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable {
    /// A bit for each of up to 64 times that is no later than `now`; their number is a multiple of eight.
    pub fn at_most(times: &[i16], now: i16) -> u64 {
        times.iter().enumerate().fold(0, |set, (slot, &at)| set | u64::from(at <= now) << slot)
    }

    /// A bit for each of eight times that is no later than `now`; those become the latest there is.
    pub fn take_at_most(times: &mut [i16; 8], now: i16) -> u8 {
        let due = at_most(times, now) as u8;
        times.iter_mut().filter(|at| **at <= now).for_each(|at| *at = i16::MAX);
        due
    }

    /// The earliest of eight times that is later than `now`; the latest there is, if none is.
    pub fn next_of_eight(times: &[i16; 8], now: i16) -> i16 {
        times.iter().copied().filter(|&at| at > now).min().unwrap_or(i16::MAX)
    }

    /// The earliest of those times, a multiple of eight, that have a bit in `set`; the latest there is, if none has.
    pub fn earliest(times: &[i16], set: u64) -> i16 {
        let is_in = |(slot, _): &(usize, &i16)| set >> slot & 1 == 1;
        times.iter().enumerate().filter(is_in).map(|(_, &at)| at).min().unwrap_or(i16::MAX)
    }

    /// For each of some bits (0 to 7), a set of the bytes in which it is set.
    pub fn bits_of<const N: usize>(bytes: &[u8; 32], bits: [usize; N]) -> [u32; N] {
        let places = bytes.iter().enumerate();
        bits.map(|bit| places.clone().fold(0, |set, (place, byte)| set | u32::from(byte >> bit & 1) << place))
    }

    /// The set of the bytes whose lowest set bit is `bit`.
    pub fn lowest_bit_is(bytes: &[u8; 32], bit: usize) -> u32 {
        let is_lowest = |byte: u8| byte & byte.wrapping_neg() == 1 << bit;
        bytes.iter().enumerate().fold(0, |set, (place, &byte)| set | u32::from(is_lowest(byte)) << place)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    /// Eight times from position `at`.
    #[inline(always)]
    fn load(times: &[i16], at: usize) -> __m128i {
        let eight: &[i16; 8] = times[at..at + 8].try_into().expect("the slice has eight times");
        // SAFETY: `eight` is 16 readable bytes, and an unaligned load is asked for; SSE2 is part of x86-64.
        unsafe { _mm_loadu_si128(eight.as_ptr().cast()) }
    }

    /// A bit for each of eight times that is no later than `now`; those become the latest there is.
    #[inline(always)]
    pub fn take_at_most(times: &mut [i16; 8], now: i16) -> u8 {
        // SAFETY: SSE2 is part of x86-64; eight times are 16 bytes. What is not later becomes the latest.
        unsafe {
            let all = load(times, 0);
            let is_later = _mm_cmpgt_epi16(all, _mm_set1_epi16(now));
            let latest = _mm_andnot_si128(is_later, _mm_set1_epi16(i16::MAX));
            let left = _mm_or_si128(_mm_and_si128(is_later, all), latest);
            _mm_storeu_si128(times.as_mut_ptr().cast(), left);
            !_mm_movemask_epi8(_mm_packs_epi16(is_later, is_later)) as u8
        }
    }

    /// The earliest of eight times that is later than `now`; the latest there is, if none is.
    #[inline(always)]
    pub fn next_of_eight(times: &[i16; 8], now: i16) -> i16 {
        // SAFETY: SSE2 is part of x86-64. What is not later becomes the latest.
        unsafe {
            let times = load(times, 0);
            let is_past = _mm_cmpgt_epi16(_mm_set1_epi16(now.saturating_add(1)), times);
            let least = _mm_or_si128(
                _mm_andnot_si128(is_past, times),
                _mm_and_si128(is_past, _mm_set1_epi16(i16::MAX)),
            );
            least_lane(least)
        }
    }

    /// The earliest of those times, a multiple of eight, that have a bit in `set`; the latest there is, if none has.
    #[inline(always)]
    pub fn earliest(times: &[i16], set: u64) -> i16 {
        // SAFETY: SSE2 is part of x86-64. A lane of eight counts if its bit of eight is in the set.
        unsafe {
            let bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
            let never = _mm_set1_epi16(i16::MAX);
            let mut least = never;
            for at in (0..times.len()).step_by(8) {
                let mine = _mm_set1_epi16((set >> at) as u8 as i16);
                let is_in = _mm_cmpeq_epi16(_mm_and_si128(mine, bits), bits);
                let counted =
                    _mm_or_si128(_mm_and_si128(is_in, load(times, at)), _mm_andnot_si128(is_in, never));
                least = _mm_min_epi16(least, counted);
            }
            least_lane(least)
        }
    }

    /// For each of some bits (0 to 7), a set of the bytes in which it is set.
    #[inline(always)]
    pub fn bits_of<const N: usize>(bytes: &[u8; 32], bits: [usize; N]) -> [u32; N] {
        // SAFETY: SSE2 is part of x86-64. The bit is moved to the top of its byte, and the tops are gathered.
        unsafe {
            let [low, high] = halves(bytes);
            bits.map(|bit| {
                let up = _mm_cvtsi32_si128(7 - bit as i32);
                let top_bits = |bytes| _mm_movemask_epi8(_mm_sll_epi16(bytes, up)) as u32;
                top_bits(low) | top_bits(high) << 16
            })
        }
    }

    /// The set of the bytes whose lowest set bit is `bit`.
    #[inline(always)]
    pub fn lowest_bit_is(bytes: &[u8; 32], bit: usize) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let only = _mm_set1_epi8((1u8 << bit) as i8);
            let is_lowest = |bytes| {
                let lowest = _mm_and_si128(bytes, _mm_sub_epi8(_mm_setzero_si128(), bytes));
                _mm_movemask_epi8(_mm_cmpeq_epi8(lowest, only)) as u32
            };
            let [low, high] = halves(bytes);
            is_lowest(low) | is_lowest(high) << 16
        }
    }

    #[inline(always)]
    fn halves(bytes: &[u8; 32]) -> [__m128i; 2] {
        // SAFETY: SSE2 is part of x86-64, and each half is 16 readable bytes.
        unsafe { [_mm_loadu_si128(bytes.as_ptr().cast()), _mm_loadu_si128(bytes.as_ptr().add(16).cast())] }
    }

    /// The least of eight lanes: halves are folded onto each other.
    ///
    /// # Safety
    /// None is needed beyond SSE2, which is part of x86-64.
    #[inline(always)]
    unsafe fn least_lane(lanes: __m128i) -> i16 {
        // SAFETY: as above.
        unsafe {
            let mut least = _mm_min_epi16(lanes, _mm_shuffle_epi32::<0b01_00_11_10>(lanes));
            least = _mm_min_epi16(least, _mm_shuffle_epi32::<0b10_11_00_01>(least));
            least = _mm_min_epi16(least, _mm_shufflelo_epi16::<0b10_11_00_01>(least));
            _mm_cvtsi128_si32(least) as i16
        }
    }

    /// A bit for each of up to 64 times that is no later than `now`; their number is a multiple of eight.
    #[inline(always)]
    pub fn at_most(times: &[i16], now: i16) -> u64 {
        let mut later = 0;
        let mut at = 0;
        // SAFETY (all below): SSE2 is part of x86-64. Two compares are packed to bytes, whose top bits are gathered.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_agree_with_plain_code(bytes: [u8; 32], bit in 0usize..8) {
            prop_assert_eq!(any_of(&bytes), bytes.iter().fold(0, |all, byte| all | byte));
            prop_assert_eq!(bits_of(&bytes, [bit, 7 - bit]), portable::bits_of(&bytes, [bit, 7 - bit]));
            prop_assert_eq!(lowest_bit_is(&bytes, bit), portable::lowest_bit_is(&bytes, bit));
        }

        #[test]
        fn times_agree_with_plain_code(
            times in prop::collection::vec(-3i16..50, 8..=64), now in -3i16..50, set: u64,
        ) {
            let times = &times[..times.len() / 8 * 8];
            prop_assert_eq!(at_most(times, now), portable::at_most(times, now));
            prop_assert_eq!(earliest(times, set), portable::earliest(times, set));
            let eight: [i16; 8] = times[..8].try_into().unwrap();
            prop_assert_eq!(next_of_eight(&eight, now), portable::next_of_eight(&eight, now));
            let (mut left, mut expected) = (eight, eight);
            let taken = take_at_most(&mut left, now);
            prop_assert_eq!((taken, left), (portable::take_at_most(&mut expected, now), expected));
        }
    }
}
