//! Resolution of scenario files: defaults, overrides, round trips, and every example in the repository.

use proptest::prelude::*;
use serde_json::{Value, json};
use simulation::{Override, parse_override, resolve, resolve_plain};
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn resolved(text: &str, overrides: &[&str]) -> Value {
    let overrides: Vec<Override> = overrides.iter().map(|text| parse_override(text).unwrap()).collect();
    resolve(text, "a.toml", Path::new(""), &overrides).unwrap().to_json()
}

const SMALL: &str = "[machine]\nshape = [4, 4, 4]\n[workload]\nkind = \"all-to-all\"\npayload_bytes = 240\n";

#[test]
fn defaults_are_filled_in() {
    let scenario = resolved(SMALL, &[]);
    assert_eq!(scenario["schema_version"], 1);
    assert_eq!(scenario["machine"]["preset"], "bluegene-l");
    assert_eq!(scenario["machine"]["shape"], json!([4, 4, 4]));
    assert_eq!(scenario["machine"]["router"]["dynamic_channels"], 2);
    assert_eq!(scenario["machine"]["node"]["injection_fifo_bytes"], "infinite");
    assert_eq!(scenario["workload"]["packets_per_visit"], 1);
    assert_eq!(scenario["run"], json!({ "name": "a", "seed": 1, "stop": "drained" }));
}

#[test]
fn open_loop_workloads_are_measured_by_default() {
    let scenario = resolved("[workload]\nkind = \"uniform-random\"", &[]);
    assert_eq!(scenario["run"]["stop"], "measured");
    assert_eq!(scenario["run"]["warmup_cycles"], 10_000);
    assert_eq!(scenario["run"]["measure_cycles"], 20_000);
    let scenario = resolved("[workload]\nkind = \"uniform-random\"", &["machine.shape=[32,4]"]);
    assert_eq!(scenario["run"]["warmup_cycles"], 32_000);
}

#[test]
fn overrides_take_precedence_over_the_file_and_the_file_over_the_preset() {
    let text = format!("{SMALL}[machine.router]\nbypass = false\n[machine.node]\ncores = 2\n");
    let scenario = resolved(
        &text,
        &[
            "machine.shape=[8,8]",
            "machine.node.injection_fifo_bytes = 2048",
            "run.seed=0x10",
            "machine.preset=bluegene-p",
            "machine.router.bypass=true",
        ],
    );
    assert_eq!(scenario["machine"]["shape"], json!([8, 8]));
    assert_eq!(scenario["machine"]["node"]["injection_fifo_bytes"], 2048);
    assert_eq!(scenario["machine"]["node"]["cores"], 2);
    assert_eq!(scenario["machine"]["router"]["bypass"], true);
    assert_eq!(scenario["machine"]["link"]["megabytes_per_second"], 425.0);
    assert_eq!(scenario["run"]["seed"], 16);
}

#[test]
fn a_table_is_merged_into_its_section() {
    let change = Override {
        path: "machine".to_owned(),
        value: json!({ "shape": [5, 5], "router": { "bypass": false } }),
        origin: "run(machine=…)".to_owned(),
    };
    let scenario = resolve_plain(
        json!({ "workload": { "kind": "tornado" }, "machine": { "router": { "transfer_paths": 4 } } }),
        &[change],
    )
    .unwrap();
    let json = scenario.to_json();
    assert_eq!(json["machine"]["shape"], json!([5, 5]));
    assert_eq!(json["machine"]["router"]["bypass"], false);
    assert_eq!(json["machine"]["router"]["transfer_paths"], 4);
    assert_eq!(scenario.name(), "tornado");
}

#[test]
fn trace_paths_are_relative_to_the_file_and_in_overrides_to_the_working_directory() {
    let text = "[workload]\nkind = \"trace\"\npath = \"sweep\"";
    let scenario = resolve(text, "a.toml", Path::new("/scenarios"), &[]).unwrap().to_json();
    assert_eq!(scenario["workload"]["path"], "/scenarios/sweep");
    let here = std::env::current_dir().unwrap().join("other");
    let scenario = resolved(text, &["workload.path=other"]);
    assert_eq!(scenario["workload"]["path"], here.to_str().unwrap());
}

/// All scenario files of the repository.
fn examples() -> Vec<PathBuf> {
    let files = fs::read_dir(repository().join("scenarios")).unwrap();
    files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect()
}

#[test]
fn every_example_resolves_and_resolves_to_itself() {
    assert!(examples().len() >= 8);
    for path in examples() {
        let text = fs::read_to_string(&path).unwrap();
        let scenario = resolve(&text, path.to_str().unwrap(), path.parent().unwrap(), &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let json = scenario.to_json();
        assert_eq!(resolve_plain(json.clone(), &[]).unwrap().to_json(), json, "{path:?}");
        let result = json!({ "scenario": json, "summary": {} }).to_string();
        let again = resolve(&result, "runs/x/result.json", Path::new("elsewhere"), &[]).unwrap();
        assert_eq!(again.to_json(), json, "{path:?}");
        assert_eq!(again.name(), path.file_stem().unwrap().to_str().unwrap());
    }
}

#[test]
fn every_template_resolves() {
    let kinds = simulation::list()["workloads"].as_array().unwrap().clone();
    for kind in kinds.iter().map(|workload| workload["kind"].as_str()).chain([None]) {
        let text = simulation::template(kind);
        let scenario = resolve(&text, "template.toml", Path::new(""), &[])
            .unwrap_or_else(|error| panic!("{kind:?}: {error}\n{text}"));
        assert_eq!(scenario.to_json()["workload"]["kind"], kind.unwrap_or("all-to-all"));
    }
}

#[test]
fn every_parameter_is_listed_with_its_meaning() {
    let list = simulation::list();
    let parameters = list["parameters"].as_array().unwrap();
    assert!(parameters.len() > 35);
    let of_workloads =
        list["workloads"].as_array().unwrap().iter().flat_map(|w| w["parameters"].as_array().unwrap());
    for parameter in parameters.iter().chain(of_workloads) {
        let meaning = parameter["meaning"].as_str().unwrap_or_default();
        assert!(!meaning.is_empty(), "{parameter}");
    }
    let channels = parameters.iter().find(|p| p["key"] == "machine.router.dynamic_channel_bytes").unwrap();
    assert_eq!((&channels["default"], &channels["unit"]), (&json!(1024), &json!("bytes")));
    for preset in list["presets"].as_array().unwrap() {
        let (name, description) = (preset["name"].as_str().unwrap(), preset["description"].as_str().unwrap());
        let expected = match name {
            "generic" => "A torus of today",
            "tofu-d" => "Tofu-D",
            "trainium2" => "Trainium2",
            name if name.starts_with("tpu-") => "TPU ",
            _ => "Blue Gene",
        };
        assert!(description.starts_with(expected), "{preset}");
    }
}

#[test]
fn the_schema_has_every_kind_of_workload() {
    let schema = simulation::schema();
    assert!(
        schema["properties"]["machine"]["properties"]["router"]["properties"]["bypass"]["default"] == true
    );
    let kinds = schema["properties"]["workload"]["oneOf"].as_array().unwrap();
    assert!(kinds.iter().any(|kind| kind["properties"]["kind"]["const"] == "hot-spot"));
    assert!(!schema.to_string().contains("$ref"));
}

/// Fragments of TOML that are valid or nearly so, to get past the first checks.
fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_.\\[\\]= \"0-9,\n-]{0,40}",
        prop::sample::select(vec![
            "[machine]",
            "[machine.router]",
            "[workload]",
            "[run]",
            "kind = \"all-to-all\"",
            "kind = \"hot-spot\"",
            "payload_bytes = 240",
            "shape = [2, 2]",
            "shape = [-1]",
            "wrap = [true]",
            "wrap = 3",
            "seed = 1e9",
            "box = [1, 1]",
            "bypass = nan",
            "load = inf",
            "= 3",
            "preset = 1979-05-27",
            "measure_cycles = 9e99",
            "warmup_cycles = 9223372036854775807",
            "shape = [4294967295, 4294967295]",
            "offset = [1]",
            "name = \"\\u0007\"",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn no_text_causes_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = resolve(&text, "random.toml", Path::new(""), &[]);
        let _ = resolve(&text, "random.json", Path::new(""), &[]);
        let _ = parse_override(&text);
    }

    #[test]
    fn no_fragments_cause_a_panic(lines in prop::collection::vec(fragment(), 0..12), set in fragment()) {
        let overrides: Vec<Override> = parse_override(&set).into_iter().collect();
        if let Err(error) = resolve(&lines.join("\n"), "random.toml", Path::new(""), &overrides) {
            let message = error.to_string();
            prop_assert!(!message.contains('\n') && !message.is_empty());
        }
    }
}
