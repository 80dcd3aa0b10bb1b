//! Programs whose ranks are processes: what to start, and where their output goes.

use crate::input_error;
use crate::program::Failure;
use pyo3::prelude::*;
use rank_processes::program::{self, Program};
use rank_processes::{Exits, Host, Launch, ProcessRanks, Start, Stream};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A program to run, and what its ranks have left.
#[pyclass(frozen, module = "torusim._core")]
pub struct Processes {
    launch: Launch,
    host: Py<PyAny>,
    exits: Mutex<Option<Exits>>,
}

#[pymethods]
impl Processes {
    /// A command to run as `ranks` ranks: with `forks`, one process that forks all of them. `host` has the methods
    /// `write(rank, is_error, data)` and `is_interrupted()`.
    #[new]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        command: Vec<OsString>,
        ranks: u32,
        forks: bool,
        libraries: PathBuf,
        preloaded: Vec<PathBuf>,
        variables: Vec<(OsString, OsString)>,
        rank_timeout_seconds: f64,
        nodes: Vec<Vec<u32>>,
        hertz: f64,
        host: Py<PyAny>,
    ) -> PyResult<Self> {
        let start = if forks { Start::Fork } else { Start::Exec };
        let rank_timeout = Duration::try_from_secs_f64(rank_timeout_seconds).map_err(input_error)?;
        let launch =
            Launch { command, ranks, start, libraries, preloaded, variables, rank_timeout, nodes, hertz };
        Ok(Processes { launch, host, exits: Mutex::new(None) })
    }

    /// The first rank whose process has ended by itself with another status than 0, and that status.
    fn first_nonzero_exit(&self) -> Option<(u32, i32)> {
        self.exits.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.first_nonzero()
    }
}

impl Processes {
    /// Starts the program. An exception of the host is stored in `failure`.
    pub(crate) fn start(&self, py: Python<'_>, failure: Failure) -> PyResult<ProcessRanks> {
        let host = PythonHost { host: self.host.clone_ref(py), failure };
        let started = py.detach(|| ProcessRanks::start(&self.launch, Box::new(host))).map_err(input_error)?;
        *self.exits.lock().unwrap_or_else(PoisonError::into_inner) = Some(started.exits());
        Ok(started)
    }
}

/// The host as an object in Python.
struct PythonHost {
    host: Py<PyAny>,
    failure: Failure,
}

impl PythonHost {
    fn note<T>(&self, result: PyResult<T>) -> Option<T> {
        result
            .map_err(|error| *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error))
            .ok()
    }
}

impl Host for PythonHost {
    fn write(&mut self, rank: u32, stream: Stream, bytes: &[u8]) {
        let is_error = stream == Stream::Error;
        let written =
            Python::attach(|py| self.host.call_method1(py, "write", (rank, is_error, bytes)).map(drop));
        self.note(written);
    }

    fn is_interrupted(&mut self) -> bool {
        let asked = Python::attach(|py| {
            py.check_signals()?;
            self.host.call_method0(py, "is_interrupted")?.extract(py)
        });
        self.note(asked).unwrap_or(true)
    }
}

/// What the file of a program is: "script", "foreign", "static" or "dynamic", and the dynamic libraries that it needs.
#[pyfunction]
pub fn program_file(path: PathBuf) -> PyResult<(&'static str, Vec<String>)> {
    Ok(match program::read(&path)? {
        Program::Script => ("script", Vec::new()),
        Program::Foreign => ("foreign", Vec::new()),
        Program::Static => ("static", Vec::new()),
        Program::Dynamic(needed) => ("dynamic", needed),
    })
}
