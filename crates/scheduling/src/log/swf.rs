//! The Standard Workload Format, version 2 (Feitelson, Parallel Workloads Archive): 18 columns of numbers, -1 for
//! unknown values, comments after `;`, and a header of comments `; Name: value`.
//!
//! ```text
//!   1 job  2 submit  3 wait  4 run  5 allocated processors  6 processor time  7 memory  8 requested processors
//!   9 requested time  10 requested memory  11 status  12 user  13 group  14 executable  15 queue  16 partition
//!   17 preceding job  18 think time
//! ```
//!
//! The wait is not read, because the simulation computes it.

use super::details::{After, Collected, Details, NO_NAME, Name, Needs, Target};
use super::{Fields, LATEST_SUBMIT, LONGEST_RUN, Log, Remark, Row, Time};

pub(crate) const COLUMNS: usize = 18;

/// Status of a job that was canceled, before or after its start.
pub(super) const CANCELLED: i64 = 5;

/// Status of a job that failed.
const FAILED: i64 = 0;

/// Status of a line that describes one partial execution of a job.
const PARTS: std::ops::RangeInclusive<i64> = 2..=4;

pub(super) fn row(fields: &Fields<'_>, collected: &mut Collected) -> Result<Row, String> {
    if fields.count != COLUMNS {
        return Err(format!(
            "{} columns: a line of the Standard Workload Format has {COLUMNS}; other logs need a column map",
            fields.count
        ));
    }
    let mut was_rounded = false;
    let mut read = |column| fields.number(column, &mut was_rounded);
    let numbers = [1, 2, 4, 5, 8, 9, 11, 12, 14].map(&mut read);
    // Unused columns must hold numbers too: letters there indicate another format.
    let mut ignored = false;
    let mut others = [0; 9];
    for (number, column) in others.iter_mut().zip([3, 6, 7, 10, 13, 15, 16, 17, 18]) {
        *number = fields.number(column, &mut ignored)?;
    }
    let [_, _, _, _, group, queue, partition, before, think] = others;
    let [id, submit, run, allocated, requested, walltime, status, user, application] = numbers;
    let status = status?;
    let details = Details {
        queue: name(queue, collected),
        partition: name(partition, collected),
        group: at_least(0, group),
        has_failed: matches!(status, FAILED | CANCELLED),
        after: after(before, think).into_iter().collect(),
        ..Details::default()
    };
    let row = Row {
        id: id?,
        submit: at_least(0, submit?),
        run: at_least(0, run?),
        allocated_processors: at_least(1, allocated?),
        requested_processors: at_least(1, requested?),
        walltime: at_least(1, walltime?),
        status: Some(status),
        user: user?,
        application: application?,
        details,
        ..Row::default()
    };
    Ok(Row { was_rounded, ..row })
}

/// The name of a queue or partition: its number, which is not negative.
fn name(number: i64, collected: &mut Collected) -> Name {
    if number < 0 { NO_NAME } else { collected.number(number) }
}

/// The dependency on the preceding job, if the line names one.
fn after(before: i64, think: i64) -> Option<After> {
    let target = Target { job: before, task: None };
    (before > 0).then(|| After { target, needs: Needs::AnyEnd, think: think.clamp(0, LONGEST_RUN) })
}

/// The number, or `None` if it is below `min`, which marks a missing value.
pub(super) fn at_least(min: i64, number: i64) -> Option<i64> {
    (number >= min).then_some(number)
}

/// Why a line cannot become a job.
pub(super) fn reason_to_drop(row: &Row) -> Option<Remark> {
    if row.status.is_some_and(|status| PARTS.contains(&status)) {
        Some(Remark::PartOfJob)
    } else if row.submit.is_none() {
        Some(Remark::NoSubmitTime)
    } else if row.run.is_none() {
        Some(Remark::NoRunTime)
    } else if has_time_out_of_range(row) {
        Some(Remark::TimeOutOfRange)
    } else if row.nodes.or(row.allocated_processors).or(row.requested_processors).is_none() {
        Some(Remark::NoProcessors)
    } else {
        None
    }
}

/// Whether a time is so large that sums of times could overflow.
fn has_time_out_of_range(row: &Row) -> bool {
    row.submit.is_some_and(|submit| submit > LATEST_SUBMIT)
        || [row.run, row.walltime].into_iter().flatten().any(|seconds| seconds > LONGEST_RUN)
}

/// Reads the size of the machine from a header comment, `MaxProcs` or else `MaxNodes`, and the date of second 0, which
/// is 0 where it is not known.
pub(super) fn take_header(comment: &str, log: &mut Log) {
    let Some((name, value)) = comment.split_once(':') else { return };
    let Some(number) = value.split_whitespace().next().and_then(|word| word.parse::<i64>().ok()) else {
        return;
    };
    let size = u32::try_from(number).ok();
    match name.trim() {
        "MaxProcs" => log.processors = size.or(log.processors),
        "MaxNodes" => log.processors = log.processors.or(size),
        "UnixStartTime" => log.zero = Time::of_unix(number).filter(|time| time.seconds > 0),
        _ => {}
    }
}

/// A log with a header of `Name: value`; -1 stands for unknown values.
pub(crate) fn swf_text(header: &[(&str, String)], rows: impl Iterator<Item = [i64; COLUMNS]>) -> String {
    let header = header.iter().map(|(name, value)| format!("; {name}: {value}\n"));
    let line = |row: [i64; COLUMNS]| row.map(|number| number.to_string()).join(" ") + "\n";
    header.chain(rows.map(line)).collect()
}
