//! Generalized requests: operations that the program carries out itself.

use crate::abi::{Function, Pointer, Ref, Request, Status};
use crate::calls::requests::{self, Kind, RequestState};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use std::cell::Cell;
use std::ffi::{c_int, c_void};

type Query = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type Free = unsafe extern "C" fn(*mut c_void) -> c_int;
type Cancel = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;

/// The functions of the program for a request.
#[derive(Debug)]
pub(crate) struct Generalized {
    query: Option<Query>,
    free: Option<Free>,
    cancel: Option<Cancel>,
    state: Pointer,
    is_complete: Cell<bool>,
}

fn checked(code: c_int) -> Outcome {
    match code {
        0 => Ok(()),
        raw => {
            Err(Error::new(crate::calls::environment::code_of(raw), "a function of the program has failed"))
        }
    }
}

impl Generalized {
    pub fn is_complete(&self) -> bool {
        self.is_complete.get()
    }

    /// Asks the program for the status, and frees the request.
    pub fn take_status(&self) -> Outcome<Status> {
        // Room for a status of every interface.
        let mut raw = [0_u64; 8];
        let at = raw.as_mut_ptr().cast();
        let status = Ref::<Status>::at(at);
        status.set(0, Status::EMPTY);
        // SAFETY: the program has passed the function for this state, and there is room for the status.
        checked(self.query.map_or(0, |query| unsafe { query(self.state.0, at) }))?;
        let queried = status.get(0);
        self.free()?;
        Ok(queried)
    }

    pub fn free(&self) -> Outcome {
        // SAFETY: the program has passed the function for this state.
        checked(self.free.map_or(0, |free| unsafe { free(self.state.0) }))
    }

    pub fn cancel(&self) -> Outcome {
        // SAFETY: the program has passed the function for this state.
        checked(self.cancel.map_or(0, |cancel| unsafe { cancel(self.state.0, self.is_complete().into()) }))
    }
}

/// `MPI_Grequest_start`.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn grequest_start(
    query_fn: Function,
    free_fn: Function,
    cancel_fn: Function,
    extra_state: Pointer,
    request: Ref<Request>,
) -> Outcome {
    library().link()?;
    // SAFETY: the program passes functions of these types, or null.
    let (query, free, cancel) = unsafe {
        (
            std::mem::transmute::<usize, Option<Query>>(query_fn.address),
            std::mem::transmute::<usize, Option<Free>>(free_fn.address),
            std::mem::transmute::<usize, Option<Cancel>>(cancel_fn.address),
        )
    };
    let generalized = Generalized { query, free, cancel, state: extra_state, is_complete: Cell::new(false) };
    request.set(0, RequestState::new(Kind::Generalized(generalized), None).handle());
    Ok(())
}

/// `MPI_Grequest_complete`.
///
/// # Errors
/// If it is no generalized request.
pub fn grequest_complete(request: Request) -> Outcome {
    if let Some(state) = requests::of(request)?
        && let Kind::Generalized(generalized) = &state.kind
    {
        generalized.is_complete.set(true);
        return Ok(());
    }
    Err(Error::new(c::ERR_REQUEST, "request is no generalized request"))
}
