//! The beginning and the end of a program, and its clock.

use crate::abi::{Arguments, Comm, IntegerKind, Ref, Runtime, Threads};
use crate::calls::{communicators, start};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::library::{Stage, library};
use std::ffi::c_int;

/// `MPI_Init`.
///
/// # Errors
/// If the program has called it before.
pub fn init(_: Ref<c_int>, _: Arguments) -> Outcome {
    begin()
}

/// `MPI_Init_thread`: the level of thread support is at most `MPI_THREAD_FUNNELED`.
///
/// # Errors
/// If the program has called it before.
pub fn init_thread(_: Ref<c_int>, _: Arguments, required: Threads, provided: Ref<Threads>) -> Outcome {
    begin()?;
    provided.set(0, Threads(required.0.clamp(c::THREAD_SINGLE, c::THREAD_FUNNELED)));
    Ok(())
}

fn begin() -> Outcome {
    if library().stage.get() != Stage::Before {
        return Err(Error::new(c::ERR_OTHER, "a program initializes MPI once"));
    }
    let link = start::connect();
    let (rank, size) = (link.rank, link.size);
    library().connect(link);
    communicators::begin(rank, size);
    Ok(())
}

/// `MPI_Initialized`.
///
/// # Errors
/// None.
pub fn initialized(flag: Ref<c_int>) -> Outcome {
    flag.set(0, (library().stage.get() != Stage::Before).into());
    Ok(())
}

/// `MPI_Finalized`.
///
/// # Errors
/// None.
pub fn finalized(flag: Ref<c_int>) -> Outcome {
    flag.set(0, (library().stage.get() == Stage::Finalized).into());
    Ok(())
}

/// `MPI_Finalize`.
///
/// # Errors
/// Before `MPI_Init`, and if the program has called it before.
pub fn finalize() -> Outcome {
    library().link()?.finish();
    library().stage.set(Stage::Finalized);
    Ok(())
}

/// `MPI_Abort`.
///
/// # Errors
/// Before `MPI_Init`, and after `MPI_Finalize`.
pub fn abort(_: Comm, errorcode: c_int) -> Outcome {
    library().link()?.abort(errorcode)
}

/// `MPI_Wtime`: simulated seconds from the beginning of the run.
pub fn wtime() -> f64 {
    match (library().stage.get(), &mut *library().connection()) {
        (Stage::Running, Some(link)) => link.seconds(),
        (_, Some(link)) => link.known_seconds(),
        (_, None) => 0.0,
    }
}

/// `MPI_Wtick`: a processor cycle in seconds.
pub fn wtick() -> f64 {
    library().connection().as_ref().map_or(1e-9, |link| 1.0 / link.memory().hertz())
}

/// The code of the standard ABI for a code of this interface.
pub(crate) fn code_of(raw: c_int) -> c_int {
    Runtime::integer(raw, IntegerKind::Error)
}
