//! Job logs: log files and a workload model, as jobs and a report of anomalies.
//!
//! ```text
//!   text or gzip file  --> lines --> fields --+-- swf         18 columns, -1 for what is missing
//!                                             +-- sacct       Slurm's: columns by name, | between them
//!                                             +-- argonne     number, submit, run, nodes
//!                                             +-- column_map  any columns of numbers
//!   lublin (a model) ------------------------------------------> Log = jobs + details + header + Report
//!                                                                --> resample: blocks of jobs, drawn with a seed
//! ```
//!
//! Anomalies that real logs have (missing values, jobs out of order) are repaired, counted and listed in the report.
//! Malformed files (letters for numbers, too few columns, a truncated file) are errors with the line number.
//!
//! # To add a format
//!
//! 1. A file here that makes a `Row` of a line.
//! 2. A variant of `Format`, its place in `Format::NAMED`, and its arms in this file: `has_dates`, `name`, and
//!    `Rows::take_row`. The latter drops, repairs and reports what all formats have in common. If it can be
//!    recognized, its heading is tested there too.
//! 3. Its name in the help of `--format` (`python/torusim/cli/schedule.py`).
//! 4. A sample in the corpus of `scheduling/tests/fuzz.rs`.
//! 5. A row in `docs/models/queue.md`.
//!
//! What a job has besides its request and run time goes into `Details`, which jobs share, with names from
//! `Collected`. A new remark is a variant and a line in `report.rs`.

mod argonne;
mod column_map;
mod details;
pub mod lublin;
mod report;
mod resample;
mod sacct;
mod submit_line;
mod swf;
mod times;
mod walltimes;

pub use column_map::ColumnMap;
pub use details::{After, AllDetails, Details, NO_NAME, Name, Needs, Target};
use flate2::read::MultiGzDecoder;
use input::{InputError, nearest};
pub use report::{Entry, Report};
pub(crate) use resample::Resampling;
pub use sacct::Heading;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;
pub(crate) use swf::{COLUMNS as SWF_COLUMNS, swf_text};
pub use times::{Clock, Time};
pub use walltimes::Walltimes;

use crate::job::Job;
use details::Collected;
use report::Remark;

/// The first bytes of a gzip file (RFC 1952).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The format of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Detected from the first line that is not a comment.
    Guessed,
    /// The Standard Workload Format of the Parallel Workloads Archive.
    Swf,
    /// The simplified logs of Argonne's machines: number, submit, run, nodes, and columns that are not read.
    Argonne,
    /// The output of Slurm's sacct.
    Sacct,
    /// The output of sacct without its heading.
    SacctColumns(Box<Heading>),
    /// Columns given by a map.
    Columns(ColumnMap),
}

impl Format {
    /// Whether jobs have dates, and not seconds since the log begins.
    fn has_dates(&self) -> bool {
        match self {
            Format::Sacct | Format::SacctColumns(_) => true,
            Format::Guessed | Format::Swf | Format::Argonne | Format::Columns(_) => false,
        }
    }

    /// The formats that a description names.
    const NAMED: [Self; 3] = [Format::Swf, Format::Argonne, Format::Sacct];

    /// Reads the name of a format; the error lists the known ones.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = Self::NAMED.into_iter().find(|format| format.name() == name);
        let names = Self::NAMED.map(|format| format.name());
        found.ok_or_else(|| nearest(name, names.iter().map(String::as_str)))
    }

    /// The name of the format of a log that has been read.
    fn name(&self) -> String {
        match self {
            Format::Guessed | Format::Swf => "swf".to_owned(),
            Format::Argonne => "argonne".to_owned(),
            Format::Sacct | Format::SacctColumns(_) => "sacct".to_owned(),
            Format::Columns(map) => format!("columns {map}"),
        }
    }
}

/// When jobs arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrival {
    /// When they are submitted.
    #[default]
    Submit,
    /// When they may start, by sacct: after the jobs that they wait for, and after the time that their user asked for.
    Eligible,
}

/// How to read a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The format of the file.
    pub format: Format,
    /// Processors of the log per node.
    pub processors_per_node: u32,
    /// The substitute for a missing requested time.
    pub walltimes: Walltimes,
    /// When jobs arrive.
    pub arrival: Arrival,
    /// The jobs that are kept, in the order of submission; the report is about these.
    pub window: Range<usize>,
}

/// A log, as read.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The jobs in the window, sorted.
    pub jobs: Vec<Job>,
    /// The number of jobs of the log, of which some may be outside the window.
    pub available: usize,
    /// The details of the jobs, beyond requests and run times.
    pub details: AllDetails,
    /// The date and time of second 0.
    pub zero: Option<Time>,
    /// The processors of its machine, if its header gives them.
    pub processors: Option<u32>,
    /// The anomalies of the log.
    pub report: Report,
}

/// Reads a log.
///
/// # Errors
/// If the file cannot be read or parsed, with the file and the line, and if it has no jobs.
pub(crate) fn read(path: &Path, reading: &Reading) -> Result<Log, InputError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
    read_from(BufReader::new(file), &name, reading)
}

/// Reads a log from a reader; error messages use `name`.
///
/// # Errors
/// As [`read`].
pub fn read_from(mut reader: impl BufRead, name: &str, reading: &Reading) -> Result<Log, InputError> {
    let beginning = reader.fill_buf().map_err(|error| unreadable(name, &error))?;
    if beginning.starts_with(&GZIP_MAGIC) {
        read_lines(BufReader::new(MultiGzDecoder::new(reader)), name, reading)
    } else {
        read_lines(reader, name, reading)
    }
}

fn unreadable(name: &str, error: &std::io::Error) -> InputError {
    if error.kind() == std::io::ErrorKind::NotFound {
        return InputError::at(name, "there is no such file");
    }
    InputError::at(name, format!("cannot be read: {error}"))
}

/// Maximum length of a line in bytes: a file without line breaks is not a log.
const LONGEST_LINE_BYTES: u64 = 65_536;

/// Maximum number of bytes of comments and empty lines, beyond those of the job lines. A few kilobytes of a compressed
/// file can hold gigabytes of line breaks.
const MAX_BYTES_WITHOUT_JOBS: u64 = 1 << 24;

/// Maximum number of job lines, as many as the model draws.
const MAX_JOBS: u64 = 10_000_000;

/// The latest submit time in seconds of the log: the largest whole numbers that all floating-point numbers up to it
/// represent exactly. Later times would overflow when waits and run times are added.
pub(crate) const LATEST_SUBMIT: i64 = 1 << 53;

/// The longest run time and requested time, 136 years.
pub(crate) const LONGEST_RUN: i64 = 1 << 32;

fn read_lines(mut reader: impl BufRead, name: &str, reading: &Reading) -> Result<Log, InputError> {
    let mut reader_of_rows = Rows::new(name, reading);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let line = reader_of_rows.line + 1;
        let length =
            (&mut reader).take(LONGEST_LINE_BYTES).read_until(b'\n', &mut bytes).map_err(|error| {
                InputError::at(
                    format!("{name}:{line}"),
                    format!("the file is truncated or damaged here: {error}"),
                )
            })?;
        if length == 0 {
            return reader_of_rows.finish();
        }
        reader_of_rows.take_line(&bytes)?;
    }
}

/// The fields of a line; a missing value is `None`.
#[derive(Clone, Debug, Default)]
struct Row {
    id: i64,
    submit: Option<i64>,
    run: Option<i64>,
    allocated_processors: Option<i64>,
    requested_processors: Option<i64>,
    /// Nodes, which take precedence over processors.
    nodes: Option<i64>,
    walltime: Option<i64>,
    status: Option<i64>,
    user: i64,
    application: i64,
    /// Whether a number had a fraction.
    was_rounded: bool,
    /// With the names as [`Collected`] counts them.
    details: Details,
}

/// Reads rows one by one.
struct Rows<'a> {
    name: &'a str,
    reading: &'a Reading,
    format: Format,
    /// The heading of a log of sacct, once it is read.
    heading: Option<Heading>,
    /// The clock of the first time of a log of sacct.
    clock: Option<Clock>,
    collected: Collected,
    line: u64,
    /// Bytes of the lines that describe no job, less those of the lines that do.
    bytes_without_jobs: u64,
    last_submit: i64,
    jobs: Vec<(Job, u64)>,
    /// The remarks, each with the number of its text line.
    remarks: Vec<(Remark, u64)>,
    log: Log,
}

impl<'a> Rows<'a> {
    fn new(name: &'a str, reading: &'a Reading) -> Self {
        let (format, heading) = if let Format::SacctColumns(heading) = &reading.format {
            (Format::Sacct, Some(Heading::clone(heading)))
        } else {
            (reading.format.clone(), None)
        };
        let log = Log { report: Report { file: name.to_owned(), ..Report::default() }, ..Log::default() };
        Rows {
            name,
            reading,
            format,
            heading,
            clock: None,
            collected: Collected::default(),
            line: 0,
            bytes_without_jobs: 0,
            last_submit: i64::MIN,
            jobs: vec![],
            remarks: vec![],
            log,
        }
    }

    fn error(&self, problem: impl Into<String>) -> InputError {
        InputError::at(format!("{}:{}", self.name, self.line), problem)
    }

    fn take_line(&mut self, bytes: &[u8]) -> Result<(), InputError> {
        self.line += 1;
        let bytes = if self.line == 1 { bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes) } else { bytes };
        if let Some(problem) = wrong_encoding(bytes) {
            return Err(self.error(problem));
        }
        if bytes.len() as u64 == LONGEST_LINE_BYTES {
            return Err(self.error("a line of more than 65,536 bytes: a job log has a line for each job"));
        }
        let text = std::str::from_utf8(bytes).or_else(|error| comment_with_other_letters(bytes, error));
        let text = text.map_err(|_| self.error("bytes that are not text: a job log is a text file"))?;
        let (line, text) = (text.trim_end_matches(['\r', '\n']), text.trim());
        if text.is_empty() || text.starts_with([';', '#']) {
            self.count_bytes_without_jobs(bytes.len() as u64)?;
        } else {
            self.bytes_without_jobs = self.bytes_without_jobs.saturating_sub(bytes.len() as u64);
        }
        if text.is_empty() {
            return Ok(());
        }
        if let Some(comment) = text.strip_prefix([';', '#']) {
            swf::take_header(comment, &mut self.log);
            return Ok(());
        }
        self.take_row(line, text)
    }

    fn count_bytes_without_jobs(&mut self, bytes: u64) -> Result<(), InputError> {
        self.bytes_without_jobs += bytes;
        if self.bytes_without_jobs > MAX_BYTES_WITHOUT_JOBS {
            let problem = "16 MiB of comments and empty lines: a job log has a line for each job";
            return Err(self.error(problem));
        }
        Ok(())
    }

    /// Takes a line with data; `text` is `line` without the blanks around it, which may be fields of sacct.
    fn take_row(&mut self, line: &str, text: &str) -> Result<(), InputError> {
        if self.format == Format::Guessed && sacct::is_heading(text) {
            self.format = Format::Sacct;
        }
        if self.format == Format::Sacct {
            return self.take_sacct_line(line);
        }
        let fields: Fields = Fields::split(text);
        if self.format == Format::Guessed {
            self.format = if argonne::is_heading(&fields) { Format::Argonne } else { Format::Swf };
        }
        if self.log.report.job_lines == 0 && self.is_heading(&fields) {
            return Ok(());
        }
        let row = match &self.format {
            Format::Argonne => argonne::row(&fields),
            Format::Columns(map) => map.row(&fields),
            Format::Swf => swf::row(&fields, &mut self.collected),
            Format::Guessed | Format::Sacct | Format::SacctColumns(_) => {
                unreachable!("it is known, and lines of sacct are read above")
            }
        };
        let row = row.map_err(|problem| self.error(self.hint_of_sacct(text).unwrap_or(problem)))?;
        self.count_job_line()?;
        self.take_job(row)
    }

    /// Whether a line before the first job has the names of the columns.
    fn is_heading(&self, fields: &Fields<'_>) -> bool {
        match &self.format {
            Format::Argonne => argonne::is_heading(fields),
            Format::Columns(map) => map.is_heading(fields),
            Format::Guessed | Format::Swf | Format::Sacct | Format::SacctColumns(_) => false,
        }
    }

    /// The problem with a line that cannot be read, if sacct seems to have printed it.
    fn hint_of_sacct(&self, text: &str) -> Option<String> {
        if text.contains('|') {
            return Some(sacct::without_heading());
        }
        let is_for_people = match self.format {
            Format::Argonne => sacct::is_underline(text),
            Format::Swf => sacct::is_heading_for_people(text),
            Format::Guessed | Format::Sacct | Format::SacctColumns(_) | Format::Columns(_) => false,
        };
        is_for_people.then(sacct::for_people)
    }

    fn count_job_line(&mut self) -> Result<(), InputError> {
        if self.log.report.job_lines == MAX_JOBS {
            return Err(self.error(format!("more than {MAX_JOBS} jobs: split the log")));
        }
        self.log.report.job_lines += 1;
        Ok(())
    }

    fn take_sacct_line(&mut self, text: &str) -> Result<(), InputError> {
        let Some(heading) = &self.heading else {
            self.heading = Some(text.trim_start().parse().map_err(|problem: String| self.error(problem))?);
            return Ok(());
        };
        if self.log.report.job_lines == 0 && sacct::is_heading(text) {
            return Ok(());
        }
        let line = sacct::line(heading, text).map_err(|problem| self.error(problem))?;
        self.count_job_line()?;
        let Some(line) = line else {
            self.note(Remark::JobStep);
            return Ok(());
        };
        if line.has_other_dependencies {
            self.note(Remark::OtherDependency);
        }
        if line.has_short_size {
            self.note(Remark::ShortenedSize);
        }
        if let Some(remark) = line.state.and_then(|state| state.remark(line.run.is_some())) {
            self.note(remark);
        }
        self.check_clock(line.clock)?;
        let row = self.row_of_sacct(line);
        self.take_job(row)
    }

    /// Times of different clocks have no distance.
    fn check_clock(&mut self, clock: Option<Clock>) -> Result<(), InputError> {
        let Some(clock) = clock else { return Ok(()) };
        if self.clock.get_or_insert(clock).is_local() != clock.is_local() {
            return Err(self.error(sacct::different_clocks()));
        }
        Ok(())
    }

    fn row_of_sacct(&mut self, line: sacct::Line<'_>) -> Row {
        let names = &mut self.collected;
        let user = names.name(line.user.unwrap_or_default());
        let details = Details {
            queue: names.name(line.qos),
            partition: names.name(line.partition),
            user,
            reservation: names.name(line.reservation),
            group: line.group,
            array: line.array,
            has_failed: line.state.is_some_and(sacct::State::has_failed),
            may_return: line.state.is_some_and(sacct::State::may_return),
            after: line.after,
        };
        let submit = match self.reading.arrival {
            Arrival::Submit => line.submit,
            Arrival::Eligible => line.eligible.or(line.submit),
        };
        let is_canceled = line.state == Some(sacct::State::Canceled);
        Row {
            id: line.id,
            submit,
            run: line.run,
            nodes: line.nodes,
            requested_processors: line.processors,
            walltime: line.walltime,
            status: is_canceled.then_some(swf::CANCELLED),
            user: line.user_number.unwrap_or(-1),
            application: -1,
            details,
            ..Row::default()
        }
    }

    fn note(&mut self, remark: Remark) {
        self.remarks.push((remark, self.line));
    }

    fn take_job(&mut self, row: Row) -> Result<(), InputError> {
        if row.was_rounded {
            self.note(Remark::Rounded);
        }
        if let Some(remark) = swf::reason_to_drop(&row) {
            self.note(remark);
            return Ok(());
        }
        let submit = row.submit.unwrap_or_default();
        let run = row.run.unwrap_or_default();
        if submit < self.last_submit {
            self.note(Remark::SubmittedEarlierThanLineAbove);
        }
        self.last_submit = submit;
        if row.status == Some(swf::CANCELLED) {
            self.note(Remark::CancelledAfterStart);
        }
        let job = Job {
            submit,
            id: row.id,
            run,
            walltime: self.walltime(&row, run),
            nodes: self.nodes(&row)?,
            user: i32::try_from(row.user).unwrap_or(fold(row.user)),
            application: i32::try_from(row.application).unwrap_or(fold(row.application)),
            details: self.collected.add(row.details),
            ..Job::default()
        };
        self.jobs.push((job, self.line));
        Ok(())
    }

    fn walltime(&mut self, row: &Row, run: i64) -> i64 {
        match row.walltime {
            Some(walltime) => {
                if run > walltime {
                    self.note(Remark::RunsBeyondRequest);
                }
                walltime
            }
            None => {
                self.note(self.reading.walltimes.remark());
                self.reading.walltimes.of(row.id, run).max(1)
            }
        }
    }

    fn nodes(&mut self, row: &Row) -> Result<u32, InputError> {
        if let Some(nodes) = row.nodes {
            return u32::try_from(nodes)
                .map_err(|_| self.error(format!("{nodes} nodes: more than any machine has")));
        }
        if row.requested_processors.is_none() {
            self.note(Remark::ProcessorsFromAllocated);
        }
        let processors = row.requested_processors.or(row.allocated_processors).unwrap_or_default();
        let per_node = i64::from(self.reading.processors_per_node);
        if processors % per_node != 0 {
            self.note(Remark::NodesRoundedUp);
        }
        u32::try_from((processors - 1) / per_node + 1)
            .map_err(|_| self.error(format!("{processors} processors: more than any machine has")))
    }

    fn finish(mut self) -> Result<Log, InputError> {
        if self.log.report.job_lines == 0 {
            let problem = "the log has no jobs: it needs one line per job";
            return Err(InputError::at(self.name, problem));
        }
        if self.jobs.is_empty() {
            let lines = self.log.report.job_lines;
            let problem = format!("none of its {lines} jobs has a submit time, a size and a run time");
            return Err(InputError::at(self.name, problem));
        }
        self.number_details();
        self.note_same_numbers();
        if self.format.has_dates() {
            self.begin_at_first_submission();
        }
        self.log.report.zero = self.log.zero.map(Time::write);
        self.jobs.sort_unstable();
        self.log.available = self.jobs.len();
        self.report_of_window();
        self.log.jobs = self.jobs.iter().map(|(job, _)| *job).collect();
        self.log.report.format = self.format.name();
        self.log.report.jobs = self.log.jobs.len() as u64;
        Ok(self.log)
    }

    /// Gives details and named users their final numbers, which do not depend on the order of the lines.
    fn number_details(&mut self) {
        let (details, numbers) = std::mem::take(&mut self.collected).finish();
        let users = details.users();
        for (job, _) in &mut self.jobs {
            job.details = numbers[job.details as usize];
            let name = details.get(job.details).user;
            if job.user < 0 && name != NO_NAME {
                job.user = users.partition_point(|user| *user < name) as i32 + 1;
            }
        }
        self.log.details = details;
    }

    /// Keeps the jobs of the window, and reports on these, and on the dropped lines between theirs.
    fn report_of_window(&mut self) {
        let end = self.reading.window.end.min(self.jobs.len());
        let window = self.reading.window.start.min(end)..end;
        let mut remarks = std::mem::take(&mut self.remarks);
        if window.len() < self.jobs.len() {
            let lines =
                |jobs: &[(Job, u64)]| -> BTreeSet<u64> { jobs.iter().map(|(_, line)| *line).collect() };
            let (of_jobs, chosen) = (lines(&self.jobs), lines(&self.jobs[window.clone()]));
            let first = if window.start == 0 { Some(&0) } else { chosen.first() };
            let last = if window.end == self.jobs.len() { Some(&u64::MAX) } else { chosen.last() };
            let between = first.copied().unwrap_or_default()..=last.copied().unwrap_or_default();
            remarks.retain(|(_, line)| {
                chosen.contains(line) || (!of_jobs.contains(line) && between.contains(line))
            });
        }
        self.jobs.truncate(window.end);
        self.jobs.drain(..window.start);
        remarks.sort_unstable();
        self.log.report.remarks =
            remarks.chunk_by(|one, other| one.0 == other.0).map(Entry::of_lines).collect();
    }

    /// Makes the first submission second 0: sacct has dates, which say nothing to the eye in seconds.
    fn begin_at_first_submission(&mut self) {
        let first = self.jobs.iter().map(|(job, _)| job.submit).min().unwrap_or_default();
        self.jobs.iter_mut().for_each(|(job, _)| job.submit -= first);
        let time = Time { seconds: first, clock: self.clock.unwrap_or(Clock::Local) };
        self.log.zero = time.is_of_a_year().then_some(time);
    }

    fn note_same_numbers(&mut self) {
        self.jobs.sort_unstable_by_key(|(job, line)| (job.id, *line));
        // Without JobIDRaw the tasks of an array have the number of the array.
        let array = |job: &Job| self.log.details.get(job.details).array;
        let is_same =
            |one: &Job, other: &Job| one.id == other.id && (array(one).is_none() || array(other).is_none());
        let same: Vec<u64> = self
            .jobs
            .windows(2)
            .filter(|pair| is_same(&pair[0].0, &pair[1].0))
            .map(|pair| pair[1].1)
            .collect();
        self.remarks.extend(same.into_iter().map(|line| (Remark::SameNumber, line)));
    }
}

/// Folds user numbers of more than 32 bits, as in Mira's log; their low bits keep them distinct.
fn fold(number: i64) -> i32 {
    ((number ^ (number >> 31)) & i64::from(i32::MAX)) as i32
}

/// The bytes that programs of Windows write before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The problem with a line that is text of another form.
fn wrong_encoding(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some("text in UTF-16: a job log is in UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)");
    }
    if bytes.contains(&0) {
        return Some("NUL bytes: a job log is a text file in UTF-8, not in UTF-16");
    }
    let text = bytes.trim_ascii_end();
    text.contains(&b'\r').then_some("a carriage return (CR) within a line: lines end with LF, or with CR LF")
}

/// Header comments may contain names in other encodings than UTF-8; such a comment is ignored.
fn comment_with_other_letters(bytes: &[u8], error: std::str::Utf8Error) -> Result<&str, std::str::Utf8Error> {
    let is_comment = bytes.trim_ascii_start().starts_with(b";");
    if is_comment { Ok(";") } else { Err(error) }
}

/// The fields of a line, at most 32 of them.
struct Fields<'a> {
    fields: [&'a str; 32],
    count: usize,
}

impl<'a> Fields<'a> {
    /// The fields between commas or bars, of which some may be empty, or between blanks and tabs.
    fn split(text: &'a str) -> Self {
        match text.chars().find(|letter| [',', '|'].contains(letter)) {
            Some(separator) => Self::collect(text.split(separator).map(str::trim)),
            None => Self::collect(text.split([' ', '\t']).filter(|field| !field.is_empty())),
        }
    }

    fn collect(fields: impl Iterator<Item = &'a str>) -> Self {
        let mut split = Fields { fields: [""; 32], count: 0 };
        for field in fields {
            if split.count < split.fields.len() {
                split.fields[split.count] = field;
            }
            split.count += 1;
        }
        split
    }

    /// The text in a column, counted from 1.
    fn text(&self, column: usize) -> &'a str {
        self.fields[column - 1]
    }

    /// The number in a column, counted from 1, which is -1 if it is empty; `was_rounded` is set if it has a fraction.
    fn number(&self, column: usize, was_rounded: &mut bool) -> Result<i64, String> {
        let text = self.text(column);
        if text.is_empty() {
            return Ok(-1);
        }
        if let Ok(number) = text.parse() {
            return Ok(number);
        }
        match text.parse::<f64>() {
            // Larger numbers become the largest integer; times of that size are dropped.
            Ok(number) if number.is_finite() => {
                *was_rounded |= number.fract() != 0.0;
                Ok(number.round() as i64)
            }
            _ => Err(format!("column {column} is {text:?}: must be a number")),
        }
    }
}
