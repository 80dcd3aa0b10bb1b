//! Counter-based random numbers: each is a function of (seed, number, purpose), without the state of a stream.

/// Odd constants with about half of their bits set (the golden ratio's, and those of Stafford's mixer 13).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const FIRST_FACTOR: u64 = 0xbf58_476d_1ce4_e5b9;
const SECOND_FACTOR: u64 = 0x94d0_49bb_1331_11eb;

/// A number of 53 bits, at least 0 and less than 1.
pub(crate) fn uniform(seed: u64, number: u64, purpose: u64) -> f64 {
    let bits = mix(mix(seed.wrapping_add(STEP)) ^ mix(number.wrapping_mul(STEP) ^ purpose.rotate_right(8)));
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// SplitMix64's finisher.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(FIRST_FACTOR);
    bits = (bits ^ (bits >> 27)).wrapping_mul(SECOND_FACTOR);
    bits ^ (bits >> 31)
}
