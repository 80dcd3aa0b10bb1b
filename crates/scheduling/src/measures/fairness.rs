//! Jobs that later jobs overtook, and fairness among users.

use super::Outcome;
use serde::Serialize;
use std::collections::BTreeMap;

/// Measures of fairness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Fairness {
    /// Fraction of the jobs that ran, of jobs for which a job submitted later started earlier.
    pub overtaken_share: f64,
    /// Jain's index of the users' mean bounded slowdowns: 1 if all are equal, 1 / users if one user has the whole sum.
    /// `None` if the log has no users.
    pub jain_of_users: Option<f64>,
    /// Jobs with a delayed reservation, which started later than first reserved. This happens only if jobs overrun
    /// requests, scores change the order, or something fails.
    #[serde(rename = "broken_promises")]
    pub delayed_reservations: u64,
}

impl Fairness {
    /// The measures of outcomes in order of submission.
    pub fn of(outcomes: &[Outcome]) -> Self {
        Fairness {
            overtaken_share: overtaken_share(outcomes),
            jain_of_users: jain_of_users(outcomes),
            delayed_reservations: outcomes.iter().filter(|outcome| is_delayed(outcome)).count() as u64,
        }
    }
}

fn is_delayed(outcome: &Outcome) -> bool {
    match (outcome.reserved, outcome.ran) {
        (Some(reserved), Some((start, _))) => start > reserved,
        _ => false,
    }
}

fn overtaken_share(outcomes: &[Outcome]) -> f64 {
    let pairs = outcomes.iter().filter_map(|outcome| Some((outcome.job.submit, outcome.ran?.0)));
    let mut ran: Vec<(i64, i64)> = pairs.collect();
    // Jobs that wait for others arrive in another order.
    if !ran.is_sorted_by_key(|pair| pair.0) {
        ran.sort_by_key(|pair| pair.0);
    }
    let count = ran.len();
    // The earliest start of all jobs submitted later; equal submit times do not count as later.
    let (mut of_later, mut of_equal) = (i64::MAX, i64::MAX);
    let mut submit = i64::MAX;
    let mut overtaken = 0usize;
    for (own_submit, start) in ran.into_iter().rev() {
        if own_submit < submit {
            of_later = of_later.min(of_equal);
            of_equal = i64::MAX;
            submit = own_submit;
        }
        overtaken += usize::from(of_later < start);
        of_equal = of_equal.min(start);
    }
    overtaken as f64 / count.max(1) as f64
}

fn jain_of_users(outcomes: &[Outcome]) -> Option<f64> {
    let mut users: BTreeMap<i32, (f64, f64)> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.job.user >= 0) {
        if let Some(slowdown) = outcome.bounded_slowdown() {
            let (sum, count) = users.entry(outcome.job.user).or_default();
            *sum += slowdown;
            *count += 1.0;
        }
    }
    let means: Vec<f64> = users.values().map(|(sum, count)| sum / count).collect();
    let sum: f64 = means.iter().sum();
    let squares: f64 = means.iter().map(|mean| mean * mean).sum();
    (!means.is_empty()).then(|| sum * sum / (means.len() as f64 * squares))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;

    fn outcome(submit: i64, start: i64) -> Outcome {
        Outcome { job: Job { submit, ..Job::default() }, ran: Some((start, start)), ..Outcome::default() }
    }

    #[test]
    fn overtaken_by_later_submissions() {
        let cases: [(&[(i64, i64)], f64); 4] = [
            (&[(0, 0), (1, 5), (2, 9)], 0.0),
            (&[(0, 9), (1, 5), (2, 7)], 1.0 / 3.0),
            (&[(0, 9), (0, 5)], 0.0),
            (&[(0, 9), (0, 5), (1, 4)], 2.0 / 3.0),
        ];
        for (jobs, share) in cases {
            let outcomes: Vec<Outcome> = jobs.iter().map(|&(submit, start)| outcome(submit, start)).collect();
            assert_eq!(overtaken_share(&outcomes), share, "{jobs:?}");
        }
    }
}
