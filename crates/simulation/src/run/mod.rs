//! A run in progress: advances the engine from boundary to boundary, and records and decides at each of them.
//!
//! ```text
//!   cycle 0 ....... window.start ......... middle ......... window.end          (measured)
//!   cycle 0 ................................................ last delivery      (drained)
//!      |--- slices, as long as the wall budget allows; they change no result ---|
//!      |   |   |   rows of the series   |   |   |       ^ periodic check for deadlock
//! ```
//!
//! Boundaries are exact cycles, and every decision is made at a boundary. A run ends at its last delivery (or the
//! last action of a rank): no later boundary is observed. Events that are still pending then (returning credits,
//! acknowledgements of links) complete before anything is counted. A run that a rank has aborted ends at the next
//! check for deadlock, and counts up to that check. A program outside the simulator can end its run at any border. Results therefore do not depend on the wall clock, the engine
//! or the number of threads.

mod at_first;
mod checkpoint;
mod feed;
mod file;
mod finish;
mod job_end;
mod link_cells;
mod outside;
mod parts;
mod sampling;
mod series;
mod slice;
mod start;
#[cfg(test)]
mod tests;

use crate::engine::EngineKind;
use crate::result::{Half, Outcome, TOO_SHORT, is_too_short, steadiness};
use crate::scenario::{Scenario, Window};
use crate::traffic::placed_error;
use base::time::LATEST_CYCLE;
use feed::FeedState;
pub(crate) use feed::{RankFigures, TraceFigures};
use input::InputError;
pub(crate) use job_end::JobEnd;
use link_cells::busy_counts;
pub(crate) use link_cells::{Resolution, link_series_bytes};
use messaging::{Aborted, End, Report};
use mpi::Stop;
use network::{Engine, Peers, Totals};
use outside::OutsideProgram;
pub(crate) use sampling::Extrapolation;
use sampling::Sampling;
use series::Series;
use slice::Slice;
pub use start::check_processes;
pub(crate) use start::{Prepared, agreed, check_program};
use std::time::{Duration, Instant};
use workloads::{JobPlan, RankWork};

/// Interval of the deadlock check, in cycles: several hundred packet times, so that its cost is negligible. Checks
/// that could not find anything are left out.
const DEADLOCK_CHECK_CYCLES: u64 = 100_000;

/// Cycles without a delivery after which a periodic check searches for a deadlock: a few packet times.
const QUIET_CYCLES: u64 = 1_000;

/// A run in progress.
pub struct Run {
    scenario: Scenario,
    engine_kind: EngineKind,
    threads: usize,
    bound: Option<workloads::Bound>,
    offered_bytes_per_cycle: Option<f64>,
    total_packets: Option<u64>,
    /// The condition at which a sampled run ends.
    sampling: Option<Sampling>,
    warnings: Vec<String>,
    /// The jobs, if there are several workloads.
    jobs: Vec<JobPlan>,
    /// The work of the ranks, if any.
    work: Option<RankWork>,
    engine: Box<dyn Engine>,
    /// The processes that run it together.
    peers: Peers,
    /// The program of the ranks, if it is outside the simulator.
    program: Option<OutsideProgram>,
    window: Window,
    series: Series,
    slice: Slice,
    /// Totals at the start and, in `window_middle`, at the middle of the measurement.
    window_start: Totals,
    window_middle: Option<Totals>,
    outcome: Option<Outcome>,
    /// The cycle up to which checks for deadlock are known to find none.
    checked_until: u64,
    engine_time: Duration,
    started: Instant,
    peak_state_bytes: u64,
    /// The cycle from which the memory is sampled again.
    next_memory_sample: u64,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Whether the run has ended.
    pub done: bool,
    /// The cycle reached.
    pub cycle: u64,
    /// Simulated time, in seconds.
    pub seconds_simulated: f64,
    /// The completed share of the run, 0 to 1, if known.
    pub fraction: Option<f64>,
    /// Packets delivered since cycle 0.
    pub packets_delivered: u64,
    /// Packet-hops since cycle 0.
    pub packet_hops: u64,
    /// Wall time spent in the engine, its checks for deadlock and its counts included, in seconds.
    pub engine_seconds: f64,
}

impl Run {
    /// Continues for about `wall_budget` of wall time, or to the end of the run.
    pub fn advance(&mut self, wall_budget: Duration) -> Progress {
        self.advance_until(wall_budget, u64::MAX)
    }

    /// Continues for about `wall_budget` of wall time, to cycle `until`, or to the end of the run. With several processes,
    /// the clock of process 0 counts.
    pub fn advance_until(&mut self, wall_budget: Duration, until: u64) -> Progress {
        let (begin, mut has_begun) = (Instant::now(), false);
        while self.outcome.is_none() && self.engine.now() < until {
            let slice_end = self.engine.now().saturating_add(self.slice.cycles());
            let goes_on = !has_begun || begin.elapsed() < wall_budget;
            let Some(slice_end) = self.peers.decide(|| goes_on.then_some(slice_end)) else { break };
            self.step(slice_end, until);
            has_begun = true;
        }
        self.progress()
    }

    /// Messages that ranks have received since cycle 0; 0 without ranks. They do not depend on the engine either,
    /// if [`Run::advance_until`] has reached its cycle.
    pub fn messages_received(&self) -> u64 {
        let clock = self.scenario.parameters.node.clock;
        Report::of(self.engine.as_ref(), clock).map_or(0, |report| report.totals().messages_received)
    }

    /// The reason why the run has ended without a result, if its trace has turned out to be wrong.
    pub fn refusal(&self) -> Option<InputError> {
        let Some(Outcome::Aborted(aborted, _)) = &self.outcome else { return None };
        let clock = self.scenario.parameters.node.clock;
        let report = Report::of_job(self.engine.as_ref(), clock, aborted.job)?;
        let own = feed::truncation(&report, aborted).and_then(|error| placed_error(&error));
        // The process of the rank that has aborted knows it.
        self.peers.gather(own).into_iter().flatten().next()
    }

    /// The seed of all random draws.
    pub fn seed(&self) -> u64 {
        self.scenario.seed()
    }

    fn progress(&self) -> Progress {
        let so_far = self.engine.so_far();
        let cycle = self.engine.now();
        let of_cycles = |end| cycle as f64 / end as f64;
        // A sampled run ends before all packets are delivered: its share jumps to 1.
        let of_packets = |all| so_far.delivered as f64 / all as f64;
        let fraction = match (self.outcome.is_some(), self.window.end, self.total_packets) {
            (true, _, _) => Some(1.0),
            (_, Some(end), _) => Some(of_cycles(end)),
            (_, None, Some(all)) => Some(of_packets(all.max(1))),
            (_, None, None) => self.scenario.run.time_limit_cycles.map(of_cycles),
        };
        Progress {
            done: self.outcome.is_some(),
            cycle,
            seconds_simulated: cycle as f64 * self.scenario.machine.cycle_seconds(),
            fraction: fraction.map(|fraction| fraction.min(1.0)),
            packets_delivered: so_far.delivered,
            packet_hops: so_far.hops,
            engine_seconds: self.engine_time.as_secs_f64(),
        }
    }

    fn step(&mut self, slice_end: u64, until: u64) {
        let now = self.engine.now();
        let boundary = self.next_boundary().min(until);
        let until = slice_end.min(boundary);
        let begin = Instant::now();
        let advanced = self.advance_engine(until);
        self.slice.adapt(until - now, begin.elapsed());
        let state = feed::state(self.engine.as_mut(), self.scenario.parameters.node.clock, &self.jobs);
        let looked = match (&state, &mut self.program) {
            (FeedState::Stuck(_), Some(program)) => program.look(),
            _ => Ok(()),
        };
        self.outcome = match advanced.and(looked) {
            Ok(()) => self.ending(&state, until == boundary).or_else(|| self.observe(&state)),
            Err(stop) => Some(self.stopped(stop, &state)),
        };
        self.engine_time += begin.elapsed();
    }

    fn advance_engine(&mut self, until: u64) -> Result<(), Stop> {
        match &mut self.program {
            None => {
                self.engine.advance(until);
                Ok(())
            }
            Some(program) => program.advance(self.engine.as_mut(), until),
        }
    }

    /// The outcome if the program of the ranks has ended the run at the border that the engine has reached. A rank
    /// that has aborted the run before counts as the first that failed.
    fn stopped(&self, stop: Stop, state: &FeedState) -> Outcome {
        match (stop, state) {
            (Stop::Interrupted, _) => Outcome::Interrupted,
            (Stop::Failed { .. }, FeedState::Aborted(aborted)) => self.aborted(*aborted),
            (Stop::Failed { rank }, _) => {
                let cycle = self.engine.now();
                self.aborted(Aborted { job: 0, rank, end: End::Failed, cycle })
            }
        }
    }

    /// The outcome if a rank has aborted the run.
    fn aborted(&self, aborted: Aborted) -> Outcome {
        let program = self.program.as_ref().filter(|_| aborted.end == End::Failed);
        Outcome::Aborted(aborted, program.and_then(|program| program.failure(aborted.rank)))
    }

    /// The outcome if nothing is left to be delivered and no rank has aborted the run. Between boundaries the last
    /// delivery may go unnoticed.
    ///
    /// # Panics
    /// When no events are left before all packets are delivered: a bug in the engine.
    fn ending(&mut self, state: &FeedState, is_boundary: bool) -> Option<Outcome> {
        let outcome = match state {
            FeedState::Finished => Outcome::Drained,
            FeedState::Stuck(stuck) => Outcome::Stuck(stuck.clone()),
            FeedState::Aborted(_) => return None,
            FeedState::Running | FeedState::Blocked if self.has_delivered_all(is_boundary) => {
                Outcome::Drained
            }
            FeedState::Running | FeedState::Blocked => return None,
        };
        self.empty_network();
        let totals = self.engine.totals();
        let delivered = totals.delivered_ever;
        let is_whole = self.total_packets.is_none_or(|all| delivered == all);
        assert!(is_whole, "the engine stopped after {delivered} of {:?} packets", self.total_packets);
        let end = self.end_cycle(&outcome, &totals);
        if end < self.window.start {
            self.start_measurement(end); // which is empty
        }
        Some(outcome)
    }

    /// Whether all packets of a workload that ends have been delivered. `is_exact` also counts receptions that the
    /// engine has not yet applied.
    fn has_delivered_all(&mut self, is_exact: bool) -> bool {
        let Some(all) = self.total_packets else { return false };
        let delivered = match is_exact {
            true => self.engine.totals().delivered_ever,
            false => self.engine.so_far().delivered,
        };
        delivered == all
    }

    /// Lets all credits and acknowledgements arrive, so that counters do not depend on the time at which the end
    /// was noticed.
    fn empty_network(&mut self) {
        while let Some(next) = self.engine.next_event() {
            self.engine.advance(next + 1);
        }
    }

    /// The cycle at which the run ends in any case.
    fn time_limit(&self) -> u64 {
        self.scenario.run.time_limit_cycles.unwrap_or(LATEST_CYCLE)
    }

    /// The next cycle at which something is recorded or decided.
    fn next_boundary(&self) -> u64 {
        let now = self.engine.now();
        let checked = now.max(self.checked_until);
        let next_check = (checked / DEADLOCK_CHECK_CYCLES + 1).saturating_mul(DEADLOCK_CHECK_CYCLES);
        let window = [Some(self.window.start), self.window.middle(), self.window.end];
        let limits = [self.time_limit(), self.series.boundary(), next_check];
        let cycles = window.into_iter().flatten().chain(limits);
        cycles.filter(|&cycle| cycle > now).min().unwrap_or(u64::MAX)
    }

    /// Records what is due now, and returns the outcome if the run ends although packets are left. An aborted run
    /// ends at a check, as a slice may go beyond the abort, by any number of cycles.
    fn observe(&mut self, state: &FeedState) -> Option<Outcome> {
        let now = self.engine.now();
        if now == self.series.boundary() {
            if now >= self.next_memory_sample {
                self.sample_memory();
            }
            let totals = self.engine.totals();
            self.record_series(now, &totals);
            let sampled =
                self.sampling.as_ref().and_then(|sampling| sampling.end(&self.series, now, &totals));
            if sampled.is_some() {
                return sampled.map(Outcome::Sampled);
            }
        }
        if now == self.window.start {
            self.start_measurement(now);
        }
        if Some(now) == self.window.middle() {
            self.window_middle = Some(self.engine.totals());
        }
        let end = self.end_at(now);
        let is_check = end.is_some() || now.is_multiple_of(DEADLOCK_CHECK_CYCLES);
        if !is_check {
            return None;
        }
        match state {
            FeedState::Aborted(aborted) => Some(self.aborted(*aborted)),
            FeedState::Running | FeedState::Finished | FeedState::Blocked | FeedState::Stuck(_) => {
                self.find_deadlock(state, end.is_some()).or_else(|| self.outcome_of_jobs(end?))
            }
        }
    }

    /// The outcome at the end of a run: that of a stuck job, although others continue, or else `end`.
    fn outcome_of_jobs(&self, end: Outcome) -> Option<Outcome> {
        let clock = self.scenario.parameters.node.clock;
        let stuck = (0..self.jobs.len()).find_map(|job| {
            let progress = Report::of_job(self.engine.as_ref(), clock, job)?.progress();
            if let messaging::Progress::Stuck(stuck) = progress { Some(Outcome::Stuck(stuck)) } else { None }
        });
        stuck.or(Some(end))
    }

    /// The outcome at `now` if the measurement or the time limit ends there.
    fn end_at(&self, now: u64) -> Option<Outcome> {
        match Some(now) {
            now if now == self.window.end => Some(Outcome::Measured),
            _ if now == self.time_limit() => Some(Outcome::TimeLimit),
            _ => None,
        }
    }

    /// Resets the counts at cycle `now`.
    fn start_measurement(&mut self, now: u64) {
        let totals = self.engine.totals();
        self.record_series(now, &totals);
        self.engine.start_measurement();
        self.window_start = self.engine.totals();
        self.series.rebase(&self.window_start);
    }

    /// Finds a deadlock, if any. Before the end of the run it searches only in two cases. Either packets are in the
    /// network and none has been delivered for [`QUIET_CYCLES`], or one is older than [`DEADLOCK_CHECK_CYCLES`].
    /// Both are the same in every engine; the time of its last event is not.
    ///
    /// # Panics
    /// When packets are left that cannot move and are not deadlocked: a bug in the engine.
    fn find_deadlock(&mut self, state: &FeedState, is_end: bool) -> Option<Outcome> {
        let is_blocked = *state == FeedState::Blocked;
        let totals = self.engine.totals();
        let is_quiet = self.engine.now() - totals.last_delivery >= QUIET_CYCLES;
        let is_empty = totals.in_flight() == 0;
        let is_suspect = is_end
            || is_quiet && (is_blocked || !is_empty)
            || !is_empty && self.engine.oldest_packet_age() >= DEADLOCK_CHECK_CYCLES;
        let search = is_suspect.then(|| self.engine.search_deadlock());
        if is_empty || search.as_ref().is_some_and(|search| search.is_still) {
            self.checked_until = self.engine.next_event().unwrap_or(self.engine.now());
        }
        let blockage = search?.deadlock;
        assert!(blockage.is_some() || !is_blocked, "packets are left that neither move nor are deadlocked");
        blockage.map(Outcome::Deadlocked)
    }

    /// Records `totals` as those at cycle `now`.
    fn record_series(&mut self, now: u64, totals: &Totals) {
        let credits_out = match self.scenario.run.observe_buffers {
            true => self.engine.credits_out(),
            false => Default::default(),
        };
        let links = match self.scenario.run.link_series {
            true => self.busy_counts(),
            false => Vec::new(),
        };
        self.series.record(now, totals, credits_out, links);
    }

    fn busy_counts(&self) -> Vec<u64> {
        let nodes = self.engine.own_nodes();
        busy_counts(&self.scenario.parameters, nodes, &self.engine.links(), &self.peers)
    }

    /// Samples the memory of the state, at the end, and before it at times that double. Sampling visits all nodes,
    /// and hardly any of the arrays ever shrink.
    fn sample_memory(&mut self) {
        self.peak_state_bytes = self.peak_state_bytes.max(self.engine.state_bytes());
        self.next_memory_sample = 2 * self.engine.now();
    }

    /// The cycle at which the run ended. If nothing was left, this is the cycle of the last delivery or of the last
    /// action of a rank.
    fn end_cycle(&self, outcome: &Outcome, totals: &Totals) -> u64 {
        match outcome {
            Outcome::Drained => totals.last_delivery.max(self.last_finish_cycle().unwrap_or(0)),
            Outcome::Stuck(stuck) if self.engine.next_event().is_none() => {
                totals.last_delivery.max(stuck.quiet_since)
            }
            Outcome::Measured
            | Outcome::Sampled(_)
            | Outcome::Deadlocked(_)
            | Outcome::Stuck(_)
            | Outcome::Aborted(..)
            | Outcome::TimeLimit
            | Outcome::Interrupted => self.engine.now(),
        }
    }

    /// The cycle at which the last rank finished, if the run has ranks.
    fn last_finish_cycle(&self) -> Option<u64> {
        Report::of(self.engine.as_ref(), self.scenario.parameters.node.clock)?.last_finish_cycle()
    }

    /// The verdict on steady state, or that the run is too short for any. A run that drained may be short.
    fn steadiness(&self, outcome: &Outcome, totals: &Totals, end: u64) -> Option<&'static str> {
        let is_judged = match outcome {
            Outcome::Measured | Outcome::TimeLimit => true,
            Outcome::Drained => self.window.end.is_some(),
            Outcome::Sampled(_)
            | Outcome::Deadlocked(_)
            | Outcome::Stuck(_)
            | Outcome::Aborted(..)
            | Outcome::Interrupted => false,
        };
        let verdict = self.window_steadiness(outcome, totals);
        let measured_cycles = end.saturating_sub(self.window.start);
        let is_short = is_judged && is_too_short(totals, measured_cycles, verdict);
        if is_short { Some(TOO_SHORT) } else { verdict }
    }

    /// The verdict from the two halves of the measurement window, if that is complete.
    fn window_steadiness(&self, outcome: &Outcome, totals: &Totals) -> Option<&'static str> {
        let (middle_cycle, middle) = (self.window.middle()?, self.window_middle.as_ref()?);
        let router = &self.scenario.parameters.router;
        let first = Half::between(&self.window_start, middle, router);
        let second = Half::between(middle, totals, router);
        let half_cycles = self.window.end? - middle_cycle;
        (*outcome == Outcome::Measured).then(|| steadiness(first, second, half_cycles)).flatten()
    }
}
