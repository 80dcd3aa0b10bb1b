//! The frame of every function that is exported.

use crate::calls::errors;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use std::ffi::c_int;

/// Carries out a function of MPI; returns its error code.
pub fn call(name: &'static str, function: impl FnOnce() -> Outcome) -> c_int {
    let outer = library().begin(name);
    let code = match function() {
        Ok(()) => c::SUCCESS,
        Err(error) => errors::raise(&error),
    };
    library().computation.after_call();
    library().end(outer);
    code
}

/// Notes the name of a function that returns no error code. It may be called while another one runs.
pub fn named(name: &'static str) {
    if !library().is_inside() {
        library().enter(name);
    }
}

/// Ends the run at a function that is not there.
pub fn missing(name: &'static str) -> c_int {
    library().begin(name);
    library().fail(&Error::new(c::ERR_OTHER, format!("{name} is not simulated")))
}
