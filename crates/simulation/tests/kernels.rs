//! Kernels as whole runs: what they measure, and that they never beat their bound.

#[path = "random/mod.rs"]
mod random;

use messaging::MessageProtocol;
use proptest::prelude::*;
use serde_json::{Value, json};
use simulation::{EngineKind, Run, messages, resolve_plain};
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
    #![proptest_config(ProptestConfig::with_cases(80))]
    /// Any kernel on any machine that it fits completes, under any protocol, no faster than its bound, and in the same way
    /// on any engine. Its messages are known in advance: advice compares mappings by how soon they arrive.
    #[test]
    fn no_kernel_beats_its_bound(
        workload in random::kernel(), lengths in prop::collection::vec(1u32..5, 1..4),
        wraps in prop::collection::vec(any::<bool>(), 3), cores in 1u32..3,
        costs in prop::sample::select(vec!["none", "october-2003"]),
        protocol in prop::sample::select(MessageProtocol::ALL),
    ) {
        prop_assume!(lengths.iter().product::<u32>() > 1);
        // The messages of b_eff are many and long for the reference engine.
        let mapping = if workload["name"] == "b-eff" { json!({ "ranks": 4 }) } else { json!({}) };
        let scenario = json!({
            "machine": { "shape": lengths, "wrap": wraps[..lengths.len()], "node": { "cores": cores } },
            "workload": workload, "messaging": { "costs": costs, "protocol": protocol }, "mapping": mapping,
        });
        let resolved = resolve_plain(scenario.clone(), &[]);
        prop_assume!(resolved.is_ok());
        let resolved = resolved.unwrap();
        let known = messages(&resolved).unwrap();
        let mut windowed = Run::new(resolved, EngineKind::Windowed, 3).unwrap();
        while !windowed.advance(Duration::from_secs(1)).done {}
        prop_assert_eq!(known, Some(windowed.messages_received()));
        let summary = windowed.finish(false).summary;
        prop_assert_eq!(&summary["outcome"], "completed", "{}", summary);
        prop_assert!(summary["percent_of_peak"].as_f64().unwrap() <= 100.0, "{}", summary);
        let reference = run(scenario, EngineKind::Reference, 1);
        for key in ["digest", "operations_digest", "iteration_processor_cycles", "b_eff_megabytes_per_second"] {
            prop_assert_eq!(&summary[key], &reference[key]);
        }
    }
}

#[test]
fn messages_of_patterns_are_not_counted() {
    let pattern =
        json!({ "machine": { "shape": [4, 4] }, "workload": { "kind": "all-to-all", "payload_bytes": 100 } });
    assert_eq!(messages(&resolve_plain(pattern, &[]).unwrap()).unwrap(), None);
}

/// A run that stops at a cycle has the same state in any way of running, and stops do not change its end.
#[test]
fn stops_at_cycles_are_the_same_for_all_engines_and_threads() {
    let scenario = || {
        let mut scenario = kernel("halo-3d");
        scenario["workload"]["bytes"] = json!(1000);
        scenario["workload"]["iterations"] = json!(3);
        resolve_plain(scenario, &[]).unwrap()
    };
    let stopped = |engine, threads, budget: Duration| {
        let mut run = Run::new(scenario(), engine, threads).unwrap();
        let received = [777, 2_500, 2_501, 5_000].map(|until| {
            while run.advance_until(budget, until).cycle < until {}
            assert_eq!(run.advance_until(budget, until).cycle, until, "it is there already");
            run.messages_received()
        });
        while !run.advance(budget).done {}
        (received, run.finish(false).summary)
    };
    let mut straight = Run::new(scenario(), EngineKind::Reference, 1).unwrap();
    while !straight.advance(Duration::from_secs(1)).done {}
    let expected = straight.finish(false).summary;
    let (received, _) = stopped(EngineKind::Reference, 1, Duration::ZERO);
    assert!(received.is_sorted() && received[0] < received[3], "{received:?}");
    let ways = [(EngineKind::Reference, 1), (EngineKind::Windowed, 1), (EngineKind::Windowed, 3)];
    for (engine, threads) in ways {
        for budget in [Duration::ZERO, Duration::from_secs(1)] {
            let (found, summary) = stopped(engine, threads, budget);
            assert_eq!(found, received, "{engine:?}, {threads} threads");
            for key in ["outcome", "cycles", "digest", "operations_digest"] {
                assert_eq!(summary[key], expected[key], "{key}");
            }
        }
    }
}

/// On two nodes with free software, each message of b_eff crosses one link. Its bandwidth with the longest messages
/// is nearly that of both links that each node has to the other, in both directions.
#[test]
fn the_effective_bandwidth_of_two_nodes_is_that_of_their_links() {
    let scenario = json!({
        "machine": { "shape": [2], "wrap": false },
        "workload": { "kind": "kernel", "name": "b-eff", "random_patterns": 2 },
    });
    let summary = run(scenario, EngineKind::Windowed, 1);
    let figure = |key: &str| summary[key].as_f64().unwrap();
    // A byte of payload per network cycle, which lasts the time of a byte on a link: 175 MB/s, of which 240 bytes
    // in 270.
    let link = 175.0 * 240.0 / 270.0;
    let at_longest = figure("b_eff_at_longest_megabytes_per_second") / 2.0;
    assert!((0.98 * link..=link).contains(&at_longest), "{at_longest} of {link}");
    let [all, rings, random] =
        ["b_eff", "b_eff_ring", "b_eff_random"].map(|key| figure(&format!("{key}_megabytes_per_second")));
    assert!((all - (rings * random).sqrt()).abs() < 1e-9 * all);
    // All patterns of two ranks are the same ring.
    assert!((rings - random).abs() < 1e-2 * rings, "{rings} {random}");
    assert_eq!(figure("b_eff_megabytes_per_second_per_rank"), all / 2.0);
}

/// Rows S40 and S41: the sum of the costs of October 2003, and the shares of the layers.
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
