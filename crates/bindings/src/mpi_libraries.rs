//! The MPI libraries of programs, as bytes of this module: they are unpacked where programs can load them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

macro_rules! library {
    ($file:literal) => {
        ($file, include_bytes!(concat!(env!("OUT_DIR"), "/", $file)).as_slice())
    };
}

/// The files, and their contents.
const LIBRARIES: &[(&str, &[u8])] = &[library!("libmpi_abi.so")];

/// The names and contents of the MPI libraries, and of the header for C.
#[pyfunction]
pub fn mpi_libraries(py: Python<'_>) -> Vec<(&'static str, Bound<'_, PyBytes>)> {
    let header = ("mpi.h", include_bytes!("../../mpi-library/include/mpi.h").as_slice());
    LIBRARIES.iter().chain([&header]).map(|(name, content)| (*name, PyBytes::new(py, content))).collect()
}
