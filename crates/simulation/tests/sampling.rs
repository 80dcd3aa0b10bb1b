//! Sampled runs: how close the extrapolated time comes to that of the whole run, and that it is reproducible.

use serde_json::{Value, json};
use simulation::{EngineKind, Run, resolve_plain};
use std::time::Duration;

fn run(scenario: &Value, (engine, threads): (EngineKind, usize), slice: Duration) -> Value {
    let scenario = resolve_plain(scenario.clone(), &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scenario, engine, threads).unwrap_or_else(|error| panic!("{error}"));
    while !run.advance(slice).done {}
    run.finish(false).summary
}

fn summary(scenario: &Value) -> Value {
    run(scenario, (EngineKind::Windowed, 1), Duration::from_secs(60))
}

fn stopped(workload: &Value, shape: &[u32], stop: &str) -> Value {
    let mut scenario =
        json!({ "machine": { "shape": shape }, "workload": workload, "run": { "stop": stop } });
    if workload["kind"] == "collective" {
        scenario["messaging"] = json!({ "costs": "none" });
    }
    scenario
}

/// The extrapolated time over the real time, and the share of the packets that were simulated for it.
fn extrapolated(workload: &Value, shape: &[u32]) -> (f64, f64) {
    let (whole, sample) =
        (summary(&stopped(workload, shape, "drained")), summary(&stopped(workload, shape, "sampled")));
    assert_eq!(sample["outcome"], "completed");
    let of =
        |summary: &Value, key: &str| summary[key].as_f64().unwrap_or_else(|| panic!("{key} of {summary}"));
    let relative = of(&sample, "extrapolated_cycles") / of(&whole, "cycles");
    let (half_width, cycles) =
        (of(&sample, "extrapolated_cycles_half_width"), of(&sample, "extrapolated_cycles"));
    assert!(half_width <= 0.01 * cycles, "{sample}");
    (relative, of(&sample, "sampled_share"))
}

#[test]
fn the_time_of_a_long_all_to_all_is_known_from_its_beginning() {
    let pattern = json!({ "kind": "all-to-all", "payload_bytes": 9600 });
    let (relative, share) = extrapolated(&pattern, &[4, 4, 4]);
    assert!((0.93..1.01).contains(&relative) && share < 0.6, "{relative} of {share}");
    let collective = json!({ "kind": "collective", "operation": "all-to-all", "algorithm": "direct", "bytes": 64 * 19200 });
    let (relative, _) = extrapolated(&collective, &[4, 4, 4]);
    assert!((0.90..1.01).contains(&relative), "{relative}");
}

/// On a mesh nodes in the middle end after the others, which have kept up the rate. Their links are the bound.
#[test]
fn the_whole_is_no_faster_than_its_bound() {
    let tornado = json!({ "kind": "tornado", "packets_per_node": 500 });
    let mut scenario = stopped(&tornado, &[8, 2], "sampled");
    scenario["machine"]["wrap"] = json!(false);
    let sample = summary(&scenario);
    assert_eq!(
        (&sample["extrapolated_cycles"], &sample["percent_of_peak"]),
        (&json!(405_000.0), &json!(100.0))
    );
}

#[test]
fn a_sample_is_the_same_on_both_engines_and_in_any_slices() {
    let scenario = stopped(&json!({ "kind": "all-to-all", "payload_bytes": 4800 }), &[4, 4, 2], "sampled");
    let keys = ["extrapolated_cycles", "extrapolated_cycles_half_width", "sampled_share", "cycles", "digest"];
    let found = [
        (EngineKind::Windowed, 1, Duration::from_secs(60)),
        (EngineKind::Windowed, 3, Duration::from_micros(100)),
        (EngineKind::Reference, 1, Duration::from_millis(1)),
    ]
    .map(|(engine, threads, slice)| {
        let summary = run(&scenario, (engine, threads), slice);
        keys.map(|key| summary[key].clone())
    });
    assert!(found[0][0].is_f64(), "{found:?}");
    assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
}

#[test]
fn a_short_run_is_not_extrapolated() {
    let scenario = stopped(&json!({ "kind": "ping-pong", "repetitions": 3 }), &[4, 4, 4], "sampled");
    let error = resolve_plain(scenario, &[]).and_then(|scenario| Run::new(scenario, EngineKind::Windowed, 1));
    let message = error.err().expect("its packets are not known").to_string();
    assert!(message.contains("run.stop") && message.contains("not known in advance"), "{message}");
    let pattern = json!({ "kind": "all-to-all", "payload_bytes": 240 });
    let short = summary(&stopped(&pattern, &[4, 4], "sampled"));
    assert_eq!((&short["outcome"], &short["extrapolated_cycles"]), (&json!("completed"), &Value::Null));
}

#[test]
fn wrong_settings_of_samples_are_refused() {
    let refused = |workload: Value, run: Value| {
        let scenario = json!({ "machine": { "shape": [4, 4] }, "workload": workload, "run": run });
        resolve_plain(scenario, &[]).expect_err("it is refused").to_string()
    };
    let all_to_all = || json!({ "kind": "all-to-all", "payload_bytes": 240 });
    let message = refused(json!({ "kind": "uniform-random", "load": 0.5 }), json!({ "stop": "sampled" }));
    assert!(message.contains("run.stop") && message.contains("never ends"), "{message}");
    let message = refused(all_to_all(), json!({ "sample_half_width_percent": 2 }));
    assert!(message.contains("sample_half_width_percent") && message.contains("sampled"), "{message}");
    let message = refused(all_to_all(), json!({ "stop": "sampled", "sample_half_width_percent": 0 }));
    assert!(message.contains("more than 0 and at most 50"), "{message}");
    let message = refused(all_to_all(), json!({ "stop": "sampled", "measure_cycles": 10 }));
    assert!(message.contains("measure_cycles"), "{message}");
}
