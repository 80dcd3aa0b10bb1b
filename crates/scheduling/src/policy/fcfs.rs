//! First come, first served: the score is the wait.

use super::{Moment, Scoring};
use crate::job::Job;
use crate::queue_settings::QueueSettings;
use crate::site_settings::Wrong;

/// First come, first served.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fcfs;

impl Scoring for Fcfs {
    const KEEPS_ORDER_OF_SUBMISSION: bool = true;

    fn new(_: &QueueSettings) -> Result<Self, Wrong> {
        Ok(Fcfs)
    }

    fn score(&self, job: &Job, moment: Moment<'_>) -> f64 {
        (moment.now - job.submit) as f64
    }
}
