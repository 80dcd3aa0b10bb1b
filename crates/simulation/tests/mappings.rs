//! Mappings as whole runs: links carry what flows predict, and nothing else of a run depends on engine and threads.

use geometry::Shape;
use mpi::{Algorithm, Choice, Choices, Operation, Selection};
use network::Parameters;
use proptest::prelude::*;
use serde_json::{Value, json};
use simulation::{Column, EngineKind, Mappings, Run, RunResult, hot_flows, resolve_plain};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use traces::{Trace, TraceFormat};
use workloads::flows::{Flows, of_trace};
use workloads::kernels::Kernel;
use workloads::{Context, Placement, Workload};

const TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../traces/tests/data/exchange");

fn run(scenario: Value, engine: EngineKind, threads: usize) -> RunResult {
    let mut run = Run::new(resolve_plain(scenario, &[]).unwrap(), engine, threads).unwrap();
    while !run.advance(Duration::from_secs(1)).done {}
    run.finish(false)
}

fn numbers(result: &RunResult, table: &str, column: &str) -> Vec<u64> {
    let table = result.tables.iter().find(|known| known.name == table).unwrap();
    match &table.columns.iter().find(|(name, _)| name == column).unwrap().1 {
        Column::U32(values) => values.iter().map(|&value| value.into()).collect(),
        Column::U64(values) => values.clone(),
        Column::F64(_) | Column::Text(_) | Column::Bytes(_) => panic!("{column} holds no integers"),
    }
}

/// The flows of a kernel whose collectives have algorithms by the given choices.
fn flows_of(kernel: &Value, machine: &Parameters, choices: Choices) -> Flows {
    let mut keys = kernel.as_object().unwrap().clone();
    keys.remove("kind");
    let kernel: Kernel = serde_json::from_value(keys.into()).unwrap();
    let context = Context {
        parameters: machine,
        messaging: &messaging::Parameters::default(),
        placement: &Placement::default(),
        choices,
    };
    Workload::Kernel(kernel).plan(&context).unwrap().flows.unwrap()
}

fn halo_flows(machine: &Parameters, bytes: u64) -> Flows {
    flows_of(&json!({ "name": "halo-3d", "bytes": bytes, "iterations": 3 }), machine, Choices::default())
}

/// Lengths with points half-way round, open or closed.
fn any_shapes() -> impl Strategy<Value = (Vec<u32>, Vec<bool>)> {
    let dimension = (1u32..=5, prop::bool::weighted(0.8));
    prop::collection::vec(dimension, 1..=3).prop_map(|dimensions| dimensions.into_iter().unzip())
}

fn texts(result: &RunResult, table: &str, column: &str) -> Vec<String> {
    let table = result.tables.iter().find(|known| known.name == table).unwrap();
    let (_, found) = table.columns.iter().find(|(name, _)| name == column).unwrap();
    let Column::Text(values) = found else { panic!("{column} holds no text") };
    values.clone()
}

/// Cases of a property: as many as `PROPTEST_CASES` says, or `few`.
fn cases(few: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig::with_cases(cases.unwrap_or(few))
}

/// For messages in order, `map` and `hot` report the loads of links that a run counts, one packet for each message.
/// This holds for any mapping, and also where a target is half-way round a ring.
fn loads_are_those_of_a_run(scenario: &Value, mapping: &str) -> Result<(), TestCaseError> {
    let resolved = || resolve_plain(scenario.clone(), &[]).unwrap();
    let mappings = Mappings::new(resolved()).unwrap();
    let evaluation = mappings.evaluate(mapping, &mut || true).unwrap().unwrap().evaluation;
    let result = run(scenario.clone(), EngineKind::Windowed, 1);
    let packets = numbers(&result, "links", "packets");
    let bytes = scenario["workload"]["bytes"].as_u64().unwrap() as f64;
    let busiest = evaluation["busiest_link_bytes_in_order"].as_f64().unwrap();
    prop_assert_eq!(&evaluation["is_busiest_link_exact"], &json!(true));
    prop_assert_eq!((busiest / bytes) as u64, packets.iter().copied().max().unwrap_or(0));
    let directions = texts(&result, "links", "direction");
    let nodes = numbers(&result, "links", "node").into_iter().map(|node| node as u32);
    let named: Vec<(u32, String)> = nodes.zip(directions).collect();
    let hot = hot_flows(&resolved(), &named, usize::MAX, None).unwrap();
    prop_assert_eq!(&hot["routing"], &json!("in dimension order"));
    for (reported, counted) in hot["links"].as_array().unwrap().iter().zip(packets) {
        let flows = reported["largest"].as_array().unwrap();
        let bytes_of_all: f64 = flows.iter().map(|flow| flow["bytes"].as_f64().unwrap()).sum();
        prop_assert_eq!((bytes_of_all / bytes) as u64, counted);
    }
    Ok(())
}

/// On 4x4, half of the messages to the other side had been reported on either way, where a run takes the one that
/// is drawn.
#[test]
fn the_busiest_link_of_a_virtual_node_mode_is_that_of_the_run() {
    let scenario = json!({
        "machine": { "preset": "bluegene-l", "shape": [4, 4], "mode": "virtual-node" },
        "workload": { "kind": "kernel", "name": "halo-2d", "grid": [8, 4], "bytes": 100, "iterations": 1 },
        "mapping": { "order": "XYT" },
        "messaging": { "costs": "october-2003" },
    });
    loads_are_those_of_a_run(&scenario, "present").unwrap();
}

proptest! {
    #![proptest_config(cases(24))]
    #[test]
    fn links_carry_what_flows_predict(
        (lengths, wraps) in any_shapes(),
        seed in 0u64..1000,
        cores in 1u8..3,
        name in prop::sample::select(vec!["halo-2d", "halo-3d"]),
        is_random in any::<bool>(),
        costs in prop::sample::select(vec!["none", "october-2003"]),
    ) {
        prop_assume!(lengths.iter().product::<u32>() > 1);
        let mapping = if is_random { json!({ "order": "random" }) } else { json!({}) };
        loads_are_those_of_a_run(&json!({
            "machine": { "shape": lengths, "wrap": wraps, "node": { "cores": cores } },
            "workload": { "kind": "kernel", "name": name, "bytes": 100, "iterations": 3 },
            "mapping": mapping,
            "messaging": { "costs": costs, "protocol": "eager-deterministic" },
            "run": { "seed": seed },
        }), "present")?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn digests_do_not_depend_on_engine_or_threads(
        order in prop::sample::select(vec!["TYXZ", "ZYX", "fold", "random"]),
        cores in 1u32..3,
        bytes in 0u64..2000,
    ) {
        let scenario = json!({
            "machine": { "shape": [4, 2, 2], "node": { "cores": cores } },
            "workload": { "kind": "kernel", "name": "halo-2d", "bytes": bytes, "iterations": 2, "grid": [4, 4] },
            "mapping": { "order": order },
        });
        let expected = run(scenario.clone(), EngineKind::Reference, 1);
        for threads in [1, 3] {
            let result = run(scenario.clone(), EngineKind::Windowed, threads);
            for key in ["digest", "operations_digest"] {
                prop_assert_eq!(&result.summary[key], &expected.summary[key]);
            }
        }
        // The resolved scenario repeats the run.
        let again = run(expected.scenario.clone(), EngineKind::Windowed, 1);
        prop_assert_eq!(&again.summary["digest"], &expected.summary["digest"]);
    }
}

/// The messages and bytes sent from each rank to each other.
fn matrix(flows: &Flows) -> BTreeMap<(u64, u64), (u64, u64)> {
    let mut matrix = BTreeMap::new();
    flows.for_each(|source, flow| {
        let sent: &mut (u64, u64) = matrix.entry((source.into(), flow.target.into())).or_default();
        *sent = (sent.0 + flow.messages, sent.1 + flow.bytes);
    });
    matrix
}

#[test]
fn a_dry_run_sends_what_a_run_does() {
    let machine = Parameters::bluegene_l(Shape::torus(&[4, 2, 2]).unwrap(), 1);
    let trace = Trace::read(TRACE.as_ref(), TraceFormat::Auto).unwrap();
    let halo = json!({ "kind": "kernel", "name": "halo-3d", "bytes": 700, "iterations": 3 });
    let transform = json!({ "kind": "kernel", "name": "fft-3d", "n": [32, 32, 32], "grid": [4, 4] });
    let transposed = |choices| flows_of(&transform, &machine, choices);
    let mpich2 = Choices::default();
    let bruck = mpich2.with(Operation::AllToAll, Choice::Named(Algorithm::Bruck));
    assert_ne!(matrix(&transposed(mpich2)), matrix(&transposed(bruck)));
    for (workload, collectives, flows) in [
        (halo, json!("mpich2"), halo_flows(&machine, 700)),
        (
            json!({ "kind": "trace", "path": TRACE }),
            json!("mpich2"),
            of_trace(Arc::new(trace), Selection::default()),
        ),
        (transform.clone(), json!("mpich2"), transposed(mpich2)),
        (transform.clone(), json!({ "all-to-all": "bruck" }), transposed(bruck)),
    ] {
        let result = run(
            json!({
                "machine": { "shape": [4, 2, 2] }, "workload": workload, "run": { "communication": true },
                "messaging": { "collectives": collectives },
            }),
            EngineKind::Windowed,
            1,
        );
        let column = |name| numbers(&result, "communication", name);
        let pairs = column("source").into_iter().zip(column("target"));
        let sent = column("messages").into_iter().zip(column("bytes"));
        assert_eq!(pairs.zip(sent).collect::<BTreeMap<_, _>>(), matrix(&flows));
    }
}

/// Ranks of a periodic grid are alike under translation: the messages of rank 0 determine those of all.
#[test]
fn flows_of_a_grid_are_alike_under_translation() {
    let machine = Parameters::bluegene_l(Shape::torus(&[4, 3, 2]).unwrap(), 1);
    let flows = halo_flows(&machine, 8);
    let grid = Shape::torus(&flows.grid).unwrap();
    let displacements = |rank: u32| {
        let mut sent = Vec::new();
        flows.of_source(rank, |flow| {
            sent.push((grid.route(rank, flow.target, 0), flow.bytes, flow.messages));
        });
        sent
    };
    assert!(!displacements(0).is_empty());
    assert!((1..flows.ranks).all(|rank| displacements(rank) == displacements(0)));
}
