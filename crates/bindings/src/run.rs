//! A run in progress, and its result.

use crate::engine::engine_kind;
use crate::peers::{Peers, unless_lost};
use crate::processes::Processes;
use crate::program::{Failure, PythonRanks, take_failure};
use crate::program_calls::ProgramCalls;
use crate::resumed::guarded;
use crate::scenario::Scenario;
use crate::{input_error, table};
use mpi::OutsideRanks;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use simulation::{InputError, LedRun, ProgramRecorder, Recording};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// All engines as JSON: pairs of a name and the value of `run.engine`.
#[pyfunction]
pub fn engines() -> String {
    simulation::engines().to_string()
}

/// The keys of a summary as JSON, in the order of the screen: `key`, `row` (format and label, if it is shown), `axis`.
#[pyfunction]
pub fn quantities() -> PyResult<String> {
    serde_json::to_string(simulation::QUANTITIES).map_err(input_error)
}

/// The number of leading values of a series to leave out, by MSER-5: at most half of them.
#[pyfunction]
pub fn truncation(values: Vec<f64>) -> usize {
    simulation::truncation(&values)
}

/// A run of packets, or by the fluid engine.
enum Work {
    Packets(Box<simulation::LedRun>),
    Fluid(Box<simulation::FluidRun>),
}

impl Work {
    fn seed(&self) -> u64 {
        match self {
            Work::Packets(run) => run.seed(),
            Work::Fluid(run) => run.seed(),
        }
    }

    fn advance(&mut self, wall_budget: Duration, until: u64) -> Result<simulation::Progress, InputError> {
        match self {
            Work::Packets(run) => run.advance(wall_budget, until),
            Work::Fluid(run) => Ok(run.progress()),
        }
    }

    fn messages_received(&mut self) -> u64 {
        match self {
            Work::Packets(run) => run.messages_received(),
            Work::Fluid(_) => 0,
        }
    }

    fn finish(self, interrupted: bool) -> simulation::RunResult {
        match self {
            Work::Packets(run) => run.finish(interrupted),
            Work::Fluid(run) => run.finish(),
        }
    }

    fn save(&mut self, path: &Path) -> Result<(), InputError> {
        match self {
            Work::Packets(run) => run.save(path),
            Work::Fluid(_) => {
                Err(InputError::at("run.engine", "the fluid engine needs no checkpoints, and has none"))
            }
        }
    }
}

/// A run in progress. It cannot be used after `finish`.
#[pyclass(frozen, module = "torusim._core")]
pub struct Run {
    run: Mutex<Option<Work>>,
    /// The checkpoint from which the run was resumed.
    checkpoint: Option<PathBuf>,
    /// The exception of the run's program in Python.
    failure: Failure,
    /// The calls of the run's program, if they are recorded.
    recording: Option<Recording>,
}

#[pymethods]
impl Run {
    /// Sets up a run. `engine` names the engine of packets that runs it, unless the scenario names the fluid
    /// engine. `peers` are the processes that run it together, of which this is process 0 and the others follow.
    #[new]
    #[pyo3(signature = (scenario, engine, threads, peers=None))]
    fn new(
        py: Python<'_>,
        scenario: &Scenario,
        engine: &str,
        threads: usize,
        peers: Option<&Peers>,
    ) -> PyResult<Self> {
        let engine = engine_kind(engine)?;
        let (scenario, peers) = (scenario.0.clone(), peers_of(peers));
        let set_up = || match scenario.is_fluid() {
            true => simulation::FluidRun::new(scenario).map(|run| Work::Fluid(Box::new(run))),
            false => LedRun::new(scenario, engine, threads, &peers).map(|run| Work::Packets(Box::new(run))),
        };
        let run = py.detach(|| unless_lost(set_up))?.map_err(input_error)?;
        Ok(Self::of(run, None, Failure::default()))
    }

    /// Sets up a run of a program. `program` has the ranks, which run up to their next calls when they wake up; see
    /// `program_records`. The calls of `recorded_ranks` ranks, all or none, are recorded.
    #[staticmethod]
    #[pyo3(signature = (scenario, engine, threads, program, recorded_ranks=0, peers=None))]
    fn with_program(
        py: Python<'_>,
        scenario: &Scenario,
        engine: &str,
        threads: usize,
        program: Py<PyAny>,
        recorded_ranks: u32,
        peers: Option<&Peers>,
    ) -> PyResult<Self> {
        let failure = Failure::default();
        let programs = PythonRanks::new(program, failure.clone());
        Self::of_outside(py, scenario, (engine, threads, peers), programs, (failure, recorded_ranks))
    }

    /// Sets up a run of a program whose ranks are processes, and starts them. The calls of `recorded_ranks` ranks, all
    /// or none, are recorded.
    #[staticmethod]
    #[pyo3(signature = (scenario, engine, threads, processes, recorded_ranks=0, peers=None))]
    fn with_processes(
        py: Python<'_>,
        scenario: &Scenario,
        engine: &str,
        threads: usize,
        processes: &Processes,
        recorded_ranks: u32,
        peers: Option<&Peers>,
    ) -> PyResult<Self> {
        let failure = Failure::default();
        let programs = processes.start(py, failure.clone())?;
        Self::of_outside(py, scenario, (engine, threads, peers), programs, (failure, recorded_ranks))
    }

    /// The calls of the run's program, which has ended; none if they are not recorded.
    fn take_recorded(&self) -> Option<ProgramCalls> {
        let recording = self.recording.as_ref()?;
        Some(ProgramCalls(Arc::new(recording.take())))
    }

    /// Resumes a run from a checkpoint, on `threads` threads or by default on as many as before. Its other methods
    /// also raise InputError, if its state turns out to be one to which no run leads.
    #[staticmethod]
    #[pyo3(signature = (path, threads=None, peers=None))]
    fn resume(
        py: Python<'_>,
        path: PathBuf,
        threads: Option<usize>,
        peers: Option<&Peers>,
    ) -> PyResult<Self> {
        let peers = peers_of(peers);
        let resume = || guarded(Some(&path), || unless_lost(|| LedRun::resume(&path, threads, &peers)));
        let run = py.detach(resume)??.map_err(input_error)?;
        Ok(Self::of(Work::Packets(Box::new(run)), Some(path), Failure::default()))
    }

    /// Writes a checkpoint to `path` atomically.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let save = || self.lock().as_mut().map(|run| unless_lost(|| run.save(&path)));
        py.detach(save).ok_or_else(finished)??.map_err(input_error)
    }

    /// The seed of all random draws.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        self.lock().as_ref().map(Work::seed).ok_or_else(finished)
    }

    /// Runs for about `wall_budget_seconds` of wall time, or to a cycle if one is given. The GIL is released except
    /// in a program. Raises the exception of a program, after which the run cannot be used.
    #[pyo3(signature = (wall_budget_seconds, until_cycle=None))]
    fn advance(
        &self,
        py: Python<'_>,
        wall_budget_seconds: f64,
        until_cycle: Option<u64>,
    ) -> PyResult<Progress> {
        let until = until_cycle.unwrap_or(u64::MAX);
        let budget = Duration::try_from_secs_f64(wall_budget_seconds)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let progress = py.detach(|| {
            let mut run = self.lock();
            let advance = |run: &mut Work| unless_lost(|| run.advance(budget, until))?.map_err(input_error);
            let progress =
                self.guarded(|| run.as_mut().map(advance).transpose()).and_then(|progress| progress);
            if progress.is_err() {
                *run = None; // its state is no longer whole, or its trace is wrong
            }
            progress
        });
        if let Some(error) = take_failure(&self.failure) {
            *self.lock() = None;
            return Err(error);
        }
        progress?.map(Progress::from).ok_or_else(finished)
    }

    /// Messages that ranks have received; 0 without ranks, or by the fluid engine. If the run has reached the cycle
    /// up to which it was advanced, they depend on nothing but that cycle.
    fn messages_received(&self, py: Python<'_>) -> PyResult<u64> {
        let count = || self.lock().as_mut().map(|run| unless_lost(|| run.messages_received()));
        py.detach(count).ok_or_else(finished)?
    }

    /// Ends the run, whether done or not, and returns its result.
    fn finish(&self, py: Python<'_>, interrupted: bool) -> PyResult<RunResult> {
        let run = self.lock().take().ok_or_else(finished)?;
        let finish = || self.guarded(|| unless_lost(|| run.finish(interrupted)));
        py.detach(finish)?.map(RunResult)
    }
}

impl Run {
    /// Sets up a run of programs outside the simulator.
    fn of_outside(
        py: Python<'_>,
        scenario: &Scenario,
        (engine, threads, peers): (&str, usize, Option<&Peers>),
        programs: impl OutsideRanks + Send + 'static,
        (failure, recorded_ranks): (Failure, u32),
    ) -> PyResult<Self> {
        let (engine, scenario) = (engine_kind(engine)?, scenario.0.clone());
        let recording = (recorded_ranks > 0).then(|| Recording::new(recorded_ranks));
        let ranks: Box<dyn OutsideRanks + Send> = match &recording {
            Some(recording) => Box::new(ProgramRecorder::new(programs, recording.clone())),
            None => Box::new(programs),
        };
        let peers = peers_of(peers);
        let set_up = || LedRun::with_program(scenario, engine, threads, ranks, &peers);
        let run = py.detach(|| unless_lost(set_up))?.map_err(input_error)?;
        Ok(Run { recording, ..Self::of(Work::Packets(Box::new(run)), None, failure) })
    }

    fn of(run: Work, checkpoint: Option<PathBuf>, failure: Failure) -> Self {
        Self { run: Mutex::new(Some(run)), checkpoint, failure, recording: None }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Work>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn guarded<T>(&self, work: impl FnOnce() -> T) -> PyResult<T> {
        guarded(self.checkpoint.as_deref(), work)
    }
}

/// The progress of a run.
#[pyclass(frozen, get_all, module = "torusim._core")]
pub struct Progress {
    /// Whether the run has ended.
    done: bool,
    /// The network cycle reached.
    cycle: u64,
    /// Simulated time in seconds.
    seconds_simulated: f64,
    /// The completed share of the run, 0 to 1, if known.
    fraction: Option<f64>,
    /// Packets delivered so far.
    packets_delivered: u64,
    /// Packet-hops so far.
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

/// The result of a run.
#[pyclass(frozen, module = "torusim._core")]
pub struct RunResult(simulation::RunResult);

#[pymethods]
impl RunResult {
    /// The summary as JSON.
    fn summary_json(&self) -> String {
        self.0.summary.to_string()
    }

    /// The resolved scenario as JSON.
    fn scenario_json(&self) -> String {
        self.0.scenario.to_string()
    }

    /// The tables by name. A table maps column names to NumPy arrays, or to lists of strings for text.
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tables = PyDict::new(py);
        for table in &self.0.tables {
            tables.set_item(table.name, table::to_python(py, table)?)?;
        }
        Ok(tables)
    }

    /// The time lines of ranks, if they were recorded: `intervals` (columns), `activities` and `collectives`
    /// (names, by number), `microseconds_per_processor_cycle`, and `cut_at_microseconds` or None.
    fn time_lines<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(recorded) = &self.0.time_lines else { return Ok(None) };
        let time_lines = PyDict::new(py);
        time_lines.set_item("intervals", table::to_python(py, &recorded.intervals)?)?;
        time_lines.set_item("passages", table::to_python(py, &recorded.passages)?)?;
        time_lines.set_item("calls", &recorded.calls)?;
        time_lines.set_item("activities", &recorded.activities)?;
        time_lines.set_item("collectives", &recorded.collectives)?;
        time_lines.set_item("microseconds_per_processor_cycle", recorded.microseconds_per_processor_cycle)?;
        time_lines.set_item("cut_at_microseconds", recorded.cut_at_microseconds)?;
        Ok(Some(time_lines))
    }
}

fn peers_of(peers: Option<&Peers>) -> simulation::Peers {
    peers.map_or_else(simulation::Peers::none, |peers| peers.0.clone())
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("this run is finished")
}
