//! Input errors, each with a one-line message.

use serde_json::Value;
use thiserror::Error;

/// Maximum length of the excerpt of a value in a message, in characters: long enough for paths.
const EXCERPT_CHARACTERS: usize = 160;

/// An error in the input: its place, the key, the value and what is expected.
///
/// Displayed as `scenario.toml:3: machine.shape = [0, 8, 8]: each length of a shape is at least 1`.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}", self.message())]
pub struct InputError {
    place: String,
    key: String,
    value: Option<String>,
    problem: String,
}

impl InputError {
    /// An error at `place` (`scenario.toml:3`), without key or value.
    pub fn at(place: impl Into<String>, problem: impl Into<String>) -> Self {
        InputError { place: place.into(), key: String::new(), value: None, problem: problem.into() }
    }

    /// Adds the dotted path of the key: `machine.shape`.
    pub fn key(self, key: impl Into<String>) -> Self {
        InputError { key: key.into(), ..self }
    }

    /// Adds the value that was given.
    pub fn value(self, value: &Value) -> Self {
        InputError { value: Some(excerpt(value)), ..self }
    }

    fn message(&self) -> String {
        let key = match &self.value {
            Some(value) => format!("{} = {value}", self.key),
            None => self.key.clone(),
        };
        let parts = [&self.place, &key, &self.problem];
        let parts: Vec<&str> =
            parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        printable(&parts.join(": "))
    }
}

/// Escapes control characters, so that a message is always one line.
fn printable(text: &str) -> String {
    let escape = |character: char| match character.is_control() {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    text.chars().map(escape).collect()
}

fn excerpt(value: &Value) -> String {
    let text = inline(value);
    match text.char_indices().nth(EXCERPT_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The value in the inline syntax of a scenario: `[8, 8, 4]`, `{ kind = "tornado" }`.
pub fn inline(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(table) if table.is_empty() => "{}".to_owned(),
        Value::Object(table) => {
            let entries: Vec<String> =
                table.iter().map(|(key, value)| format!("{key} = {}", inline(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    }
}
