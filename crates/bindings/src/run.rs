//! A run under way, and what it leaves.

use crate::scenario::Scenario;
use crate::{input_error, table};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A run under way. It is gone once `finish` has been called.
#[pyclass(frozen, module = "torusim._core")]
pub struct Run(Mutex<Option<simulation::Run>>);

#[pymethods]
impl Run {
    /// Sets up a run: `engine` is "reference" or "windowed".
    #[new]
    fn new(py: Python<'_>, scenario: &Scenario, engine: &str, threads: usize) -> PyResult<Self> {
        let engine = engine_kind(engine)?;
        let scenario = scenario.0.clone();
        let run = py.detach(|| simulation::Run::new(scenario, engine, threads)).map_err(input_error)?;
        Ok(Self(Mutex::new(Some(run))))
    }

    /// A run that goes on from a checkpoint, on as many threads as before if none are asked for.
    #[staticmethod]
    #[pyo3(signature = (path, threads=None))]
    fn resume(py: Python<'_>, path: PathBuf, threads: Option<usize>) -> PyResult<Self> {
        let run = py.detach(|| simulation::Run::resume(&path, threads)).map_err(input_error)?;
        Ok(Self(Mutex::new(Some(run))))
    }

    /// Writes a checkpoint into a new file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.lock().as_ref().map(|run| run.save(&path)))
            .ok_or_else(finished)?
            .map_err(input_error)
    }

    /// The seed of every random choice.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        self.lock().as_ref().map(simulation::Run::seed).ok_or_else(finished)
    }

    /// Runs for about that much wall time, with Python's lock released.
    fn advance(&self, py: Python<'_>, wall_budget_seconds: f64) -> PyResult<Progress> {
        let budget = Duration::try_from_secs_f64(wall_budget_seconds)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.detach(|| self.lock().as_mut().map(|run| run.advance(budget)))
            .map(Progress::from)
            .ok_or_else(finished)
    }

    /// Ends the run, done or not, and gives what it has.
    fn finish(&self, py: Python<'_>, interrupted: bool) -> PyResult<RunResult> {
        py.detach(|| self.lock().take().map(|run| run.finish(interrupted)))
            .map(RunResult)
            .ok_or_else(finished)
    }
}

impl Run {
    fn lock(&self) -> MutexGuard<'_, Option<simulation::Run>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far a run has come.
#[pyclass(frozen, get_all, module = "torusim._core")]
pub struct Progress {
    /// Whether there is nothing more to run.
    done: bool,
    /// The network cycle reached.
    cycle: u64,
    /// Simulated time in seconds.
    seconds_simulated: f64,
    /// The share of the run that is done, 0 to 1, where it can be told.
    fraction: Option<f64>,
    /// Packets delivered so far.
    packets_delivered: u64,
    /// Hops of packets so far.
    packet_hops: u64,
    /// Time spent in the engine's loop, in seconds.
    engine_seconds: f64,
}

impl From<simulation::Progress> for Progress {
    fn from(progress: simulation::Progress) -> Self {
        Self {
            done: progress.done,
            cycle: progress.cycle,
            seconds_simulated: progress.seconds_simulated,
            fraction: progress.fraction,
            packets_delivered: progress.packets_delivered,
            packet_hops: progress.packet_hops,
            engine_seconds: progress.engine_seconds,
        }
    }
}

/// What a run leaves.
#[pyclass(frozen, module = "torusim._core")]
pub struct RunResult(simulation::RunResult);

#[pymethods]
impl RunResult {
    /// The summary as JSON.
    fn summary_json(&self) -> String {
        self.0.summary.to_string()
    }

    /// The whole resolved scenario as JSON.
    fn scenario_json(&self) -> String {
        self.0.scenario.to_string()
    }

    /// The tables: name to column to NumPy array, or list for text.
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tables = PyDict::new(py);
        for table in &self.0.tables {
            tables.set_item(table.name, table::to_python(py, table)?)?;
        }
        Ok(tables)
    }
}

fn engine_kind(name: &str) -> PyResult<simulation::EngineKind> {
    match name {
        "reference" => Ok(simulation::EngineKind::Reference),
        "windowed" => Ok(simulation::EngineKind::Windowed),
        _ => Err(input_error(format!(
            "engine: {name:?} is not known; it can be \"reference\" or \"windowed\""
        ))),
    }
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("this run is finished")
}
