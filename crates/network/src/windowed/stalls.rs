//! Cycles in which each link lacked nothing but tokens: 32 bits a link, and more only once one of them has counted so many.
//!
//! The clock is taken off when a link's stall begins, and added when it ends, both by their low bits: which is right as long
//! as nothing has counted 2^32 cycles. So a link's count is [carried](Stalls::carry) at least every [`CARRY_CYCLES`].

use super::memory::filled;

/// See the head of this module.
pub const CARRY_CYCLES: u64 = 1 << 31;

/// See the head of this module. Links are numbered by node of the slab and port.
#[derive(Default)]
pub struct Stalls {
    low: Vec<u32>,
    /// Multiples of [`CARRY_CYCLES`]; empty while all are 0.
    high: Vec<u64>,
}

impl Stalls {
    /// None of so many links.
    pub fn new(links: usize) -> Self {
        Stalls { low: filled(links, 0), high: Vec::new() }
    }

    /// A link begins to stall.
    #[inline(always)]
    pub fn begin(&mut self, link: usize, now: u64) {
        self.low[link] = self.low[link].wrapping_sub(now as u32);
    }

    /// A link ends to stall.
    #[inline(always)]
    pub fn end(&mut self, link: usize, now: u64) {
        self.low[link] = self.low[link].wrapping_add(now as u32);
    }

    /// The cycles of a link until `now`, up to which it has or has not been stalled of late.
    pub fn at(&self, link: usize, is_stalled: bool, now: u64) -> u64 {
        let clock = if is_stalled { now as u32 } else { 0 };
        self.high.get(link).copied().unwrap_or(0) + u64::from(self.low[link].wrapping_add(clock))
    }

    /// Sets the cycles of a link until `now`.
    pub fn set(&mut self, link: usize, is_stalled: bool, now: u64, cycles: u64) {
        let low = cycles % CARRY_CYCLES;
        if low != cycles && self.high.is_empty() {
            self.high = filled(self.low.len(), 0);
        }
        if let Some(high) = self.high.get_mut(link) {
            *high = cycles - low;
        }
        let clock = if is_stalled { now as u32 } else { 0 };
        self.low[link] = (low as u32).wrapping_sub(clock);
    }

    /// Carries a link's count, so that it may go on for [`CARRY_CYCLES`].
    pub fn carry(&mut self, link: usize, is_stalled: bool, now: u64) {
        self.set(link, is_stalled, now, self.at(link, is_stalled, now));
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.low[..]) + size_of_val(&self.high[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_are_those_of_64_bits(start in 0u64..1 << 40, spans in prop::collection::vec(0..=CARRY_CYCLES, 1..20)) {
            let (mut stalls, mut now, mut expected) = (Stalls::new(2), start, 0);
            for (number, span) in spans.into_iter().enumerate() {
                let is_stalled = number % 3 != 2;
                match number % 3 {
                    0 => stalls.begin(1, now),
                    2 => stalls.end(1, now),
                    _ => stalls.carry(1, true, now),
                }
                now += span;
                expected += if is_stalled { span } else { 0 };
                prop_assert_eq!(stalls.at(1, is_stalled, now), expected);
                stalls.carry(1, is_stalled, now);
                prop_assert_eq!([stalls.at(0, false, now), stalls.at(1, is_stalled, now)], [0, expected]);
            }
        }
    }
}
