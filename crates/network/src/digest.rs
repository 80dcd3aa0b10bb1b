//! One number that two runs share only if every packet moved at the same cycle over the same link.
//!
//! A wrapping sum of hashed records: the order of summing never matters, so threads and engines agree.

use crate::draws::{FACTOR, OTHER_STEP, STEP, fold};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The sum of the hashes of all transfers and deliveries so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest(u64);

impl Digest {
    /// Adds a transfer of a packet that begins at `time` from `node` through `port` (a direction's index; that of
    /// reception is one more than the last direction's) into `channel`. `packet` names the packet by source and
    /// sequence, and holds the hops that remain.
    #[inline(always)]
    pub fn record(&mut self, time: u64, node: u32, port: usize, channel: usize, packet: u64) {
        let place = u64::from(node) << 8 | (port as u64) << 4 | channel as u64;
        let what = packet ^ time.wrapping_mul(STEP);
        let place = place.wrapping_mul(OTHER_STEP) ^ FACTOR;
        self.0 = self.0.wrapping_add(fold(what, place));
    }

    /// Adds what another part of the network recorded.
    pub fn add(&mut self, other: Digest) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
