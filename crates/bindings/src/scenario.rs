//! Scenarios: resolution, checks, catalogue and schema.

use crate::engine::engine_kind;
use crate::input_error;
use crate::program_calls::ProgramCalls;
use crate::table::to_python;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use simulation::Processes;
use std::path::PathBuf;

/// An override as Python passes it: (path, value as JSON, origin for messages).
pub(crate) type PlainOverride = (String, String, String);

/// A complete and validated description of a run.
#[pyclass(frozen, module = "torusim._core")]
pub struct Scenario(pub(crate) simulation::Scenario);

#[pymethods]
impl Scenario {
    /// The resolved scenario, defaults included, as JSON.
    fn to_json(&self) -> String {
        self.0.to_json().to_string()
    }

    /// Raises InputError if some processes cannot run it together, by this engine of packets or the fluid one.
    fn check_processes(&self, engine: &str, processes: usize) -> PyResult<()> {
        simulation::check_processes(&self.0, engine_kind(engine)?, processes).map_err(input_error)
    }

    /// The name of the scenario.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// A copy of the scenario that records time lines of its run, for the ranks from `first_rank` to `last_rank`.
    /// They show the steps of ranks, or the tasks of their cores, packets among them.
    #[pyo3(signature = (first_rank, last_rank, from_microseconds, until_microseconds=None, has_packets=false))]
    fn with_time_lines(
        &self,
        first_rank: u32,
        last_rank: u32,
        from_microseconds: f64,
        until_microseconds: Option<f64>,
        has_packets: bool,
    ) -> PyResult<Self> {
        let options = simulation::TimeLineOptions {
            ranks: first_rank..=last_rank,
            from_microseconds,
            until_microseconds,
            has_packets,
        };
        self.0.clone().with_time_lines(&options).map(Scenario).map_err(input_error)
    }

    /// The seed of all random draws.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.seed()
    }

    /// Whether the fluid engine, which has no checkpoints, runs the scenario.
    #[getter]
    fn is_fluid(&self) -> bool {
        self.0.is_fluid()
    }

    /// Processor cycles in a second.
    #[getter]
    fn processor_hertz(&self) -> f64 {
        self.0.processor_hertz()
    }
}

/// Resolves a scenario from TOML text or from an earlier `result.json`. `processes` are the numbers of those that run it, and
/// of those on this computer.
#[pyfunction]
#[pyo3(signature = (text, origin, directory, overrides, processes=(1, 1)))]
pub fn resolve(
    py: Python<'_>,
    text: &str,
    origin: &str,
    directory: PathBuf,
    overrides: Vec<PlainOverride>,
    processes: (usize, usize),
) -> PyResult<Scenario> {
    let overrides = read_overrides(overrides)?;
    let resolve = || simulation::resolve_for(text, origin, &directory, &overrides, numbers(processes));
    py.detach(resolve).map(Scenario).map_err(input_error)
}

fn numbers((all, here): (usize, usize)) -> Processes {
    Processes { all, here }
}

/// Resolves a scenario from a Python dict, passed as JSON, for processes as [`resolve`] does.
#[pyfunction]
#[pyo3(signature = (value, overrides, processes=(1, 1)))]
pub fn resolve_plain(
    py: Python<'_>,
    value: &str,
    overrides: Vec<PlainOverride>,
    processes: (usize, usize),
) -> PyResult<Scenario> {
    let value = serde_json::from_str(value).map_err(input_error)?;
    let overrides = read_overrides(overrides)?;
    let resolve = || simulation::resolve_plain_for(value, &overrides, numbers(processes));
    py.detach(resolve).map(Scenario).map_err(input_error)
}

/// Resolves the scenario of a program from a Python dict, passed as JSON. If its calls in a run are given, they are
/// replayed.
#[pyfunction]
#[pyo3(signature = (value, overrides, recorded=None))]
pub fn resolve_program(
    py: Python<'_>,
    value: &str,
    overrides: Vec<PlainOverride>,
    recorded: Option<&ProgramCalls>,
) -> PyResult<Scenario> {
    let value = serde_json::from_str(value).map_err(input_error)?;
    let overrides = read_overrides(overrides)?;
    let recorded = recorded.map(|calls| calls.0.clone());
    let resolve = || simulation::resolve_program(value, &overrides, recorded);
    py.detach(resolve).map(Scenario).map_err(input_error)
}

/// Parses an override such as `machine.shape=[8,8,4]`.
#[pyfunction]
pub fn parse_override(text: &str) -> PyResult<PlainOverride> {
    let parsed = simulation::parse_override(text).map_err(input_error)?;
    Ok((parsed.path, parsed.value.to_string(), parsed.origin))
}

/// Estimates of a run of the scenario (size, memory, time) by some processes, as JSON.
#[pyfunction]
#[pyo3(signature = (scenario, processes=1))]
pub fn check(py: Python<'_>, scenario: &Scenario, processes: usize) -> PyResult<String> {
    let estimate = py.detach(|| simulation::check_for(&scenario.0, processes)).map_err(input_error)?;
    Ok(estimate.to_string())
}

/// The data of the pictures of a run: facts as JSON, and tables as dicts of columns by name. Flows are those over the given
/// rows of the table of links; `counted` has the flows that the run has counted.
#[pyfunction]
#[pyo3(signature = (scenario, links, counted=None))]
pub fn view<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    links: Vec<u32>,
    counted: Option<simulation::Counted>,
) -> PyResult<(String, Bound<'py, PyDict>)> {
    let view = py.detach(|| simulation::view(&scenario.0, &links, counted)).map_err(input_error)?;
    let tables = PyDict::new(py);
    for table in &view.tables {
        tables.set_item(table.name, to_python(py, table)?)?;
    }
    Ok((view.facts.to_string(), tables))
}

/// The flows that use links, given as node and name of direction, as JSON. `counted` has the flows that a run has
/// counted: source, target, messages and bytes.
#[pyfunction]
#[pyo3(signature = (scenario, links, most, counted=None))]
pub fn hot_flows(
    py: Python<'_>,
    scenario: &Scenario,
    links: Vec<(u32, String)>,
    most: usize,
    counted: Option<simulation::Counted>,
) -> PyResult<String> {
    let flows = || simulation::hot_flows(&scenario.0, &links, most, counted);
    Ok(py.detach(flows).map_err(input_error)?.to_string())
}

/// The messages that ranks receive in a run. None if the scenario has no ranks, or if the number is not known
/// without a run.
#[pyfunction]
pub fn messages(py: Python<'_>, scenario: &Scenario) -> PyResult<Option<u64>> {
    py.detach(|| simulation::messages(&scenario.0)).map_err(input_error)
}

/// Presets, workloads and parameters, as JSON.
#[pyfunction]
pub fn catalog() -> String {
    simulation::list().to_string()
}

/// The JSON Schema of scenarios.
#[pyfunction]
pub fn schema() -> String {
    simulation::schema().to_string()
}

/// A commented scenario for a kind of workload.
#[pyfunction]
#[pyo3(signature = (kind=None))]
pub fn template(kind: Option<&str>) -> String {
    simulation::template(kind)
}

pub(crate) fn read_overrides(overrides: Vec<PlainOverride>) -> PyResult<Vec<simulation::Override>> {
    overrides
        .into_iter()
        .map(|(path, value, origin)| {
            let value = serde_json::from_str(&value).map_err(input_error)?;
            Ok(simulation::Override { path, value, origin })
        })
        .collect()
}
