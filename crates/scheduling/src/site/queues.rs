//! Queues of a site: limits and priorities of the jobs in them.
//!
//! A limit on the size, the requested time or the number of queued jobs *refuses* a job when it arrives. A limit on what
//! runs *holds* it: the job waits, is passed over, and has no reservation. A job that gets a reservation counts as
//! running for the jobs after it, so that they do not use up the limit before it starts.

use crate::job::Job;
use crate::state::Reason;
use std::collections::BTreeMap;

/// The queue of a job that is in none.
pub(crate) const NO_QUEUE: u16 = 0;

/// A queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobQueue {
    /// The name of the queue.
    pub name: String,
    /// Jobs of a queue with a higher priority come first; jobs in no queue have 0.
    pub priority: i64,
    /// The limits of the queue.
    pub limits: Limits,
}

/// The limits of a queue; what is `None` is not limited. Nodes are those that the machine allocates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The fewest nodes that a job may request.
    pub min_nodes: Option<u32>,
    /// The most nodes that a job may request.
    pub max_nodes: Option<u32>,
    /// The longest requested time in seconds.
    pub max_walltime: Option<i64>,
    /// The most jobs of one user that wait at a time.
    pub max_queued_jobs_per_user: Option<u32>,
    /// The most jobs that run at a time.
    pub max_running_jobs: Option<u32>,
    /// The most jobs of one user that run at a time.
    pub max_running_jobs_per_user: Option<u32>,
    /// The most nodes that running jobs hold at a time.
    pub max_nodes_in_use: Option<u32>,
}

/// The use of the machine by the jobs of a queue.
#[derive(Clone, Debug, Default)]
struct Counts {
    jobs: u32,
    nodes: u64,
    jobs_of_users: BTreeMap<i32, u32>,
    queued_of_users: BTreeMap<i32, u32>,
}

/// A job of a queue, and the nodes that the machine allocates to it.
#[derive(Clone, Copy, Debug)]
struct Member {
    queue: usize,
    user: i32,
    nodes: u32,
}

/// The use of the machine by the jobs of all queues: running jobs, and those with a reservation in the current pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    queues: Vec<JobQueue>,
    counts: Vec<Counts>,
    /// The jobs that have a reservation and count as running.
    claims: BTreeMap<u32, Member>,
}

impl Usage {
    pub(crate) fn new(queues: &[JobQueue]) -> Self {
        Usage {
            queues: queues.to_vec(),
            counts: vec![Counts::default(); queues.len()],
            claims: BTreeMap::new(),
        }
    }

    /// The priority of a job.
    pub(crate) fn priority(&self, job: &Job) -> i64 {
        if job.queue == NO_QUEUE { 0 } else { self.queues[usize::from(job.queue) - 1].priority }
    }

    /// Whether there are no queues, so that nothing is counted.
    pub(crate) fn is_empty(&self) -> bool {
        self.queues.is_empty()
    }

    /// Whether queues have different priorities.
    pub(crate) fn has_priorities(&self) -> bool {
        self.queues.iter().any(|queue| queue.priority != 0)
    }

    /// Why the queue of a job refuses it when it arrives.
    pub(crate) fn refusal(&self, job: &Job, nodes: u32) -> Option<Reason> {
        let member = Member::of(job, nodes)?;
        let limits = &self.queues[member.queue].limits;
        let queued = self.counts[member.queue].queued_of_users.get(&member.user).copied().unwrap_or_default();
        let reasons = [
            (limits.min_nodes.is_some_and(|min| job.nodes < min), Reason::SmallerThanQueueAllows),
            (limits.max_nodes.is_some_and(|max| job.nodes > max), Reason::LargerThanQueueAllows),
            (limits.max_nodes_in_use.is_some_and(|max| nodes > max), Reason::LargerThanQueueAllows),
            (limits.max_walltime.is_some_and(|max| job.walltime > max), Reason::LongerThanQueueAllows),
            (
                member.user >= 0 && limits.max_queued_jobs_per_user.is_some_and(|max| queued >= max),
                Reason::TooManyQueued,
            ),
        ];
        reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
    }

    /// Whether the limits of its queue let a job start, or have a reservation.
    pub(crate) fn admits(&self, number: u32, job: &Job, nodes: u32) -> bool {
        let Some(member) = Member::of(job, nodes) else { return true };
        if self.claims.contains_key(&number) {
            return true;
        }
        let (limits, counts) = (&self.queues[member.queue].limits, &self.counts[member.queue]);
        let of_user = counts.jobs_of_users.get(&member.user).copied().unwrap_or_default();
        limits.max_running_jobs.is_none_or(|max| counts.jobs < max)
            && limits.max_nodes_in_use.is_none_or(|max| counts.nodes + u64::from(nodes) <= u64::from(max))
            && (member.user < 0 || limits.max_running_jobs_per_user.is_none_or(|max| of_user < max))
    }

    /// Counts a waiting job.
    pub(crate) fn wait(&mut self, job: &Job) {
        if let Some(member) = Member::of(job, 0) {
            *self.counts[member.queue].queued_of_users.entry(member.user).or_default() += 1;
        }
    }

    /// Counts a job with a reservation as running until claims are cleared.
    pub(crate) fn claim(&mut self, number: u32, job: &Job, nodes: u32) {
        let Some(member) = Member::of(job, nodes) else { return };
        if self.claims.insert(number, member).is_none() {
            self.add(member);
        }
    }

    /// Forgets all claims.
    pub(crate) fn clear_claims(&mut self) {
        if self.claims.is_empty() {
            return;
        }
        for member in std::mem::take(&mut self.claims).into_values() {
            self.remove(member);
        }
    }

    /// Counts a waiting job as running.
    pub(crate) fn start(&mut self, number: u32, job: &Job, nodes: u32) {
        let Some(member) = Member::of(job, nodes) else { return };
        if self.claims.remove(&number).is_none() {
            self.add(member);
        }
        decrease(&mut self.counts[member.queue].queued_of_users, member.user);
    }

    /// Counts a running job as ended.
    pub(crate) fn end(&mut self, job: &Job, nodes: u32) {
        if let Some(member) = Member::of(job, nodes) {
            self.remove(member);
        }
    }

    fn add(&mut self, member: Member) {
        let counts = &mut self.counts[member.queue];
        counts.jobs += 1;
        counts.nodes += u64::from(member.nodes);
        *counts.jobs_of_users.entry(member.user).or_default() += 1;
    }

    fn remove(&mut self, member: Member) {
        let counts = &mut self.counts[member.queue];
        counts.jobs -= 1;
        counts.nodes -= u64::from(member.nodes);
        decrease(&mut counts.jobs_of_users, member.user);
    }
}

impl Member {
    /// The job as a member of its queue; `None` if it is in none.
    fn of(job: &Job, nodes: u32) -> Option<Self> {
        (job.queue != NO_QUEUE).then(|| Member { queue: usize::from(job.queue) - 1, user: job.user, nodes })
    }
}

/// Counts one less of a key, and forgets it at 0.
pub(crate) fn decrease<Key: Ord>(counts: &mut BTreeMap<Key, u32>, key: Key) {
    if let Some(count) = counts.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&key);
        }
    }
}
