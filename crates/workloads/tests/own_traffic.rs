//! Own traffic: listed flows are sent as listed, permutations are permutations, messages and bursts are as stated.

mod common;

use common::*;
use geometry::{Direction, Shape};
use network::{Lane, LaneKind, Parameters};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// Bytes on a link of a flow: full packets of 240 bytes of payload, and a last one.
fn wire_bytes(parameters: &Parameters, bytes: u64) -> u64 {
    let last = (bytes - 1) % 240 + 1;
    let chunks = ((last + 16).div_ceil(32)) as u8;
    (bytes.div_ceil(240) - 1) * 270 + u64::from(parameters.packet.wire_bytes(chunks))
}

type Flow = (u32, u32, u64, u64);

fn flows(nodes: u32) -> impl Strategy<Value = Vec<Flow>> {
    let starts = prop::sample::select(vec![0u64, 0, 500, 9000]);
    prop::collection::vec((0..nodes, 0..nodes, 1u64..3000, starts), 1..40)
        .prop_filter("some packet", |flows| flows.iter().any(|flow| flow.0 != flow.1))
}

fn table(flows: &[Flow], has_starts: bool) -> Value {
    let mut table = json!({
        "source": flows.iter().map(|flow| flow.0).collect::<Vec<_>>(),
        "target": flows.iter().map(|flow| flow.1).collect::<Vec<_>>(),
        "bytes": flows.iter().map(|flow| flow.2).collect::<Vec<_>>(),
    });
    if has_starts {
        table["start_cycles"] = json!(flows.iter().map(|flow| flow.3).collect::<Vec<_>>());
    }
    json!({ "table": table })
}

fn shape_and_flows() -> impl Strategy<Value = (Shape, Vec<Flow>)> {
    shapes().prop_flat_map(|shape| {
        let nodes = shape.nodes();
        (Just(shape), flows(nodes))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Each pair gets the packets of its flows, none before its start, regardless of which cores send them.
    #[test]
    fn listed_flows_are_sent_whole((shape, flows) in shape_and_flows(), lanes in 1u32..4) {
        let mut expected: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
        for &(source, target, bytes, _) in flows.iter().filter(|flow| flow.0 != flow.1) {
            let sent = expected.entry((source, target)).or_default();
            let last_chunks = ((bytes - 1) % 240 + 1 + 16).div_ceil(32);
            *sent = (sent.0 + bytes.div_ceil(240), sent.1 + 8 * (bytes.div_ceil(240) - 1) + last_chunks);
        }
        let plan = plan(&machine(shape.clone()), "flows", table(&flows, true));
        let source = source(&plan);
        let mut found: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
        for node in 0..shape.nodes() {
            let earliest = |target: u32| {
                let own = flows.iter().filter(|flow| (flow.0, flow.1) == (node, target));
                own.map(|flow| flow.3).min().unwrap()
            };
            for number in 0..lanes {
                for offer in packets(&*source, Lane { node, kind: LaneKind::Normal, number, lanes }, u64::MAX) {
                    let target = walk(&shape, node, &offer.hops);
                    prop_assert!(offer.ready >= earliest(target));
                    prop_assert!(offer.chunks >= source.smallest_chunks());
                    let sent = found.entry((node, target)).or_default();
                    *sent = (sent.0 + 1, sent.1 + u64::from(offer.chunks));
                }
            }
        }
        prop_assert_eq!(plan.total_packets, Some(found.values().map(|sent| sent.0).sum()));
        prop_assert_eq!(found, expected);
    }

    /// The bound is the busiest of all cuts, of all links that routes along one dimension must use, and of all sets
    /// of links of a node. Here each is counted separately.
    #[test]
    fn bounds_match_brute_force((shape, flows) in shape_and_flows()) {
        let parameters = machine(shape.clone());
        let plan = plan(&parameters, "flows", table(&flows, false));
        let wires: Vec<(u32, u32, u64)> = flows
            .iter()
            .filter(|flow| flow.0 != flow.1)
            .map(|&(source, target, bytes, _)| (source, target, wire_bytes(&parameters, bytes)))
            .collect();
        let busiest = [cuts(&shape, &wires), links(&shape, &wires), links_of_nodes(&shape, &wires)];
        let expected = busiest.into_iter().fold(0.0, f64::max);
        let found = bound(&plan).drained_cycles.unwrap();
        prop_assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}: {busiest:?}");
    }
}

/// Both routes of a flow whose target may be half-way round, link by link.
fn crossings(shape: &Shape, source: u32, target: u32) -> Vec<(u32, Direction)> {
    let mut crossed = Vec::new();
    for coin in [0, u32::MAX] {
        let hops = shape.route(source, target, coin);
        let mut node = source;
        for toward in hops.directions() {
            for _ in 0..hops.0[toward.dimension()].unsigned_abs() {
                crossed.push((node, toward));
                node = shape.neighbor(node, toward).unwrap();
            }
        }
    }
    crossed
}

fn cuts(shape: &Shape, flows: &[(u32, u32, u64)]) -> f64 {
    let mut cuts: HashMap<(usize, u32), f64> = HashMap::new();
    for &(source, target, bytes) in flows {
        for (node, toward) in crossings(shape, source, target) {
            let from = shape.coordinates(node)[toward.dimension()];
            let links = f64::from(shape.nodes() / shape.length(toward.dimension()));
            *cuts.entry((toward.index(), from)).or_default() += bytes as f64 / 2.0 / links;
        }
    }
    cuts.into_values().fold(0.0, f64::max)
}

fn links(shape: &Shape, flows: &[(u32, u32, u64)]) -> f64 {
    let mut links: HashMap<(u32, usize), f64> = HashMap::new();
    for &(source, target, bytes) in flows {
        let crossed = crossings(shape, source, target);
        if crossed.iter().all(|(_, toward)| toward.dimension() == crossed[0].1.dimension()) {
            for (node, toward) in crossed {
                *links.entry((node, toward.index())).or_default() += bytes as f64 / 2.0;
            }
        }
    }
    links.into_values().fold(0.0, f64::max)
}

fn links_of_nodes(shape: &Shape, flows: &[(u32, u32, u64)]) -> f64 {
    let directions = |flow: &(u32, u32, u64)| {
        let crossed = crossings(shape, flow.0, flow.1);
        crossed.into_iter().fold(0u32, |set, (_, toward)| set | 1 << toward.index())
    };
    let sets: Vec<u32> = flows.iter().map(directions).collect();
    let mut busiest = 0.0f64;
    for node in 0..shape.nodes() {
        for links in 1u32..1 << (2 * shape.dimensions()) {
            let within = |of: fn(&(u32, u32, u64)) -> u32| -> u64 {
                let of_node =
                    flows.iter().zip(&sets).filter(|(flow, set)| of(flow) == node && *set & !links == 0);
                of_node.map(|(flow, _)| flow.2).sum()
            };
            let bytes = within(|flow| flow.0).max(within(|flow| flow.1));
            busiest = busiest.max(bytes as f64 / f64::from(links.count_ones()));
        }
    }
    busiest
}

#[test]
fn a_matrix_of_equal_flows_is_an_all_to_all() {
    let parameters = machine(shape("4x4x2m"));
    let row =
        |source: usize| (0..32).map(|target| if source == target { 0 } else { 500 }).collect::<Vec<_>>();
    let listed = plan(&parameters, "flows", json!({"matrix": (0..32).map(row).collect::<Vec<_>>()}));
    let all_to_all = plan(&parameters, "all-to-all", json!({"payload_bytes": 500}));
    assert_eq!(listed.total_packets, all_to_all.total_packets);
    assert!((listed.mean_hops.unwrap() / all_to_all.mean_hops.unwrap() - 1.0).abs() < 1e-12);
    let cycles = [listed, all_to_all].map(|plan| bound(&plan).drained_cycles.unwrap());
    assert!((cycles[0] / cycles[1] - 1.0).abs() < 1e-12, "{cycles:?}");
}

#[test]
fn flows_are_given_once_and_fit() {
    let parameters = machine(shape("2x2"));
    let error = |options: Value| try_plan(&parameters, "flows", options).unwrap_err().to_string();
    assert!(error(json!({})).starts_with("path: is missing"));
    let twice = json!({"matrix": [[0, 1], [1, 0]], "path": "flows.csv"});
    assert!(error(twice).starts_with("matrix: path says already"));
    assert!(
        error(json!({"matrix": [[0, 1], [1]]})).starts_with("matrix[1][1]: 1 values, but there are 2 rows")
    );
    assert!(
        error(json!({"matrix": [[0, -1], [1, 0]]})).starts_with("matrix[0][1]: -1 is not a whole number")
    );
    let far = json!({"table": {"source": [0, 7], "target": [1, 1], "bytes": [8, 8]}});
    assert!(error(far).starts_with("table.source[1]: there is no rank 7: the machine has room for 4"));
    assert!(error(json!({"matrix": [[8, 0], [0, 8]]})).starts_with("mapping: every rank sends only to"));
}

#[test]
fn permutations_reach_every_node_once() {
    let targets = |text: &str, options: Value| {
        let shape = shape(text);
        let plan = plan(&machine(shape.clone()), "permutation", options);
        let source = source(&plan);
        let target = |node: u32| {
            packets(&*source, mixed(node), 1).first().map(|offer| walk(&shape, node, &offer.hops))
        };
        (0..shape.nodes()).map(|node| target(node).unwrap_or(node)).collect::<Vec<u32>>()
    };
    for order in ["random", "bit-reversal", "shuffle", "reversal"] {
        let mut found = targets("4x4x2", json!({"order": order}));
        found.sort_unstable();
        assert!(found.into_iter().eq(0..32), "{order}");
    }
    assert_eq!(targets("8", json!({"order": "bit-reversal"})), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(targets("8", json!({"order": "shuffle"})), [0, 2, 4, 6, 1, 3, 5, 7]);
    assert_eq!(targets("3", json!({"targets": [1, 2, 0]})), [1, 2, 0]);
    let parameters = machine(shape("3"));
    let error = |options: Value| try_plan(&parameters, "permutation", options).unwrap_err().to_string();
    assert!(error(json!({"order": "shuffle"})).starts_with("order: permutes the bits"));
    assert!(
        error(json!({"targets": [1, 1, 0]})).starts_with("targets[1]: node 1 is the target of node 0 too")
    );
    assert!(error(json!({"targets": [1, 0]})).starts_with("targets: 2 targets, but the machine has 3 nodes"));
    assert!(
        error(json!({"targets": [1, 0, 2], "order": "shuffle"})).starts_with("order: targets says already")
    );
}

/// Messages of a distribution. Each block of 256 has exactly the number of messages of each length that the weights
/// give. All packets of a message go to one target, and a packet is the same when it is requested again.
#[test]
fn messages_have_their_lengths_and_one_target() {
    let shape = shape("4x4x4");
    let options = json!({"message_bytes": {"bytes": [16, 600, 4800], "weights": [4, 3, 1]}});
    let plan = plan(&machine(shape.clone()), "uniform-random", options);
    let source = source(&plan);
    let in_block = 128 + 96 * 3 + 32 * 20;
    for (number, lanes) in [(0, 1), (1, 2)] {
        let lane = Lane { node: 9, kind: LaneKind::Mixed, number, lanes };
        let offers = packets(&*source, lane, 2 * in_block);
        let (mut place, mut lengths, mut targets) = (0, Vec::new(), Vec::new());
        while place < offers.len() {
            // A short packet ends a message: that of 4,800 bytes ends with a full one, as its twentieth.
            let short = |offer: &&network::Offer| offer.chunks == 8;
            let full = offers[place..].iter().take_while(short).count();
            let length = match full {
                0 => 1,
                2 => 3,
                _ => 20,
            };
            let target = |index: usize| walk(&shape, 9, &offers[index].hops);
            assert!((place..place + length).all(|index| target(index) == target(place)), "{place}");
            lengths.push(length);
            targets.push(target(place));
            place += length;
        }
        for block in lengths.chunks(256) {
            let count = |length| block.iter().filter(|&&other| other == length).count();
            assert_eq!([count(1), count(3), count(20)], [128, 96, 32]);
        }
        assert_ne!(lengths[..256], lengths[256..], "each block has its own order");
        targets.sort_unstable();
        targets.dedup();
        assert_eq!(targets.len(), 63);
        for index in [0, 7, in_block - 1, in_block, 2 * in_block - 1] {
            assert_eq!(source.offer(lane, index, 0), Some(offers[index as usize]));
        }
    }
    let chunks = 128.0 + 96.0 * (16.0 + 5.0) + 32.0 * 160.0;
    assert!((plan.mean_packet_bytes.unwrap() / (32.0 * chunks / in_block as f64) - 1.0).abs() < 1e-12);
}

/// With bursts the mean load is kept, and a node is silent for the share of time that is stated.
#[test]
fn bursts_keep_the_load() {
    let (on, off) = (40_000.0, 120_000.0);
    for message_bytes in [json!(null), json!([16, 2000])] {
        let mut options = json!({"load": 0.4, "burst": {"on_cycles": on, "off_cycles": off}});
        if !message_bytes.is_null() {
            options["message_bytes"] = message_bytes;
        }
        let parameters = machine(shape("8x8x8"));
        let plan = plan(&parameters, "uniform-random", options);
        let source = source(&plan);
        let rate = plan.offered_packets_per_cycle.unwrap() / 512.0;
        for lanes in [1u32, 2] {
            let each = 600_000 / u64::from(lanes);
            let mut rates = 0.0;
            let (mut silent, mut all) = (0, 0);
            for number in 0..lanes {
                let lane = Lane { node: 5, kind: LaneKind::Mixed, number, lanes };
                let offers = packets(&*source, lane, each);
                let end = offers.last().unwrap().ready;
                rates += each as f64 / end as f64;
                all += end;
                let gaps = offers.windows(2).map(|pair| pair[1].ready - pair[0].ready);
                silent += gaps.filter(|&gap| gap as f64 > off / 4.0).sum::<u64>();
            }
            assert!((rates / rate - 1.0).abs() < 0.05, "{lanes}: {rates} instead of {rate}");
            let share = silent as f64 / all as f64;
            assert!((share - off / (on + off)).abs() < 0.1, "{lanes}: silent for {share}");
        }
    }
}

#[test]
fn bad_messages_and_bursts_are_refused() {
    let parameters = machine(shape("8x8x8"));
    let error = |options: Value| try_plan(&parameters, "uniform-random", options).unwrap_err().to_string();
    for (options, expected) in [
        (json!({"burst": {"on_cycles": 10, "off_cycles": 10}}), "burst: without a load"),
        (json!({"load": 0.5, "burst": {"on_cycles": 10, "off_cycles": 10}}), "burst: at this load"),
        (json!({"load": 0.5, "burst": {"on_cycles": 0, "off_cycles": 1e6}}), "burst.on_cycles: 0 is not"),
        (json!({"message_bytes": 0}), "message_bytes: a message needs at least 1 byte"),
        (json!({"message_bytes": [9, 3]}), "message_bytes: [9, 3] is not a range"),
        (json!({"message_bytes": {"bytes": []}}), "message_bytes: needs at least one length"),
        (
            json!({"message_bytes": {"bytes": [8, 9], "weights": [1]}}),
            "message_bytes: 1 weights for 2 lengths",
        ),
        (json!({"message_bytes": {"bytes": [8], "weights": [-1]}}), "message_bytes: -1 is not a weight"),
        (json!({"message_bytes": 512, "packet_bytes": 128}), "packet_bytes: message_bytes says"),
    ] {
        let found = error(options);
        assert!(found.starts_with(expected), "{found}");
    }
}
