//! The callers of a rank: a program on the thread that simulates its node, or one outside the simulator.

use crate::{Call, Given, Outcome, Program};
use base::checkpoint::{FrameReader, FrameWriter, changed};
use std::collections::VecDeque;
use std::io;

/// Makes the calls of a rank.
pub trait Caller: Send + 'static {
    /// Whether the caller is notified of the requests that have ended.
    const IS_NOTIFIED_OF_REQUESTS: bool = false;

    /// Receives, at processor cycle `time`, the outcome of the last call. Appends to `to_do` what the caller does
    /// next: computation, then a call; if nothing, its program has ended. Returns false if it will answer later.
    fn ask(&mut self, time: u64, outcome: &Outcome, to_do: &mut VecDeque<Call>) -> bool;

    /// The communicators that exist from the start ([`Program::communicators`]).
    fn communicators(&self) -> Vec<Given> {
        Vec::new()
    }

    /// Bytes of state in addition to the caller's own.
    fn bytes(&self) -> usize;

    /// Writes the state.
    ///
    /// # Errors
    /// Errors of the output, and a state that cannot be written.
    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()>;

    /// Restores a state.
    ///
    /// # Errors
    /// Errors of the input, and a caller whose state cannot be written.
    fn restore(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()>;
}

impl<P: Program> Caller for P {
    fn ask(&mut self, time: u64, outcome: &Outcome, to_do: &mut VecDeque<Call>) -> bool {
        pass_outcome(self, time, outcome, |call| to_do.push_back(call));
        true
    }

    fn communicators(&self) -> Vec<Given> {
        Program::communicators(self)
    }

    fn bytes(&self) -> usize {
        Program::bytes(self)
    }

    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        frames.write(&self.state())
    }

    fn restore(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        match Program::restore(self, frames.read()?) {
            true => Ok(()),
            false => Err(changed("the files of its workload have changed since it was written")),
        }
    }
}

/// Passes an outcome to a program, and its next computation and call to `pass_on`. Computation has no outcome, so
/// that the program can state at once what comes after it. Its own clock shows when the computation ends.
pub(crate) fn pass_outcome(
    program: &mut impl Program,
    time: u64,
    outcome: &Outcome,
    mut pass_on: impl FnMut(Call),
) {
    let (mut clock, mut next) = (time, program.next(time, outcome));
    while let Some(call) = next {
        let is_computation = call.is_computation();
        clock = call.after_computing(clock);
        pass_on(call);
        next = if is_computation { program.next(clock, &Outcome::default()) } else { None };
    }
}
