//! What a pass acts on: the jobs that wait, what holds places of the machine, and what was promised.

use crate::job::Job;
use crate::machine::{Ask, Machine, Running};
use std::collections::BTreeMap;

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record<P> {
    /// Where it ran last.
    pub place: Option<P>,
    /// When it started last; none if it never did.
    pub start: Option<i64>,
    /// When it ended.
    pub end: Option<i64>,
    /// The first start that it was promised, if it was promised any.
    pub promised: Option<i64>,
    /// How often outages ended it.
    pub restarts: u32,
    /// Node-seconds that these cost.
    pub lost_node_seconds: u64,
    /// Whether its time was over before it was done.
    pub killed: bool,
    /// Why it never started.
    pub reason: Option<Reason>,
}

impl<P> Default for Record<P> {
    fn default() -> Self {
        Record {
            place: None,
            start: None,
            end: None,
            promised: None,
            restarts: 0,
            lost_node_seconds: 0,
            killed: false,
            reason: None,
        }
    }
}

/// Why a job never started, or did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It asks for more than the whole machine has.
    LargerThanMachine,
    /// What it needs was out of service for good.
    OutOfService,
    /// An outage ended it, and it was not to run again.
    EndedByOutage,
}

impl Reason {
    /// As tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Reason::LargerThanMachine => "larger than the machine",
            Reason::OutOfService => "what it needs is out of service",
            Reason::EndedByOutage => "ended by an outage",
        }
    }
}

/// A place and a time that a waiting job is promised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Promise<P> {
    pub place: P,
    pub from: i64,
    pub until: i64,
}

/// A job that was started: when it will end, and which of its attempts this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    pub end: i64,
    pub job: u32,
    pub attempt: u32,
}

/// Jobs and machine at a time.
pub struct State<M: Machine> {
    pub(crate) jobs: Vec<Job>,
    pub(crate) machine: M,
    /// What holds places, in the order of expected ends.
    pub(crate) running: Vec<Running<M::Place>>,
    pub(crate) holds: M::Holds,
    /// What each job is promised; empty unless the rule keeps promises from pass to pass.
    pub(crate) promises: Vec<Option<Promise<M::Place>>>,
    pub(crate) now: i64,
    pub(crate) records: Vec<Record<M::Place>>,
    /// Those that were started and are not in the calendar yet.
    pub(crate) started: Vec<Started>,
    /// How many jobs wait of each size, and of each that ask for a torus.
    waiting_sizes: BTreeMap<(u32, bool), u32>,
    /// Whether jobs are ended when their request is over.
    kill: bool,
}

impl<M: Machine> State<M> {
    /// An idle machine in front of which nobody waits yet.
    pub(crate) fn new(jobs: Vec<Job>, machine: M, kill: bool) -> Self {
        State {
            records: vec![Record::default(); jobs.len()],
            promises: vec![],
            holds: machine.no_holds(),
            running: vec![],
            now: jobs.first().map_or(0, |job| job.submit),
            started: vec![],
            waiting_sizes: BTreeMap::new(),
            jobs,
            machine,
            kill,
        }
    }

    /// Counts a job that waits from now on.
    pub(crate) fn wait(&mut self, number: u32) {
        let job = &self.jobs[number as usize];
        *self.waiting_sizes.entry((job.nodes, job.asks_torus)).or_default() += 1;
    }

    /// The sizes of jobs that wait, the smallest first, and whether they ask for a torus.
    pub(crate) fn waiting_sizes(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.waiting_sizes.keys().copied()
    }

    /// What a job asks of the machine.
    pub(crate) fn ask(&self, number: u32) -> Ask<'_> {
        Ask { job: &self.jobs[number as usize], now: self.now }
    }

    /// Whether a job has not started.
    pub(crate) fn is_waiting(&self, number: u32) -> bool {
        self.records[number as usize].start.is_none()
    }

    /// The fewest nodes that a waiting job asks for.
    pub(crate) fn smallest_waiting(&self) -> u32 {
        self.waiting_sizes().next().map_or(u32::MAX, |(nodes, _)| nodes)
    }

    /// Whether the end of something that runs, or a repair, lets the job start.
    pub(crate) fn can_start_some_time(&self, number: u32) -> bool {
        self.machine.hold(self.ask(number), &self.running, &mut self.machine.no_holds()).is_some()
    }

    /// Keeps the first start that a job was promised.
    pub(crate) fn note_promise(&mut self, number: u32, promised: Option<i64>) {
        let record = &mut self.records[number as usize];
        record.promised = record.promised.or(promised);
    }

    /// Starts a job, and gives its end by its request.
    pub(crate) fn start_by_request(&mut self, number: u32, place: M::Place) -> i64 {
        let job = self.jobs[number as usize];
        let walltime = self.machine.walltime_at(&job, place);
        let run = self.machine.run_at(&job, place);
        let killed = self.kill && run > walltime;
        self.machine.take(place);
        let record = &mut self.records[number as usize];
        record.place = Some(place);
        record.start = Some(self.now);
        record.killed = killed;
        let end = self.now + if killed { walltime } else { run };
        self.started.push(Started { end, job: number, attempt: record.restarts });
        self.hold_place(Running { expected_end: self.now + walltime, job: number, place });
        self.forget_waiting((job.nodes, job.asks_torus));
        self.now + walltime
    }

    /// Starts a job.
    pub(crate) fn start(&mut self, number: u32, place: M::Place) {
        self.start_by_request(number, place);
    }

    fn forget_waiting(&mut self, size: (u32, bool)) {
        if let Some(count) = self.waiting_sizes.get_mut(&size) {
            *count -= 1;
            if *count == 0 {
                self.waiting_sizes.remove(&size);
            }
        }
    }

    /// Something holds a place until its expected end.
    pub(crate) fn hold_place(&mut self, held: Running<M::Place>) {
        let key = (held.expected_end, held.job);
        let index = self.running.partition_point(|other| (other.expected_end, other.job) < key);
        self.running.insert(index, held);
    }

    /// What held a place no longer does.
    pub(crate) fn give_back(&mut self, is_it: impl Fn(&Running<M::Place>) -> bool) {
        if let Some(index) = self.running.iter().position(is_it) {
            let held = self.running.remove(index);
            self.machine.release(held.place);
        }
    }
}
