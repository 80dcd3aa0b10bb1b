//! The shortest job first, by its requested time.

use super::{Moment, Scoring};
use crate::job::Job;
use crate::queue_settings::QueueSettings;
use crate::site_settings::Wrong;

/// The shortest requested time first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sjf;

impl Scoring for Sjf {
    fn new(_: &QueueSettings) -> Result<Self, Wrong> {
        Ok(Sjf)
    }

    fn score(&self, job: &Job, _: Moment<'_>) -> f64 {
        -(job.walltime as f64)
    }
}
