//! A trace as a program: computation takes the recorded time, scaled; calls take the time that the simulation gives.

use super::Trace;
use mpi::{Call, Outcome, Program};
use network::node::clock::ClockRatio;
use network::parameters::ParameterError;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Converts recorded computation to network cycles, in fixed point so that no event depends on floating-point rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeScale {
    /// Cycles per microsecond of computation, times 2^32.
    cycles_per_microsecond: u64,
}

impl TimeScale {
    /// `cycles_per_microsecond` is that of the machine (175 at 175 MB/s); `compute_scale` multiplies computation, so 1
    /// is as recorded and 0 removes it.
    ///
    /// # Errors
    /// When one is outside its range.
    pub fn new(cycles_per_microsecond: f64, compute_scale: f64) -> Result<Self, ParameterError> {
        range("cycles_per_microsecond", cycles_per_microsecond, 1e6)?;
        range("compute_scale", compute_scale, 1e3)?;
        let scaled = cycles_per_microsecond * compute_scale * (1u64 << 32) as f64;
        Ok(TimeScale { cycles_per_microsecond: scaled.round() as u64 })
    }

    /// The cycles of `compute_ps` picoseconds of computation, rounded down.
    pub fn cycles(&self, compute_ps: u64) -> u64 {
        let cycles = u128::from(compute_ps) * u128::from(self.cycles_per_microsecond) / (1_000_000 << 32);
        u64::try_from(cycles).unwrap_or(u64::MAX)
    }
}

fn range(key: &'static str, value: f64, high: f64) -> Result<(), ParameterError> {
    if (0.0..=high).contains(&value) {
        return Ok(());
    }
    Err(ParameterError { key, value: value.to_string(), expected: format!("must be from 0 to {high}") })
}

/// The position of a rank in its trace.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Cursor {
    /// Index of the current event.
    event: usize,
    /// Whether the computation before that event has been issued.
    has_computed: bool,
    /// Computation so far. Cycles are differences of its scaled values, so that rounding errors do not accumulate.
    compute_ps: u64,
}

/// The program of one rank that replays its part of a trace.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Read again from its files when a run resumes from a checkpoint.
    trace: Arc<Trace>,
    rank: u32,
    scale: TimeScale,
    clock: ClockRatio,
    cursor: Cursor,
}

impl Replay {
    /// The program of a rank of `trace`, on processors with this clock.
    pub fn new(trace: Arc<Trace>, rank: u32, scale: TimeScale, clock: ClockRatio) -> Self {
        Replay { trace, rank, scale, clock, cursor: Cursor::default() }
    }

    /// Whether a cursor is a position in the rank's trace, with the computation before it.
    fn is_position(&self, cursor: &Cursor) -> bool {
        let rank = self.trace.rank(self.rank);
        let (events, last) = (rank.events.len(), std::iter::once(rank.last_compute_ps));
        let computations = rank.events.iter().map(|event| event.compute_ps).chain(last);
        let issued = computations.take(cursor.event.saturating_add(cursor.has_computed.into()));
        let is_end = cursor.event == events + 1 && !cursor.has_computed;
        (cursor.event <= events || is_end) && issued.sum::<u64>() == cursor.compute_ps
    }
}

impl Program for Replay {
    type State = Cursor;

    fn next(&mut self, _time: u64, _outcome: &Outcome) -> Option<Call> {
        let cursor = &mut self.cursor;
        let rank = self.trace.rank(self.rank);
        let event = rank.events.get(cursor.event);
        if !std::mem::replace(&mut cursor.has_computed, true) {
            let cycles = |compute_ps| self.clock.processor_cycle_of(self.scale.cycles(compute_ps));
            let before = cycles(cursor.compute_ps);
            cursor.compute_ps += event.map_or(rank.last_compute_ps, |event| event.compute_ps);
            return Some(Call::Compute { cycles: cycles(cursor.compute_ps) - before });
        }
        *cursor = Cursor { event: cursor.event + 1, has_computed: false, ..*cursor };
        event.map(|event| event.call.clone())
    }

    fn state(&self) -> Cursor {
        self.cursor
    }

    fn restore(&mut self, cursor: Cursor, _now: u64) -> bool {
        self.cursor = cursor;
        self.is_position(&cursor)
    }
}
