//! Versions: of the standard ABI, by which programs that load the library at run time find out what it is, and what a
//! library for Fortran, which is not part of this one, tells the others about its types.

use crate::abi::{Info, Pointer, Ref};
use crate::calls::info::{self, Hints};
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::of_process::OfProcess;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_int;

pub(crate) static FORTRAN: OfProcess<Fortran> = OfProcess::new(Fortran::new());

/// What a library for Fortran has told.
#[derive(Debug)]
pub(crate) struct Fortran {
    types: RefCell<Option<Hints>>,
    /// The bytes of true and false, by their number.
    booleans: RefCell<BTreeMap<usize, [Vec<u8>; 2]>>,
}

impl Fortran {
    pub const fn new() -> Self {
        Fortran { types: RefCell::new(None), booleans: RefCell::new(BTreeMap::new()) }
    }
}

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

/// `MPI_Abi_get_info`.
///
/// # Errors
/// None.
pub fn abi_get_info(info: Ref<Info>) -> Outcome {
    let sizes = [c"mpi_aint_size", c"mpi_count_size", c"mpi_offset_size"];
    info.set(0, info::handle(sizes.map(|key| (key.into(), c"8".into())).into()));
    Ok(())
}

/// `MPI_Abi_get_fortran_info`: `MPI_INFO_NULL` until it is set.
///
/// # Errors
/// None.
pub fn abi_get_fortran_info(info: Ref<Info>) -> Outcome {
    let types = FORTRAN.types.borrow().clone();
    info.set(0, types.map_or(Info(c::INFO_NULL), info::handle));
    Ok(())
}

/// `MPI_Abi_set_fortran_info`.
///
/// # Errors
/// If it has been set, or there is no such object.
pub fn abi_set_fortran_info(info: Info) -> Outcome {
    let mut types = FORTRAN.types.borrow_mut();
    if types.is_some() {
        return Err(Error::new(c::ERR_ABI, "the types of Fortran have been set"));
    }
    *types = Some(info::hints(info)?);
    Ok(())
}

/// The bytes of a truth value of Fortran.
fn bytes(size: c_int) -> Outcome<usize> {
    let sizes = [1, 2, 4, 8, 16];
    let words = || Error::argument("logical_size", size, "1, 2, 4, 8 or 16");
    sizes.into_iter().find(|bytes| usize::try_from(size) == Ok(*bytes)).ok_or_else(words)
}

/// `MPI_Abi_get_fortran_booleans`.
///
/// # Errors
/// If there is no such size.
pub fn abi_get_fortran_booleans(
    logical_size: c_int,
    logical_true: Pointer,
    logical_false: Pointer,
    is_set: Ref<c_int>,
) -> Outcome {
    let known = FORTRAN.booleans.borrow().get(&bytes(logical_size)?).cloned();
    is_set.set(0, known.is_some().into());
    for (value, to) in known.iter().flatten().zip([logical_true, logical_false]) {
        // SAFETY: the program passes addresses of values of this size.
        unsafe { to.0.cast::<u8>().copy_from_nonoverlapping(value.as_ptr(), value.len()) };
    }
    Ok(())
}

/// `MPI_Abi_set_fortran_booleans`.
///
/// # Errors
/// If there is no such size, or the values have been set.
pub fn abi_set_fortran_booleans(
    logical_size: c_int,
    logical_true: Pointer,
    logical_false: Pointer,
) -> Outcome {
    let size = bytes(logical_size)?;
    // SAFETY: the program passes addresses of values of this size.
    let value = |from: Pointer| unsafe { std::slice::from_raw_parts(from.0.cast::<u8>(), size) }.to_vec();
    let values = [logical_true, logical_false].map(value);
    match FORTRAN.booleans.borrow_mut().insert(size, values) {
        None => Ok(()),
        Some(_) => Err(Error::new(c::ERR_ABI, "the truth values of Fortran have been set")),
    }
}
