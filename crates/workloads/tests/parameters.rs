//! Parameters: reading, listing, and the messages about invalid input.

mod common;

use common::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use workloads::kernels::Kernel;
use workloads::{PlannedTraffic, RankWork, Workload};

#[test]
fn every_kind_is_read_planned_and_serialized() {
    for (kind, summary) in Workload::KINDS {
        assert!(summary.ends_with('.'), "{kind}: the first line of its description is a sentence: {summary}");
        let workload = Workload::from_kind(kind, required(kind)).unwrap();
        assert_eq!(workload.kind(), *kind);
        let mut written = serde_json::to_value(&workload).unwrap();
        assert_eq!(written.as_object_mut().unwrap().remove("kind"), Some(json!(kind)));
        assert_eq!(Workload::from_kind(kind, written).unwrap(), workload);
        plan(&machine(shape("8x8x8")), kind, required(kind));
    }
}

#[test]
fn every_kernel_is_read_planned_and_serialized_and_has_a_bound() {
    for (name, summary) in Kernel::NAMES {
        assert!(summary.ends_with('.'), "{name}: the first line of its description is a sentence: {summary}");
        let kernel = Kernel::from_name(name, json!({"iterations": 3})).unwrap();
        assert_eq!(kernel.name(), *name);
        let written = serde_json::to_value(Workload::Kernel(kernel.clone())).unwrap();
        assert_eq!((&written["kind"], &written["name"]), (&json!("kernel"), &json!(name)));
        assert_eq!(
            Workload::from_kind("kernel", json!({"name": name, "iterations": 3})).unwrap(),
            Workload::Kernel(kernel)
        );
        // These need a square number of ranks, four at least.
        let fits_two = !["nas-sp", "nas-bt"].contains(name);
        for text in ["8x8x8", "2", "3mx2m", "1x2x1x5"].into_iter().filter(|&text| fits_two || text != "2") {
            let plan = plan(&machine(shape(text)), "kernel", json!({"name": name}));
            assert!(bound(&plan).drained_cycles.unwrap() > 0.0, "{name} on {text}");
        }
    }
    assert!(Kernel::from_name("halo", json!({})).unwrap_err().to_string().contains("halo-3d"));
}

#[test]
fn every_parameter_is_described() {
    let kinds = Workload::KINDS.iter().map(|(kind, _)| (kind, Workload::schema(kind)));
    let kernels = Kernel::NAMES.iter().map(|(name, _)| (name, Kernel::schema_of(name)));
    for (kind, schema) in kinds.chain(kernels) {
        let schema = schema.unwrap();
        let properties = schema.get("properties").into_iter().flat_map(|value| value.as_object().unwrap());
        for (name, property) in properties {
            let text = property["description"].as_str().unwrap_or_else(|| panic!("{kind}.{name}"));
            assert!(text.contains("Default") || text.contains("Required"), "{kind}.{name}: {text}");
            let has_example = property.get("examples").is_some();
            assert!(
                has_example || !text.contains("Required"),
                "{kind}.{name} has neither default nor example"
            );
        }
    }
    assert!(Workload::schema("no-such").is_none() && Kernel::schema_of("no-such").is_none());
}

#[test]
fn unreadable_parameters_are_reported_with_the_valid_ones() {
    let check = |kind: &str, options: Value, words: &[&str]| {
        let message = Workload::from_kind(kind, options).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    check("all2all", json!({}), &["all2all", "all-to-all", "trace"]);
    check("all-to-all", json!({}), &["payload_bytes"]);
    check(
        "all-to-all",
        json!({"payload_bytes": 1, "ordre": "random"}),
        &["ordre", "order", "packets_per_visit"],
    );
    check("all-to-all", json!({"payload_bytes": -1}), &["-1"]);
    check(
        "all-to-all",
        json!({"payload_bytes": 1, "packets_per_visit": "each"}),
        &["packets_per_visit", "all"],
    );
    check("uniform-random", json!({"packet_bytes": "full"}), &["packet_bytes", "[32, 256]"]);
    check("tornado", json!({"directions": ["up"]}), &["up", "minimal"]);
}

/// Checks the key of an error, and words in its message.
fn check_error(text: &str, kind: &str, mut options: Value, key: &str, words: &[&str]) {
    let Value::Object(mut all) = required(kind) else { unreachable!() };
    all.append(options.as_object_mut().unwrap());
    let error = try_plan(&machine(shape(text)), kind, Value::Object(all)).unwrap_err();
    assert_eq!(error.key, key, "{error}");
    assert!(words.iter().all(|word| error.message.contains(word)), "{error}");
}

#[test]
fn parameters_that_do_not_fit_are_rejected() {
    let none = || json!({});
    for (kind, _) in
        Workload::KINDS.iter().filter(|(kind, _)| !["ping-pong", "trace", "kernel", "shift"].contains(kind))
    {
        let (lengths, key, words) = match *kind {
            "plane-all-to-all" => ("1x1", "shape", "no node"),
            "line-broadcast" => ("1", "dimension", "the sending node is the only one"),
            "plane-broadcast" => ("1x1", "dimensions", "the sending node is the only one"),
            "torus-broadcast" => ("1", "shape", "the sending node is the only one"),
            "collective" => ("1", "over", "one rank alone"),
            "flows" => ("1", "matrix[1][0]", "2 rows"),
            "destination-matrix" => ("1", "table.target[0]", "1"),
            _ => ("1", "shape", "no node"),
        };
        check_error(lengths, kind, none(), key, &[words]);
    }
    check_error("1", "ping-pong", none(), "shape", &["no node"]);
    check_error("1x1x1", "shift", none(), "offset", &["1 hops"]);
    check_error("8x8", "shift", none(), "offset", &["3 values", "2"]);
    check_error("8x8x8", "shift", json!({"offset": [8, 0, 0]}), "offset", &["8", "-7 to 7"]);
    check_error("8x8x8", "shift", json!({"offset": [i32::MIN, 0, 0]}), "offset", &["-2147483648"]);
    check_error("8x8x8", "shift", json!({"offset": [0, 0, 0]}), "offset", &["0"]);
    check_error("8x8", "all-to-all", json!({"payload_bytes": 0}), "payload_bytes", &["1"]);
    check_error("8x8x8", "all-to-all", json!({"payload_bytes": u64::MAX}), "payload_bytes", &["too many"]);
    check_error("8x8", "all-to-all", json!({"packets_per_visit": 0}), "packets_per_visit", &["all"]);
    check_error("8x8", "all-to-all", json!({"directions": ["+"]}), "directions", &["1 values", "2"]);
    check_error(
        "8x8m",
        "all-to-all",
        json!({"directions": ["+", "-"]}),
        "directions",
        &["dimension 1", "wrap"],
    );
    check_error("8x1", "line-all-to-all", json!({"dimensions": [1]}), "shape", &["no node"]);
    check_error("8x8", "line-all-to-all", json!({"dimensions": []}), "dimensions", &["one"]);
    check_error("8x8", "line-all-to-all", json!({"dimensions": [1, 1]}), "dimensions", &["twice"]);
    check_error("8x8", "plane-all-to-all", json!({"dimensions": [0, 2]}), "dimensions", &["2", "0 to 1"]);
    check_error("8x8", "plane-all-to-all", json!({"dimensions": [1, 1]}), "dimensions", &["twice"]);
    check_error("8x8", "hot-spot", json!({"packets_per_pair": 0}), "packets_per_pair", &["1"]);
    check_error("8x8", "hot-spot", json!({"packets_per_pair": u64::MAX}), "packets_per_pair", &["too many"]);
    check_error("8x8", "hot-spot", json!({"box": [8, 8]}), "box", &["fills"]);
    check_error("8x8", "hot-spot", json!({"box": [9, 1]}), "box", &["9", "8"]);
    check_error("8x8", "hot-spot", json!({"box": [0, 1]}), "box", &["0", "1 to 8"]);
    check_error("8x8", "hot-spot", json!({"origin": [0, 8]}), "origin", &["8", "7"]);
    check_error("8mx8", "hot-spot", json!({"origin": [7, 7], "box": [2, 2]}), "box", &["open edge"]);
    check_error("8x8", "hot-region", json!({"share": 1.5}), "share", &["1.5"]);
    check_error("8x8", "uniform-random", json!({"load": 0.0}), "load", &["0"]);
    check_error("8x8", "uniform-random", json!({"load": -1.0}), "load", &["-1"]);
    check_error("8x8", "uniform-random", json!({"load": 1e300}), "load", &["peak"]);
    check_error("8x8", "uniform-random", json!({"load": 1e-300}), "load", &["low"]);
    check_error("8x8", "uniform-random", json!({"packet_bytes": 100}), "packet_bytes", &["100", "32", "256"]);
    check_error("8x8", "uniform-random", json!({"packet_bytes": 512}), "packet_bytes", &["512", "256"]);
    check_error("8x8", "uniform-random", json!({"packet_bytes": [256, 32]}), "packet_bytes", &["range"]);
    check_error("8x8", "uniform-random", json!({"packets_per_node": 0}), "packets_per_node", &["1"]);
    check_error(
        "8x8",
        "uniform-random",
        json!({"packets_per_node": u64::MAX}),
        "packets_per_node",
        &["too many"],
    );
    let mixed = json!({"high_priority_share": 0.5});
    check_error("8x8", "uniform-random", mixed, "high_priority_share", &["infinite"]);
    check_error("8x8", "uniform-random", json!({"high_priority_share": 2}), "high_priority_share", &["2"]);
    check_error("8x8", "tornado", json!({"dimension": 2}), "dimension", &["0 to 1"]);
    check_error("2x2", "tornado", none(), "shape", &["no node"]);
    check_error("8x4", "transpose", none(), "by", &["lengths"]);
    check_error("8x4x8", "transpose", json!({"by": "rotate"}), "by", &["lengths"]);
    check_error("8", "transpose", none(), "shape", &["no node"]);
    check_error("2mx2mx2m", "ping-pong", json!({"hops": 4}), "hops", &["from 1 to 3"]);
    check_error("8x8", "ping-pong", json!({"hops": 0}), "hops", &["from 1 to 8"]);
    for (name, _) in Kernel::NAMES {
        let kernel = |key: &str, value: u64| json!({"name": name, key: value});
        check_error("8x8", "kernel", kernel("iterations", 0), "iterations", &["at least 1"]);
        if Kernel::schema_of(name).unwrap().get("properties").unwrap().get("bytes").is_some() {
            check_error("8x8", "kernel", kernel("bytes", 1 << 40), "bytes", &["1073741824"]);
        }
        check_error(
            "1x1",
            "kernel",
            json!({"name": name}),
            if name.starts_with("halo") { "grid" } else { "shape" },
            &[],
        );
    }
    let halo = |grid: [u32; 3]| json!({"name": "halo-3d", "grid": grid});
    check_error("8x8", "kernel", halo([5, 5, 5]), "grid", &["[5, 5, 5]", "from 2 to 64 ranks"]);
    check_error("8x8", "kernel", halo([1, 1, 1]), "grid", &["from 2 to 64"]);
    check_error("8x8", "kernel", halo([65536, 65536, 1]), "grid", &["from 2 to 64"]);
    check_error("8x8", "trace", json!({"path": ""}), "path", &["directory"]);
    check_error("8x8", "trace", json!({"compute_scale": -1}), "compute_scale", &["-1"]);
}

/// JSON has no NaN or infinity, but other formats do.
#[test]
fn nan_and_infinity_are_rejected() {
    let Workload::UniformRandom(mut pattern) = Workload::from_kind("uniform-random", json!({})).unwrap()
    else {
        unreachable!()
    };
    let parameters = machine(shape("8x8"));
    let mut key_of = |load, share| {
        (pattern.load, pattern.high_priority_share) = (load, share);
        let plan = Workload::UniformRandom(pattern.clone()).plan(&context(&parameters));
        plan.unwrap_err().key
    };
    assert_eq!(key_of(Some(f64::NAN), 0.0), "load");
    assert_eq!(key_of(Some(f64::INFINITY), 0.0), "load");
    assert_eq!(key_of(None, f64::NAN), "high_priority_share");
}

#[test]
fn ping_pong_nodes_have_the_stated_distance() {
    let shape = shape("2mx2mx2m");
    for hops in 1..=3 {
        let plan = plan(&machine(shape.clone()), "ping-pong", json!({"hops": hops}));
        let PlannedTraffic::Ranks(RankWork::PingPong(game)) = plan.traffic else { panic!("not of ranks") };
        assert_eq!(shape.distance(game.source, game.target), hops);
    }
}

proptest! {
    /// Any numbers give a plan or an error, and the first packets of a plan are valid.
    #[test]
    fn arbitrary_parameters_never_panic(
        shape in shapes(), kind in 0..Workload::KINDS.len(), bytes in any::<u64>(), small in 0u64..4000, float in any::<f64>(),
        list in prop::collection::vec(-3i32..9, 0..5), dimension in 0usize..4,
    ) {
        let (kind, _) = Workload::KINDS[kind];
        let huge_or_small = if bytes % 2 == 0 { bytes } else { small };
        let all = json!({
            "payload_bytes": huge_or_small, "packets_per_pair": huge_or_small, "packets_per_node": huge_or_small,
            "packets_per_visit": small, "load": float, "share": float, "high_priority_share": float.fract().abs(),
            "origin": list, "box": list, "offset": list, "dimension": dimension, "dimensions": [dimension, 0],
            "hops": small, "repetitions": bytes, "compute_scale": float, "packet_bytes": (small % 10) * 32,
        });
        let known = Workload::schema(kind).unwrap();
        let mut options = required(kind);
        for (name, _) in known.get("properties").into_iter().flat_map(|value| value.as_object().unwrap()) {
            if bytes >> (name.len() % 60) & 1 == 1 && all.get(name).is_some() {
                options[name] = all[name].clone();
            }
        }
        let Ok(workload) = Workload::from_kind(kind, options) else { return Ok(()) };
        let parameters = machine_with_real_fifos(shape.clone());
        let Ok(plan) = workload.plan(&context(&parameters)) else { return Ok(()) };
        if let PlannedTraffic::Generated(source) = &plan.traffic {
            for node in 0..shape.nodes() {
                for offer in packets(&**source, mixed(node), 20) {
                    prop_assert_ne!(walk(&shape, node, &offer.hops), node);
                    prop_assert!(offer.chunks >= source.smallest_chunks());
                }
            }
        }
    }
}
