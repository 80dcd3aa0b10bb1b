//! Counts of calls.

use std::collections::BTreeMap;

/// How often the ranks make each call, by the name that the trace has for it.
pub type CallCounts = BTreeMap<&'static str, u64>;
