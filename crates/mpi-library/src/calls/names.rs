//! Names of communicators and datatypes.

use crate::abi::{Comm, Datatype, Limit, Ref, Runtime, Text, TextAt};
use crate::calls::{datatypes, texts};
use crate::constants as c;
use crate::error::Outcome;
use crate::objects::communicators;
use std::ffi::{CString, c_int};

/// A name, cut where it would be longer than a program may expect.
fn cut(name: CString) -> CString {
    let longest = Runtime::limit(Limit::ObjectName) - 1;
    let mut bytes = name.into_bytes();
    bytes.truncate(longest);
    CString::new(bytes).unwrap_or_default()
}

fn store(name: &CString, to: TextAt, length: Ref<c_int>) {
    length.set(0, texts::write(name, to, Runtime::limit(Limit::ObjectName)) as c_int);
}

/// `MPI_Comm_set_name`.
///
/// # Errors
/// If there is no such communicator, or no name.
pub fn comm_set_name(comm: Comm, comm_name: Text) -> Outcome {
    let of = communicators::of(comm)?;
    let name = texts::read("comm_name", comm_name).map_err(|error| error.on(comm))?;
    *of.name.borrow_mut() = cut(name);
    Ok(())
}

/// `MPI_Comm_get_name`.
///
/// # Errors
/// If there is no such communicator.
pub fn comm_get_name(comm: Comm, comm_name: TextAt, resultlen: Ref<c_int>) -> Outcome {
    if comm.0 == c::COMM_NULL {
        store(&c"MPI_COMM_NULL".into(), comm_name, resultlen);
        return Ok(());
    }
    store(&communicators::of(comm)?.name.borrow(), comm_name, resultlen);
    Ok(())
}

/// `MPI_Type_set_name`.
///
/// # Errors
/// If there is no such datatype, or no name.
pub fn type_set_name(datatype: Datatype, type_name: Text) -> Outcome {
    let of = datatypes::of(datatype)?;
    *of.name.borrow_mut() = cut(texts::read("type_name", type_name)?);
    Ok(())
}

/// `MPI_Type_get_name`: predefined datatypes have the names of their constants.
///
/// # Errors
/// If there is no such datatype.
pub fn type_get_name(datatype: Datatype, type_name: TextAt, resultlen: Ref<c_int>) -> Outcome {
    if datatype.0 == c::DATATYPE_NULL {
        store(&c"MPI_DATATYPE_NULL".into(), type_name, resultlen);
        return Ok(());
    }
    store(&datatypes::of(datatype)?.name.borrow(), type_name, resultlen);
    Ok(())
}
