//! Describes keys from a JSON Schema: the expected values, the meaning and the unit.
//!
//! Schemas are generated from the types that hold the values, meanings from their doc comments: nothing is written
//! twice.

use schemars::Schema;
use serde_json::{Map, Value};

/// The schema with all references resolved, so that it can be traversed like the value it describes.
pub fn inline(schema: Schema) -> Value {
    let mut schema = schema.to_value();
    let definitions = schema.get("$defs").cloned().unwrap_or_default();
    if let Some(table) = schema.as_object_mut() {
        table.remove("$defs");
        table.remove("$schema");
    }
    inline_references(&mut schema, &definitions);
    schema
}

/// Replaces references with their definitions. Entries next to a reference, such as its own description, take
/// precedence.
fn inline_references(schema: &mut Value, definitions: &Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| inline_references(item, definitions)),
        Value::Object(table) => {
            let name = table
                .remove("$ref")
                .and_then(|reference| Some(reference.as_str()?.rsplit('/').next()?.to_owned()));
            let definition = name.and_then(|name| definitions.get(name)?.as_object().cloned());
            for (key, value) in definition.unwrap_or_default() {
                table.entry(key).or_insert(value);
            }
            table.values_mut().for_each(|value| inline_references(value, definitions));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The keys of the table that `schema` describes, or `None` if it does not describe a table.
pub fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

/// The schema that a value has to meet if it is given, where it may be left out.
pub(super) fn given(schema: &Value) -> &Value {
    let is_null = |schema: &&Value| schema.get("type").and_then(Value::as_str) == Some("null");
    match schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([given, other] | [other, given]) if is_null(&other) => given,
        _ => schema,
    }
}

/// The required keys of the table.
pub fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The meaning of the key: the first paragraph of its description, without the final period.
pub fn meaning(schema: &Value) -> Option<String> {
    let description = schema.get("description")?.as_str()?;
    let paragraph = description.split("\n\n").next()?.replace('\n', " ");
    Some(paragraph.trim_end_matches('.').to_owned())
}

/// The unit of a key, from the ending of its name.
pub fn unit(key: &str) -> &'static str {
    const UNITS: [(&str, &str); 8] = [
        ("processor_cycles_per_cycle", "per cycle"),
        ("processor_cycles", "processor cycles"),
        ("megabytes_per_second", "MB/s"),
        ("cycles_per_byte", "cycles/byte"),
        ("cycles", "cycles"),
        ("bytes", "bytes"),
        ("chunks", "chunks"),
        ("share", "0 to 1"),
    ];
    UNITS.iter().find(|(ending, _)| key.ends_with(ending)).map_or("", |(_, unit)| unit)
}

/// The values that `schema` accepts at `path` (in the notation of `serde_path_to_error`), in words.
pub(super) fn describe_at(schema: &Value, path: &str) -> String {
    let mut schema = schema;
    for segment in path.split(['.', '[']).filter(|segment| !segment.is_empty()) {
        let inner = match segment.ends_with(']') {
            true => schema.get("items"),
            false => properties(schema).and_then(|known| known.get(segment)),
        };
        match inner {
            Some(inner) => schema = given(inner),
            None => break,
        }
    }
    describe(schema)
}

/// The values that `schema` accepts, in words: `a whole number from 1 to 8`.
pub fn describe(schema: &Value) -> String {
    let mut choices = Vec::new();
    collect_choices(schema, &mut choices);
    choices.dedup();
    match choices.as_slice() {
        [] => "another value".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn collect_choices(schema: &Value, choices: &mut Vec<String>) {
    for list in ["oneOf", "anyOf"] {
        let alternatives = schema.get(list).and_then(Value::as_array);
        alternatives.into_iter().flatten().for_each(|alternative| collect_choices(alternative, choices));
    }
    if let Some(value) = schema.get("const") {
        choices.push(value.to_string());
    } else if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        choices.extend(values.iter().map(Value::to_string));
    } else {
        types(schema).for_each(|kind| choices.extend(describe_type(kind, schema)));
    }
}

fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    kinds.into_iter()
}

fn describe_type(kind: &str, schema: &Value) -> Option<String> {
    match kind {
        "null" => None,
        "boolean" => Some("true or false".to_owned()),
        "integer" => Some(format!("a whole number{}", bounds(schema))),
        "number" => Some(format!("a number{}", bounds(schema))),
        "string" => Some("a text in quotes".to_owned()),
        "array" => {
            let items = schema.get("items").map_or("anything".to_owned(), describe);
            Some(format!("a list [...]{}, each item {items}", item_count(schema)))
        }
        _ => Some("a table".to_owned()),
    }
}

/// ` of 2`, ` of 1 to 6`, or an empty string if any number of items is allowed.
fn item_count(schema: &Value) -> String {
    match (schema.get("minItems"), schema.get("maxItems")) {
        (Some(min), Some(max)) if min == max => format!(" of {max}"),
        (Some(min), Some(max)) => format!(" of {min} to {max}"),
        _ => String::new(),
    }
}

fn bounds(schema: &Value) -> String {
    let bound = |key| schema.get(key).filter(|bound| bound.is_number());
    let widest = match schema.get("format").and_then(Value::as_str) {
        Some("uint32") => (None, Some(Value::from(u32::MAX))),
        Some("int32") => (Some(Value::from(i32::MIN)), Some(Value::from(i32::MAX))),
        _ => (None, None),
    };
    match (bound("minimum").or(widest.0.as_ref()), bound("maximum").or(widest.1.as_ref())) {
        (Some(low), Some(high)) => format!(" from {low} to {high}"),
        (Some(low), None) => format!(", at least {low}"),
        (None, Some(high)) => format!(", at most {high}"),
        (None, None) => String::new(),
    }
}
