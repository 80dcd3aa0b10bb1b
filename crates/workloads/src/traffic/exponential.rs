//! Exponential gaps between Poisson arrivals, in integer arithmetic, so that they do not depend on a platform's `ln`.

/// Fraction bits of the binary logarithm.
const LOGARITHM_BITS: u32 = 20;
/// Fraction bits of the mean gap.
const MEAN_BITS: u32 = 20;

/// The longest mean gap in cycles that leaves bits for its fraction: over an hour at 175 MB/s.
pub(crate) const MAX_MEAN_GAP_CYCLES: f64 = (1u64 << 40) as f64;

/// An exponential distribution of gaps in whole cycles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExponentialGap {
    /// Mean x ln 2; the factor converts binary logarithms to natural ones.
    scaled_mean: u64,
}

impl ExponentialGap {
    /// Gaps with this mean, from 0 to [`MAX_MEAN_GAP_CYCLES`].
    pub(crate) fn new(mean_cycles: f64) -> Self {
        debug_assert!((0.0..=MAX_MEAN_GAP_CYCLES).contains(&mean_cycles));
        let scale = std::f64::consts::LN_2 * (1u64 << MEAN_BITS) as f64;
        ExponentialGap { scaled_mean: (mean_cycles * scale).round() as u64 }
    }

    /// A gap from 64 random bits, with `lanes` times the mean. It is rounded up or down at random by the low bits,
    /// which hardly affect the logarithm, so that even short gaps have the right mean.
    pub(crate) fn cycles(&self, lanes: u32, bits: u64) -> u64 {
        let exact =
            u128::from(negative_logarithm(bits | 1)) * u128::from(self.scaled_mean) * u128::from(lanes);
        let fraction_bits = LOGARITHM_BITS + MEAN_BITS;
        let rounding = u128::from(bits & u64::from(u32::MAX)) << (fraction_bits - 32);
        ((exact + rounding) >> fraction_bits) as u64
    }
}

/// `-log2(bits / 2^64)` with [`LOGARITHM_BITS`] fraction bits; each squaring of the mantissa yields one bit.
fn negative_logarithm(bits: u64) -> u64 {
    let zeros = bits.leading_zeros();
    let mut mantissa = bits << zeros;
    let mut logarithm = 0;
    for _ in 0..LOGARITHM_BITS {
        let square = u128::from(mantissa) * u128::from(mantissa);
        let bit = (square >> 127) as u32;
        mantissa = (square >> (63 + bit)) as u64;
        logarithm = logarithm << 1 | u64::from(bit);
    }
    (u64::from(zeros + 1) << LOGARITHM_BITS) - logarithm
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::draws::mix;

    #[test]
    fn logarithms_match_the_library() {
        for draw in (1..1000).map(mix) {
            let expected = -((draw as f64).log2() - 64.0);
            let found = negative_logarithm(draw) as f64 / f64::from(1 << LOGARITHM_BITS);
            assert!((found - expected).abs() < 2e-6, "{draw}: {found} {expected}");
        }
    }

    #[test]
    fn gaps_have_the_mean_and_shape_of_the_exponential() {
        for mean in [0.4, 3.7, 540.0, 1e9] {
            let gap = ExponentialGap::new(mean);
            let gaps: Vec<u64> = (1..=400_000u64).map(|draw| gap.cycles(1, mix(draw))).collect();
            let found = gaps.iter().map(|&cycles| cycles as f64).sum::<f64>() / gaps.len() as f64;
            assert!((found / mean - 1.0).abs() < 0.01, "{mean}: {found}");
            let beyond = gaps.iter().filter(|&&cycles| cycles as f64 > 2.0 * mean).count() as f64;
            let is_fine_enough = mean > 100.0; // rounding to whole cycles hides the shape of shorter gaps
            let expected = (-2f64).exp();
            assert!(
                !is_fine_enough || (beyond / gaps.len() as f64 - expected).abs() < 0.003,
                "{mean}: {beyond}"
            );
        }
    }
}
