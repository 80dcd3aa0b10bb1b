//! The quantities of a schedule's summary: how screens label them and format their values.

use Format::*;
use serde::Serialize;

/// How the value of a quantity is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// An integer.
    Count,
    /// The count of each reason.
    ByReason,
    /// A number with four significant digits.
    Number,
    /// A share, 0 to 1, in percent.
    Share,
    /// Seconds, in units from seconds to days.
    LongDuration,
}

/// A key of the summary.
#[derive(Debug, Serialize)]
pub struct Quantity {
    key: &'static str,
    /// Format and label of its row on a screen; none if it is only in files.
    row: Option<(Format, &'static str)>,
    /// Whether the row is left out where it is 0.
    unless_zero: bool,
}

const fn shown(key: &'static str, format: Format, label: &'static str) -> Quantity {
    Quantity { key, row: Some((format, label)), unless_zero: false }
}

const fn unshown(key: &'static str) -> Quantity {
    Quantity { key, row: None, unless_zero: false }
}

impl Quantity {
    const fn unless_zero(self) -> Self {
        Quantity { unless_zero: true, ..self }
    }
}

/// Every key of a summary, in the order of the screen.
pub const QUANTITIES: &[Quantity] = &[
    shown("machine_nodes", Count, "Nodes"),
    shown("jobs", Count, "Jobs"),
    shown("jobs_run", Count, "Jobs that ran"),
    shown("jobs_not_run", ByReason, "Jobs that did not run"),
    shown("jobs_killed", Count, "Killed at end of walltime").unless_zero(),
    shown("restarts", Count, "Restarts after outages").unless_zero(),
    shown("span_seconds", LongDuration, "Span"),
    shown("offered_load", Share, "Offered load"),
    shown("utilization", Share, "Utilization"),
    shown("useful_utilization", Share, "  without slowdown"),
    shown("utilization_while_submitting", Share, "  while jobs are submitted"),
    shown("allocated", Share, "  by allocated nodes"),
    shown("loss_of_capacity", Share, "Loss of capacity"),
    shown("lost_to_nodes", Share, "  idle nodes form no partition").unless_zero(),
    shown("lost_to_cables", Share, "  cables in use").unless_zero(),
    shown("lost_to_promises", Share, "  order and reservations"),
    shown("lost_to_outages", Share, "Lost to outages").unless_zero(),
    shown("wait_seconds_mean", LongDuration, "Wait, mean"),
    shown("wait_seconds_median", LongDuration, "Wait, median"),
    shown("wait_seconds_p90", LongDuration, "Wait, 90th percentile"),
    shown("wait_seconds_max", LongDuration, "Wait, longest"),
    shown("response_seconds_mean", LongDuration, "Response, mean"),
    shown("bounded_slowdown_mean", Number, "Bounded slowdown, mean"),
    shown("bounded_slowdown_median", Number, "Bounded slowdown, median"),
    shown("overtaken_share", Share, "Jobs overtaken by later ones"),
    shown("jain_of_users", Number, "Jain's index of users' slowdowns"),
    shown("broken_promises", Count, "Delayed reservations").unless_zero(),
    unshown("outcome"),
    unshown("passes"),
    unshown("wait_seconds_p99"),
    unshown("response_seconds_median"),
    unshown("response_seconds_p90"),
    unshown("response_seconds_p99"),
    unshown("response_seconds_max"),
    unshown("bounded_slowdown_p90"),
    unshown("bounded_slowdown_p99"),
    unshown("bounded_slowdown_max"),
];

/// Whether all keys of a summary are declared above.
pub(crate) fn are_declared(summary: &serde_json::Map<String, serde_json::Value>) -> bool {
    summary.keys().all(|key| QUANTITIES.iter().any(|quantity| quantity.key == key))
}
