//! Time windows and their numbers: window 0 consists of cycles `0..cycles`.

use network::fabric::Fabric;

/// Longest window, in cycles. A multiplication then gives the window of any cycle up to 2^53, which is about five
/// months.
const LONGEST: u32 = 1 << 10;

/// The division of time into windows of equal length.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    cycles: u64,
    /// 2^63 / `cycles`, rounded up.
    reciprocal: u64,
}

impl Windows {
    /// The windows within which the nodes of a machine are independent.
    pub fn of(fabric: &Fabric) -> Self {
        Self::lasting(fabric.window_cycles().min(LONGEST))
    }

    fn lasting(cycles: u32) -> Self {
        let cycles = u64::from(cycles);
        Windows { cycles, reciprocal: (1u64 << 63).div_ceil(cycles) }
    }

    /// The window that contains a cycle. A division would take as long as five multiplications.
    #[inline(always)]
    pub fn number(self, cycle: u64) -> u64 {
        ((u128::from(cycle) * u128::from(self.reciprocal)) >> 63) as u64
    }

    /// The first cycle of a window.
    #[inline(always)]
    pub fn start(self, number: u64) -> u64 {
        number * self.cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn windows_follow_one_another(cycles in 1..=LONGEST, cycle in 0u64..1 << 53) {
            let windows = Windows::lasting(cycles);
            let number = windows.number(cycle);
            prop_assert_eq!(number, cycle / u64::from(cycles));
            let start = windows.start(number);
            prop_assert_eq!(windows.number(start), number);
            prop_assert!(start == 0 || windows.number(start - 1) == number - 1);
        }
    }
}
