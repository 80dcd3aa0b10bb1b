//! The constants of MPI's standard ABI, by their names without `MPI_`.

use std::ffi::c_int;

macro_rules! integers {
    ($($name:ident = $value:expr;)*) => {$(
        #[doc = concat!("`MPI_", stringify!($name), "`.")]
        pub const $name: c_int = $value;
    )*};
}

macro_rules! handles {
    ($($name:ident = $value:expr;)*) => {$(
        #[doc = concat!("`MPI_", stringify!($name), "`.")]
        pub const $name: usize = $value;
    )*};
}

integers! {
    SUCCESS = 0;
    ANY_SOURCE = -1;
    ANY_TAG = -2;
    PROC_NULL = -3;
    ROOT = -4;
    UNDEFINED = -32766;
    ERR_BUFFER = 1;
    ERR_COUNT = 2;
    ERR_TYPE = 3;
    ERR_TAG = 4;
    ERR_COMM = 5;
    ERR_RANK = 6;
    ERR_REQUEST = 7;
    ERR_ROOT = 8;
    ERR_GROUP = 9;
    ERR_OP = 10;
    ERR_TOPOLOGY = 11;
    ERR_DIMS = 12;
    ERR_ARG = 13;
    ERR_UNKNOWN = 14;
    ERR_TRUNCATE = 15;
    ERR_OTHER = 16;
    ERR_INTERN = 17;
    ERR_PENDING = 18;
    ERR_IN_STATUS = 19;
    ERR_NO_MEM = 39;
    THREAD_SINGLE = 0;
    THREAD_FUNNELED = 1024;
    THREAD_SERIALIZED = 2048;
    THREAD_MULTIPLE = 4096;
}

/// Handles from here on are no constants, but of objects that the program has made.
pub const FIRST_OWN_HANDLE: usize = 4_096;

handles! {
    OP_NULL = 0x20;
    COMM_NULL = 0x100;
    COMM_WORLD = 0x101;
    COMM_SELF = 0x102;
    MESSAGE_NULL = 0x128;
    MESSAGE_NO_PROC = 0x129;
    ERRORS_ARE_FATAL = 0x141;
    ERRORS_RETURN = 0x143;
    REQUEST_NULL = 0x180;
    DATATYPE_NULL = 0x200;
}
