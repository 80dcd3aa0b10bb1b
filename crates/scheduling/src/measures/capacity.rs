//! How much of the machine was used, and how much of it was lost.

use super::Outcome;
use crate::queue::Losses;
use serde::Serialize;

/// Shares of the machine's node-seconds, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Capacity {
    /// From the first submission to the last end, in seconds.
    pub span_seconds: i64,
    /// Nodes asked for x run time.
    pub utilization: f64,
    /// The same, without what partitions with open dimensions added to run times.
    pub useful_utilization: f64,
    /// The same as `utilization`, from the first submission to the last alone: without the emptying at the end.
    pub utilization_while_submitting: f64,
    /// Nodes given x run time: partitions are larger than some requests.
    pub allocated: f64,
    /// Nodes asked for x run time of the log, over the node-seconds from the first submission to the last.
    pub offered_load: f64,
    /// Idle nodes while somebody waited who asked for no more.
    pub loss_of_capacity: f64,
    /// Part of it: the idle nodes formed no partition of the size.
    pub lost_to_nodes: f64,
    /// Part of it: they did, but cables were taken.
    pub lost_to_cables: f64,
    /// Part of it: order, or a promise to another.
    pub lost_to_promises: f64,
    /// Work that outages ended.
    pub lost_to_outages: f64,
}

impl Capacity {
    /// Of a machine of `nodes` nodes.
    pub fn of(outcomes: &[Outcome], losses: Losses, nodes: u32) -> Self {
        let first = outcomes.iter().map(|outcome| outcome.job.submit).min().unwrap_or_default();
        let last = outcomes.iter().map(|outcome| outcome.job.submit).max().unwrap_or_default();
        let end = outcomes.iter().filter_map(|outcome| outcome.ran).map(|(_, end)| end).max().unwrap_or(last);
        let span = end.max(last) - first;
        let whole = Share { node_seconds: f64::from(nodes) * span as f64 };
        let submitting = Share { node_seconds: f64::from(nodes) * (last - first) as f64 };
        let sum = |seconds: &dyn Fn(&Outcome, i64, i64) -> (u32, i64)| {
            let terms = outcomes.iter().filter_map(|outcome| {
                let (start, end) = outcome.ran?;
                let (nodes, seconds) = seconds(outcome, start, end);
                Some(u128::from(nodes) * seconds.max(0) as u128)
            });
            terms.sum::<u128>() as f64
        };
        let offered: u128 =
            outcomes.iter().map(|outcome| u128::from(outcome.job.nodes) * outcome.job.run as u128).sum();
        let lost = losses.nodes + losses.cables + losses.promises;
        Capacity {
            span_seconds: span,
            utilization: whole.of(sum(&|outcome, start, end| (outcome.job.nodes, end - start))),
            useful_utilization: whole
                .of(sum(&|outcome, start, end| (outcome.job.nodes, (end - start).min(outcome.job.run)))),
            utilization_while_submitting: submitting
                .of(sum(&|outcome, start, end| (outcome.job.nodes, end.min(last) - start.min(last)))),
            allocated: whole.of(sum(&|outcome, start, end| (outcome.granted_nodes, end - start))),
            offered_load: submitting.of(offered as f64),
            loss_of_capacity: whole.of(lost as f64),
            lost_to_nodes: whole.of(losses.nodes as f64),
            lost_to_cables: whole.of(losses.cables as f64),
            lost_to_promises: whole.of(losses.promises as f64),
            lost_to_outages: whole
                .of(outcomes.iter().map(|outcome| outcome.lost_node_seconds).sum::<u64>() as f64),
        }
    }
}

/// A whole of which shares are taken.
struct Share {
    node_seconds: f64,
}

impl Share {
    fn of(&self, part: f64) -> f64 {
        if self.node_seconds > 0.0 { part / self.node_seconds } else { 0.0 }
    }
}
