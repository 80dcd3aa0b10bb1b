//! Schedules of jobs on a machine.

use crate::input_error;
use crate::scenario::{PlainOverride, read_overrides};
use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use scheduling::backfill::Backfill;
use scheduling::description::Description;
use scheduling::machine::Allocation;
use scheduling::measures::{Column, Table};
use scheduling::policy::Policy;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The keys of a schedule's summary as JSON, in the order of the screen: `key`, `row` (format and label, if it is shown),
/// `unless_zero`.
#[pyfunction]
pub fn quantities_of_schedules() -> PyResult<String> {
    serde_json::to_string(scheduling::measures::QUANTITIES).map_err(input_error)
}

/// The names of the rules of schedules: `policy`, `backfill` and `allocation`. Policies may be expressions too.
#[pyfunction]
pub fn rules_of_schedules() -> BTreeMap<&'static str, Vec<&'static str>> {
    [
        ("policy", Policy::NAMES.to_vec()),
        ("backfill", Backfill::ALL.iter().map(|rule| rule.name()).collect()),
        ("allocation", Allocation::ALL.iter().map(|rule| rule.name()).collect()),
    ]
    .into()
}

/// A schedule in progress. It cannot be used after `finish`.
#[pyclass(frozen, module = "torusim._core")]
pub struct Schedule(Mutex<Option<scheduling::schedule::Schedule>>);

#[pymethods]
impl Schedule {
    /// Reads the job log and sets up the machine of a description, given as JSON, with `overrides` applied.
    #[new]
    fn new(py: Python<'_>, description: &str, overrides: Vec<PlainOverride>) -> PyResult<Self> {
        let value = serde_json::from_str(description).map_err(input_error)?;
        let overrides = read_overrides(overrides)?;
        let schedule = py
            .detach(|| Description::resolve(value, &overrides).and_then(scheduling::schedule::Schedule::new));
        Ok(Self(Mutex::new(Some(schedule.map_err(input_error)?))))
    }

    /// Reads the job log and sets up the machine of a description in TOML, whose paths are relative to `directory`.
    #[staticmethod]
    fn parse(
        py: Python<'_>,
        text: &str,
        origin: &str,
        directory: PathBuf,
        overrides: Vec<PlainOverride>,
    ) -> PyResult<Self> {
        let overrides = read_overrides(overrides)?;
        let schedule = py.detach(|| {
            Description::parse(text, origin, &directory, &overrides)
                .and_then(scheduling::schedule::Schedule::new)
        });
        Ok(Self(Mutex::new(Some(schedule.map_err(input_error)?))))
    }

    /// Continues for about `wall_budget_seconds` of wall time, with the GIL released. Returns the completed share, 1 at
    /// the end.
    fn advance(&self, py: Python<'_>, wall_budget_seconds: f64) -> PyResult<f64> {
        let budget = Duration::try_from_secs_f64(wall_budget_seconds)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.detach(|| self.lock().as_mut().map(|schedule| schedule.advance(budget))).ok_or_else(finished)
    }

    /// Ends the schedule and returns its result.
    fn finish(&self, py: Python<'_>) -> PyResult<ScheduleResult> {
        py.detach(|| self.lock().take().map(scheduling::schedule::Schedule::finish))
            .map(ScheduleResult)
            .ok_or_else(finished)
    }
}

impl Schedule {
    fn lock(&self) -> MutexGuard<'_, Option<scheduling::schedule::Schedule>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result of a schedule.
#[pyclass(frozen, module = "torusim._core")]
pub struct ScheduleResult(scheduling::schedule::ScheduleResult);

#[pymethods]
impl ScheduleResult {
    /// The summary as JSON.
    fn summary_json(&self) -> String {
        self.0.summary.to_string()
    }

    /// The resolved description as JSON.
    fn description_json(&self) -> String {
        self.0.description.to_string()
    }

    /// The irregularities found in the log, as JSON.
    fn report_json(&self) -> String {
        self.0.report.to_string()
    }

    /// The schedule in the Standard Workload Format.
    fn swf<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.swf)
    }

    /// The schedule as Batsim's table of jobs, in CSV.
    fn jobs_csv<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.0.jobs_csv()))
    }

    /// The tables by name. A table maps column names to NumPy arrays or lists of strings. If numbers can be
    /// missing, it maps to pairs of arrays: the numbers, and whether each is present.
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tables = PyDict::new(py);
        for table in &self.0.tables {
            tables.set_item(table.name, to_python(py, table)?)?;
        }
        Ok(tables)
    }
}

fn to_python<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    for (name, column) in &table.columns {
        let values = match column {
            Column::I64(values) => PyArray1::from_slice(py, values).into_any(),
            Column::U32(values) => PyArray1::from_slice(py, values).into_any(),
            Column::F64(values) => PyArray1::from_slice(py, values).into_any(),
            Column::Bool(values) => PyArray1::from_slice(py, values).into_any(),
            Column::Text(values) => PyList::new(py, values)?.into_any(),
            Column::OptionalI64(values) => {
                let numbers: Vec<i64> = values.iter().map(|value| value.unwrap_or_default()).collect();
                let are_there: Vec<bool> = values.iter().map(Option::is_some).collect();
                let pair = (PyArray1::from_vec(py, numbers), PyArray1::from_vec(py, are_there));
                pair.into_pyobject(py)?.into_any()
            }
        };
        columns.set_item(name, values)?;
    }
    Ok(columns)
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("this schedule is finished")
}
