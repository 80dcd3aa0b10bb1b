//! The program of a rank of any kernel.

use super::Exchange;
use mpi::{Call, Members, Outcome, Program};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The program of one rank: the calls of the exchange, as often as there are iterations.
#[derive(Clone, Debug)]
pub struct KernelProgram {
    exchange: Arc<dyn Exchange>,
    rank: u32,
    iterations: u32,
    position: Position,
}

/// The position in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    iteration: u32,
    step: u32,
    /// The processor cycle at which the last iteration ended.
    ended: Option<u64>,
}

impl KernelProgram {
    /// The calls of an exchange, so many times.
    pub(crate) fn new(exchange: Arc<dyn Exchange>, rank: u32, iterations: u32) -> Self {
        KernelProgram { exchange, rank, iterations, position: Position::default() }
    }

    /// The processor cycle at which the last iteration ended, if it has.
    pub fn ended(&self) -> Option<u64> {
        self.position.ended
    }
}

impl Program for KernelProgram {
    type State = Position;

    fn next(&mut self, time: u64, _outcome: &Outcome) -> Option<Call> {
        let position = &mut self.position;
        while position.iteration < self.iterations {
            if let Some(call) = self.exchange.call(self.rank, position.step) {
                position.step += 1;
                return Some(call);
            }
            *position = Position { iteration: position.iteration + 1, ..Position::default() };
        }
        position.ended.get_or_insert(time);
        None
    }

    fn communicators(&self) -> Vec<Members> {
        self.exchange.communicators(self.rank)
    }

    fn state(&self) -> Position {
        self.position
    }

    fn restore(&mut self, position: Position, now: u64) -> bool {
        let Position { iteration, step, ended } = position;
        self.position = position;
        let is_in_an_iteration = iteration < self.iterations;
        let has_made_calls =
            || is_in_an_iteration && self.exchange.call(self.rank, step - 1).is_some() && ended.is_none();
        iteration <= self.iterations
            && (step == 0 || has_made_calls())
            && ended.is_none_or(|ended| !is_in_an_iteration && ended <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two calls an iteration.
    #[derive(Debug)]
    struct Twice;

    impl Exchange for Twice {
        fn call(&self, _rank: u32, step: u32) -> Option<Call> {
            (step < 2).then_some(Call::Compute { cycles: 1 })
        }
    }

    /// Exactly the positions between two calls are restored.
    #[test]
    fn positions_outside_the_program_are_refused() {
        let new = || KernelProgram::new(Arc::new(Twice), 0, 3);
        let is_right = |iteration, step, ended| new().restore(Position { iteration, step, ended }, 100);
        for step in 0..=2 {
            assert!(is_right(2, step, None));
        }
        assert!(is_right(3, 0, Some(100)) && is_right(3, 0, None));
        assert!(!is_right(2, 3, None) && !is_right(2, u32::MAX, None) && !is_right(3, 1, None));
        assert!(!is_right(4, 0, None) && !is_right(3, 0, Some(101)) && !is_right(2, 0, Some(5)));
    }

    #[test]
    fn the_program_notes_when_its_last_iteration_ended() {
        let mut program = KernelProgram::new(Arc::new(Twice), 1, 2);
        let calls = (0..).map_while(|time| program.next(time, &Outcome::default())).count();
        assert_eq!((calls, program.ended()), (4, Some(4)));
    }
}
