//! The rate of a link.

use std::cmp::Ordering;

/// The time of a byte on a link, as a fraction of cycles. A packet occupies a link for whole cycles: its time is
/// rounded up, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyclesPerByte {
    cycles: u32,
    bytes: u32,
}

impl CyclesPerByte {
    /// One cycle for each byte.
    pub const ONE: Self = CyclesPerByte { cycles: 1, bytes: 1 };

    /// The greatest numerator and denominator.
    const MAX: u32 = 1_000_000_000;

    /// `cycles` cycles for `bytes` bytes. None unless the rate is from 1/1000 to 1000, and in lowest terms both numbers
    /// are at most a billion.
    pub fn new(cycles: u32, bytes: u32) -> Option<Self> {
        let divisor = greatest_divisor(cycles, bytes).max(1);
        let (cycles, bytes) = (cycles / divisor, bytes / divisor);
        let is_short = (1..=Self::MAX).contains(&cycles) && (1..=Self::MAX).contains(&bytes);
        let is_within = |one: u32, other: u32| u64::from(one) <= 1000 * u64::from(other);
        let is_sensible = is_short && is_within(cycles, bytes) && is_within(bytes, cycles);
        is_sensible.then_some(CyclesPerByte { cycles, bytes })
    }

    /// A whole number of cycles for each byte, from 1 to 1000.
    ///
    /// # Panics
    /// If the number is not in this range.
    pub fn whole(cycles: u32) -> Self {
        Self::new(cycles, 1).expect("a byte takes from 1 to 1000 cycles")
    }

    /// The cycles of `bytes` bytes of one packet.
    pub fn cycles_of(self, bytes: u32) -> u32 {
        u32::try_from(self.cycles_of_all(bytes.into())).unwrap_or(u32::MAX)
    }

    /// The cycles of `bytes` bytes of many packets.
    pub fn cycles_of_all(self, bytes: u64) -> u64 {
        let cycles = u128::from(bytes) * u128::from(self.cycles);
        u64::try_from(cycles.div_ceil(self.bytes.into())).unwrap_or(u64::MAX)
    }
}

impl From<CyclesPerByte> for f64 {
    fn from(rate: CyclesPerByte) -> f64 {
        f64::from(rate.cycles) / f64::from(rate.bytes)
    }
}

impl Ord for CyclesPerByte {
    fn cmp(&self, other: &Self) -> Ordering {
        let across = |one: &Self, other: &Self| u64::from(one.cycles) * u64::from(other.bytes);
        across(self, other).cmp(&across(other, self))
    }
}

impl PartialOrd for CyclesPerByte {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn greatest_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_packets_are_rounded_up_once() {
        let of = |cycles, bytes| CyclesPerByte::new(cycles, bytes).unwrap();
        assert_eq!(of(1, 4).cycles_of(270), 68);
        assert_eq!(of(4, 3).cycles_of(270), 360);
        assert_eq!(of(3, 1).cycles_of_all(1 << 40), 3 << 40);
        assert_eq!(of(6, 4), of(3, 2));
        assert!(of(4, 3) < of(3, 2) && of(1, 16) < CyclesPerByte::ONE);
        assert_eq!([of(1, 16), of(1000, 1)].into_iter().min(), Some(of(1, 16)));
    }

    #[test]
    fn rates_that_no_link_has_are_refused() {
        for (cycles, bytes) in [(0, 1), (1, 0), (0, 0), (1, 1001), (1001, 1), (1_000_000_001, 1_000_000_000)]
        {
            assert_eq!(CyclesPerByte::new(cycles, bytes), None, "{cycles}/{bytes}");
        }
        assert_eq!(CyclesPerByte::new(1 << 21, 1 << 21), Some(CyclesPerByte::ONE));
        for cycles in [1_333_333, 999_999_999] {
            assert!(CyclesPerByte::new(cycles, 1_000_000).is_some());
        }
        assert_eq!(CyclesPerByte::new(1_000_000_000, 999_999), None);
        assert_eq!(CyclesPerByte::new(999_999, 1_000_000_000), None);
        assert_eq!(CyclesPerByte::new(u32::MAX, 1), None);
    }
}
