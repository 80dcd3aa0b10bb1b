//! The order of waiting jobs: by score, the highest first.
//!
//! Ties go by (submit, id). Scores are floating-point numbers that are only compared. They consist of +, -, x, / and
//! powers with small integer exponents, which IEEE 754 rounds identically on all hosts. Other powers, `log` and the decay
//! of usage use the host's mathematics library, whose last bit may differ between hosts.
//!
//! # To add one
//!
//! 1. A file here with a type that holds its parameters and implements [`Scoring`]; the file's head names the source.
//! 2. A line in `policies!` below. The word in descriptions, `torusim schedule --help`, its errors, and the random tests of
//!    `tests/room.rs` and `tests/site.rs` follow from it.
//! 3. For each parameter a field of `QueueSettings` (`queue_settings.rs`) whose doc comment users see, with its unit at the end
//!    of its name and a default; `Scoring::new` reads and checks it.
//! 4. A row in the table of policies in `docs/models/queue.md`: `tests/test_schedule.py` asks for it.
//! 5. Cases computed by hand in `tests/policies.rs`.
//!
//! What a score needs to know of users is in [`UserUsage`]; of anything else that the queue has done it would be a field of
//! [`Moment`].

mod expression;
mod fair_share;
mod fcfs;
mod sjf;
mod usage;
mod wfp;

use crate::job::Job;
use crate::queue_settings::QueueSettings;
use crate::site_settings::Wrong;
pub use expression::{Expression, ExpressionError};
pub use fair_share::FairShare;
pub use fcfs::Fcfs;
pub use sjf::Sjf;
use std::fmt;
use std::str::FromStr;
pub use usage::UserUsage;
pub use wfp::Wfp;

/// When a job is scored, and what the queue has done until then.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The time.
    pub now: i64,
    /// The usage of users, if the policy asks for it.
    pub usage: Option<&'a UserUsage>,
}

/// A policy, with its parameters.
pub(crate) trait Scoring: Sized {
    /// Whether jobs keep their order of submission, so that no sorting is needed.
    const KEEPS_ORDER_OF_SUBMISSION: bool = false;

    /// The policy with the parameters of a description.
    ///
    /// # Errors
    /// The key of a parameter that it cannot have, and why.
    fn new(settings: &QueueSettings) -> Result<Self, Wrong>;

    /// The score of a job.
    fn score(&self, job: &Job, moment: Moment<'_>) -> f64;

    /// The usage of the users of these jobs before the first starts, if scores depend on it.
    fn usage(&self, _jobs: &[Job]) -> Option<UserUsage> {
        None
    }
}

/// Declares the policies that have names.
macro_rules! policies {
    ($($(#[$doc:meta])* $policy:ident = $name:literal,)*) => {
        /// How waiting jobs are scored.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Policy {
            $($(#[$doc])* $policy($policy),)*
            /// A user-defined score.
            Expression(Expression),
        }

        impl Policy {
            /// The names of policies that are not expressions.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The policy of a description; also checks the parameters of the others.
            pub(crate) fn new(settings: &QueueSettings) -> Result<Self, PolicyError> {
                let name = settings.policy.trim();
                let mut named = None;
                $(
                    let policy = $policy::new(settings).map_err(PolicyError::Parameter)?;
                    named = named.or((name == $name).then_some(Policy::$policy(policy)));
                )*
                match named {
                    Some(policy) => Ok(policy),
                    None => name.parse().map(Policy::Expression).map_err(PolicyError::Expression),
                }
            }

            /// The score of a job that waits.
            pub fn score(&self, job: &Job, moment: Moment<'_>) -> f64 {
                match self {
                    $(Policy::$policy(policy) => policy.score(job, moment),)*
                    Policy::Expression(expression) => expression.score(job, moment.now),
                }
            }

            /// Whether jobs keep their order of submission, so that no sorting is needed.
            pub(crate) fn keeps_order_of_submission(&self) -> bool {
                match self {
                    $(Policy::$policy(_) => $policy::KEEPS_ORDER_OF_SUBMISSION,)*
                    Policy::Expression(_) => false,
                }
            }

            /// The usage of the users of these jobs before the first starts, if scores depend on it.
            pub(crate) fn usage(&self, jobs: &[Job]) -> Option<UserUsage> {
                match self {
                    $(Policy::$policy(policy) => policy.usage(jobs),)*
                    Policy::Expression(_) => None,
                }
            }
        }

        impl fmt::Display for Policy {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(match self {
                    $(Policy::$policy(_) => $name,)*
                    Policy::Expression(expression) => expression.text(),
                })
            }
        }
    };
}

policies! {
    /// First come, first served: the score is the wait.
    Fcfs = "fcfs",
    /// Cobalt's policy on Intrepid: favors jobs with long waits relative to their requested time, and large jobs.
    Wfp = "wfp",
    /// The shortest requested time first.
    Sjf = "sjf",
    /// The jobs of users first that have used least of their share.
    FairShare = "fair-share",
}

/// Why a description has no policy.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PolicyError {
    /// A parameter is wrong.
    Parameter(Wrong),
    /// The policy is neither a name nor an expression.
    Expression(ExpressionError),
}

impl FromStr for Policy {
    type Err = ExpressionError;

    /// A policy with the default parameters.
    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        let settings = QueueSettings { policy: text.to_owned(), ..QueueSettings::default() };
        Policy::new(&settings).map_err(|error| match error {
            PolicyError::Expression(error) => error,
            PolicyError::Parameter((key, problem)) => unreachable!("{key} by default: {problem}"),
        })
    }
}
