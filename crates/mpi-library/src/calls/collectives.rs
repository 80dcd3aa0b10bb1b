//! Collectives.

use crate::abi::Comm;
use crate::calls::communicators;
use crate::error::Outcome;
use crate::library::library;
use rank_wire::{Code, Collective, NOTHING};

/// `MPI_Barrier`.
///
/// # Errors
/// If there is no such communicator.
pub fn barrier(comm: Comm) -> Outcome {
    let of = communicators::of(comm)?;
    let words = [Collective::Barrier as u64, of.number.into(), NOTHING, NOTHING, 0, 0, 0];
    library().link()?.post(Code::Collect, &words);
    Ok(())
}
