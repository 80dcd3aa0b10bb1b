//! Invariants of the model, for every engine: formulas and conservation laws.

mod support;

use base::draws::Share;
use geometry::{Direction, MAX_DIMENSIONS, Preference, Shape};
use network::parameters::{BubbleRule, LinkParameters};
use network::{Class, CyclesPerByte, Engine, ForwardAction, Offer, Parameters, Traffic};
use proptest::prelude::*;
use reference::ReferenceEngine;
use support::{EqualPackets, RandomPackets, bluegene_l, drain};
use windowed::new_engine;

/// Both engines, the windowed one with one and with two subdomains.
fn engines(parameters: &Parameters, traffic: &Traffic) -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(ReferenceEngine::new(parameters.clone(), traffic.clone())),
        new_engine(parameters.clone(), traffic.clone(), 1),
        new_engine(parameters.clone(), traffic.clone(), 2),
    ]
}

/// The time until the last byte of a single packet is received, in cycles, for each engine.
fn single_packet(parameters: &Parameters, target: u32, chunks: u8) -> Vec<u64> {
    let offer = Offer {
        hops: parameters.shape.route(0, target, 0),
        chunks,
        class: Class::default(),
        ready: 100,
        forward_action: ForwardAction::Consume,
    };
    let traffic = EqualPackets { nodes: vec![0], packets_per_node: 1, offer, smallest_chunks: 1 }.traffic();
    let received = |mut engine: Box<dyn Engine>| {
        drain(&mut *engine, 1_000_000);
        assert_eq!(engine.nodes()[target as usize].delivered, 1);
        engine.totals().last_delivery - offer.ready
    };
    engines(parameters, &traffic).into_iter().map(received).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Row M6: injection latency + hops x hop latency + size + 4.
    #[test]
    fn zero_load_latency_matches_the_formula(
        lengths in prop::collection::vec(1u32..=9, 1..=4), target in any::<u32>(), chunks in 1u8..=8,
        hop_latency_cycles in 1u32..100, injection_latency_cycles in 0u32..50, bypass: bool,
    ) {
        let shape = Shape::torus(&lengths).unwrap();
        let target = target % shape.nodes();
        prop_assume!(target != 0);
        let mut parameters = bluegene_l(&shape);
        parameters.links.fill(LinkParameters { hop_latency_cycles, cycles_per_byte: CyclesPerByte::ONE });
        parameters.node.injection_latency_cycles = injection_latency_cycles;
        parameters.router.bypass = bypass;
        let hops = shape.distance(0, target);
        let expected = injection_latency_cycles + hops * hop_latency_cycles + u32::from(chunks) * 32 + 4;
        for time in single_packet(&parameters, target, chunks) {
            prop_assert_eq!(time, u64::from(expected));
        }
    }
}

/// If all links are slow, the machine is slower but otherwise the same: packets still cut through.
#[test]
fn slow_links_cut_through() {
    let shape = Shape::torus(&[16]).unwrap();
    let mut parameters = bluegene_l(&shape);
    parameters
        .links
        .fill(LinkParameters { hop_latency_cycles: 12, cycles_per_byte: CyclesPerByte::whole(3) });
    let expected = 10 + 8 * 12 + 3 * (256 + 4);
    assert_eq!(single_packet(&parameters, 8, 8), [expected; 3]);
}

/// Nodes of plain machines are not woken for the end of every reception; `next_event` must include these ends.
#[test]
fn next_event_includes_the_last_reception() {
    let shape = Shape::torus(&[4, 4, 4]).unwrap();
    let packets = RandomPackets { chunks: (8, 8), ..RandomPackets::new(&shape, 3) };
    for mut engine in engines(&bluegene_l(&shape), &packets.traffic()) {
        while let Some(next) = engine.next_event() {
            engine.advance(next + 1);
        }
        assert_eq!(engine.totals().in_flight(), 0);
        let so_far = engine.so_far();
        assert_eq!((so_far.delivered, so_far.hops), (64 * 20, engine.totals().hops_ever));
    }
}

/// A node that is not woken for long still timestamps the receptions that ended meanwhile with their cycle.
#[test]
fn receptions_on_a_quiet_machine_are_timestamped() {
    let shape = Shape::torus(&[6, 2]).unwrap();
    let packets =
        RandomPackets { packets_per_node: Some(4), gap_cycles: 300_000, ..RandomPackets::new(&shape, 3) };
    let observe = |mut engine: Box<dyn Engine>| {
        drain(&mut *engine, 10_000_000);
        let totals = engine.totals();
        (totals.delivered, totals.latency_sum, totals.latency_max, totals.last_delivery, totals.digest)
    };
    let observed: Vec<_> =
        engines(&bluegene_l(&shape), &packets.traffic()).into_iter().map(observe).collect();
    assert_eq!(observed, vec![observed[0]; 3]);
}

#[test]
fn drained_runs_deliver_what_they_inject() {
    let shape = Shape::torus(&[4, 4, 4]).unwrap();
    let packets = RandomPackets { chunks: (1, 8), ..RandomPackets::new(&shape, 3) };
    for mut engine in engines(&bluegene_l(&shape), &packets.traffic()) {
        drain(&mut *engine, 1_000_000);
        let totals = engine.totals();
        assert_eq!((totals.injected, totals.delivered), (64 * 20, 64 * 20));
        assert_eq!(engine.nodes().iter().map(|node| node.injected).collect::<Vec<_>>(), [20; 64]);
        assert_eq!(engine.oldest_packet_age(), 0, "nothing is left");
        assert_eq!(engine.next_event(), None);
    }
}

#[test]
fn credits_are_conserved_at_every_moment() {
    let shape = Shape::torus(&[3, 4]).unwrap();
    let packets = RandomPackets {
        packets_per_node: None,
        chunks: (1, 8),
        deterministic_percent: 30,
        high_priority_percent: 20,
        gap_cycles: 60,
        ..RandomPackets::new(&shape, 5)
    };
    let mut engine = ReferenceEngine::new(bluegene_l(&shape), packets.traffic());
    for cut in (0..4_000).step_by(37) {
        engine.advance(cut);
        engine.assert_credits_conserved();
    }
    assert!(engine.totals().delivered > 300);
}

/// No link exceeds its bandwidth, and full load keeps the links of a ring nearly full.
#[test]
fn throughput_is_bounded_by_the_links() {
    let shape = Shape::torus(&[8, 8]).unwrap();
    let packets = RandomPackets { packets_per_node: None, ..RandomPackets::new(&shape, 2) };
    let mut engine = new_engine(bluegene_l(&shape), packets.traffic(), 1);
    engine.advance(20_000);
    engine.start_measurement();
    engine.advance(120_000);
    let busy = |packets: u64| packets as f64 * 270.0 / 100_000.0;
    assert!(engine.links().iter().all(|link| busy(link.packets.into()) < 1.003));
    let mean = busy(engine.totals().hops()) / shape.links() as f64;
    assert!(mean > 0.9, "{mean}");
}

/// The scenario of row S10: every packet makes three hops in x+ on a ring of four, on the escape VC.
fn ring_of_four(bubble_rule: BubbleRule, chunks: (u8, u8), seed: u64) -> Box<dyn Engine> {
    let shape = Shape::torus(&[4, 1, 1]).unwrap();
    let mut parameters = Parameters::bluegene_l(shape.clone(), seed);
    parameters.router.bubble_rule = bubble_rule;
    parameters.router.in_network_share = Share::new(0.0);
    let packets = RandomPackets {
        packets_per_node: None,
        chunks,
        deterministic_percent: 100,
        displacement: Some(3),
        preferences: [Preference::Plus; MAX_DIMENSIONS],
        ..RandomPackets::new(&shape, seed)
    };
    new_engine(parameters, packets.traffic(), 1)
}

#[test]
fn true_sizes_on_the_bubble_deadlock() {
    for seed in 1..=5 {
        let mut engine = ring_of_four(BubbleRule::TrueSize, (1, 8), seed);
        drain(&mut *engine, 3_000_000);
        let blockage = engine.find_deadlock().expect("row S10: 5 of 5 seeds deadlock");
        assert_eq!((blockage.ring.len(), blockage.blocked_heads), (4, 4));
        let (escape, plus) = (2, Direction::new(0, true));
        for (packet, next) in blockage.ring.iter().zip(blockage.ring.iter().cycle().skip(1)) {
            assert_eq!((packet.vc, packet.toward, packet.toward_vc), (escape, plus, escape));
            assert_eq!(next.node, (packet.node + 1) % 4, "each waits for the next");
            assert!(packet.credits < 8);
        }
    }
}

#[test]
fn the_corrected_bubble_does_not_deadlock() {
    for (rule, chunks) in [(BubbleRule::FullSize, (1, 8)), (BubbleRule::TrueSize, (8, 8))] {
        let mut engine = ring_of_four(rule, chunks, 1);
        engine.advance(1_000_000);
        let before = engine.totals().delivered;
        engine.advance(1_010_000);
        assert!(engine.totals().delivered > before + 10);
        assert_eq!(engine.find_deadlock(), None);
    }
}
