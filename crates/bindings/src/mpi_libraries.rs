//! The MPI libraries of programs, that of their clocks, and the headers for C: they are unpacked where programs can load
//! them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::Read;

/// The libraries, one after the other, compressed by the build script.
const COMPRESSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libraries.zst"));

/// The names under which programs look for the libraries, and their lengths.
const LIBRARIES: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/libraries.rs"));

/// The headers for C.
const HEADERS: &[(&str, &[u8])] = &[
    ("mpi.h", include_bytes!("../../mpi-library/include/mpi.h")),
    ("torusim.h", include_bytes!("../../mpi-library/include/torusim.h")),
];

/// The names and contents of the MPI libraries, and of the headers for C.
#[pyfunction]
pub fn mpi_libraries(py: Python<'_>) -> PyResult<Vec<(&'static str, Bound<'_, PyBytes>)>> {
    let mut compressed = zstd::Decoder::with_buffer(COMPRESSED)?;
    let library = |(name, length): &(&'static str, usize)| {
        let content = PyBytes::new_with(py, *length, |content| Ok(compressed.read_exact(content)?))?;
        Ok((*name, content))
    };
    let mut all: Vec<_> = LIBRARIES.iter().map(library).collect::<PyResult<_>>()?;
    all.extend(HEADERS.iter().map(|(name, content)| (*name, PyBytes::new(py, content))));
    Ok(all)
}
