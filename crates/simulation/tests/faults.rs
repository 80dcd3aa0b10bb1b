//! Machines with dead nodes and links, from scenario to summary.

use serde_json::Value;
use simulation::{Column, EngineKind, Override, Run, RunResult, Table, parse_override, resolve};
use std::path::Path;
use std::time::Duration;

fn overrides(texts: &[String]) -> Vec<Override> {
    texts.iter().map(|text| parse_override(text).unwrap()).collect()
}

fn run(text: &str, changes: &[String], engine: EngineKind, threads: usize) -> RunResult {
    let scenario = resolve(text, "test.toml", Path::new(""), &overrides(changes));
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::new(scenario, engine, threads).unwrap_or_else(|error| panic!("{error}"));
    while !run.advance(Duration::from_secs(60)).done {}
    run.finish(false)
}

fn counted<'a>(result: &'a RunResult, name: &str) -> &'a [u32] {
    let Table { columns, .. } = result.tables.iter().find(|table| table.name == "nodes").unwrap();
    let (_, found) = columns.iter().find(|(column, _)| column == name).unwrap();
    let Column::U32(values) = found else { panic!("{name} does not count: {found:?}") };
    values
}

const MIDPLANE_ALL_TO_ALL: &str =
    "[machine]\nshape = [8, 8, 8]\n[workload]\nkind = \"all-to-all\"\npayload_bytes = 240\n";

/// Random triples of distinct nodes that are not all on one line.
fn triples(count: usize) -> impl Iterator<Item = [[u32; 3]; 3]> {
    let draw = |number: u64| {
        let bits = base::draws::mix(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 17);
        [bits & 7, bits >> 3 & 7, bits >> 6 & 7].map(|coordinate| coordinate as u32)
    };
    let triples = (0u64..).map(move |number| [0, 1, 2].map(|node| draw(3 * number + node)));
    let is_fit = |[a, b, c]: &[[u32; 3]; 3]| {
        let on_line =
            (0..3).filter(|&dimension| a[dimension] == b[dimension] && b[dimension] == c[dimension]);
        a != b && b != c && a != c && on_line.count() < 2
    };
    triples.filter(is_fit).take(count)
}

/// Whether two of the nodes are on one line.
fn two_share_a_line([a, b, c]: &[[u32; 3]; 3]) -> bool {
    let on_line =
        |[a, b]: [&[u32; 3]; 2]| (0..3).filter(|&dimension| a[dimension] == b[dimension]).count() == 2;
    [[a, b], [b, c], [a, c]].into_iter().any(on_line)
}

/// All-to-alls of one full packet per pair, with random triples of dead nodes (row S17).
fn serve_all_pairs(count: usize, policy: &str) {
    let mut without = 0.0;
    for triple in triples(count) {
        let changes =
            [format!("machine.dead_nodes={triple:?}"), format!("machine.without_clean_escape={policy}")];
        let result = run(MIDPLANE_ALL_TO_ALL, &changes, EngineKind::Windowed, 1);
        let summary = &result.summary;
        assert_eq!(summary["outcome"], "completed", "{changes:?}: {}", summary["outcome_detail"]);
        assert_eq!(summary["packets_delivered_total"], 509 * 508, "{changes:?}");
        let served = counted(&result, "delivered").iter().filter(|&&packets| packets == 508);
        assert_eq!(served.count(), 509, "{changes:?}");
        let silent = counted(&result, "injected").iter().filter(|&&packets| packets == 0);
        assert_eq!((silent.count(), &summary["nodes_without_injection"]), (3, &Value::from(0)));
        let share = |way: &str| summary[format!("pairs_share_{way}")].as_f64().unwrap();
        let whole: f64 = ["minimal", "around", "dynamic_only", "relayed"].into_iter().map(share).sum();
        assert!((whole - 1.0).abs() < 1e-12);
        match policy {
            "relay" => assert_eq!(share("dynamic_only"), 0.0, "every route segment has a clean escape"),
            // Targets between two dead nodes of a line need relays: at most 9 x 64 pairs each way.
            _ if two_share_a_line(&triple) => assert!(share("relayed") < 0.005, "{changes:?}"),
            _ => assert_eq!(share("relayed"), 0.0, "{changes:?}: some choice traps no packet"),
        }
        without += (share("dynamic_only") + share("relayed")) / count as f64;
    }
    assert!((0.014..0.018).contains(&without), "pairs without a clean escape: {without}");
}

#[test]
fn relays_serve_all_pairs_with_three_dead_nodes() {
    serve_all_pairs(8, "relay");
}

#[test]
fn adaptive_vcs_serve_all_pairs_with_three_dead_nodes() {
    serve_all_pairs(8, "dynamic-only");
}

#[test]
#[ignore = "takes minutes"]
fn relays_serve_all_pairs_with_500_triples_of_dead_nodes() {
    serve_all_pairs(500, "relay");
}

#[test]
#[ignore = "takes minutes"]
fn adaptive_vcs_serve_all_pairs_with_500_triples_of_dead_nodes() {
    serve_all_pairs(500, "dynamic-only");
}

fn without_timing(result: &RunResult) -> Value {
    let mut summary = result.summary.clone();
    let table = summary.as_object_mut().unwrap();
    for key in [
        "engine",
        "threads",
        "engine_seconds",
        "wall_seconds",
        "packet_hops_per_second",
        "mpi_operations_per_second",
        "process_peak_memory_bytes",
        "peak_memory_bytes",
    ] {
        table.remove(key);
    }
    summary
}

/// Every kind of traffic avoids dead nodes and links, with identical results on both engines.
#[test]
fn workloads_avoid_dead_nodes_and_links() {
    let machine = "[machine]\nshape = [4, 3, 4]\ndead_nodes = [[1, 0, 2], [3, 1, 1]]\n\
                   dead_links = [{ node = [0, 0, 0], toward = \"x+\" }, { node = [2, 2, 3], toward = \"z+\" }]\n";
    for workload in [
        "kind = \"all-to-all\"\npayload_bytes = 500",
        "kind = \"all-to-all\"\npayload_bytes = 100\nrouting = \"deterministic\"",
        "kind = \"all-to-all\"\npayload_bytes = 100\npriority = \"high\"\norder = \"rotating\"",
        "kind = \"line-all-to-all\"\npayload_bytes = 300",
        "kind = \"nearest-neighbor\"\npayload_bytes = 300",
        "kind = \"hot-spot\"\npackets_per_pair = 3\nbox = [2, 1, 4]",
        "kind = \"uniform-random\"\npackets_per_node = 50\nload = 0.5",
        "kind = \"hot-region\"\npackets_per_node = 50",
        "kind = \"tornado\"\npackets_per_node = 50",
        "kind = \"bit-complement\"\npackets_per_node = 20\nhigh_priority_share = 1",
        "kind = \"ping-pong\"\nhops = 5\nrepetitions = 5\npayload_bytes = 1000",
    ] {
        for policy in ["relay", "dynamic-only"] {
            let text = format!("{machine}without_clean_escape = \"{policy}\"\n[workload]\n{workload}\n");
            let reference = run(&text, &[], EngineKind::Reference, 1);
            assert_eq!(reference.summary["outcome"], "completed", "{text}");
            let windowed = run(&text, &[], EngineKind::Windowed, 3);
            assert_eq!(without_timing(&reference), without_timing(&windowed), "{text}");
            for dead in [1 + 4 * 3 * 2, 3 + 4 * (1 + 3)] {
                let counts = ["injected", "delivered"].map(|name| counted(&reference, name)[dead]);
                assert_eq!(counts, [0, 0], "{text}");
            }
        }
    }
}

/// Relays work with other options of a machine: full FIFOs that block reading, an injection window, datelines.
#[test]
fn relays_work_with_other_options() {
    let text = "[machine]\nshape = [4, 3, 4]\ndead_nodes = [[1, 0, 2], [3, 0, 2], [3, 1, 1]]\n\
                without_clean_escape = \"relay\"\n[workload]\nkind = \"all-to-all\"\npayload_bytes = 1000\n";
    let costs = "read_processor_cycles = 100, write_processor_cycles = 150, reception_fifo_bytes = 256";
    for change in [
        format!("machine.node={{injection_fifo_bytes = 256, {costs}}}"),
        format!("machine.node={{injection_fifo_bytes = 512, cores = 2, fifo_choice = \"random\", {costs}}}"),
        "machine.node.injection_window_packets=2".into(),
        "machine.router={escape = \"dateline\", arbitration_gap_share = 0.5}".into(),
    ] {
        let changes = [change];
        let reference = run(text, &changes, EngineKind::Reference, 1).summary;
        assert_eq!(reference["outcome"], "completed", "{changes:?}: {}", reference["outcome_detail"]);
        assert_eq!(reference["packets_delivered"], 45 * 44 * 5, "{changes:?}");
        let relayed = reference["packets_relayed"].as_u64().unwrap();
        assert!(relayed > 0);
        assert_eq!(reference["packets_injected"], 45 * 44 * 5 + relayed, "{changes:?}");
        let other = run(text, &changes, EngineKind::Windowed, 3).summary;
        assert_eq!(other["digest"], reference["digest"], "{changes:?}");
    }
}

#[test]
fn impossible_faults_are_rejected() {
    let ring = "[machine]\nshape = [6]\n[workload]\nkind = \"all-to-all\"\npayload_bytes = 1\n";
    for (change, expected) in [
        (
            "machine.dead_nodes=[[1], [4]]",
            "node [0] cannot reach node [2]: every path between them is blocked by dead",
        ),
        ("machine.dead_nodes=[[6]]", "there is no node [6] in 6"),
        ("machine.dead_nodes=[[0, 0]]", "there is no node [0, 0] in 6"),
        ("machine.dead_nodes=[[0], [1], [2], [3], [4]]", "1 of 6 nodes are alive; at least two must be"),
        ("machine.dead_links=[{node = [0], toward = \"y+\"}]", "\"y+\" is no direction of 6: x+, x-"),
    ] {
        let error = resolve(ring, "test.toml", Path::new(""), &overrides(&[change.to_owned()])).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let shift =
        "[machine]\nshape = [6, 2]\ndead_nodes = [[2, 0]]\n[workload]\nkind = \"shift\"\noffset = [3, 0]\n";
    let error = resolve(shift, "test.toml", Path::new(""), &[]).unwrap_err().to_string();
    assert!(
        error.contains("packets of node [0, 0] have fixed hops and would be trapped by dead links"),
        "{error}"
    );
}
