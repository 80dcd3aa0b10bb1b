//! MPI's functions in the standard ABI, which is also the one behind the functions.

#![allow(unsafe_code, reason = "a library for C gets addresses from its caller")]

use mpi_library::abi::{Abi, HandleKind, Interface, Status};
use std::ffi::{c_int, c_void};

/// The standard ABI (MPI 5.0, chapter 20).
struct Standard;

/// `MPI_Status`: three integers that programs read, and the bytes received and whether it was cancelled.
#[repr(C)]
struct RawStatus {
    source: c_int,
    tag: c_int,
    error: c_int,
    bytes: [c_int; 2],
    is_cancelled: c_int,
    unused: [c_int; 2],
}

const _: () = assert!(size_of::<RawStatus>() == 32);

impl Abi for Standard {
    const INTERFACE: Interface = Interface::Standard;

    type Handle = usize;

    fn handle(raw: usize, _: HandleKind) -> usize {
        raw
    }

    fn raw_handle(handle: usize, _: HandleKind) -> usize {
        handle
    }

    const STATUS_BYTES: usize = size_of::<RawStatus>();

    unsafe fn read_status(at: *const c_void) -> Status {
        // SAFETY: the caller says so.
        let raw = unsafe { at.cast::<RawStatus>().read_unaligned() };
        let [low, high] = raw.bytes.map(|half| u64::from(half as u32));
        let (bytes, is_cancelled) = (high << 32 | low, raw.is_cancelled != 0);
        Status { source: raw.source, tag: raw.tag, error: raw.error, bytes, is_cancelled }
    }

    unsafe fn write_status(at: *mut c_void, status: &Status) {
        let Status { source, tag, error, bytes, is_cancelled } = *status;
        let bytes = [bytes as c_int, (bytes >> 32) as c_int];
        let raw = RawStatus { source, tag, error, bytes, is_cancelled: is_cancelled.into(), unused: [0; 2] };
        // SAFETY: the caller says so.
        unsafe { at.cast::<RawStatus>().write_unaligned(raw) };
    }
}

mpi_library::export!(Standard: functions, abi_functions);
