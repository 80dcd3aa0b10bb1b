//! The output of Slurm's `sacct --parsable2`: a heading with the names of the columns, then a line for each job and for
//! each of its steps, with `|` between fields.
//!
//! ```text
//!   JobID|Submit|Start|Elapsed|Timelimit|NNodes|State
//!   7|2024-03-01T08:00:00|2024-03-01T08:00:03|00:12:09|01:00:00|4|COMPLETED
//!   7.batch|…                                             a step: part of the job above
//! ```
//!
//! Columns are recognized by their names, in any order; unknown ones are not read. Times are the local time of the site
//! without a zone, so that days on which clocks change have 24 hours here too: durations come from their own columns
//! where there are any. No field is quoted: only the last column may contain `|`.

use super::details::{After, Needs, Target};
use super::swf::at_least;
use input::nearest;

/// The columns that are read.
const NAMES: [&str; 26] = [
    "jobid",
    "jobidraw",
    "submit",
    "eligible",
    "start",
    "end",
    "elapsed",
    "elapsedraw",
    "timelimit",
    "timelimitraw",
    "nnodes",
    "allocnodes",
    "reqnodes",
    "ncpus",
    "alloccpus",
    "reqcpus",
    "state",
    "user",
    "uid",
    "gid",
    "partition",
    "qos",
    "reservation",
    "reservationname",
    "dependency",
    "submitline",
];

/// The names as sacct writes them, for messages.
const EXAMPLE: &str =
    "JobID|JobIDRaw|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State|User|Partition|QOS";

/// The base states of jobs, and whether jobs in them wait, run or have ended (sacct(1), "Job state codes").
const STATES: [(&str, State); 16] = [
    ("BOOT_FAIL", State::Failed),
    ("CANCELLED", State::Canceled),
    ("COMPLETED", State::Completed),
    ("COMPLETING", State::Running),
    ("CONFIGURING", State::Running),
    ("DEADLINE", State::Failed),
    ("FAILED", State::Failed),
    ("NODE_FAIL", State::Failed),
    ("OUT_OF_MEMORY", State::Failed),
    ("PENDING", State::Waiting),
    ("PREEMPTED", State::Failed),
    ("REQUEUED", State::Waiting),
    ("RESIZING", State::Running),
    ("RUNNING", State::Running),
    ("SUSPENDED", State::Running),
    ("TIMEOUT", State::Failed),
];

/// States of jobs that another cluster of a federation ran.
const REVOKED: &str = "REVOKED";

/// The state of a job at the time of the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Waiting,
    Running,
    Completed,
    Failed,
    Canceled,
}

/// The columns of a file: for each of [`NAMES`] the index of its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    columns: [Option<usize>; NAMES.len()],
    count: usize,
}

/// Whether a line looks like a heading of sacct: other logs have no `|`.
pub(super) fn is_heading(text: &str) -> bool {
    text.contains('|') && text.split('|').any(|name| index_of(name).is_some())
}

fn index_of(name: &str) -> Option<usize> {
    let name = name.trim();
    NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))
}

impl Heading {
    /// Reads the first line.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if !is_heading(text) {
            return Err(format!(
                "must be the heading of sacct, such as {EXAMPLE}: use --parsable2, and not --noheader"
            ));
        }
        let fields: Vec<&str> = text.split('|').collect();
        let mut columns = [None; NAMES.len()];
        for (field, name) in fields.iter().enumerate() {
            let Some(index) = index_of(name) else { continue };
            if columns[index].replace(field).is_some() {
                return Err(format!("the column {} occurs twice", name.trim()));
            }
        }
        // --parsable, unlike --parsable2, ends each line with a separator: the last field is empty.
        let count = fields.len() - usize::from(fields.last().is_some_and(|last| last.is_empty()));
        let heading = Heading { columns, count };
        let has = |names: &[&str]| names.iter().any(|name| heading.columns[known(name)].is_some());
        for (names, what) in REQUIRED {
            if !has(names) {
                return Err(format!("no column {what}: ask sacct for it, as in --format={}", example()));
            }
        }
        Ok(heading)
    }

    /// The field of a column in a line.
    fn field<'t>(&self, fields: &[&'t str], name: &str) -> Option<&'t str> {
        self.columns[known(name)].map(|column| fields[column].trim())
    }
}

/// The columns of which a log needs at least one of each line, and their names in messages.
const REQUIRED: [(&[&str], &str); 4] = [
    (&["jobid", "jobidraw"], "JobID"),
    (&["submit"], "Submit"),
    (&["elapsed", "elapsedraw", "end"], "ElapsedRaw"),
    (&["nnodes", "allocnodes", "reqnodes", "ncpus", "alloccpus", "reqcpus"], "NNodes (or NCPUS)"),
];

fn known(name: &str) -> usize {
    NAMES.iter().position(|known| *known == name).expect("a name of the list")
}

fn example() -> String {
    EXAMPLE.replace('|', ",")
}

/// A line, with its texts still unread.
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
    pub group: i64,
    pub partition: &'t str,
    pub qos: &'t str,
    pub reservation: &'t str,
    pub after: Vec<After>,
    /// Whether it has dependencies of kinds that are not simulated.
    pub has_other_dependencies: bool,
}

/// Reads a line; `None` if it describes a step of a job.
pub(super) fn line<'t>(heading: &Heading, text: &'t str) -> Result<Option<Line<'t>>, String> {
    // Only the last column may contain the separator.
    let mut fields: Vec<&str> = text.splitn(heading.count, '|').collect();
    if fields.len() < heading.count {
        return Err(format!(
            "{} fields: its heading has {} columns, with | between them",
            fields.len(),
            heading.count
        ));
    }
    if let Some(last) = fields.last_mut() {
        *last = last.strip_suffix('|').unwrap_or(last);
    }
    let reader = Reader { heading, fields };
    let id = reader.field("jobid").or(reader.field("jobidraw")).unwrap_or_default();
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

    /// The value of the first of some columns that is there and has one; `read` says what would be right.
    fn value(
        &self,
        names: &[(&str, &str)],
        read: impl Fn(&str) -> Result<Option<i64>, &'static str>,
    ) -> Result<Option<i64>, String> {
        for (name, shown) in names {
            let Some(text) = self.field(name) else { continue };
            let value =
                read(text).map_err(|expected| format!("column {shown} is {text:?}: must be {expected}"))?;
            if value.is_some() {
                return Ok(value);
            }
        }
        Ok(None)
    }

    fn line(&self) -> Result<Line<'t>, String> {
        let (own, array) = match self.field("jobid") {
            Some(text) => job_number(text).ok_or_else(|| {
                format!("column JobID is {text:?}: must be a job such as 123, 123_4, 123+1 or 123_[5-9]")
            })?,
            None => (0, None),
        };
        let raw = self.value(&[("jobidraw", "JobIDRaw")], count)?;
        let state = self.state()?;
        let start = self.value(&[("start", "Start")], time)?;
        let end = self.value(&[("end", "End")], time)?;
        let elapsed = match self.value(&[("elapsedraw", "ElapsedRaw")], count)? {
            Some(seconds) => Some(seconds),
            None => self.value(&[("elapsed", "Elapsed")], duration)?,
        };
        let elapsed = elapsed.or_else(|| Some((end? - start?).max(0)));
        let (after, has_other_dependencies) = self.dependencies()?;
        let minutes = self.value(&[("timelimitraw", "TimelimitRaw")], limit_in_minutes)?;
        let limit = self.value(&[("timelimit", "Timelimit")], limit)?;
        let user_number = self.value(&[("uid", "UID")], count)?;
        Ok(Line {
            id: raw.unwrap_or(own),
            array,
            submit: self.value(&[("submit", "Submit")], time)?,
            eligible: self.value(&[("eligible", "Eligible")], time)?,
            run: elapsed.filter(|seconds| self.has_run(state, *seconds)),
            nodes: self.value(&NODES, size)?,
            processors: self.value(&PROCESSORS, size)?,
            walltime: minutes.map(|minutes| minutes.saturating_mul(60)).or(limit),
            state,
            user: self.field("user").filter(|user| !user.is_empty()),
            user_number,
            group: self.value(&[("gid", "GID")], count)?.unwrap_or(-1),
            partition: self.field("partition").unwrap_or_default(),
            qos: self.field("qos").unwrap_or_default(),
            reservation: self
                .field("reservation")
                .or_else(|| self.field("reservationname"))
                .unwrap_or_default(),
            after,
            has_other_dependencies,
        })
    }

    /// Whether the job has started. Slurm writes that jobs canceled while they waited started when they ended, with no
    /// nodes allocated.
    fn has_run(&self, state: Option<State>, elapsed: i64) -> bool {
        let has_place = ["allocnodes", "alloccpus"].iter().all(|name| self.field(name) != Some("0"));
        let never_started = match state {
            Some(State::Waiting) => true,
            Some(State::Canceled) => elapsed == 0,
            _ => false,
        };
        let has_start = self.field("start").is_none_or(|text| !is_unknown(text));
        has_place && has_start && !never_started
    }

    fn state(&self) -> Result<Option<State>, String> {
        let Some(text) = self.field("state").filter(|text| !text.is_empty()) else { return Ok(None) };
        // "CANCELLED by 1000"; without --parsable2 long names end with +.
        let word = text.split_whitespace().next().unwrap_or_default();
        if word == REVOKED {
            return Ok(Some(State::Waiting));
        }
        let state = STATES.iter().find(|(name, _)| *name == word).map(|(_, state)| *state);
        state.map(Some).ok_or_else(|| {
            let names = STATES.iter().map(|(name, _)| *name);
            format!("column State is {text:?}: must be a state of sacct; {}", nearest(word, names))
        })
    }

    /// The dependencies, and whether some are of other kinds. sacct has them in the command line of the submission
    /// only; a column `Dependency` is that of squeue.
    fn dependencies(&self) -> Result<(Vec<After>, bool), String> {
        if let Some(text) = self.field("dependency") {
            return dependencies(text)
                .map_err(|part| format!("column Dependency: {part:?} {}", dependency_form()));
        }
        let Some(command) = self.field("submitline") else { return Ok((vec![], false)) };
        // A command line is whatever a user typed: what cannot be read there is counted, not refused.
        Ok(option(command).map_or((vec![], false), |text| dependencies(text).unwrap_or((vec![], true))))
    }
}

fn dependency_form() -> &'static str {
    "must be such as afterok:123 or afterany:123:124_5"
}

const NODES: [(&str, &str); 3] =
    [("nnodes", "NNodes"), ("allocnodes", "AllocNodes"), ("reqnodes", "ReqNodes")];

const PROCESSORS: [(&str, &str); 3] =
    [("ncpus", "NCPUS"), ("alloccpus", "AllocCPUS"), ("reqcpus", "ReqCPUS")];

/// The number of a job, and its array (or its heterogeneous job) with the number of its task, which a waiting array does
/// not have.
fn job_number(text: &str) -> Option<(i64, Option<(i64, i64)>)> {
    let Some(at) = text.find(['_', '+']) else { return Some((digits(text)?, None)) };
    let (job, task) = (digits(&text[..at])?, &text[at + 1..]);
    if task.starts_with('[') && task.ends_with(']') {
        return Some((job, None));
    }
    Some((job, Some((job, digits(task)?))))
}

/// A number without a sign.
fn digits(text: &str) -> Option<i64> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn is_unknown(text: &str) -> bool {
    matches!(text, "" | "Unknown" | "None" | "N/A")
}

fn count(text: &str) -> Result<Option<i64>, &'static str> {
    if is_unknown(text) {
        return Ok(None);
    }
    digits(text).map(Some).ok_or("a whole number")
}

/// A number of nodes or processors, which sacct shortens to such as 4K unless `--noconvert` is given; 0 is none.
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

/// A duration: `[days-]hours:minutes:seconds`, or `minutes:seconds`, with a fraction that is dropped.
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

/// Limits that are none, or that of the partition, which the log does not say.
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

fn time(text: &str) -> Result<Option<i64>, &'static str> {
    if is_unknown(text) {
        return Ok(None);
    }
    // With SLURM_TIME_FORMAT=%s times are seconds since 1970.
    digits(text).or_else(|| read_time(text)).map(Some).ok_or("a time such as 2024-03-01T08:00:00, or Unknown")
}

/// The seconds from 1970 to a date and time of a calendar without time zones, `2024-03-01T08:00:00`.
pub fn read_time(text: &str) -> Option<i64> {
    let (date, clock) = text.split_once(['T', ' '])?;
    let date: Option<Vec<i64>> = date.split('-').map(digits).collect();
    let clock: Option<Vec<i64>> = clock.split(':').map(digits).collect();
    let [year, month, day] = date?[..] else { return None };
    let [hour, minute, second] = clock?[..] else { return None };
    let is_right = (1970..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days_of_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 61;
    is_right.then(|| days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// The date and time that is `seconds` after the beginning of 1970, at least 0.
pub fn write_time(seconds: i64) -> String {
    let (mut days, clock) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut year = 1970 + days / 366;
    while days_before(year + 1, 1, 1) <= days {
        year += 1;
    }
    days -= days_before(year, 1, 1);
    let mut month = 1;
    while days >= days_of_month(year, month) {
        days -= days_of_month(year, month);
        month += 1;
    }
    let [hour, minute, second] = [clock / 3600, clock / 60 % 60, clock % 60];
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}", days + 1)
}

fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap_year(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970 to a date.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let leap_days = |year: i64| (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let of_years = (year - 1970) * 365 + leap_days(year) - leap_days(1970);
    of_years + (1..month).map(|month| days_of_month(year, month)).sum::<i64>() + day - 1
}

/// The value of the option `--dependency` or `-d` of a command line.
fn option(command: &str) -> Option<&str> {
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        if let Some(value) = word.strip_prefix("--dependency=") {
            return Some(value);
        }
        if word == "--dependency" || word == "-d" {
            return words.next();
        }
        // What follows belongs to the script.
        if word == "--wrap" || word.starts_with("--wrap=") {
            return None;
        }
    }
    None
}

/// The dependencies of a list such as `afterok:123:124,afterany:125_4`, and whether there are others: of other kinds, or
/// alternatives, which `?` separates. An error is the part that cannot be read.
fn dependencies(text: &str) -> Result<(Vec<After>, bool), String> {
    if matches!(text, "" | "(null)" | "N/A") {
        return Ok((vec![], false));
    }
    let mut after = vec![];
    let mut has_others = text.contains('?');
    for part in text.split([',', '?']) {
        let mut words = part.split(':');
        let needs = match words.next().unwrap_or_default() {
            "afterany" => Needs::AnyEnd,
            "afterok" => Needs::Completion,
            "afternotok" => Needs::Failure,
            "singleton" | "after" | "aftercorr" | "afterburstbuffer" => {
                has_others = true;
                continue;
            }
            _ => return Err(part.to_owned()),
        };
        for word in words {
            // squeue adds whether it is fulfilled, and _* for all tasks of an array.
            let word = word.split('(').next().unwrap_or_default().trim_end_matches("_*");
            let (job, array) = job_number(word).ok_or_else(|| part.to_owned())?;
            after.push(After { target: Target { job, task: array.map(|array| array.1) }, needs, think: 0 });
        }
    }
    if text.contains('?') {
        after.clear();
    }
    Ok((after, has_others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        let cases = [
            ("1970-01-01T00:00:00", 0),
            ("1972-02-29T12:00:01", 68_212_801),
            ("2000-03-01T00:00:00", 951_868_800),
            ("2024-03-01T08:00:00", 1_709_280_000),
            ("2100-03-01T00:00:00", 4_107_542_400),
        ];
        for (text, seconds) in cases {
            assert_eq!(read_time(text), Some(seconds), "{text}");
            assert_eq!(write_time(seconds), text);
        }
        for day in (0..80_000).step_by(13) {
            assert_eq!(read_time(&write_time(day * 86_400 + 7)), Some(day * 86_400 + 7));
        }
        for text in ["2023-02-29T00:00:00", "2024-13-01T00:00:00", "2024-03-01", "2024-03-01T24:00:00", "T"] {
            assert_eq!(read_time(text), None, "{text}");
        }
    }

    #[test]
    fn durations_and_limits() {
        assert_eq!(duration("1-02:03:04"), Ok(Some(93_784)));
        assert_eq!(duration("02:03.456"), Ok(Some(123)));
        assert_eq!(duration("INVALID").ok(), None);
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
    fn dependencies_of_command_lines() {
        let after = |job, task, needs| After { target: Target { job, task }, needs, think: 0 };
        let read = |command| option(command).map(|text| dependencies(text).unwrap());
        assert_eq!(
            read("sbatch -n1 --dependency=afterok:5:6_2,afterany:7 --wrap x"),
            Some((
                vec![
                    after(5, None, Needs::Completion),
                    after(6, Some(2), Needs::Completion),
                    after(7, None, Needs::AnyEnd)
                ],
                false
            ))
        );
        assert_eq!(read("sbatch -d singleton job.sh"), Some((vec![], true)));
        assert_eq!(read("sbatch -d afterok:5?afterok:6 job.sh"), Some((vec![], true)));
        assert_eq!(read("sbatch --wrap tool -d afterok:5"), None);
        assert_eq!(dependencies("afterok:5_*(unfulfilled)").unwrap().0, [after(5, None, Needs::Completion)]);
        assert!(dependencies("afterok:x").is_err());
    }
}
