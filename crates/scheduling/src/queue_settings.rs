//! The section `queue` of a description.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules of the queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct QueueSettings {
    /// Score that orders the waiting jobs, highest first: a policy such as "fcfs", or an expression in wait, walltime (both
    /// in seconds) and nodes.
    pub policy: String,
    /// Exponent of wait over requested time in the score of wfp.
    pub wfp_exponent: f64,
    /// Half-life of what users have used, in the score of fair-share: after this time half of it counts.
    #[serde(skip_serializing_if = "is_default_half_life")]
    pub fair_share_half_life_seconds: f64,
    /// Shares of users in fair-share, such as [[7, 2.0]] for user 7 of the log. All others have 1. Jobs without a user are
    /// those of user -1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub user_shares: Vec<(i32, f64)>,
    /// Backfilling rule, such as "easy"; those of Cobalt's releases of 2009, which drain partitions, are for rooms.
    pub backfill: String,
    /// Fraction, 0 to 1. With "cobalt-2009-03", jobs whose score is below this fraction of the best do not drain
    /// partitions; with 0, all do. With "cobalt-2009-01", a job drains a partition as soon as only jobs are left whose
    /// score is below this fraction of its own; with 0, none does.
    pub drain_threshold: f64,
    /// Treatment of a job that exceeds its requested time: "keep" lets it run as long as in the log, "kill" ends it.
    pub walltime: String,
    /// Treatment of jobs that an outage ends: "restart" requeues them to run from the beginning, "drop" removes them.
    pub after_outage: String,
}

impl Default for QueueSettings {
    fn default() -> Self {
        QueueSettings {
            policy: "fcfs".to_owned(),
            // assumed: 3, as in the site's own descriptions of the policy; paper 004 does not give it.
            wfp_exponent: 3.0,
            fair_share_half_life_seconds: DEFAULT_HALF_LIFE_SECONDS,
            user_shares: vec![],
            backfill: "easy".to_owned(),
            drain_threshold: 0.0,
            walltime: "keep".to_owned(),
            after_outage: "restart".to_owned(),
        }
    }
}

/// Slurm's default: 7 days.
const DEFAULT_HALF_LIFE_SECONDS: f64 = 604_800.0;

fn is_default_half_life(seconds: &f64) -> bool {
    *seconds == DEFAULT_HALF_LIFE_SECONDS
}
