//! The interface for tools: there are no variables, events or categories. Its errors go to no error handler.

use crate::abi::{More, Ref, Text, Threads};
use crate::constants as c;
use crate::error::{Decides, Error, Outcome};
use std::ffi::c_int;

/// `MPI_Pcontrol`: no tool listens.
///
/// # Errors
/// None.
pub fn pcontrol(_: c_int, _: More) -> Outcome {
    Ok(())
}

/// `MPI_T_init_thread`.
///
/// # Errors
/// None.
pub fn init_thread(required: Threads, provided: Ref<Threads>) -> Outcome {
    provided.set(0, Threads(required.0.clamp(c::THREAD_SINGLE, c::THREAD_FUNNELED)));
    Ok(())
}

/// `MPI_T_finalize`.
///
/// # Errors
/// None.
pub fn finalize() -> Outcome {
    Ok(())
}

macro_rules! none_of {
    ($($name:ident $function:literal;)*) => {$(
        #[doc = concat!("`MPI_T_", $function, "`.")]
        ///
        /// # Errors
        /// None.
        pub fn $name(number: Ref<c_int>) -> Outcome {
            number.set(0, 0);
            Ok(())
        }
    )*};
}

none_of! {
    cvar_get_num "cvar_get_num";
    pvar_get_num "pvar_get_num";
    event_get_num "event_get_num";
    source_get_num "source_get_num";
    category_get_num "category_get_num";
    category_changed "category_changed";
}

fn not_there(name: &str) -> Outcome {
    let words = format!("{name}: the interface for tools has none");
    Err(Error::new(c::T_ERR_INVALID_NAME, words).decided_by(Decides::Caller))
}

/// `MPI_T_cvar_get_index`.
///
/// # Errors
/// There is no such variable.
pub fn cvar_get_index(_: Text, _: Ref<c_int>) -> Outcome {
    not_there("name")
}

/// `MPI_T_pvar_get_index`.
///
/// # Errors
/// There is no such variable.
pub fn pvar_get_index(_: Text, _: c_int, _: Ref<c_int>) -> Outcome {
    not_there("name")
}

/// `MPI_T_event_get_index`.
///
/// # Errors
/// There is no such event.
pub fn event_get_index(_: Text, _: Ref<c_int>) -> Outcome {
    not_there("name")
}

/// `MPI_T_category_get_index`.
///
/// # Errors
/// There is no such category.
pub fn category_get_index(_: Text, _: Ref<c_int>) -> Outcome {
    not_there("name")
}
