//! Schedules of jobs on a machine.

use crate::input_error;
use crate::scenario::{PlainOverride, read_overrides};
use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use scheduling::description::Description;
use scheduling::measures::{Column, Table};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A schedule under way. It is gone once `finish` has been called.
#[pyclass(frozen, module = "torusim._core")]
pub struct Schedule(Mutex<Option<scheduling::schedule::Schedule>>);

#[pymethods]
impl Schedule {
    /// Reads the log and sets up the machine of a description, given as JSON, and values laid over it.
    #[new]
    fn new(py: Python<'_>, description: &str, overrides: Vec<PlainOverride>) -> PyResult<Self> {
        let value = serde_json::from_str(description).map_err(input_error)?;
        let overrides = read_overrides(overrides)?;
        let schedule = py.detach(|| {
            let description = Description::resolve(value, &overrides)?;
            scheduling::schedule::Schedule::new(description)
        });
        Ok(Self(Mutex::new(Some(schedule.map_err(input_error)?))))
    }

    /// Goes on for about that much wall time, with Python's lock released; gives the share that is done, 1 at the end.
    fn advance(&self, py: Python<'_>, wall_budget_seconds: f64) -> PyResult<f64> {
        let budget = Duration::try_from_secs_f64(wall_budget_seconds)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.detach(|| self.lock().as_mut().map(|schedule| schedule.advance(budget))).ok_or_else(finished)
    }

    /// What came of it.
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

/// What a schedule leaves.
#[pyclass(frozen, module = "torusim._core")]
pub struct ScheduleResult(scheduling::schedule::ScheduleResult);

#[pymethods]
impl ScheduleResult {
    /// The summary as JSON.
    fn summary_json(&self) -> String {
        self.0.summary.to_string()
    }

    /// The whole description as JSON.
    fn description_json(&self) -> String {
        self.0.description.to_string()
    }

    /// What was odd in the log, as JSON.
    fn report_json(&self) -> String {
        self.0.report.to_string()
    }

    /// The schedule in the Standard Workload Format.
    fn swf<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.swf)
    }

    /// The tables: name to column to values. A column is a NumPy array, a list of strings, or, where numbers can be
    /// missing, a pair of arrays: the numbers, and whether each is there.
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
