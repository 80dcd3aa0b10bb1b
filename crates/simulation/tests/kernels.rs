//! Kernels as whole runs: what they measure, and that they never beat their bound.

use proptest::prelude::*;
use serde_json::{Value, json};
use simulation::{EngineKind, Run, resolve_plain};
use std::time::Duration;

fn run(mut scenario: Value, engine: EngineKind, threads: usize) -> Value {
    // Software is free unless a test says otherwise.
    if scenario["messaging"]["costs"].is_null() {
        scenario["messaging"]["costs"] = json!("none");
    }
    let scenario = resolve_plain(scenario, &[]).unwrap();
    let mut run = Run::new(scenario, engine, threads).unwrap();
    while !run.advance(Duration::from_secs(1)).done {}
    run.finish(false).summary
}

fn kernel(name: &str) -> Value {
    json!({ "machine": { "shape": [4, 4, 4] }, "workload": { "kind": "kernel", "name": name } })
}

#[test]
fn a_ping_pong_takes_its_calls_its_packets_and_the_hop_each_way() {
    let mut scenario = kernel("ping-pong");
    scenario["workload"]["iterations"] = json!(8);
    let half = |costs: Value| {
        let mut scenario = scenario.clone();
        scenario["messaging"] = costs;
        let summary = run(scenario, EngineKind::Windowed, 1);
        assert_eq!(summary["mpi_operations"], 32);
        assert_eq!(
            summary["iteration_processor_cycles"].as_f64().unwrap() / 2.0,
            summary["half_round_trip_processor_cycles"].as_f64().unwrap()
        );
        summary["half_round_trip_processor_cycles"].as_f64().unwrap()
    };
    let free = half(json!({ "call_processor_cycles": 0 }));
    let with_costs = half(
        json!({ "call_processor_cycles": 100, "write_processor_cycles": 60, "read_processor_cycles": 204 }),
    );
    // The call that sends, the write, the read, the call that receives; cycles are rounded up to those of the network.
    assert!((with_costs - free - 464.0).abs() <= 200.0, "{with_costs} against {free}");
    assert!(with_costs > free + 264.0);
}

#[test]
fn six_way_kernels_move_what_their_summaries_say() {
    for name in ["six-way-send", "six-way-receive"] {
        let mut scenario = kernel(name);
        // Peers take turns only where FIFOs fill: infinite ones take a whole message before the next.
        scenario["machine"]["node"] = json!({ "injection_fifo_bytes": 1024, "fifo_choice": "by-direction" });
        let summary = run(scenario, EngineKind::Windowed, 1);
        let figure = |key: &str| summary[key].as_f64().unwrap();
        let processor_cycles = 10.0 * figure("iteration_processor_cycles");
        let payload = 6.0 * 10.0 * 100_000.0;
        assert!((figure("payload_bytes_per_processor_cycle") - payload / processor_cycles).abs() < 1e-9);
        // 416 full packets and one of 160 bytes and a header of 16.
        let fifo_bytes = 60.0 * (416.0 * 256.0 + 192.0);
        assert!((figure("fifo_bytes_per_processor_cycle") - fifo_bytes / processor_cycles).abs() < 1e-9);
        // Four processor cycles are one of the network, in which each of the six links carries a byte.
        let share = payload / (processor_cycles / 4.0) / 6.0;
        assert!((figure("payload_share_of_links") - share).abs() < 1e-9, "{share} {summary}");
        assert!(share > 0.8, "{name}: {share} of 240 / 270");
        assert_eq!(summary["percent_of_peak_kind"], "busiest link");
    }
}

#[test]
fn figures_of_a_kernel_are_null_until_it_has_ended() {
    let mut scenario = kernel("six-way-send");
    scenario["run"] = json!({ "time_limit_cycles": 1000 });
    let summary = run(scenario, EngineKind::Reference, 1);
    assert!(summary.get("payload_share_of_links").is_some_and(Value::is_null), "{summary}");
    assert!(summary.get("iteration_processor_cycles").is_some_and(Value::is_null));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Any kernel on any machine completes, no faster than its bound, and in the same way on any engine.
    #[test]
    fn no_kernel_beats_its_bound(
        name in prop::sample::select(vec!["ping-pong", "six-way-send", "six-way-receive", "halo-2d", "halo-3d"]),
        lengths in prop::collection::vec(1u32..5, 1..4), wraps in prop::collection::vec(any::<bool>(), 3),
        bytes in 0u64..3000, iterations in 1u32..5, cores in 1u32..3, costs in prop::bool::ANY,
    ) {
        prop_assume!(lengths.iter().product::<u32>() > 1);
        let messaging = if costs { json!({ "write_processor_cycles": 60, "read_processor_cycles": 204 }) } else { json!({}) };
        let scenario = json!({
            "machine": { "shape": lengths, "wrap": wraps[..lengths.len()], "node": { "cores": cores } },
            "workload": { "kind": "kernel", "name": name, "bytes": bytes, "iterations": iterations },
            "messaging": messaging,
        });
        let summary = run(scenario.clone(), EngineKind::Windowed, 2);
        prop_assert_eq!(&summary["outcome"], "completed");
        prop_assert!(summary["percent_of_peak"].as_f64().unwrap() <= 100.0, "{}", summary);
        let reference = run(scenario, EngineKind::Reference, 1);
        for key in ["digest", "operations_digest", "iteration_processor_cycles"] {
            prop_assert_eq!(&summary[key], &reference[key]);
        }
    }
}

/// Rows S40 and S41: what the costs of October 2003 amount to, and the shares of the layers.
#[test]
fn a_ping_pong_of_october_2003_is_divided_among_its_layers() {
    let mut scenario = kernel("ping-pong");
    scenario["messaging"] = json!({ "costs": "october-2003" });
    let summary = run(scenario.clone(), EngineKind::Windowed, 1);
    let latency = summary["half_round_trip_processor_cycles"].as_f64().unwrap();
    assert!((2850.0..3150.0).contains(&latency), "{latency}");
    let shares = summary["latency_share_by_layer"].as_object().unwrap();
    let share = |layer: &str| shares[layer].as_f64().unwrap();
    assert!((shares.keys().map(|layer| share(layer)).sum::<f64>() - 1.0).abs() < 1e-12);
    for (layer, cycles) in [("packet_layer", 820.0), ("message_layer", 365.0), ("mpi", 735.0)] {
        assert!((share(layer) * latency - cycles).abs() < 1e-9, "{layer}: {shares:?}");
    }
    scenario["workload"]["bytes"] = json!(193);
    assert!(run(scenario, EngineKind::Windowed, 1)["latency_share_by_layer"].is_null());
}
