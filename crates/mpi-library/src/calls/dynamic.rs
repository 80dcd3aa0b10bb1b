//! Processes that a program starts itself, which the simulated machine does not have. What does not need any is here.

use crate::abi::{Comm, Ref};
use crate::constants as c;
use crate::error::Outcome;
use crate::library::library;

/// `MPI_Comm_get_parent`: no program has started this one.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn get_parent(parent: Ref<Comm>) -> Outcome {
    library().link()?;
    parent.set(0, Comm(c::COMM_NULL));
    Ok(())
}

/// `MPI_Comm_disconnect`, by which a program says that its messages on the communicator have ended.
///
/// # Errors
/// As those of [`communicators::free`].
pub fn disconnect(comm: Ref<Comm>) -> Outcome {
    crate::calls::communicators::free(comm)
}
