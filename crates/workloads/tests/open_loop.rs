//! Open-loop workloads: targets, sizes, shares and arrival rates are as stated.

mod common;

use common::*;
use network::{Lane, LaneKind, Offer};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;
use workloads::Workload;

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

fn lane(node: u32, kind: LaneKind, number: u32, lanes: u32) -> Lane {
    Lane { node, kind, number, lanes }
}

#[test]
fn uniform_targets_are_evenly_distributed_and_never_the_sender() {
    let shape = shape("3x4");
    let plan = plan(&machine(shape.clone()), "uniform-random", json!({}));
    assert!(!plan.ends && plan.total_packets.is_none());
    let mut counts = [0u32; 12];
    for offer in packets(&*source(&plan), mixed(7), 110_000) {
        counts[walk(&shape, 7, &offer.hops) as usize] += 1;
        assert_eq!((offer.ready, offer.chunks), (0, 8));
    }
    assert_eq!(counts[7], 0);
    let others = counts.iter().enumerate().filter(|&(node, _)| node != 7);
    others.for_each(|(_, &count)| assert!((9_600..10_400).contains(&count), "{counts:?}"));
}

#[test]
fn hot_region_gets_its_share() {
    let shape = shape("4x4x4");
    let options = json!({"share": 0.25, "origin": [3, 0, 1], "box": [2, 1, 3]});
    let plan = plan(&machine(shape.clone()), "hot-region", options);
    let source = source(&plan);
    let is_inside = |node: u32| {
        let [x, y, z, ..] = shape.coordinates(node);
        (x == 3 || x == 0) && y == 0 && z >= 1
    };
    assert_eq!((0..64).filter(|&node| is_inside(node)).count(), 6);
    for node in [0u32, 63, shape.node(&[3, 0, 1, 0, 0, 0])] {
        let targets: Vec<u32> =
            packets(&*source, mixed(node), 50_000).iter().map(|o| walk(&shape, node, &o.hops)).collect();
        assert!(targets.iter().all(|&target| target != node));
        let inside = targets.iter().filter(|&&target| is_inside(target)).count() as f64 / 50_000.0;
        let uniform = if is_inside(node) { 5.0 / 63.0 } else { 6.0 / 63.0 };
        assert!((inside - (0.25 + 0.75 * uniform)).abs() < 0.01, "{node}: {inside}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn mean_hops_match_the_packets(
        shape in shapes(), corner in any::<[u32; 4]>(), extent in any::<[u32; 4]>(), share in 0.0..1.0
    ) {
        let dimensions = shape.dimensions();
        let origin: Vec<u32> = (0..dimensions).map(|d| corner[d] % shape.length(d)).collect();
        let room = |d: usize| if shape.wraps(d) { shape.length(d) } else { shape.length(d) - origin[d] };
        let lengths: Vec<u32> = (0..dimensions).map(|d| 1 + extent[d] % room(d)).collect();
        let hot = json!({"share": share, "origin": origin, "box": lengths});
        for (kind, options) in [("uniform-random", json!({})), ("hot-region", hot)] {
            let plan = plan(&machine(shape.clone()), kind, options);
            let source = source(&plan);
            let each = 200_000 / u64::from(shape.nodes());
            let offers = (0..shape.nodes()).flat_map(|node| packets(&*source, mixed(node), each));
            let found = mean(offers.map(|offer| f64::from(offer.hops.total())));
            let expected = plan.mean_hops.unwrap();
            prop_assert!((found - expected).abs() < 0.05, "{} {}: {} {}", kind, shape, found, expected);
        }
    }
}

#[test]
fn uniform_mean_hops_match_the_geometry() {
    for text in ["8x8x8", "7x4x1", "5mx2x3"] {
        let shape = shape(text);
        let nodes = f64::from(shape.nodes());
        let plan = plan(&machine(shape.clone()), "uniform-random", json!({}));
        let others_only = shape.mean_distance() * nodes / (nodes - 1.0);
        assert!((plan.mean_hops.unwrap() - others_only).abs() < 1e-12, "{text}");
    }
}

#[test]
fn sizes_are_uniform_over_their_range() {
    let parameters = machine(shape("4x4"));
    let plan = plan(&parameters, "uniform-random", json!({"packet_bytes": [32, 256]}));
    let source = source(&plan);
    assert_eq!(source.smallest_chunks(), 1);
    let mut counts = [0u32; 9];
    packets(&*source, mixed(3), 80_000).iter().for_each(|offer| counts[usize::from(offer.chunks)] += 1);
    assert!(counts[1..].iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
    let full = common::plan(&parameters, "uniform-random", json!({}));
    let ratio = bound(&plan).packets_per_cycle.unwrap() / bound(&full).packets_per_cycle.unwrap();
    assert!((ratio - 270.0 / (14.0 + 144.0)).abs() < 1e-12); // 14 B of overhead; the chunks are 144 B on average
}

/// Packets per cycle that a node offers over the given lanes.
fn rate(plan: &workloads::Plan, lanes: &[Lane]) -> f64 {
    let source = source(plan);
    let rate = |&lane| 40_000.0 / packets(&*source, lane, 40_000).last().unwrap().ready as f64;
    lanes.iter().map(rate).sum()
}

/// At load 1 the links of the busiest dimension are offered exactly their capacity.
#[test]
fn poisson_arrivals_keep_the_load() {
    let shape = shape("8x8x16");
    let nodes = f64::from(shape.nodes());
    let peak = 8.0 / 16.0 * (nodes - 1.0) / nodes / 270.0; // packets per node per cycle; row M2 without the node itself
    for load in [0.05, 0.9, 1.2] {
        let real = plan(&machine_with_real_fifos(shape.clone()), "uniform-random", json!({"load": load}));
        let infinite = plan(&machine(shape.clone()), "uniform-random", json!({"load": load}));
        let one = [lane(9, LaneKind::Mixed, 0, 1)];
        let six: Vec<Lane> = (0..6).map(|number| lane(9, LaneKind::Normal, number, 6)).collect();
        for found in [rate(&real, &one), rate(&infinite, &six)] {
            assert!((found / (load * peak) - 1.0).abs() < 0.02, "{load}: {found} {}", load * peak);
        }
    }
}

#[test]
fn gaps_are_exponential_and_independent() {
    let plan = plan(&machine(shape("8x8x8")), "uniform-random", json!({"load": 0.5}));
    let source = source(&plan);
    let ready: Vec<u64> = packets(&*source, mixed(1), 100_000).iter().map(|offer| offer.ready).collect();
    let gaps: Vec<f64> = ready.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    let average = mean(gaps.iter().copied());
    let variance = mean(gaps.iter().map(|gap| (gap - average).powi(2)));
    assert!((variance.sqrt() / average - 1.0).abs() < 0.02);
    let covariance = mean(gaps.windows(2).map(|pair| (pair[0] - average) * (pair[1] - average)));
    assert!((covariance / variance).abs() < 0.02);
}

#[test]
fn priorities_keep_their_share() {
    let options = json!({"load": 0.5, "high_priority_share": 0.2});
    let infinite = plan(&machine(shape("8x8x8")), "uniform-random", options.clone());
    let normal: Vec<Lane> = (0..6).map(|number| lane(3, LaneKind::Normal, number, 6)).collect();
    let high: Vec<Lane> = (0..2).map(|number| lane(3, LaneKind::HighPriority, number, 2)).collect();
    let (normal, high) = (rate(&infinite, &normal), rate(&infinite, &high));
    assert!((high / (normal + high) - 0.2).abs() < 0.005, "{normal} {high}");
    let real = plan(&machine_with_real_fifos(shape("8x8x8")), "uniform-random", options);
    let source = source(&real);
    assert!(source.uses_high_priority());
    let offers = packets(&*source, mixed(3), 50_000);
    let share = offers.iter().filter(|offer| offer.class.high_priority).count() as f64 / 50_000.0;
    assert!((share - 0.2).abs() < 0.01, "{share}");
}

#[test]
fn packet_limits_hold_on_every_kind_of_lane() {
    let options = json!({"packets_per_node": 1000, "load": 0.5, "high_priority_share": 0.3});
    let plan = plan(&machine(shape("4x4")), "uniform-random", options);
    assert!(plan.ends);
    assert_eq!(plan.total_packets, Some(16_000));
    let source = source(&plan);
    let count = |kind, lanes| {
        (0..lanes)
            .map(|number| packets(&*source, lane(2, kind, number, lanes), u64::MAX).len())
            .sum::<usize>()
    };
    assert_eq!(count(LaneKind::Mixed, 1), 1000);
    assert_eq!((count(LaneKind::Normal, 6), count(LaneKind::HighPriority, 2)), (700, 300));
}

#[test]
fn offers_are_a_pure_function() {
    let plan = plan(&machine(shape("8x8")), "hot-region", json!({"load": 0.5, "packet_bytes": [32, 256]}));
    let source = source(&plan);
    let forward: Vec<Option<Offer>> = (0..500).map(|index| source.offer(mixed(5), index, 1000)).collect();
    let backward = (0..500).rev().map(|index| source.offer(mixed(5), index, 1000));
    assert!(backward.eq(forward.into_iter().rev()));
}

/// A shape, a kind with its parameters, the coordinates of a node, and those of its target if it sends packets.
type Target = (&'static str, &'static str, &'static str, [u32; 3], Option<[u32; 3]>);

const TARGETS: [Target; 14] = [
    ("8x8x8", "tornado", "{}", [6, 1, 0], Some([1, 4, 3])),
    ("8x7x8", "tornado", r#"{"dimension": 1}"#, [6, 1, 0], Some([6, 4, 0])),
    ("8mx8x8", "tornado", r#"{"dimension": 0}"#, [6, 1, 0], Some([1, 1, 0])),
    ("8x4x8", "transpose", "{}", [6, 1, 2], Some([2, 1, 6])),
    ("8x1x8", "transpose", "{}", [6, 0, 2], Some([2, 0, 6])),
    ("8x8x8", "transpose", r#"{"by": "rotate"}"#, [6, 1, 2], Some([2, 6, 1])),
    ("8x8x8", "transpose", "{}", [6, 1, 6], None),
    ("8x4x5", "bit-complement", "{}", [6, 1, 2], Some([1, 2, 2])),
    ("8x4x5", "bit-complement", "{}", [6, 1, 0], Some([1, 2, 4])),
    ("8x4x5", "permutation", r#"{"order": "reversal"}"#, [6, 1, 2], Some([1, 2, 2])),
    ("4x1x1", "shift", r#"{"offset": [3, 0, 0]}"#, [2, 0, 0], Some([1, 0, 0])),
    ("4mx2x2", "shift", r#"{"offset": [3, 0, -1]}"#, [0, 0, 0], Some([3, 0, 1])),
    ("4mx2x2", "shift", r#"{"offset": [3, 0, -1]}"#, [1, 0, 0], None),
    ("2x1x1", "destination-matrix", r#"{"matrix": [[0, 1], [1, 0]]}"#, [0, 0, 0], Some([1, 0, 0])),
];

#[test]
fn permutations_have_the_defined_targets() {
    for (text, kind, options, from, expected) in TARGETS {
        let shape = shape(text);
        let plan = plan(&machine(shape.clone()), kind, serde_json::from_str(options).unwrap());
        let node = shape.node(&[from[0], from[1], from[2], 0, 0, 0]);
        let target = source(&plan).offer(mixed(node), 17, 0).map(|offer| {
            let [x, y, z, ..] = shape.coordinates(walk(&shape, node, &offer.hops));
            [x, y, z]
        });
        assert_eq!(target, expected, "{kind} on {text}");
    }
}

/// Every pattern whose nodes send without end, each to one target, is among them.
#[test]
fn fixed_targets_have_examples() {
    for (kind, _) in Workload::KINDS {
        let plan = plan(&machine(shape("4x4x4")), kind, required(kind));
        let targets =
            |node| packets(&*source(&plan), mixed(node), 50).into_iter().map(|offer| offer.hops.total());
        let are_fixed = !plan.ends && (0..64).all(|node| targets(node).collect::<BTreeSet<_>>().len() < 2);
        assert!(!are_fixed || TARGETS.iter().any(|(_, named, ..)| named == kind), "{kind}");
    }
}

/// The deadlock of row S10 needs three hops in x+, although one in x- would suffice.
#[test]
fn shifts_keep_their_hops() {
    let options = json!({"offset": [3, 0, 0], "routing": "deterministic", "packet_bytes": [32, 256]});
    let plan = plan(&machine(shape("4x1x1")), "shift", options);
    let offers = packets(&*source(&plan), mixed(1), 100);
    assert!(offers.iter().all(|offer| offer.hops.0[0] == 3 && offer.class.deterministic));
    assert_eq!(plan.mean_hops, Some(3.0));
}

/// A destination matrix with one weight for all others is uniform traffic. It has the same bound, mean hops and
/// targets. A row without weights sends nothing.
#[test]
fn a_destination_matrix_of_equal_weights_is_uniform_traffic() {
    for text in ["4x4", "5x3m", "2x3x4"] {
        let shape = shape(text);
        let nodes = shape.nodes() as usize;
        let row = |source: usize| (0..nodes).map(|target| f64::from(u8::from(source != target))).collect();
        let mut matrix: Vec<Vec<f64>> = (0..nodes).map(row).collect();
        let uniform = plan(&machine(shape.clone()), "uniform-random", json!({"load": 0.5}));
        let own = plan(&machine(shape.clone()), "destination-matrix", json!({"load": 0.5, "matrix": matrix}));
        let rate = |plan: &workloads::Plan| bound(plan).packets_per_cycle.unwrap();
        assert!((rate(&own) / rate(&uniform) - 1.0).abs() < 1e-14, "{text}");
        assert!((own.mean_hops.unwrap() - uniform.mean_hops.unwrap()).abs() < 1e-13, "{text}");
        assert!(
            (own.offered_packets_per_cycle.unwrap() / uniform.offered_packets_per_cycle.unwrap() - 1.0).abs()
                < 1e-14
        );
        let mut found = vec![0u32; nodes];
        for offer in packets(&*source(&own), mixed(1), 20_000 * (nodes as u64 - 1)) {
            found[shape.destination(1, &offer.hops).unwrap() as usize] += 1;
        }
        assert_eq!(found[1], 0);
        found.swap_remove(1);
        assert!(found.iter().all(|count| count.abs_diff(20_000) < 700), "{text}: {found:?}");
        matrix[0] = vec![0.0; nodes];
        let fewer =
            plan(&machine(shape), "destination-matrix", json!({"packets_per_node": 2, "matrix": matrix}));
        assert_eq!(fewer.total_packets, Some(2 * (nodes as u64 - 1)));
        assert!(packets(&*source(&fewer), mixed(0), 1).is_empty());
    }
}

/// All nodes send to one node: the links by which it receives are the bound.
#[test]
fn a_destination_matrix_is_bound_by_the_links_of_a_node() {
    let table = json!({"source": [5, 7, 10, 13, 15], "target": [0, 0, 0, 0, 0], "weight": [1, 2, 3, 4, 5]});
    let found = bound(&plan(&machine(shape("4x4")), "destination-matrix", json!({"table": table})));
    // Each comes by a link along x or along y: the four links share what five nodes send.
    assert_eq!(found.kind, "links of a node");
    assert!((found.packets_per_cycle.unwrap() * 270.0 - 4.0).abs() < 1e-9, "{found:?}");
}
