//! Fair share by user: the jobs of users first that have used least of their share. score = 1 / (1 + x), where x is the
//! user's part of all usage over its part of all shares, and usage decays by half in a half-life.
//!
//! Source: the classic fair-share factor of Slurm's multifactor priority plugin, 2^-x, whose order of users this is, with
//! its half-life (`PriorityDecayHalfLife`, 7 days by default); as there, the score of a user without usage is 1, and that
//! of one who has used just its share 1/2. With thousands of users 2^-x would be 0 for all that have used much. Maui
//! (Jackson, Snell and Clement, JSSPP 2001) decays usage in windows instead.

use super::{Moment, Scoring, UserUsage};
use crate::job::Job;
use crate::queue_settings::QueueSettings;
use crate::site_settings::Wrong;
use std::collections::BTreeMap;

/// The longest half-life: 136 years, as the longest run time.
const LONGEST_SECONDS: f64 = 4_294_967_296.0;

/// Fair share by user.
#[derive(Clone, Debug, PartialEq)]
pub struct FairShare {
    /// In this time half of a user's usage is forgotten.
    pub half_life_seconds: f64,
    /// The shares of users that do not have one share.
    pub shares: BTreeMap<i32, f64>,
}

impl Scoring for FairShare {
    fn new(settings: &QueueSettings) -> Result<Self, Wrong> {
        let half_life_seconds = settings.fair_share_half_life_seconds;
        if !(1.0..=LONGEST_SECONDS).contains(&half_life_seconds) {
            let problem = format!("must be a time from 1 to {LONGEST_SECONDS} seconds");
            return Err(("queue.fair_share_half_life_seconds".into(), problem));
        }
        let mut shares = BTreeMap::new();
        for (index, &(user, share)) in settings.user_shares.iter().enumerate() {
            let is_right = user >= -1 && share.is_finite() && share > 0.0;
            if !is_right || shares.insert(user, share).is_some() {
                let problem = "must be the number of a user, each once (-1 for jobs without one), and its share above 0";
                return Err((format!("queue.user_shares[{index}]"), problem.to_owned()));
            }
        }
        Ok(FairShare { half_life_seconds, shares })
    }

    fn score(&self, job: &Job, moment: Moment<'_>) -> f64 {
        let used = moment.usage.map_or(0.0, |usage| usage.over_share(job.user, moment.now));
        1.0 / (1.0 + used)
    }

    fn usage(&self, jobs: &[Job]) -> Option<UserUsage> {
        Some(UserUsage::new(self.half_life_seconds, &self.shares, jobs))
    }
}
