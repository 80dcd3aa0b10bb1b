//! The place of OTF2's C library: the Python package `otf2` contains it, as the extension module
//! `_otf2/_otf2.*.so`, which needs no Python.

use pyo3::prelude::*;
use std::path::PathBuf;

/// The library of the Python package, if the package is installed.
pub fn library() -> Option<PathBuf> {
    Python::attach(|py| find(py).ok().flatten())
}

fn find(py: Python<'_>) -> PyResult<Option<PathBuf>> {
    let spec = py.import("importlib.util")?.call_method1("find_spec", ("_otf2",))?;
    let folders: Vec<PathBuf> = spec.getattr("submodule_search_locations")?.extract()?;
    let files = folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten();
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("_otf2.") && path.extension().is_some_and(|extension| extension == "so")
    };
    Ok(files.filter_map(|entry| Some(entry.ok()?.path())).find(is_library))
}
