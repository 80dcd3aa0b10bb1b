//! What came of a schedule: numbers for all jobs and by size, and tables.
//!
//! Definitions are those of `docs/models/queue.md`: wait = start - submit; response = end - submit; bounded slowdown =
//! max(1, response / max(run, 10 s)), with the run time that the job really had; utilization = nodes asked for x run
//! time over nodes x span, from the first submission to the last end.

mod capacity;
mod fairness;
mod statistics;
mod tables;

pub use capacity::Capacity;
pub use fairness::Fairness;
pub use statistics::Statistics;
pub use tables::{Column, Table};
pub(crate) use tables::{jobs_table, series_table, sizes_table};

use crate::job::Job;
use crate::state::Reason;

/// Shorter runs count as so many seconds in slowdowns (Feitelson et al. 1997).
const BOUND_SECONDS: i64 = 10;

/// What became of a job, whatever the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The job.
    pub job: Job,
    /// When it started and ended, if it ran to an end.
    pub ran: Option<(i64, i64)>,
    /// What it was given; 0 if it never started.
    pub granted_nodes: u32,
    /// The number of its partition, if it had one.
    pub partition: Option<u32>,
    /// The first start that it was promised.
    pub promised: Option<i64>,
    /// How often outages ended it, and node-seconds lost by that.
    pub restarts: u32,
    /// Node-seconds lost by that.
    pub lost_node_seconds: u64,
    /// Whether its time was over before it was done.
    pub killed: bool,
    /// Why it did not run to an end.
    pub reason: Option<Reason>,
}

impl Outcome {
    fn wait(&self) -> Option<i64> {
        self.ran.map(|(start, _)| start - self.job.submit)
    }

    fn response(&self) -> Option<i64> {
        self.ran.map(|(_, end)| end - self.job.submit)
    }

    fn bounded_slowdown(&self) -> Option<f64> {
        self.ran.map(|(start, end)| {
            let response = (end - self.job.submit) as f64;
            (response / (end - start).max(BOUND_SECONDS) as f64).max(1.0)
        })
    }
}

/// Waits, responses and slowdowns of some jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delays {
    /// Seconds.
    pub wait: Statistics,
    /// Seconds.
    pub response: Statistics,
    /// Bounded by 10 seconds.
    pub bounded_slowdown: Statistics,
}

impl Delays {
    /// Of those that ran; none if none did.
    pub fn of<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Option<Self> {
        Some(Delays {
            wait: Statistics::of(outcomes.clone().filter_map(|outcome| Some(outcome.wait()? as f64)))?,
            response: Statistics::of(
                outcomes.clone().filter_map(|outcome| Some(outcome.response()? as f64)),
            )?,
            bounded_slowdown: Statistics::of(outcomes.filter_map(Outcome::bounded_slowdown))?,
        })
    }
}
