//! The result of a run: a summary of figures, and tables by link, node, latency and time.
//!
//! ```text
//!   Totals, links, nodes (of the engine) --+--> summary (JSON: figures of the measurement)
//!   Series (of the run) -------------------+--> tables  (columns: links, latency, series, nodes)
//! ```
//!
//! Plain data only: the layers above write files and draw plots.

mod calls;
mod escapes;
mod fluid;
mod jobs;
mod link_figures;
mod quantities;
mod steadiness;
mod summary;
mod tables;
mod time_lines;

pub(crate) use self::fluid::{FluidFigures, busiest_link_bytes_of_flows, fluid_summary, fluid_tables};
pub(crate) use calls::calls_tables;
pub use escapes::NEGLIGIBLE_ESCAPE_SHARE;
pub(crate) use escapes::{Escapes, is_transient};
pub(crate) use jobs::jobs_table;
pub(crate) use link_figures::LinkFigures;
pub use quantities::{QUANTITIES, Quantity};
pub(crate) use steadiness::{Half, TOO_SHORT, is_too_short, steadiness};
pub(crate) use summary::{Figures, Outcome, Speed, Waits, summarize};
pub use tables::{Column, Table};
pub(crate) use tables::{
    CountedLinks, all_links, busy_cycles, communication_table, injection_table, latency_table, links_of,
    links_table, nodes_table, share, table, vc_name, waiting_table,
};
pub(crate) use time_lines::RecordedLines;
pub use time_lines::{TimeLineOptions, TimeLines};

/// The result of a run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The figures of the run; `docs/guide.md` explains them.
    pub summary: serde_json::Value,
    /// The resolved scenario, with which the run can be repeated.
    pub scenario: serde_json::Value,
    /// The tables `links`, `latency`, `nodes` and `series`. With lossy links there is also `injection`, with
    /// several jobs `jobs`, with counted communication `communication`, with time lines of
    /// calls `calls` and `messages`, and with links observed over time
    /// `link_series` and `waiting`.
    pub tables: Vec<Table>,
    /// The time lines of ranks, if they were recorded.
    pub time_lines: Option<TimeLines>,
}
