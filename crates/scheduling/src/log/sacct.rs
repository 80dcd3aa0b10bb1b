//! The output of Slurm's `sacct --parsable2`: a heading with the names of the columns, then a line for each job and a
//! line for each of its steps, with `|` between fields.
//!
//! ```text
//!   JobID|Submit|Start|Elapsed|Timelimit|NNodes|State
//!   7|2024-03-01T08:00:00|2024-03-01T08:00:03|00:12:09|01:00:00|4|COMPLETED
//!   7.batch|…                                             a step of the job above
//! ```
//!
//! Columns are recognized by their names, in any order. Unknown columns are ignored. The separator is the text between
//! the first two names of the heading (`--delimiter`). Times without an offset from UTC are those of the site's clock.
//! All days of such a clock have 24 hours here, even those on which it is set forward or back. Durations are therefore
//! read from their own columns where the log has them. Fields are not quoted, so only the last column may contain the
//! separator.

use super::details::{After, Needs, Target};
use super::report::Remark;
use super::submit_line::{self, Dependency};
use super::swf::at_least;
use super::times::{Clock, Time, digits};
use input::nearest;
use std::fmt;
use std::str::FromStr;

/// The columns that are read.
const NAMES: [&str; 26] = [
    "JobID",
    "JobIDRaw",
    "Submit",
    "Eligible",
    "Start",
    "End",
    "Elapsed",
    "ElapsedRaw",
    "Timelimit",
    "TimelimitRaw",
    "NNodes",
    "AllocNodes",
    "ReqNodes",
    "NCPUS",
    "AllocCPUS",
    "ReqCPUS",
    "State",
    "User",
    "UID",
    "GID",
    "Partition",
    "QOS",
    "Reservation",
    "ReservationName",
    "Dependency",
    "SubmitLine",
];

/// Names of columns as sacct writes them, for messages.
const EXAMPLE: &str =
    "JobID|JobIDRaw|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State|User|Partition|QOS";

/// The states of jobs in Slurm (sacct(1) and squeue(1), "Job state codes"), and what each means here.
const STATES: [(&str, State); 30] = [
    ("BOOT_FAIL", State::Interrupted),
    ("CANCELLED", State::Canceled),
    ("COMPLETED", State::Completed),
    ("COMPLETING", State::Running),
    ("CONFIGURING", State::Running),
    ("DEADLINE", State::Failed),
    ("EXPEDITING", State::Waiting),
    ("FAILED", State::Failed),
    ("LAUNCH_FAILED", State::Interrupted),
    ("NODE_FAIL", State::Interrupted),
    ("OUT_OF_MEMORY", State::Failed),
    ("PENDING", State::Waiting),
    ("POWER_UP_NODE", State::Running),
    ("PREEMPTED", State::Interrupted),
    ("RECONFIG_FAIL", State::Interrupted),
    ("REQUEUED", State::Requeued),
    ("REQUEUE_FED", State::Requeued),
    ("REQUEUE_HOLD", State::Requeued),
    ("RESIZING", State::Running),
    ("RESV_DEL_HOLD", State::Waiting),
    ("REVOKED", State::Waiting),
    ("RUNNING", State::Running),
    ("SIGNALING", State::Running),
    ("SPECIAL_EXIT", State::Requeued),
    ("STAGE_OUT", State::Running),
    ("STOPPED", State::Running),
    ("SUSPENDED", State::Running),
    ("TIMEOUT", State::Failed),
    ("UPDATE_DB", State::Running),
    ("?", State::Failed),
];

/// The state of a job at the time of the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Waiting,
    Running,
    Completed,
    Failed,
    Canceled,
    /// Ended by the machine. Slurm may queue the job again: with `--duplicates`, sacct prints the next run as another
    /// record with the same number.
    Interrupted,
    /// Queued again, perhaps after a run. A later run is a separate record.
    Requeued,
}

impl State {
    /// Whether the job, or this run of it, has ended without completing.
    pub(super) fn has_failed(self) -> bool {
        match self {
            State::Failed | State::Canceled | State::Interrupted | State::Requeued => true,
            State::Waiting | State::Running | State::Completed => false,
        }
    }

    /// Whether the job may have run again under its number.
    pub(super) fn may_return(self) -> bool {
        match self {
            State::Interrupted | State::Requeued => true,
            State::Waiting | State::Running | State::Completed | State::Failed | State::Canceled => false,
        }
    }

    /// The remark about the job in the report, if any. `has_run` says whether the job has a run time.
    pub(super) fn remark(self, has_run: bool) -> Option<Remark> {
        match self {
            State::Running => Some(Remark::StillRunning),
            State::Requeued => has_run.then_some(Remark::Requeued),
            State::Waiting | State::Completed | State::Failed | State::Canceled | State::Interrupted => None,
        }
    }

    /// Whether the job has started. The log says that it has run for `elapsed` seconds.
    fn has_started(self, elapsed: i64) -> bool {
        match self {
            State::Waiting => false,
            State::Canceled | State::Requeued => elapsed != 0,
            State::Running | State::Completed | State::Failed | State::Interrupted => true,
        }
    }
}

/// The heading of a file: its columns, and for each of [`NAMES`] the index of its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    names: Vec<String>,
    columns: [Option<usize>; NAMES.len()],
    separator: String,
}

/// Whether a line looks like a heading of sacct. Headings of other logs may have some of its names, but neither `JobID`
/// nor `JobIDRaw`. So unless the separator is `|`, one of these is required.
pub(super) fn is_heading(text: &str) -> bool {
    let Some(separator) = separator(text).filter(|separator| !is_blank(separator)) else { return false };
    let names: Vec<&str> = text.split(separator).filter(|name| index_of(name).is_some()).collect();
    match separator {
        "|" => !names.is_empty(),
        _ => names.len() > 1 && names.iter().any(|name| index_of(name) <= Some(1)),
    }
}

/// Whether a line looks like the heading that sacct prints for people: names with blanks between them.
pub(super) fn is_heading_for_people(text: &str) -> bool {
    let known: Vec<usize> = text.split_whitespace().filter_map(index_of).collect();
    known.len() > 1 && known.iter().any(|index| *index <= 1)
}

/// Whether a line looks like the line below that heading: dashes below each name.
pub(super) fn is_underline(text: &str) -> bool {
    text.contains("- -") && text.bytes().all(|byte| matches!(byte, b'-' | b' '))
}

/// The text between the first two names of a heading.
fn separator(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
    let end = rest.find(|letter: char| letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
    (rest.len() < text.len() && end > 0).then(|| &rest[..end])
}

fn is_blank(separator: &str) -> bool {
    separator.bytes().all(|byte| byte == b' ')
}

fn index_of(name: &str) -> Option<usize> {
    let name = name.trim();
    NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))
}

/// The problem with a log that sacct printed for people.
pub(super) fn for_people() -> String {
    format!("columns with blanks between them, as sacct prints them for people: use --parsable2, {}", ask())
}

/// The problem with a line of sacct if the log has no heading.
pub(super) fn without_heading() -> String {
    format!(
        "fields with | between them, as sacct prints them, but no heading above: leave out --noheader, or \
         give torusim the names, as in --columns '{EXAMPLE}'"
    )
}

fn ask() -> String {
    format!("as in --format={}", EXAMPLE.replace('|', ","))
}

impl FromStr for Heading {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if separator(text).is_some_and(is_blank) {
            return Err(for_people());
        }
        if !is_heading(text) {
            return Err(format!(
                "must be the heading of sacct, such as {EXAMPLE}: use --parsable2, and not --noheader"
            ));
        }
        let separator = separator(text).unwrap_or_default().to_owned();
        // --parsable, unlike --parsable2, ends each line with a separator.
        let text = text.strip_suffix(separator.as_str()).unwrap_or(text);
        let names: Vec<String> = text.split(separator.as_str()).map(|name| name.trim().to_owned()).collect();
        let mut columns = [None; NAMES.len()];
        for (field, name) in names.iter().enumerate() {
            let Some(index) = index_of(name) else { continue };
            if columns[index].replace(field).is_some() {
                return Err(format!("the column {name} occurs twice"));
            }
        }
        let heading = Heading { names, columns, separator };
        let has = |names: &[&str]| names.iter().any(|name| heading.columns[known(name)].is_some());
        for (names, what) in REQUIRED {
            if !has(names) {
                return Err(format!("no column {what}: ask sacct for it, {}", ask()));
            }
        }
        Ok(heading)
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.names.join(&self.separator))
    }
}

impl Heading {
    /// The fields of a line. Only the last one may contain the separator.
    fn fields<'t>(&self, text: &'t str) -> Result<Vec<&'t str>, String> {
        let mut fields: Vec<&str> = text.splitn(self.names.len(), self.separator.as_str()).collect();
        if fields.len() < self.names.len() {
            return Err(format!(
                "the line has {} fields, but the heading has {} columns, with {} between them",
                fields.len(),
                self.names.len(),
                if self.separator == "\t" { "a tab" } else { &self.separator }
            ));
        }
        if let Some(last) = fields.last_mut() {
            *last = last.strip_suffix(self.separator.as_str()).unwrap_or(last);
        }
        Ok(fields)
    }

    /// The field of the column `name`. None if the log does not have the column.
    fn field<'t>(&self, fields: &[&'t str], name: &str) -> Option<&'t str> {
        self.columns[known(name)].map(|column| fields[column].trim())
    }
}

/// The columns that a log must have: at least one of each row of this table. The text is the name in messages.
const REQUIRED: [(&[&str], &str); 4] = [
    (&["JobID", "JobIDRaw"], "JobID"),
    (&["Submit"], "Submit"),
    (&["Elapsed", "ElapsedRaw", "End"], "ElapsedRaw"),
    (&["NNodes", "AllocNodes", "ReqNodes", "NCPUS", "AllocCPUS", "ReqCPUS"], "NNodes (or NCPUS)"),
];

fn known(name: &str) -> usize {
    NAMES.iter().position(|known| *known == name).expect("a name of the list")
}

/// The fields of a line that describes a job. Names are not yet replaced by numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'t> {
    pub id: i64,
    pub array: Option<(i64, i64)>,
    pub submit: Option<i64>,
    pub eligible: Option<i64>,
    pub run: Option<i64>,
    pub nodes: Option<i64>,
    pub processors: Option<i64>,
    pub walltime: Option<i64>,
    pub state: Option<State>,
    pub user: Option<&'t str>,
    pub user_number: Option<i64>,
    pub group: Option<i64>,
    pub partition: &'t str,
    pub qos: &'t str,
    pub reservation: &'t str,
    pub after: Vec<After>,
    /// Whether the job has dependencies of kinds that are not simulated.
    pub has_other_dependencies: bool,
    /// The clock of the times. None if the line has no times.
    pub clock: Option<Clock>,
    /// Whether sacct has shortened the number of nodes or processors, as in 4.10K.
    pub has_short_size: bool,
}

/// Reads a line. `None` if it describes a step of a job.
pub(super) fn line<'t>(heading: &Heading, text: &'t str) -> Result<Option<Line<'t>>, String> {
    let reader = Reader { heading, fields: heading.fields(text)? };
    let id = reader.field("JobID").or(reader.field("JobIDRaw")).unwrap_or_default();
    if id.contains('.') {
        return Ok(None);
    }
    reader.line().map(Some)
}

struct Reader<'h, 't> {
    heading: &'h Heading,
    fields: Vec<&'t str>,
}

impl<'t> Reader<'_, 't> {
    fn field(&self, name: &str) -> Option<&'t str> {
        self.heading.field(&self.fields, name)
    }

    /// The value of the first of the columns `names` that exists and has a value. `names` are pairs: the name in
    /// [`NAMES`] and that in messages. The error of `read` says what the field must be.
    fn value<T>(
        &self,
        names: &[&str],
        read: impl Fn(&str) -> Result<Option<T>, &'static str>,
    ) -> Result<Option<T>, String> {
        for name in names {
            let Some(text) = self.field(name) else { continue };
            let value =
                read(text).map_err(|expected| format!("column {name} is {text:?}: must be {expected}"))?;
            if value.is_some() {
                return Ok(value);
            }
        }
        Ok(None)
    }

    fn line(&self) -> Result<Line<'t>, String> {
        let (own, array) = match self.field("JobID") {
            Some(text) => job_number(text).ok_or_else(|| {
                format!("column JobID is {text:?}: must be a job such as 123, 123_4, 123+1 or 123_[5-9]")
            })?,
            None => (0, None),
        };
        let raw = self.value(&["JobIDRaw"], count)?;
        let state = self.state()?;
        let times = ["Submit", "Eligible", "Start", "End"];
        let times = times.map(|name| self.value(&[name], time));
        let [submit, eligible, start, end] = times;
        let (times, clock) = of_one_clock([submit?, eligible?, start?, end?])?;
        let [submit, eligible, start, end] = times;
        let elapsed = match self.value(&["ElapsedRaw"], count)? {
            Some(seconds) => Some(seconds),
            None => self.value(&["Elapsed"], duration)?,
        };
        let elapsed = elapsed.or_else(|| at_least(0, end? - start?));
        let (after, has_other_dependencies) = self.dependencies()?;
        let minutes = self.value(&["TimelimitRaw"], limit_in_minutes)?;
        let limit = self.value(&["Timelimit"], limit)?;
        let user_number = self.value(&["UID"], count)?;
        Ok(Line {
            id: raw.unwrap_or(own),
            array,
            submit,
            eligible,
            run: elapsed.filter(|seconds| self.has_run(state, *seconds)),
            nodes: self.value(&NODES, size)?,
            processors: self.value(&PROCESSORS, size)?,
            walltime: minutes.map(|minutes| minutes.saturating_mul(60)).or(limit),
            state,
            user: self.field("User").filter(|user| !user.is_empty()),
            user_number,
            group: self.value(&["GID"], count)?,
            partition: self.field("Partition").unwrap_or_default(),
            qos: self.field("QOS").unwrap_or_default(),
            reservation: self
                .field("Reservation")
                .or_else(|| self.field("ReservationName"))
                .unwrap_or_default(),
            after,
            has_other_dependencies,
            clock,
            has_short_size: NODES
                .iter()
                .chain(&PROCESSORS)
                .any(|name| self.field(name).is_some_and(is_short)),
        })
    }

    /// Whether the job has run. For a job that was canceled while it waited, Slurm writes its end as its start too, and
    /// 0 allocated nodes.
    fn has_run(&self, state: Option<State>, elapsed: i64) -> bool {
        let has_place = ["AllocNodes", "AllocCPUS"].iter().all(|name| self.field(name) != Some("0"));
        let never_started = state.is_some_and(|state| !state.has_started(elapsed));
        let has_start = self.field("Start").is_none_or(|text| !is_unknown(text));
        has_place && has_start && !never_started
    }

    fn state(&self) -> Result<Option<State>, String> {
        let Some(text) = self.field("State").filter(|text| !text.is_empty()) else { return Ok(None) };
        // "CANCELLED by 1000"
        let word = text.split_whitespace().next().unwrap_or_default();
        let state = STATES.iter().find(|(name, _)| *name == word).map(|(_, state)| *state);
        state.map(Some).ok_or_else(|| {
            let names = STATES.iter().map(|(name, _)| *name);
            format!("column State is {text:?}: must be a state of sacct; {}", nearest(word, names))
        })
    }

    /// The dependencies that are simulated, and whether there are others. sacct prints dependencies only as part of the
    /// command line of the submission (`SubmitLine`). A column `Dependency` is one of squeue.
    fn dependencies(&self) -> Result<(Vec<After>, bool), String> {
        if let Some(text) = self.field("Dependency") {
            return dependencies(text).map_err(|part| {
                format!("column Dependency: {part:?} must be one such as afterok:123 or afterany:123:124_5")
            });
        }
        Ok(match submit_line::dependency(self.field("SubmitLine").unwrap_or_default()) {
            Dependency::None => (vec![], false),
            Dependency::Unclear => (vec![], true),
            // A command line has whatever a user typed: what cannot be read is counted, not refused.
            Dependency::Value(text) => dependencies(&text).unwrap_or((vec![], true)),
        })
    }
}

/// The seconds of `times`, and the clock of all of them.
fn of_one_clock<const N: usize>(
    times: [Option<Time>; N],
) -> Result<([Option<i64>; N], Option<Clock>), String> {
    let clock = times.iter().flatten().next().map(|time| time.clock);
    let is_same = |time: &Time| clock.is_some_and(|clock| clock.is_local() == time.clock.is_local());
    if !times.iter().flatten().all(is_same) {
        return Err(different_clocks());
    }
    Ok((times.map(|time| time.map(|time| time.seconds)), clock))
}

/// The problem with a log in which some times have an offset from UTC and others have none.
pub(super) fn different_clocks() -> String {
    "some times of the log have an offset from UTC and others have none: run sacct with one SLURM_TIME_FORMAT for all"
        .to_owned()
}

const NODES: [&str; 3] = ["NNodes", "AllocNodes", "ReqNodes"];

const PROCESSORS: [&str; 3] = ["NCPUS", "AllocCPUS", "ReqCPUS"];

/// The number of a job. For a task of an array, or a component of a heterogeneous job, also the number of the array,
/// and that of the task. An array that waits has no task number.
fn job_number(text: &str) -> Option<(i64, Option<(i64, i64)>)> {
    let Some(at) = text.find(['_', '+']) else { return Some((digits(text)?, None)) };
    let (job, task) = (digits(&text[..at])?, &text[at + 1..]);
    if task.starts_with('[') && task.ends_with(']') {
        return Some((job, None));
    }
    Some((job, Some((job, digits(task)?))))
}

fn is_unknown(text: &str) -> bool {
    matches!(text, "" | "Unknown" | "None" | "N/A" | "INVALID")
}

fn count(text: &str) -> Result<Option<i64>, &'static str> {
    if is_unknown(text) {
        return Ok(None);
    }
    digits(text).map(Some).ok_or("a whole number")
}

/// Whether sacct has shortened a size, and may have rounded it.
fn is_short(text: &str) -> bool {
    text.ends_with(['K', 'M']) && text.contains('.')
}

/// A number of nodes or processors. sacct shortens it, for example to 4K, unless `--noconvert` is given. None for 0.
fn size(text: &str) -> Result<Option<i64>, &'static str> {
    const EXPECTED: &str = "a number of nodes or processors, such as 64 or 4K";
    let factors = [('K', 1i64 << 10), ('M', 1 << 20)];
    let factor = factors.iter().find(|(letter, _)| text.ends_with(*letter));
    let Some((_, factor)) = factor else {
        return Ok(count(text).map_err(|_| EXPECTED)?.filter(|size| *size > 0));
    };
    let number: f64 = text[..text.len() - 1].parse().map_err(|_| EXPECTED)?;
    if !(0.0..1e9).contains(&number) {
        return Err(EXPECTED);
    }
    Ok(at_least(1, (number * *factor as f64).round() as i64))
}

/// A duration in seconds: `[days-]hours:minutes:seconds` or `minutes:seconds`. A fraction of a second is dropped.
fn duration(text: &str) -> Result<Option<i64>, &'static str> {
    if is_unknown(text) {
        return Ok(None);
    }
    seconds(text).map(Some).ok_or("a duration such as 1-02:03:04")
}

fn seconds(text: &str) -> Option<i64> {
    let (days, clock) = text.split_once('-').unwrap_or(("0", text));
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    digits(fraction)?;
    let parts: Option<Vec<i64>> = clock.split(':').map(digits).collect();
    let (hours, minutes, seconds) = match parts?[..] {
        [hours, minutes, seconds] => (hours, minutes, seconds),
        [minutes, seconds] => (0, minutes, seconds),
        _ => return None,
    };
    if minutes > 59 || seconds > 59 {
        return None;
    }
    digits(days)?
        .checked_mul(86_400)?
        .checked_add(hours.checked_mul(3600)?)?
        .checked_add(minutes * 60 + seconds)
}

/// Whether a time limit is no number: there is none, or it is the limit of the partition, which is not in the log.
fn has_no_limit(text: &str) -> bool {
    is_unknown(text) || text.eq_ignore_ascii_case("UNLIMITED") || text.eq_ignore_ascii_case("Partition_Limit")
}

fn limit(text: &str) -> Result<Option<i64>, &'static str> {
    if has_no_limit(text) {
        return Ok(None);
    }
    let seconds = seconds(text).ok_or("a duration such as 1-02:03:04, UNLIMITED or Partition_Limit")?;
    Ok(at_least(1, seconds))
}

fn limit_in_minutes(text: &str) -> Result<Option<i64>, &'static str> {
    if has_no_limit(text) {
        return Ok(None);
    }
    let minutes = digits(text).ok_or("a number of minutes, UNLIMITED or Partition_Limit")?;
    Ok(at_least(1, minutes))
}

fn time(text: &str) -> Result<Option<Time>, &'static str> {
    if is_unknown(text) {
        return Ok(None);
    }
    // With SLURM_TIME_FORMAT=%s, times are seconds since 1970. Times after `LATEST_SUBMIT`, later than any
    // date, are dropped as out of range.
    let unix = digits(text).map(|seconds| Time { seconds, clock: Clock::Utc(0) });
    let time = unix.or_else(|| Time::read(text));
    time.map(Some)
        .ok_or("a time such as 2024-03-01T08:00:00 (with an offset such as +0100 or none), or Unknown")
}

/// The dependencies of a list such as `afterok:123:124,afterany:125_4`, and whether there are others that are not
/// simulated: dependencies of other kinds, or alternatives, which `?` separates. The error is the part that cannot be
/// read.
fn dependencies(text: &str) -> Result<(Vec<After>, bool), String> {
    if matches!(text, "" | "(null)" | "N/A") {
        return Ok((vec![], false));
    }
    let mut after = vec![];
    let mut has_others = text.contains('?');
    for part in text.split([',', '?']) {
        // squeue adds in parentheses whether the dependency is fulfilled.
        let mut words = part.split(':').map(|word| word.split('(').next().unwrap_or_default());
        let kind = words.next().unwrap_or_default().to_ascii_lowercase();
        let needs = match kind.as_str() {
            "afterany" => Needs::AnyEnd,
            "afterok" => Needs::Completion,
            "afternotok" => Needs::Failure,
            _ if OTHER_KINDS.contains(&kind.as_str()) || job_number(&kind).is_some() => {
                has_others = true;
                continue;
            }
            _ => return Err(part.to_owned()),
        };
        let before = after.len();
        for word in words {
            // _* stands for all tasks of an array.
            let (job, array) = job_number(word.trim_end_matches("_*")).ok_or_else(|| part.to_owned())?;
            after.push(After { target: Target { job, task: array.map(|array| array.1) }, needs, think: 0 });
        }
        has_others |= after.len() == before;
    }
    if text.contains('?') {
        after.clear();
    }
    Ok((after, has_others))
}

/// Kinds of dependencies that are not simulated. A number without a kind, Slurm's old form, is not simulated either.
const OTHER_KINDS: [&str; 5] = ["after", "afterburstbuffer", "aftercorr", "expand", "singleton"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_limits() {
        assert_eq!(duration("1-02:03:04"), Ok(Some(93_784)));
        assert_eq!(duration("02:03.456"), Ok(Some(123)));
        assert_eq!(duration("INVALID"), Ok(None));
        assert_eq!(duration("1:2:3:4").ok(), None);
        assert_eq!(duration("00:60:00").ok(), None);
        assert_eq!(limit("UNLIMITED"), Ok(None));
        assert_eq!(limit("Partition_Limit"), Ok(None));
        assert_eq!(limit_in_minutes("90"), Ok(Some(90)));
        assert_eq!(size("4K"), Ok(Some(4096)));
        assert_eq!(size("1.5K"), Ok(Some(1536)));
        assert_eq!(size("0"), Ok(None));
    }

    #[test]
    fn numbers_of_jobs_arrays_and_heterogeneous_jobs() {
        assert_eq!(job_number("123"), Some((123, None)));
        assert_eq!(job_number("123_4"), Some((123, Some((123, 4)))));
        assert_eq!(job_number("123+1"), Some((123, Some((123, 1)))));
        assert_eq!(job_number("123_[5-9%2]"), Some((123, None)));
        for text in ["", "_4", "123_", "12a", "-5", "123_4_5"] {
            assert_eq!(job_number(text), None, "{text}");
        }
    }

    #[test]
    fn lists_of_dependencies() {
        let after = |job, task, needs| After { target: Target { job, task }, needs, think: 0 };
        let several = vec![
            after(5, None, Needs::Completion),
            after(6, Some(2), Needs::Completion),
            after(7, None, Needs::AnyEnd),
        ];
        let one = vec![after(5, None, Needs::Completion)];
        for (text, expected) in [
            ("afterok:5:6_2,afterany:7", (several, false)),
            ("AfterOK:5", (one.clone(), false)),
            ("afterok:5_*(unfulfilled)", (one.clone(), false)),
            ("afterok:5,singleton(unfulfilled)", (one.clone(), true)),
            ("afterok:5,expand:3,after:1+5", (one, true)),
            ("afterok:5?afterok:6", (vec![], true)),
            ("singleton", (vec![], true)),
            ("5:6", (vec![], true)),
            ("afterany", (vec![], true)),
            ("(null)", (vec![], false)),
        ] {
            assert_eq!(dependencies(text), Ok(expected), "{text}");
        }
        assert!(dependencies("afterok:x").is_err() && dependencies("before:5").is_err());
    }

    #[test]
    fn headings_have_separators() {
        let line = |heading: &str, text: &str| -> Result<_, String> {
            Ok(line(&heading.parse()?, text)?.map(|line| (line.id, line.submit, line.nodes)))
        };
        for separator in ["|", ",", ";", "\t", "^", "::"] {
            let heading = "JobID|Submit|ElapsedRaw|NNodes".replace('|', separator);
            let text = "7|2024-03-01T08:00:00|5|4".replace('|', separator);
            let expected = Ok(Some((7, Some(1_709_280_000), Some(4))));
            assert_eq!(line(&heading, &text), expected, "{separator}");
            // As --parsable prints them.
            assert_eq!(line(&(heading + separator), &(text + separator)), expected, "{separator}");
        }
        assert!(
            "JobID Submit Elapsed NNodes"
                .parse::<Heading>()
                .is_err_and(|error| error.contains("--parsable2"))
        );
        assert!(is_underline("------- -------- ---") && !is_underline("-1 -1"));
        assert!(!is_heading("job,submit,run,nodes") && !is_heading("1|2|3") && !is_heading("|"));
    }
}
