//! Sessions: uses of MPI without `MPI_Init`.

use crate::abi::Session;
use crate::calls::info::Hints;
use crate::constants::{self as c, HandleKind};
use crate::error::{Error, Outcome};
use crate::handles::Objects;
use crate::of_process::OfProcess;
use std::cell::Cell;
use std::rc::Rc;

pub(crate) static SESSIONS: OfProcess<Sessions> = OfProcess::new(Sessions::new());

/// A session.
#[derive(Debug)]
pub(crate) struct OpenSession {
    pub error_handler: Cell<usize>,
    pub hints: Hints,
}

/// The sessions of the program.
#[derive(Debug)]
pub(crate) struct Sessions {
    pub objects: Objects<OpenSession>,
    pub open: Cell<u32>,
    /// Whether the process makes its last call when it exits.
    pub ends_at_exit: Cell<bool>,
}

impl Sessions {
    pub const fn new() -> Self {
        let objects = Objects::new(HandleKind::Session);
        Sessions { objects, open: Cell::new(0), ends_at_exit: Cell::new(false) }
    }
}

/// The session of a handle.
///
/// # Errors
/// If there is none.
pub(crate) fn of(session: Session) -> Outcome<Rc<OpenSession>> {
    let found = SESSIONS.objects.get(session.0);
    found.ok_or_else(|| Error::new(c::ERR_SESSION, "session is no session"))
}

/// Whether no session is open.
pub(crate) fn are_all_finalized() -> bool {
    SESSIONS.open.get() == 0
}
