//! Handles as integers: those of the standard ABI (`toint`, `fromint`), and those of Fortran (`c2f`, `f2c`).

use crate::abi::{self, HandleKind, RawHandle, Ref, Runtime, Status};
use crate::error::Outcome;
use std::ffi::c_int;

/// A handle as an integer of Fortran: the same one, where handles of C are integers.
fn in_fortran(handle: usize, kind: HandleKind) -> c_int {
    c_int::of(if Runtime::has_integer_handles() { Runtime::raw_handle(handle, kind) } else { handle })
}

/// The handle of an integer of Fortran.
fn of_fortran(integer: c_int, kind: HandleKind) -> usize {
    if Runtime::has_integer_handles() { Runtime::handle(integer.word(), kind) } else { integer.word() }
}

macro_rules! conversions {
    ($($handle:ident $to_integer:ident $from_integer:ident $to_fortran:ident $from_fortran:ident;)*) => {$(
        #[doc = concat!("`MPI_", stringify!($to_integer), "`.")]
        pub fn $to_integer(handle: abi::$handle) -> c_int {
            c_int::of(handle.0)
        }

        #[doc = concat!("`MPI_", stringify!($from_integer), "`.")]
        pub fn $from_integer(integer: c_int) -> abi::$handle {
            abi::$handle(integer.word())
        }

        #[doc = concat!("`MPI_", stringify!($to_fortran), "`.")]
        pub fn $to_fortran(handle: abi::$handle) -> c_int {
            in_fortran(handle.0, HandleKind::$handle)
        }

        #[doc = concat!("`MPI_", stringify!($from_fortran), "`.")]
        pub fn $from_fortran(integer: c_int) -> abi::$handle {
            abi::$handle(of_fortran(integer, HandleKind::$handle))
        }
    )*};
}

conversions! {
    Comm comm_toint comm_fromint comm_c2f comm_f2c;
    Datatype type_toint type_fromint type_c2f type_f2c;
    Errhandler errhandler_toint errhandler_fromint errhandler_c2f errhandler_f2c;
    File file_toint file_fromint file_c2f file_f2c;
    Group group_toint group_fromint group_c2f group_f2c;
    Info info_toint info_fromint info_c2f info_f2c;
    Message message_toint message_fromint message_c2f message_f2c;
    Op op_toint op_fromint op_c2f op_f2c;
    Request request_toint request_fromint request_c2f request_f2c;
    Session session_toint session_fromint session_c2f session_f2c;
    Win win_toint win_fromint win_c2f win_f2c;
}

/// `MPI_Status_c2f`: a status of Fortran has the integers of one of C.
///
/// # Errors
/// None.
pub fn status_c2f(c_status: Ref<Status>, f_status: Ref<c_int>) -> Outcome {
    // SAFETY: the program passes the addresses of statuses.
    unsafe { f_status.address().copy_from(c_status.address(), Runtime::status_bytes()) };
    Ok(())
}

/// `MPI_Status_f2c`.
///
/// # Errors
/// None.
pub fn status_f2c(f_status: Ref<c_int>, c_status: Ref<Status>) -> Outcome {
    // SAFETY: the program passes the addresses of statuses.
    unsafe { c_status.address().copy_from(f_status.address(), Runtime::status_bytes()) };
    Ok(())
}
