//! Errors in traces.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The place of an error in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A text line, numbered from 1.
    Line(u64),
    /// A byte of a binary file, numbered from 0.
    Byte(u64),
    /// A record of a file that only its library can decode, numbered from 1.
    Record(u64),
}

/// A trace that cannot be replayed: the file, the place in it, the fault and what is expected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}: {problem}: {expected}", place_of(.file, .place))]
pub struct TraceError {
    /// The file, or the directory.
    pub file: PathBuf,
    /// The place, if known.
    pub place: Option<Place>,
    /// The fault.
    pub problem: String,
    /// The expected input instead.
    pub expected: String,
}

fn place_of(file: &Path, place: &Option<Place>) -> String {
    match place {
        Some(Place::Line(line)) => format!("{}, line {line}", file.display()),
        Some(Place::Byte(byte)) => format!("{}, byte {byte}", file.display()),
        Some(Place::Record(record)) => format!("{}, record {record}", file.display()),
        None => file.display().to_string(),
    }
}

/// A fault, and what is expected.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub problem: String,
    pub expected: String,
}

pub(crate) fn problem(problem: impl Into<String>, expected: impl Into<String>) -> Problem {
    Problem { problem: problem.into(), expected: expected.into() }
}

impl Problem {
    pub fn at(self, file: &Path, place: Option<Place>) -> TraceError {
        TraceError { file: file.to_path_buf(), place, problem: self.problem, expected: self.expected }
    }
}

/// The error of a file or directory that cannot be read; `expected` is what is needed.
pub(crate) fn unreadable(path: &Path, cause: &io::Error, expected: &str) -> TraceError {
    let is_missing = cause.kind() == io::ErrorKind::NotFound;
    let missing = "there is no such file or directory".to_owned();
    let found = if is_missing { missing } else { format!("cannot be read ({cause})") };
    problem(found, expected).at(path, None)
}

/// The beginning of a text, escaped, for messages: the text may be very long or unprintable.
pub(crate) fn shown(text: &str) -> String {
    let beginning: String = text.chars().take(40).collect();
    let rest = if beginning.len() < text.len() { "..." } else { "" };
    format!("{}{rest}", beginning.escape_debug())
}
