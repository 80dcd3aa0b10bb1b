//! Reads a table of a document as a typed value, or reports what is wrong with it.

use super::document::{Document, join};
use super::error::InputError;
use super::schema;
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::{Deserializer, Track};
use std::collections::HashSet;

/// Reads the table at `path` as a `T`.
///
/// # Errors
/// As [`read_with`].
pub fn read<T: DeserializeOwned + JsonSchema>(document: &Document, path: &str) -> Result<T, InputError> {
    let value = document.get(path).unwrap_or(&Value::Null);
    read_with(document, path, value, &schema::inline(schema_for!(T)), |deserializer| {
        T::deserialize(deserializer)
    })
}

/// Reads `value`, the table at `path`, with `deserialize`, after checking its keys against `schema`.
///
/// # Errors
/// The first unknown key (with the most similar known one), missing key, or value of a wrong type (with what is
/// expected), and its place.
pub fn read_with<'v, T>(
    document: &Document,
    path: &str,
    value: &'v Value,
    schema: &Value,
    deserialize: impl FnOnce(Deserializer<'_, '_, &'v Value>) -> Result<T, serde_json::Error>,
) -> Result<T, InputError> {
    if !value.is_object() {
        return Err(document.error(path, format!("must be a table, as in [{path}]")));
    }
    check_keys(document, path, value, schema)?;
    let mut track = Track::new();
    deserialize(Deserializer::new(value, &mut track)).map_err(|_| {
        let inner = track.path().to_string();
        let path = if inner == "." { path.to_owned() } else { join(path, &inner) };
        let expected = schema::describe_at(schema, &inner);
        let error = document.error(&path, format!("must be {expected}"));
        match document.is_converted(&path) {
            true => error,
            false => error.value(at_segments(value, &inner)),
        }
    })
}

/// The value at a path in the notation of `serde_path_to_error`, which may name list items.
fn at_segments<'a>(value: &'a Value, path: &str) -> &'a Value {
    let pointer = path.replace(['.', '['], "/").replace(']', "");
    value.pointer(&format!("/{pointer}")).unwrap_or(value)
}

/// Checks that every key is known and no required key is missing, in this table and in nested tables.
fn check_keys(document: &Document, path: &str, value: &Value, schema: &Value) -> Result<(), InputError> {
    let (Some(table), Some(known)) = (value.as_object(), schema::properties(schema)) else { return Ok(()) };
    for (key, value) in table {
        let inner = join(path, key);
        match known.get(key) {
            Some(schema) => check_keys(document, &inner, value, schema::given(schema))?,
            None => return Err(document.error(&inner, unknown_key(document, key, path, known.keys()))),
        }
    }
    match schema::required(schema).find(|key| !table.contains_key(*key)) {
        Some(key) => Err(missing_key(document, path, key, &known[key])),
        None => Ok(()),
    }
}

fn unknown_key<'a>(
    document: &Document,
    key: &str,
    path: &str,
    known: impl Iterator<Item = &'a String>,
) -> String {
    let names = document.names();
    let (mut shown, mut others) = (Vec::new(), Vec::new());
    for key in known {
        match (names.of_key)(&join(path, key)) {
            Some(name) if names.only => shown.push(name),
            name => {
                shown.push(key.clone());
                others.extend(name.map(|name| (name, key)));
            }
        }
    }
    let hint = closest(key, shown.iter().chain(others.iter().map(|(name, _)| name)).map(String::as_str));
    let mut seen = HashSet::new();
    shown.retain(|key| seen.insert(key.clone()));
    let of_units = others.first().map_or(String::new(), |(name, key)| {
        format!("; for values that state their unit, the name has none: {name} is {key}")
    });
    format!("[{path}] has no such key; {hint}Known: {}{of_units}", shown.join(", "))
}

fn missing_key(document: &Document, path: &str, key: &str, schema: &Value) -> InputError {
    let meaning = schema::meaning(schema).map_or(String::new(), |meaning| format!(" ({meaning})"));
    document.error(&join(path, key), format!("is missing: must be {}{meaning}", schema::describe(schema)))
}

/// The longest text that is compared with known names.
const LONGEST_NAME_BYTES: usize = 100;

/// A hint such as `did you mean x? Known: a, x, z`: the most similar known name, if one is similar enough, then all
/// known names.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    format!("{}Known: {}", closest(name, known.iter().copied()), known.join(", "))
}

/// The hint at the most similar known name, if one is similar enough.
fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let similarity = |candidate: &str| strsim::jaro_winkler(name, candidate);
    // Nothing resembles a text that is much longer than any name, and comparing it takes long.
    let comparable = known.filter(|_| name.len() <= LONGEST_NAME_BYTES);
    let best = comparable.max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
    best.filter(|candidate| similarity(candidate) > 0.7)
        .map_or(String::new(), |candidate| format!("did you mean {candidate}? "))
}
