//! The selection of an algorithm for a collective whose call names none.
//!
//! ```text
//!   choice for the operation      of a call on a communicator
//!   "mpich2"                      a network of its ranks, if its layer uses one; or MPICH2's algorithm
//!   "by-shape"                    the same network; or what suits the length and the box of its ranks; or MPICH2's
//!   a name                        that algorithm, if it suits the length and the ranks; or as "mpich2"
//! ```
//!
//! An all-reduce of more data than a message can have goes around a ring: MPICH2's algorithms would send the data
//! as a whole or in halves.
//!
//! Everything that the selection depends on is equal at all ranks of a communicator, so that they take the same
//! algorithm without a message.

use crate::CollectiveNetworks;
use crate::collectives::{Algorithm, Collective, Grid, Machine, Operation, Tuning};
use crate::communicators::{Communicators, WORLD};

/// The way in which the algorithm of an operation is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// By MPICH2's rules, from length and number of ranks.
    #[default]
    Mpich2,
    /// By length and by the shape of the communicator, if that is a box of the machine.
    ByShape,
    /// This algorithm, where it suits.
    Named(Algorithm),
}

/// The choice for each operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices([Choice; Operation::COUNT]);

impl Choices {
    /// One choice for all operations.
    pub fn all(choice: Choice) -> Self {
        Choices([choice; Operation::COUNT])
    }

    /// These choices with another one for an operation.
    ///
    /// # Panics
    /// When it names an algorithm that calls of this operation cannot have.
    #[must_use]
    pub fn with(mut self, operation: Operation, choice: Choice) -> Self {
        if let Choice::Named(algorithm) = choice {
            assert!(
                operation.selectable().any(|known| known == algorithm),
                "{algorithm:?} for {operation:?}"
            );
        }
        self.0[operation as usize] = choice;
        self
    }

    fn of(&self, operation: Operation) -> Choice {
        self.0[operation as usize]
    }
}

/// Everything that determines the algorithms of calls, apart from their lengths and communicators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The collective networks that carry collectives.
    pub networks: CollectiveNetworks,
    /// The choices.
    pub choices: Choices,
    /// The grid in whose order all ranks are numbered, if any. It may have more places than the machine has ranks.
    pub grid: Option<Grid>,
    /// The seed of random orders.
    pub seed: u64,
    /// The machine on which choices by length and shape depend; none is made without it.
    pub machine: Option<Machine>,
}

impl Selection {
    /// The tuning of a call on a communicator; `stated` is what the call states.
    pub(crate) fn tuning(
        &self,
        collective: &Collective,
        (communicators, number): (&Communicators, u32),
        stated: Tuning,
    ) -> Tuning {
        if stated.algorithm != Algorithm::Auto {
            return stated;
        }
        let choice = self.choices.of(collective.operation());
        let ranks = communicators.group(number).size;
        let on_grid = || {
            let grid = self.grid.and_then(|all| communicators.grid(number, &all));
            Tuning { grid, seed: self.seed, ..Tuning::default() }
        };
        let fitted = |tuning: Tuning| match self.machine_of(number) {
            Some(machine) => tuning.chosen(collective, ranks, &machine),
            None => tuning,
        };
        if let Choice::Named(algorithm) = choice {
            let named = fitted(on_grid().with(algorithm));
            if named.suits(collective, ranks) {
                return named;
            }
        }
        let tuning = self.networks.tuning(collective, communicators.route(number), stated);
        let is_by_shape = match choice {
            Choice::ByShape => true,
            Choice::Mpich2 | Choice::Named(_) => false,
        };
        if !is_by_shape || tuning.algorithm != Algorithm::Auto {
            return tuning.for_length(collective);
        }
        let chosen = fitted(on_grid());
        if chosen.suits(collective, ranks) { chosen } else { stated.for_length(collective) }
    }

    /// The tuning of a call on a communicator, if the rank can make the call.
    ///
    /// # Errors
    /// The fault of the call, such as a root that is no rank, or a message that would be too long.
    pub(crate) fn checked(
        &self,
        collective: &Collective,
        (communicators, number): (&Communicators, u32),
        stated: Tuning,
    ) -> Result<Tuning, String> {
        let group = communicators.group(number);
        if let Some(fault) = collective.fault(group) {
            return Err(fault);
        }
        let tuning = self.tuning(collective, (communicators, number), stated);
        if tuning.algorithm.is_on_network() && communicators.route(number).is_none() {
            let name = tuning.algorithm.name();
            return Err(format!(
                "{name} is for MPI_COMM_WORLD, and for communicators that have a class route"
            ));
        }
        tuning.fault(collective, group).map_or(Ok(tuning), Err)
    }

    /// The machine as the ranks of a communicator see it: only the ranks of all nodes are near the places of a
    /// grid.
    pub(crate) fn machine_of(&self, communicator: u32) -> Option<Machine> {
        let machine = self.machine?;
        Some(Machine { near: machine.near.filter(|_| communicator == WORLD), ..machine })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::communicators::Members;

    fn algorithms(choices: Choices, communicators: &Communicators, number: u32) -> [Algorithm; 3] {
        let grid = Some(Grid::new(&[4, 4, 4], &[true; 3]));
        let shape = geometry::Shape::torus(&[4, 4, 4]).unwrap();
        let pace = messaging::Pace::on_bluegene_l(shape, &messaging::Parameters::default());
        let machine = Some(Machine { pace, near: None });
        let selection = Selection { choices, grid, machine, ..Selection::default() };
        let calls = [
            Collective::Allreduce { bytes: 1 << 20 },
            Collective::Broadcast { root: 0, bytes: 1 << 20 },
            Collective::Allreduce { bytes: 8 },
        ];
        calls.map(|call| selection.tuning(&call, (communicators, number), Tuning::default()).algorithm)
    }

    #[test]
    fn what_does_not_suit_a_call_is_left_to_mpich2() {
        use Algorithm::{Auto, Bucket, Rectangle, RedBlue};
        let mut communicators = Communicators::new(0, 64, &[]);
        let plane = Members::Stride { first: 0, stride: 1, count: 16 };
        let part = Members::Stride { first: 0, stride: 1, count: 15 };
        let one = Members::Stride { first: 0, stride: 1, count: 1 };
        for (number, members) in (1..).zip([plane, part, one]) {
            communicators.create(WORLD, &members, number, number, None);
        }
        let by_shape = Choices::all(Choice::ByShape);
        let named = Choices::default()
            .with(Operation::Broadcast, Choice::Named(RedBlue))
            .with(Operation::AllReduce, Choice::Named(Bucket));
        for (number, of_shape, of_names) in [
            (0, [Bucket, Rectangle, Auto], [Bucket, Auto, Bucket]),
            (1, [Bucket, Rectangle, Auto], [Bucket, RedBlue, Bucket]),
            (2, [Auto; 3], [Auto; 3]),
            (3, [Auto; 3], [Auto; 3]),
        ] {
            assert_eq!(algorithms(Choices::default(), &communicators, number), [Auto; 3]);
            assert_eq!(algorithms(by_shape, &communicators, number), of_shape, "communicator {number}");
            assert_eq!(algorithms(named, &communicators, number), of_names, "communicator {number}");
        }
    }

    #[test]
    #[should_panic(expected = "Deposit for Broadcast")]
    fn lines_are_for_the_workload_alone() {
        let _ = Choices::default().with(Operation::Broadcast, Choice::Named(Algorithm::Deposit));
    }
}
