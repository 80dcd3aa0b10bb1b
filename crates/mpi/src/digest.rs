//! The digest of operations: equal digests mean that all operations of all ranks have completed at the same times
//! with the same messages. Packets alone do not reveal wrong matching.

use crate::Status;
use base::draws::mix;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The sum of the hashes of all completed operations, which does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest(u64);

impl Digest {
    /// Adds operation `number` of a rank, completed at processor cycle `time`, with the message that it matched.
    pub(crate) fn record(&mut self, rank: u32, number: u64, time: u64, status: &Status) {
        let Status { source, tag, bytes, .. } = *status;
        let matched = mix(u64::from(source) << 32 | u64::from(tag)).wrapping_add(bytes);
        let operation = mix(mix(u64::from(rank)).wrapping_add(number)).wrapping_add(time);
        self.0 = self.0.wrapping_add(mix(mix(operation).wrapping_add(mix(matched))));
    }

    /// Adds another sum.
    pub fn add(&mut self, other: Digest) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
