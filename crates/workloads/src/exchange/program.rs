//! The program of a rank of any kernel.

use super::{Exchange, Part};
use mpi::{Call, Given, Outcome, Program};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The program of one rank: the calls of the exchange, in each iteration.
#[derive(Clone, Debug)]
pub struct KernelProgram {
    exchange: Arc<dyn Exchange>,
    rank: u32,
    iterations: u32,
    position: Position,
}

/// The position in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The part: 0 before the iterations, which count from 1, and one more than their number after them.
    part: u32,
    step: u32,
    /// The processor cycle at which the program ended.
    ended: Option<u64>,
    measuring: Option<Measuring>,
    /// The time of each measurement that has ended, in processor cycles.
    measured: Vec<u64>,
}

/// A measurement that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Measuring {
    number: u32,
    since: u64,
}

impl Position {
    /// Assigns the next call, made at processor cycle `time`, to this measurement.
    fn measure(&mut self, number: Option<u32>, time: u64) {
        if let Some(measuring) = self.measuring.filter(|measuring| Some(measuring.number) != number) {
            self.measured.push(time - measuring.since);
            self.measuring = None;
        }
        let begun = number.map(|number| Measuring { number, since: time });
        self.measuring = self.measuring.or(begun);
    }
}

impl KernelProgram {
    /// The calls of an exchange, `iterations` times.
    pub(crate) fn new(exchange: Arc<dyn Exchange>, rank: u32, iterations: u32) -> Self {
        KernelProgram { exchange, rank, iterations, position: Position::default() }
    }

    /// The processor cycle at which the program ended, if it has.
    pub fn ended(&self) -> Option<u64> {
        self.position.ended
    }

    /// The time of each measurement that has ended, in processor cycles, in order.
    pub fn measured(&self) -> &[u64] {
        &self.position.measured
    }

    /// The part with this number; none after the last.
    fn part(&self, number: u32) -> Option<Part> {
        match number {
            0 => Some(Part::Before),
            _ if number <= self.iterations => Some(Part::Iteration),
            _ if number == self.iterations + 1 => Some(Part::After),
            _ => None,
        }
    }
}

impl Program for KernelProgram {
    type State = Position;

    fn next(&mut self, time: u64, _outcome: &Outcome) -> Option<Call> {
        while let Some(part) = self.part(self.position.part) {
            let step = self.position.step;
            let call = self.exchange.call_of(part, self.rank, step);
            let is_in_iteration = part == Part::Iteration && call.is_some();
            let number = is_in_iteration.then(|| self.exchange.measurement(self.rank, step)).flatten();
            self.position.measure(number, time);
            if call.is_some() {
                self.position.step += 1;
                return call;
            }
            self.position.part += 1;
            self.position.step = 0;
        }
        self.position.ended.get_or_insert(time);
        None
    }

    fn communicators(&self) -> Vec<Given> {
        self.exchange.communicators(self.rank)
    }

    fn state(&self) -> Position {
        self.position.clone()
    }

    fn restore(&mut self, position: Position) -> bool {
        self.position = position;
        true
    }

    fn bytes(&self) -> usize {
        self.position.measured.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two calls per iteration, the second a measurement, and one call after the last.
    #[derive(Debug)]
    struct Twice;

    impl Exchange for Twice {
        fn call(&self, _rank: u32, step: u32) -> Option<Call> {
            (step < 2).then_some(Call::Compute { cycles: 1 })
        }

        fn call_after(&self, _rank: u32, step: u32) -> Option<Call> {
            (step < 1).then_some(Call::Time)
        }

        fn measurement(&self, _rank: u32, step: u32) -> Option<u32> {
            (step == 1).then_some(0)
        }

        fn measurements(&self) -> u32 {
            1
        }
    }

    #[test]
    fn the_program_notes_its_measurements_and_when_it_ended() {
        let mut program = KernelProgram::new(Arc::new(Twice), 1, 2);
        let calls = (0..).map_while(|time| program.next(time * time, &Outcome::default())).count();
        // The second and the fourth call take from 1 to 4 and from 9 to 16.
        assert_eq!((calls, program.ended(), program.measured()), (5, Some(25), &[3, 7][..]));
    }
}
