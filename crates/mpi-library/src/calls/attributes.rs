//! Attributes of communicators and datatypes.

use crate::abi::{Comm, Datatype, Function, Keyval, Pointer, Ref};
use crate::calls::datatypes;
use crate::constants::HandleKind;
use crate::error::Outcome;
use crate::objects::attributes::{self, create, free, store};
use crate::objects::communicators;
use std::ffi::c_int;

macro_rules! keys {
    ($($kind:ident $create:ident $free:ident $name:literal;)*) => {$(
        #[doc = concat!("`MPI_", $name, "_create_keyval`.")]
        ///
        /// # Errors
        /// None.
        pub fn $create(copy: Function, delete: Function, keyval: Ref<Keyval>, extra: Pointer) -> Outcome {
            create(HandleKind::$kind, (copy, delete), keyval, extra)
        }

        #[doc = concat!("`MPI_", $name, "_free_keyval`.")]
        ///
        /// # Errors
        /// If it is no key of the program.
        pub fn $free(keyval: Ref<Keyval>) -> Outcome {
            free(HandleKind::$kind, keyval)
        }
    )*};
}

keys! {
    Comm comm_create_keyval comm_free_keyval "Comm";
    Datatype type_create_keyval type_free_keyval "Type";
    Win win_create_keyval win_free_keyval "Win";
}

/// `MPI_Comm_set_attr`.
///
/// # Errors
/// If there is no such communicator or key, and that of a function of the program.
pub fn comm_set_attr(comm: Comm, keyval: Keyval, value: Pointer) -> Outcome {
    let of = communicators::of(comm)?;
    of.attributes.set(keyval.0, HandleKind::Comm, value, comm.0).map_err(|error| error.on(comm))
}

/// `MPI_Comm_get_attr`: all communicators have the predefined attributes.
///
/// # Errors
/// If there is no such communicator or key.
pub fn comm_get_attr(comm: Comm, keyval: Keyval, value: Pointer, flag: Ref<c_int>) -> Outcome {
    let of = communicators::of(comm)?;
    if let Some(address) = attributes::predefined(keyval.0) {
        store(Some(address), value, flag);
        return Ok(());
    }
    of.attributes.tell(keyval.0, HandleKind::Comm, (value, flag)).map_err(|error| error.on(comm))
}

/// `MPI_Comm_delete_attr`.
///
/// # Errors
/// As those of [`comm_set_attr`].
pub fn comm_delete_attr(comm: Comm, keyval: Keyval) -> Outcome {
    let of = communicators::of(comm)?;
    let found = of.attributes.find(keyval.0, HandleKind::Comm);
    let delete = || found.and_then(|_| of.attributes.delete(keyval.0, comm.0));
    delete().map_err(|error| error.on(comm))
}

/// `MPI_Type_set_attr`.
///
/// # Errors
/// If there is no such datatype or key, and that of a function of the program.
pub fn type_set_attr(datatype: Datatype, keyval: Keyval, value: Pointer) -> Outcome {
    datatypes::of(datatype)?.attributes.set(keyval.0, HandleKind::Datatype, value, datatype.0)
}

/// `MPI_Type_get_attr`.
///
/// # Errors
/// If there is no such datatype or key.
pub fn type_get_attr(datatype: Datatype, keyval: Keyval, value: Pointer, flag: Ref<c_int>) -> Outcome {
    datatypes::of(datatype)?.attributes.tell(keyval.0, HandleKind::Datatype, (value, flag))
}

/// `MPI_Type_delete_attr`.
///
/// # Errors
/// As those of [`type_set_attr`].
pub fn type_delete_attr(datatype: Datatype, keyval: Keyval) -> Outcome {
    let of = datatypes::of(datatype)?;
    of.attributes.find(keyval.0, HandleKind::Datatype)?;
    of.attributes.delete(keyval.0, datatype.0)
}

/// `MPI_Keyval_create`.
///
/// # Errors
/// None.
pub fn keyval_create(copy: Function, delete: Function, keyval: Ref<Keyval>, extra: Pointer) -> Outcome {
    comm_create_keyval(copy, delete, keyval, extra)
}

/// `MPI_Keyval_free`.
///
/// # Errors
/// If it is no key of the program.
pub fn keyval_free(keyval: Ref<Keyval>) -> Outcome {
    comm_free_keyval(keyval)
}

/// `MPI_Attr_put`.
///
/// # Errors
/// As those of [`comm_set_attr`].
pub fn attr_put(comm: Comm, keyval: Keyval, value: Pointer) -> Outcome {
    comm_set_attr(comm, keyval, value)
}

/// `MPI_Attr_get`.
///
/// # Errors
/// As those of [`comm_get_attr`].
pub fn attr_get(comm: Comm, keyval: Keyval, value: Pointer, flag: Ref<c_int>) -> Outcome {
    comm_get_attr(comm, keyval, value, flag)
}

/// `MPI_Attr_delete`.
///
/// # Errors
/// As those of [`comm_delete_attr`].
pub fn attr_delete(comm: Comm, keyval: Keyval) -> Outcome {
    comm_delete_attr(comm, keyval)
}
