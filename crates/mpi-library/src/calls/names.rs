//! Names of communicators and datatypes.

use crate::abi::{Comm, Datatype, Limit, Ref, Runtime, Text, TextAt};
use crate::calls::{attributes, communicators, texts};
use crate::constants as c;
use crate::error::Outcome;
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
    let of = attributes::of_type(datatype)?;
    *of.name.borrow_mut() = Some(cut(texts::read("type_name", type_name)?));
    Ok(())
}

/// `MPI_Type_get_name`: predefined datatypes have the names of their constants.
///
/// # Errors
/// If there is no such datatype.
pub fn type_get_name(datatype: Datatype, type_name: TextAt, resultlen: Ref<c_int>) -> Outcome {
    let given = match datatype.0 {
        c::DATATYPE_NULL => None,
        _ => attributes::of_type(datatype)?.name.borrow().clone(),
    };
    store(&given.unwrap_or_else(|| name_of(datatype)), type_name, resultlen);
    Ok(())
}

/// The name of a predefined datatype; none of others.
fn name_of(datatype: Datatype) -> CString {
    let is_it = |handle: &&c::Handle| handle.kind == c::HandleKind::Datatype && handle.standard == datatype.0;
    let name = |handle: &c::Handle| texts::of(format!("MPI_{}", handle.name.trim_start_matches('_')));
    c::HANDLES.iter().find(is_it).map(name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predefined_datatypes_have_the_names_of_their_constants() {
        assert_eq!(*name_of(Datatype(c::DOUBLE)), *c"MPI_DOUBLE");
        assert_eq!(*name_of(Datatype(c::_2INT)), *c"MPI_2INT");
        assert_eq!(*name_of(Datatype(c::DATATYPE_NULL)), *c"MPI_DATATYPE_NULL");
        assert_eq!(*name_of(Datatype(0xc400_0000)), *c"");
    }
}
