//! The state of a node: its cores with their ranks and tasks, and what they share.

pub mod connections;
pub mod core;
pub mod counters;
pub mod handover;
pub mod network_collectives;
pub mod rank;
pub mod task;

use crate::transfers::arrivals::Arrivals;
use counters::Totals;
use serde::{Deserialize, Serialize};

/// State that the cores of a node share.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shared {
    /// Packets of messages so far; their numbers are their names.
    pub packets: u64,
    /// Packets forwarded so far.
    pub forwarded: u64,
    /// Unacknowledged packets, if their number is bounded.
    pub unacknowledged: u32,
    pub arrivals: Arrivals,
    pub totals: Totals,
    /// Transfers begun by ranks of the node, and transfers that have ended at them.
    pub begun: u64,
    pub ended: u64,
}

/// The processor cycle at which longer computations end: after months, which no run reaches.
pub(crate) const LATEST: u64 = 1 << 53;
