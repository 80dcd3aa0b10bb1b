//! Cycles.

/// Later than any cycle of a run, days of simulated time. Up to it epochs of nodes are counted in 32 bits, windows are
/// numbered correctly, and sums of times do not overflow.
pub const LATEST_CYCLE: u64 = 1 << 46;

/// A cycle that never comes.
pub const NEVER: u64 = u64::MAX;
