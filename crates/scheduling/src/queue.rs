//! The queue: jobs arrive, wait, run and end, second by second of the log.
//!
//! ```text
//!   arrivals (sorted)  \                        /-> policy: order of those that wait
//!   calendar: ends,     >- the next time -> pass
//!     outages          /                        \-> backfill: who starts, where
//! ```
//!
//! **Order of events.** By time; at one time first ends (in the order of jobs' numbers), then repairs, then failures,
//! then arrivals; then one pass that starts jobs. A job that runs for 0 seconds ends in a second round at the same
//! time. Jobs are numbered by (submit, id), so the order of lines in a file decides nothing. All times are integers.

use crate::backfill::Backfill;
use crate::job::Job;
use crate::machine::{Ask, Machine, OUTAGE, Obstacle, Part, Running};
use crate::policy::Policy;
use crate::state::{Reason, Record, State};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What the queue does.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The order of waiting jobs.
    pub policy: Policy,
    /// What is done about those that do not fit.
    pub backfill: Backfill,
    /// Share of the best score below which a job drains nothing; 0 for all to drain.
    pub threshold: f64,
    /// Whether jobs are ended when their request is over.
    pub kill: bool,
    /// Whether jobs that an outage ends wait again, to run from their beginning.
    pub restart: bool,
}

/// Something out of service for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When it fails.
    pub from: i64,
    /// When it is repaired, which everyone knows from the failure on.
    pub until: i64,
    /// What fails.
    pub part: Part,
}

/// Node-seconds that were idle while somebody who asked for no more was waiting, by the cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// The idle nodes formed no partition of the size.
    pub nodes: u64,
    /// They did, but cables of it were taken.
    pub cables: u64,
    /// A place was free, but order or a promise kept it.
    pub promises: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    End,
    Repair,
    Failure,
}

/// An entry of the calendar; the last number tells attempts of one job apart.
type Entry = Reverse<(i64, Kind, u32, u32)>;

/// A queue at work.
pub struct Queue<M: Machine> {
    state: State<M>,
    rules: Rules,
    outages: Vec<Outage>,
    outage_places: Vec<Option<M::Place>>,
    /// Numbers of waiting jobs, in their order.
    waiting: Vec<u32>,
    next_arrival: usize,
    calendar: BinaryHeap<Entry>,
    scores: Vec<(f64, u32)>,
    losses: Losses,
    passes: u64,
}

impl<M: Machine> Queue<M> {
    /// A queue of sorted jobs in front of an idle machine.
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
            losses: Losses::default(),
            passes: 0,
            rules,
            outages,
            calendar,
        }
    }

    /// Goes on for at most so many times at which something happens; says whether there is more to do.
    pub fn advance(&mut self, steps: usize) -> bool {
        (0..steps).all(|_| self.step())
    }

    /// How much of the work is done, 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.next_arrival as f64 / self.state.jobs.len().max(1) as f64
    }

    /// What became of each job, in the order of the jobs.
    pub fn records(&self) -> &[Record<M::Place>] {
        &self.state.records
    }

    /// The jobs, sorted.
    pub fn jobs(&self) -> &[Job] {
        &self.state.jobs
    }

    /// The machine as it is now.
    pub fn machine(&self) -> &M {
        &self.state.machine
    }

    /// What holds places now, in the order of expected ends.
    pub fn running(&self) -> &[Running<M::Place>] {
        &self.state.running
    }

    /// Capacity that was lost so far.
    pub fn losses(&self) -> Losses {
        self.losses
    }

    /// How often the queue was looked through.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// The time of the last event.
    pub fn now(&self) -> i64 {
        self.state.now
    }

    fn step(&mut self) -> bool {
        let Some(time) = self.next_time() else {
            self.give_up_on_waiting();
            return false;
        };
        self.account_until(time);
        self.state.now = time;
        let has_changed = self.take_from_calendar();
        let has_come = self.take_arrivals();
        if has_changed || has_come {
            self.pass();
        }
        #[cfg(debug_assertions)]
        self.state.machine.check(&self.state.running);
        true
    }

    /// Outages matter only as long as there are jobs.
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

    /// What is due now; whether anything was.
    fn take_from_calendar(&mut self) -> bool {
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

    /// Those who come now; whether any of them waits. One whom the machine can never hold is no reason to look at the others.
    fn take_arrivals(&mut self) -> bool {
        let mut has_come = false;
        while let Some(job) =
            self.state.jobs.get(self.next_arrival).filter(|job| job.submit == self.state.now)
        {
            let number = self.next_arrival;
            if self.state.machine.can_hold(job) {
                self.wait(number as u32);
                has_come = true;
            } else {
                self.state.records[number].reason = Some(Reason::LargerThanMachine);
            }
            self.next_arrival += 1;
        }
        has_come
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
        let above_threshold = self.above_threshold(&order);
        self.rules.backfill.pass(&mut self.state, &order, above_threshold);
        if self.rules.policy.keeps_order_of_submission() {
            self.waiting = order;
        }
        if !self.state.started.is_empty() {
            let ends = self.state.started.drain(..);
            self.calendar.extend(ends.map(|it| Reverse((it.end, Kind::End, it.job, it.attempt))));
            self.waiting.retain(|&job| self.state.is_waiting(job));
        }
    }

    /// Those that wait, the best score first, and the smallest number first among equals.
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

    /// How many of those in order have a score of at least the threshold's share of the best.
    fn above_threshold(&self, order: &[u32]) -> usize {
        let score = |number: u32| self.rules.policy.score(&self.state.jobs[number as usize], self.state.now);
        let least = order.first().map_or(0.0, |&best| score(best) * self.rules.threshold);
        match self.rules.threshold > 0.0 {
            true => order.partition_point(|&number| score(number) >= least),
            false => order.len(),
        }
    }

    fn end(&mut self, number: u32) {
        self.state.records[number as usize].end = Some(self.state.now);
        self.state.give_back(|held| held.job == number);
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
        self.state.give_back(|held| held.job == number);
        let record = &mut self.state.records[number as usize];
        let nodes = record.place.map_or(0, |place| self.state.machine.nodes_of(place));
        let ran = self.state.now - record.start.unwrap_or(self.state.now);
        record.lost_node_seconds += u64::from(nodes) * ran as u64;
        record.restarts += 1;
        if self.rules.restart {
            record.start = None;
            if let Some(promise) = self.state.promises.get_mut(number as usize) {
                *promise = None;
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
        self.state
            .give_back(|held| held.job == OUTAGE && Some(held.place) == place && held.expected_end == until);
    }

    /// Adds up what is lost between now and `time`.
    fn account_until(&mut self, time: i64) {
        let idle = self.state.machine.idle_nodes();
        if time == self.state.now || self.state.smallest_waiting() > idle {
            return;
        }
        let lost = (time - self.state.now) as u64 * u64::from(idle);
        match self.obstacle(idle) {
            Obstacle::Promise => self.losses.promises += lost,
            Obstacle::Cables => self.losses.cables += lost,
            Obstacle::Nodes => self.losses.nodes += lost,
        }
    }

    /// The least that keeps one of those from starting who ask for no more than is idle.
    fn obstacle(&self, idle: u32) -> Obstacle {
        let mut worst = Obstacle::Nodes;
        for (nodes, asks_torus) in self.state.waiting_sizes().take_while(|size| size.0 <= idle) {
            let job = Job { nodes, asks_torus, ..Job::default() };
            match self.state.machine.obstacle(Ask { job: &job, now: self.state.now }) {
                Obstacle::Promise => return Obstacle::Promise,
                Obstacle::Cables => worst = Obstacle::Cables,
                Obstacle::Nodes => {}
            }
        }
        worst
    }

    /// Nothing will ever happen again: what still waits needs what is out of service.
    fn give_up_on_waiting(&mut self) {
        for number in std::mem::take(&mut self.waiting) {
            self.state.records[number as usize].reason = Some(Reason::OutOfService);
        }
    }
}
