//! Input errors, each with a one-line message.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use thiserror::Error;

/// Maximum length of the excerpt of a value in a message, in characters: long enough for paths.
const EXCERPT_CHARACTERS: usize = 160;

/// Maximum length of a message's place and of its problem, in characters: long enough for the path of a file, and for a
/// list of all keys of a section.
const PROBLEM_CHARACTERS: usize = 2_000;

/// An error in the input: its place, the key, the value and what is expected.
///
/// Displayed as `scenario.toml:3: machine.shape = [0, 8, 8]: each length of a shape is at least 1`.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
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
        InputError { value: Some(excerpt(&inline(value)).into_owned()), ..self }
    }

    /// Adds a value that has a unit, and how often it has the step of its key: `"50 ns" (5000 times 0.01 ns)`.
    pub(super) fn converted(self, given: &Value, value: &Value, step: Option<&str>) -> Self {
        let (given, value) = (inline(given), inline(value));
        let text = match step {
            Some(step) => format!("{given} ({value} times {step})"),
            None => format!("{given} ({value})"),
        };
        InputError { value: Some(excerpt(&text).into_owned()), ..self }
    }

    fn message(&self) -> String {
        let key = excerpt(&self.key);
        let key = match &self.value {
            Some(value) => format!("{key} = {value}"),
            None => key.into_owned(),
        };
        let problem = shortened(&self.problem, PROBLEM_CHARACTERS);
        let place = shortened(&self.place, PROBLEM_CHARACTERS);
        let parts = [&*place, &key, &problem].into_iter().filter(|part| !part.is_empty());
        printable(&parts.collect::<Vec<_>>().join(": "))
    }
}

/// Text from the input as it may go to a terminal. Characters that move the cursor, change colors or reorder their
/// neighbors are escaped. So a message is always one text line and shows all of its characters.
fn printable(text: &str) -> String {
    let escape = |character: char| match character.is_control() || is_format(character) {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Whether a character is not seen itself: Unicode's categories Cf, Zl and Zp, as far as they are in use.
fn is_format(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0001}'..='\u{e007f}')
}

/// The beginning of a text from the input.
fn excerpt(text: &str) -> Cow<'_, str> {
    shortened(text, EXCERPT_CHARACTERS)
}

fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
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
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_characters_that_a_terminal_obeys() {
        let text = "a\u{1b}[31mb\u{202e}c\u{2066}\u{200f}d\n\u{9b}\u{2028}\u{feff}é";
        let shown = InputError::at(text, text).key(text).value(&Value::from(text)).to_string();
        assert!(!shown.chars().any(|character| character.is_control() || is_format(character)), "{shown}");
        assert!(
            shown.starts_with("a\\u{1b}[31mb\\u{202e}c\\u{2066}\\u{200f}d\\n\\u{9b}\\u{2028}\\u{feff}é: ")
        );
    }
}
