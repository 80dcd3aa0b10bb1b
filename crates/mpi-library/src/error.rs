//! Errors of calls: what was wrong, and the communicator whose error handler decides.

use crate::abi::Comm;
use crate::constants as c;
use std::ffi::c_int;

/// The error of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The error class, or a code that the program has added.
    pub code: c_int,
    /// The argument, and what would be right.
    pub words: String,
    /// The communicator of the call.
    pub comm: Option<Comm>,
}

/// The result of a call.
pub type Outcome<T = ()> = Result<T, Error>;

impl Error {
    /// An error of a class.
    pub fn new(code: c_int, words: impl Into<String>) -> Self {
        Error { code, words: words.into(), comm: None }
    }

    /// This error, of a call on a communicator.
    #[must_use]
    pub fn on(self, comm: Comm) -> Self {
        Error { comm: self.comm.or(Some(comm)), ..self }
    }

    /// An argument that is none of the values that it can have.
    pub fn argument(name: &str, value: impl std::fmt::Display, expected: &str) -> Self {
        Self::new(c::ERR_ARG, format!("{name} = {value}: it is {expected}"))
    }
}
