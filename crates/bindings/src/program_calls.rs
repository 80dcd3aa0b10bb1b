//! The calls that a program has made, for scenarios that replay them.

use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// The calls of a program in a run, by rank.
#[pyclass(frozen, module = "torusim._core")]
pub struct ProgramCalls(pub(crate) Arc<simulation::Trace>);

#[pymethods]
impl ProgramCalls {
    /// Writes these calls, made by processors of this frequency in Hz, to a file that is a trace. `scenario` is that of
    /// their run: JSON in one line, without a workload.
    fn write(&self, py: Python<'_>, path: PathBuf, scenario: &str, processor_hertz: f64) -> PyResult<()> {
        Ok(py.detach(|| self.0.write_recording(&path, scenario, processor_hertz))?)
    }

    /// Returns these calls with sends between two ranks that wait for their receives.
    fn with_synchronous_sends(&self) -> Self {
        ProgramCalls(Arc::new(self.0.with_synchronous_sends()))
    }
}
