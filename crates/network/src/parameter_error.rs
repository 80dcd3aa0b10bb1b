//! A parameter that no machine has.

use thiserror::Error;

/// A parameter outside its range: its name, its value, and what is allowed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{key} = {value}: {expected}")]
pub struct ParameterError {
    /// The parameter as scenarios name it, such as `router.dynamic_channels`.
    pub key: &'static str,
    /// The value given.
    pub value: String,
    /// The values allowed.
    pub expected: String,
}
