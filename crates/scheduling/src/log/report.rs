//! What had to be dropped, mended or assumed while a log was read.

use serde::Serialize;

/// So many lines of each kind are named; all are counted.
const NAMED_LINES: usize = 5;

/// What is unusual about a line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// It says no submit time: dropped.
    NoSubmitTime,
    /// It says no run time, as jobs do that were cancelled while they waited: dropped.
    NoRunTime,
    /// It says neither allocated nor requested processors: dropped.
    NoProcessors,
    /// It is one part of a job that ran in parts (status 2 to 4), whose summary is another line: dropped.
    PartOfJob,
    /// It was cancelled, but ran (status 5): kept.
    CancelledAfterStart,
    /// It requests no processors; what was allocated is taken.
    ProcessorsFromAllocated,
    /// It requests no time; the run time is taken.
    WalltimeFromRun,
    /// It requests no time; a request is drawn (see [`Walltimes`](super::Walltimes)).
    WalltimeModelled,
    /// It runs longer than it requested: kept; what is done is a setting.
    RunsBeyondRequest,
    /// It was submitted before the job on the line above: sorted.
    SubmittedEarlierThanLineAbove,
    /// Its number is that of an earlier line: kept.
    SameNumber,
    /// A time or a count has a fraction: rounded.
    Rounded,
    /// Its processors are not whole nodes: rounded up.
    NodesRoundedUp,
}

/// All remarks, with their name in the report, and what was done.
const REMARKS: [(Remark, &str, &str); 13] = [
    (Remark::NoSubmitTime, "no-submit-time", "dropped"),
    (Remark::NoRunTime, "no-run-time", "dropped: such jobs left the queue without having run"),
    (Remark::NoProcessors, "no-processors", "dropped"),
    (Remark::PartOfJob, "part-of-a-job", "dropped: the line that sums the job up stands for it"),
    (Remark::CancelledAfterStart, "cancelled-after-start", "kept: it used the machine"),
    (Remark::ProcessorsFromAllocated, "no-requested-processors", "assumed: those that it was allocated"),
    (Remark::WalltimeFromRun, "no-requested-time", "assumed: its run time"),
    (Remark::WalltimeModelled, "no-requested-time", "modelled: drawn from its run time"),
    (Remark::RunsBeyondRequest, "runs-beyond-its-request", "kept; the setting `walltime` says what is done"),
    (Remark::SubmittedEarlierThanLineAbove, "submitted-before-the-line-above", "sorted by submit time"),
    (Remark::SameNumber, "number-of-an-earlier-job", "kept"),
    (Remark::Rounded, "fraction", "rounded to whole seconds or processors"),
    (Remark::NodesRoundedUp, "part-of-a-node", "rounded up to whole nodes"),
];

/// How often a remark was made, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// What is unusual.
    pub what: String,
    /// What was done about it.
    pub done: String,
    /// On how many lines.
    pub jobs: u64,
    /// The first of these lines, from 1.
    pub lines: Vec<u64>,
}

/// What reading a log has found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The file.
    pub file: String,
    /// The form in which it was read.
    pub format: String,
    /// Lines that describe jobs.
    pub job_lines: u64,
    /// Jobs that were kept.
    pub jobs: u64,
    /// What was unusual, in the order of the rules.
    pub remarks: Vec<Entry>,
}

impl Report {
    /// Notes a remark about a line.
    pub(super) fn note(&mut self, remark: Remark, line: u64) {
        if self.remarks.is_empty() {
            self.remarks = REMARKS.iter().map(|&(_, what, done)| entry(what, done)).collect();
        }
        let entry = &mut self.remarks[remark as usize];
        entry.jobs += 1;
        if entry.lines.len() < NAMED_LINES {
            entry.lines.push(line);
        }
    }

    /// Leaves out what was not found.
    pub(super) fn finish(&mut self, jobs: usize) {
        self.jobs = jobs as u64;
        self.remarks.retain(|entry| entry.jobs > 0);
    }
}

fn entry(what: &str, done: &str) -> Entry {
    Entry { what: what.to_owned(), done: done.to_owned(), jobs: 0, lines: vec![] }
}

#[cfg(test)]
mod tests {
    use super::REMARKS;

    #[test]
    fn remarks_stand_at_their_numbers() {
        assert!(REMARKS.iter().enumerate().all(|(index, entry)| entry.0 as usize == index));
    }
}
