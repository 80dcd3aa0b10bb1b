//! The policies of arbitration, by which a receiver or a sender prefers some requests to others, before a random draw.
//!
//! Each engine has a file for each of them: `reference/arbitration/policy/`, on lists of requests, and
//! `windowed/arbitration/policy/`, on sets of inputs.

use crate::parameters::RouterParameters;

/// A policy of arbitration, for one cycle of one receiver or sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The queues in the fullest quarter of their buffers first.
    LongestQueue,
    /// All requests are equal.
    Random,
}

impl Policy {
    /// The policy of a cycle; `bits` are random, and drawn only if they decide.
    #[inline(always)]
    pub fn of_cycle(router: &RouterParameters, bits: impl FnOnce() -> u32) -> Self {
        match router.serve_longest_queue_share.decide(bits) {
            true => Policy::LongestQueue,
            false => Policy::Random,
        }
    }
}
