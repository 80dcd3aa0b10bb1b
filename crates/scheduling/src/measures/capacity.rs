//! Utilization and loss of capacity.

use super::Outcome;
use crate::queue::LostCapacity;
use serde::Serialize;

/// Fractions of the machine's node-seconds, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Capacity {
    /// From the first submission to the last end, in seconds.
    pub span_seconds: i64,
    /// Requested nodes x run time.
    pub utilization: f64,
    /// Requested nodes x run time, without the run time that open dimensions add.
    pub useful_utilization: f64,
    /// Requested nodes x run time from the first submission to the last, without the time in which the machine empties.
    pub utilization_while_submitting: f64,
    /// Allocated nodes x run time: partitions may be larger than requests.
    pub allocated: f64,
    /// Requested nodes x run time of the log, over the node-seconds from the first submission to the last.
    pub offered_load: f64,
    /// Idle nodes while a job waited that requested no more than these.
    pub loss_of_capacity: f64,
    /// Part of this loss: the idle nodes formed no partition of the requested size.
    pub lost_to_nodes: f64,
    /// Part of this loss: they formed one, but its cables were in use.
    pub lost_to_cables: f64,
    /// Part of this loss: the order or a reservation of another job.
    #[serde(rename = "lost_to_promises")]
    pub lost_to_reservations: f64,
    /// Work of jobs that outages ended.
    pub lost_to_outages: f64,
}

impl Capacity {
    /// The measures of a machine of `nodes` nodes.
    pub fn of(outcomes: &[Outcome], losses: LostCapacity, nodes: u32) -> Self {
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
        let lost = losses.nodes + losses.cables + losses.reservations;
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
            lost_to_reservations: whole.of(losses.reservations as f64),
            lost_to_outages: whole
                .of(outcomes.iter().map(|outcome| outcome.lost_node_seconds).sum::<u128>() as f64),
        }
    }
}

/// A total of which fractions are computed.
struct Share {
    node_seconds: f64,
}

impl Share {
    fn of(&self, part: f64) -> f64 {
        if self.node_seconds > 0.0 { part / self.node_seconds } else { 0.0 }
    }
}
