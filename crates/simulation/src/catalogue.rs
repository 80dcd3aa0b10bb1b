//! The catalogue of presets, workloads, kernels and parameters: lists for users, a JSON Schema for editors, and templates for
//! `torusim init`.
//!
//! Meanings come from the doc comments of the types, defaults from the types and the default preset, units from the
//! endings of names: nothing is written twice.

use crate::scenario::{
    DEFAULT_PRESET, JobSettings, Machine, MappingSettings, MessagingSettings, PRESETS, RunSettings,
    preset_text, units,
};
use input::{inline_value, parse_toml, schema as words};
use mpi::{Algorithm, Operation};
use schemars::schema_for;
use serde_json::{Map, Value, json};
use workloads::Workload;
use workloads::kernels::Kernel;

/// Width of comments in a template, in columns.
const COMMENT_COLUMNS: usize = 100;

/// The workload of a template if none is named.
const TEMPLATE_KIND: &str = "all-to-all";

/// The kernel of a template.
const TEMPLATE_KERNEL: &str = "halo-3d";

/// The kind of workload that has kernels, each with its own parameters.
const KERNEL: &str = "kernel";

/// All `presets` (name, description), `workloads` (kind, description, parameters), `kernels` (name, description,
/// parameters), `algorithms` (by operation) and `parameters` of machines and runs. A parameter has key, meaning,
/// unit and default, null if it has none.
pub fn list() -> Value {
    let preset = |(name, text): &(&str, &str)| json!({ "name": name, "description": title(text) });
    let workload = |(kind, description): &(&str, &str)| {
        let parameters = entries(&workload_schema(kind), "", "name");
        json!({ "kind": kind, "description": description, "parameters": parameters })
    };
    let kernel = |(name, description): &(&str, &str)| {
        let parameters = entries(&kernel_schema(name), "", "name");
        json!({ "name": name, "description": description, "parameters": parameters })
    };
    let algorithms = |&(name, operation): &(&str, Operation)| {
        (name.to_owned(), operation.algorithms().map(Algorithm::name).collect())
    };
    let mut parameters = entries(&machine_schema(), "machine.", "key");
    parameters.extend(entries(&words::inline(schema_for!(MappingSettings)), "mapping.", "key"));
    parameters.extend(entries(&words::inline(schema_for!(JobSettings)), "jobs.", "key"));
    parameters.extend(entries(&messaging_schema(), "messaging.", "key"));
    parameters.extend(entries(&words::inline(schema_for!(RunSettings)), "run.", "key"));
    json!({
        "presets": PRESETS.iter().map(preset).collect::<Vec<_>>(),
        "workloads": Workload::KINDS.iter().map(workload).collect::<Vec<_>>(),
        "kernels": Kernel::NAMES.iter().map(kernel).collect::<Vec<_>>(),
        "algorithms": Operation::NAMES.iter().map(algorithms).collect::<Map<_, _>>(),
        "parameters": parameters,
    })
}

/// The JSON Schema of scenarios, for editors.
pub fn schema() -> Value {
    let mut schema = schema_in_units_of_keys();
    units::add_names("", &mut schema["properties"]);
    schema
}

fn schema_in_units_of_keys() -> Value {
    let kinds: Vec<Value> = Workload::KINDS.iter().flat_map(|(kind, _)| kind_schemas(kind)).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "torusim scenario",
        "description": "A machine, a workload, and how to run it.",
        "type": "object",
        "properties": {
            "schema_version": { "type": "integer", "description": "Version of the scenario format; written to results." },
            "machine": machine_schema(),
            "workload": { "description": "The traffic to run on the machine.", "oneOf": kinds },
            "jobs": {
                "description": "Several jobs on one machine, instead of a workload.",
                "type": "array",
                "items": words::inline(schema_for!(JobSettings)),
            },
            "mapping": words::inline(schema_for!(MappingSettings)),
            "messaging": messaging_schema(),
            "run": words::inline(schema_for!(RunSettings)),
        },
        "anyOf": [{ "required": ["workload"] }, { "required": ["jobs"] }],
        "additionalProperties": false,
    })
}

/// A commented scenario for the given kind of workload (by default all-to-all). It runs unchanged, except that the
/// directory of a trace must be filled in.
pub fn template(kind: Option<&str>) -> String {
    let kind = kind.unwrap_or(TEMPLATE_KIND);
    let summary = Workload::KINDS.iter().find(|(known, _)| *known == kind).map(|(_, summary)| summary);
    let workload: Vec<String> = properties(&workload_schema(kind))
        .map(|(name, schema)| commented_key(name, schema, schema["examples"].get(0).cloned()))
        .chain((kind == KERNEL).then(template_kernel))
        .collect();
    format!(
        "# A scenario of torusim: a machine, a workload, and how to run it. `torusim list` shows all keys.\n\
         \n[machine]\n{machine}\n\
         \n[workload]\n{summary}kind = \"{kind}\"\n{workload}\
         \n[run]\n{run}",
        machine = template_machine(),
        summary = summary.map_or(String::new(), |summary| comment(summary.trim_end_matches('.'))),
        workload = workload.join(""),
        run = properties(&words::inline(schema_for!(RunSettings)))
            .map(|(name, schema)| commented_key(name, schema, None))
            .collect::<String>(),
    )
}

/// The parameters of a kernel, below its name.
fn template_kernel() -> String {
    let schema = kernel_schema(TEMPLATE_KERNEL);
    properties(&schema).map(|(name, schema)| commented_key(name, schema, None)).collect()
}

fn template_machine() -> String {
    let schema = machine_schema();
    let keys = ["preset", "shape", "wrap"].map(|name| (name, &schema["properties"][name]));
    let keys = keys.map(|(name, schema)| commented_key(name, schema, Some(schema["default"].clone())));
    let top = keys.concat();
    format!(
        "{top}# Tables override single values of the preset:\n\
         # [machine.link], [machine.packet], [machine.router], [machine.node]."
    )
}

/// A key below a comment with its meaning; commented out unless it has an example value.
fn commented_key(name: &str, schema: &Value, example: Option<Value>) -> String {
    let meaning = words::meaning(schema).unwrap_or_default();
    let line = match (example, schema.get("default").filter(|default| !default.is_null())) {
        (Some(example), _) => format!("{name} = {}", inline_value(&example)),
        (None, Some(default)) => format!("# {name} = {}", inline_value(default)),
        (None, None) => format!("# {name} ="),
    };
    format!("{}{line}\n", comment(&meaning))
}

/// A sentence, wrapped into comments of at most [`COMMENT_COLUMNS`] columns.
fn comment(sentence: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in format!("{sentence}.").split_whitespace() {
        if lines.last().is_some_and(|line| line.len() + word.len() >= COMMENT_COLUMNS) {
            lines.push(String::from("#"));
        }
        lines.last_mut().expect("there is a first line").extend([" ", word]);
    }
    lines.join("\n") + "\n"
}

/// The first line of a preset's file: its description.
fn title(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
}

/// The schema of machines, with the values of the default preset as defaults, and no required keys.
fn machine_schema() -> Value {
    let mut schema = words::inline(schema_for!(Machine));
    let text = preset_text(DEFAULT_PRESET).unwrap_or_default();
    let preset = parse_toml(text, DEFAULT_PRESET).ok();
    let mut values = preset.and_then(|preset| preset.get("machine").cloned()).unwrap_or_default();
    values["preset"] = DEFAULT_PRESET.into();
    set_defaults(&mut schema, &values);
    schema
}

/// The schema of the software of ranks. Keys that no scenario sets follow from its set of costs.
fn messaging_schema() -> Value {
    let mut schema = words::inline(schema_for!(MessagingSettings));
    set_defaults(&mut schema, &Value::Null);
    schema
}

fn set_defaults(schema: &mut Value, values: &Value) {
    let Some(table) = schema.as_object_mut() else { return };
    table.remove("required");
    match table.get_mut("properties").and_then(Value::as_object_mut) {
        Some(properties) => {
            properties.iter_mut().for_each(|(key, schema)| set_defaults(schema, &values[key.as_str()]));
        }
        None => {
            table.insert("default".to_owned(), values.clone());
        }
    }
}

/// The schema of a kind of workload. The schema of kernels has the key common to all of them: the name.
fn workload_schema(kind: &str) -> Value {
    match kind {
        KERNEL => {
            let names: Vec<Value> = Kernel::NAMES.iter().map(|(name, _)| (*name).into()).collect();
            let description = "The kernel; each has its own parameters (`torusim list kernels`). Required.";
            json!({ "properties": { "name": { "enum": names, "examples": [TEMPLATE_KERNEL], "description": description } } })
        }
        _ => Workload::schema(kind).map(words::inline).unwrap_or_default(),
    }
}

fn kernel_schema(name: &str) -> Value {
    Kernel::schema_of(name).map(words::inline).unwrap_or_default()
}

/// The schemas of the whole table of a kind of workload, `kind` included: one, or one for each kernel.
fn kind_schemas(kind: &str) -> Vec<Value> {
    match kind {
        KERNEL => {
            let of = |(name, _): &(&str, &str)| {
                with_constants(kernel_schema(name), &[("kind", kind), ("name", name)])
            };
            Kernel::NAMES.iter().map(of).collect()
        }
        _ => vec![with_constants(workload_schema(kind), &[("kind", kind)])],
    }
}

/// A schema with further keys, which are required and have one value.
fn with_constants(mut schema: Value, constants: &[(&str, &str)]) -> Value {
    let mut required: Vec<Value> = words::required(&schema).map(Value::from).collect();
    for (key, value) in constants {
        schema["properties"][key] = json!({ "const": value });
        required.push((*key).into());
    }
    schema["required"] = required.into();
    schema
}

fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    words::properties(schema).into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
}

/// One entry for each key of a table and of its nested tables. `label` is the field that holds the key.
fn entries(schema: &Value, prefix: &str, label: &str) -> Vec<Value> {
    let of_key = |(name, schema): (&str, &Value)| {
        let path = format!("{prefix}{name}");
        let inner = words::properties(schema).map(|_| entries(schema, &format!("{path}."), label));
        // A key that is a table or another value is itself a key, and has inner ones.
        let is_value = inner.is_none() || schema["type"].is_array();
        let own = is_value.then(|| entry(&path, name, schema, label));
        own.into_iter().chain(inner.unwrap_or_default()).collect::<Vec<_>>()
    };
    properties(schema).flat_map(of_key).collect()
}

fn entry(path: &str, name: &str, schema: &Value, label: &str) -> Value {
    let mut entry = Map::new();
    entry.insert(label.to_owned(), path.into());
    entry.insert("meaning".to_owned(), words::meaning(schema).into());
    entry.insert("unit".to_owned(), words::unit(name).into());
    entry.insert(
        "with_unit".to_owned(),
        units::example(path.rsplit_once('.').map_or("", |(table, _)| table), name).into(),
    );
    entry.insert("default".to_owned(), schema.get("default").cloned().unwrap_or(Value::Null));
    Value::Object(entry)
}
