//! What was dropped, repaired or assumed while a log was read.

use serde::Serialize;

/// Maximum number of lines listed for each remark; all are counted.
const NAMED_LINES: usize = 5;

/// An anomaly of a line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Remark {
    /// No submit time: dropped.
    NoSubmitTime,
    /// No run time, as for jobs canceled while they waited: dropped.
    NoRunTime,
    /// A submit time after 2^53 s, or a run time or requested time over 2^32 s: dropped.
    TimeOutOfRange,
    /// Neither allocated nor requested processors: dropped.
    NoProcessors,
    /// A partial execution of a job (status 2 to 4), which another line summarizes: dropped.
    PartOfJob,
    /// Canceled after its start (status 5): kept.
    CancelledAfterStart,
    /// No requested processors: the allocated ones are used.
    ProcessorsFromAllocated,
    /// No requested time: the run time is used.
    WalltimeFromRun,
    /// No requested time: it is drawn (see [`Walltimes`](super::Walltimes)).
    WalltimeModelled,
    /// A run time longer than the requested time: kept; a setting says what is done.
    RunsBeyondRequest,
    /// Submitted before the job on the line above: sorted.
    SubmittedEarlierThanLineAbove,
    /// The job number of an earlier line: kept.
    SameNumber,
    /// A time or a count with a fraction: rounded.
    Rounded,
    /// Processors that do not fill whole nodes: rounded up.
    NodesRoundedUp,
    /// A step of a job in a log of sacct: skipped.
    JobStep,
    /// A job that was running when sacct was asked: kept.
    StillRunning,
    /// A dependency of a kind that is not simulated: ignored.
    OtherDependency,
    /// A run after which the job was queued again: kept.
    Requeued,
    /// A size as sacct shortens it, 4.10K: kept.
    ShortenedSize,
}

impl Remark {
    /// The name in the report, and the action taken.
    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Remark::NoSubmitTime => ("no-submit-time", "dropped"),
            Remark::NoRunTime => ("no-run-time", "dropped: such jobs left the queue without having run"),
            Remark::TimeOutOfRange => (
                "time-out-of-range",
                "dropped: submit times end at 2^53 s, run times and requested times at 2^32 s",
            ),
            Remark::NoProcessors => ("no-processors", "dropped"),
            Remark::PartOfJob => ("part-of-a-job", "dropped: another line summarizes the job"),
            Remark::CancelledAfterStart => ("cancelled-after-start", "kept: it used the machine"),
            Remark::ProcessorsFromAllocated => {
                ("no-requested-processors", "assumed: the allocated processors")
            }
            Remark::WalltimeFromRun => ("no-requested-time", "assumed: its run time"),
            Remark::WalltimeModelled => ("no-requested-time", "modeled: drawn from its run time"),
            Remark::RunsBeyondRequest => ("runs-beyond-its-request", "kept; the setting `walltime` applies"),
            Remark::SubmittedEarlierThanLineAbove => {
                ("submitted-before-the-line-above", "sorted by submit time")
            }
            Remark::SameNumber => ("number-of-an-earlier-job", "kept"),
            Remark::Rounded => ("fraction", "rounded to whole seconds or processors"),
            Remark::NodesRoundedUp => ("part-of-a-node", "rounded up to whole nodes"),
            Remark::JobStep => ("step-of-a-job", "skipped: another line has the whole job"),
            Remark::StillRunning => ("still-running", "kept: its run time is that until the query"),
            Remark::OtherDependency => (
                "dependency-of-another-kind",
                "ignored: only afterany, afterok and afternotok without ? are simulated",
            ),
            Remark::Requeued => {
                ("queued-again", "kept: this run used the machine, and the next one is a separate job")
            }
            Remark::ShortenedSize => {
                ("shortened-size", "kept, as near as 4.10K is: sacct --noconvert prints all digits")
            }
        }
    }
}

/// The count of a remark, and its first lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The anomaly.
    pub what: String,
    /// The action taken.
    pub done: String,
    /// The number of lines.
    pub jobs: u64,
    /// The first of these lines, counted from 1; empty if the remark names jobs.
    pub lines: Vec<u64>,
}

/// The findings from reading a log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The file.
    pub file: String,
    /// The format in which it was read.
    pub format: String,
    /// Lines that describe jobs.
    pub job_lines: u64,
    /// Jobs that were kept.
    pub jobs: u64,
    /// The date and time of second 0, if the log has dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero: Option<String>,
    /// The remarks, in the order of [`Remark`].
    pub remarks: Vec<Entry>,
}

impl Entry {
    /// A remark about some lines.
    pub(super) fn of_lines(remarks: &[(Remark, u64)]) -> Self {
        let (what, done) = remarks[0].0.texts();
        let lines = remarks.iter().take(NAMED_LINES).map(|(_, line)| *line).collect();
        Entry { jobs: remarks.len() as u64, lines, ..entry(what, done) }
    }
}

impl Report {
    /// Records a remark about jobs, by their numbers, once the log is read.
    pub(crate) fn note_jobs(&mut self, what: &str, done: &str, jobs: &[i64]) {
        if jobs.is_empty() {
            return;
        }
        let named: Vec<String> = jobs.iter().take(NAMED_LINES).map(ToString::to_string).collect();
        let more = if jobs.len() > NAMED_LINES { ", …" } else { "" };
        let done = format!("{done}: job {}{more}", named.join(", "));
        self.remarks.push(Entry { jobs: jobs.len() as u64, ..entry(what, &done) });
    }

    /// Records that a queue of the site has no jobs.
    pub(crate) fn note_queue(&mut self, name: &str) {
        self.remarks.push(entry("queue-without-jobs", &format!("no job matches {name}")));
    }
}

fn entry(what: &str, done: &str) -> Entry {
    Entry { what: what.to_owned(), done: done.to_owned(), jobs: 0, lines: vec![] }
}
