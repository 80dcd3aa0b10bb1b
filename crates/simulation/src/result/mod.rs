//! What a run leaves: a summary of single figures, and tables by link, node, latency and time.
//!
//! ```text
//!   Totals, links, nodes (of the engine) --+--> summary (JSON: figures of the measurement)
//!   Series (of the run) -------------------+--> tables  (columns: links, latency, series, nodes)
//! ```
//!
//! Plain data only: who writes files or draws plots is above.

mod steadiness;
mod summary;
mod tables;

pub(crate) use steadiness::{Half, steadiness};
pub(crate) use summary::{Figures, Outcome, Speed, Waits, summarize};
pub use tables::{Column, Table};
pub(crate) use tables::{busy_cycles, injection_table, latency_table, links_table, nodes_table, share};

/// What a run leaves.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The figures of the run; `docs/guide.md` has their meanings.
    pub summary: serde_json::Value,
    /// The resolved scenario, which repeats the run.
    pub scenario: serde_json::Value,
    /// The tables `links`, `latency`, `series` and `nodes`.
    pub tables: Vec<Table>,
}
