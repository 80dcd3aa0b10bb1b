//! Presets of users, each the file of a machine.

use serde_json::Value;
use simulation::{InputError, resolve, resolve_plain};
use std::{env, fs};

/// Resolves a scenario with `machine.preset = "mine.toml"` in a separate folder with the given files.
fn resolve_with(name: &str, files: &[(&str, &str)]) -> Result<Value, InputError> {
    let folder = env::temp_dir().join(format!("torusim-presets-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    files.iter().for_each(|(file, text)| fs::write(folder.join(file), text).unwrap());
    let text = "[machine]\npreset = \"mine.toml\"\n[workload]\nkind = \"uniform-random\"";
    let resolved = resolve(text, "a.toml", &folder, &[]).map(|scenario| scenario.to_json());
    fs::remove_dir_all(folder).unwrap();
    resolved
}

const BASED: &str =
    "[machine]\npreset = \"bluegene-l\"\nshape = [4, 2]\n[machine.link]\nmegabytes_per_second = 6800\n";

#[test]
fn a_machine_of_ones_own_is_based_on_another() {
    let scenario = resolve_with("based", &[("mine.toml", BASED)]).unwrap();
    let machine = &scenario["machine"];
    assert_eq!(machine["shape"], serde_json::json!([4, 2]));
    assert_eq!(machine["link"]["megabytes_per_second"], 6800.0);
    assert_eq!(machine["packet"]["chunk_bytes"], 32, "the value of its base");
    assert!(machine["preset"].as_str().unwrap().ends_with("mine.toml"));
    // The file no longer exists at this point.
    assert_eq!(resolve_plain(scenario.clone(), &[]).unwrap().to_json(), scenario);
}

#[test]
fn machines_can_be_based_on_machines_and_have_software_of_their_own() {
    let mine = "[machine]\npreset = \"base.toml\"\nmode = \"virtual-node\"\n\
                [messaging]\nwrite_processor_cycles = 40";
    let scenario = resolve_with("chain", &[("mine.toml", mine), ("base.toml", BASED)]).unwrap();
    assert_eq!(scenario["machine"]["node"]["cores"], 2);
    assert_eq!(scenario["machine"]["link"]["megabytes_per_second"], 6800.0);
    assert_eq!(scenario["messaging"]["write_processor_cycles"], 40);
}

#[test]
fn a_machine_without_a_base_needs_every_value() {
    let whole = include_str!("../../../machines/bluegene-p.toml");
    let scenario = resolve_with("whole", &[("mine.toml", whole)]).unwrap();
    assert_eq!(scenario["machine"]["link"]["megabytes_per_second"], 425.0);
    let partial = whole.replace("hop_latency_cycles = 27", "");
    let error = resolve_with("partial", &[("mine.toml", &partial)]).unwrap_err().to_string();
    assert!(error.contains("mine.toml") && error.contains("hop_latency_cycles"), "{error}");
}

#[test]
fn faults_of_a_machines_file_are_named() {
    let of = |name: &str, files: &[(&str, &str)]| resolve_with(name, files).unwrap_err().to_string();
    let error = of("absent", &[]);
    assert!(error.contains("a.toml:2") && error.contains("cannot read the file of the machine"), "{error}");
    let error = of("circle", &[("mine.toml", "[machine]\npreset = \"mine.toml\"")]);
    assert!(error.contains("mine.toml:2") && error.contains("based on itself"), "{error}");
    let error = of("section", &[("mine.toml", "[machine]\n[run]\nseed = 1")]);
    assert!(error.contains("mine.toml:2") && error.contains("no such section"), "{error}");
    let error = of("empty", &[("mine.toml", "")]);
    assert!(error.contains("needs a section [machine]"), "{error}");
    let error = of("syntax", &[("mine.toml", "[machine]\nshape = [4,")]);
    assert!(error.contains("mine.toml:2") && error.contains("not valid TOML"), "{error}");
    let error = of("value", &[("mine.toml", &BASED.replace("6800", "\"fast\""))]);
    assert!(error.contains("mine.toml:5"), "{error}");
}
