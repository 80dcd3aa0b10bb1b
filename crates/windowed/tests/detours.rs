//! Non-minimal routes: no deadlock, with any traffic and with few buffers, and the choice of routes.

mod support;

use geometry::{Direction, Shape};
use network::parameters::EscapeKind;
use network::{Engine, Parameters, Traffic};
use reference::ReferenceEngine;
use support::{RandomPackets, bluegene_l, drain};
use windowed::new_engine;

/// A machine whose routers have few buffers, and a second set of escape VCs.
fn with_detours(shape: &Shape, adaptive_vcs: u8, escape: EscapeKind) -> Parameters {
    let mut parameters = bluegene_l(shape);
    parameters.router.detours = true;
    parameters.router.escape = escape;
    parameters.router.dynamic_channels = adaptive_vcs;
    parameters.router.dynamic_channel_bytes = 256;
    parameters.router.escape_channel_bytes = if escape == EscapeKind::Bubble { 512 } else { 256 };
    parameters
}

fn engines(parameters: &Parameters, traffic: &Traffic) -> [Box<dyn Engine>; 2] {
    let reference = ReferenceEngine::new(parameters.clone(), traffic.clone());
    [Box::new(reference), new_engine(parameters.clone(), traffic.clone(), 2)]
}

/// Packets that may all go over intermediate nodes, to random targets or to targets at one displacement.
fn packets(shape: &Shape, displacement: Option<u32>, chooses_detours: bool) -> RandomPackets {
    RandomPackets { displacement, detour_percent: 100, chooses_detours, ..RandomPackets::new(shape, 5) }
}

/// Tornado on rings and on a torus, half-way round, and random targets: all packets are delivered.
#[test]
fn detours_never_deadlock() {
    for (lengths, displacement) in
        [(&[8][..], Some(3)), (&[4, 4], Some(5)), (&[4, 4], Some(10)), (&[3, 4, 2], None), (&[5, 4], None)]
    {
        let shape = Shape::torus(lengths).unwrap();
        for (adaptive_vcs, escape) in [
            (0, EscapeKind::Bubble),
            (1, EscapeKind::Bubble),
            (0, EscapeKind::Dateline),
            (1, EscapeKind::Dateline),
        ] {
            let parameters = with_detours(&shape, adaptive_vcs, escape);
            for chooses_detours in [false, true] {
                let packets = RandomPackets {
                    packets_per_node: Some(60),
                    chunks: (1, 8),
                    ..packets(&shape, displacement, chooses_detours)
                };
                for mut engine in engines(&parameters, &packets.traffic()) {
                    drain(&mut *engine, 10_000_000);
                    assert_eq!(engine.find_deadlock(), None);
                    assert_eq!(engine.totals().delivered, 60 * u64::from(shape.nodes()));
                    assert_eq!(engine.credits_out().iter().sum::<u64>(), 0);
                }
            }
        }
    }
}

/// Hops of one packet of each node; the target is three nodes away.
fn hops_of_ring(parameters: &Parameters, chooses_detours: bool, packets_per_node: u64) -> [u64; 2] {
    let packets = RandomPackets {
        packets_per_node: Some(packets_per_node),
        ..packets(&parameters.shape, Some(3), chooses_detours)
    };
    engines(parameters, &packets.traffic()).map(|mut engine| {
        drain(&mut *engine, 1_000_000);
        engine.totals().hops_ever
    })
}

/// A packet that chooses goes minimally while queues are empty, and takes its detour around a long one.
#[test]
fn queues_decide_between_routes() {
    let shape = Shape::torus(&[8]).unwrap();
    let parameters = with_detours(&shape, 2, EscapeKind::Bubble);
    assert_eq!(hops_of_ring(&parameters, true, 1), [8 * 3; 2]);
    let [forced, _] = hops_of_ring(&parameters, false, 1);
    assert!(forced > 8 * 3, "detours are longer");
    let [hops, windowed] = hops_of_ring(&parameters, true, 200);
    assert_eq!(hops, windowed);
    let [always, _] = hops_of_ring(&parameters, false, 200);
    assert!(200 * 8 * 3 < hops && hops < always, "{hops} of {always}");
}

/// A packet that is not yet ready while its predecessor leaves does not see the queue that the predecessor makes.
#[test]
fn packets_far_apart_go_minimally() {
    let shape = Shape::torus(&[8]).unwrap();
    let parameters = with_detours(&shape, 2, EscapeKind::Bubble);
    let packets =
        RandomPackets { packets_per_node: Some(20), gap_cycles: 200_000, ..packets(&shape, Some(3), true) };
    for mut engine in engines(&parameters, &packets.traffic()) {
        drain(&mut *engine, 10_000_000);
        assert_eq!(engine.totals().hops_ever, 20 * 8 * 3);
    }
}

/// Tornado on a ring of `k` nodes, with one packet in flight after another in one direction. Minimal routes carry `1 /
/// (k / 2 - 1)` packets per packet time and node. Detours over random nodes carry up to `4 / k` (each segment is
/// uniform traffic).
#[test]
fn detours_balance_the_load_of_a_ring() {
    let shape = Shape::torus(&[16]).unwrap();
    let mut parameters = bluegene_l(&shape);
    parameters.router.detours = true;
    let throughput = |detour_percent, chooses_detours| {
        let packets = RandomPackets {
            packets_per_node: None,
            detour_percent,
            ..packets(&shape, Some(7), chooses_detours)
        };
        let mut engine = new_engine(parameters.clone(), packets.traffic(), 1);
        engine.advance(100_000);
        engine.start_measurement();
        engine.advance(400_000);
        let minus = engine.totals().directions[Direction::new(0, false).index()].packets;
        (engine.totals().delivered as f64 * 270.0 / 300_000.0 / 16.0, minus)
    };
    let ((minimal, none), (detours, minus), (chosen, _)) =
        (throughput(0, false), throughput(100, false), throughput(100, true));
    assert!(none == 0 && minus > 0);
    assert!((0.95..=1.003).contains(&(minimal * 7.0)), "{minimal}");
    assert!((0.80..=1.01).contains(&(detours * 4.0)), "{detours}");
    assert!(chosen > 1.3 * minimal, "{chosen}");
}
