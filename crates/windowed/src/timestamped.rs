//! A packet with the time at which it was [offered](super::offered), as the arrays of a subdomain hold it.
//!
//! ```text
//!   full:   | record, 64 bits | offered, 32 bits |    12 bytes
//!   short:  | record, 48 bits | offered, 32 bits |    10 bytes, if all records are short
//! ```

use super::offered::Offered;
use network::packet::{Packet, SHORT_RECORD_BITS};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A packet with the time at which it was offered.
pub trait Timestamped: Copy + Debug + Default + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// Combines a packet with the time at which it was offered.
    fn new(packet: Packet, offered: Offered) -> Self;

    /// The packet.
    fn packet(&self) -> Packet;

    /// The time at which the packet was, or will be, offered.
    fn offered(&self) -> Offered;
}

/// Format for any record.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(C, packed(4))]
pub struct FullTimestamped {
    packet: Packet,
    offered: Offered,
}

impl Timestamped for FullTimestamped {
    #[inline(always)]
    fn new(packet: Packet, offered: Offered) -> Self {
        FullTimestamped { packet, offered }
    }
    #[inline(always)]
    fn packet(&self) -> Packet {
        self.packet
    }
    #[inline(always)]
    fn offered(&self) -> Offered {
        self.offered
    }
}

/// Format for short records.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(C, packed(2))]
pub struct ShortTimestamped {
    /// The packet's record in the low bits, with the low bits of the offer above it. One store writes the field, and
    /// one load reads it.
    record: u64,
    offered_high: u16,
}

impl Timestamped for ShortTimestamped {
    #[inline(always)]
    fn new(packet: Packet, offered: Offered) -> Self {
        let offered = offered.bits();
        debug_assert!(packet.0 >> SHORT_RECORD_BITS == 0, "a short record");
        let record = packet.0 | u64::from(offered) << SHORT_RECORD_BITS;
        ShortTimestamped { record, offered_high: (offered >> 16) as u16 }
    }
    #[inline(always)]
    fn packet(&self) -> Packet {
        Packet(self.record & ((1 << SHORT_RECORD_BITS) - 1))
    }
    #[inline(always)]
    fn offered(&self) -> Offered {
        Offered::from_bits((self.record >> SHORT_RECORD_BITS) as u32 | u32::from(self.offered_high) << 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_kept<D: Timestamped>(record: u64, offered: u32) -> bool {
        let timestamped = D::new(Packet(record), Offered::from_bits(offered));
        (timestamped.packet().0, timestamped.offered().bits()) == (record, offered)
    }

    proptest! {
        #[test]
        fn contents_are_preserved(record: u64, offered: u32) {
            prop_assert!(is_kept::<FullTimestamped>(record, offered));
            prop_assert!(is_kept::<ShortTimestamped>(record >> (u64::BITS - SHORT_RECORD_BITS), offered));
            prop_assert_eq!((size_of::<FullTimestamped>(), size_of::<ShortTimestamped>()), (12, 10));
        }
    }
}
