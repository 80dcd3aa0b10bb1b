//! Whole runs over random machines, workloads, limits and warm-ups: nothing but timing depends on the engine, the number
//! of threads or the slices in which a run advances, and a limit after the last delivery changes nothing.

use proptest::prelude::*;
use serde_json::{Value, json};
use simulation::{EngineKind, Run, RunResult, resolve_plain};
use std::time::Duration;

const WHOLE: Duration = Duration::from_secs(60);

fn run(scenario: &Value, engine: EngineKind, threads: usize, slice: Duration) -> RunResult {
    let resolved = resolve_plain(scenario.clone(), &[]).unwrap_or_else(|error| panic!("{error}: {scenario}"));
    let mut run = Run::new(resolved, engine, threads).unwrap_or_else(|error| panic!("{error}: {scenario}"));
    while !run.advance(slice).done {}
    run.finish(false)
}

/// The summary without the figures that depend on the host, the engine and its memory.
fn comparable(result: &RunResult) -> Value {
    let mut summary = result.summary.clone();
    summary.as_object_mut().unwrap().remove("mpi_operations_per_second"); // only with ranks
    let keys = ["engine", "threads", "processes", "engine_seconds", "wall_seconds", "packet_hops_per_second"];
    for key in keys.into_iter().chain(["peak_memory_bytes", "process_peak_memory_bytes"]) {
        summary.as_object_mut().unwrap().remove(key).unwrap_or_else(|| panic!("no {key}"));
    }
    summary
}

/// Runs a scenario on all engines of packets, on several threads and in single steps, which must not differ.
fn run_everywhere(scenario: &Value) -> RunResult {
    let expected = run(scenario, EngineKind::Reference, 1, WHOLE);
    let ways = |engine| [(engine, 1, WHOLE), (engine, 2, Duration::ZERO), (engine, 3, WHOLE)];
    let others = EngineKind::of_packets().filter(|engine| *engine != EngineKind::Reference).flat_map(ways);
    for (engine, threads, slice) in others.chain([(EngineKind::Reference, 1, Duration::ZERO)]) {
        let result = run(scenario, engine, threads, slice);
        let place = format!("{engine:?}, {threads} threads, slices of {slice:?}: {scenario}");
        assert_eq!(comparable(&result), comparable(&expected), "{place}");
        for (table, other) in result.tables.iter().zip(&expected.tables) {
            assert_eq!(table, other, "{place}");
        }
    }
    expected
}

fn series_sum(result: &RunResult, name: &str) -> u64 {
    let series = result.tables.iter().find(|table| table.name == "series").expect("a series");
    let (_, column) = series.columns.iter().find(|(found, _)| found == name).expect("a column");
    let simulation::Column::U64(values) = column else { panic!("{name} does not count: {column:?}") };
    values.iter().sum()
}

fn workloads() -> impl Strategy<Value = Value> {
    prop_oneof![
        (1u64..900).prop_map(|bytes| json!({ "kind": "all-to-all", "payload_bytes": bytes })),
        (1u64..2000).prop_map(|bytes| json!({ "kind": "nearest-neighbor", "payload_bytes": bytes })),
        (1u64..4).prop_map(|packets| json!({ "kind": "hot-spot", "packets_per_pair": packets })),
        (1u64..2000).prop_map(|bytes| json!({ "kind": "torus-broadcast", "payload_bytes": bytes })),
        (1u64..20, 0.1f64..1.5).prop_map(
            |(packets, load)| json!({ "kind": "uniform-random", "packets_per_node": packets, "load": load })
        ),
        (0.01f64..1.5).prop_map(|load| json!({ "kind": "uniform-random", "load": load })),
        Just(json!({ "kind": "uniform-random" })),
        (1u64..5, 1u64..3000).prop_map(
            |(times, bytes)| json!({ "kind": "ping-pong", "hops": 1, "repetitions": times, "payload_bytes": bytes })
        ),
    ]
}

fn machines() -> impl Strategy<Value = Value> {
    let shapes =
        prop_oneof![Just(json!([2])), Just(json!([6])), Just(json!([4, 3])), Just(json!([3, 2, 2])),];
    let latencies = (
        prop_oneof![Just(10u32), 1u32..400],
        prop_oneof![Just(12u32), 1u32..400],
        prop_oneof![
            (1u32..4).prop_map(Value::from),
            Just(json!(0.0625)),
            Just(json!(1.5)),
            Just(json!("4/3"))
        ],
    );
    let options = (any::<bool>(), any::<bool>(), any::<bool>(), prop::bool::weighted(0.3));
    (shapes, latencies, options).prop_map(|(shape, latencies, options)| {
        let (token_latency, hop_latency, cycles_per_byte) = latencies;
        let (has_real_fifos, is_paced, has_gap, is_lossy) = options;
        let mut machine = json!({
            "shape": shape,
            "link": { "hop_latency_cycles": hop_latency, "cycles_per_byte": cycles_per_byte },
            "router": {
                "token_latency_cycles": token_latency,
                "arbitration_gap_share": if has_gap { 0.5 } else { 0.0 },
            },
            "node": {
                "injection_fifo_bytes": if has_real_fifos { json!(1024) } else { json!("infinite") },
                "injection_window_packets": if is_paced { json!(2) } else { json!("infinite") },
            },
        });
        if is_lossy {
            machine["link_errors"] = json!({ "bit_error_rate": 1e-5, "timeout_cycles": 5_000 });
        }
        machine
    })
}

/// Settings of drained and measured runs, with windows that begin or end before and after the last delivery.
fn settings() -> impl Strategy<Value = Value> {
    let rows = prop::option::of(prop_oneof![1u64..50, Just(256u64), 300u64..3000]);
    let measured = (0u64..6_000, 1u64..12_000).prop_map(
        |(warmup, measured)| json!({ "stop": "measured", "warmup_cycles": warmup, "measure_cycles": measured }),
    );
    let drained = Just(json!({ "stop": "drained" }));
    (prop_oneof![drained, measured], rows, any::<bool>(), 0u64..1000).prop_map(
        |(mut settings, rows, observes, seed)| {
            settings["seed"] = seed.into();
            settings["observe_buffers"] = observes.into();
            settings["link_series"] = (observes || seed % 2 == 0).into();
            if let Some(rows) = rows {
                settings["series_interval_cycles"] = rows.into();
            }
            settings
        },
    )
}

/// A scenario; one that would never stop gets a limit.
fn scenarios() -> impl Strategy<Value = Value> {
    (machines(), workloads(), settings()).prop_map(|(mut machine, workload, mut run)| {
        let is_broadcast = workload["kind"] == "torus-broadcast";
        let never_ends = workload["kind"] == "uniform-random" && workload.get("packets_per_node").is_none();
        if never_ends && run["stop"] == "drained" {
            run["time_limit_cycles"] = 5_000.into();
        }
        if is_broadcast {
            machine.as_object_mut().unwrap().remove("link_errors");
            machine["node"]["injection_window_packets"] = "infinite".into();
        }
        json!({ "machine": machine, "workload": workload, "run": run })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn results_depend_on_neither_engine_nor_threads_nor_slices(
        scenario in scenarios(), after in -3i64..12, anywhere in 1u64..12_000,
    ) {
        let whole = run_everywhere(&scenario);
        if !["time-limit", "deadlocked"].contains(&whole.summary["outcome"].as_str().unwrap()) {
            prop_assert_eq!(
                series_sum(&whole, "packets_delivered"),
                whole.summary["packets_delivered_total"].as_u64().unwrap(),
                "{}", scenario
            );
        }
        let end = whole.summary["cycles"].as_i64().unwrap();
        for limit in [(end + after).max(1) as u64, anywhere] {
            let mut limited = scenario.clone();
            limited["run"]["time_limit_cycles"] = limit.into();
            let result = run_everywhere(&limited);
            let is_source = scenario["workload"]["kind"] != "ping-pong";
            if is_source && whole.summary["outcome"] == "completed" && limit as i64 > end {
                prop_assert_eq!(comparable(&result), comparable(&whole), "a limit of {}: {}", limit, scenario);
            }
        }
    }
}

/// Limits of 1 to 10 cycles after the last delivery, while credits return.
#[test]
fn a_limit_after_the_last_delivery_changes_nothing() {
    for token_latency in [10, 300] {
        let machine = json!({ "shape": [4, 4], "router": { "token_latency_cycles": token_latency } });
        let workload = json!({ "kind": "all-to-all", "payload_bytes": 500 });
        let scenario = json!({ "machine": machine, "workload": workload, "run": {} });
        let whole = run_everywhere(&scenario);
        let end = whole.summary["cycles"].as_u64().unwrap();
        for after in 0..=10 {
            let mut limited = scenario.clone();
            limited["run"]["time_limit_cycles"] = (end + after).into();
            let result = run_everywhere(&limited);
            let outcome = if after == 0 { "time-limit" } else { "completed" };
            assert_eq!(
                (&result.summary["outcome"], &result.summary["cycles"]),
                (&outcome.into(), &end.into())
            );
            if after > 0 {
                assert_eq!(comparable(&result), comparable(&whole));
            }
        }
    }
}

#[test]
fn a_workload_that_ends_before_its_measurement_measures_nothing() {
    let scenario = json!({
        "machine": { "shape": [4, 4] },
        "workload": { "kind": "all-to-all", "payload_bytes": 10 },
        "run": { "stop": "measured", "warmup_cycles": 50_000, "measure_cycles": 1_000 },
    });
    let summary = run_everywhere(&scenario).summary;
    assert_eq!(
        (&summary["packets_delivered"], &summary["packets_delivered_total"]),
        (&0.into(), &240.into())
    );
    assert_eq!((&summary["outcome"], &summary["measured_cycles"]), (&"completed".into(), &0.into()));
    assert_eq!((&summary["steadiness"], &summary["percent_of_peak"]), (&"too short".into(), &Value::Null));
}

#[test]
fn short_runs_say_so() {
    let steadiness = |run_settings: Value| {
        let workload = json!({ "kind": "uniform-random", "load": 0.3 });
        let scenario = json!({ "machine": { "shape": [8, 8] }, "workload": workload, "run": run_settings });
        run_everywhere(&scenario).summary["steadiness"].clone()
    };
    let window = |warmup: u64, cycles: u64| json!({ "warmup_cycles": warmup, "measure_cycles": cycles });
    assert_eq!(steadiness(window(0, 100)), "too short", "nothing is delivered");
    assert_eq!(steadiness(window(5_000, 600)), "too short", "less than two latencies");
    assert_eq!(steadiness(window(5_000, 20_000)), "steady");
    let limited = json!({ "warmup_cycles": 5_000, "measure_cycles": 20_000, "time_limit_cycles": 5_100 });
    assert_eq!(steadiness(limited), "too short");
}

/// The last packet is received before the link is free again where links are slow.
#[test]
fn no_run_beats_its_bound() {
    let workloads = [
        json!({ "kind": "nearest-neighbor", "payload_bytes": 1 }),
        json!({ "kind": "nearest-neighbor", "payload_bytes": 240 }),
        json!({ "kind": "nearest-neighbor", "payload_bytes": 5_000 }),
        json!({ "kind": "shift", "offset": [1], "packets_per_node": 1 }),
        json!({ "kind": "shift", "offset": [1], "packets_per_node": 3, "packet_bytes": 32 }),
        json!({ "kind": "line-broadcast", "payload_bytes": 20_000 }),
        json!({ "kind": "all-to-all", "payload_bytes": 1 }),
    ];
    for (workload, cycles_per_byte) in workloads.iter().flat_map(|workload| {
        [json!(1), json!(3), json!(7), json!(0.25), json!("5/3")].map(|cycles| (workload, cycles))
    }) {
        let link = json!({ "cycles_per_byte": cycles_per_byte, "hop_latency_cycles": 1 });
        let machine = json!({ "shape": [6], "link": link, "node": { "injection_latency_cycles": 1 } });
        let scenario = json!({ "machine": machine, "workload": workload, "run": { "stop": "drained" } });
        let peak =
            run(&scenario, EngineKind::Windowed, 1, WHOLE).summary["percent_of_peak"].as_f64().unwrap();
        assert!(peak > 20.0 && peak <= 100.0, "{peak} % with {cycles_per_byte} cycles per byte: {workload}");
    }
}
