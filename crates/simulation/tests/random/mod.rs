//! Random scenarios: small machines with any settings, and workloads of all kinds.
//!
//! ```text
//!   shape + workload + some of all settings --resolve--> a scenario, or another draw
//! ```

#![allow(dead_code)] // each test file uses a part

use mpi::{Algorithm, Operation};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use schemars::Schema;
use serde_json::{Value, json};
use simulation::{EngineKind, Override, Run, RunResult, Scenario, parse_override, resolve_plain};
use std::fmt::Write;
use std::path::PathBuf;
use workloads::Workload;
use workloads::kernels::Kernel;

/// Settings, each with a value other than its default. Settings that do not suit a scenario are refused, and drawn
/// again.
const SETTINGS: &[&str] = &[
    "machine.preset=bluegene-p",
    "machine.mode=co-processor",
    "machine.mode=virtual-node",
    "machine.twist={ x = { y = 1 } }",
    "machine.twist={ y = { x = -1 } }",
    "machine.twist={ x = { y = 1, z = 2 } }",
    "machine.twist_routes=uniform",
    "machine.half_way_routes=per-pair",
    "machine.half_way_routes=registers",
    "machine.link.cycles_per_byte=0.25",
    "machine.link.cycles_per_byte=1.5",
    "machine.packet.token_ack_bytes=0",
    "machine.router.escape=dateline",
    "machine.router.escape_order=direction",
    "machine.router.dynamic_channels=1",
    "machine.router.dynamic_channels=4",
    "machine.router.transfer_paths=1",
    "machine.router.bypass=false",
    "machine.router.join_shortest_queue=false",
    "machine.router.arbitration=oldest-first",
    "machine.router.arbitration=round-robin",
    "machine.router.arbitration=least-recently-used",
    "machine.router.serve_longest_queue_share=0.3",
    "machine.router.in_network_share=0.4",
    "machine.router.arbitration_gap_share=0.3",
    "machine.router.token_latency_cycles=45",
    "machine.node.injection_latency_cycles=33",
    "machine.node.injection_fifo_bytes=1024",
    "machine.node.reception_fifo_bytes=512",
    "machine.node.fifo_choice=round-robin",
    "machine.node.fifo_choice=by-direction",
    "machine.node.fifo_choice=random",
    "machine.node.cores=2",
    "machine.node.injection_window_packets=3",
    "machine.node.write_processor_cycles=60",
    "machine.node.read_processor_cycles=204",
    "machine.node.processor_cycles_per_cycle=1",
    "machine.node.processor_cycles_per_cycle=2.7",
    "machine.node.processor_cycles_per_cycle=0.3",
    "machine.link_errors.bit_error_rate=3e-5",
    "machine.dead_nodes=[[1]]",
    "machine.dead_nodes=[[1, 1]]",
    "machine.dead_nodes=[[1, 1, 0]]",
    "machine.dead_links=[{node = [1, 1], toward = \"x+\"}]",
    "machine.tree.arity=3",
    "machine.interrupts.arity=2",
    "machine.tree.class_routes=4",
    "machine.interrupts.communicator_wires=3",
    "messaging.costs=none",
    "messaging.costs=october-2003",
    "messaging.costs=bluegene-p",
    "messaging.collectives=by-shape",
    "messaging.protocol=eager-adaptive",
    "messaging.protocol=eager-deterministic",
    "messaging.protocol=rendezvous",
    "messaging.rendezvous_from_bytes=100",
    "messaging.message_credits=1",
    "messaging.message_credit_pool=20",
    "messaging.realign_processor_cycles_by_offset=[0, 9, 90, 900]",
    "messaging.unexpected_limit_bytes=100000",
    "messaging.header_bytes=8",
    "messaging.header_bytes=40",
    "messaging.rendezvous_header_bytes=64",
    "messaging.envelope_bytes=0",
    "messaging.envelope_bytes=40",
    "messaging.full_packets=true",
    "messaging.full_packets=false",
    "messaging.alignment_bytes=1",
    "messaging.alignment_bytes=64",
    "messaging.send_offset_bytes=8",
    "messaging.partial_packets=false",
    "messaging.polling_interval_cycles=77",
    "messaging.write_processor_cycles=60",
    "messaging.read_processor_cycles=204",
    "messaging.call_processor_cycles=300",
    "messaging.call_processor_cycles={all = 48, wait = 200}",
    "messaging.reads_while_computing=true",
    "messaging.reads_while_computing=false",
    "messaging.watermark_bytes=600",
    "messaging.injection_watermark_bytes=0",
    "messaging.injection_watermark_bytes=500",
    "messaging.world_collectives=all-networks",
    "messaging.handover_processor_cycles=33",
    "run.communication=true",
    "run.observe_buffers=true",
    "run.link_series=true",
];

const LIMIT_CYCLES: u64 = 200_000;

/// A scenario that resolves, as plain data.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub content: Value,
    pub overrides: Vec<&'static str>,
}

impl Drawn {
    /// The scenario with other values at some paths.
    pub fn scenario(&self, changes: &[(&str, Value)]) -> Option<Scenario> {
        let settings = self.overrides.iter().map(|text| parse_override(text).unwrap());
        let changes = changes.iter().map(|(path, value)| Override {
            path: (*path).to_owned(),
            value: value.clone(),
            origin: "the test".to_owned(),
        });
        resolve_plain(self.content.clone(), &settings.chain(changes).collect::<Vec<_>>()).ok()
    }

    /// The scenario with a time limit, for a deadlock or for ranks that are stuck.
    pub fn limited(&self) -> Option<Scenario> {
        self.scenario(&[("run.time_limit_cycles", json!(LIMIT_CYCLES))])
    }

    /// Whether the scenario can run.
    fn runs(&self) -> bool {
        let scenario = self.scenario(&[]);
        scenario.is_some_and(|scenario| Run::new(scenario, EngineKind::Windowed, 1).is_ok())
    }

    pub fn is_open(&self) -> bool {
        self.content["run"]["stop"] == "measured"
    }
}

fn bytes() -> impl Strategy<Value = u64> {
    prop_oneof![0u64..64, 1u64..1000, 200u64..300, 1000u64..20_000]
}

fn computation() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1u64..400, 1000u64..100_000]
}

/// Values of the keys of workloads, with which they are small; null leaves a key out.
fn keys(dimensions: usize) -> Vec<(&'static str, BoxedStrategy<Value>)> {
    fn number<N: Into<Value> + 'static>(numbers: impl Strategy<Value = N> + 'static) -> BoxedStrategy<Value> {
        numbers.prop_map(Into::into).boxed()
    }
    let of = |values: Value| select(values.as_array().unwrap().clone()).boxed();
    let methods = subsequence(vec!["sendrecv", "alltoallv", "nonblocking"], 1..=3);
    vec![
        ("payload_bytes", number(prop_oneof![4 => 1u64..700, 1 => 1000u64..5000])),
        ("packets_per_pair", number(1..4)),
        ("packets_per_node", number(1..30)),
        ("load", of(json!([null, null, null, 0.2, 0.7, 1.2]))),
        ("packet_bytes", of(json!([null, 256, [32, 256], 64]))),
        ("message_bytes", of(json!([null, [16, 900]]))),
        ("burst", of(json!([null, { "on_cycles": 300, "off_cycles": 500 }]))),
        ("high_priority_share", of(json!([0.0, 0.3]))),
        ("routing", of(json!(["adaptive", "adaptive", "deterministic", "valiant", "ugal"]))),
        // Permutations have an order of their own, and refuse some of these.
        ("order", of(json!(["random", "random", "rotating", "common", "identity"]))),
        ("packets_per_visit", of(json!([1, 1, 2, "all"]))),
        ("offset", Just(json!(vec![1; dimensions])).boxed()),
        ("repetitions", number(1..6)),
        ("bytes", number(bytes())),
        ("iterations", number(1..4)),
        ("compute_processor_cycles", number(computation())),
        ("class", of(json!(["S"]))),
        ("n", of(json!([[8, 8, 8], [16, 16, 16], [12, 36, 6], [8, 4, 20]]))),
        ("nx", number(4..38)),
        ("ny", of(json!([4, 40]))),
        ("nz", number(1..12)),
        ("mk", number(1..5)),
        ("mmi", of(json!([1, 2, 3, 6]))),
        ("methods", methods.prop_map(|methods| json!(methods)).boxed()),
        ("random_patterns", number(1..3)),
        ("longest_bytes", of(json!([4096]))),
    ]
}

/// A workload with such values of the keys in its schema, and the examples of other keys.
fn keyed(named: Value, schema: Option<Schema>, dimensions: usize) -> impl Strategy<Value = Value> {
    let schema = schema.unwrap().to_value();
    let properties = schema["properties"].as_object().unwrap();
    let mut workload = named;
    for (key, property) in properties {
        if let Some(example) = property["examples"].get(0) {
            workload[key] = example.clone();
        }
    }
    let known = keys(dimensions).into_iter().filter(|(key, _)| properties.contains_key(*key));
    let (keys, values): (Vec<_>, Vec<_>) = known.unzip();
    values.prop_map(move |values| {
        let mut workload = workload.clone();
        keys.iter().zip(values).for_each(|(key, value)| workload[*key] = value);
        let workload = workload.as_object_mut().unwrap();
        workload.retain(|_, value| !value.is_null());
        if workload.contains_key("load") {
            workload.remove("packets_per_node");
        }
        json!(workload)
    })
}

pub fn kernel() -> impl Strategy<Value = Value> {
    let keyed = |(name, _): (&str, &str)| {
        keyed(json!({ "kind": "kernel", "name": name }), Kernel::schema_of(name), 0)
    };
    select(Kernel::NAMES).prop_flat_map(keyed)
}

/// A workload of any kind but the `others`, which are drawn by themselves.
fn pattern(dimensions: usize) -> impl Strategy<Value = Value> {
    let others = ["kernel", "collective", "trace", "flows", "destination-matrix"];
    let kinds = Workload::KINDS.iter().map(|(kind, _)| *kind).filter(|kind| !others.contains(kind));
    let keyed = move |kind: &str| keyed(json!({ "kind": kind }), Workload::schema(kind), dimensions);
    select(kinds.collect::<Vec<_>>()).prop_flat_map(keyed)
}

/// Workloads of a machine with some nodes in which these send packets that a table lists.
fn listed(nodes: u32) -> impl Strategy<Value = Value> {
    let sizes = prop_oneof![Just(json!(256)), Just(json!([32, 256])), Just(json!(64))];
    let weights =
        prop::collection::vec(prop_oneof![1 => Just(0.0), 1 => 0.0f64..10.0], (nodes * nodes) as usize);
    let matrix = (weights, 1u64..30, select(&["adaptive", "deterministic"][..]), sizes, any::<bool>());
    let matrix = matrix.prop_map(move |(weights, packets, routing, sizes, is_open)| {
        let rows = (0..nodes).map(|source| {
            let row = weights[(source * nodes) as usize..((source + 1) * nodes) as usize].iter();
            (0..).zip(row).map(|(target, &weight)| if source == target { 0.0 } else { weight }).collect()
        });
        let matrix: Vec<Vec<f64>> = rows.collect();
        let ends = if is_open { json!({ "load": 0.7 }) } else { json!({ "packets_per_node": packets }) };
        let mut drawn = json!({ "kind": "destination-matrix", "matrix": matrix, "routing": routing, "packet_bytes": sizes });
        drawn.as_object_mut().unwrap().extend(ends.as_object().unwrap().clone());
        drawn
    });
    let flow = (0..nodes, 0..nodes, bytes(), 0u64..3000);
    let flows = prop::collection::vec(flow, 1..12).prop_map(|flows| {
        json!({ "kind": "flows", "table": {
            "source": flows.iter().map(|flow| flow.0).collect::<Vec<_>>(),
            "target": flows.iter().map(|flow| flow.1).collect::<Vec<_>>(),
            "bytes": flows.iter().map(|flow| flow.2).collect::<Vec<_>>(),
            "start_cycles": flows.iter().map(|flow| flow.3).collect::<Vec<_>>(),
        } })
    });
    prop_oneof![flows, matrix]
}

/// A trace in the format GOAL: messages and computation in one order, which all ranks keep.
fn goal(ranks: u32) -> impl Strategy<Value = Value> {
    let event = (0..ranks, 0..ranks, bytes(), any::<bool>());
    prop::collection::vec(event, 1..25).prop_map(move |events| {
        let mut lines = vec![String::new(); ranks as usize];
        let mut steps = vec![0; ranks as usize];
        let mut add = |rank: u32, what: String| {
            let (lines, step) = (&mut lines[rank as usize], &mut steps[rank as usize]);
            writeln!(lines, "s{step}: {what}").unwrap();
            if *step > 0 {
                writeln!(lines, "s{step} requires s{}", *step - 1).unwrap();
            }
            *step += 1;
        };
        for (tag, (source, target, bytes, computes)) in (0..).zip(events) {
            if computes || source == target {
                add(source, format!("calc {}", bytes * bytes % 50_000));
            }
            if source != target {
                add(source, format!("send {bytes}b to {target} tag {tag}"));
                add(target, format!("recv {bytes}b from {source} tag {tag}"));
            }
        }
        let mut text = format!("num_ranks {ranks}\n");
        for (rank, lines) in lines.iter().enumerate() {
            write!(text, "rank {rank} {{\n{lines}}}\n").unwrap();
        }
        let folder = folder_of(&[("trace.goal".to_owned(), text)]);
        json!({ "kind": "trace", "path": format!("{folder}/trace.goal") })
    })
}

/// A trace in the format of liballprof: sends of the modes that need no receive beforehand.
fn calls(ranks: u32) -> impl Strategy<Value = Value> {
    let mode = select(&["Send", "Ssend", "Bsend"][..]);
    let event = (0..ranks, 1..ranks, prop_oneof![0u64..60, 0u64..2000], mode, 1u64..300);
    prop::collection::vec(event, 1..20).prop_map(move |events| {
        let mut lines = vec!["MPI_Init:-:1:2:1000\n".to_owned(); ranks as usize];
        let mut clocks = vec![1000; ranks as usize];
        let mut add = |rank: u32, call: &str, words: u64, peer: u32, tag: u32, gap: u64| {
            let (begin, handle) = (clocks[rank as usize] + gap, if call == "Recv" { ":0" } else { "" });
            clocks[rank as usize] = begin + 2;
            let of_call = format!("MPI_{call}:{begin}:0:{words}:10,8,8:{peer}:{tag}:0,{rank},{ranks}");
            writeln!(lines[rank as usize], "{of_call}{handle}:{}", begin + 2).unwrap();
        };
        for (tag, (source, distance, words, mode, gap)) in (0..).zip(events) {
            let target = (source + distance) % ranks;
            add(source, mode, words, target, tag, gap);
            add(target, "Recv", words, source, tag, gap / 2);
        }
        let ends = lines.iter_mut().zip(&clocks);
        ends.for_each(|(lines, end)| writeln!(lines, "MPI_Finalize:{}:-", end + 1).unwrap());
        let names = (0..ranks).map(|rank| format!("pmpi-trace-rank-{rank}.txt"));
        let files: Vec<(String, String)> = names.zip(lines).collect();
        json!({ "kind": "trace", "path": folder_of(&files) })
    })
}

/// A folder with files of the given names and contents, which tests of the same content share.
fn folder_of(files: &[(String, String)]) -> String {
    let bytes = files.iter().flat_map(|(_, text)| text.bytes());
    let name = bytes.fold(0u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    // Cargo has a folder for tests, but none for examples.
    let all = option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let all = all.join("random-runs");
    let path = all.join(format!("{name:016x}"));
    if !path.exists() {
        // Another test may write the same trace: the first one names the folder.
        let written = all.join(format!("{name:016x}-{:?}", std::thread::current().id()));
        std::fs::create_dir_all(&written).unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(written.join(name), text).unwrap());
        if std::fs::rename(&written, &path).is_err() {
            std::fs::remove_dir_all(&written).unwrap();
        }
    }
    path.to_str().unwrap().to_owned()
}

/// Workloads of ranks.
fn of_ranks(nodes: u32) -> impl Strategy<Value = Value> {
    let of_workload = select(Operation::NAMES)
        .prop_filter("the workload has no lengths of their own", |(_, it)| *it != Operation::AllToAllV);
    let named = (of_workload, prop_oneof![1 => Just(None), 2 => any::<Index>().prop_map(Some)]);
    let collective = (named, bytes(), 1u32..4, computation());
    let collective = collective.prop_map(|((operation, algorithm), bytes, repetitions, combine)| {
        let (name, algorithms) = (operation.0, operation.1.algorithms().collect::<Vec<_>>());
        let algorithm = algorithm.map_or(Algorithm::Auto, |which| *which.get(&algorithms));
        json!({ "kind": "collective", "operation": name, "algorithm": algorithm.name(), "bytes": bytes,
                "repetitions": repetitions, "combine_processor_cycles_per_byte": combine % 3 })
    });
    let flow = (0..nodes, 0..nodes, bytes(), 0u32..4);
    let phases = prop::collection::vec(flow, 1..15).prop_map(|flows| {
        json!({ "kind": "flows", "table": {
            "source": flows.iter().map(|flow| flow.0).collect::<Vec<_>>(),
            "target": flows.iter().map(|flow| flow.1).collect::<Vec<_>>(),
            "bytes": flows.iter().map(|flow| flow.2).collect::<Vec<_>>(),
            "phase": flows.iter().map(|flow| flow.3).collect::<Vec<_>>(),
        } })
    });
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../traces/tests/data/");
    let recorded = (select(&["exchange", "calls", "goal"][..]), select(&[0.001, 0.01, 0.05][..]));
    let recorded = recorded.prop_map(move |(name, scale)| {
        json!({ "kind": "trace", "path": format!("{data}{name}"), "compute_scale": scale })
    });
    prop_oneof![
        3 => collective,
        2 => phases,
        2 => goal(nodes.min(6)),
        2 => calls(nodes.min(6)),
        1 => recorded,
        5 => kernel(),
    ]
}

/// A workload of a machine of a shape.
pub fn workload(shape: &[u32]) -> impl Strategy<Value = Value> + use<> {
    let nodes = shape.iter().product();
    prop_oneof![7 => pattern(shape.len()), 2 => listed(nodes), 8 => of_ranks(nodes)]
}

pub fn shape() -> impl Strategy<Value = Vec<u32>> {
    let shapes: &[&[u32]] =
        &[&[4], &[2], &[6], &[4, 2], &[3, 3], &[4, 4], &[2, 2, 2], &[3, 2, 2], &[4, 4, 2]];
    select(shapes).prop_map(<[u32]>::to_vec)
}

fn settings() -> impl Strategy<Value = Vec<&'static str>> {
    prop_oneof![Just(Vec::new()), subsequence(SETTINGS, 1..=4), subsequence(SETTINGS, 4..=9)]
}

/// A scenario with the given content, which may not resolve.
fn drawn(content: Value, overrides: Vec<&'static str>) -> Drawn {
    let mut drawn = Drawn { content, overrides };
    let is_endless = |workload: &Value| workload.get("load").is_some();
    let jobs = drawn.content["jobs"].as_array().cloned().unwrap_or_default();
    let is_open =
        is_endless(&drawn.content["workload"]) || jobs.iter().any(|job| is_endless(&job["workload"]));
    if is_open {
        drawn.content["run"] = json!({ "stop": "measured", "warmup_cycles": 300, "measure_cycles": 3000 });
    }
    drawn
}

/// A machine with one workload.
pub fn whole_machine() -> impl Strategy<Value = Drawn> {
    any_whole_machine().prop_filter("the settings suit", Drawn::runs)
}

/// A machine with one workload, with any settings.
pub fn any_whole_machine() -> impl Strategy<Value = Drawn> {
    let workload = |shape: Vec<u32>| {
        let workload = workload(&shape);
        (Just(shape), workload, any::<u32>(), any::<bool>(), settings())
    };
    shape().prop_flat_map(workload).prop_map(|(shape, workload, seed, wrap, settings)| {
        let machine = json!({ "shape": shape, "wrap": wrap || shape.len() < 2 });
        drawn(json!({ "machine": machine, "workload": workload, "run": { "seed": seed } }), settings)
    })
}

/// A machine with a job on a part of it.
pub fn one_job() -> impl Strategy<Value = Drawn> {
    any_one_job().prop_filter("the settings suit", Drawn::runs)
}

/// A machine with a job on a part of it, with any settings.
pub fn any_one_job() -> impl Strategy<Value = Drawn> {
    let workload =
        |shape: Vec<u32>| (Just(shape.clone()), workload(&shape), any::<u32>(), 0u32..3, settings());
    shape().prop_flat_map(workload).prop_map(|(shape, workload, seed, more, settings)| {
        let mut whole = shape.clone();
        whole[0] += more;
        let jobs = json!([{ "box": { "shape": shape }, "workload": workload }]);
        let content = json!({ "machine": { "shape": whole }, "jobs": jobs, "run": { "seed": seed } });
        drawn(content, settings)
    })
}

/// A machine with two jobs.
pub fn two_jobs() -> impl Strategy<Value = Drawn> {
    let half = [2u32, 4];
    let workloads = (workload(&half), workload(&half), any::<u32>(), 0u64..5000, settings());
    let drawn = workloads.prop_map(move |(first, second, seed, start, settings)| {
        let jobs = json!([
            { "box": { "shape": half }, "workload": first },
            { "box": { "origin": [2, 0], "shape": half }, "workload": second, "start_cycles": start },
        ]);
        drawn(json!({ "machine": { "shape": [4, 4] }, "jobs": jobs, "run": { "seed": seed } }), settings)
    });
    drawn.prop_filter("the settings suit", Drawn::runs)
}

/// The summary without the figures that depend on the host, or on the number of times that the run has been
/// resumed.
pub fn figures(result: &RunResult) -> Value {
    let mut summary = result.summary.clone();
    let keys = [
        "engine_seconds",
        "wall_seconds",
        "packet_hops_per_second",
        "process_peak_memory_bytes",
        "peak_memory_bytes",
        "mpi_operations_per_second",
        "threads",
        "processes",
    ];
    for key in keys {
        summary.as_object_mut().unwrap().remove(key);
    }
    summary
}

/// 2,000 cases in `make test-long`, by `PROPTEST_CASES`.
pub fn cases(few: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few);
    ProptestConfig {
        max_local_rejects: 1_000_000,
        max_shrink_iters: 2000,
        // Some drawn scenarios are refused: at most four for each case.
        max_global_rejects: 4 * cases.max(256),
        ..ProptestConfig::with_cases(cases)
    }
}
