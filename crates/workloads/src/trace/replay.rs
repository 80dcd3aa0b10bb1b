//! A trace as a program: computation takes the recorded time, scaled; calls take the time that the simulation gives.

use super::graph_replay::Progress;
use super::times::{TimeScale, Times};
use base::checkpoint::fingerprint;
use base::clock::ClockRatio;
use mpi::{Call, Given, Outcome, Program};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};
use traces::{Part, RankTrace, Trace};

/// The position of a rank in its calls.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Cursor {
    /// Index of the current event.
    event: usize,
    /// Whether the computation before that event has been issued.
    has_computed: bool,
    /// Computation so far. Cycles are differences of its scaled values, so that rounding errors do not accumulate.
    compute_ps: u64,
}

impl Cursor {
    fn next(&mut self, trace: &RankTrace, times: &Times) -> Option<Call> {
        let event = trace.events.get(self.event);
        if !std::mem::replace(&mut self.has_computed, true) {
            let before = times.cycles(self.compute_ps);
            self.compute_ps += event.map_or(trace.last_compute_ps, |event| event.compute_ps);
            return Some(Call::Compute { cycles: times.cycles(self.compute_ps) - before });
        }
        *self = Cursor { event: self.event + 1, has_computed: false, ..*self };
        event.map(|event| event.call.clone())
    }
}

/// The position of a rank in its part of the trace.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Position {
    /// A position in its calls.
    Calls(Cursor),
    /// The progress in its graph.
    Graph(Progress),
}

/// A position in a checkpoint. The trace itself is read again from its files.
#[derive(Debug, Serialize, Deserialize)]
pub struct State {
    /// The fingerprint of the part of the rank.
    part: u64,
    position: Position,
}

/// The program of one rank that replays its part of a trace.
#[derive(Clone, Debug)]
pub struct Replay {
    trace: Arc<Trace>,
    rank: u32,
    times: Times,
    position: Position,
    /// The fingerprint of the part of the rank, once a checkpoint has needed it.
    fingerprint: OnceLock<u64>,
}

impl Replay {
    /// The program of a rank of `trace`, on processors with this clock.
    pub fn new(trace: Arc<Trace>, rank: u32, scale: TimeScale, clock: ClockRatio) -> Self {
        let position = match trace.rank(rank) {
            Part::Calls(_) => Position::Calls(Cursor::default()),
            Part::Graph(graph) => Position::Graph(Progress::new(graph)),
        };
        Replay { trace, rank, times: Times { scale, clock }, position, fingerprint: OnceLock::new() }
    }

    /// The trace of all ranks.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| fingerprint(self.trace.rank(self.rank)))
    }
}

impl Program for Replay {
    type State = State;

    fn next(&mut self, _time: u64, outcome: &Outcome) -> Option<Call> {
        match (self.trace.rank(self.rank), &mut self.position) {
            (Part::Calls(trace), Position::Calls(cursor)) => cursor.next(trace, &self.times),
            (Part::Graph(graph), Position::Graph(progress)) => progress.next(graph, &self.times, outcome),
            _ => unreachable!("the position is one in the rank's part"),
        }
    }

    fn communicators(&self) -> Vec<Given> {
        self.trace.rank(self.rank).communicators().to_vec()
    }

    fn state(&self) -> State {
        State { part: self.fingerprint(), position: self.position.clone() }
    }

    fn restore(&mut self, state: State) -> bool {
        if state.part != self.fingerprint() {
            return false;
        }
        self.position = state.position;
        if let (Part::Graph(graph), Position::Graph(progress)) =
            (self.trace.rank(self.rank), &mut self.position)
        {
            progress.restore(graph);
        }
        true
    }

    fn bytes(&self) -> usize {
        match &self.position {
            Position::Calls(_) => 0,
            Position::Graph(progress) => progress.bytes(),
        }
    }
}
