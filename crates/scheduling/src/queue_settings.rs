//! The section `queue` of a description.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The rules of the queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueueSettings {
    /// Score that orders the waiting jobs, highest first: a policy such as "fcfs", or an expression in wait, walltime (both
    /// in seconds) and nodes.
    #[serde(default = "default_policy")]
    pub policy: String,
    /// Exponent of wait over requested time in the score of wfp.
    #[serde(default = "default_exponent")]
    pub wfp_exponent: f64,
    /// Half-life of what users have used, in the score of fair-share: after this time half of it counts.
    #[serde(default = "default_half_life", skip_serializing_if = "is_default_half_life")]
    pub fair_share_half_life_seconds: f64,
    /// Shares of users in fair-share, such as [[7, 2.0]] for user 7 of the log. All others have 1. Jobs without a user are
    /// those of user -1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub user_shares: Vec<(i32, f64)>,
    /// Backfilling rule, such as "easy"; those of Cobalt's releases of 2009, which drain partitions, are for rooms.
    #[serde(default = "default_backfill")]
    pub backfill: String,
    /// Fraction, 0 to 1. With "cobalt-2009-03", jobs whose score is below this fraction of the best do not drain
    /// partitions; with 0, all do. With "cobalt-2009-01", a job drains a partition as soon as only jobs are left whose
    /// score is below this fraction of its own; with 0, none does.
    #[serde(default)]
    pub drain_threshold: f64,
    /// Treatment of a job that exceeds its requested time: "keep" lets it run as long as in the log, "kill" ends it.
    #[serde(default = "default_walltime")]
    pub walltime: String,
    /// Treatment of jobs that an outage ends: "restart" requeues them to run from the beginning, "drop" removes them.
    #[serde(default = "default_after_outage")]
    pub after_outage: String,
}

impl Default for QueueSettings {
    fn default() -> Self {
        serde_json::from_value(json!({})).expect("each key has a default")
    }
}

fn default_policy() -> String {
    "fcfs".to_owned()
}
fn default_exponent() -> f64 {
    // assumed: 3, as in the site's own descriptions of the policy; paper 004 does not give it.
    3.0
}
fn default_half_life() -> f64 {
    // Slurm's default: 7 days.
    604_800.0
}
fn is_default_half_life(seconds: &f64) -> bool {
    *seconds == default_half_life()
}
fn default_backfill() -> String {
    "easy".to_owned()
}
fn default_walltime() -> String {
    "keep".to_owned()
}
fn default_after_outage() -> String {
    "restart".to_owned()
}
