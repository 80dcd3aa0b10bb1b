//! Generalized requests: operations that the program carries out itself.

use crate::abi::{Function, Pointer, Ref, Request, Status};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::library;
use crate::objects::requests::{self, Kind, Own, RequestState};
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
    /// Asks the program for the status.
    fn queried(&self) -> Outcome<Status> {
        // Room for a status of every interface.
        let mut raw = [0_u64; 8];
        let at = raw.as_mut_ptr().cast();
        let status = Ref::<Status>::at(at);
        status.set(0, Status::EMPTY);
        // SAFETY: the program has passed the function for this state, and there is room for the status.
        checked(self.query.map_or(0, |query| library().outside(|| unsafe { query(self.state.0, at) })))?;
        Ok(status.get(0))
    }
}

impl Own for Generalized {
    fn is_active(&self) -> bool {
        true
    }

    fn has_ended(&self) -> bool {
        self.is_complete.get()
    }

    fn look(&self) -> Option<Outcome<Status>> {
        Some(self.queried())
    }

    /// Asks the program for the status, and frees the request.
    fn take_status(&self) -> Outcome<Status> {
        let queried = self.queried();
        // The request ends whatever the functions say.
        let freed = self.free(None);
        queried.and_then(|status| freed.map(|()| status))
    }

    fn free(&self, _: Option<u32>) -> Outcome {
        // SAFETY: the program has passed the function for this state.
        checked(self.free.map_or(0, |free| library().outside(|| unsafe { free(self.state.0) })))
    }

    fn cancel(&self) -> Option<Outcome> {
        let is_complete = self.is_complete.get().into();
        // SAFETY: the program has passed the function for this state.
        let cancel = |cancel: Cancel| library().outside(|| unsafe { cancel(self.state.0, is_complete) });
        Some(checked(self.cancel.map_or(0, cancel)))
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
    request.set(0, RequestState::new(Kind::Own(Box::new(generalized)), None).handle());
    Ok(())
}

/// `MPI_Grequest_complete`.
///
/// # Errors
/// If it is no generalized request.
pub fn grequest_complete(request: Request) -> Outcome {
    if let Some(state) = requests::of(request)?
        && let Some(generalized) = state.own::<Generalized>()
    {
        generalized.is_complete.set(true);
        return Ok(());
    }
    Err(Error::new(c::ERR_REQUEST, "request is no generalized request"))
}
