//! Tables as dicts of columns.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use simulation::{Column, Table};

/// A dict from column names to NumPy arrays, or to lists of strings for text and of bytes.
pub fn to_python<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    for (name, column) in &table.columns {
        columns.set_item(name, column_to_python(py, column)?)?;
    }
    Ok(columns)
}

fn column_to_python<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
    Ok(match column {
        Column::U32(values) => PyArray1::from_slice(py, values).into_any(),
        Column::U64(values) => PyArray1::from_slice(py, values).into_any(),
        Column::F64(values) => PyArray1::from_slice(py, values).into_any(),
        Column::Text(values) => PyList::new(py, values)?.into_any(),
        Column::Bytes(values) => {
            PyList::new(py, values.iter().map(|bytes| PyBytes::new(py, bytes)))?.into_any()
        }
    })
}
