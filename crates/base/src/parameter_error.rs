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

/// Returns an error unless a value is in its range.
///
/// # Errors
/// [`ParameterError`], which names the range.
pub fn range(key: &'static str, value: u32, low: u32, high: u32) -> Result<(), ParameterError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(ParameterError { key, value: value.to_string(), expected: format!("must be from {low} to {high}") })
}
