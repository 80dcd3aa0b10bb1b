//! Errors of calls: what was wrong, and the object whose error handler decides.

use crate::abi::{Comm, Errhandler, Session};
use crate::constants as c;
use std::ffi::c_int;

/// The object that decides on an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// The error handler of a communicator.
    Comm(Comm),
    /// The error handler of a session.
    Session(Session),
    /// This one, as there is no object yet.
    Handler(Errhandler),
    /// None: the call returns the code, as those of the interface for tools do.
    Caller,
}

/// The error of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The error class, or a code that the program has added.
    pub code: c_int,
    /// The argument, and what would be right.
    pub words: String,
    /// The object that decides on it; by default the error handler of `MPI_COMM_SELF`.
    pub decides: Option<Decides>,
}

/// The result of a call.
pub type Outcome<T = ()> = Result<T, Error>;

impl Error {
    /// An error of a class.
    pub fn new(code: c_int, words: impl Into<String>) -> Self {
        Error { code, words: words.into(), decides: None }
    }

    /// This error, of a call on a communicator.
    #[must_use]
    pub fn on(self, comm: Comm) -> Self {
        self.decided_by(Decides::Comm(comm))
    }

    /// This error, on which something decides unless something else does already.
    #[must_use]
    pub fn decided_by(self, decides: Decides) -> Self {
        Error { decides: self.decides.or(Some(decides)), ..self }
    }

    /// This error, with another class.
    #[must_use]
    pub fn of_class(self, code: c_int) -> Self {
        Error { code, ..self }
    }

    /// An argument that is none of the values that it can have.
    pub fn argument(name: &str, value: impl std::fmt::Display, expected: &str) -> Self {
        Self::new(c::ERR_ARG, format!("{name} = {value}: it is {expected}"))
    }
}
