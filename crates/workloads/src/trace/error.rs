//! Errors in traces.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// A trace that cannot be replayed: the file, the line, what is wrong and what is expected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}: {problem}: {expected}", place(.file, .line))]
pub struct TraceError {
    /// The file, or the directory.
    pub file: PathBuf,
    /// The line, numbered from 1, if the error is in one line.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: String,
    /// What is expected instead.
    pub expected: String,
}

fn place(file: &Path, line: &Option<u64>) -> String {
    let line = line.map_or(String::new(), |line| format!(", line {line}"));
    format!("{}{line}", file.display())
}
