//! Intercommunicators: two groups of ranks, each of which sends to the other.

use crate::abi::Group;
use crate::calls::communicators::Communicator;
use crate::constants as c;
use crate::error::{Error, Outcome};
use std::ffi::c_int;
use std::rc::Rc;

fn missing<T>() -> Outcome<T> {
    Err(Error::new(c::ERR_COMM, "intercommunicators are not simulated here"))
}

/// `MPI_Comm_dup` of an intercommunicator.
pub(crate) fn duplicate(_: &Communicator) -> Outcome<Rc<Communicator>> {
    missing()
}

/// `MPI_Comm_create` of an intercommunicator.
pub(crate) fn create_of(_: &Communicator, _: Group) -> Outcome<Option<Rc<Communicator>>> {
    missing()
}

/// `MPI_Comm_split` of an intercommunicator.
pub(crate) fn split(_: &Communicator, _: c_int, _: c_int) -> Outcome<Option<Rc<Communicator>>> {
    missing()
}
