//! The queue: an event-driven simulation of jobs that arrive, wait, run and end.
//!
//! ```text
//!   arrivals (sorted)  \                        /-> policy: order of waiting jobs
//!   calendar: ends,     >- the next time -> pass
//!     outages          /                        \-> backfill: which jobs start, and where
//! ```
//!
//! **Order of events.** Events are ordered by time. At one time, first jobs end (by job number), then repairs, failures
//! and arrivals follow; then one pass starts jobs. A job that runs for 0 seconds ends in a second round at the same
//! time. Jobs are numbered by (submit, id), so the order of lines in a file does not matter. All times are integers, in
//! seconds of the log. A job that waits for others arrives when they have ended: its submit time becomes that of its
//! arrival.

use crate::backfill::{Backfill, Scores};
use crate::job::Job;
use crate::machine::{Machine, OUTAGE, Obstacle, Part, Request, Running};
use crate::policy::Policy;
use crate::site::{NO_QUEUE, Pending, Release, Site};
use crate::state::{Reason, Record, State};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The rules of the queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The order of waiting jobs.
    pub policy: Policy,
    /// The backfilling rule.
    pub backfill: Backfill,
    /// Fraction of the best score that limits draining, as the rule says.
    pub threshold: f64,
    /// Whether jobs are killed at the end of their requested time.
    pub kill: bool,
    /// Whether jobs that an outage ends are requeued, to run from the beginning.
    pub restart: bool,
}

/// An outage of a part of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The time of the failure.
    pub from: i64,
    /// The time of the repair, which the scheduler knows as soon as the part fails.
    pub until: i64,
    /// The part that fails.
    pub part: Part,
}

/// Node-seconds of idle nodes while a job waited that requested no more than these, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LostCapacity {
    /// The idle nodes formed no partition of the requested size.
    pub nodes: u128,
    /// They formed one, but some of its cables were in use.
    pub cables: u128,
    /// A place was free, but the order or a reservation of another job kept the job from starting.
    pub reservations: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    End,
    Repair,
    Failure,
    /// An advance reservation begins or ends, or a job arrives after those that it waited for.
    Boundary,
    Arrival,
}

/// An entry of the calendar; the last number distinguishes the attempts of a job.
type Entry = Reverse<(i64, Kind, u32, u32)>;

/// A queue in front of a machine.
pub struct Queue<M: Machine> {
    state: State<M>,
    rules: Rules,
    outages: Vec<Outage>,
    outage_places: Vec<Option<M::Place>>,
    /// Jobs that wait for others, and have not arrived.
    pending: Pending,
    /// How many of these are in the calendar.
    arrivals_in_calendar: usize,
    /// Whether jobs can arrive in another order than that of their numbers, or have priorities.
    is_reordered: bool,
    /// The classes of access to which an advance reservation is closed forever.
    closed_forever: Vec<bool>,
    /// Numbers of the waiting jobs, in order of submission.
    waiting: Vec<u32>,
    next_arrival: usize,
    calendar: BinaryHeap<Entry>,
    scores: Vec<(i64, f64, u32)>,
    ended_runs: Vec<EndedRun<M::Place>>,
    losses: LostCapacity,
    passes: u64,
}

/// A run of a job that an outage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedRun<P> {
    /// The number of the job.
    pub job: u32,
    /// The place of the run.
    pub place: P,
    /// When it started.
    pub start: i64,
    /// When it ended.
    pub end: i64,
}

impl<M: Machine> Queue<M> {
    /// A queue for sorted jobs in front of an idle machine.
    pub fn new(jobs: Vec<Job>, machine: M, rules: Rules, outages: Vec<Outage>) -> Self {
        Queue::at_site(jobs, machine, rules, outages, &Site::default())
    }

    /// A queue for the sorted jobs of a site, in front of an idle machine that has its advance reservations.
    pub fn at_site(jobs: Vec<Job>, machine: M, rules: Rules, outages: Vec<Outage>, site: &Site) -> Self {
        debug_assert!(jobs.is_sorted());
        let failures = outages.iter().enumerate();
        let failures = failures.map(|(index, outage)| (outage.from, Kind::Failure, index as u32, 0));
        let reservations = &site.reservations;
        let boundaries = reservations.list.iter().flat_map(|it| [it.from, it.until]);
        let first = jobs.first().map_or(i64::MAX, |job| job.submit);
        let boundaries = boundaries.filter(|time| (first..i64::MAX).contains(time));
        let boundaries = boundaries.map(|time| (time, Kind::Boundary, u32::MAX, 0));
        let calendar = failures.chain(boundaries).map(Reverse).collect();
        let closed_forever =
            (0..reservations.closed.len()).map(|class| reservations.is_ever_closed_to(class as u16));
        let mut state = State::new(jobs, machine, rules.kill, &site.queues);
        state.user_usage = rules.policy.usage(&state.jobs);
        Queue {
            pending: Pending::new(&site.dependencies),
            arrivals_in_calendar: 0,
            is_reordered: state.usage.has_priorities() || !site.dependencies.edges.is_empty(),
            closed_forever: closed_forever.collect(),
            state,
            outage_places: vec![None; outages.len()],
            waiting: vec![],
            next_arrival: 0,
            scores: vec![],
            ended_runs: vec![],
            losses: LostCapacity::default(),
            passes: 0,
            rules,
            outages,
            calendar,
        }
    }

    /// Processes at most `steps` event times; returns whether any are left.
    pub fn advance(&mut self, steps: usize) -> bool {
        (0..steps).all(|_| self.step())
    }

    /// The fraction of the jobs that have arrived, 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.next_arrival as f64 / self.state.jobs.len().max(1) as f64
    }

    /// The record of each job, in the order of the jobs.
    pub fn records(&self) -> &[Record<M::Place>] {
        &self.state.records
    }

    /// The jobs, sorted.
    pub fn jobs(&self) -> &[Job] {
        &self.state.jobs
    }

    /// The machine in its current state.
    pub fn machine(&self) -> &M {
        &self.state.machine
    }

    /// The runs that outages have ended, in order of time.
    pub fn ended_runs(&self) -> &[EndedRun<M::Place>] {
        &self.ended_runs
    }

    /// The capacity lost so far.
    pub fn losses(&self) -> LostCapacity {
        self.losses
    }

    /// The number of scheduling passes.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    fn step(&mut self) -> bool {
        let Some(time) = self.next_time() else {
            self.abandon_waiting();
            return false;
        };
        self.account_until(time);
        self.state.now = time;
        let mut has_changed = self.process_calendar();
        has_changed |= self.process_arrivals();
        // A job that is refused as it arrives releases others now.
        has_changed |= self.process_calendar();
        if has_changed {
            self.pass();
        }
        #[cfg(debug_assertions)]
        self.state.machine.check(&self.state.running);
        true
    }

    /// The time of the next event. Outages and reservations are ignored once all jobs have ended.
    fn next_time(&self) -> Option<i64> {
        let arrival = self.state.jobs.get(self.next_arrival).map(|job| job.submit);
        let is_idle = arrival.is_none()
            && self.arrivals_in_calendar == 0
            && self.waiting.is_empty()
            && self.state.running.iter().all(|running| running.job == OUTAGE);
        let entry = self.calendar.peek().filter(|_| !is_idle).map(|entry| entry.0.0);
        match (arrival, entry) {
            (Some(arrival), Some(entry)) => Some(arrival.min(entry)),
            (one, other) => one.or(other),
        }
    }

    /// Processes the calendar entries of the current time; returns whether there were any.
    fn process_calendar(&mut self) -> bool {
        let mut has_changed = false;
        while self.calendar.peek().is_some_and(|entry| entry.0.0 == self.state.now) {
            let Some(Reverse((_, kind, index, attempt))) = self.calendar.pop() else { break };
            match kind {
                Kind::End if self.state.records[index as usize].restarts == attempt => self.end(index),
                Kind::End | Kind::Boundary => {}
                Kind::Repair => self.repair(index as usize),
                Kind::Failure => self.fail(index as usize),
                Kind::Arrival => {
                    self.arrivals_in_calendar -= 1;
                    has_changed |= self.arrive(index);
                    continue;
                }
            }
            has_changed = true;
        }
        has_changed
    }

    /// Processes the arrivals of the current time; returns whether any of them waits. A job that the machine can never
    /// hold is no reason for a pass.
    fn process_arrivals(&mut self) -> bool {
        let mut has_arrivals = false;
        while self.state.jobs.get(self.next_arrival).is_some_and(|job| job.submit == self.state.now) {
            let number = self.next_arrival as u32;
            self.next_arrival += 1;
            if let Some(release) = self.pending.submit(number, self.state.now) {
                has_arrivals |= self.release(number, release);
            }
        }
        has_arrivals
    }

    /// Lets a job arrive, now or later, or removes it. Returns whether it waits now.
    fn release(&mut self, number: u32, release: Release) -> bool {
        match release {
            Release::At(time) if time == self.state.now => return self.arrive(number),
            Release::At(time) => {
                self.arrivals_in_calendar += 1;
                self.calendar.push(Reverse((time, Kind::Arrival, number, 0)));
            }
            Release::Never => self.refuse(number, Reason::DependencyNotMet),
        }
        false
    }

    /// A job arrives now; returns whether it waits. Otherwise the machine can never hold it, or its queue refuses it.
    fn arrive(&mut self, number: u32) -> bool {
        let job = &mut self.state.jobs[number as usize];
        job.submit = self.state.now;
        let job = *job;
        let granted = self.state.machine.granted(&job);
        let refusal = match granted {
            None => Some(Reason::LargerThanMachine),
            Some(_) if job.queue == NO_QUEUE => None,
            Some(nodes) => self.state.usage.refusal(&job, nodes),
        };
        match refusal {
            Some(reason) => self.refuse(number, reason),
            None => self.wait(number),
        }
        refusal.is_none()
    }

    /// A job will not run.
    fn refuse(&mut self, number: u32, reason: Reason) {
        self.state.records[number as usize].reason = Some(reason);
        self.release_followers(number, false);
    }

    /// A job has ended, or will not run: releases those that wait for it.
    fn release_followers(&mut self, number: u32, has_completed: bool) {
        if self.pending.is_empty() {
            return;
        }
        let mut ended = vec![(number, has_completed)];
        while let Some((number, has_completed)) = ended.pop() {
            for (follower, release) in self.pending.end(number, self.state.now, has_completed) {
                match release {
                    // A chain of refusals may be long: no recursion.
                    Release::Never => {
                        self.state.records[follower as usize].reason = Some(Reason::DependencyNotMet);
                        ended.push((follower, false));
                    }
                    Release::At(time) => {
                        self.arrivals_in_calendar += 1;
                        self.calendar.push(Reverse((time, Kind::Arrival, follower, 0)));
                    }
                }
            }
        }
    }

    fn wait(&mut self, number: u32) {
        let place = self.waiting.partition_point(|&other| other < number);
        self.waiting.insert(place, number);
        self.state.wait(number);
    }

    fn pass(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        self.passes += 1;
        self.state.usage.clear_claims();
        let order = self.order();
        let scores = Scores { policy: &self.rules.policy, threshold: self.rules.threshold };
        self.rules.backfill.pass(&mut self.state, &order, scores);
        if self.keeps_order_of_submission() {
            self.waiting = order;
        }
        if !self.state.started.is_empty() {
            let ends = self.state.started.drain(..);
            self.calendar.extend(ends.map(|it| Reverse((it.end, Kind::End, it.job, it.attempt))));
            self.waiting.retain(|&job| self.state.is_waiting(job));
        }
    }

    /// Whether waiting jobs are in the order of their numbers.
    fn keeps_order_of_submission(&self) -> bool {
        self.rules.policy.keeps_order_of_submission() && !self.is_reordered
    }

    /// The waiting jobs: the highest priority first, then the best score; ties go to the smallest number.
    fn order(&mut self) -> Vec<u32> {
        if self.keeps_order_of_submission() {
            return std::mem::take(&mut self.waiting);
        }
        self.scores.clear();
        for &number in &self.waiting {
            let job = &self.state.jobs[number as usize];
            let score = self.rules.policy.score(job, self.state.moment());
            self.scores.push((self.state.usage.priority(job), score, number));
        }
        self.scores.sort_unstable_by(|one, other| {
            other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)).then(one.2.cmp(&other.2))
        });
        self.scores.iter().map(|&(_, _, number)| number).collect()
    }

    fn end(&mut self, number: u32) {
        let record = &mut self.state.records[number as usize];
        record.end = Some(self.state.now);
        let has_completed = !record.killed;
        self.state.release_job(|held| held.job == number);
        self.state.stop_counting(number);
        self.release_followers(number, has_completed);
    }

    fn fail(&mut self, index: usize) {
        let until = self.outages[index].until;
        let (place, victims) =
            self.state.machine.outage(&self.outages[index].part, until, &self.state.running);
        let mut numbers: Vec<u32> =
            victims.into_iter().map(|victim| self.state.running[victim].job).collect();
        numbers.sort_unstable();
        numbers.into_iter().for_each(|number| self.end_by_outage(number));
        self.state.machine.take(place);
        self.outage_places[index] = Some(place);
        self.state.hold_place(Running { expected_end: until, job: OUTAGE, place });
        if until < i64::MAX {
            self.calendar.push(Reverse((until, Kind::Repair, index as u32, 0)));
        }
    }

    fn end_by_outage(&mut self, number: u32) {
        self.state.release_job(|held| held.job == number);
        self.state.stop_counting(number);
        let record = &mut self.state.records[number as usize];
        if let Some((place, start)) = record.place.zip(record.start) {
            let end = self.state.now;
            let nodes = self.state.machine.nodes_of(place);
            record.lost_node_seconds += u128::from(nodes) * (end - start) as u128;
            self.ended_runs.push(EndedRun { job: number, place, start, end });
        }
        record.restarts += 1;
        if self.rules.restart {
            record.start = None;
            if let Some(reservation) = self.state.reservations.get_mut(number as usize) {
                *reservation = None;
            }
            self.wait(number);
        } else {
            record.end = Some(self.state.now);
            record.reason = Some(Reason::EndedByOutage);
            self.release_followers(number, false);
        }
    }

    fn repair(&mut self, index: usize) {
        let place = self.outage_places[index].take();
        let until = self.outages[index].until;
        self.state.release_job(|held| {
            held.job == OUTAGE && Some(held.place) == place && held.expected_end == until
        });
    }

    /// Adds up the capacity lost between now and `time`.
    fn account_until(&mut self, time: i64) {
        let idle = self.state.machine.idle_nodes();
        if time == self.state.now || self.state.smallest_waiting() > idle {
            return;
        }
        let lost = (time - self.state.now) as u128 * u128::from(idle);
        match self.obstacle(idle) {
            Obstacle::Reservation => self.losses.reservations += lost,
            Obstacle::Cables => self.losses.cables += lost,
            Obstacle::Nodes => self.losses.nodes += lost,
        }
    }

    /// The weakest obstacle to the waiting jobs that request no more nodes than are idle: a reservation, else cables,
    /// else nodes.
    fn obstacle(&self, idle: u32) -> Obstacle {
        let mut worst = Obstacle::Nodes;
        for (nodes, requires_torus) in self.state.waiting_sizes().take_while(|size| size.0 <= idle) {
            let job = Job { nodes, requires_torus, ..Job::default() };
            match self.state.machine.obstacle(Request { job: &job, now: self.state.now }) {
                Obstacle::Reservation => return Obstacle::Reservation,
                Obstacle::Cables => worst = Obstacle::Cables,
                Obstacle::Nodes => {}
            }
        }
        worst
    }

    /// No events are left: the jobs that still wait need resources that are out of service, or reserved for others.
    fn abandon_waiting(&mut self) {
        for number in std::mem::take(&mut self.waiting) {
            let access = usize::from(self.state.jobs[number as usize].access);
            let is_closed = self.closed_forever.get(access).is_some_and(|closed| *closed);
            let reason = if is_closed { Reason::Reserved } else { Reason::OutOfService };
            self.state.records[number as usize].reason = Some(reason);
        }
        for number in self.pending.take_submitted() {
            self.state.records[number as usize].reason = Some(Reason::DependencyPending);
        }
    }
}
