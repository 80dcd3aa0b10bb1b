//! The search of twists.

use crate::input_error;
use crate::mapping::interruptible;
use pyo3::prelude::*;

/// The best twists of a torus of these lengths, at most `most`, as JSON.
#[pyfunction]
pub fn best_twists(py: Python<'_>, lengths: Vec<u32>, most: usize) -> PyResult<String> {
    interruptible(py, |goes_on| simulation::twists(&lengths, most, goes_on).map_err(input_error))
        .map(|found| found.to_string())
}
