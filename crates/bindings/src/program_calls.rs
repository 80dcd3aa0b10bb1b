//! The calls that a program in Python has made, for scenarios that replay them.

use pyo3::prelude::*;
use std::sync::Arc;

/// The calls of a program in a run, by rank.
#[pyclass(frozen, module = "torusim._core")]
pub struct ProgramCalls(pub(crate) Arc<simulation::Trace>);

#[pymethods]
impl ProgramCalls {
    /// Returns these calls with sends between two ranks that wait for their receives.
    fn with_synchronous_sends(&self) -> Self {
        ProgramCalls(Arc::new(self.0.with_synchronous_sends()))
    }
}
