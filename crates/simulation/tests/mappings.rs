//! Mappings as whole runs: links carry what flows predict, and nothing else of a run depends on engine and threads.

use ::mapping::links::{LinkLoads, Split};
use geometry::{Direction, Shape};
use messaging::{Mapping, RankMap};
use mpi::{Algorithm, Choice, Choices, Operation, Selection};
use network::Parameters;
use proptest::prelude::*;
use serde_json::{Value, json};
use simulation::{Column, EngineKind, Run, RunResult, resolve_plain};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use workloads::flows::{Flows, of_trace};
use workloads::kernels::Kernel;
use workloads::trace::Trace;
use workloads::trace::TraceFormat;
use workloads::{Context, Placement, Workload};

const TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../workloads/tests/data/exchange");

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
        _ => panic!("{column} holds no integers"),
    }
}

/// Lengths without a point half-way round.
fn odd_shapes() -> impl Strategy<Value = (Vec<u32>, Vec<bool>)> {
    let dimension = (prop::sample::select(vec![1u32, 3, 5]), any::<bool>());
    prop::collection::vec(dimension, 1..=3).prop_map(|dimensions| dimensions.into_iter().unzip())
}

fn random_map(ranks: u32, machine: &Parameters) -> RankMap {
    Mapping::Random.place(ranks, &[], machine).unwrap()
}

/// The flows of a kernel whose collectives are by these choices.
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// In dimension order, each link carries the packets of exactly the messages that the flows lead over it.
    #[test]
    fn links_carry_what_flows_predict((lengths, wraps) in odd_shapes(), seed in 0u64..1000, cores in 1u8..3) {
        let mut machine = Parameters::bluegene_l(Shape::new(&lengths, &wraps).unwrap(), seed);
        machine.node.cores = cores;
        let ranks = machine.shape.nodes() * u32::from(cores);
        prop_assume!(ranks > 1);
        let result = run(json!({
            "machine": { "shape": lengths, "wrap": wraps, "node": { "cores": cores } },
            "workload": { "kind": "kernel", "name": "halo-3d", "bytes": 100, "iterations": 3 },
            "mapping": { "order": "random" },
            "messaging": { "costs": "none", "protocol": "eager-deterministic" },
            "run": { "seed": seed },
        }), EngineKind::Windowed, 1);
        let map = random_map(ranks, &machine);
        let mut loads = LinkLoads::new(&machine.shape);
        halo_flows(&machine, 100).for_each(|source, flow| {
            let ends = (map.place(source).node, map.place(flow.target).node);
            loads.add(ends, flow.messages as f64, Split::DimensionOrder);
        });
        let directions = || Direction::all(machine.shape.dimensions());
        let links = (0..machine.shape.nodes()).flat_map(|node| directions().map(move |toward| (node, toward)));
        let links = links.filter(|&(node, toward)| machine.shape.neighbor(node, toward).is_some());
        let expected: Vec<u64> = links.map(|(node, toward)| loads.bytes(node, toward) as u64).collect();
        prop_assert_eq!(numbers(&result, "links", "packets"), expected);
    }

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

/// What is sent from each rank to each other, as messages and bytes.
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

/// Ranks of a periodic grid are alike under translation: what rank 0 sends tells what all send.
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
