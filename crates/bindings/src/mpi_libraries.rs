//! The MPI libraries of programs, and that of their clocks, as bytes of this module: they are unpacked where programs can load them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

macro_rules! library {
    ($name:literal, $file:literal) => {
        ($name, include_bytes!(concat!(env!("OUT_DIR"), "/", $file)).as_slice())
    };
}

/// The libraries by the names under which programs look for them, and their contents.
const LIBRARIES: &[(&str, &[u8])] = &[
    library!("libmpi_abi.so.1", "libmpi_abi.so"),
    library!("libmpi.so.12", "libmpi_mpich.so"),
    library!("libmpi.so.40", "libmpi_openmpi.so"),
    library!("libtorusim_clocks.so", "libmpi_clocks.so"),
];

/// The headers for C.
const HEADERS: &[(&str, &[u8])] = &[
    ("mpi.h", include_bytes!("../../mpi-library/include/mpi.h")),
    ("torusim.h", include_bytes!("../../mpi-library/include/torusim.h")),
];

/// The names and contents of the MPI libraries, and of the headers for C.
#[pyfunction]
pub fn mpi_libraries(py: Python<'_>) -> Vec<(&'static str, Bound<'_, PyBytes>)> {
    LIBRARIES.iter().chain(HEADERS).map(|(name, content)| (*name, PyBytes::new(py, content))).collect()
}
