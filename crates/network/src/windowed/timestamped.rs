//! A packet and the low bits of the cycle at which it was offered, as the arrays of a subdomain hold them.
//!
//! ```text
//!   full:   | record, 64 bits | cycle, 32 bits |    12 bytes
//!   short:  | record, 48 bits | cycle, 32 bits |    10 bytes, if all records are short
//! ```

use crate::packet::{Packet, SHORT_RECORD_BITS};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A packet and the low bits of the cycle at which it was offered.
pub trait Timestamped: Copy + Debug + Default + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// A packet, and the low bits of the cycle at which it was offered.
    fn new(packet: Packet, offered_low: u32) -> Self;

    /// The packet.
    fn packet(&self) -> Packet;

    /// The low bits of the cycle at which it was offered.
    fn offered_low(&self) -> u32;

    /// The cycle at which it was offered, which is less than 2^32 cycles before `now`.
    #[inline(always)]
    fn offered_before(&self, now: u64) -> u64 {
        offered_before(self.offered_low(), now)
    }

    /// The cycle at which it was or will be offered, which is less than 2^31 cycles from `now`.
    #[inline(always)]
    fn offered_near(&self, now: u64) -> u64 {
        now.wrapping_add_signed(i64::from(self.offered_low().wrapping_sub(now as u32) as i32))
    }
}

/// The cycle that has these low bits and lies less than 2^32 cycles before `now`.
#[inline(always)]
pub fn offered_before(low: u32, now: u64) -> u64 {
    now - u64::from((now as u32).wrapping_sub(low))
}

/// Format for any record.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(C, packed(4))]
pub struct FullTimestamped {
    packet: Packet,
    offered: u32,
}

impl Timestamped for FullTimestamped {
    #[inline(always)]
    fn new(packet: Packet, offered_low: u32) -> Self {
        FullTimestamped { packet, offered: offered_low }
    }
    #[inline(always)]
    fn packet(&self) -> Packet {
        self.packet
    }
    #[inline(always)]
    fn offered_low(&self) -> u32 {
        self.offered
    }
}

/// Format for short records.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(C, packed(2))]
pub struct ShortTimestamped {
    /// The record in the low bits, the low bits of the cycle above it: one store writes what one load reads.
    record: u64,
    offered_high: u16,
}

impl Timestamped for ShortTimestamped {
    #[inline(always)]
    fn new(packet: Packet, offered_low: u32) -> Self {
        debug_assert!(packet.0 >> SHORT_RECORD_BITS == 0, "a short record");
        let record = packet.0 | u64::from(offered_low) << SHORT_RECORD_BITS;
        ShortTimestamped { record, offered_high: (offered_low >> 16) as u16 }
    }
    #[inline(always)]
    fn packet(&self) -> Packet {
        Packet(self.record & ((1 << SHORT_RECORD_BITS) - 1))
    }
    #[inline(always)]
    fn offered_low(&self) -> u32 {
        (self.record >> SHORT_RECORD_BITS) as u32 | u32::from(self.offered_high) << 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_kept<D: Timestamped>(record: u64, offered: u32) -> bool {
        let timestamped = D::new(Packet(record), offered);
        (timestamped.packet().0, timestamped.offered_low()) == (record, offered)
    }

    proptest! {
        #[test]
        fn contents_are_preserved(record: u64, offered: u32) {
            prop_assert!(is_kept::<FullTimestamped>(record, offered));
            prop_assert!(is_kept::<ShortTimestamped>(record >> (u64::BITS - SHORT_RECORD_BITS), offered));
            prop_assert_eq!((size_of::<FullTimestamped>(), size_of::<ShortTimestamped>()), (12, 10));
        }

        #[test]
        fn cycles_are_recovered_from_their_low_bits(now: u32, high in 1u32..1000, age: u32, ahead in 0u32..1 << 31) {
            let now = u64::from(high) << 32 | u64::from(now);
            let timestamped = |cycle: u64| ShortTimestamped::new(Packet(0), cycle as u32);
            let (past, to_come) = (now - u64::from(age), now + u64::from(ahead));
            prop_assert_eq!(timestamped(past).offered_before(now), past);
            prop_assert_eq!(timestamped(to_come).offered_near(now), to_come);
        }
    }
}
