//! Dependencies between jobs: a job arrives when the jobs before it have ended, and a think time has passed.
//!
//! ```text
//!   submit ----+
//!              +--> the later one: the job arrives
//!   end of each job before it + think time
//! ```
//!
//! A dependency that can never be met removes the job, and so on along the chain.

use crate::job::Job;
use crate::log::{AllDetails, Needs, Report, Target};
use std::collections::{BTreeMap, HashMap};

/// A job that another waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the job in the order of submission.
    pub before: u32,
    /// How the job has to end.
    pub needs: Needs,
    /// Seconds from the end of the job to the arrival.
    pub think: i64,
}

/// The dependencies of all jobs, which form no cycle; empty if there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// For each job in the order of submission, the jobs that it waits for.
    pub edges: Vec<Vec<Edge>>,
    /// For each job, whether it failed in the log.
    pub failed: Vec<bool>,
}

impl Dependencies {
    /// The dependencies between sorted jobs. Jobs that are not among them, and the last dependency of a cycle, are
    /// ignored and reported.
    pub fn of(jobs: &[Job], details: &AllDetails, report: &mut Report) -> Self {
        let known = Known::new(jobs, details);
        let mut missing = vec![];
        let mut edges: Vec<Vec<Edge>> = vec![vec![]; jobs.len()];
        for (number, job) in (0u32..).zip(jobs) {
            for after in &details.get(job.details).after {
                let found = known.jobs(after.target, number);
                if found.is_empty() {
                    missing.push(job.id);
                }
                let others = found.into_iter().filter(|before| *before != number);
                edges[number as usize].extend(others.map(|before| Edge {
                    before,
                    needs: after.needs,
                    think: after.think,
                }));
            }
        }
        for (before, next) in known.runs() {
            edges[next as usize].push(Edge { before, needs: Needs::AnyEnd, think: 0 });
        }
        let mut in_cycles: Vec<i64> =
            cut_cycles(&mut edges).into_iter().map(|number| jobs[number].id).collect();
        missing.dedup();
        in_cycles.dedup();
        report.note_jobs("job-before-is-missing", "dependency ignored", &missing);
        report.note_jobs("dependencies-in-a-cycle", "the one that closes it is ignored", &in_cycles);
        if edges.iter().all(Vec::is_empty) {
            return Dependencies::default();
        }
        let failed = jobs.iter().map(|job| details.get(job.details).has_failed).collect();
        Dependencies { edges, failed }
    }
}

/// The jobs by number, and by array and task. A number has several where jobs were queued again after they had run, or
/// where a cluster began to count anew.
struct Known {
    by_number: HashMap<i64, Vec<u32>>,
    by_array: HashMap<i64, BTreeMap<i64, Vec<u32>>>,
    /// For each job, whether the next one with its number may be another run of it.
    may_return: Vec<bool>,
    is_task: Vec<bool>,
}

impl Known {
    fn new(jobs: &[Job], details: &AllDetails) -> Self {
        let mut known = Known {
            by_number: HashMap::new(),
            by_array: HashMap::new(),
            may_return: jobs.iter().map(|job| details.get(job.details).may_return).collect(),
            is_task: jobs.iter().map(|job| details.get(job.details).array.is_some()).collect(),
        };
        for (number, job) in (0u32..).zip(jobs) {
            // A task has a separate number too.
            known.by_number.entry(job.id).or_default().push(number);
            if let Some((array, task)) = details.get(job.details).array {
                known.by_array.entry(array).or_default().entry(task).or_default().push(number);
            }
        }
        known
    }

    /// The jobs of a target of the job `of`: all tasks of an array, one of them, or the job with its number.
    fn jobs(&self, target: Target, of: u32) -> Vec<u32> {
        let runs: Vec<&Vec<u32>> = match (target.task, self.by_array.get(&target.job)) {
            (Some(task), tasks) => tasks.and_then(|tasks| tasks.get(&task)).into_iter().collect(),
            (None, Some(tasks)) => tasks.values().collect(),
            (None, None) => self.by_number.get(&target.job).into_iter().collect(),
        };
        runs.into_iter().map(|runs| self.last(runs, of)).collect()
    }

    /// The last run of the job that had a number when the job `of` was submitted.
    fn last(&self, runs: &[u32], of: u32) -> u32 {
        let mut at = runs.partition_point(|run| *run < of).saturating_sub(1);
        while self.may_return[runs[at] as usize] && at + 1 < runs.len() {
            at += 1;
        }
        runs[at]
    }

    /// Each run that may have been queued again, and the next one.
    fn runs(&self) -> impl Iterator<Item = (u32, u32)> {
        // Tasks whose own numbers are not in the log have that of their array, all of them.
        let alone = self.by_number.values().filter(|runs| !self.is_task[runs[0] as usize]);
        let all = self.by_array.values().flat_map(BTreeMap::values).chain(alone);
        let pairs = all.flat_map(|runs| runs.windows(2).map(|pair| (pair[0], pair[1])));
        pairs.filter(|(before, _)| self.may_return[*before as usize])
    }
}

/// Removes the edges that close a cycle, and returns the jobs that had them. Jobs are visited in their order, depth
/// first.
fn cut_cycles(edges: &mut [Vec<Edge>]) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; edges.len()];
    let mut cut = vec![];
    for first in 0..edges.len() {
        if marks[first] != Mark::New {
            continue;
        }
        marks[first] = Mark::Open;
        let mut path = vec![(first, 0)];
        while let Some((job, next)) = path.pop() {
            let Some(before) = edges[job].get(next).map(|edge| edge.before as usize) else {
                marks[job] = Mark::Done;
                continue;
            };
            if marks[before] == Mark::Open {
                edges[job].remove(next);
                cut.push(job);
                path.push((job, next));
                continue;
            }
            path.push((job, next + 1));
            if marks[before] == Mark::New {
                marks[before] = Mark::Open;
                path.push((before, 0));
            }
        }
    }
    cut.sort_unstable();
    cut
}

/// The release of a job whose dependencies are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Release {
    /// It arrives at this time.
    At(i64),
    /// A job before it did not end as it has to.
    Never,
}

/// The jobs that wait for others while a schedule runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    /// For each job, the jobs that wait for it.
    followers: BTreeMap<u32, Vec<(u32, Edge)>>,
    failed: Vec<bool>,
    waiting: BTreeMap<u32, Unmet>,
}

#[derive(Clone, Copy, Debug)]
struct Unmet {
    jobs: usize,
    arrival: i64,
    is_submitted: bool,
    is_impossible: bool,
}

impl Pending {
    pub(crate) fn new(dependencies: &Dependencies) -> Self {
        let mut pending = Pending { failed: dependencies.failed.clone(), ..Pending::default() };
        for (number, edges) in (0u32..).zip(&dependencies.edges) {
            for edge in edges {
                pending.followers.entry(edge.before).or_default().push((number, *edge));
            }
            if !edges.is_empty() {
                let unmet =
                    Unmet { jobs: edges.len(), arrival: i64::MIN, is_submitted: false, is_impossible: false };
                pending.waiting.insert(number, unmet);
            }
        }
        pending
    }

    /// Whether no job waits for others.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// A job is submitted at `now`. Returns its release, unless it has to wait for others.
    pub(crate) fn submit(&mut self, number: u32, now: i64) -> Option<Release> {
        let Some(unmet) = self.waiting.get_mut(&number) else { return Some(Release::At(now)) };
        unmet.is_submitted = true;
        self.release(number, now)
    }

    /// A job ends at `now`, or will never run. Returns the jobs that this releases.
    pub(crate) fn end(&mut self, number: u32, now: i64, has_completed: bool) -> Vec<(u32, Release)> {
        let has_completed = has_completed && !self.failed.get(number as usize).is_some_and(|failed| *failed);
        let mut released = vec![];
        for (follower, edge) in self.followers.remove(&number).unwrap_or_default() {
            let Some(unmet) = self.waiting.get_mut(&follower) else { continue };
            unmet.jobs -= 1;
            unmet.arrival = unmet.arrival.max(now + edge.think);
            unmet.is_impossible |= match edge.needs {
                Needs::AnyEnd => false,
                Needs::Completion => !has_completed,
                Needs::Failure => has_completed,
            };
            released.extend(self.release(follower, now).map(|release| (follower, release)));
        }
        released
    }

    /// The release of a job that waits for others, if that is decided.
    fn release(&mut self, number: u32, now: i64) -> Option<Release> {
        let unmet = self.waiting.get(&number)?;
        if !unmet.is_submitted || (unmet.jobs > 0 && !unmet.is_impossible) {
            return None;
        }
        let release = if unmet.is_impossible { Release::Never } else { Release::At(unmet.arrival.max(now)) };
        self.waiting.remove(&number);
        Some(release)
    }

    /// The jobs that are submitted and still wait for others.
    pub(crate) fn take_submitted(&mut self) -> Vec<u32> {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_iter().filter(|(_, unmet)| unmet.is_submitted).map(|(number, _)| number).collect()
    }
}
