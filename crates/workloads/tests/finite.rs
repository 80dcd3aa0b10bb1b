//! Finite workloads: each pair gets exactly its packets, for any order, visits and lanes.

mod common;

use common::*;
use geometry::Shape;
use network::{Lane, LaneKind};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Number of packets of each (source, target, chunks), over all lanes.
fn pairs(shape: &Shape, kind: &str, options: &Value, lanes: u32) -> BTreeMap<(u32, u32, u8), u32> {
    let plan = plan(&machine(shape.clone()), kind, options.clone());
    let source = source(&plan);
    let mut pairs = BTreeMap::new();
    let (mut total, mut hops) = (0u64, 0u64);
    for node in 0..shape.nodes() {
        for number in 0..lanes {
            let lane = Lane { node, kind: LaneKind::Normal, number, lanes };
            for offer in packets(&*source, lane, u64::MAX) {
                *pairs.entry((node, walk(shape, node, &offer.hops), offer.chunks)).or_default() += 1;
                assert!(offer.chunks >= source.smallest_chunks());
                total += 1;
                hops += u64::from(offer.hops.total());
            }
        }
    }
    assert_eq!(plan.total_packets, Some(total));
    let mean_hops = plan.mean_hops.unwrap();
    assert!((mean_hops - hops as f64 / total as f64).abs() < 1e-9, "{kind} {shape}: {mean_hops}");
    pairs
}

fn check_all_to_all(shape: &Shape, order: &str, packets_per_visit: Value) {
    let options = |payload_bytes: u64| json!({"payload_bytes": payload_bytes, "order": order, "packets_per_visit": packets_per_visit});
    let nodes = shape.nodes();
    let everyone = |chunks: u8, times: u32| {
        let pairs = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).filter(|(a, b)| a != b);
        pairs.map(move |(a, b)| ((a, b, chunks), times)).collect::<BTreeMap<_, _>>()
    };
    for lanes in [1, 6] {
        assert_eq!(pairs(shape, "all-to-all", &options(2400), lanes), everyone(8, 10));
        assert_eq!(pairs(shape, "all-to-all", &options(16), lanes), everyone(1, 1));
        let mut uneven = everyone(8, 2);
        uneven.extend(everyone(4, 1));
        assert_eq!(pairs(shape, "all-to-all", &options(2 * 240 + 100), lanes), uneven);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn all_to_all_serves_every_pair(shape in shapes(), visit in 1u64..12) {
        for order in ["random", "rotating", "common", "identity"] {
            check_all_to_all(&shape, order, json!(visit));
            check_all_to_all(&shape, order, json!("all"));
        }
    }

    #[test]
    fn lines_and_planes_serve_all_their_members(shape in shapes(), pick in any::<[usize; 2]>()) {
        let dimensions = shape.dimensions();
        let (first, second) = (pick[0] % dimensions, pick[1] % dimensions);
        let differ = |a: u32, b: u32| {
            let (a, b) = (shape.coordinates(a), shape.coordinates(b));
            (0..dimensions).filter(|&d| a[d] != b[d]).collect::<Vec<_>>()
        };
        let mut cases = vec![("line-all-to-all", vec![first])];
        if first != second {
            cases.push(("line-all-to-all", vec![first, second]));
            cases.push(("plane-all-to-all", vec![first, second]));
        }
        for (kind, along) in cases {
            if along.iter().all(|&d| shape.length(d) == 1) {
                continue;
            }
            for order in ["random", "rotating", "common"] {
                let options = json!({"payload_bytes": 500, "dimensions": along, "order": order});
                let max = if kind == "line-all-to-all" { 1 } else { 2 };
                let found = pairs(&shape, kind, &options, 6);
                let mut expected = BTreeMap::new();
                for (a, b) in (0..shape.nodes()).flat_map(|a| (0..shape.nodes()).map(move |b| (a, b))) {
                    let differ = differ(a, b);
                    if !differ.is_empty() && differ.len() <= max && differ.iter().all(|d| along.contains(d)) {
                        expected.insert((a, b, 8), 2);
                        expected.insert((a, b, 2), 1); // 20 bytes and the software header
                    }
                }
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn every_link_carries_one_message_to_the_neighbor(shape in shapes()) {
        let plan = plan(&machine(shape.clone()), "nearest-neighbor", json!({"payload_bytes": 240}));
        let source = source(&plan);
        for node in 0..shape.nodes() {
            let offers = packets(&*source, mixed(node), u64::MAX);
            let mut used: Vec<_> = offers.iter().flat_map(|offer| offer.hops.directions()).collect();
            used.sort();
            let links: Vec<_> = geometry::Direction::all(shape.dimensions())
                .filter(|&direction| shape.neighbor(node, direction).is_some())
                .collect();
            prop_assert_eq!(used, links);
        }
        let full_packet_bytes = 270.0;
        prop_assert_eq!(bound(&plan).drained_cycles, Some(full_packet_bytes));
    }
}

#[test]
fn hot_spot_sends_from_every_node_outside_to_every_node_inside() {
    let minimal = ["minimal"; 3];
    for (text, origin, lengths, directions) in [
        ("4x4x4", [0, 0, 0], [1, 1, 1], minimal),
        ("4x4x4", [3, 1, 2], [2, 4, 3], minimal),
        ("4x5x4", [3, 1, 2], [2, 4, 3], ["+", "-", "minimal"]),
        ("5mx4x3m", [2, 3, 0], [3, 2, 1], minimal),
        ("2x3x4", [1, 1, 1], [1, 3, 2], minimal),
    ] {
        let shape = shape(text);
        let options = json!({
            "packets_per_pair": 3, "origin": origin, "box": lengths, "directions": directions
        });
        let found = pairs(&shape, "hot-spot", &options, 6);
        let is_inside = |node: u32| {
            let coordinates = shape.coordinates(node);
            (0..3).all(|d| (0..lengths[d]).any(|i| (origin[d] + i) % shape.length(d) == coordinates[d]))
        };
        let expected: BTreeMap<_, _> = (0..shape.nodes())
            .flat_map(|a| (0..shape.nodes()).map(move |b| (a, b)))
            .filter(|&(a, b)| !is_inside(a) && is_inside(b))
            .map(|(a, b)| ((a, b, 8), 3))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn orders_and_visits_match_their_names() {
    let targets = |order: &str, visit: Value| -> Vec<u32> {
        let shape = shape("5");
        let options = json!({"payload_bytes": 480, "order": order, "packets_per_visit": visit});
        let plan = plan(&machine(shape.clone()), "all-to-all", options);
        packets(&*source(&plan), mixed(2), 99).iter().map(|offer| walk(&shape, 2, &offer.hops)).collect()
    };
    assert_eq!(targets("identity", json!(1)), [0, 1, 3, 4, 0, 1, 3, 4]);
    assert_eq!(targets("identity", json!("all")), [0, 0, 1, 1, 3, 3, 4, 4]);
    assert_eq!(targets("rotating", json!(1)), [3, 4, 0, 1, 3, 4, 0, 1]);
    let random = targets("random", json!(1));
    assert_eq!(random[..4], random[4..]);
}

#[test]
fn all_nodes_have_a_common_order_of_distances() {
    let shape = shape("4x4x4");
    let plan = plan(&machine(shape.clone()), "all-to-all", json!({"payload_bytes": 16, "order": "common"}));
    let source = source(&plan);
    let distances = |node: u32| -> Vec<u32> {
        let offers = packets(&*source, mixed(node), 99);
        offers.iter().map(|offer| (walk(&shape, node, &offer.hops) + 64 - node) % 64).collect()
    };
    assert!((1..64).all(|node| distances(node) == distances(0)));
    assert!(!distances(0).is_sorted());
}

#[test]
fn each_node_has_its_own_random_order() {
    let shape = shape("4x4x4");
    let plan = plan(&machine(shape.clone()), "all-to-all", json!({"payload_bytes": 16}));
    let source = source(&plan);
    let first = |node: u32| walk(&shape, node, &source.offer(mixed(node), 0, 0).unwrap().hops);
    let firsts: std::collections::BTreeSet<u32> = (0..64).map(first).collect();
    assert!(firsts.len() > 30, "{firsts:?}"); // 64 (1 - 1/e) = 40 are expected
}

#[test]
fn half_way_traffic_is_split_evenly() {
    let shape = shape("2x4x3");
    let plan = plan(&machine(shape.clone()), "all-to-all", json!({"payload_bytes": 240_000}));
    let source = source(&plan);
    let mut plus = [0u32; 2];
    let mut ties = [0u32; 2];
    for offer in (0..24).flat_map(|node| packets(&*source, mixed(node), u64::MAX)) {
        for (dimension, half) in [(0, 1), (1, 2)] {
            ties[dimension] += (offer.hops.0[dimension].abs() == half) as u32;
            plus[dimension] += (offer.hops.0[dimension] == half) as u32;
        }
    }
    for dimension in 0..2 {
        let share = f64::from(plus[dimension]) / f64::from(ties[dimension]);
        assert!((share - 0.5).abs() < 0.005, "{share} of {}", ties[dimension]);
    }
}

#[test]
fn options_reach_the_packets() {
    let mut parameters = machine(shape("4x4"));
    parameters.node.cores = 2;
    let options = json!({
        "payload_bytes": 16, "priority": "high", "routing": "deterministic", "directions": ["+", "minimal"]
    });
    let plan = plan(&parameters, "all-to-all", options);
    let source = source(&plan);
    assert!(source.uses_high_priority());
    let offers = packets(&*source, mixed(5), 99);
    assert!(offers.iter().all(|offer| offer.class.high_priority && offer.class.deterministic));
    assert!(offers.iter().all(|offer| offer.hops.0[0] >= 0));
    assert!(offers.iter().any(|offer| offer.hops.0[0] == 3));
    let groups: Vec<u8> = offers.iter().map(|offer| offer.class.reception_group).collect();
    assert_eq!(groups[..4], [0, 1, 0, 1]);
    let high = Lane { node: 5, kind: LaneKind::HighPriority, number: 0, lanes: 1 };
    assert_eq!(packets(&*source, high, 99).len(), offers.len());
    let normal = Lane { kind: LaneKind::Normal, ..high };
    assert!(packets(&*source, normal, 99).is_empty());
}
