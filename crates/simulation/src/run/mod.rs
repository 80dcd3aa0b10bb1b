//! A run under way: the engine is advanced from boundary to boundary, and what happens there is decided here.
//!
//! ```text
//!   cycle 0 ....... window.start ......... middle ......... window.end          (measured)
//!   cycle 0 ................................................ last delivery      (drained)
//!      |--- slices, as long as the wall budget allows; they change no result ---|
//!      |   |   |   rows of the series   |   |   |       ^ every so often: is there a deadlock?
//! ```
//!
//! All boundaries are exact cycles, and every decision is taken at one of them, so that neither the wall clock nor the
//! engine nor the number of threads changes a result.

mod checkpoint;
mod feed;
mod series;
mod slice;
mod start;

use crate::engine::EngineKind;
use crate::host;
use crate::result::{
    Figures, Half, Outcome, RunResult, Speed, Waits, injection_table, latency_table, links_table,
    nodes_table, steadiness, summarize,
};
use crate::scenario::{Scenario, Window};
use crate::traffic::Software;
use feed::FeedState;
use network::link::LinkReport;
use network::{Engine, Totals};
use series::Series;
use slice::Slice;
use std::time::{Duration, Instant};

/// How often deadlock is looked for, in cycles: some hundred times the time of a packet, so that it costs nothing.
const DEADLOCK_CHECK_CYCLES: u64 = 100_000;

/// A run under way.
pub struct Run {
    scenario: Scenario,
    engine_kind: EngineKind,
    threads: usize,
    bound: Option<workloads::Bound>,
    total_packets: Option<u64>,
    engine: Box<dyn Engine>,
    software: Software,
    window: Window,
    series: Series,
    slice: Slice,
    /// What had been counted when the measurement began, and in its middle.
    window_start: Totals,
    window_middle: Option<Totals>,
    outcome: Option<Outcome>,
    engine_time: Duration,
    started: Instant,
    peak_state_bytes: u64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Whether it has come to an end.
    pub done: bool,
    /// The cycle it has reached.
    pub cycle: u64,
    /// The same in seconds of the machine's time.
    pub seconds_simulated: f64,
    /// How much of it is done, 0 to 1, where that is known.
    pub fraction: Option<f64>,
    /// Packets delivered since the beginning.
    pub packets_delivered: u64,
    /// Links crossed since the beginning.
    pub packet_hops: u64,
    /// Seconds of wall time that the engine has run.
    pub engine_seconds: f64,
}

impl Run {
    /// Runs on for about `wall_budget`, or to the end.
    pub fn advance(&mut self, wall_budget: Duration) -> Progress {
        let begin = Instant::now();
        while self.outcome.is_none() {
            self.step();
            if begin.elapsed() >= wall_budget {
                break;
            }
        }
        self.progress()
    }

    /// The seed of every random choice.
    pub fn seed(&self) -> u64 {
        self.scenario.seed()
    }

    /// Ends the run and gives what it leaves; a run that has not come to an end is marked as interrupted.
    pub fn finish(mut self, interrupted: bool) -> RunResult {
        let outcome = self.outcome.take();
        debug_assert!(interrupted || outcome.is_some(), "a run is finished at its end, or interrupted");
        let outcome = outcome.unwrap_or(Outcome::Interrupted);
        let totals = self.engine.totals();
        self.sample_memory();
        self.record_series(&totals);
        let end = self.end_cycle(&outcome, &totals);
        let cycles = end.saturating_sub(self.window.start);
        let parameters = &self.scenario.parameters;
        let nodes = self.engine.nodes();
        let mut tables = vec![
            links_table(parameters, &self.engine.links(), cycles),
            latency_table(&totals),
            nodes_table(parameters, &nodes),
        ];
        let silent_nodes = nodes.iter().filter(|node| node.injected == 0).count()
            - self.scenario.parameters.faults.nodes().len();
        let oldest_packet_age = self.engine.oldest_packet_age();
        let waits = Waits { oldest_packet_age, silent_nodes };
        let links = self.engine.link_report();
        let summary = summarize(&self.figures(&outcome, &totals, end, waits, links.as_ref()));
        tables.push(self.series.into_table(end, parameters));
        tables.extend(links.map(|links| injection_table(&links)));
        RunResult { summary, scenario: self.scenario.to_json(), tables }
    }

    fn progress(&self) -> Progress {
        let so_far = self.engine.so_far();
        let cycle = self.engine.now();
        let of_cycles = |end| cycle as f64 / end as f64;
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

    fn step(&mut self) {
        let now = self.engine.now();
        let until = now.saturating_add(self.slice.cycles()).min(self.next_boundary());
        let begin = Instant::now();
        let state = self.software.advance(self.engine.as_mut(), until);
        let spent = begin.elapsed();
        self.engine_time += spent;
        self.slice.adapt(until - now, spent);
        self.outcome = self.observe(state);
    }

    /// The next cycle at which something is recorded or decided.
    fn next_boundary(&self) -> u64 {
        let now = self.engine.now();
        let next_check = (now / DEADLOCK_CHECK_CYCLES + 1).saturating_mul(DEADLOCK_CHECK_CYCLES);
        let window = [Some(self.window.start), self.window.middle(), self.window.end];
        let limits = [self.scenario.run.time_limit_cycles, Some(self.series.boundary()), Some(next_check)];
        let cycles = window.into_iter().chain(limits).flatten();
        cycles.filter(|&cycle| cycle > now).min().unwrap_or(u64::MAX)
    }

    /// Records what is due now, and says how the run has ended if it has.
    ///
    /// # Panics
    /// When nothing is left to happen before all packets are delivered: the engine is wrong.
    fn observe(&mut self, state: FeedState) -> Option<Outcome> {
        let now = self.engine.now();
        if now == self.series.boundary() {
            self.sample_memory();
            let totals = self.engine.totals();
            self.record_series(&totals);
        }
        if now == self.window.start {
            self.start_measurement();
        }
        if Some(now) == self.window.middle() {
            self.window_middle = Some(self.engine.totals());
        }
        match state {
            FeedState::Finished => {
                let delivered = self.engine.totals().delivered_ever;
                let is_whole = self.total_packets.is_none_or(|all| delivered == all);
                assert!(is_whole, "the engine stopped after {delivered} of {:?} packets", self.total_packets);
                return Some(Outcome::Completed);
            }
            FeedState::Stuck(stuck) => return Some(Outcome::Stuck(stuck)),
            _ => {}
        }
        let end = self.end_at(now);
        let is_check = end.is_some() || now.is_multiple_of(DEADLOCK_CHECK_CYCLES);
        is_check.then(|| self.find_deadlock(&state, end.is_some())).flatten().or(end)
    }

    /// How the run ends at `now` if nothing else has ended it.
    fn end_at(&self, now: u64) -> Option<Outcome> {
        match Some(now) {
            now if now == self.window.end => Some(Outcome::Completed),
            now if now == self.scenario.run.time_limit_cycles => Some(Outcome::TimeLimit),
            _ => None,
        }
    }

    fn start_measurement(&mut self) {
        let totals = self.engine.totals();
        self.record_series(&totals);
        self.engine.start_measurement();
        self.window_start = self.engine.totals();
        self.series.rebase(&self.window_start);
    }

    /// The deadlock there is, if any. Before the end it is looked for only when a packet has waited long.
    ///
    /// # Panics
    /// When packets are left and nothing can move, yet nothing blocks them: the engine is wrong.
    fn find_deadlock(&mut self, state: &FeedState, is_end: bool) -> Option<Outcome> {
        let is_blocked = *state == FeedState::Blocked;
        let is_suspect = is_blocked || is_end || self.engine.oldest_packet_age() >= DEADLOCK_CHECK_CYCLES;
        let blockage = is_suspect.then(|| self.engine.find_deadlock()).flatten();
        assert!(blockage.is_some() || !is_blocked, "packets are left that nothing blocks");
        blockage.map(Outcome::Deadlocked)
    }

    fn record_series(&mut self, totals: &Totals) {
        let tokens_out = match self.scenario.run.observe_buffers {
            true => self.engine.tokens_out(),
            false => Default::default(),
        };
        self.series.record(self.engine.now(), totals, tokens_out);
    }

    fn sample_memory(&mut self) {
        self.peak_state_bytes = self.peak_state_bytes.max(self.engine.state_bytes());
    }

    /// The cycle at which the run ended: that of the last thing that happened, where it came to an end by itself.
    fn end_cycle(&self, outcome: &Outcome, totals: &Totals) -> u64 {
        let now = self.engine.now();
        match outcome {
            Outcome::Completed if self.window.end == Some(now) => now,
            Outcome::Completed => totals.last_delivery.max(self.software.last_finish_cycle().unwrap_or(0)),
            Outcome::Stuck(stuck) => totals.last_delivery.max(stuck.since),
            _ => now,
        }
    }

    fn figures<'a>(
        &'a self,
        outcome: &'a Outcome,
        totals: &'a Totals,
        end: u64,
        waits: Waits,
        links: Option<&'a LinkReport>,
    ) -> Figures<'a> {
        Figures {
            scenario: &self.scenario,
            outcome,
            totals,
            bound: self.bound.as_ref(),
            window: self.window,
            end,
            steadiness: self.steadiness(totals, end),
            one_way_cycles: self.software.one_way_cycles(),
            waits,
            links,
            speed: Speed {
                engine: self.engine_kind,
                threads: self.threads,
                engine_time: self.engine_time,
                wall_time: self.started.elapsed(),
                peak_state_bytes: self.peak_state_bytes,
                process_peak_memory_bytes: host::process_peak_memory_bytes(),
            },
        }
    }

    /// What the two halves of a measured window say, if it was measured to its end.
    fn steadiness(&self, totals: &Totals, end: u64) -> Option<&'static str> {
        let (middle_cycle, middle) = (self.window.middle()?, self.window_middle.as_ref()?);
        let first = Half::between(&self.window_start, middle);
        let second = Half::between(middle, totals);
        let whole = self.window.end == Some(end);
        whole.then(|| steadiness(first, second, end - middle_cycle)).flatten()
    }
}
