//! The times at which packets were offered, in 32 bits each: the low bits of the cycle if it is near, otherwise the
//! place of the cycle in a table.
//!
//! ```text
//!   | 0 | cycle, low 31 bits |   within 2^30 cycles of now
//!   | 1 | place in the table |   any other
//! ```
//!
//! A cycle that is near does not stay so. Every [`RENEWAL_CYCLES`], cycles that have become that old move to the table
//! ([`Subdomain::renew_offered`](super::subdomain::Subdomain::renew_offered)), before their low bits are ambiguous. Few
//! packets ever wait so long.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard};

/// The longest interval between two renewals, in cycles. A packet that waits for longer has its cycle in the table
/// after the next renewal.
pub const RENEWAL_CYCLES: u64 = 1 << 29;

/// The greatest distance of a near cycle, either way.
const NEAR: u64 = 2 * RENEWAL_CYCLES;

/// The bit that marks a place in the table.
const FAR: u32 = 1 << 31;

/// The value of a free place in the table.
const NOTHING: u64 = u64::MAX;

/// The cycle from which the age of a packet counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered(u32);

impl Offered {
    /// The low bits of a near cycle.
    #[inline(always)]
    fn near(cycle: u64) -> Self {
        Offered(cycle as u32 & !FAR)
    }

    /// Whether the cycle is in the table.
    #[inline(always)]
    pub fn is_far(self) -> bool {
        self.0 & FAR != 0
    }

    /// The place in the table, if the cycle has one.
    #[inline(always)]
    fn place(self) -> Option<usize> {
        self.is_far().then_some((self.0 & !FAR) as usize)
    }

    /// The same cycle, if it is near; otherwise its place is in a table that follows one with `start` places. None if
    /// there is no such place.
    pub fn moved(self, start: u32) -> Option<Self> {
        if !self.is_far() {
            return Some(self);
        }
        let place = (self.0 & !FAR).checked_add(start).filter(|place| place & FAR == 0)?;
        Some(Offered(FAR | place))
    }

    /// All bits, to be stored.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The cycle with these stored bits.
    #[inline(always)]
    pub fn from_bits(bits: u32) -> Self {
        Offered(bits)
    }
}

/// The cycles that are not near, shared by all subdomains: packets pass from one to another.
#[derive(Clone, Debug, Default)]
pub struct FarOffers(Arc<Mutex<Table>>);

#[derive(Debug, Default)]
struct Table {
    cycles: Vec<u64>,
    free: Vec<usize>,
}

impl FarOffers {
    /// The form in which a cycle is stored at `now`.
    #[inline(always)]
    pub fn store(&self, cycle: u64, now: u64) -> Offered {
        // Half of the range is used, so that a renewal comes before its end.
        if cycle.wrapping_sub(now).wrapping_add(RENEWAL_CYCLES) < NEAR {
            Offered::near(cycle)
        } else {
            self.store_far(cycle)
        }
    }

    #[cold]
    #[inline(never)]
    fn store_far(&self, cycle: u64) -> Offered {
        let mut table = self.table();
        let place = table.free.pop().unwrap_or_else(|| {
            table.cycles.push(NOTHING);
            table.cycles.len() - 1
        });
        table.cycles[place] = cycle;
        let place = u32::try_from(place).ok().filter(|place| place & FAR == 0);
        Offered(FAR | place.expect("no machine has room for more packets than places"))
    }

    /// The stored cycle, as seen at `now`.
    #[inline(always)]
    pub fn cycle(&self, offered: Offered, now: u64) -> u64 {
        match offered.place() {
            None => {
                let ahead = offered.0.wrapping_sub(now as u32).wrapping_add(NEAR as u32) & !FAR;
                now.wrapping_add(ahead.into()).wrapping_sub(NEAR)
            }
            Some(place) => self.far(place),
        }
    }

    #[cold]
    #[inline(never)]
    fn far(&self, place: usize) -> u64 {
        self.table().cycles[place]
    }

    /// The stored cycle, as seen at `now`; its place in the table becomes free. It is for cycles that are not read
    /// again.
    #[inline(always)]
    pub fn take(&self, offered: Offered, now: u64) -> u64 {
        let cycle = self.cycle(offered, now);
        if let Some(place) = offered.place() {
            self.free(place);
        }
        cycle
    }

    #[cold]
    #[inline(never)]
    fn free(&self, place: usize) {
        let mut table = self.table();
        table.cycles[place] = NOTHING;
        table.free.push(place);
    }

    /// The form in which a cycle is to be stored after `now`, if it has to move to the table. It is near now, but will
    /// not stay so until the renewal after the next.
    pub fn renewed(&self, offered: Offered, now: u64) -> Option<Offered> {
        let is_old = |cycle: &u64| (RENEWAL_CYCLES..=NEAR).contains(&now.wrapping_sub(*cycle));
        let cycle = offered.place().is_none().then(|| self.cycle(offered, now)).filter(is_old);
        cycle.map(|cycle| self.store_far(cycle))
    }

    /// The table, to be saved.
    pub fn cycles(&self) -> Vec<u64> {
        self.table().cycles.clone()
    }

    /// Restores a saved table.
    pub fn restore(&self, cycles: Vec<u64>) {
        let free = (0..cycles.len()).filter(|&place| cycles[place] == NOTHING).collect();
        *self.table() = Table { cycles, free };
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().expect("no thread panics with the lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The cycles of packets are recovered, however long the packets wait. They are renewed as often as they have
        /// to be.
        #[test]
        fn cycles_are_recovered(
            start in prop_oneof![0u64..10, 0u64..1 << 44],
            steps in prop::collection::vec((0..=RENEWAL_CYCLES, -(1i64 << 34)..1 << 34, any::<bool>()), 1..60),
        ) {
            let far = FarOffers::default();
            let (mut now, mut packets) = (start, Vec::new());
            for (span, off, is_taken) in steps {
                let cycle = now.saturating_add_signed(off >> (off & 15));
                packets.push((cycle, far.store(cycle, now)));
                let renewal = now - now % RENEWAL_CYCLES + RENEWAL_CYCLES;
                let later = now + span;
                if renewal <= later {
                    for (_, offered) in &mut packets {
                        *offered = far.renewed(*offered, renewal).unwrap_or(*offered);
                    }
                }
                now = later;
                for (cycle, offered) in &packets {
                    prop_assert_eq!(far.cycle(*offered, now), *cycle);
                }
                if is_taken {
                    let (cycle, offered) = packets.swap_remove(packets.len() / 2);
                    prop_assert_eq!(far.take(offered, now), cycle);
                }
            }
            let restored = FarOffers::default();
            restored.restore(far.cycles());
            for (cycle, offered) in packets {
                prop_assert_eq!(restored.cycle(offered, now), cycle);
                restored.take(offered, now);
            }
            prop_assert!(restored.cycles().iter().all(|&cycle| cycle == NOTHING));
        }
    }
}
