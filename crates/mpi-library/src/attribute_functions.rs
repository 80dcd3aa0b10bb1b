//! The functions of attributes that are constants of the standard ABI, and functions of the library in others.

use std::ffi::{c_int, c_void};

/// Gives the copy of an object the same attribute.
///
/// # Safety
/// There is room for a value and a flag.
pub unsafe extern "C" fn duplicate(
    _object: usize,
    _keyval: c_int,
    _extra: *mut c_void,
    value: *mut c_void,
    copy: *mut *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: the caller says so.
    unsafe {
        copy.write(value);
        flag.write(1);
    }
    0
}

/// Gives the copy of an object no attribute.
///
/// # Safety
/// There is room for a flag.
pub unsafe extern "C" fn copy_nothing(
    _object: usize,
    _keyval: c_int,
    _extra: *mut c_void,
    _value: *mut c_void,
    _copy: *mut *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: the caller says so.
    unsafe { flag.write(0) };
    0
}

/// Deletes an attribute without further effects.
pub extern "C" fn delete_nothing(
    _object: usize,
    _keyval: c_int,
    _value: *mut c_void,
    _extra: *mut c_void,
) -> c_int {
    0
}
