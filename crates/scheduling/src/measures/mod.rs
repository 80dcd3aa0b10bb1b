//! The measures of a schedule: numbers for all jobs, by size and by queue, and tables.
//!
//! Definitions are those of `docs/models/queue.md`: wait = start - submit; response = end - submit; bounded slowdown =
//! max(1, response / max(run, 10 s)), with the actual run time; utilization = requested nodes x run time over nodes x
//! span, from the first submission to the last end.

mod capacity;
mod fairness;
mod processors;
mod quantities;
mod statistics;
mod tables;

pub(crate) use capacity::Capacity;
pub(crate) use fairness::Fairness;
pub(crate) use processors::{Processors, jobs_csv, lowest_free};
pub(crate) use quantities::are_declared;
pub use quantities::{QUANTITIES, Quantity};
pub(crate) use statistics::Statistics;
pub(crate) use tables::{BrokenRun, SiteColumns, jobs_table, queues_table, series_table, sizes_table};
pub use tables::{Column, Table};

use crate::job::Job;
use crate::state::Reason;

/// Lower bound on run times in slowdowns, in seconds (Feitelson et al. 1997).
const BOUND_SECONDS: i64 = 10;

/// The outcome of a job, independent of the kind of machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The job.
    pub job: Job,
    /// The start and the end of the job, if it ran to completion.
    pub ran: Option<(i64, i64)>,
    /// The allocated nodes; 0 if it did not run.
    pub granted_nodes: u32,
    /// The number of its partition, if it had one.
    pub partition: Option<u32>,
    /// The time of its first reservation.
    pub reserved: Option<i64>,
    /// How often outages ended it.
    pub restarts: u32,
    /// Node-seconds lost by these outages.
    pub lost_node_seconds: u128,
    /// Whether it was killed at the end of its requested time.
    pub killed: bool,
    /// Why it did not run to completion.
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

/// Wait times, response times and slowdowns of a set of jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Delays {
    /// Wait times in seconds.
    pub wait: Statistics,
    /// Response times in seconds.
    pub response: Statistics,
    /// Slowdowns, bounded by 10 seconds.
    pub bounded_slowdown: Statistics,
}

impl Delays {
    /// The statistics of the jobs that ran; `None` if none did.
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
