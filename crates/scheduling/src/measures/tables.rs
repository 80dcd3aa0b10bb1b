//! The tables of a schedule, in columns.

use super::{Delays, Outcome};
use crate::state::Reason;
use std::collections::BTreeMap;

/// A table: columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name of the table.
    pub name: &'static str,
    /// The columns, with their names.
    pub columns: Vec<(&'static str, Column)>,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Numbers and times.
    I64(Vec<i64>),
    /// Numbers and times that may be missing.
    OptionalI64(Vec<Option<i64>>),
    /// Counts.
    U32(Vec<u32>),
    /// Shares and means.
    F64(Vec<f64>),
    /// Flags.
    Bool(Vec<bool>),
    /// Names; empty if there is none.
    Text(Vec<String>),
}

/// The additional columns of the table of jobs at a site.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiteColumns<'a> {
    /// The names of the queues; empty if there are none.
    pub queues: &'a [String],
    /// The submit times of the log, if jobs wait for others.
    pub submitted: Option<&'a [i64]>,
}

impl SiteColumns<'_> {
    /// The name of the queue of a job; "" if it is in none.
    fn queue_of(self, outcome: &Outcome) -> String {
        let index = usize::from(outcome.job.queue).checked_sub(1);
        index.map_or(String::new(), |index| self.queues[index].clone())
    }
}

/// One row for each job, in order of submission; `name` gives the names of partitions.
pub(crate) fn jobs_table(outcomes: &[Outcome], name: impl Fn(u32) -> String, site: SiteColumns<'_>) -> Table {
    let i64s = |value: &dyn Fn(&Outcome) -> i64| Column::I64(outcomes.iter().map(value).collect());
    let optional =
        |value: &dyn Fn(&Outcome) -> Option<i64>| Column::OptionalI64(outcomes.iter().map(value).collect());
    let u32s = |value: &dyn Fn(&Outcome) -> u32| Column::U32(outcomes.iter().map(value).collect());
    let texts = |value: &dyn Fn(&Outcome) -> String| Column::Text(outcomes.iter().map(value).collect());
    let mut columns = vec![
        ("job", i64s(&|outcome| outcome.job.id)),
        ("submit", i64s(&|outcome| outcome.job.submit)),
        ("start", optional(&|outcome| outcome.ran.map(|ran| ran.0))),
        ("end", optional(&|outcome| outcome.ran.map(|ran| ran.1))),
        ("nodes", u32s(&|outcome| outcome.job.nodes)),
        ("partition", texts(&|outcome| outcome.partition.map_or(String::new(), &name))),
        ("granted_nodes", u32s(&|outcome| outcome.granted_nodes)),
        ("run", i64s(&|outcome| outcome.job.run)),
        ("walltime", i64s(&|outcome| outcome.job.walltime)),
        ("user", i64s(&|outcome| outcome.job.user.into())),
        ("application", i64s(&|outcome| outcome.job.application.into())),
        ("promised", optional(&|outcome| outcome.reserved)),
        ("restarts", u32s(&|outcome| outcome.restarts)),
        ("killed", Column::Bool(outcomes.iter().map(|outcome| outcome.killed).collect())),
        ("reason", texts(&|outcome| outcome.reason.map_or(String::new(), |reason| reason.name().to_owned()))),
    ];
    if !site.queues.is_empty() {
        columns.push(("queue", texts(&|outcome| site.queue_of(outcome))));
    }
    if let Some(submitted) = site.submitted {
        columns.push(("logged_submit", Column::I64(submitted.to_vec())));
    }
    Table { name: "jobs", columns }
}

/// One row for each queue of the site, in their order, and one without a name for jobs in none, if any. Means of queues
/// of which no job ran are NaN.
pub(crate) fn queues_table(outcomes: &[Outcome], queues: &[String], node_seconds: f64) -> Table {
    let mut members: Vec<Vec<&Outcome>> = vec![vec![]; queues.len() + 1];
    for outcome in outcomes {
        members[usize::from(outcome.job.queue)].push(outcome);
    }
    let mut rows: Vec<(String, Vec<&Outcome>)> = queues.iter().cloned().zip(members.split_off(1)).collect();
    rows.extend(members.pop().filter(|others| !others.is_empty()).map(|others| (String::new(), others)));
    let delays: Vec<Option<Delays>> =
        rows.iter().map(|(_, members)| Delays::of(members.iter().copied())).collect();
    let u32s = |value: &dyn Fn(&[&Outcome]) -> usize| {
        Column::U32(rows.iter().map(|row| value(&row.1) as u32).collect())
    };
    let f64s = |value: &dyn Fn(&Delays) -> f64| {
        Column::F64(delays.iter().map(|row| row.as_ref().map_or(f64::NAN, value)).collect())
    };
    let share = |members: &[&Outcome]| {
        let used = members.iter().filter_map(|outcome| {
            let (start, end) = outcome.ran?;
            Some(u128::from(outcome.granted_nodes) * (end - start) as u128)
        });
        if node_seconds > 0.0 { used.sum::<u128>() as f64 / node_seconds } else { 0.0 }
    };
    let columns = vec![
        ("queue", Column::Text(rows.iter().map(|row| row.0.clone()).collect())),
        ("jobs", u32s(&|members| members.len())),
        ("jobs_run", u32s(&|members| members.iter().filter(|outcome| outcome.ran.is_some()).count())),
        ("allocated", Column::F64(rows.iter().map(|row| share(&row.1)).collect())),
        ("wait_seconds_mean", f64s(&|delays| delays.wait.mean)),
        ("wait_seconds_median", f64s(&|delays| delays.wait.median)),
        ("wait_seconds_p90", f64s(&|delays| delays.wait.p90)),
        ("wait_seconds_max", f64s(&|delays| delays.wait.max)),
        ("response_seconds_mean", f64s(&|delays| delays.response.mean)),
        ("bounded_slowdown_mean", f64s(&|delays| delays.bounded_slowdown.mean)),
        ("bounded_slowdown_median", f64s(&|delays| delays.bounded_slowdown.median)),
    ];
    Table { name: "queues", columns }
}

/// Maximum number of size classes with one exact size each; with more sizes, each class is a power of two.
const EXACT_SIZES: usize = 16;

/// One row for each size class.
pub(crate) fn sizes_table(outcomes: &[Outcome]) -> Table {
    let mut exact: BTreeMap<u32, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.ran.is_some()) {
        exact.entry(outcome.granted_nodes).or_default().push(outcome);
    }
    let classes: BTreeMap<u32, Vec<&Outcome>> = if exact.len() <= EXACT_SIZES {
        exact
    } else {
        let mut classes: BTreeMap<u32, Vec<&Outcome>> = BTreeMap::new();
        for (nodes, members) in exact {
            classes.entry(nodes.next_power_of_two()).or_default().extend(members);
        }
        classes
    };
    let delays: Vec<(u32, usize, Delays)> = classes
        .iter()
        .filter_map(|(nodes, members)| Some((*nodes, members.len(), Delays::of(members.iter().copied())?)))
        .collect();
    let f64s = |value: &dyn Fn(&Delays) -> f64| Column::F64(delays.iter().map(|row| value(&row.2)).collect());
    let columns = vec![
        ("up_to_nodes", Column::U32(delays.iter().map(|row| row.0).collect())),
        ("jobs", Column::U32(delays.iter().map(|row| row.1 as u32).collect())),
        ("wait_seconds_mean", f64s(&|delays| delays.wait.mean)),
        ("wait_seconds_median", f64s(&|delays| delays.wait.median)),
        ("wait_seconds_p90", f64s(&|delays| delays.wait.p90)),
        ("wait_seconds_max", f64s(&|delays| delays.wait.max)),
        ("response_seconds_mean", f64s(&|delays| delays.response.mean)),
        ("response_seconds_median", f64s(&|delays| delays.response.median)),
        ("bounded_slowdown_mean", f64s(&|delays| delays.bounded_slowdown.mean)),
        ("bounded_slowdown_median", f64s(&|delays| delays.bounded_slowdown.median)),
        ("bounded_slowdown_p90", f64s(&|delays| delays.bounded_slowdown.p90)),
    ];
    Table { name: "sizes", columns }
}

/// Maximum number of rows of the series.
const SERIES_ROWS: i64 = 400;

/// A run that an outage ended.
pub(crate) struct BrokenRun {
    /// The index of the job.
    pub job: usize,
    pub start: i64,
    pub end: i64,
    pub granted_nodes: u32,
}

/// Utilization and queue length over time, in at most 400 equal intervals; `broken` is in order of time.
pub(crate) fn series_table(outcomes: &[Outcome], broken: &[BrokenRun], nodes: u32) -> Table {
    let first = outcomes.iter().map(|outcome| outcome.job.submit).min().unwrap_or_default();
    let ends = outcomes.iter().map(|outcome| outcome.ran.map_or(outcome.job.submit, |ran| ran.1));
    let last = ends.chain(broken.iter().map(|run| run.end)).max().unwrap_or(first);
    let span = (last - first).max(1);
    let step = (span + SERIES_ROWS - 1) / SERIES_ROWS;
    let rows = ((span + step - 1) / step) as usize;
    let mut series = Series { first, step, sums: vec![[0; 3]; rows] };
    let mut waits_since: Vec<i64> = outcomes.iter().map(|outcome| outcome.job.submit).collect();
    for &BrokenRun { job, start, end, granted_nodes } in broken {
        series.add(1, start, end, granted_nodes);
        series.add(2, waits_since[job], start, 1);
        waits_since[job] = end;
    }
    for (outcome, &since) in outcomes.iter().zip(&waits_since) {
        if let Some((start, end)) = outcome.ran {
            series.add(0, start, end, outcome.job.nodes);
            series.add(1, start, end, outcome.granted_nodes);
            series.add(2, since, start, 1);
        } else if matches!(outcome.reason, Some(Reason::OutOfService | Reason::Reserved)) {
            series.add(2, since, last, 1);
        }
    }
    let times: Vec<i64> = (0..rows as i64).map(|row| first + row * step).collect();
    let mean = |quantity: usize, of: f64| {
        Column::F64(series.sums.iter().map(|sums| sums[quantity] as f64 / (step as f64 * of)).collect())
    };
    let columns = vec![
        ("start", Column::I64(times.clone())),
        ("end", Column::I64(times.iter().map(|time| time + step).collect())),
        ("utilization", mean(0, nodes.into())),
        ("allocated", mean(1, nodes.into())),
        ("waiting_jobs", mean(2, 1.0)),
    ];
    Table { name: "series", columns }
}

struct Series {
    first: i64,
    step: i64,
    sums: Vec<[u128; 3]>,
}

impl Series {
    /// Adds `amount` for the time from `from` to `until`.
    fn add(&mut self, quantity: usize, from: i64, until: i64, amount: u32) {
        let (mut from, until) = (from - self.first, until - self.first);
        while from < until {
            let row = from / self.step;
            let next = until.min((row + 1) * self.step);
            self.sums[row as usize][quantity] += (next - from) as u128 * u128::from(amount);
            from = next;
        }
    }
}
