//! Versions: of the standard ABI, by which programs that load the library at run time find out what it is.

use crate::abi::Ref;
use crate::constants as c;
use crate::error::Outcome;
use std::ffi::c_int;

/// `MPI_Abi_get_version`.
///
/// # Errors
/// None.
pub fn abi_get_version(abi_major: Ref<c_int>, abi_minor: Ref<c_int>) -> Outcome {
    abi_major.set(0, c::ABI_VERSION);
    abi_minor.set(0, c::ABI_SUBVERSION);
    Ok(())
}

/// `MPI_Get_version`.
///
/// # Errors
/// None.
pub fn get_version(version: Ref<c_int>, subversion: Ref<c_int>) -> Outcome {
    version.set(0, c::VERSION);
    subversion.set(0, c::SUBVERSION);
    Ok(())
}
