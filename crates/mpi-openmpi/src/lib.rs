//! MPI's functions in Open MPI's binary interface.
//!
//! Handles are the addresses of variables. Executables hold copies of these, so that the addresses that count are the
//! executable's: the loader knows them, and the table is made when the first handle arrives. What the variables contain
//! does not matter. They are smaller than Open MPI's, which the loader accepts in silence.

#![allow(unsafe_code, reason = "a library for C gets addresses from its caller")]

use mpi_library::abi::{Abi, HandleKind, HandleTable, Interface, Status};
use mpi_library::{attribute_functions, export_jump};
use std::ffi::{c_int, c_void};
use std::sync::LazyLock;

/// The interface of Open MPI 2 and later.
struct OpenMpi;

/// `MPI_Status`: three integers that programs read, whether it was cancelled, and the bytes received.
#[repr(C)]
struct RawStatus {
    source: c_int,
    tag: c_int,
    error: c_int,
    is_cancelled: c_int,
    bytes: u64,
}

const _: () = assert!(size_of::<RawStatus>() == 24);

impl Abi for OpenMpi {
    const INTERFACE: Interface = Interface::OpenMpi;

    type Handle = usize;

    fn handle(raw: usize, kind: HandleKind) -> usize {
        TABLE.standard(raw, kind)
    }

    fn raw_handle(handle: usize, _: HandleKind) -> usize {
        TABLE.raw(handle)
    }

    const STATUS_BYTES: usize = size_of::<RawStatus>();

    unsafe fn read_status(at: *const c_void) -> Status {
        // SAFETY: the caller says so.
        let raw = unsafe { at.cast::<RawStatus>().read_unaligned() };
        let RawStatus { source, tag, error, is_cancelled, bytes } = raw;
        Status { source, tag, error, bytes, is_cancelled: is_cancelled != 0 }
    }

    unsafe fn write_status(at: *mut c_void, status: &Status) {
        let Status { source, tag, error, bytes, is_cancelled } = *status;
        let raw = RawStatus { source, tag, error, is_cancelled: is_cancelled.into(), bytes };
        // SAFETY: the caller says so.
        unsafe { at.cast::<RawStatus>().write_unaligned(raw) };
    }
}

mpi_library::export!(OpenMpi: functions, older_functions);

/// The extensions to which programs for Open MPI refer.
mod extensions {
    mpi_library::export_each! { (OpenMpi, "MPIX_")
        missing Comm_ack_failed;
        missing Comm_agree;
        missing Comm_get_failed;
        missing Comm_iagree;
        missing Comm_is_revoked;
        missing Comm_revoke;
        missing Comm_shrink;
    }
}

/// Exports the variables whose addresses are handles, and makes the table of these.
macro_rules! handle_variables {
    ($($kind:ident $name:ident $standard:literal $mpich:tt $variable:tt;)*) => {
        $(handle_variable! { $variable })*

        static TABLE: LazyLock<HandleTable> = LazyLock::new(|| {
            let handles = [$(handle! { $kind $standard $variable }),*];
            HandleTable::new(handles.into_iter().flatten())
        });
    };
}

macro_rules! handle_variable {
    (_) => {};
    ($variable:ident) => {
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals)]
        static $variable: u64 = 0;
    };
}

macro_rules! handle {
    ($kind:ident $standard:literal _) => {
        None
    };
    ($kind:ident $standard:literal $variable:ident) => {
        Some((HandleKind::$kind, $standard, &raw const $variable as usize))
    };
}

mpi_library::predefined_handles!(handle_variables, ());

#[unsafe(no_mangle)]
static MPI_F_STATUS_IGNORE: usize = 0;
#[unsafe(no_mangle)]
static MPI_F_STATUSES_IGNORE: usize = 0;

/// Exports the functions of attributes, for objects of each kind.
macro_rules! attribute_functions {
    ($($function:ident $($name:literal)*;)*) => {$($(
        const _: () = { export_jump!($name => attribute_functions::$function); };
    )*)*};
}

attribute_functions! {
    duplicate
        "OMPI_C_MPI_DUP_FN" "OMPI_C_MPI_COMM_DUP_FN" "OMPI_C_MPI_TYPE_DUP_FN" "OMPI_C_MPI_WIN_DUP_FN";
    copy_nothing
        "OMPI_C_MPI_NULL_COPY_FN" "OMPI_C_MPI_COMM_NULL_COPY_FN" "OMPI_C_MPI_TYPE_NULL_COPY_FN"
        "OMPI_C_MPI_WIN_NULL_COPY_FN";
    delete_nothing
        "OMPI_C_MPI_NULL_DELETE_FN" "OMPI_C_MPI_COMM_NULL_DELETE_FN" "OMPI_C_MPI_TYPE_NULL_DELETE_FN"
        "OMPI_C_MPI_WIN_NULL_DELETE_FN";
}
