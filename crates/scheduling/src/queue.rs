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
//! seconds of the log.

use crate::backfill::{Backfill, Scores};
use crate::job::Job;
use crate::machine::{Machine, OUTAGE, Obstacle, Part, Request, Running};
use crate::policy::Policy;
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
    /// The time of the repair, which the scheduler knows from the failure on.
    pub until: i64,
    /// The part that fails.
    pub part: Part,
}

/// Node-seconds of idle nodes while a job waited that requested no more than these, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LostCapacity {
    /// The idle nodes formed no partition of the requested size.
    pub nodes: u128,
    /// They did, but some of its cables were in use.
    pub cables: u128,
    /// A place was free, but the order or a reservation of another job kept the job from starting.
    pub reservations: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    End,
    Repair,
    Failure,
}

/// An entry of the calendar; the last number distinguishes the attempts of a job.
type Entry = Reverse<(i64, Kind, u32, u32)>;

/// A queue in front of a machine.
pub struct Queue<M: Machine> {
    state: State<M>,
    rules: Rules,
    outages: Vec<Outage>,
    outage_places: Vec<Option<M::Place>>,
    /// Numbers of the waiting jobs, in order of submission.
    waiting: Vec<u32>,
    next_arrival: usize,
    calendar: BinaryHeap<Entry>,
    scores: Vec<(f64, u32)>,
    losses: LostCapacity,
    passes: u64,
}

impl<M: Machine> Queue<M> {
    /// A queue for sorted jobs in front of an idle machine.
    pub fn new(jobs: Vec<Job>, machine: M, rules: Rules, outages: Vec<Outage>) -> Self {
        debug_assert!(jobs.is_sorted());
        let failures = outages.iter().enumerate();
        let calendar =
            failures.map(|(index, outage)| Reverse((outage.from, Kind::Failure, index as u32, 0))).collect();
        Queue {
            state: State::new(jobs, machine, rules.kill),
            outage_places: vec![None; outages.len()],
            waiting: vec![],
            next_arrival: 0,
            scores: vec![],
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

    /// The jobs and outages that hold places now, in order of expected ends.
    pub fn running(&self) -> &[Running<M::Place>] {
        &self.state.running
    }

    /// The capacity lost so far.
    pub fn losses(&self) -> LostCapacity {
        self.losses
    }

    /// The number of scheduling passes.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// The time of the last event.
    pub fn now(&self) -> i64 {
        self.state.now
    }

    fn step(&mut self) -> bool {
        let Some(time) = self.next_time() else {
            self.abandon_waiting();
            return false;
        };
        self.account_until(time);
        self.state.now = time;
        let has_changed = self.process_calendar();
        let has_arrivals = self.process_arrivals();
        if has_changed || has_arrivals {
            self.pass();
        }
        #[cfg(debug_assertions)]
        self.state.machine.check(&self.state.running);
        true
    }

    /// The time of the next event. Outages are ignored once all jobs have ended.
    fn next_time(&self) -> Option<i64> {
        let arrival = self.state.jobs.get(self.next_arrival).map(|job| job.submit);
        let is_idle = arrival.is_none()
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
            has_changed = true;
            match kind {
                Kind::End if self.state.records[index as usize].restarts == attempt => self.end(index),
                Kind::End => {}
                Kind::Repair => self.repair(index as usize),
                Kind::Failure => self.fail(index as usize),
            }
        }
        has_changed
    }

    /// Processes the arrivals of the current time; returns whether any of them waits. A job that the machine can never
    /// hold is no reason for a pass.
    fn process_arrivals(&mut self) -> bool {
        let mut has_arrivals = false;
        while let Some(job) =
            self.state.jobs.get(self.next_arrival).filter(|job| job.submit == self.state.now)
        {
            let number = self.next_arrival;
            if self.state.machine.can_hold(job) {
                self.wait(number as u32);
                has_arrivals = true;
            } else {
                self.state.records[number].reason = Some(Reason::LargerThanMachine);
            }
            self.next_arrival += 1;
        }
        has_arrivals
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
        let order = self.order();
        let scores = Scores { policy: &self.rules.policy, threshold: self.rules.threshold };
        self.rules.backfill.pass(&mut self.state, &order, scores);
        if self.rules.policy.keeps_order_of_submission() {
            self.waiting = order;
        }
        if !self.state.started.is_empty() {
            let ends = self.state.started.drain(..);
            self.calendar.extend(ends.map(|it| Reverse((it.end, Kind::End, it.job, it.attempt))));
            self.waiting.retain(|&job| self.state.is_waiting(job));
        }
    }

    /// The waiting jobs, the best score first; ties go to the smallest number.
    fn order(&mut self) -> Vec<u32> {
        if self.rules.policy.keeps_order_of_submission() {
            return std::mem::take(&mut self.waiting);
        }
        self.scores.clear();
        for &number in &self.waiting {
            self.scores
                .push((self.rules.policy.score(&self.state.jobs[number as usize], self.state.now), number));
        }
        self.scores.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        self.scores.iter().map(|&(_, number)| number).collect()
    }

    fn end(&mut self, number: u32) {
        self.state.records[number as usize].end = Some(self.state.now);
        self.state.release_job(|held| held.job == number);
    }

    fn fail(&mut self, index: usize) {
        let until = self.outages[index].until;
        let (place, victims) = self.state.machine.outage(&self.outages[index].part, &self.state.running);
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
        let record = &mut self.state.records[number as usize];
        let nodes = record.place.map_or(0, |place| self.state.machine.nodes_of(place));
        let ran = self.state.now - record.start.unwrap_or(self.state.now);
        record.lost_node_seconds += u128::from(nodes) * ran as u128;
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

    /// No events are left: the jobs that still wait need resources that are out of service.
    fn abandon_waiting(&mut self) {
        for number in std::mem::take(&mut self.waiting) {
            self.state.records[number as usize].reason = Some(Reason::OutOfService);
        }
    }
}
