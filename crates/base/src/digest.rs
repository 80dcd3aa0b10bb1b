//! One number that two runs share only if they are bit-identical: every packet crossed the same links at the same
//! cycles.
//!
//! It is a wrapping sum of hashed records, which does not depend on the order of summation, so that threads and engines
//! agree.

use crate::draws::{FACTOR, OTHER_STEP, STEP, fold};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The sum of the hashes of all transfers and deliveries so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest(u64);

impl Digest {
    /// Adds a transfer that begins at `time` from `node` through `port` into `vc`. `port` is a direction's index;
    /// reception is the index after the last direction. `packet` holds the packet's name (a hash of source and sequence
    /// number) and its remaining hops. Each place has separate bits; VCs above 15 use bits above the node.
    #[inline(always)]
    pub fn record(&mut self, time: u64, node: u32, port: usize, vc: usize, packet: u64) {
        let (low_vc, high_vc) = (vc as u64 & 15, vc as u64 >> 4);
        let place = high_vc << 40 | u64::from(node) << 8 | (port as u64) << 4 | low_vc;
        let what = packet ^ time.wrapping_mul(STEP);
        let place = place.wrapping_mul(OTHER_STEP) ^ FACTOR;
        self.0 = self.0.wrapping_add(fold(what, place));
    }

    /// Adds the digest of another part of the network.
    pub fn add(&mut self, other: Digest) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_place_has_a_record_of_its_own() {
        // No machine has more.
        let (ports, vcs) = (16, 32);
        let places = (0..ports).flat_map(|port| (0..vcs).map(move |vc| (port, vc)));
        let records = places.flat_map(|(port, vc)| [0, 1, u32::MAX].map(|node| (node, port, vc)));
        let digest = |(node, port, vc)| {
            let mut digest = Digest::default();
            digest.record(7, node, port, vc, 5);
            digest.0
        };
        let digests: HashSet<u64> = records.map(digest).collect();
        assert_eq!(digests.len(), 3 * ports * vcs);
    }
}
