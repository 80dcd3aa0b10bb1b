use super::names::{alias, tables_and_keys};
use crate::scenario::{Scenario, preset_text, resolve, resolve_plain};
use input::{InputError, parse_override};
use std::collections::HashSet;
use std::path::Path;

fn resolved(machine: &str, workload: &str, settings: &[&str]) -> Result<Scenario, InputError> {
    let text = format!("[machine]\nshape = [4, 4, 4]\n{machine}\n[workload]\n{workload}\n");
    let overrides: Vec<_> = settings.iter().map(|setting| parse_override(setting).unwrap()).collect();
    resolve(&text, "a.toml", Path::new(""), &overrides)
}

const ALL_TO_ALL: &str = "kind = \"all-to-all\"\npayload = \"1 KB\"";

#[test]
fn a_machine_in_units_has_the_same_values_in_cycles() {
    let machine =
        "link = { rate = \"100 GB/s\", hop_latency = \"50 ns\" }\nrouter.dynamic_channel = \"16 KB\"";
    let json = resolved(machine, ALL_TO_ALL, &[]).unwrap().to_json();
    let machine = &json["machine"];
    assert_eq!(machine["preset"], "generic");
    assert_eq!(machine["link"]["megabytes_per_second"], 100_000.0);
    assert_eq!(machine["link"]["hop_latency_cycles"], 5_000);
    assert_eq!(machine["router"]["dynamic_channel_bytes"], 16_000);
    assert_eq!(machine["router"]["token_latency_cycles"], 5_000);
    assert_eq!(machine["packet"]["chunk_bytes"], 64);
    assert_eq!(machine["node"]["processor_cycles_per_cycle"], serde_json::json!([1, 100]));
    assert_eq!(json["workload"]["payload_bytes"], 1_000);
}

#[test]
fn a_key_that_is_given_twice_is_refused() {
    for machine in [
        "link = { hop_latency = \"50 ns\", hop_latency_cycles = 35 }",
        "link = { rate = \"1 GB/s\", megabytes_per_second = 1000 }",
        "link = { rate = \"1 GB/s\", cycles_per_byte = 1 }",
    ] {
        let error = resolved(machine, ALL_TO_ALL, &[]).err().unwrap().to_string();
        assert!(error.starts_with("a.toml:3: machine.link.") && error.contains("not both"), "{error}");
    }
}

#[test]
fn later_values_replace_earlier_ones_by_either_name() {
    let machine = "link.hop_latency_cycles = 35";
    let of = |settings: &[&str]| {
        let json = resolved(machine, ALL_TO_ALL, settings).unwrap().to_json();
        json["machine"]["link"]["hop_latency_cycles"].clone()
    };
    assert_eq!(of(&["machine.link.hop_latency=\"200 ns\""]), 35);
    assert_eq!(of(&["machine.link.hop_latency=\"400 ns\""]), 70);
    assert_eq!(of(&["machine.link.hop_latency=\"400 ns\"", "machine.link.hop_latency_cycles=7"]), 7);
    assert_eq!(of(&["machine.link={ hop_latency = \"400 ns\" }"]), 70);
}

#[test]
fn names_within_the_path_of_an_override_are_known() {
    let of = |settings: &[&str], path: &str| {
        let json = resolved("preset = \"bluegene-l\"", "kind = \"kernel\"\nname = \"ping-pong\"", settings);
        json.unwrap_or_else(|error| panic!("{error}")).to_json().pointer(path).unwrap().clone()
    };
    let send = "/messaging/call_processor_cycles/send";
    assert_eq!(of(&["messaging.call_time.send=\"2 us\""], send), 1400);
    assert_eq!(of(&["messaging.call_processor_cycles.send=\"2 us\""], send), 1400);
    assert_eq!(of(&["messaging.call_time={ send = \"2 us\" }"], send), 1400);
    assert_eq!(of(&["messaging={ call_time = { send = \"2 us\" } }"], send), 1400);
    let both = ["messaging.call_time.all=\"1 us\"", "messaging.call_time.send=\"2 us\""];
    assert_eq!(of(&both, send), 1400);
    assert_eq!(of(&both, "/messaging/call_processor_cycles/all"), 700);
    for setting in ["messaging.call_time.send=2", "messaging.call_time={ send = 2 }"] {
        let error = resolved("", ALL_TO_ALL, &[setting]).err().unwrap().to_string();
        assert!(error.contains("must be a time"), "{error}");
    }
}

#[test]
fn names_within_jobs_are_known() {
    let job = "{ box = { shape = [2, 4, 4] }, workload = { kind = \"all-to-all\", payload = \"1 KB\" } }";
    let text = format!("jobs = [{job}]\n[machine]\nshape = [4, 4, 4]\n");
    for setting in [
        "jobs[0].workload.payload=2 KB",
        "jobs[0].workload={ payload = \"2 KB\" }",
        "jobs[0]={ workload = { payload = \"2 KB\" } }",
        &format!("jobs=[{}]", job.replace('1', "2")),
    ] {
        let change = parse_override(setting).unwrap();
        let json = resolve(&text, "a.toml", Path::new(""), &[change])
            .unwrap_or_else(|error| panic!("{error}"))
            .to_json();
        assert_eq!(json["jobs"][0]["workload"]["payload_bytes"], 2_000, "{setting}");
    }
}

#[test]
fn results_keep_their_clocks() {
    let machine = "link = { rate = \"100 GB/s\", hop_latency = \"50 ns\" }\nnode.processor_clock = \"1 GHz\"";
    let result = resolved(machine, ALL_TO_ALL, &[]).unwrap().to_json();
    let again = |setting: &str| {
        let change = parse_override(setting).unwrap();
        resolve_plain(result.clone(), &[change])
            .map(|again| again.to_json())
            .map_err(|error| error.to_string())
    };
    for setting in [
        "machine.link.rate=50 GB/s",
        "machine.link.megabytes_per_second=50_000",
        "machine.link.rate=[\"50 GB/s\", \"25 GB/s\", \"50 GB/s\"]",
        "machine.link={ rate = \"50 GB/s\" }",
        "machine={ link = { rate = \"50 GB/s\" } }",
        "machine.link.hop_latency=60 ns",
        "machine.node.processor_clock=2 GHz",
    ] {
        let error = again(setting).unwrap_err();
        let place = setting.split('=').next().unwrap();
        assert!(error.starts_with(&format!("--set {place}: {place} = ")), "{error}");
        assert!(error.ends_with("set this in the original scenario"), "{error}");
    }
    for setting in [
        "machine.link.rate=100 GB/s",
        "machine.link.hop_latency=0.05 us",
        "machine.node.processor_clock=1 GHz",
    ] {
        assert_eq!(again(setting).unwrap(), result, "{setting}");
    }
    assert!(
        again("machine.link.rate=[\"100 GB/s\", \"50 GB/s\", \"100 GB/s\"]").is_ok(),
        "the fastest defines the cycle"
    );
    let in_cycles = resolved("preset = \"bluegene-l\"", ALL_TO_ALL, &[]).unwrap().to_json();
    let changed = |setting: &str| resolve_plain(in_cycles.clone(), &[parse_override(setting).unwrap()]);
    assert!(changed("machine.link.megabytes_per_second=350").is_ok());
    assert!(changed("machine.link.rate=350 MB/s").is_err());
}

#[test]
fn unknown_keys_are_compared_with_both_names() {
    let error = |machine: &str| resolved(machine, ALL_TO_ALL, &[]).err().unwrap().to_string();
    let shown = error("link.hop_latenci = \"50 ns\"");
    assert!(shown.contains("did you mean hop_latency? Known: megabytes_per_second"), "{shown}");
    assert!(shown.contains("rate is megabytes_per_second"), "{shown}");
    let shown = error("link = { rate = \"1 GB/s\", hop_latenci = \"50 ns\" }");
    assert!(shown.contains("did you mean hop_latency? ") && !shown.contains("cycle"), "{shown}");
}

#[test]
fn errors_in_units_name_no_cycle() {
    let units = "link = { rate = \"100 GB/s\", hop_latency = \"50 ns\" }";
    let error = |workload: &str| {
        let error = resolved(units, workload, &["run.stop=measured", "run.measure=1 ns"]);
        error.map(|scenario| scenario.warnings().join("; ")).unwrap_or_else(|error| error.to_string())
    };
    let shown = error("kind = \"uniform-random\"\nload = 0.5");
    assert!(shown.contains("run.measure: "), "{shown}");
    let warnings = resolved(units, ALL_TO_ALL, &["machine.node.processor_clock=20 GHz"]).unwrap().warnings();
    assert!(
        warnings[0].starts_with("machine.node.processor_clock: processors of 20.000 GHz"),
        "{warnings:?}"
    );
}

#[test]
fn errors_show_what_the_user_wrote() {
    let error = |machine: &str| resolved(machine, ALL_TO_ALL, &[]).err().unwrap().to_string();
    let shown = error("link.hop_latency = \"1 ps\"");
    assert!(shown.starts_with("a.toml:3: machine.link.hop_latency = \"1 ps\": rounds to 0"), "{shown}");
    let shown = error("link.hop_latency = \"1 min\"");
    assert!(
        shown.starts_with(
            "a.toml:3: machine.link.hop_latency = \"1 min\" (10500000000 times 5.7143 ns): must"
        ),
        "{shown}"
    );
    let shown = error("link.hop_latency = 50");
    assert!(shown.contains("machine.link.hop_latency = 50: must be a time such as \"50 ns\""), "{shown}");
    let shown = error("link.hop_latency = \"50 GB\"");
    assert!(shown.contains("must be a time"), "{shown}");
}

#[test]
fn rates_of_dimensions_are_cycles_of_a_byte() {
    let machine = "link.rate = [\"100 GB/s\", \"75 GB/s\", \"50 GB/s\"]";
    let json = resolved(machine, ALL_TO_ALL, &[]).unwrap().to_json();
    assert_eq!(json["machine"]["link"]["megabytes_per_second"], 100_000.0);
    assert_eq!(json["machine"]["link"]["cycles_per_byte"], serde_json::json!([1, "4/3", 2]));
}

#[test]
fn rounding_is_reported() {
    let warnings = |latency: &str| {
        let machine = format!("preset = \"bluegene-l\"\nlink.hop_latency = \"{latency}\"");
        resolved(&machine, ALL_TO_ALL, &[]).unwrap().warnings()
    };
    assert!(warnings("400 ns").is_empty());
    assert!(warnings("401 ns")[0].starts_with("machine.link.hop_latency: \"401 ns\" is rounded to 70"));
}

#[test]
fn no_key_has_the_other_name_of_another_in_its_table() {
    let keys = tables_and_keys();
    for (table, key) in &keys {
        let Some(name) = alias(key) else { continue };
        assert!(!keys.contains(&(table.clone(), name.clone())), "{table}.{name} and {key}");
        let alike = keys.iter().filter(|(other, key)| other == table && alias(key).as_ref() == Some(&name));
        assert_eq!(alike.map(|(_, key)| key).collect::<HashSet<_>>().len(), 1, "{table}.{name}");
    }
    assert!(preset_text("generic").is_some());
}
