//! Counts of calls.

use std::collections::BTreeMap;

/// The number of times that the ranks make each call, by the name that the trace has for it.
pub type CallCounts = BTreeMap<&'static str, u64>;
