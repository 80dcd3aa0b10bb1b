//! A program outside the simulator, which runs at borders while the engine waits.

use super::at_first::AtFirst;
use crate::scenario::Scenario;
use crate::traffic;
use input::InputError;
use messaging::{Borders, ranks_of};
use mpi::{Failure, OutsideRanks, Stop, exchange, set_up};
use network::{Engine, Peers};

/// A program of all ranks, and the times at which it exchanges data with them.
pub(super) struct OutsideProgram {
    borders: Borders,
    ranks: Box<dyn OutsideRanks + Send>,
}

impl OutsideProgram {
    /// The program of the ranks of an engine, which have not run yet. Process 0 has it.
    ///
    /// # Errors
    /// When calls cost less than a window.
    pub(super) fn new(
        scenario: &Scenario,
        engine: &mut dyn Engine,
        ranks: Option<Box<dyn OutsideRanks + Send>>,
        peers: &Peers,
    ) -> Result<Self, InputError> {
        let calls = traffic::costs(scenario).calls;
        let borders = Borders::new(engine, scenario.parameters.node.clock, &calls)
            .map_err(|error| scenario.error(error.key, &error.expected))?;
        let ranks: Box<dyn OutsideRanks + Send> = match ranks {
            Some(ranks) if peers.is_alone() => ranks,
            ranks => Box::new(AtFirst::new(ranks, scenario.placed_ranks()?.count(), peers)),
        };
        set_up(&mut ranks_of(engine), &*ranks);
        Ok(OutsideProgram { borders, ranks })
    }

    /// The failure of a rank, if its program knows it.
    pub(super) fn failure(&self, rank: u32) -> Option<Failure> {
        self.ranks.failure(rank)
    }

    /// Looks for ranks that have failed while they wait.
    ///
    /// # Errors
    /// If one has failed.
    pub(super) fn look(&mut self) -> Result<(), Stop> {
        self.ranks.look()
    }

    /// Processes all events before cycle `until`, and runs the program at the borders between.
    ///
    /// # Errors
    /// If the program ends the run at one of them, where the engine has stopped.
    pub(super) fn advance(&mut self, engine: &mut dyn Engine, until: u64) -> Result<(), Stop> {
        self.borders.advance(engine, until, |parts| exchange(parts, &mut *self.ranks))
    }
}
