//! Info objects: hints by names.

use crate::abi::Info;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use std::rc::Rc;

/// Hints: keys and values, in the order in which they were set.
pub(crate) type Hints = Vec<(String, String)>;

/// A copy of the hints of a handle; none of `MPI_INFO_NULL`.
///
/// # Errors
/// If there is no such object.
pub(crate) fn hints(info: Info) -> Outcome<Hints> {
    if info.0 == c::INFO_NULL {
        return Ok(Hints::new());
    }
    let found = library().infos.get(info.0).map(|info| info.borrow().clone());
    found.ok_or_else(|| Error::new(c::ERR_INFO, "info is no info object"))
}

/// Makes an object of hints; returns its handle.
pub(crate) fn handle(hints: Hints) -> Info {
    Info(library().infos.add(Rc::new(hints.into())))
}
