//! Compares of many 16-bit event times at once: with SSE2, which every x86-64 has; elsewhere one by one.

/// The least of the times, whose number is a multiple of eight.
#[inline(always)]
pub fn minimum(times: &[i16]) -> i16 {
    debug_assert!(times.len().is_multiple_of(8));
    #[cfg(target_arch = "x86_64")]
    {
        x86::minimum(times)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        times.iter().copied().min().unwrap_or(i16::MAX)
    }
}

/// A bit for each of up to 64 times that equals `time`.
#[inline(always)]
pub fn equal(times: &[i16], time: i16) -> u64 {
    debug_assert!(times.len().is_multiple_of(8) && times.len() <= 64);
    #[cfg(target_arch = "x86_64")]
    {
        x86::equal(times, time)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        times.iter().enumerate().fold(0, |set, (slot, &at)| set | u64::from(at == time) << slot)
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

    #[inline(always)]
    pub fn minimum(times: &[i16]) -> i16 {
        let mut least = load(times, 0);
        for at in (8..times.len()).step_by(8) {
            // SAFETY: SSE2 is part of x86-64.
            least = unsafe { _mm_min_epi16(least, load(times, at)) };
        }
        // SAFETY: as above. Halves are folded onto each other until one lane holds the least of all.
        unsafe {
            least = _mm_min_epi16(least, _mm_shuffle_epi32::<0b01_00_11_10>(least));
            least = _mm_min_epi16(least, _mm_shuffle_epi32::<0b10_11_00_01>(least));
            least = _mm_min_epi16(least, _mm_shufflelo_epi16::<0b10_11_00_01>(least));
            _mm_cvtsi128_si32(least) as i16
        }
    }

    #[inline(always)]
    pub fn equal(times: &[i16], time: i16) -> u64 {
        let mut set = 0;
        let mut at = 0;
        // SAFETY (all below): SSE2 is part of x86-64. Two compares are packed to bytes, whose top bits are gathered.
        let wanted = unsafe { _mm_set1_epi16(time) };
        while at + 16 <= times.len() {
            let bits = unsafe {
                let low = _mm_cmpeq_epi16(load(times, at), wanted);
                let high = _mm_cmpeq_epi16(load(times, at + 8), wanted);
                _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u16
            };
            set |= u64::from(bits) << at;
            at += 16;
        }
        if at < times.len() {
            let bits = unsafe {
                let low = _mm_cmpeq_epi16(load(times, at), wanted);
                _mm_movemask_epi8(_mm_packs_epi16(low, _mm_setzero_si128())) as u16
            };
            set |= u64::from(bits) << at;
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vectors_agree_with_plain_code(times in prop::collection::vec(-3i16..50, 8..=64), time in -3i16..50) {
            let times = &times[..times.len() / 8 * 8];
            prop_assert_eq!(minimum(times), *times.iter().min().unwrap());
            let expected = times.iter().enumerate().fold(0u64, |set, (slot, &at)| set | u64::from(at == time) << slot);
            prop_assert_eq!(equal(times, time), expected);
        }
    }
}
