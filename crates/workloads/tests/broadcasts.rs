//! Broadcasts: every node gets each packet once, and no two colors share a link.

mod common;

use common::*;
use geometry::{Faults, Shape, WithoutCleanEscape};
use network::{ForwardAction, Lane, LaneKind, Offer, Source};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The result of a broadcast without timing: the copies of each packet at each node, and the packets that cross
/// each link.
#[derive(Default)]
struct Spread {
    copies: BTreeMap<(u32, u64), u32>,
    crossings: BTreeMap<(u32, usize), Vec<u64>>,
}

impl Spread {
    fn follow(&mut self, source: &dyn Source, shape: &Shape, start: u32, packet: u64, offer: &Offer) {
        let direction = offer.hops.directions().next().expect("a packet goes somewhere");
        assert_eq!(offer.hops.directions().count(), 1);
        let mut node = start;
        for hop in 1..=offer.hops.total() {
            self.crossings.entry((node, direction.index())).or_default().push(packet);
            node = shape.neighbor(node, direction).unwrap();
            if offer.class.deposit || hop == offer.hops.total() {
                *self.copies.entry((node, packet)).or_default() += 1;
                let ForwardAction::Forward(tag) = offer.forward_action else { continue };
                let forwards = (0..).map_while(|index| source.forwarded(node, tag, index));
                forwards.for_each(|offer| self.follow(source, shape, node, packet, &offer));
            }
        }
    }
}

/// Checks that each receiver gets each packet once; returns the copies and link crossings.
fn check(lengths: &str, kind: &str, options: Value, root: u32, receivers: &[u32]) -> Spread {
    let shape = shape(lengths);
    let plan = plan(&machine(shape.clone()), kind, options);
    let source = source(&plan);
    let mut spread = Spread::default();
    let mut packets_sent = 0;
    for node in 0..shape.nodes() {
        let lane = Lane { node, kind: LaneKind::Mixed, number: 0, lanes: 1 };
        let offers = packets(&*source, lane, u64::MAX);
        assert_eq!(offers.is_empty(), node != root);
        for (packet, offer) in offers.iter().enumerate() {
            spread.follow(&*source, &shape, node, packet as u64, offer);
            packets_sent += 1;
        }
    }
    let expected =
        receivers.iter().flat_map(|&node| (0..packets_sent).map(move |packet| ((node, packet), 1)));
    assert_eq!(spread.copies, expected.collect());
    assert_eq!(plan.total_packets, Some(receivers.len() as u64 * packets_sent));
    spread
}

#[test]
fn all_nodes_get_each_packet_once_and_colors_share_no_link() {
    for lengths in ["5", "2", "4x4", "3x5", "2x2", "4x3x2", "3x3x3", "2x1x4", "3x2x3x2", "2x2x2x2x2x3"] {
        let shape = shape(lengths);
        for root in [0, shape.nodes() - 1, shape.nodes() / 2] {
            let coordinates = &shape.coordinates(root)[..shape.dimensions()];
            let receivers: Vec<u32> = (0..shape.nodes()).filter(|&node| node != root).collect();
            let colors = 2 * shape.lengths().iter().filter(|&&length| length > 1).count();
            let options = json!({"payload_bytes": colors * 240, "root": coordinates});
            let spread = check(lengths, "torus-broadcast", options, root, &receivers);
            assert!(spread.crossings.values().all(|packets| packets.len() == 1), "a packet a colour");
        }
    }
}

#[test]
fn line_and_plane_broadcasts_cover_those_of_the_root() {
    let spread =
        check("4x3", "line-broadcast", json!({"payload_bytes": 1000, "root": [1, 2]}), 9, &[8, 10, 11]);
    assert_eq!(spread.crossings.len(), 6, "two colours, three links each");
    let options = json!({"payload_bytes": 1000, "dimension": 1, "colors": 1});
    assert_eq!(check("4x3", "line-broadcast", options, 0, &[4, 8]).crossings.len(), 2);
    let options = json!({"payload_bytes": 960, "dimensions": [2, 0], "root": [0, 1, 0]});
    check("2x3x2", "plane-broadcast", options, 2, &[3, 8, 9]);
}

#[test]
fn invalid_broadcasts_are_rejected() {
    for (lengths, kind, options, key) in [
        ("4x4m", "plane-broadcast", json!({"payload_bytes": 1}), "dimensions"),
        ("4x4", "plane-broadcast", json!({"payload_bytes": 1, "dimensions": [1, 1]}), "dimensions"),
        ("4x4", "line-broadcast", json!({"payload_bytes": 1, "dimension": 2}), "dimension"),
        ("1x4", "line-broadcast", json!({"payload_bytes": 1}), "dimension"),
        ("4x4", "line-broadcast", json!({"payload_bytes": 1, "colors": 3}), "colors"),
        ("4x4", "line-broadcast", json!({"payload_bytes": 0}), "payload_bytes"),
        ("4x4", "torus-broadcast", json!({"payload_bytes": 1, "root": [4, 0]}), "root"),
        ("4x4", "torus-broadcast", json!({"payload_bytes": 1, "root": [0]}), "root"),
        ("1x1", "torus-broadcast", json!({"payload_bytes": 1}), "shape"),
    ] {
        let error = try_plan(&machine(shape(lengths)), kind, options).unwrap_err();
        assert_eq!(error.key, key, "{error}");
    }
    let mut past_dead = machine(shape("4x4"));
    past_dead.faults = Faults::new(&past_dead.shape, &[5], &[], WithoutCleanEscape::Relay).unwrap();
    for kind in ["line-broadcast", "plane-broadcast", "torus-broadcast"] {
        let error = try_plan(&past_dead, kind, json!({"payload_bytes": 1})).unwrap_err();
        assert!(error.key == "kind" && error.message.contains("without dead nodes"), "{error}");
    }
}
