//! The fluid engine against packets, in cases whose time both can compute, and its refusals.

use fluid::{Machine, Sender, time_of};
use geometry::{Shape, Twist};
use messaging::RankMap;
use network::Parameters;
use serde_json::{Value, json};
use simulation::{Column, EngineKind, FluidRun, Run, RunResult, check, resolve_plain};
use std::time::Duration;
use workloads::flows::Flows;
use workloads::{Context, Placement, Routing, Workload};

fn by_flows(scenario: &Value) -> RunResult {
    FluidRun::new(resolve_plain(scenario.clone(), &[]).unwrap()).unwrap().finish()
}

fn packets(scenario: &Value) -> RunResult {
    let mut run = Run::new(resolve_plain(scenario.clone(), &[]).unwrap(), EngineKind::Windowed, 1).unwrap();
    while !run.advance(Duration::from_secs(1)).done {}
    run.finish(false)
}

fn scenario(shape: &[u32], workload: Value) -> Value {
    json!({ "machine": { "shape": shape }, "workload": workload })
}

fn column<'a>(result: &'a RunResult, table: &str, column: &str) -> &'a Column {
    let table = result.tables.iter().find(|known| known.name == table).unwrap();
    &table.columns.iter().find(|(name, _)| name == column).unwrap().1
}

fn sum(values: &Column) -> u64 {
    match values {
        Column::U32(values) => values.iter().map(|&value| u64::from(value)).sum(),
        Column::U64(values) => values.iter().sum(),
        Column::F64(_) | Column::Text(_) | Column::Bytes(_) => panic!("no integers"),
    }
}

/// The traffic on links does not depend on the engine, for any routing of packets.
#[test]
fn both_engines_carry_the_same() {
    for workload in [
        json!({ "kind": "all-to-all", "payload_bytes": 500 }),
        json!({ "kind": "permutation", "packets_per_node": 20 }),
        json!({ "kind": "nearest-neighbor", "payload_bytes": 2400 }),
        json!({ "kind": "tornado", "packets_per_node": 20, "packet_bytes": 96 }),
        json!({ "kind": "kernel", "name": "halo-3d", "bytes": 1000, "iterations": 3 }),
        json!({ "kind": "kernel", "name": "fft-3d", "n": [32, 32, 32], "iterations": 2 }),
        json!({ "kind": "collective", "operation": "all-to-all", "bytes": 48000 }),
        json!({ "kind": "collective", "operation": "all-to-all", "algorithm": "two-phase", "bytes": 48000 }),
        json!({ "kind": "collective", "operation": "all-to-all", "algorithm": "pairwise", "bytes": 48000 }),
    ] {
        carry_the_same(&scenario(&[4, 3, 4], workload.clone()));
        let mut twisted = scenario(&[4, 3, 4], workload);
        twisted["machine"]["twist"] = json!({ "x": { "z": 1 }, "y": { "z": 2 } });
        carry_the_same(&twisted);
    }
    // Long messages with handshakes, and short ones without, by two ranks on a node; the algorithm is two-phase.
    for bytes in [3200, 128_000] {
        let workload = json!({ "kind": "collective", "operation": "all-to-all", "bytes": bytes });
        let machine = json!({ "preset": "bluegene-p", "shape": [4, 2, 2], "mode": "dual" });
        carry_the_same(&json!({ "machine": machine, "workload": workload }));
    }
}

fn carry_the_same(scenario: &Value) {
    let workload = &scenario["workload"];
    let (fluid, packets) = (by_flows(scenario), packets(scenario));
    for key in ["packets_delivered_total", "packet_hops_total"] {
        assert_eq!(fluid.summary[key].as_f64(), packets.summary[key].as_f64(), "{key} of {workload}");
    }
    for name in ["injected", "delivered"] {
        let of = |result| sum(column(result, "nodes", name));
        assert_eq!(of(&fluid), of(&packets), "{name} of {workload}");
    }
    let busy = |result| sum(column(result, "links", "busy_cycles")) as f64;
    assert!((busy(&fluid) / busy(&packets) - 1.0).abs() < 1e-3, "links of {workload}");
}

/// Two-phase all-to-alls are one round, as they are chosen where one dimension is the longest.
#[test]
fn all_to_alls_in_two_phases_have_a_time() {
    let workload = json!({ "kind": "collective", "operation": "all-to-all", "bytes": 128 * 300 });
    let scenario = scenario(&[8, 4, 4], workload);
    let (fluid, packets) = (by_flows(&scenario), packets(&scenario));
    assert_eq!(packets.summary["algorithm"], "two-phase");
    let cycles = |result: &RunResult| result.summary["cycles"].as_f64().unwrap();
    let (fluid, packets) = (cycles(&fluid), cycles(&packets));
    assert!((fluid / packets - 1.0).abs() < 0.3, "{fluid} and {packets} cycles");
}

/// The figures that packets give of a collective are also given by flows, equal except for the error of the time.
#[test]
fn collectives_have_the_figures_of_packets() {
    for (operation, algorithm) in [("all-gather", "ring"), ("all-to-all", "pairwise"), ("barrier", "auto")] {
        let mut workload = json!({ "kind": "collective", "operation": operation, "algorithm": algorithm });
        if operation != "barrier" {
            workload["bytes"] = json!(16_000);
        }
        let scenario = scenario(&[4, 4], workload);
        let (fluid, packets) = (by_flows(&scenario).summary, packets(&scenario).summary);
        for key in ["algorithm", "steps", "bound_cycles"] {
            assert_eq!(fluid[key], packets[key], "{key} of {operation}");
        }
        let rate = |summary: &Value| summary["algorithm_megabytes_per_second"].as_f64();
        assert_eq!(rate(&fluid).is_some(), operation != "barrier");
        for key in ["collective_cycles_max", "algorithm_megabytes_per_second", "bus_megabytes_per_second"] {
            if let (Some(fluid), Some(packets)) = (fluid[key].as_f64(), packets[key].as_f64()) {
                assert!((fluid / packets - 1.0).abs() < 0.5, "{key} of {operation}: {fluid} and {packets}");
            }
        }
        assert!(rate(&fluid).is_none_or(|rate| {
            let cycles = fluid["collective_cycles_max"].as_f64().unwrap();
            (rate * cycles / 16_000.0 / 175.0 - 1.0).abs() < 1e-3
        }));
    }
}

/// On Blue Gene/P a DMA engine moves packets. Cores pay for messages, and all links of a node share the engine.
#[test]
fn a_dma_engine_takes_its_own_time() {
    let cycles = |per_chunk: u32| {
        let workload = json!({ "kind": "kernel", "name": "halo-3d", "bytes": 100_000, "iterations": 2 });
        let dma = json!({ "processor_cycles_per_chunk": per_chunk, "injection_fifo_descriptors": 64 });
        let machine = json!({ "preset": "bluegene-p", "shape": [4, 4, 4], "dma": dma });
        let scenario = json!({ "machine": machine, "workload": workload });
        let results = [by_flows(&scenario), packets(&scenario)];
        assert_eq!(results[0].summary["fluid_corrected"], false, "its messages have handshakes");
        results.map(|result| result.summary["cycles"].as_f64().unwrap())
    };
    // By default the links are busy longest; a slow engine is instead.
    for per_chunk in [6, 60] {
        let [fluid, packets] = cycles(per_chunk);
        assert!((fluid / packets - 1.0).abs() < 0.15, "{per_chunk}: {fluid} and {packets} cycles");
    }
}

/// Flows that meet no others take the time of the wire and of the way, to some cycles.
#[test]
fn lonely_flows_take_the_time_of_packets() {
    for workload in [
        json!({ "kind": "nearest-neighbor", "payload_bytes": 24000 }),
        json!({ "kind": "tornado", "dimension": 0, "packets_per_node": 100, "routing": "deterministic" }),
        json!({ "kind": "shift", "offset": [1, 1], "packets_per_node": 100, "routing": "deterministic" }),
    ] {
        let scenario = scenario(&[6, 4], workload.clone());
        let cycles = |result: RunResult| result.summary["cycles"].as_f64().unwrap();
        let (fluid, packets) = (by_flows(&scenario), packets(&scenario));
        assert_eq!(fluid.summary["fluid_corrected"], true, "{workload}");
        let (fluid, packets) = (cycles(fluid), cycles(packets));
        assert!((fluid / packets - 1.0).abs() < 0.02, "{fluid} and {packets} cycles of {workload}");
    }
}

/// Traffic for which the correction was not fitted is marked.
#[test]
fn what_is_not_corrected_is_marked() {
    for (workload, is_corrected) in [
        (json!({ "kind": "all-to-all", "payload_bytes": 500 }), true),
        (json!({ "kind": "permutation", "packets_per_node": 20 }), false),
        (json!({ "kind": "hot-spot", "packets_per_pair": 2 }), false),
        (json!({ "kind": "tornado", "packets_per_node": 20 }), false),
        // Messages without costs are spread over FIFOs one after the other, those of neighbors by direction.
        (json!({ "kind": "kernel", "name": "halo-3d", "bytes": 2000 }), true),
        (
            json!({ "kind": "collective", "operation": "all-to-all", "algorithm": "pairwise", "bytes": 96_000 }),
            false,
        ),
    ] {
        let result = by_flows(&scenario(&[6, 4, 4], workload.clone()));
        assert_eq!(result.summary["fluid_corrected"], is_corrected, "{workload}");
        assert_eq!(result.summary["engine"], "fluid");
    }
}

/// Messages whose packets do not use links as flows do are marked, for all lengths.
#[test]
fn messages_that_are_no_flows_are_marked() {
    let halo = || json!({ "kind": "kernel", "name": "halo-3d", "bytes": 1000, "iterations": 2 });
    let collective = |operation: &str, algorithm: &str| json!({ "kind": "collective", "operation": operation, "algorithm": algorithm, "bytes": 24000 });
    let (free, october) = (json!({ "costs": "none" }), json!({ "costs": "october-2003" }));
    for (workload, messaging, fifo_choice, is_corrected) in [
        (halo(), &october, "emptiest", true),
        (halo(), &free, "emptiest", false),
        (halo(), &free, "by-direction", true),
        (collective("all-to-all", "direct"), &free, "emptiest", true),
        (collective("all-to-all", "direct"), &october, "emptiest", false),
        (collective("all-to-all", "pairwise"), &free, "emptiest", false),
        (collective("all-gather", "halving-doubling"), &october, "emptiest", false),
    ] {
        let mut scenario = scenario(&[4, 4, 4], workload.clone());
        scenario["messaging"] = messaging.clone();
        scenario["machine"]["node"] = json!({ "fifo_choice": fifo_choice });
        let result = by_flows(&scenario);
        assert_eq!(result.summary["fluid_corrected"], is_corrected, "{workload} {messaging} {fifo_choice}");
    }
}

#[test]
fn what_needs_packets_is_refused() {
    let refused = |scenario: Value| {
        let scenario = resolve_plain(scenario, &[]).unwrap();
        FluidRun::new(scenario).err().expect("it is refused").to_string()
    };
    let all_to_all = json!({ "kind": "all-to-all", "payload_bytes": 500 });
    for (section, settings, word) in [
        ("run", json!({ "time_limit_cycles": 1000 }), "run.time_limit_cycles"),
        ("run", json!({ "series_interval_cycles": 1000 }), "run.series_interval_cycles"),
        ("run", json!({ "observe_buffers": true }), "run.observe_buffers"),
        ("run", json!({ "link_series": true }), "run.link_series"),
        ("machine", json!({ "shape": [4, 4], "dead_nodes": [[3, 0]] }), "dead nodes"),
        ("machine", json!({ "shape": [4, 4], "node": { "injection_window_packets": 4 } }), "in flight"),
        ("workload", json!({ "kind": "uniform-random", "load": 0.5 }), "measures a window"),
        (
            "workload",
            json!({ "kind": "flows", "table": { "source": [0], "target": [1], "bytes": [240], "start_cycles": [9] } }),
            "begin later",
        ),
        ("workload", json!({ "kind": "kernel", "name": "sweep3d" }), "follow one another"),
        ("workload", json!({ "kind": "ping-pong", "hops": 2, "payload_bytes": 100 }), "wait for"),
        (
            "workload",
            json!({ "kind": "collective", "operation": "broadcast", "algorithm": "deposit", "bytes": 960 }),
            "deposit bit",
        ),
    ] {
        let mut scenario = scenario(&[4, 4], all_to_all.clone());
        scenario[section] = settings.clone();
        let message = refused(scenario);
        assert!(message.contains(word) && message.contains("packets"), "{settings}: {message}");
    }
}

#[test]
fn checks_refuse_what_runs_do() {
    let mut scenario = scenario(&[4, 4], json!({ "kind": "uniform-random", "load": 0.5 }));
    scenario["run"] = json!({ "engine": "fluid" });
    let error = check(&resolve_plain(scenario, &[]).unwrap()).unwrap_err().to_string();
    assert!(error.contains("measures a window"), "{error}");
}

/// One rank that represents all gives the time, packets and loads that all give, with any number on a node.
#[test]
fn one_rank_stands_for_all() {
    let all_to_all = |algorithm: &str, bytes: u64| json!({ "kind": "collective", "operation": "all-to-all", "algorithm": algorithm, "bytes": bytes });
    let october = messaging::Parameters::october_2003();
    let handshakes = messaging::Parameters { rendezvous_from_bytes: Some(600), ..october };
    let dma = messaging::Dma {
        processor_cycles_per_chunk: 500,
        injection_fifo_descriptors: 64,
        descriptor_processor_cycles: 150,
        interrupt_processor_cycles: 0,
    };
    let engines = messaging::Parameters { dma: Some(dma), ..messaging::Parameters::bluegene_p() };
    for (workload, software, cores) in [
        (json!({ "kind": "all-to-all", "payload_bytes": 500 }), october, 1),
        (json!({ "kind": "line-all-to-all", "payload_bytes": 500 }), october, 1),
        (json!({ "kind": "tornado", "packets_per_node": 7 }), october, 1),
        (json!({ "kind": "kernel", "name": "halo-3d", "bytes": 700 }), october, 1),
        (json!({ "kind": "kernel", "name": "halo-3d", "bytes": 700 }), handshakes, 2),
        (json!({ "kind": "kernel", "name": "halo-3d", "bytes": 9000 }), engines, 4),
        (all_to_all("direct", 96 * 4 * 700), october, 4),
        (all_to_all("direct", 96 * 2 * 700), handshakes, 2),
        (all_to_all("two-phase", 96 * 2 * 700), engines, 2),
        (all_to_all("post-and-wait", 96 * 50), messaging::Parameters::default(), 1),
    ] {
        stands_for_all(&workload, &software, cores, Twist::default());
    }
    // Nodes of a twisted torus are alike, and ranks that send the same to all others.
    for (workload, software, cores) in [
        (json!({ "kind": "all-to-all", "payload_bytes": 500 }), october, 1),
        (json!({ "kind": "tornado", "packets_per_node": 7 }), october, 1),
        (json!({ "kind": "shift", "offset": [1, -2, 1], "packets_per_node": 7 }), october, 1),
        (json!({ "kind": "nearest-neighbor", "payload_bytes": 500 }), october, 1),
        (all_to_all("direct", 96 * 4 * 700), october, 4),
        (all_to_all("post-and-wait", 96 * 50), messaging::Parameters::default(), 1),
    ] {
        let twist = Twist::default().shifting(1, 0, 3).shifting(2, 0, 2).shifting(2, 1, 1);
        stands_for_all(&workload, &software, cores, twist);
    }
}

fn stands_for_all(workload: &Value, software: &messaging::Parameters, cores: u8, twist: Twist) {
    let shape = Shape::torus(&[6, 4, 4]).unwrap().with_twist(twist).unwrap().with_balanced_routes(&[1.0; 3]);
    let mut network = Parameters::bluegene_l(shape, 1);
    network.node.cores = cores;
    let context = Context {
        parameters: &network,
        messaging: software,
        placement: &Placement::default(),
        choices: mpi::Choices::default(),
    };
    let kind = workload["kind"].as_str().unwrap().to_owned();
    let parameters = workload.as_object().unwrap().iter().filter(|(key, _)| *key != "kind");
    let parameters = Value::Object(parameters.map(|(key, value)| (key.clone(), value.clone())).collect());
    let flows = Workload::from_kind(&kind, parameters).unwrap().plan(&context).unwrap().flows.unwrap();
    let sender = match kind.as_str() {
        "kernel" | "collective" => Sender::Ranks(software),
        _ => Sender::Nodes { packet_bytes: 256 },
    };
    let map = RankMap::in_order(flows.ranks, &network.shape, cores).unwrap();
    for routing in [Routing::Deterministic, Routing::Adaptive] {
        let flows = Flows { routing: Some(routing), ..flows.clone() };
        let machine = Machine { network: &network, sender };
        let one = time_of(&machine, &flows, &map).unwrap();
        let all =
            time_of(&machine, &Flows { grid: Vec::new(), are_alike_nodes: false, ..flows.clone() }, &map)
                .unwrap();
        assert_eq!((one.nodes.len(), all.nodes.len()), (1, 96));
        assert!((one.packets - all.packets).abs() < 1e-6 * all.packets);
        let is_near = |one: f64, all: f64| assert!((one - all).abs() < 1e-6 * all, "{one} {all}: {workload}");
        is_near(one.uncorrected_cycles, all.uncorrected_cycles);
        // With fewer targets than half of all nodes, only nodes that are alike are corrected.
        if one.is_corrected && all.is_corrected {
            is_near(one.cycles, all.cycles);
        }
        for (number, link) in all.links.iter().enumerate() {
            let of_one = one.links[number % one.links.len()];
            assert!((link.bytes - of_one.bytes).abs() < 1e-6 * (1.0 + link.bytes), "{workload}");
        }
    }
}
