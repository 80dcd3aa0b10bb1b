//! Theoretical peaks, checked against the literature and, on small machines, against brute force.

mod common;

use common::*;
use geometry::{Faults, HalfWay, Hops, Shape, Twist, WithoutCleanEscape};
use proptest::prelude::*;
use serde_json::{Value, json};
use workloads::{PlannedTraffic, Workload};

const FULL_PACKET: f64 = 270.0;

fn drained_cycles(text: &str, kind: &str, options: Value) -> f64 {
    bound(&plan(&machine(shape(text)), kind, options)).drained_cycles.unwrap()
}

/// Packets per node per cycle, in units of a link's rate.
fn node_rate(text: &str, kind: &str, options: Value) -> f64 {
    let shape = shape(text);
    let plan = plan(&machine(shape.clone()), kind, options);
    bound(&plan).packets_per_cycle.unwrap() / f64::from(shape.nodes()) * FULL_PACKET
}

fn assert_close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
}

/// Row M2: m N L / 8 B.
#[test]
fn all_to_all_is_bound_by_the_longest_dimension() {
    for (text, nodes, longest) in
        [("8x8x8", 512.0, 8.0), ("16x8x8", 1024.0, 16.0), ("64x32x32", 65536.0, 64.0)]
    {
        let found = drained_cycles(text, "all-to-all", json!({"payload_bytes": 240}));
        assert_close(found, FULL_PACKET * nodes * longest / 8.0);
    }
    assert_close(drained_cycles("8x8x8", "all-to-all", json!({"payload_bytes": 16})), 46.0 * 512.0);
    assert_close(node_rate("32x32x32", "uniform-random", json!({})), 0.25 * 32767.0 / 32768.0);
}

/// Row M4: an open dimension takes exactly twice as long, whether its length is odd or even.
#[test]
fn all_to_all_on_a_mesh_takes_twice_as_long() {
    for (torus, mesh) in
        [("8x8x32", "8x8x32m"), ("7x7x7", "7mx7mx7m"), ("9x5", "9mx5"), ("8x8x16", "8mx8mx16m")]
    {
        let time = |text| drained_cycles(text, "all-to-all", json!({"payload_bytes": 240}));
        assert_close(time(mesh), 2.0 * time(torus));
    }
}

#[test]
fn slower_links_bind() {
    let mut parameters = machine(shape("8x8x8"));
    parameters.links[1].cycles_per_byte = network::CyclesPerByte::whole(3);
    let found = bound(&plan(&parameters, "all-to-all", json!({"payload_bytes": 240})));
    // The last packet is received 10 bytes of 3 cycles, less a hop of 12, before its link is free.
    assert_close(found.drained_cycles.unwrap(), 3.0 * FULL_PACKET * 512.0 - 18.0);
    assert_eq!(found.kind, "busiest dimension");
}

/// Row M9, one packet per pair.
#[test]
fn hot_spots_are_bound_by_their_entry_links() {
    for (length, cycles) in [(1, 22_995.0), (2, 45_360.0), (4, 80_640.0)] {
        let options = json!({"packets_per_pair": 1, "box": [length, length, length]});
        assert_close(drained_cycles("8x8x8", "hot-spot", options), cycles);
    }
    let corner_of_a_mesh = drained_cycles("8mx8mx8m", "hot-spot", json!({"packets_per_pair": 1}));
    assert_close(corner_of_a_mesh, 2.0 * 22_995.0);
}

/// Row M8, without the packets that a node would send to itself.
#[test]
fn hot_regions_are_bound_by_their_entry_links() {
    let demand = 3584.0 * (0.25 + 0.75 * 512.0 / 4095.0);
    let found = plan(&machine(shape("16x16x16")), "hot-region", json!({}));
    assert_eq!(bound(&found).kind, "entry links");
    assert_close(node_rate("16x16x16", "hot-region", json!({})), 384.0 / demand);
    let all_of_it = json!({"box": [16, 16, 16]});
    assert_close(
        node_rate("16x16x16", "hot-region", all_of_it),
        node_rate("16x16x16", "uniform-random", json!({})),
    );
    let hardly_hot = bound(&plan(&machine(shape("16x16x16")), "hot-region", json!({"share": 0.0})));
    assert_eq!(hardly_hot.kind, "busiest dimension");
}

/// Row M11.
#[test]
fn tornado_uses_half_of_the_links() {
    for (text, rate) in [("8x8x8", 1.0 / 3.0), ("16x16x16", 1.0 / 7.0), ("32x8x8", 1.0 / 15.0)] {
        assert_close(node_rate(text, "tornado", json!({"dimension": 0})), rate);
        assert_close(node_rate(text, "tornado", json!({})), rate);
    }
}

#[test]
fn shifts_are_bound_by_their_hops() {
    assert_close(node_rate("8x8x8", "shift", json!({"offset": [3, -1, 0]})), 1.0 / 3.0);
    assert_close(node_rate("4x1x1", "shift", json!({"offset": [3, 0, 0]})), 1.0 / 3.0);
    let half_way = json!({"packets_per_node": 4});
    // On a ring of two nodes, a packet may take either link.
    assert_close(drained_cycles("2", "bit-complement", half_way), 4.0 * FULL_PACKET / 2.0);
}

/// In each ring of 32, the packets of the eight nodes nearest to the edge cross it under any minimal routing.
#[test]
fn the_bit_complement_bound_is_the_load_of_dimension_order() {
    assert_close(node_rate("32x32x32", "bit-complement", json!({})), 1.0 / 8.0);
    assert_close(node_rate("32mx32mx32m", "bit-complement", json!({})), 1.0 / 16.0);
}

/// Cycles in which a link carries a message, trailing gap included, and the number of times that it must, by
/// kernel.
#[test]
fn kernels_are_bound_by_their_busiest_link_or_cut() {
    let kernel = |text, name, options: Value| {
        let mut options = options;
        (options["name"], options["iterations"]) = (json!(name), json!(3));
        let plan = plan(&machine(shape(text)), "kernel", options);
        (bound(&plan).drained_cycles.unwrap() / 3.0 / FULL_PACKET, bound(&plan).kind, plan.mean_hops.unwrap())
    };
    let packets = json!({"bytes": 2400});
    for (text, name, per_iteration) in [
        ("8x8x8", "ping-pong", 10.0),
        ("8x8x8", "six-way-send", 10.0),
        ("8x8x8", "six-way-receive", 10.0),
        ("8x8", "halo-2d", 10.0),
        ("8x8x8", "halo-3d", 10.0),
        // Both links of a ring of two nodes lead to the same neighbor: of two messages to it, or of one.
        ("2x2x2", "halo-3d", 10.0),
        ("2x2x2", "six-way-send", 5.0),
        ("2mx2mx2m", "halo-3d", 20.0),
    ] {
        assert_eq!(
            kernel(text, name, packets.clone()),
            (per_iteration, "busiest link", 1.0),
            "{name} on {text}"
        );
    }
    // A ring of 16 ranks in rows of four: besides the steps within the four rows, the three steps from row to row and the
    // step back to the first cross each cut along x.
    let (cycles, kind, _) = kernel("4mx4m", "halo-2d", json!({"bytes": 2400, "grid": [16, 1]}));
    assert_eq!((cycles, kind), (20.0, "busiest cut"));
}

#[test]
fn messages_within_nodes_and_dead_links_leave_no_bound() {
    let halo = |parameters: &_| plan(parameters, "kernel", json!({"name": "halo-2d", "grid": [2, 1]}));
    let mut one_node = machine(shape("1"));
    one_node.node.cores = 2;
    assert!(halo(&one_node).bound.is_none());
    let mut faulty = machine(shape("4x4"));
    assert!(halo(&faulty).bound.is_some());
    faulty.faults = Faults::new(&faulty.shape, &[5], &[], WithoutCleanEscape::default()).unwrap();
    assert!(halo(&faulty).bound.is_none());
}

/// Link loads of all packets under a routing.
struct BruteForce<'a> {
    shape: &'a Shape,
    loads: Vec<f64>,
}

impl BruteForce<'_> {
    fn split_evenly(&mut self, node: u32, hops: Hops, flow: f64) {
        let directions: Vec<_> = hops.directions().collect();
        for &direction in &directions {
            let part = flow / directions.len() as f64;
            self.loads[node as usize * 12 + direction.index()] += part;
            let mut rest = hops;
            rest.0[direction.dimension()] -= hops.0[direction.dimension()].signum();
            self.split_evenly(self.shape.neighbor(node, direction).unwrap(), rest, part);
        }
    }

    fn in_dimension_order(&mut self, node: u32, hops: Hops, flow: f64) {
        if let Some(direction) = hops.directions().next() {
            self.loads[node as usize * 12 + direction.index()] += flow;
            let mut rest = hops;
            rest.0[direction.dimension()] -= hops.0[direction.dimension()].signum();
            self.in_dimension_order(self.shape.neighbor(node, direction).unwrap(), rest, flow);
        }
    }
}

/// The division of packets among minimal paths.
type Routing<'a> = fn(&mut BruteForce<'a>, u32, Hops, f64);

/// The loads of all links when every pair sends one packet, divided evenly over the directions at half-way ties.
fn loads<'a>(shape: &'a Shape, pairs: &[(u32, u32)], routing: Routing<'a>) -> Vec<f64> {
    let mut brute_force = BruteForce { shape, loads: vec![0.0; shape.nodes() as usize * 12] };
    let coins = 1 << shape.dimensions();
    for &(source, target) in pairs {
        for coin in 0..coins {
            routing(&mut brute_force, source, shape.route(source, target, coin), 1.0 / f64::from(coins));
        }
    }
    brute_force.loads
}

fn busiest(loads: &[f64]) -> f64 {
    loads.iter().copied().fold(0.0, f64::max)
}

/// For each direction and coordinate, the mean load of the links in that direction that start at that coordinate.
fn cuts(shape: &Shape, loads: &[f64]) -> Vec<f64> {
    let mut cuts = vec![0.0; 12 * 8];
    for node in 0..shape.nodes() {
        for direction in geometry::Direction::all(shape.dimensions()) {
            let dimension = direction.dimension();
            let place = shape.coordinates(node)[dimension] as usize * 12 + direction.index();
            let links = shape.nodes() / shape.length(dimension);
            cuts[place] += loads[node as usize * 12 + direction.index()] / f64::from(links);
        }
    }
    cuts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// In an all-to-all, dimension order loads all lines equally, so its busiest link is the bound. A rule that sends all
    /// half-way packets of a node or of a pair one way may load some links more.
    #[test]
    fn all_to_all_loads_match_brute_force(shape in shapes()) {
        let nodes = shape.nodes();
        let pairs: Vec<_> = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).collect();
        let busiest_on =
            |shape: &Shape| busiest(&loads(shape, &pairs, BruteForce::in_dimension_order)) * FULL_PACKET;
        let expected = busiest_on(&shape.clone().with_half_way(HalfWay::PerPacket, 0));
        prop_assert!(expected <= busiest_on(&shape) * (1.0 + 1e-9));
        let parameters = machine(shape.clone());
        let found = bound(&plan(&parameters, "all-to-all", json!({"payload_bytes": 240}))).drained_cycles.unwrap();
        prop_assert!((found / expected - 1.0).abs() < 1e-9, "{} {} {}", shape, found, expected);
        let options = json!({"packets_per_node": nodes - 1});
        let uniform = bound(&plan(&parameters, "uniform-random", options)).drained_cycles.unwrap();
        prop_assert!((uniform / found - 1.0).abs() < 1e-9);
    }

    /// In the dimensions of a twist all links of a direction carry the same, in dimension order too. Those between the
    /// first and the last are outside the twist, and may be open.
    #[test]
    fn all_to_all_loads_of_twisted_tori_match_brute_force(
        lengths in prop::collection::vec(2u32..6, 2..=4), by in 1i32..5, is_balanced: bool, is_open: bool,
    ) {
        let last = lengths.len() - 1;
        let twist = Twist::default().shifting(0, last, by);
        let wraps: Vec<bool> = (0..=last).map(|dimension| !is_open || dimension == 0 || dimension == last).collect();
        let shape = Shape::new(&lengths, &wraps).unwrap().with_twist(twist).unwrap();
        let costs = vec![1.0; lengths.len()];
        let shape = if is_balanced { shape.with_balanced_routes(&costs) } else { shape };
        let mut brute_force = BruteForce { shape: &shape, loads: vec![0.0; shape.nodes() as usize * 12] };
        for (source, target) in (0..shape.nodes()).flat_map(|a| (0..shape.nodes()).map(move |b| (a, b))) {
            for (hops, share) in shape.route_shares(source, target) {
                brute_force.in_dimension_order(source, hops, share);
            }
        }
        let expected = busiest(&brute_force.loads) * FULL_PACKET;
        let parameters = machine(shape.clone());
        let found = bound(&plan(&parameters, "all-to-all", json!({"payload_bytes": 240}))).drained_cycles.unwrap();
        prop_assert!((found / expected - 1.0).abs() < 1e-6, "{} {} {}", shape, found, expected);
        let detours = json!({"routing": "valiant", "packets_per_node": shape.nodes() - 1});
        let valiant = bound(&plan(&parameters, "uniform-random", detours)).drained_cycles.unwrap();
        // Two segments, each to or from any node, which may be the own one.
        let segments = 2.0 * f64::from(shape.nodes() - 1) / f64::from(shape.nodes());
        prop_assert!((valiant / found / segments - 1.0).abs() < 1e-6, "{} {}", valiant, found);
    }

    #[test]
    fn permutation_loads_match_brute_force(shape in shapes()) {
        let dimensions = shape.dimensions();
        let mirror = |node: u32| {
            let mut coordinates = shape.coordinates(node);
            (0..dimensions).for_each(|d| coordinates[d] = shape.length(d) - 1 - coordinates[d]);
            shape.node(&coordinates)
        };
        let around = |node: u32| {
            let mut coordinates = shape.coordinates(node);
            (0..dimensions).for_each(|d| {
                coordinates[d] = (coordinates[d] + shape.length(d).div_ceil(2) - 1) % shape.length(d);
            });
            shape.node(&coordinates)
        };
        let mirrored: Vec<_> = (0..shape.nodes()).map(|node| (node, mirror(node))).collect();
        let rounded: Vec<_> = (0..shape.nodes()).map(|node| (node, around(node))).collect();
        for (kind, pairs) in [("bit-complement", mirrored), ("tornado", rounded)] {
            let split = cuts(&shape, &loads(&shape, &pairs, BruteForce::split_evenly));
            let ordered = cuts(&shape, &loads(&shape, &pairs, BruteForce::in_dimension_order));
            prop_assert!(split.iter().zip(&ordered).all(|(a, b)| (a - b).abs() < 1e-9), "the same for any routing");
            let expected = busiest(&split) * FULL_PACKET;
            if expected > 0.0 {
                let plan = plan(&machine(shape.clone()), kind, json!({"packets_per_node": 1}));
                let found = bound(&plan).drained_cycles.unwrap();
                prop_assert!((found / expected - 1.0).abs() < 1e-9, "{} {} {} {}", kind, shape, found, expected);
            }
        }
    }
}

/// The bound of every pattern whose nodes send by themselves is between the mean load of links by its packets, and that
/// of the busiest link in dimension order, which cannot beat the bound. Random targets vary.
#[test]
fn every_bound_is_between_the_mean_and_the_busiest_link() {
    let shapes = ["4x5m", "2x3x4", "6"].map(shape);
    for (shape, (kind, _)) in
        shapes.iter().flat_map(|shape| Workload::KINDS.iter().map(move |of| (shape, of)))
    {
        let mut options = required(kind);
        if Workload::schema(kind).unwrap().to_value()["properties"].get("packets_per_node").is_some() {
            options["packets_per_node"] = json!(3000);
        }
        let Ok(plan) = try_plan(&machine(shape.clone()), kind, options) else { continue };
        let PlannedTraffic::Generated(source) = &plan.traffic else { continue };
        let mut ordered = BruteForce { shape, loads: vec![0.0; shape.nodes() as usize * 12] };
        for node in 0..shape.nodes() {
            for offer in packets(&**source, mixed(node), u64::MAX) {
                ordered.in_dimension_order(node, offer.hops, f64::from(offer.chunks) * 32.0 + 14.0);
            }
        }
        let links = f64::from(shape.nodes()) * 2.0 * shape.dimensions() as f64;
        let (least, most) = (ordered.loads.iter().sum::<f64>() / links, busiest(&ordered.loads));
        let found = bound(&plan).drained_cycles.unwrap();
        assert!(
            (0.99 * least..=1.000_001 * most).contains(&found),
            "{kind} on {shape}: {least} {found} {most}"
        );
    }
}

/// Forced hint bits send all traffic of a ring in one direction.
#[test]
fn forced_directions_change_the_bound() {
    let options = json!({"payload_bytes": 240, "directions": ["+", "minimal", "minimal"]});
    // 28 hops from each node of a ring of 8, on 8 links, for each of the 64 nodes that share the rest.
    assert_close(drained_cycles("8x8x8", "all-to-all", options.clone()), 28.0 * 64.0 * FULL_PACKET);
    let plan = plan(&machine(shape("8x8x8")), "all-to-all", options);
    assert_close(plan.mean_hops.unwrap(), (3.5 + 2.0 + 2.0) * 512.0 / 511.0);
}
