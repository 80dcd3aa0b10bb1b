//! Presets: machines whose values apply where a scenario gives none. Some are built in; others are files of users.
//!
//! # To add one
//!
//! 1. A file in `machines/`. Each number has a line `# source:` or `# assumed`.
//! 2. Its row of `PRESETS` (`built_in.rs`): it is compiled in. The tests here check its sources.
//!    A maker's machine has its slices (`slices.rs`), and a page in `docs/machines/`.
//! 3. Its default set of costs, if it is not "none": `CostSet` in `messaging.rs`, and the doc comment of
//!    `costs` there.

use super::built_in::{GENERIC, KEY, PRESETS, preset_text};
use super::machine::{CORES, set_cores};
use super::make_absolute;
use super::messaging::{divide_calls, has_table_of_calls};
use super::{router, slices, units};
use input::{Document, InputError, nearest, parse_toml};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The default preset.
pub(crate) const DEFAULT_PRESET: &str = "bluegene-l";

/// The sections of a machine's file.
const SECTIONS: [&str; 3] = ["machine", "messaging", slices::SECTION];

/// Keys with a value for each dimension, which a preset may have for all dimensions of its machine.
const PER_DIMENSION: [&str; 3] =
    ["machine.wrap", "machine.link.hop_latency_cycles", "machine.link.cycles_per_byte"];

/// Whether a preset is the file of a user.
pub(super) fn is_file(preset: &str) -> bool {
    Path::new(preset).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// The document of a scenario, completed with the values of its preset. A resolved document, which has them all, no
/// longer needs its file.
///
/// # Errors
/// When the preset does not exist, or its file is not that of a machine.
pub(crate) fn complete_from_preset(mut document: Document) -> Result<Document, InputError> {
    let is_resolved = document.get("schema_version").is_some();
    let given = document.get(KEY).and_then(Value::as_str);
    if is_resolved && given.is_some_and(is_file) {
        slices::refuse(&document)?;
        router::set_channels(&mut document)?;
        return Ok(document);
    }
    slices::name_preset(&mut document)?;
    let mut complete = match document.get(KEY) {
        // A machine whose links have a rate with a unit is no Blue Gene.
        None if units::is_written_in_units(&document) => built_in(GENERIC, &document)?,
        None => built_in(DEFAULT_PRESET, &document)?,
        Some(_) => preset_of(&document, &mut Vec::new())?,
    };
    router::check_maker(&document, &complete)?;
    slices::expand(&mut document, &complete)?;
    shorten(&mut complete, &document);
    merge(&mut complete, document)?;
    slices::expand_switches(&mut complete)?;
    Ok(complete)
}

/// Leaves a preset the first of its dimensions, as many as the machine of the document has.
fn shorten(preset: &mut Document, document: &Document) {
    let Some(dimensions) = document.get("machine.shape").and_then(Value::as_array).map(Vec::len) else {
        return;
    };
    for key in PER_DIMENSION {
        let longer = preset.get(key).and_then(Value::as_array).filter(|values| values.len() > dimensions);
        if let Some(values) = longer.map(|values| values[..dimensions].to_vec()) {
            preset.replace(key, values.into());
        }
    }
}

/// Merges a document into the machine on which it is based.
fn merge(machine: &mut Document, mut over: Document) -> Result<(), InputError> {
    if has_table_of_calls(&over) {
        divide_calls(machine);
    }
    router::set_channels(&mut over)?;
    router::forget_assumed(machine, &over);
    machine.merge(over);
    Ok(())
}

/// The preset that a document names. `files` are the files that have led to it.
fn preset_of(document: &Document, files: &mut Vec<PathBuf>) -> Result<Document, InputError> {
    let given = document.get(KEY).and_then(Value::as_str);
    match given.ok_or_else(|| document.error(KEY, "must be a string in quotes"))? {
        file if is_file(file) => machine_file(file, document, files),
        name => built_in(name, document),
    }
}

fn built_in(name: &str, document: &Document) -> Result<Document, InputError> {
    let text = preset_text(name).ok_or_else(|| {
        let known = PRESETS.iter().map(|(name, _)| *name);
        let problem =
            format!("there is no such preset; {}, or the path of a .toml file", nearest(name, known));
        document.error(KEY, problem)
    })?;
    let mut preset = parse_toml(text, &format!("machines/{name}.toml"))?;
    units::state_units(&mut preset)?;
    let base = preset.get(KEY).and_then(Value::as_str).map(|base| built_in(base, &preset)).transpose()?;
    if let Some(mut complete) = base {
        merge(&mut complete, preset)?;
        preset = complete;
        preset.remove("machine", "preset");
    }
    preset.set_default(KEY, name.into());
    Ok(preset)
}

/// The machine of a user's file, completed with the preset that the file itself names, if any.
fn machine_file(file: &str, document: &Document, files: &mut Vec<PathBuf>) -> Result<Document, InputError> {
    let path = PathBuf::from(file);
    if files.contains(&path) {
        return Err(document.error(KEY, "leads back to itself: a machine cannot be based on itself"));
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|error| document.error(KEY, format!("cannot read the file of the machine: {error}")))?;
    let mut machine = parse_toml(&text, file)?;
    check_sections(&machine)?;
    units::state_units(&mut machine)?;
    make_path_absolute(&mut machine, path.parent().unwrap_or(Path::new("")));
    files.push(path);
    let gives_cores = machine.get(CORES).is_some();
    let name_of_slices = machine.get(slices::NAME).cloned();
    slices::name_preset(&mut machine)?;
    let mut complete = match machine.get(KEY) {
        None => Document::from_plain(json!({}), file)?,
        Some(_) => preset_of(&machine, files)?,
    };
    let mut with_slices = complete.clone();
    with_slices.merge(machine.clone());
    slices::expand(&mut machine, &with_slices)?;
    shorten(&mut complete, &machine);
    merge(&mut complete, machine)?;
    slices::check(name_of_slices.as_ref(), &complete)?;
    set_cores(&mut complete, gives_cores)?;
    Ok(complete)
}

fn check_sections(machine: &Document) -> Result<(), InputError> {
    let mut keys = machine.root().as_object().into_iter().flatten().map(|(key, _)| key);
    if let Some(key) = keys.find(|key| !SECTIONS.contains(&key.as_str())) {
        let problem =
            format!("the file of a machine has no such section; {}", nearest(key, SECTIONS.into_iter()));
        return Err(machine.error(key, problem));
    }
    match machine.get("machine") {
        Some(section) if section.is_object() => Ok(()),
        _ => Err(machine.error("machine", "the file of a machine needs a section [machine]")),
    }
}

/// Makes the relative path of a user's machine absolute, starting from `directory`.
pub(super) fn make_path_absolute(document: &mut Document, directory: &Path) {
    if document.get(KEY).and_then(Value::as_str).is_some_and(is_file) {
        make_absolute(document, KEY, directory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::resolve;

    #[test]
    fn every_value_of_a_preset_names_its_source() {
        for (name, text) in PRESETS {
            let lines: Vec<&str> = text.lines().collect();
            let is_value = |line: &str| line.contains(" = ") && !line.starts_with('#');
            for (index, line) in lines.iter().enumerate().filter(|(_, line)| is_value(line)) {
                let mut above = lines[..index].iter().rev().take_while(|line| line.starts_with('#'));
                let has_source =
                    above.any(|line| line.starts_with("# source:") || line.starts_with("# assumed,"));
                assert!(has_source, "{name}: {line}");
            }
        }
    }

    #[test]
    fn presets_run_in_any_number_of_dimensions() {
        for (preset, _) in PRESETS {
            let machine = built_in(preset, &Document::from_plain(json!({}), "test").unwrap()).unwrap();
            let listed = |key: &&str| machine.get(key).and_then(Value::as_array).map(Vec::len);
            let most = PER_DIMENSION.iter().filter_map(listed).min().unwrap_or(6);
            let shapes =
                ["[5]", "[4, 4]", "[2, 2, 3]", "[2, 2, 2, 2]", "[2, 2, 2, 2, 2]", "[2, 3, 2, 1, 2, 2]"];
            for shape in &shapes[..most] {
                let text = format!(
                    "[machine]\npreset = \"{preset}\"\nshape = {shape}\n[workload]\nkind = \"uniform-random\""
                );
                resolve(&text, "a.toml", Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}
