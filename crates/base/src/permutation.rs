//! A keyed permutation of `0..count` with random access: the order in which a node or a rank visits its
//! targets.
//!
//! A Feistel network permutes `0..2^n`, where `2^n` is the smallest power of two not below `count`. A value of `count`
//! or more is permuted again until it is in range (cycle walking, Black and Rogaway 2002), on average less than once.
//! So a machine of a quarter of a billion nodes needs no table of orders. A rotation by a random offset makes each
//! value equally likely at each position; a Feistel network of a few bits alone would not.

use crate::draws::mix;

/// Enough rounds that all orders of short lists, whose halves have one or two bits, are about equally frequent.
const ROUNDS: u64 = 8;

/// One permutation of `0..count`.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    count: u64,
    key: u64,
    offset: u64,
    low_bits: u32,
    high_bits: u32,
}

impl Permutation {
    /// The permutation of `0..count` (at least 1, at most 2^63) that belongs to `key`.
    pub fn new(count: u64, key: u64) -> Self {
        let bits = u64::BITS - (count - 1).leading_zeros();
        let offset = ((u128::from(mix(!key)) * u128::from(count)) >> u64::BITS) as u64;
        Permutation { count, key, offset, low_bits: bits / 2, high_bits: bits - bits / 2 }
    }

    /// The image of `index`, which must be below `count`.
    #[inline]
    pub fn at(&self, index: u64) -> u64 {
        debug_assert!(index < self.count);
        let mut value = self.shuffle(index);
        while value >= self.count {
            value = self.shuffle(value);
        }
        let rotated = value + self.offset;
        if rotated < self.count { rotated } else { rotated - self.count }
    }

    /// A bijection of `0..2^n`. The halves may differ in width, because each round changes only one of them.
    #[inline]
    fn shuffle(&self, value: u64) -> u64 {
        let (low_mask, high_mask) = ((1 << self.low_bits) - 1, (1 << self.high_bits) - 1);
        let (mut low, mut high) = (value & low_mask, value >> self.low_bits);
        for round in 0..ROUNDS / 2 {
            high ^= mix(self.key.wrapping_add(low << 3 | round << 1)) >> 32 & high_mask;
            low ^= mix(self.key.wrapping_add(high << 3 | round << 1 | 1)) >> 32 & low_mask;
        }
        high << self.low_bits | low
    }
}

/// A permutation of few values that is held in eight bytes, where it is looked up sooner than computed.
#[derive(Clone, Copy, Debug)]
pub struct ShortPermutation(u64);

/// Bits of a value.
const BITS: u64 = 4;

impl ShortPermutation {
    /// The most values.
    pub const MAX: u64 = u64::BITS as u64 / BITS;

    /// The short form of a permutation.
    ///
    /// # Panics
    /// If it has too many values.
    pub fn of(permutation: &Permutation) -> Self {
        assert!(permutation.count <= Self::MAX, "a short permutation has few values");
        let values = (0..permutation.count).map(|index| permutation.at(index) << (BITS * index));
        ShortPermutation(values.fold(0, |all, value| all | value))
    }

    /// The image of `index`, which must be below the count.
    #[inline]
    pub fn at(self, index: u64) -> u64 {
        self.0 >> (BITS * index) & ((1 << BITS) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_value_occurs_once(count in 1u64..3000, key in any::<u64>()) {
            let permutation = Permutation::new(count, key);
            let mut values: Vec<u64> = (0..count).map(|index| permutation.at(index)).collect();
            values.sort_unstable();
            prop_assert!(values.into_iter().eq(0..count));
        }

        #[test]
        fn short_permutations_are_the_same(count in 1..=ShortPermutation::MAX, key in any::<u64>()) {
            let permutation = Permutation::new(count, key);
            let short = ShortPermutation::of(&permutation);
            prop_assert!((0..count).all(|index| short.at(index) == permutation.at(index)));
        }

        #[test]
        fn values_of_large_counts_are_in_range(count in 1u64..1 << 40, key in any::<u64>(), index in any::<u64>()) {
            prop_assert!(Permutation::new(count, key).at(index % count) < count);
        }
    }

    /// Over many keys, each ordered pair of values is equally likely at each pair of adjacent positions.
    #[test]
    fn orders_are_uniform() {
        for count in [2u64, 3, 5, 6, 7, 12] {
            let keys = 20_000 * count;
            let mut pairs = vec![0u32; (count * count) as usize];
            for key in 0..keys {
                let permutation = Permutation::new(count, mix(key + 1));
                let place = key % (count - 1);
                pairs[(permutation.at(place) * count + permutation.at(place + 1)) as usize] += 1;
            }
            let expected = keys as f64 / (count * (count - 1)) as f64;
            for (pair, &found) in pairs.iter().enumerate().filter(|(_, found)| **found > 0) {
                assert!(
                    (f64::from(found) / expected - 1.0).abs() < 0.12,
                    "{count}, {pair}: {found} {expected}"
                );
            }
            let different = pairs.iter().filter(|&&found| found > 0).count() as u64;
            assert_eq!(different, count * (count - 1));
        }
    }
}
