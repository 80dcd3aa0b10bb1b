//! The table of jobs: a row for each, with the packets that its nodes have sent and received.

use super::tables::{Column, Table, table};
use crate::run::JobEnd;
use network::{GroupTotals, NodeCounters, Parameters, Totals};
use std::ops::Range;
use workloads::JobPlan;

/// The figures of a job.
struct Row<'a> {
    plan: &'a JobPlan,
    totals: GroupTotals,
    /// Packets that have left the job's nodes, including those that they relay.
    injected: u64,
    end: JobEnd,
    /// Cycles of the measurement since the job's start.
    measured_cycles: u64,
}

impl Row<'_> {
    /// Cycles from the job's start to its end.
    fn completion_cycles(&self) -> Option<f64> {
        self.end.cycle.map(|end| end.saturating_sub(self.plan.start_cycles) as f64)
    }

    fn latency_mean(&self) -> Option<f64> {
        let GroupTotals { delivered, latency_sum, .. } = self.totals;
        (delivered > 0).then(|| latency_sum as f64 / delivered as f64)
    }

    fn latency_p99(&self) -> Option<f64> {
        let latency = &self.totals.latency;
        (self.totals.delivered > 0)
            .then(|| latency.value_at_quantile(0.99).min(self.totals.latency_max) as f64)
    }
}

/// One row for each job, with counts over `measured` cycles; a figure that does not apply is not a number.
pub(crate) fn jobs_table<'a>(
    parameters: &Parameters,
    jobs: &[(&'a JobPlan, JobEnd)],
    (totals, nodes): (&Totals, &[NodeCounters]),
    measured: Range<u64>,
) -> Table {
    let row = |(number, &(plan, end)): (usize, &(&'a JobPlan, JobEnd))| Row {
        totals: totals.groups.get(number).cloned().unwrap_or_default(),
        injected: plan.nodes.nodes().iter().map(|&node| u64::from(nodes[node as usize].injected)).sum(),
        end,
        measured_cycles: measured.end.saturating_sub(measured.start.max(plan.start_cycles)),
        plan,
    };
    let rows: Vec<Row<'_>> = jobs.iter().enumerate().map(row).collect();
    let numbers = |of: &dyn Fn(&Row<'_>) -> Option<f64>| {
        Column::F64(rows.iter().map(|row| of(row).unwrap_or(f64::NAN)).collect())
    };
    let counts = |of: &dyn Fn(&Row<'_>) -> u64| Column::U64(rows.iter().map(of).collect());
    let accepted = |row: &Row<'_>| {
        let bytes = row.totals.delivered_chunks as f64 * f64::from(parameters.packet.chunk_bytes);
        let cycles = row.measured_cycles;
        (cycles > 0).then(|| bytes / row.plan.nodes.nodes().len() as f64 / cycles as f64)
    };
    let columns = vec![
        ("job", Column::Text(rows.iter().map(|row| row.plan.name.clone()).collect())),
        ("workload", Column::Text(rows.iter().map(|row| row.plan.kind.to_owned()).collect())),
        ("nodes", Column::U32(rows.iter().map(|row| row.plan.nodes.nodes().len() as u32).collect())),
        ("start_cycle", counts(&|row| row.plan.start_cycles)),
        ("packets_injected", counts(&|row| row.injected.saturating_sub(row.totals.relayed))),
        ("packets_delivered", counts(&|row| row.totals.delivered)),
        ("last_delivery_cycle", counts(&|row| row.totals.last_delivery)),
        ("completion_cycles", numbers(&|row| row.completion_cycles())),
        ("bound_cycles", numbers(&|row| row.plan.bound?.drained_cycles)),
        ("accepted_bytes_per_node_per_cycle", numbers(&accepted)),
        ("latency_cycles_mean", numbers(&|row| row.latency_mean())),
        ("latency_cycles_p99", numbers(&|row| row.latency_p99())),
        ("latency_cycles_max", counts(&|row| row.totals.latency_max)),
    ];
    table("jobs", columns)
}
