//! Twisted tori: their rings run through several lines of the box, and no traffic deadlocks on them.

#[path = "../../geometry/tests/support/mod.rs"]
mod random_twists;
mod support;

use geometry::{Direction, Faults, Hops, MAX_DIMENSIONS, Preference, Shape, Twist, WithoutCleanEscape};
use network::parameters::{EscapeKind, FifoSize};
use network::{Class, Engine, Offer, Parameters, Traffic};
use proptest::prelude::*;
use random_twists::{shifts, twisted};
use reference::ReferenceEngine;
use support::{EqualPackets, RandomPackets, bluegene_l, cases, drain};
use windowed::new_engine;

fn engines(parameters: &Parameters, traffic: &Traffic) -> [Box<dyn Engine>; 2] {
    let reference = ReferenceEngine::new(parameters.clone(), traffic.clone());
    [Box::new(reference), new_engine(parameters.clone(), traffic.clone(), 2)]
}

/// A machine whose routers have the least buffers.
fn with_least_buffers(shape: &Shape, adaptive_vcs: u8, escape: EscapeKind) -> Parameters {
    let mut parameters = bluegene_l(shape);
    parameters.router.escape = escape;
    parameters.router.dynamic_channels = adaptive_vcs;
    parameters.router.dynamic_channel_bytes = 256;
    parameters.router.escape_channel_bytes = if escape == EscapeKind::Bubble { 512 } else { 256 };
    parameters.node.reception_fifo = FifoSize::Bytes(256);
    parameters
}

fn shapes() -> impl Strategy<Value = Shape> {
    let dimensions = prop::collection::vec((2u32..=5, prop::bool::weighted(0.9)), 2..=4);
    (dimensions, shifts()).prop_filter_map("a twist of up to 80 nodes", |(dimensions, shifts)| {
        let (lengths, wraps): (Vec<_>, Vec<_>) = dimensions.into_iter().unzip();
        let shape = Shape::new(&lengths, &wraps).ok().filter(|shape| shape.nodes() <= 80)?;
        Some(twisted(shape, &shifts)).filter(Shape::is_twisted)
    })
}

fn preferences() -> impl Strategy<Value = [Preference; MAX_DIMENSIONS]> {
    prop::array::uniform6(prop_oneof![
        2 => Just(Preference::Minimal), 2 => Just(Preference::Plus), 1 => Just(Preference::Minus)
    ])
}

proptest! {
    #![proptest_config(cases(60))]

    /// Nodes send as fast as they can, to random targets or to one displacement, also the long way round rings.
    #[test]
    fn full_load_never_deadlocks(
        shape in shapes(), adaptive_vcs in 0u8..=1, datelines: bool, preferences in preferences(),
        displacement in prop::option::of(1u32..80), dead in prop::option::of(any::<(u32, usize)>()), seed: u64,
    ) {
        let escape = if datelines { EscapeKind::Dateline } else { EscapeKind::Bubble };
        let mut parameters = with_least_buffers(&shape, adaptive_vcs, escape);
        let dead = dead.map(|(node, toward)| (node % shape.nodes(), Direction::from_index(toward % (2 * shape.dimensions()))));
        let dead: Vec<_> = dead.into_iter().filter(|&(node, toward)| shape.neighbor(node, toward).is_some()).collect();
        parameters.faults = Faults::new(&shape, &[], &dead, WithoutCleanEscape::Relay).unwrap_or_default();
        prop_assert!(parameters.check().is_ok());
        let displacement = displacement.map(|displacement| displacement % shape.nodes());
        let packets = RandomPackets {
            packets_per_node: Some(40),
            chunks: (1, 8),
            preferences,
            displacement: displacement.filter(|&displacement| displacement > 0),
            faults: parameters.faults.clone(),
            is_dimension_ordered: adaptive_vcs == 0,
            ..RandomPackets::new(&shape, seed)
        };
        for mut engine in engines(&parameters, &packets.traffic()) {
            drain(&mut *engine, 10_000_000);
            prop_assert_eq!(engine.find_deadlock(), None);
            engine.advance(10_000_000); // the last credits return, which is no event
            let totals = engine.totals();
            prop_assert_eq!(totals.injected, totals.delivered + totals.relayed);
            prop_assert_eq!(totals.delivered, 40 * u64::from(shape.nodes()));
            prop_assert_eq!(engine.credits_out().iter().sum::<u64>(), 0);
        }
    }
}

/// On 4 x 8 nodes, x shifts y by 4: two lines in x are one ring of eight nodes. A packet leaves a copy at each of them.
#[test]
fn copies_reach_a_whole_ring() {
    let twist = Twist::default().shifting(0, 1, 4);
    let shape = Shape::torus(&[4, 8]).unwrap().with_twist(twist).unwrap();
    for (source, length) in [(0, 8), (11, 8)] {
        assert_eq!(shape.orbit_length(0), length);
        let class = Class { deterministic: true, deposit: true, ..Class::default() };
        let one = EqualPackets::one([length as i32 - 1, 0, 0]);
        let packets = EqualPackets {
            nodes: vec![source],
            offer: Offer { class, hops: Hops([length as i32 - 1, 0, 0, 0, 0, 0]), ..one.offer },
            ..one
        };
        for mut engine in engines(&bluegene_l(&shape), &packets.traffic()) {
            drain(&mut *engine, 100_000);
            assert_eq!(engine.totals().delivered, u64::from(length) - 1);
            let nodes = engine.nodes();
            let received: Vec<u32> = (0..32).filter(|&node| nodes[node as usize].delivered == 1).collect();
            let mut ring: Vec<u32> = (1..length as i32)
                .map(|hops| shape.destination(source, &Hops([hops, 0, 0, 0, 0, 0])).unwrap())
                .collect();
            ring.sort_unstable();
            assert_eq!(received, ring);
        }
    }
}
