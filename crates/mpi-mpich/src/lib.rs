//! MPI's functions in MPICH's binary interface, which Intel's and other libraries share.

#![allow(unsafe_code, reason = "a library for C gets addresses from its caller")]

use mpi_library::abi::{Abi, HandleKind, HandleTable, Interface, Status};
use mpi_library::constants::{HANDLES, T_PVAR_ALL_HANDLES, UNWEIGHTED, WEIGHTS_EMPTY};
use mpi_library::{attribute_functions, export_jump};
use std::ffi::{c_int, c_void};
use std::sync::LazyLock;

/// The interface of MPICH 3.1 and later.
struct Mpich;

/// `MPI_Status`: the bytes received, with whether it was cancelled in a bit, and three integers that programs read.
#[repr(C)]
struct RawStatus {
    bytes_low: c_int,
    bytes_high_and_is_cancelled: c_int,
    source: c_int,
    tag: c_int,
    error: c_int,
}

const _: () = assert!(size_of::<RawStatus>() == 20);

static TABLE: LazyLock<HandleTable> = LazyLock::new(|| {
    HandleTable::new(HANDLES.iter().filter_map(|handle| Some((handle.kind, handle.standard, handle.mpich?))))
});

impl Abi for Mpich {
    const INTERFACE: Interface = Interface::Mpich;

    type Handle = c_int;

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
        let [low, high] = [raw.bytes_low, raw.bytes_high_and_is_cancelled].map(|half| half as u32);
        Status {
            source: raw.source,
            tag: raw.tag,
            error: raw.error,
            bytes: u64::from(high >> 1) << 32 | u64::from(low),
            is_cancelled: high & 1 != 0,
        }
    }

    unsafe fn write_status(at: *mut c_void, status: &Status) {
        let raw = RawStatus {
            bytes_low: status.bytes as c_int,
            bytes_high_and_is_cancelled: (status.bytes >> 32) as c_int * 2 + c_int::from(status.is_cancelled),
            source: status.source,
            tag: status.tag,
            error: status.error,
        };
        // SAFETY: the caller says so.
        unsafe { at.cast::<RawStatus>().write_unaligned(raw) };
    }
}

mpi_library::export!(Mpich: functions, older_functions);

/// Exports pointers that are constants in other interfaces, by their values.
macro_rules! variables {
    ($($name:ident = $value:expr;)*) => {$(
        #[unsafe(no_mangle)]
        static $name: usize = $value;
    )*};
}

variables! {
    MPI_UNWEIGHTED = UNWEIGHTED;
    MPI_WEIGHTS_EMPTY = WEIGHTS_EMPTY;
    MPI_F_STATUS_IGNORE = 0;
    MPI_F_STATUSES_IGNORE = 0;
    MPI_T_PVAR_ALL_HANDLES = T_PVAR_ALL_HANDLES;
}

const _: () = {
    export_jump!("MPIR_Dup_fn" => attribute_functions::duplicate);
};
