//! Who makes the calls of a rank: a program on the thread that simulates its node, or somebody outside.

use crate::{Call, Outcome, Program};
use network::checkpoint::{FrameReader, FrameWriter, require};
use std::collections::VecDeque;
use std::io;

/// Makes the calls of a rank.
pub trait Caller: Send + 'static {
    /// What it does after processor cycle `time`, at which it hears of the outcome of its last call: computation, then a
    /// call; if nothing, its program has ended. None if it will answer later.
    fn ask(&mut self, time: u64, outcome: &Outcome) -> Option<VecDeque<Call>>;

    /// Bytes of state beside itself.
    fn bytes(&self) -> usize;

    /// Writes its state.
    ///
    /// # Errors
    /// Errors of the output, and a state that cannot be written.
    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()>;

    /// Restores the state that it had at processor cycle `now`.
    ///
    /// # Errors
    /// Errors of the input, and a state that it cannot have.
    fn restore(&mut self, now: u64, frames: &mut FrameReader<'_>) -> io::Result<()>;
}

impl<P: Program> Caller for P {
    fn ask(&mut self, time: u64, outcome: &Outcome) -> Option<VecDeque<Call>> {
        Some(next_of(self, time, *outcome))
    }

    fn bytes(&self) -> usize {
        Program::bytes(self)
    }

    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        frames.write(&self.state())
    }

    fn restore(&mut self, now: u64, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let state: P::State = frames.read()?;
        require(Program::restore(self, state, now))
    }
}

/// The next computation and call of a program. Computation has no outcome, so that the program can tell at once what comes
/// after it; its own clock shows what it will.
pub(crate) fn next_of(program: &mut impl Program, time: u64, mut outcome: Outcome) -> VecDeque<Call> {
    let (mut clock, mut calls) = (time, VecDeque::new());
    while let Some(call) = program.next(clock, &std::mem::take(&mut outcome)) {
        match call {
            Call::Compute { cycles } => clock = clock.saturating_add(cycles),
            Call::Advance { until } => clock = clock.max(until),
            _ => {
                calls.push_back(call);
                break;
            }
        }
        calls.push_back(call);
    }
    calls
}
