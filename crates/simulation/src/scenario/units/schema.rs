//! The names of keys with units in the JSON Schema of editors and in the list of parameters.

use super::names::{LINK, LINK_RATE, alias};
use super::{RATE, Unit};
use input::schema as words;
use serde_json::{Value, json};

/// Adds to each table of a schema the names of its keys for values with a unit, and lets keys take such values too.
/// `path` is the path of `schema`, the properties of a table.
pub(crate) fn add_names(path: &str, properties: &mut Value) {
    let Some(table) = properties.as_object_mut() else { return };
    let keys: Vec<String> = table.keys().cloned().collect();
    for key in keys {
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        add_names_of_forms(&inner, &mut table[&key]);
        let Some(unit) = Unit::of(&key) else { continue };
        let meaning = words::meaning(&table[&key]).unwrap_or_default();
        let text = json!({ "type": "string", "pattern": "^\\s*[+.]?[0-9].*[A-Za-z]$" });
        if let Some(name) = name_of(path, &key) {
            let example = unit.measure().example();
            let description = format!("{meaning}. With its unit, such as \"{example}\"; the same as {key}.");
            let list = json!({ "type": "array", "items": text });
            table.insert(
                name,
                json!({ "description": description, "anyOf": [text, list, { "type": "string" }] }),
            );
        }
        let number = table[&key].take();
        let description = number.get("description").cloned().unwrap_or_default();
        table[&key] = json!({ "description": description, "anyOf": [number, text] });
    }
}

/// Adds names to the tables that a value may be.
fn add_names_of_forms(path: &str, schema: &mut Value) {
    if let Some(properties) = schema.get_mut("properties") {
        add_names(path, properties);
    }
    if let Some(items) = schema.get_mut("items") {
        add_names_of_forms(path, items);
    }
    for list in ["oneOf", "anyOf"] {
        let forms = schema.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
        forms.for_each(|form| add_names_of_forms(path, form));
    }
}

/// A key of a table with a unit, as an example: `hop_latency = "50 ns"`.
pub(crate) fn example(table: &str, key: &str) -> Option<String> {
    let name = name_of(table, key).or_else(|| Unit::of(key).map(|_| key.to_owned()))?;
    Some(format!("{name} = \"{}\"", Unit::of(key)?.measure().example()))
}

fn name_of(table: &str, key: &str) -> Option<String> {
    let is_rate_of_links = RATE.strip_prefix(table).is_some_and(|rest| rest.trim_start_matches('.') == key);
    if is_rate_of_links && table == LINK { Some(LINK_RATE.to_owned()) } else { alias(key) }
}
