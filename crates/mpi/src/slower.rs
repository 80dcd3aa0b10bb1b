//! Collective calls for which a choice of algorithms is predicted to take far longer than the choice by shape.

use crate::Selection;
use crate::call::Call;
use crate::collectives::{Collective, Operation, Tuning};
use crate::dry_run::DryRun;

/// The factor, compared with the choice by shape, beyond which the user is warned of a call's predicted time.
const FAR_LONGER: u64 = 3;

/// A collective call that another algorithm is predicted to carry out in far less time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowerCall {
    /// The operation.
    pub operation: Operation,
    /// The bytes that its algorithm cuts.
    pub bytes: u64,
    /// The algorithm that the call takes, and the one by shape.
    pub algorithms: [&'static str; 2],
    /// The network cycles that are predicted for both.
    pub cycles: [u64; 2],
}

/// The longest slow call of each operation, among all calls that have been read.
#[derive(Clone, Debug)]
pub struct SlowerCalls {
    chosen: Selection,
    by_shape: Selection,
    found: Vec<SlowerCall>,
}

impl SlowerCalls {
    /// No calls yet. Algorithms are chosen as `chosen` says; `by_shape` chooses all of them by shape.
    pub fn new(chosen: Selection, by_shape: Selection) -> Self {
        SlowerCalls { chosen, by_shape, found: Vec::new() }
    }

    /// Reads the next call of a rank.
    ///
    /// # Panics
    /// When the call names a communicator that does not exist.
    pub fn read(&mut self, rank: &mut DryRun, call: &Call) {
        match call.collective() {
            Some((collective, tuning, communicator)) => self.compare(rank, collective, tuning, communicator),
            None => rank.follow(call, &mut |_| {}),
        }
    }

    /// The calls found, one of each operation at most.
    pub fn end(self) -> Vec<SlowerCall> {
        self.found
    }

    fn compare(&mut self, rank: &DryRun, collective: &Collective, stated: Tuning, communicator: u32) {
        let operation = collective.operation();
        let bytes = collective.cut_bytes(rank.size_of(communicator));
        let known = self.found.iter().position(|call| call.operation == operation);
        if known.is_some_and(|known| self.found[known].bytes >= bytes) {
            return;
        }
        let Some(call) = self.slower(rank, collective, stated, communicator) else { return };
        match known {
            Some(known) => self.found[known] = call,
            None => self.found.push(call),
        }
    }

    fn slower(
        &self,
        rank: &DryRun,
        collective: &Collective,
        stated: Tuning,
        communicator: u32,
    ) -> Option<SlowerCall> {
        let ranks = rank.size_of(communicator);
        let [chosen, by_shape] = [&self.chosen, &self.by_shape]
            .map(|selection| rank.tuning_by(selection, collective, stated, communicator));
        if chosen == by_shape || [chosen, by_shape].iter().any(|tuning| tuning.algorithm.is_on_network()) {
            return None;
        }
        // MPICH2's algorithms do not know where ranks are; the prediction must.
        let chosen = Tuning { grid: by_shape.grid, ..chosen };
        let machine = self.by_shape.machine_of(communicator)?;
        let cycles =
            [machine.predict(collective, &chosen, ranks)?, machine.predict(collective, &by_shape, ranks)?];
        let algorithms = [chosen, by_shape].map(|tuning| tuning.name_of(collective, ranks));
        let (operation, bytes) = (collective.operation(), collective.cut_bytes(ranks));
        let call = SlowerCall { operation, bytes, algorithms, cycles };
        (cycles[0] >= FAR_LONGER.saturating_mul(cycles[1])).then_some(call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collectives::{Grid, Machine};
    use crate::{Choice, Choices};

    /// MPICH2's halving and doubling crosses the machine; `bucket` keeps to rings, and uses all of their links.
    #[test]
    fn the_longest_call_of_an_operation_is_named() {
        let shape = geometry::Shape::torus(&[8, 8, 8]).unwrap();
        let pace = messaging::Pace::on_bluegene_l(shape, &messaging::Parameters::default());
        let by_shape = Selection {
            choices: Choices::all(Choice::ByShape),
            grid: Some(Grid::new(&[8; 3], &[true; 3])),
            machine: Some(Machine { pace, near: None }),
            ..Selection::default()
        };
        let mut calls = SlowerCalls::new(Selection::default(), by_shape);
        let mut rank = DryRun::new(0, 512, &[]);
        for bytes in [8, 1 << 24, 1 << 22] {
            calls.read(&mut rank, &Call::Collective(Collective::Allreduce { bytes }));
        }
        let [call] = calls.end()[..] else { panic!("one operation") };
        assert_eq!((call.operation, call.bytes), (Operation::AllReduce, 1 << 24));
        assert_eq!(call.algorithms[1], "bucket");
        assert!(call.cycles[0] >= 3 * call.cycles[1]);
    }
}
