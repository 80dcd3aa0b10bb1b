//! The ends of jobs.

use messaging::Report;
use network::GroupTotals;
use workloads::JobPlan;

/// The end of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JobEnd {
    /// The cycle of the job's last delivery, or of the last action of its ranks; none if it has not ended.
    pub cycle: Option<u64>,
}

impl JobEnd {
    /// The end of a job of ranks, from their report.
    pub(super) fn of_ranks(ranks: &Report<'_>, received: Option<&GroupTotals>) -> Self {
        let last_delivery = received.map_or(0, |received| received.last_delivery);
        JobEnd { cycle: ranks.last_finish_cycle().map(|cycle| cycle.max(last_delivery)) }
    }

    /// The end of a job whose packets are known in advance, from the packets that its nodes have received.
    pub(super) fn of(job: &JobPlan, received: Option<&GroupTotals>) -> Self {
        let has_ended = |received: &&GroupTotals| job.total_packets == Some(received.delivered_ever);
        JobEnd { cycle: received.filter(has_ended).map(|received| received.last_delivery) }
    }
}
