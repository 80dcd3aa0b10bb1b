//! The policies of arbitration, a file for each.

mod longest_queue;
mod random;

use super::Request;
use crate::policy::Policy;

/// Keeps the requests that a policy prefers, at least one if there are any.
pub(super) fn keep_preferred(policy: Policy, requests: &mut Vec<Request>) {
    match policy {
        Policy::LongestQueue => longest_queue::keep_preferred(requests),
        Policy::Random => random::keep_preferred(requests),
    }
}
