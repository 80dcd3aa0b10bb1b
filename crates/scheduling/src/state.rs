//! The state that a scheduling pass acts on: waiting jobs, running jobs and outages, and reservations.

use crate::job::Job;
use crate::machine::{Freed, Machine, OUTAGE, Request, Reservation, Running};
use crate::policy::{Moment, UserUsage};
use crate::site::{JobQueue, NO_QUEUE, Usage, decrease};
use crate::words::words;
use std::collections::BTreeMap;

/// The history of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record<P> {
    /// The place of its last run.
    pub place: Option<P>,
    /// The start of its last run; `None` while it waits.
    pub start: Option<i64>,
    /// When it ended.
    pub end: Option<i64>,
    /// The time of its first reservation, if it had any.
    pub reserved: Option<i64>,
    /// How often outages ended it.
    pub restarts: u32,
    /// Node-seconds lost by these outages.
    pub lost_node_seconds: u128,
    /// Whether it was killed at the end of its requested time.
    pub killed: bool,
    /// Why it never started, or did not complete.
    pub reason: Option<Reason>,
}

impl<P> Default for Record<P> {
    fn default() -> Self {
        Record {
            place: None,
            start: None,
            end: None,
            reserved: None,
            restarts: 0,
            lost_node_seconds: 0,
            killed: false,
            reason: None,
        }
    }
}

words! {
    /// Why a job never started, or did not complete.
    pub enum Reason, "a reason" {
        /// It requests more than the machine can allocate.
        LargerThanMachine = "larger than the machine",
        /// The resources that it needs are permanently out of service.
        OutOfService = "what it needs is out of service",
        /// An outage ended it, and such jobs are not restarted.
        EndedByOutage = "ended by an outage",
        /// It requests fewer nodes than its queue takes.
        SmallerThanQueueAllows = "smaller than its queue allows",
        /// It requests more nodes than its queue takes.
        LargerThanQueueAllows = "larger than its queue allows",
        /// It requests more time than its queue allows.
        LongerThanQueueAllows = "longer than its queue allows",
        /// The user had as many jobs in the queue as may wait there.
        TooManyQueued = "too many jobs of its user in its queue",
        /// The resources that it needs are reserved for others forever.
        Reserved = "what it needs is reserved",
        /// A job that it waits for did not end as it has to.
        DependencyNotMet = "a job before it did not end as required",
        /// A job that it waits for never ended.
        DependencyPending = "a job before it never ended",
    }
}

/// The places freed in the plan, in order, counted from the beginning; places that all jobs have seen are forgotten.
#[derive(Clone, Debug)]
pub(crate) struct FreedPlaces<P> {
    forgotten: usize,
    known: Vec<Freed<P>>,
}

impl<P> FreedPlaces<P> {
    /// The number of places freed so far.
    pub(crate) fn end(&self) -> usize {
        self.forgotten + self.known.len()
    }

    /// The places freed after the first `seen` ones.
    pub(crate) fn since(&self, seen: usize) -> &[Freed<P>] {
        &self.known[seen - self.forgotten..]
    }

    pub(crate) fn add(&mut self, freed: Freed<P>) {
        self.known.push(freed);
    }

    /// Forgets the first `seen` places.
    pub(crate) fn forget(&mut self, seen: usize) {
        self.known.drain(..seen - self.forgotten);
        self.forgotten = seen;
    }
}

/// A job that was started: its end, and the number of this attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    pub end: i64,
    pub job: u32,
    pub attempt: u32,
}

/// Jobs and machine at one time.
pub(crate) struct State<M: Machine> {
    pub(crate) jobs: Vec<Job>,
    pub(crate) machine: M,
    /// The jobs and outages that hold places, in order of expected ends.
    pub(crate) running: Vec<Running<M::Place>>,
    /// The memory of the reservations of the last pass.
    pub(crate) held: M::Reservations,
    /// The reservation of each job; empty unless the backfilling rule keeps reservations between passes.
    pub(crate) reservations: Vec<Option<Reservation<M::Place>>>,
    /// The places freed while jobs with reservations waited.
    pub(crate) freed: FreedPlaces<M::Place>,
    pub(crate) now: i64,
    pub(crate) records: Vec<Record<M::Place>>,
    /// Started jobs that are not in the calendar yet.
    pub(crate) started: Vec<Started>,
    /// The use of the machine by the jobs of queues with limits.
    pub(crate) usage: Usage,
    /// The usage of users, if the policy asks for it.
    pub(crate) user_usage: Option<UserUsage>,
    /// The number of waiting jobs by size and by whether they require a torus.
    waiting_sizes: BTreeMap<(u32, bool), u32>,
    /// Whether jobs are killed at the end of their requested time.
    kill: bool,
}

impl<M: Machine> State<M> {
    /// An idle machine with an empty queue.
    pub(crate) fn new(jobs: Vec<Job>, machine: M, kill: bool, queues: &[JobQueue]) -> Self {
        State {
            usage: Usage::new(queues),
            user_usage: None,
            records: vec![Record::default(); jobs.len()],
            reservations: vec![],
            freed: FreedPlaces { forgotten: 0, known: vec![] },
            held: M::Reservations::default(),
            running: vec![],
            now: jobs.first().map_or(0, |job| job.submit),
            started: vec![],
            waiting_sizes: BTreeMap::new(),
            jobs,
            machine,
            kill,
        }
    }

    /// No reservations, in the memory of those of the last pass; the caller puts them back into `held`.
    pub(crate) fn take_held(&mut self) -> M::Reservations {
        let mut held = std::mem::take(&mut self.held);
        self.machine.clear_reservations(&mut held);
        held
    }

    /// Counts a job as waiting.
    pub(crate) fn wait(&mut self, number: u32) {
        let job = &self.jobs[number as usize];
        self.usage.wait(job);
        *self.waiting_sizes.entry((job.nodes, job.requires_torus)).or_default() += 1;
    }

    /// The sizes of waiting jobs in ascending order, and whether they require a torus.
    pub(crate) fn waiting_sizes(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.waiting_sizes.keys().copied()
    }

    /// The request of a job at the current time.
    pub(crate) fn request(&self, number: u32) -> Request<'_> {
        Request { job: &self.jobs[number as usize], now: self.now }
    }

    /// The current time and what has been used until then, by which policies score jobs.
    pub(crate) fn moment(&self) -> Moment<'_> {
        Moment { now: self.now, usage: self.user_usage.as_ref() }
    }

    /// Whether a job has not started.
    pub(crate) fn is_waiting(&self, number: u32) -> bool {
        self.records[number as usize].start.is_none()
    }

    /// Whether the limits of its queue let a job start or have a reservation; otherwise it is passed over.
    #[inline]
    pub(crate) fn admits(&self, number: u32) -> bool {
        let job = &self.jobs[number as usize];
        job.queue == NO_QUEUE || self.usage.admits(number, job, self.granted(job))
    }

    /// Counts a job that got a reservation in this pass towards the limits of its queue.
    pub(crate) fn claim(&mut self, number: u32) {
        let job = self.jobs[number as usize];
        if job.queue != NO_QUEUE {
            self.usage.claim(number, &job, self.granted(&job));
        }
    }

    /// The nodes that the machine allocates to a job.
    pub(crate) fn granted(&self, job: &Job) -> u32 {
        self.machine.granted(job).unwrap_or(job.nodes)
    }

    /// Counts a job that held a place as ended.
    pub(crate) fn stop_counting(&mut self, number: u32) {
        let job = self.jobs[number as usize];
        if job.queue != NO_QUEUE {
            self.usage.end(&job, self.granted(&job));
        }
        let place = self.records[number as usize].place;
        if let Some((usage, place)) = self.user_usage.as_mut().zip(place) {
            usage.end(job.user, self.machine.nodes_of(place), self.now);
        }
    }

    /// The smallest number of nodes that a waiting job requests.
    pub(crate) fn smallest_waiting(&self) -> u32 {
        self.waiting_sizes().next().map_or(u32::MAX, |(nodes, _)| nodes)
    }

    /// When the first running job ends by its request.
    pub(crate) fn first_expected_end(&self) -> Option<i64> {
        self.running.iter().find(|held| held.job != OUTAGE).map(|held| held.expected_end)
    }

    /// Whether the job could start after the end of running jobs and outages.
    pub(crate) fn can_ever_start(&self, number: u32) -> bool {
        self.machine.hold(self.request(number), &self.running, &mut self.machine.no_reservations()).is_some()
    }

    /// Records the time of a job's first reservation.
    pub(crate) fn record_reservation(&mut self, number: u32, reserved: Option<i64>) {
        let record = &mut self.records[number as usize];
        record.reserved = record.reserved.or(reserved);
    }

    /// Starts a job, and returns its end by the requested time.
    pub(crate) fn start(&mut self, number: u32, place: M::Place) -> i64 {
        let job = self.jobs[number as usize];
        let walltime = self.machine.walltime_at(&job, place);
        let run = self.machine.run_at(&job, place);
        let killed = self.kill && run > walltime;
        self.machine.take(place);
        if job.queue != NO_QUEUE {
            self.usage.start(number, &job, self.granted(&job));
        }
        if let Some(usage) = &mut self.user_usage {
            usage.start(job.user, self.machine.nodes_of(place), self.now);
        }
        let record = &mut self.records[number as usize];
        record.place = Some(place);
        record.start = Some(self.now);
        record.killed = killed;
        let end = self.now + if killed { walltime } else { run };
        self.started.push(Started { end, job: number, attempt: record.restarts });
        self.hold_place(Running { expected_end: self.now + walltime, job: number, place });
        decrease(&mut self.waiting_sizes, (job.nodes, job.requires_torus));
        self.now + walltime
    }

    /// Records that a job or an outage holds a place until its expected end.
    pub(crate) fn hold_place(&mut self, held: Running<M::Place>) {
        let key = (held.expected_end, held.job);
        let index = self.running.partition_point(|other| (other.expected_end, other.job) < key);
        self.running.insert(index, held);
    }

    /// Releases the place of the job or outage that matches.
    pub(crate) fn release_job(&mut self, is_it: impl Fn(&Running<M::Place>) -> bool) {
        if let Some(index) = self.running.iter().position(is_it) {
            let held = self.running.remove(index);
            self.machine.release(held.place);
            let is_awaited = !self.reservations.is_empty() && !self.waiting_sizes.is_empty();
            if is_awaited && held.expected_end > self.now {
                self.freed.add(Freed { place: held.place, until: held.expected_end });
            }
        }
    }
}
