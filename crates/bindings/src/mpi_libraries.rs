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

/// The names and contents of the MPI libraries, and of the header for C.
#[pyfunction]
pub fn mpi_libraries(py: Python<'_>) -> Vec<(&'static str, Bound<'_, PyBytes>)> {
    let header = ("mpi.h", include_bytes!("../../mpi-library/include/mpi.h").as_slice());
    LIBRARIES.iter().chain([&header]).map(|(name, content)| (*name, PyBytes::new(py, content))).collect()
}
