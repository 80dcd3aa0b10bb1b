//! The order of waiting jobs: by score, the highest first.
//!
//! Ties go by (submit, id). Scores are floating-point numbers that are only compared. They consist of +, -, x, / and
//! powers with small integer exponents, which IEEE 754 rounds identically on all hosts. Other powers and `log` use the
//! host's mathematics library, whose last bit may differ between hosts.

mod expression;
mod wfp;

pub use expression::{Expression, ExpressionError};
pub use wfp::Wfp;

use crate::job::Job;
use std::fmt;
use std::str::FromStr;

/// How waiting jobs are scored.
#[derive(Clone, Debug, PartialEq)]
pub enum Policy {
    /// First come, first served: the score is the wait.
    Fcfs,
    /// Cobalt's policy on Intrepid: favors jobs with long waits relative to their requested time, and large jobs.
    Wfp(Wfp),
    /// The shortest requested time first.
    Sjf,
    /// A user-defined score.
    Expression(Expression),
}

impl Policy {
    /// The names of policies that are not expressions.
    pub const NAMES: [&'static str; 3] = ["fcfs", "wfp", "sjf"];

    /// The score of a job that has waited until `now`.
    pub fn score(&self, job: &Job, now: i64) -> f64 {
        match self {
            Policy::Fcfs => (now - job.submit) as f64,
            Policy::Wfp(wfp) => wfp.score(job, now),
            Policy::Sjf => -(job.walltime as f64),
            Policy::Expression(expression) => expression.score(job, now),
        }
    }

    /// Whether jobs keep their order of submission, so that no sorting is needed.
    pub(crate) fn keeps_order_of_submission(&self) -> bool {
        match self {
            Policy::Fcfs => true,
            Policy::Wfp(_) | Policy::Sjf | Policy::Expression(_) => false,
        }
    }
}

impl FromStr for Policy {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        match text.trim() {
            "fcfs" => Ok(Policy::Fcfs),
            "sjf" => Ok(Policy::Sjf),
            "wfp" => Ok(Policy::Wfp(Wfp::default())),
            other => other.parse().map(Policy::Expression),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Policy::Fcfs => formatter.write_str("fcfs"),
            Policy::Wfp(_) => formatter.write_str("wfp"),
            Policy::Sjf => formatter.write_str("sjf"),
            Policy::Expression(expression) => formatter.write_str(expression.text()),
        }
    }
}
