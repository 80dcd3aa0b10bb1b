//! Files of flows in formats that Python's libraries read: the package reads them, and passes their columns as
//! NumPy arrays.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use simulation::{Sheet, SheetColumn};
use std::path::Path;

/// The content of a Parquet or NumPy file.
///
/// # Errors
/// The fault of the file.
pub fn read(path: &Path) -> Result<Sheet, String> {
    Python::attach(|py| read_by(py, path).map_err(|error| error.value(py).to_string()))
}

fn read_by(py: Python<'_>, path: &Path) -> PyResult<Sheet> {
    let content = py.import("torusim.runs.sheets")?.call_method1("read", (path,))?;
    let (headings, columns): (Vec<String>, Vec<Bound<'_, PyAny>>) = content.extract()?;
    let columns = columns.iter().map(column).collect::<PyResult<_>>()?;
    Ok(Sheet::of_columns(headings, columns))
}

fn column(values: &Bound<'_, PyAny>) -> PyResult<SheetColumn> {
    match values.extract::<PyReadonlyArray1<'_, f64>>() {
        Ok(numbers) => Ok(SheetColumn::Numbers(numbers.as_array().to_vec())),
        Err(_) => Ok(SheetColumn::Text(values.extract()?)),
    }
}
