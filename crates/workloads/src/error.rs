//! A workload that cannot run.

use thiserror::Error;

/// A workload that cannot run on the machine: the parameter, its fault, and what is expected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{key}: {message}")]
pub struct WorkloadError {
    /// The parameter as a scenario names it within its workload. It is `shape` or `dead_nodes` if the machine
    /// itself is unsuitable, or `mapping` if the placement of ranks is.
    pub key: String,
    /// The fault, and what is expected.
    pub message: String,
}

impl WorkloadError {
    pub(crate) fn new(key: &str, message: impl Into<String>) -> Self {
        WorkloadError { key: key.into(), message: message.into() }
    }
}

/// Returns an error unless `holds`; the message is only created when needed.
pub(crate) fn require(holds: bool, key: &str, message: impl FnOnce() -> String) -> Result<(), WorkloadError> {
    if holds { Ok(()) } else { Err(WorkloadError::new(key, message())) }
}
