//! Kernels of benchmarks: their calls are those of the benchmarks' sources, and refusals name a number that would
//! fit.

mod common;

use common::*;
use mpi::{Arguments, Call, Collective, Outcome, Program};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use workloads::kernels::Kernel;
use workloads::ranks::KernelPlan;
use workloads::{Context, Placement, Plan, PlannedTraffic, RankWork, Workload, WorkloadError};

/// The plan of a kernel on a ring with room for `ranks` ranks.
fn try_kernel(name: &str, ranks: u32, mut options: Value) -> Result<Plan, WorkloadError> {
    let machine = machine(shape(&ranks.to_string()));
    let placement = Placement { ranks: Some(ranks), ..Placement::default() };
    let messaging = messaging::Parameters::default();
    options["name"] = json!(name);
    let workload = Workload::from_kind("kernel", options).unwrap();
    workload.plan(&Context {
        parameters: &machine,
        messaging: &messaging,
        placement: &placement,
        choices: mpi::Choices::default(),
    })
}

fn kernel(name: &str, ranks: u32, options: Value) -> KernelPlan {
    ranks_of(try_kernel(name, ranks, options).unwrap())
}

fn ranks_of(plan: Plan) -> KernelPlan {
    let PlannedTraffic::Ranks(RankWork::Kernel(plan)) = plan.traffic else { panic!("a kernel has ranks") };
    plan
}

fn calls(plan: &KernelPlan, rank: u32) -> impl Iterator<Item = Call> {
    let mut program = plan.program(rank);
    std::iter::from_fn(move || Program::next(&mut program, 0, &Outcome::default()))
}

/// The number of calls of a rank, by name, peer and bytes. The peer of a collective is its communicator.
#[expect(clippy::wildcard_enum_match_arm, reason = "a call that the table lacks fails the test")]
fn counts(plan: &KernelPlan, rank: u32) -> BTreeMap<(&'static str, u32, u64), u64> {
    let mut counts = BTreeMap::new();
    for call in calls(plan, rank) {
        let key = match call {
            Call::Send { target, bytes, .. } => ("send", target, bytes),
            Call::SendNonBlocking { target, bytes, .. } => ("isend", target, bytes),
            Call::SendReceive { send, .. } => ("sendrecv", send.target, send.bytes),
            Call::Receive { source, .. } => ("recv", source.unwrap(), 0),
            Call::ReceiveNonBlocking { source, .. } => ("irecv", source.unwrap(), 0),
            Call::Wait { requests, .. } if requests.set().len() == 1 => ("wait", 0, 0),
            Call::Wait { requests, .. } => ("waitall", 0, requests.set().len().into()),
            Call::Compute { .. } => ("compute", 0, 0),
            Call::Collective(collective) => collected(&collective, 0),
            Call::Collect { collective, communicator, .. } => collected(&collective, communicator),
            other => panic!("{other:?}"),
        };
        *counts.entry(key).or_default() += 1;
    }
    counts
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a collective that the table lacks fails the test")]
fn collected(collective: &Collective, communicator: u32) -> (&'static str, u32, u64) {
    match *collective {
        Collective::Barrier => ("barrier", communicator, 0),
        Collective::Allreduce { bytes } => ("allreduce", communicator, bytes),
        Collective::Reduce { bytes, .. } => ("reduce", communicator, bytes),
        Collective::Alltoall { bytes } => ("alltoall", communicator, bytes),
        Collective::Alltoallv { ref sent, .. } => ("alltoallv", communicator, sent.total()),
        ref other => panic!("{other}"),
    }
}

/// The counts of the sources of NPB 3.3: `tests/data/nas-counts.txt` says how they were made.
#[test]
fn nas_benchmarks_make_the_calls_of_their_sources() {
    let table = include_str!("data/nas-counts.txt");
    let mut plans: BTreeMap<(&str, &str, &str), KernelPlan> = BTreeMap::new();
    let mut expected: BTreeMap<_, BTreeMap<(&str, u32, u64), u64>> = BTreeMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, class, ranks, rank, call, peer, bytes, count] = words[..] else { panic!("{line}") };
        plans.entry((name, class, ranks)).or_insert_with(|| {
            kernel(&format!("nas-{name}"), ranks.parse().unwrap(), json!({ "class": class }))
        });
        let calls = expected.entry((name, class, ranks, rank)).or_default();
        calls.insert((call, peer.parse().unwrap(), bytes.parse().unwrap()), count.parse().unwrap());
    }
    assert!(expected.len() > 30);
    for ((name, class, ranks, rank), expected) in expected {
        let plan = &plans[&(name, class, ranks)];
        let found = if rank == "all" { of_all(plan) } else { counts(plan, rank.parse().unwrap()) };
        assert_eq!(found, expected, "{name} {class}, {ranks} ranks, rank {rank}");
    }
}

/// The counts of all ranks together, without peers.
fn of_all(plan: &KernelPlan) -> BTreeMap<(&'static str, u32, u64), u64> {
    let mut all = BTreeMap::new();
    for ((call, peer, bytes), count) in (0..plan.ranks()).flat_map(|rank| counts(plan, rank)) {
        let communicator = if call == "alltoall" { peer } else { 0 };
        *all.entry((call, communicator, bytes)).or_default() += count;
    }
    all
}

/// Every receive of a kernel has its send, in the order of the messages of a pair of ranks with a tag.
#[test]
fn what_is_sent_is_received() {
    for (name, ranks, options) in [
        ("nas-cg", 32, json!({"class": "S", "iterations": 1})),
        ("nas-mg", 128, json!({"class": "S", "iterations": 1})),
        ("nas-lu", 12, json!({"class": "S", "iterations": 1})),
        ("nas-sp", 16, json!({"class": "S", "iterations": 1})),
        ("nas-bt", 4, json!({"class": "W", "iterations": 1})),
        ("sweep3d", 12, json!({"iterations": 1, "nz": 7, "mk": 3})),
        ("b-eff", 7, json!({"random_patterns": 2, "loops": 2})),
    ] {
        let plan = kernel(name, ranks, options);
        let mut balance: BTreeMap<(u32, u32, u32), i64> = BTreeMap::new();
        for rank in 0..ranks {
            for call in calls(&plan, rank) {
                let mut count = |key, by| *balance.entry(key).or_default() += by;
                let Arguments { send, receive, .. } = call.arguments();
                if let Some(send) = send {
                    count((rank, send.target, send.tag), 1);
                }
                if let Some(receive) = receive {
                    count((receive.source.unwrap(), rank, receive.tag.unwrap()), -1);
                }
            }
        }
        assert!(balance.len() as u32 >= ranks, "{name}");
        assert!(balance.values().all(|&balance| balance == 0), "{name}: {balance:?}");
    }
}

/// The keys that IS redistributes, as the program counted them for rank 1. They agree within four times the root of
/// the number of keys that all ranks send on average, and exactly in sum.
#[test]
fn nas_is_sends_about_as_many_keys_as_the_benchmark() {
    for (class, ranks, found) in [
        ("S", 4, vec![16636, 16156, 16432, 16312]),
        ("S", 16, vec![1044, 1068, 988, 1028, 992, 1068]),
        ("A", 32, vec![33180, 32776, 32876, 33412, 32028, 33216]),
        ("A", 512, vec![128, 144, 116, 124, 128, 136]),
    ] {
        let plan = kernel("nas-is", ranks, json!({ "class": class, "iterations": 1 }));
        let collective = |call: Call| call.collective().map(|(collective, ..)| collective.clone()).unwrap();
        let collectives: Vec<Collective> = calls(&plan, 1).map(collective).collect();
        let [
            Collective::Allreduce { bytes },
            Collective::Alltoall { bytes: 4 },
            Collective::Alltoallv { sent, received },
        ] = &collectives[..]
        else {
            panic!("{collectives:?}")
        };
        assert_eq!(*bytes, if class == "S" { 2068 } else { 4116 });
        let keys: u64 = if class == "S" { 1 << 16 } else { 1 << 23 };
        assert_eq!(sent.total(), 4 * keys / u64::from(ranks));
        assert_eq!(received.of(ranks - 1), sent.of(1));
        for (target, keys_bytes) in found.into_iter().enumerate() {
            let expected = sent.of(target as u32) as f64 / 4.0;
            let difference = (f64::from(keys_bytes) / 4.0 - expected).abs();
            assert!(
                difference < 4.0 * expected.sqrt() + 1.0,
                "{class} {ranks} {target}: {difference} of {expected}"
            );
        }
    }
}

/// A trace of Sweep3D on 2 x 2 ranks has, for each, 1,440 sends of 36,000 bytes, half of them to each neighbor. Of
/// its 32 all-reduces, 24 are those of 12 iterations. The other 8 and two of three barriers are outside of what the
/// benchmark times.
#[test]
fn sweep3d_makes_the_calls_of_a_recorded_run() {
    let options = json!({ "grid": [2, 2], "mk": 10, "mmi": 6 });
    let plan = kernel("sweep3d", 4, options);
    for rank in 0..4 {
        let mut expected =
            BTreeMap::from([(("allreduce", 0, 4), 12), (("allreduce", 0, 8), 12), (("barrier", 0, 0), 1)]);
        for neighbor in [rank ^ 1, rank ^ 2] {
            expected.insert(("send", neighbor, 36_000), 720);
            expected.insert(("recv", neighbor, 0), 720);
        }
        assert_eq!(counts(&plan, rank), expected);
    }
    // Thirty planes and two angles at once are as many blocks of the same length.
    let other = kernel("sweep3d", 4, json!({ "grid": [2, 2], "mk": 30, "mmi": 2 }));
    assert_eq!(counts(&plan, 3), counts(&other, 3));
}

/// The number of messages of an iteration that the program prints. For each block and pair of octants this is twice
/// a message along x and along y for each pair of neighbors, for any grid.
#[test]
fn sweep3d_sends_as_many_messages_as_the_program_prints() {
    for (grid, nz, mk, mmi) in [([2, 3], 50, 10, 3), ([5, 2], 7, 3, 2), ([1, 4], 4, 4, 6), ([3, 3], 5, 1, 1)]
    {
        let ranks = grid[0] * grid[1];
        let options = json!({ "grid": grid, "nz": nz, "mk": mk, "mmi": mmi, "iterations": 1 });
        let plan = kernel("sweep3d", ranks, options);
        let sends =
            |rank| counts(&plan, rank).into_iter().filter(|((call, ..), _)| *call == "send").map(|(_, n)| n);
        let found: u64 = (0..ranks).flat_map(sends).sum();
        let [x, y] = grid.map(u64::from);
        let blocks = 6 / mmi * u64::div_ceil(nz, mk);
        assert_eq!(found, 8 * blocks * ((x - 1) * y + x * (y - 1)), "{grid:?}");
    }
}

#[test]
fn a_fourier_transform_has_an_all_to_all_of_rows_and_one_of_columns() {
    let plan = kernel("fft-3d", 8, json!({ "n": [8, 16, 12], "grid": [4, 2], "iterations": 3 }));
    let local = 8 * 16 * 12 / 8 * 16;
    for rank in 0..8 {
        assert_eq!(
            counts(&plan, rank),
            BTreeMap::from([(("alltoall", 1, local / 4), 3), (("alltoall", 2, local / 2), 3)])
        );
    }
    // The flows: to the other ranks of the row, and of the column.
    let flows =
        try_kernel("fft-3d", 8, json!({ "n": [8, 16, 12], "grid": [4, 2], "iterations": 3 })).unwrap().flows;
    let mut targets = BTreeMap::new();
    flows.unwrap().of_source(5, |flow| *targets.entry(flow.target).or_insert(0) += flow.bytes);
    let (row, column) = (3 * local / 4, 3 * local / 2);
    assert_eq!(targets, BTreeMap::from([(1, column), (4, row), (6, row), (7, row)]));
}

/// 21 lengths, 6 patterns of rings and 30 random ones, and the calls of three methods in two loops.
#[test]
fn the_effective_bandwidth_is_measured_with_each_length_pattern_and_method() {
    let plan = kernel("b-eff", 64, json!({ "loops": 2 }));
    // In the first pattern, rings of two, a rank sends to one other; in all others to two.
    let messages = |pattern: u64| if pattern == 0 { 1 } else { 2 };
    let of_patterns = |of: &dyn Fn(u64) -> u64| (0..36).map(|pattern| of(messages(pattern))).sum::<u64>();
    let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
    expected.insert("barrier", 21 * 36 * 3);
    expected.insert("sendrecv", 21 * 2 * of_patterns(&|messages| messages));
    expected.insert("alltoallv", 21 * 2 * 36);
    expected.insert("isend", 21 * 2 * of_patterns(&|messages| messages));
    expected.insert("irecv", 21 * 2 * of_patterns(&|messages| messages));
    expected.insert("waitall", 21 * 2 * 36);
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    counts(&plan, 13).into_iter().for_each(|((call, ..), count)| *found.entry(call).or_default() += count);
    assert_eq!(found, expected);
}

/// The messages that b_eff reports without reading its calls are those of its calls.
#[test]
fn the_messages_of_the_effective_bandwidth_are_those_of_its_calls() {
    for ranks in [2, 7, 16] {
        let options = json!({ "random_patterns": 3, "loops": 2 });
        let plan = kernel("b-eff", ranks, options.clone());
        let flows = try_kernel("b-eff", ranks, options).unwrap().flows.unwrap();
        for rank in 0..ranks {
            let mut sent: BTreeMap<(u32, u64), u64> = BTreeMap::new();
            let mut dry_run = mpi::DryRun::new(rank, ranks, &[]);
            calls(&plan, rank).for_each(|call| {
                dry_run.read(&call, &mut |target, bytes| *sent.entry((target, bytes)).or_default() += 1);
            });
            let mut reported: BTreeMap<(u32, u64), u64> = BTreeMap::new();
            flows.of_source(rank, |flow| {
                *reported.entry((flow.target, flow.bytes / flow.messages)).or_default() += flow.messages;
            });
            assert_eq!(reported, sent);
        }
    }
}

#[test]
fn computation_is_divided_into_equal_parts() {
    for (name, ranks, parts) in
        [("nas-cg", 8, 26), ("nas-lu", 4, 20), ("nas-sp", 4, 12), ("nas-ft", 4, 2), ("nas-ep", 3, 1)]
    {
        let options = json!({ "class": "S", "iterations": 1, "compute_processor_cycles": 1_000_003 });
        let plan = kernel(name, ranks, options);
        let cycles: Vec<u64> = calls(&plan, 1)
            .filter_map(|call| if let Call::Compute { cycles } = call { Some(cycles) } else { None })
            .collect();
        assert_eq!((cycles.len(), cycles.iter().sum::<u64>()), (parts, 1_000_003), "{name}");
        assert!(
            cycles.iter().all(|&cycles| cycles.abs_diff(1_000_003 / parts as u64) <= 1),
            "{name}: {cycles:?}"
        );
    }
}

/// This also holds for a number of ranks for which no memory has room.
#[test]
fn more_ranks_than_the_machine_has_room_for_are_refused() {
    let (machine, messaging) = (machine(shape("4x4")), messaging::Parameters::default());
    for (name, ranks) in [("nas-ep", u32::MAX), ("b-eff", u32::MAX), ("nas-cg", 1 << 31), ("fft-3d", 17)] {
        let placement = Placement { ranks: Some(ranks), ..Placement::default() };
        let context = Context {
            parameters: &machine,
            messaging: &messaging,
            placement: &placement,
            choices: mpi::Choices::default(),
        };
        let workload = Workload::from_kind("kernel", json!({ "name": name })).unwrap();
        let error = workload.plan(&context).unwrap_err();
        assert_eq!(error.key, "ranks");
        assert!(error.message.contains("has room for 16"), "{name}: {error}");
    }
}

#[test]
fn unsuitable_ranks_and_grids_are_refused_with_what_would_fit() {
    let none = || json!({});
    for (name, ranks, options, key, words) in [
        ("nas-cg", 24, none(), "ranks", &["a power of two", "16, 32"][..]),
        ("nas-mg", 7, none(), "ranks", &["a power of two", "4, 8"]),
        ("nas-ft", 100, none(), "ranks", &["a power of two", "64, 128"]),
        ("nas-is", 256, json!({"class": "S"}), "ranks", &["from 2 to 128", "next that fit: 128"]),
        ("nas-is", 2, json!({"class": "D"}), "ranks", &["from 4 to 1024", "next that fit: 4"]),
        ("nas-lu", 10, none(), "ranks", &["at most twice as long as wide", "9, 12"]),
        ("nas-lu", 25, json!({"class": "S"}), "ranks", &["12 points", "next that fit: 16"]),
        ("nas-sp", 60, none(), "ranks", &["a square", "49, 64"]),
        ("nas-bt", 25, json!({"class": "S"}), "ranks", &["12 points", "next that fit: 16"]),
        ("nas-ep", 1, none(), "ranks", &["alone", "next that fit: 2"]),
        ("nas-cg", 4, json!({"iterations": 0}), "iterations", &["0 iterations"]),
        ("nas-ft", 4, json!({"class": "D"}), "class", &["2147483648 bytes", "1073741824"]),
        ("sweep3d", 6, json!({"grid": [2, 2]}), "grid", &["has 4 ranks", "mapping.ranks is 6"]),
        ("sweep3d", 4, json!({"grid": [4, 1], "nx": 3}), "grid", &["3 x 150 points"]),
        ("sweep3d", 4, json!({"mmi": 4}), "mmi", &["no divisor of 6", "1, 2, 3, 6"]),
        ("sweep3d", 4, json!({"mk": 0}), "mk", &["from 1"]),
        ("sweep3d", 4, json!({"nz": 1_048_576, "mk": 1}), "mk", &["blocks in an octant"]),
        ("fft-3d", 4, json!({"grid": [4, 1], "n": [10, 8, 8]}), "grid", &["10 points", "4 ranks"]),
        ("fft-3d", 7, none(), "ranks", &["no equal parts", "next that fit: 4, 8"]),
        ("fft-3d", 4, json!({"n": [0, 4, 4]}), "n", &["at least 1"]),
        ("fft-3d", 2, json!({"n": [4096, 4096, 4096]}), "n", &["1073741824"]),
        ("b-eff", 4, json!({"longest_bytes": 100}), "longest_bytes", &["at least 4096"]),
        ("b-eff", 4, json!({"methods": []}), "methods", &["nonblocking"]),
        ("b-eff", 4, json!({"methods": ["sendrecv", "sendrecv"]}), "methods", &["different"]),
        ("b-eff", 4, json!({"loops": 0}), "loops", &["from 1 to"]),
        ("b-eff", 4, json!({"random_patterns": 5000}), "random_patterns", &["from 1 to 1000"]),
    ] {
        let error = try_kernel(name, ranks, options).unwrap_err();
        assert_eq!(error.key, key, "{name}: {error}");
        assert!(words.iter().all(|word| error.message.contains(word)), "{name}: {error}");
    }
}

/// Without `mapping.ranks` a kernel takes as many ranks as fit.
#[test]
fn kernels_take_the_largest_number_of_ranks_that_fits() {
    for (name, text, expected) in [
        ("nas-cg", "5x5", Some(16)),
        ("nas-sp", "5x5x2", Some(49)),
        ("nas-lu", "8x8x8", Some(441)),
        ("nas-ep", "3x5", Some(15)),
        ("sweep3d", "7", Some(7)),
        ("fft-3d", "1x2x1x5", Some(8)),
        ("b-eff", "3x3", Some(9)),
        ("nas-bt", "3", None),
    ] {
        match try_plan(&machine(shape(text)), "kernel", json!({ "name": name })) {
            Ok(plan) => {
                assert_eq!(Some(ranks_of(plan).ranks()), expected, "{name} on {text}");
            }
            Err(error) => {
                assert_eq!((error.key.as_str(), expected), ("shape", None), "{name} on {text}: {error}");
                assert!(error.message.contains("room for 3 ranks; the kernel needs at least 4"), "{error}");
            }
        }
    }
}

/// In any call of a rank, its checkpoint can be resumed: computation that the program has announced may end later.
#[test]
fn a_kernel_goes_on_from_any_position() {
    let small = json!({
        "class": "S", "iterations": 2, "compute_processor_cycles": 7, "bytes": 100, "n": [16, 16, 16],
        "nx": 4, "ny": 4, "nz": 8, "mk": 4, "longest_bytes": 4096, "random_patterns": 1,
    });
    for (name, _) in Kernel::NAMES {
        let schema = Kernel::schema_of(name).unwrap().to_value();
        let mut options = small.as_object().unwrap().clone();
        options.retain(|key, _| schema["properties"].get(key).is_some());
        options.insert("name".to_owned(), json!(name));
        let plan = ranks_of(plan(&machine(shape("3x3")), "kernel", Value::Object(options)));
        for rank in 0..plan.ranks() {
            let (mut program, mut time, mut goes_on) = (plan.program(rank), 0, true);
            while goes_on {
                let mut resumed = plan.program(rank);
                assert!(Program::restore(&mut resumed, program.state()));
                let call = Program::next(&mut program, time, &Outcome::default());
                assert_eq!(
                    Program::next(&mut resumed, time, &Outcome::default()),
                    call,
                    "{name}, rank {rank}"
                );
                goes_on = call.is_some();
                time += 3;
            }
        }
    }
}
