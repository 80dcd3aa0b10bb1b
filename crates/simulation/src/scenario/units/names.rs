//! Names of keys without their unit, for values that state one: `payload` is `payload_bytes`.

use super::Unit;
use crate::scenario::{JobSettings, Machine, MessagingSettings, RunSettings};
use input::quantity::{Exact, Measure, is_quantity};
use input::{Document, InputError, Names, Override, schema as words};
use schemars::schema_for;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;
use workloads::Workload;
use workloads::kernels::Kernel;

/// The table of links, whose `rate` is two keys: the rate of the fastest link, which defines the cycle, and the cycles of
/// a byte on each.
pub(super) const LINK: &str = "machine.link";

/// The rate of links, one value or one for each dimension.
pub(super) const LINK_RATE: &str = "rate";

/// The keys that a rate of links replaces.
const OF_RATE: [&str; 2] = ["megabytes_per_second", "cycles_per_byte"];

/// The keys that have another name, by that name, of each table of a scenario.
static KEYS: LazyLock<HashMap<String, HashMap<String, String>>> = LazyLock::new(|| {
    let mut keys = HashMap::new();
    for (table, key) in tables_and_keys() {
        if let Some(alias) = alias(&key) {
            keys.entry(table).or_insert_with(HashMap::new).insert(alias, key);
        }
    }
    keys
});

/// Every key of a scenario, with the path of its table.
pub(super) fn tables_and_keys() -> Vec<(String, String)> {
    let of_workloads = Workload::KINDS.iter().filter_map(|(kind, _)| Workload::schema(kind));
    let of_kernels = Kernel::NAMES.iter().filter_map(|(name, _)| Kernel::schema_of(name));
    let of_sections = [
        ("machine", schema_for!(Machine)),
        ("messaging", schema_for!(MessagingSettings)),
        ("run", schema_for!(RunSettings)),
        ("jobs", schema_for!(JobSettings)),
    ];
    let of_work = of_workloads.chain(of_kernels).map(|schema| ("workload", schema));
    let mut found = Vec::new();
    for (path, schema) in of_sections.into_iter().chain(of_work) {
        collect_keys(path, &words::inline(schema), &mut found);
    }
    found
}

/// The keys of a table and of its nested tables, whichever of several forms a value has.
fn collect_keys(path: &str, schema: &Value, found: &mut Vec<(String, String)>) {
    for (name, inner) in words::properties(schema).into_iter().flatten() {
        found.push((path.to_owned(), name.to_owned()));
        collect_keys(&format!("{path}.{name}"), inner, found);
    }
    let forms = ["oneOf", "anyOf"].into_iter().filter_map(|list| schema.get(list)?.as_array()).flatten();
    forms.for_each(|form| collect_keys(path, form, found));
}

/// The name of a key for values that state their unit, if it has one.
pub(super) fn alias(key: &str) -> Option<String> {
    match Unit::of(key)? {
        Unit::MegabytesPerSecond => None, // see LINK_RATE
        Unit::BytesPerCycle => Some("rate".to_owned()),
        Unit::ProcessorCyclesPerCycle => Some("processor_clock".to_owned()),
        Unit::ProcessorCycles => Some(key.replacen("processor_cycles", "time", 1)),
        Unit::Cycles => key.strip_suffix("_cycles").map(str::to_owned),
        Unit::Bytes => key.strip_suffix("_bytes").map(str::to_owned),
    }
}

/// The table of the schema for a table of a document: jobs have the tables of a scenario.
fn table_of_schema(path: &str) -> &str {
    match path.strip_prefix("jobs[").and_then(|rest| rest.split_once(']')) {
        Some((_, "")) => "jobs",
        Some((_, inner)) => inner.trim_start_matches('.'),
        None => path,
    }
}

/// The key that `name` means in a table, if it is another name of one.
fn key_of(path: &str, name: &str) -> Option<&'static str> {
    KEYS.get(table_of_schema(path))?.get(name).map(String::as_str)
}

/// Whether the rate of the links of a document has a unit: then its users think in seconds, not in cycles.
pub(crate) fn is_written_in_units(document: &Document) -> bool {
    document.get(super::RATE).is_some_and(Value::is_string)
}

/// Makes the errors of a document show the names of keys without their unit: as the only ones if its users think in
/// seconds.
pub(crate) fn show_names(document: &mut Document) {
    let in_units = document.get("run.units").and_then(Value::as_str) == Some("physical");
    document.set_names(Names { of_key: name_of_path, only: in_units });
}

/// The name without its unit of the key at a path of a document, if it has one.
fn name_of_path(path: &str) -> Option<String> {
    let (table, key) = path.rsplit_once('.')?;
    if table == LINK && OF_RATE.contains(&key) {
        return Some(LINK_RATE.to_owned());
    }
    alias(key).filter(|name| key_of(table, name).is_some())
}

/// Renames the keys of a document that state their units to those that the machine has.
///
/// # Errors
/// When a key has both names, or its value has no unit.
pub(crate) fn state_units(document: &mut Document) -> Result<(), InputError> {
    let mut tables = Vec::new();
    collect_tables("", document.root(), &mut tables);
    for path in tables {
        state_rate_of_links(document, &path)?;
        let of_table = document.get(&path).and_then(Value::as_object).into_iter().flatten();
        let named: Vec<(String, &str)> =
            of_table.filter_map(|(name, _)| Some((name.clone(), key_of(&path, name)?))).collect();
        for (name, key) in named {
            check_alone(document, &path, &name, &[key])?;
            let given = format!("{path}.{name}");
            let value = document.get(&given).unwrap_or(&Value::Null);
            check_unit(value, key).map_err(|problem| document.error(&given, problem))?;
            document.rename(&path, &name, key);
        }
    }
    Ok(())
}

/// Turns the rate of links into the two keys that it means.
fn state_rate_of_links(document: &mut Document, path: &str) -> Result<(), InputError> {
    let given = format!("{path}.{LINK_RATE}");
    let rate = (path == LINK).then(|| document.get(&given).cloned()).flatten();
    let Some(rate) = rate else { return Ok(()) };
    check_alone(document, path, LINK_RATE, &OF_RATE)?;
    let [fastest, cycles] = rates_of_links(&rate).map_err(|problem| document.error(&given, problem))?;
    let [rate_key, cycles_key] = OF_RATE;
    document.rename(path, LINK_RATE, rate_key);
    document.replace(&format!("{path}.{rate_key}"), fastest);
    document.set_default(&format!("{path}.{cycles_key}"), cycles);
    Ok(())
}

/// The rate of the fastest link as the user wrote it, and the cycles of a byte on each link.
fn rates_of_links(rate: &Value) -> Result<[Value; 2], String> {
    let read = |value: &Value| {
        let text = value.as_str().ok_or_else(|| Measure::Rate.expected())?;
        Measure::Rate.read(text).and_then(|rate| match rate > Exact::from(0) {
            true => Ok(rate),
            false => Err("must be above 0".to_owned()),
        })
    };
    let Value::Array(texts) = rate else {
        return read(rate).map(|_| [rate.clone(), json!(1)]);
    };
    let rates = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let (fastest, text) =
        rates.iter().zip(texts).max_by_key(|(rate, _)| **rate).ok_or("must not be empty")?;
    let cycles: Vec<Value> = rates.iter().map(|rate| cycles_per_byte(fastest / rate)).collect();
    Ok([text.clone(), json!(cycles)])
}

/// A time of a byte as `cycles_per_byte` has it: a whole number, or a fraction as text.
fn cycles_per_byte(cycles: Exact) -> Value {
    let whole = cycles.is_integer().then(|| u64::try_from(cycles.to_integer()).ok()).flatten();
    whole.map_or_else(|| cycles.to_string().into(), Value::from)
}

/// The overrides of keys that the machine has, for an override of keys that state their unit.
///
/// # Errors
/// As [`state_units`].
pub(crate) fn state_units_of_override(change: &Override) -> Result<Vec<Override>, InputError> {
    let wrong = |problem| InputError::at(&change.origin, problem).key(&change.path).value(&change.value);
    let with =
        |path: String, value: &Value| Override { path, value: value.clone(), origin: change.origin.clone() };
    if change.path.strip_prefix(LINK).is_some_and(|rest| rest.strip_prefix('.') == Some(LINK_RATE)) {
        let values = rates_of_links(&change.value).map_err(wrong)?;
        let keys = OF_RATE.into_iter().map(|key| format!("{LINK}.{key}"));
        return Ok(keys.zip(&values).map(|(key, value)| with(key, value)).collect());
    }
    let (path, key) = path_of_keys(&change.path);
    if let Some(key) = key {
        check_unit(&change.value, key).map_err(wrong)?;
    }
    // A document with this value alone is renamed as every other.
    let (root, place) = nested(&path, &change.value);
    let mut document = Document::from_plain(root, &change.origin)?;
    state_units(&mut document)?;
    let value = document.get(&place).unwrap_or(&change.value);
    Ok(vec![with(path, value)])
}

/// The path with the names that the machine has, and the key of the value's unit if the path names it without one: the
/// last key, or that of a table of costs.
fn path_of_keys(path: &str) -> (String, Option<&'static str>) {
    let mut keys = String::new();
    let mut last: Option<&'static str> = None;
    for segment in path.split('.') {
        let (name, items) = segment.split_at(segment.find('[').unwrap_or(segment.len()));
        let key = key_of(&keys, name);
        last = key.or(last.filter(|&table| is_table_of_unit(table)));
        let dot = if keys.is_empty() { "" } else { "." };
        keys = [&keys, dot, key.unwrap_or(name), items].concat();
    }
    (keys, last)
}

/// Whether the values of a table with this name have the unit of the table.
fn is_table_of_unit(key: &str) -> bool {
    Unit::of(key) == Some(Unit::ProcessorCycles)
}

/// Tables that have only `value`, at a dotted path, and its path in them. Lists have only that item.
fn nested(path: &str, value: &Value) -> (Value, String) {
    let mut place = Vec::new();
    let root = path.rsplit('.').fold(value.clone(), |value, segment| {
        let (name, items) = segment.split_at(segment.find('[').unwrap_or(segment.len()));
        let lists = items.matches('[').count();
        place.insert(0, format!("{name}{}", "[0]".repeat(lists)));
        json!({ name: (0..lists).fold(value, |value, _| json!([value])) })
    });
    (root, place.join("."))
}

/// Refuses a key that is given by both of its names.
fn check_alone(document: &Document, path: &str, name: &str, keys: &[&str]) -> Result<(), InputError> {
    let is_given = |key: &&&str| document.get(&format!("{path}.{key}")).is_some();
    match keys.iter().find(is_given) {
        Some(key) => {
            let problem = format!("is {key} with a unit: one of the two is needed, not both");
            Err(document.error(&format!("{path}.{name}"), problem))
        }
        None => Ok(()),
    }
}

/// Refuses numbers without a unit, of which nobody knows whether they are cycles or nanoseconds. Bytes are bytes.
fn check_unit(value: &Value, key: &str) -> Result<(), String> {
    let unit = Unit::of(key).expect("a key with another name has a unit");
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| check_unit(item, key)),
        Value::Number(number) if unit != Unit::Bytes => {
            Err(format!("{}; a number alone is {key} = {number}", unit.measure().expected()))
        }
        Value::String(text) if is_quantity(text) => unit.measure().read(text).map(drop),
        Value::Object(table) if is_table_of_unit(key) => {
            table.values().try_for_each(|cost| check_unit(cost, key))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => Ok(()),
    }
}

/// The paths of all tables.
fn collect_tables(path: &str, value: &Value, tables: &mut Vec<String>) {
    match value {
        Value::Object(table) => {
            tables.push(path.to_owned());
            for (key, value) in table {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect_tables(&inner, value, tables);
            }
        }
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.for_each(|(index, item)| collect_tables(&format!("{path}[{index}]"), item, tables));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
