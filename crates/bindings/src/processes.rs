//! Programs whose ranks are processes: what to start, and where their output goes.

use crate::input_error;
use crate::program::Failure;
use crate::scenario::Scenario;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use rank_processes::program::{self, Program};
use rank_processes::{Computing, Host, Launch, Left, Measured, ProcessRanks, Start, Stream};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A program to run, and what its ranks have left.
#[pyclass(frozen, module = "torusim._core")]
pub struct Processes {
    launch: Launch,
    host: Py<PyAny>,
    left: Mutex<Option<Left>>,
    room: AtomicU64,
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
        separates_output: bool,
        computing: &str,
        scale: f64,
        replayed: Option<[PyReadonlyArray1<'_, u64>; 3]>,
        scenario: &Scenario,
        host: Py<PyAny>,
    ) -> PyResult<Self> {
        let start = if forks { Start::Fork } else { Start::Exec };
        let rank_timeout = Duration::try_from_secs_f64(rank_timeout_seconds).map_err(input_error)?;
        let computing = match computing {
            "none" => Computing::None,
            "measured" => Computing::Measured,
            _ => Computing::Replayed,
        };
        let replayed = replayed.map_or(Ok(Vec::new()), |columns| by_rank(ranks, columns))?;
        let scenario = &scenario.0;
        let placed = scenario.placed_ranks().map_err(input_error)?;
        let nodes = (0..ranks).map(|rank| placed.place(rank).0).collect();
        let (selection, hertz) = (placed.selection, scenario.processor_hertz());
        let launch = Launch {
            command,
            ranks,
            start,
            libraries,
            preloaded,
            variables,
            rank_timeout,
            separates_output,
            computing,
            scale,
            replayed,
            selection,
            nodes,
            hertz,
        };
        Ok(Processes { launch, host, left: Mutex::new(None), room: AtomicU64::new(0) })
    }

    /// The bytes that each rank has for the data of messages on their way, once the program has been started.
    #[getter]
    fn room(&self) -> u64 {
        self.room.load(Ordering::Relaxed)
    }

    /// The first rank whose process has ended by itself with another status than 0, and that status, as a shell has it.
    fn first_nonzero_exit(&self) -> Option<(u32, i32)> {
        self.left().as_ref()?.first_nonzero_exit()
    }

    /// The first rank whose process something has killed, and by which signal, in words.
    fn first_killed(&self) -> Option<(u32, String)> {
        self.left().as_ref()?.first_killed()
    }

    /// The first rank whose process had not ended by itself.
    fn first_ended(&self) -> Option<u32> {
        self.left().as_ref()?.first_ended()
    }

    /// The measured times of computation, once the processes have ended, for each call of the program: the rank, the
    /// hash of the call's name, and nanoseconds.
    fn take_measured<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<u64>>; 3] {
        let measured = self.left().as_ref().map(Left::take_measured).unwrap_or_default();
        let calls =
            || (0u64..).zip(&measured).flat_map(|(rank, calls)| calls.iter().map(move |call| (rank, call)));
        let ranks = calls().map(|(rank, _)| rank).collect();
        let (names, times) = calls().map(|(_, [name, time])| (*name, *time)).unzip();
        [ranks, names, times].map(|column: Vec<u64>| PyArray1::from_vec(py, column))
    }
}

impl Processes {
    fn left(&self) -> MutexGuard<'_, Option<Left>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the program. An exception of the host is stored in `failure`.
    pub(crate) fn start(&self, py: Python<'_>, failure: Failure) -> PyResult<ProcessRanks> {
        let host = PythonHost { host: self.host.clone_ref(py), failure };
        let started = py.detach(|| ProcessRanks::start(&self.launch, Box::new(host))).map_err(input_error)?;
        *self.left() = Some(started.left());
        self.room.store(started.room(), Ordering::Relaxed);
        Ok(started)
    }
}

/// Measured times by rank, from their columns.
fn by_rank(ranks: u32, [of_rank, names, times]: [PyReadonlyArray1<'_, u64>; 3]) -> PyResult<Measured> {
    let mut measured = vec![Vec::new(); ranks as usize];
    let names = names.as_array().into_iter().zip(times.as_array());
    for (rank, (name, time)) in of_rank.as_array().into_iter().zip(names) {
        let calls: &mut Vec<[u64; 2]> = measured.get_mut(*rank as usize).ok_or_else(|| {
            input_error(format!("the recording has times of rank {rank}, and the run {ranks} ranks"))
        })?;
        calls.push([*name, *time]);
    }
    Ok(measured)
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

/// The kind of a program's file: "script", "foreign", "static" or "dynamic", and the dynamic libraries that it needs.
#[pyfunction]
pub fn program_file(path: PathBuf) -> PyResult<(&'static str, Vec<String>)> {
    Ok(match program::read(&path)? {
        Program::Script => ("script", Vec::new()),
        Program::Foreign => ("foreign", Vec::new()),
        Program::Static => ("static", Vec::new()),
        Program::Dynamic(needed) => ("dynamic", needed),
    })
}
