//! What is wrong with a trace, and where.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// A trace that cannot be replayed: which file, which line, what is wrong, what would be right.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}: {problem}: {expected}", place(.file, .line))]
pub struct TraceError {
    /// The file, or the directory.
    pub file: PathBuf,
    /// The line, from 1, where one is to blame.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub expected: String,
}

fn place(file: &Path, line: &Option<u64>) -> String {
    let line = line.map_or(String::new(), |line| format!(", line {line}"));
    format!("{}{line}", file.display())
}
