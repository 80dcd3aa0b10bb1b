//! Cycles.

/// A cycle that never comes.
pub const NEVER: u64 = u64::MAX;
