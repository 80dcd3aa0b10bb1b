//! Parses overrides of single scenario values, as on the command line.

use super::document::Override;
use super::error::InputError;
use super::quantity::is_quantity;
use super::toml_text;
use serde_json::Value;

/// Parses an override such as `machine.shape=[8,8,4]`: a dotted path and a TOML value. A bare word or quantity is
/// read as a string, so that it needs no second pair of quotes in a shell: `machine.preset=bluegene-p`,
/// `machine.link.hop_latency="50 ns"`.
///
/// # Errors
/// When the `=`, the key or the value is missing, or the value is not valid.
pub fn parse_override(text: &str) -> Result<Override, InputError> {
    let example = "must be KEY=VALUE, as in machine.shape=[8,8,4]";
    let (path, value) =
        text.split_once('=').ok_or_else(|| InputError::at(format!("--set {text}"), example))?;
    let (path, value) = (path.trim(), value.trim());
    let origin = format!("--set {path}");
    if path.split('.').any(str::is_empty) || value.is_empty() {
        return Err(InputError::at(format!("--set {text}"), example));
    }
    let value = toml_text::parse_value(value, &origin)
        .or_else(|error| bare_word(value).ok_or(error))
        .map_err(|error| error.key(path))?;
    Ok(Override { path: path.to_owned(), value, origin })
}

fn bare_word(text: &str) -> Option<Value> {
    let is_number = text.parse::<f64>().is_ok();
    let blank = if is_quantity(text) { " " } else { "" };
    let is_word = text.chars().all(|c| c.is_alphanumeric() || "-_./".contains(c) || blank.contains(c));
    (is_word && !is_number).then(|| Value::String(text.to_owned()))
}
