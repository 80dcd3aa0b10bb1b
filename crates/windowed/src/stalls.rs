//! Stalls of each link, in which only credits were missing. Their number is stored, and their cycles in 32 bits, and 64
//! more only once a count needs them.
//!
//! The clock is subtracted when a link's stall begins and added when it ends, both modulo 2^32. The result is correct
//! while no count has reached 2^32 cycles, so each link's count is [carried](Stalls::carry) at least every
//! [`CARRY_CYCLES`].

use base::memory::filled;

/// Longest interval between two carries of a count, in cycles.
const CARRY_CYCLES: u64 = 1 << 31;

const _: () = assert!(super::offered::RENEWAL_CYCLES <= CARRY_CYCLES, "a count is carried at each renewal");

/// The stalls of a link.
#[derive(Clone, Copy, Default)]
struct Stall {
    /// Low bits of the cycles.
    low: u32,
    events: u32,
}

/// Stalls of the links of a subdomain, indexed by node and port.
#[derive(Default)]
pub struct Stalls {
    links: Vec<Stall>,
    /// Multiples of [`CARRY_CYCLES`]; empty while all are 0.
    high: Vec<u64>,
}

impl Stalls {
    /// Zero counts of `links` links.
    pub fn new(links: usize) -> Self {
        Stalls { links: filled(links, Stall::default()), high: Vec::new() }
    }

    /// A link's stall begins at `now`.
    #[inline(always)]
    pub fn begin(&mut self, link: usize, now: u64) {
        let Stall { low, events } = &mut self.links[link];
        *low = low.wrapping_sub(now as u32);
        *events += 1;
    }

    /// A link's stall ends at `now`.
    #[inline(always)]
    pub fn end(&mut self, link: usize, now: u64) {
        let low = &mut self.links[link].low;
        *low = low.wrapping_add(now as u32);
    }

    /// The stall cycles of a link before `now`; `is_stalled` states whether it is stalled at `now`.
    pub fn at(&self, link: usize, is_stalled: bool, now: u64) -> u64 {
        let clock = if is_stalled { now as u32 } else { 0 };
        self.high.get(link).copied().unwrap_or(0) + u64::from(self.links[link].low.wrapping_add(clock))
    }

    /// The stalls of a link that have begun.
    pub fn events(&self, link: usize) -> u32 {
        self.links[link].events
    }

    /// Sets the number of a link's stalls.
    pub fn set_events(&mut self, link: usize, events: u32) {
        self.links[link].events = events;
    }

    /// Sets the stall cycles of a link before `now`.
    pub fn set(&mut self, link: usize, is_stalled: bool, now: u64, cycles: u64) {
        let low = cycles % CARRY_CYCLES;
        if low != cycles && self.high.is_empty() {
            self.high = filled(self.links.len(), 0);
        }
        if let Some(high) = self.high.get_mut(link) {
            *high = cycles - low;
        }
        let clock = if is_stalled { now as u32 } else { 0 };
        self.links[link].low = (low as u32).wrapping_sub(clock);
    }

    /// Carries a link's count, which is then correct for another [`CARRY_CYCLES`].
    pub fn carry(&mut self, link: usize, is_stalled: bool, now: u64) {
        self.set(link, is_stalled, now, self.at(link, is_stalled, now));
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.links[..]) + size_of_val(&self.high[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_match_64_bits(start in 0u64..1 << 40, spans in prop::collection::vec(0..=CARRY_CYCLES, 1..20)) {
            let (mut stalls, mut now, mut expected, mut events) = (Stalls::new(2), start, 0, 0);
            for (number, span) in spans.into_iter().enumerate() {
                let is_stalled = number % 3 != 2;
                match number % 3 {
                    0 => {
                        stalls.begin(1, now);
                        events += 1;
                    }
                    2 => stalls.end(1, now),
                    _ => stalls.carry(1, true, now),
                }
                now += span;
                expected += if is_stalled { span } else { 0 };
                prop_assert_eq!(stalls.at(1, is_stalled, now), expected);
                stalls.carry(1, is_stalled, now);
                prop_assert_eq!([stalls.at(0, false, now), stalls.at(1, is_stalled, now)], [0, expected]);
                prop_assert_eq!([stalls.events(0), stalls.events(1)], [0, events]);
            }
        }
    }
}
