//! Sums that are the same in any order: of integers, each a multiple of a small part of one.
//!
//! Which correction applies, which routes are taken and which streams end together is decided by comparing sums. If these
//! were rounded, the order in which flows are listed, or their place on the torus, would decide for them.

use std::ops::{AddAssign, Mul};

/// Parts of one in an amount; a power of two, so that halves and quarters are exact.
const PARTS: f64 = (1u64 << 48) as f64;

/// A sum of amounts, each rounded down to a multiple of 2^-48.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Amount(u128);

impl Amount {
    /// An amount that is not negative.
    pub fn of(value: f64) -> Self {
        Amount((value * PARTS) as u128)
    }

    pub fn value(self) -> f64 {
        self.0 as f64 / PARTS
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// A multiple of an amount.
impl Mul<u128> for Amount {
    type Output = Amount;

    fn mul(self, times: u128) -> Self {
        Amount(self.0 * times)
    }
}
