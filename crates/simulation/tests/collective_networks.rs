//! Collectives on collective networks as whole runs: their formulas, on both engines, and refusals.

use serde_json::{Value, json};
use simulation::{EngineKind, Run, resolve_plain};
use std::time::Duration;

fn run(scenario: &Value, engine: EngineKind, threads: usize) -> Value {
    let scenario = resolve_plain(scenario.clone(), &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scenario, engine, threads).unwrap();
    while !run.advance(Duration::from_secs(1)).done {}
    run.finish(false).summary
}

/// A collective of free software, where nothing but the network takes time.
fn collective(shape: &[u32], operation: &str, algorithm: &str, bytes: u64) -> Value {
    json!({
        "machine": { "shape": shape },
        "workload": { "kind": "collective", "operation": operation, "algorithm": algorithm, "bytes": bytes },
        "messaging": { "costs": "none", "call_processor_cycles": 0 },
    })
}

/// The cycles of the slowest rank, on both engines.
fn cycles(scenario: &Value) -> f64 {
    let windowed = run(scenario, EngineKind::Windowed, 3);
    let reference = run(scenario, EngineKind::Reference, 1);
    for key in ["outcome", "digest", "operations_digest", "collective_cycles_mean", "cycles"] {
        assert_eq!(windowed[key], reference[key], "{key}");
    }
    windowed["collective_cycles_max"].as_f64().unwrap_or_else(|| panic!("{windowed}"))
}

const HOP: f64 = 19.0;
const PACKET: f64 = 132.0;
const WIRE: f64 = 22.0;

/// 64 nodes: the last of 64 places of a binary tree is at depth 6; of a tree of arity eight, at depth 2.
#[test]
fn times_are_those_of_the_formulas() {
    let shape = [4, 4, 4];
    let is = |operation: &str, algorithm: &str, bytes: u64, expected: f64| {
        let found = cycles(&collective(&shape, operation, algorithm, bytes));
        assert!((found / expected - 1.0).abs() < 0.01, "{operation} {algorithm} {bytes}: {found} {expected}");
    };
    is("barrier", "interrupts", 0, 2.0 * 2.0 * WIRE + 1.0);
    is("barrier", "tree-network", 0, 12.0 * HOP + PACKET);
    is("all-reduce", "tree-network", 8, 12.0 * HOP + PACKET);
    is("all-reduce", "tree-network", 256 * 100, 12.0 * HOP + 100.0 * PACKET);
    is("broadcast", "tree-network", 256 * 100, 6.0 * HOP + 100.0 * PACKET);
    is("reduce", "tree-network", 256 * 100, 6.0 * HOP + 100.0 * PACKET);
}

/// The next rank sends its block as soon as it has that of the rank before.
#[test]
fn an_all_gather_is_a_broadcast_from_each_rank_in_turn() {
    let blocks = 256 * 10 * 64;
    let found = cycles(&collective(&[4, 4, 4], "all-gather", "tree-network", blocks));
    // Place `n` of a binary tree, from 1, is at the depth of its highest bit.
    let depth = |rank: u32| f64::from((rank + 1).ilog2());
    let from_to = |source: u32, target: u32| (depth(source) + depth(target)) * HOP + 10.0 * PACKET;
    let last = (0..63).map(|rank| from_to(63, rank)).fold(0.0, f64::max);
    let expected = (0..63).map(|rank| from_to(rank, rank + 1)).sum::<f64>() + last;
    assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
}

/// Equal blocks for the ranks of each of the machines below.
const BLOCKS: u64 = 48 * 10 * 4;

/// Two ranks on a node, on meshes, one of them with dead nodes; FIFOs and buffers that are full at once.
#[test]
fn every_machine_has_its_trees() {
    for (shape, root, dead) in [
        (vec![3, 3, 3], 13, vec![[0, 1, 2], [2, 2, 2], [1, 1, 0]]),
        (vec![5], 4, vec![]),
        (vec![1, 2], 0, vec![]),
    ] {
        for (operation, algorithm) in [
            ("barrier", "tree-network"),
            ("barrier", "interrupts"),
            ("all-reduce", "tree-network"),
            ("reduce", "tree-network"),
            ("broadcast", "tree-network"),
            ("all-gather", "tree-network"),
        ] {
            let mut scenario = collective(&shape, operation, algorithm, BLOCKS);
            scenario["machine"]["dead_nodes"] = json!(dead);
            scenario["machine"]["wrap"] = json!(false);
            scenario["machine"]["node"] = json!({ "cores": 2 });
            scenario["machine"]["tree"] = json!({ "arity": 3, "fifo_packets": 2, "buffer_packets": 1 });
            scenario["workload"]["repetitions"] = json!(5);
            scenario["workload"]["root"] = json!(root);
            scenario["messaging"] = json!({ "costs": "october-2003" });
            cycles(&scenario);
        }
    }
}

/// Without a named algorithm, the networks of MPI_COMM_WORLD are those of the message layer; lines stay on the torus.
#[test]
fn the_message_layer_chooses_the_network_of_all_ranks() {
    let algorithm = |operation: &str, over: Value, networks: &str| {
        let mut scenario = collective(&[4, 2], operation, "auto", 4096);
        scenario["workload"]["over"] = over;
        scenario["messaging"]["world_collectives"] = json!(networks);
        let summary = run(&scenario, EngineKind::Windowed, 2);
        assert_eq!(summary["outcome"], "completed");
        summary["algorithm"].as_str().unwrap().to_owned()
    };
    let all = || json!("all");
    assert_eq!(algorithm("barrier", all(), "all-networks"), "interrupts");
    assert_eq!(algorithm("all-reduce", all(), "all-networks"), "tree-network");
    // The tree network carries an all-gather only by name.
    assert_eq!(algorithm("all-gather", all(), "all-networks"), "swing");
    assert_eq!(algorithm("barrier", json!(["x"]), "all-networks"), "dissemination");
    assert_eq!(algorithm("barrier", all(), "torus"), "dissemination");
}

/// Planes of 4x4x4, each of which has a class route or a wire of its own, if there are enough.
fn planes(operation: &str, algorithm: &str, class_routes: u8, wires: u8) -> Value {
    let mut scenario = collective(&[4, 4, 4], operation, algorithm, 256 * 10);
    scenario["workload"]["over"] = json!(["x", "y"]);
    scenario["machine"]["tree"] = json!({ "class_routes": class_routes });
    scenario["machine"]["interrupts"] = json!({ "wires": 8, "communicator_wires": wires });
    scenario["messaging"]["world_collectives"] = json!("all-networks");
    scenario
}

/// The planes share links, so that the last of them ends later than the slowest would alone.
#[test]
fn groups_have_class_routes_and_wires_of_their_own() {
    for (operation, algorithm, class_routes, wires, taken) in [
        ("barrier", "auto", 1, 4, "interrupts"),
        ("barrier", "auto", 5, 3, "tree-network"),
        ("all-reduce", "auto", 5, 0, "tree-network"),
        ("reduce", "tree-network", 5, 0, "tree-network"),
        ("broadcast", "tree-network", 16, 7, "tree-network"),
        ("all-gather", "tree-network", 5, 0, "tree-network"),
        ("barrier", "auto", 4, 3, "dissemination"),
    ] {
        let scenario = planes(operation, algorithm, class_routes, wires);
        let found = cycles(&scenario);
        let summary = run(&scenario, EngineKind::Windowed, 2);
        assert_eq!((&summary["algorithm"], &summary["outcome"]), (&json!(taken), &json!("completed")));
        let bound = summary["bound_cycles"].as_f64().unwrap();
        let most = if taken == "dissemination" { f64::INFINITY } else { 4.0 * bound };
        assert!((bound..=most).contains(&found), "{operation} {taken}: {found} of {bound}");
    }
}

#[test]
fn groups_without_class_routes_are_refused() {
    for (algorithm, words) in [
        ("tree-network", "4 groups need a class route each: machine.tree.class_routes of 5 or more"),
        ("interrupts", "4 groups need a wire each: machine.interrupts.communicator_wires of 4 or more"),
    ] {
        let scenario = resolve_plain(planes("barrier", algorithm, 4, 3), &[]);
        let error = scenario.and_then(|scenario| Run::new(scenario, EngineKind::Windowed, 1));
        let error = error.map(drop).unwrap_err().to_string();
        assert!(error.contains("workload.algorithm") && error.contains(words), "{error}");
    }
}

#[test]
fn values_out_of_range_are_refused() {
    for (key, value, words) in [
        ("tree", json!({ "arity": 9 }), "machine.tree.arity"),
        ("tree", json!({ "hop_latency_cycles": 0 }), "machine.tree.hop_latency_cycles"),
        ("tree", json!({ "depth": 3 }), "depth"),
        ("tree", json!({ "class_routes": 0 }), "machine.tree.class_routes = 0: must be from 1 to 16"),
        ("tree", json!({ "class_routes": 17 }), "machine.tree.class_routes"),
        ("interrupts", json!({ "communicator_wires": 4 }), "must be from 0 to 3"),
        ("interrupts", json!({ "wires": 65 }), "machine.interrupts.wires"),
    ] {
        let mut scenario = collective(&[4], "barrier", "interrupts", 0);
        scenario["machine"][key] = value;
        let error = resolve_plain(scenario, &[]).map(drop).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
