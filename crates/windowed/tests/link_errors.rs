//! Lossy links: no packet is lost, duplicated or changed, and the cost of errors follows the formula.

mod support;

use base::checkpoint::{FrameReader, FrameWriter};
use geometry::{MAX_DIMENSIONS, Preference, Shape};
use network::link::{BitErrorRate, LinkProtocol, LinkReport};
use network::parameters::MAX_VCS;
use network::{Engine, Parameters};
use proptest::prelude::*;
use reference::ReferenceEngine;
use support::{RandomPackets, bluegene_l, drain};
use windowed::new_engine;

const TIMEOUT_CYCLES: u32 = 600;

fn protocol(bit_error_rate: f64, explicit_acks: bool) -> LinkProtocol {
    LinkProtocol {
        bit_error_rate: BitErrorRate::new(bit_error_rate),
        timeout_cycles: TIMEOUT_CYCLES,
        retransmission_fifo_bytes: 2048,
        explicit_acks,
    }
}

fn machine(shape: &Shape, bit_error_rate: f64, explicit_acks: bool) -> Parameters {
    Parameters { link_protocol: Some(protocol(bit_error_rate, explicit_acks)), ..bluegene_l(shape) }
}

/// Both engines, the windowed one with one and with three subdomains.
fn engines(parameters: &Parameters, packets: &RandomPackets) -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(ReferenceEngine::new(parameters.clone(), packets.traffic())),
        new_engine(parameters.clone(), packets.traffic(), 1),
        new_engine(parameters.clone(), packets.traffic(), 3),
    ]
}

/// Panics unless a drained run has delivered each packet once and unchanged, and all credits have returned.
fn assert_whole(engine: &mut dyn Engine, packets: u64) -> LinkReport {
    let totals = engine.totals();
    assert_eq!((totals.injected, totals.delivered, engine.next_event()), (packets, packets, None));
    assert_eq!((engine.credits_out(), engine.oldest_packet_age()), ([0; MAX_VCS], 0));
    let report = engine.link_report().expect("links are lossy");
    assert_eq!(report.mismatched, [], "both ends of every link have seen the same packets");
    assert_eq!((report.totals.escapes, report.totals.damaged_packets), (0, 0));
    let frames = report.totals;
    let accepted = frames.frames - frames.corrupted - frames.out_of_sequence;
    assert_eq!(accepted, totals.hops_ever, "each packet is accepted once a hop");
    assert_eq!(frames.frames - frames.retransmissions, totals.hops_ever);
    report
}

/// Panics unless a machine whose links use the protocol, but make no errors, is bit-identical to one without the
/// protocol.
fn assert_no_change(lengths: &[u32], seed: u64, high_priority_percent: u32) {
    let shape = Shape::torus(lengths).unwrap();
    let packets = RandomPackets { chunks: (1, 8), high_priority_percent, ..RandomPackets::new(&shape, seed) };
    let mut without = ReferenceEngine::new(bluegene_l(&shape), packets.traffic());
    drain(&mut without, 1_000_000);
    for mut with in engines(&machine(&shape, 0.0, false), &packets) {
        drain(&mut *with, 1_000_000);
        assert_eq!(with.totals().digest, without.totals().digest);
        assert_eq!(with.totals().latency_sum, without.totals().latency_sum);
    }
}

/// An acknowledgement and a probe cross the same link in the same cycle. A VC downstream is blocked for so long that
/// the sender sends a probe for its credits.
#[test]
fn an_acknowledgement_and_a_probe_arrive_in_one_cycle() {
    for (lengths, seed) in [(&[4, 2][..], 2182441936499795274), (&[4, 4, 4], 4729796007781829499)] {
        assert_no_change(lengths, seed, 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Without errors, and with acknowledgements charged to data packets, the protocol changes nothing.
    #[test]
    fn protocol_changes_nothing_without_errors(
        lengths in prop::collection::vec(1u32..=4, 1..=3), seed: u64, high_priority_percent in 0u32..30,
    ) {
        assert_no_change(&lengths, seed, high_priority_percent);
    }

    #[test]
    fn no_packet_is_lost_duplicated_or_changed(
        lengths in prop::collection::vec(1u32..=4, 1..=3), seed: u64, exponent in 3.3f64..6.0, explicit_acks: bool,
        chunks in prop_oneof![Just((8u8, 8u8)), Just((1, 8)), Just((1, 1))], deterministic_percent in 0u32..50,
        timeout_cycles in 562u32..1000, retransmission_packets in 1u32..=8, cut in 1u64..5_000,
    ) {
        let shape = Shape::torus(&lengths).unwrap();
        let link_protocol = LinkProtocol {
            timeout_cycles,
            retransmission_fifo_bytes: 256 * retransmission_packets,
            ..protocol(10f64.powf(-exponent), explicit_acks)
        };
        let parameters = Parameters { link_protocol: Some(link_protocol), ..bluegene_l(&shape) };
        let packets = RandomPackets { chunks, deterministic_percent, ..RandomPackets::new(&shape, seed) };
        let sent = if shape.nodes() > 1 { 20 * u64::from(shape.nodes()) } else { 0 };
        let mut reference = ReferenceEngine::new(parameters.clone(), packets.traffic());
        reference.advance(cut);
        reference.assert_credits_conserved();
        let mut reports = Vec::new();
        // Each engine's checkpoint is resumed by another engine of its kind.
        for (mut engine, as_another) in engines(&parameters, &packets).into_iter().zip([0, 2, 1]) {
            engine.advance(cut);
            let mut checkpoint = Vec::new();
            engine.save(&mut FrameWriter::new(&mut checkpoint)).unwrap();
            drain(&mut *engine, 100_000_000);
            reports.push((engine.totals().digest, assert_whole(&mut *engine, sent)));
            let mut resumed = engines(&parameters, &packets).swap_remove(as_another);
            resumed.restore(&mut FrameReader::new(&mut &checkpoint[..])).unwrap();
            drain(&mut *resumed, 100_000_000);
            reports.push((resumed.totals().digest, assert_whole(&mut *resumed, sent)));
        }
        prop_assert!(reports.windows(2).all(|pair| pair[0] == pair[1]), "{reports:?}");
    }
}

/// A ring in which each link carries only the full packets of one node.
fn saturated_ring(bit_error_rate: f64, explicit_acks: bool, cycles: u64) -> Box<dyn Engine> {
    let shape = Shape::torus(&[4]).unwrap();
    let packets = RandomPackets {
        packets_per_node: None,
        displacement: Some(1),
        preferences: [Preference::Plus; MAX_DIMENSIONS],
        ..RandomPackets::new(&shape, 3)
    };
    let mut engine = new_engine(machine(&shape, bit_error_rate, explicit_acks), packets.traffic(), 1);
    engine.advance(cycles);
    engine
}

/// Share of a saturated link that packets use under go-back-N, as predicted. A frame fails with probability p. The
/// failure costs the cycles until the first end of a frame at or after the time-out, and so does each further failure
/// (docs/models/link-errors.md).
fn predicted_share(bit_error_rate: f64, frame_bytes: u32) -> f64 {
    let failure = 1.0 - (1.0 - bit_error_rate).powi(8 * frame_bytes as i32);
    let until_again = f64::from(TIMEOUT_CYCLES.div_ceil(frame_bytes));
    1.0 / (1.0 + until_again * failure / (1.0 - failure))
}

#[test]
fn throughput_loss_of_a_saturated_link_matches_the_formula() {
    for (rate, cycles) in [(1e-6, 40_000_000), (1e-5, 8_000_000), (1e-4, 4_000_000)] {
        let mut engine = saturated_ring(rate, false, cycles);
        let carried = engine.totals().hops_ever as f64 * 270.0 / (4.0 * cycles as f64);
        let (loss, predicted) = (1.0 - carried, 1.0 - predicted_share(rate, 270));
        println!("{rate}: loses {loss:.5}, {predicted:.5} predicted");
        assert!((loss / predicted - 1.0).abs() < 0.05, "{rate}: loses {loss:.5}, {predicted:.5} predicted");
    }
}

#[test]
fn explicit_acknowledgements_occupy_the_link() {
    // A frame of 262 bytes; no data in the reverse direction, so that acknowledgements cost it nothing.
    let cycles = 1_000_000;
    let carried = saturated_ring(0.0, true, cycles).totals().hops_ever as f64 / 4.0;
    assert!((carried * 262.0 / cycles as f64 - 1.0).abs() < 0.002, "{carried}");
    // Traffic in both directions: a link also carries the acknowledgements of its neighbor, 8 bytes or more per packet.
    let shape = Shape::torus(&[2]).unwrap();
    let packets = RandomPackets { packets_per_node: None, ..RandomPackets::new(&shape, 3) };
    let mut engine = new_engine(machine(&shape, 0.0, true), packets.traffic(), 1);
    engine.advance(cycles);
    let carried = engine.totals().hops_ever as f64 / 4.0;
    let acks = engine.link_report().unwrap().totals.acks as f64 / 4.0;
    let held = (carried * 262.0 + acks * 8.0) / cycles as f64;
    // Head packets whose random draw chose the busy link now and then leave the other idle.
    assert!((0.85..=1.001).contains(&held), "{held}");
    // A frame that becomes due while a packet occupies the link is sent right after it: one frame per packet.
    assert!((0.99..=2.0).contains(&(acks / carried)), "{acks} acknowledgements of {carried} packets");
}

/// Bit error rate 1e-6 on all links of 8x8x8, an all-to-all of more than a million packets.
#[test]
#[ignore = "takes minutes"]
fn a_million_packets_arrive() {
    let shape = Shape::torus(&[8, 8, 8]).unwrap();
    let packets = RandomPackets { packets_per_node: Some(2000), ..RandomPackets::new(&shape, 1) };
    let drained = |parameters| {
        let mut engine = new_engine(parameters, packets.traffic(), 1);
        drain(&mut *engine, 100_000_000);
        engine
    };
    let mut clean = drained(bluegene_l(&shape));
    let mut engine = drained(machine(&shape, 1e-6, false));
    let report = assert_whole(&mut *engine, 512 * 2000);
    let failure = report.totals.corrupted as f64 / report.totals.frames as f64;
    assert!((failure / 2.158e-3 - 1.0).abs() < 0.05, "{failure}");
    let slower = clean.totals().last_delivery as f64 / engine.totals().last_delivery as f64;
    println!("{slower:.5} of the throughput, {:.5} predicted; {report:?}", predicted_share(1e-6, 270));
    assert!((slower / predicted_share(1e-6, 270) - 1.0).abs() < 0.05, "{slower}");
}

/// A billion packet-hops at a bit error rate of 1e-7: none lost, none duplicated, credits conserved. One machine per
/// core.
#[test]
#[ignore = "takes half an hour"]
fn a_billion_hops_lose_no_packet() {
    let machines = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let shape = Shape::torus(&[8, 8, 8]).unwrap();
    // A packet makes 6 hops on average.
    let packets_per_node = 1_000_000_000 / machines / 6 / 512 + 1;
    let run = &|seed| {
        let packets =
            RandomPackets { packets_per_node: Some(packets_per_node), ..RandomPackets::new(&shape, seed) };
        let mut engine = new_engine(machine(&shape, 1e-7, false), packets.traffic(), 1);
        drain(&mut *engine, u64::MAX);
        let report = assert_whole(&mut *engine, 512 * packets_per_node);
        println!("{} hops, seed {seed}: {report:?}", engine.totals().hops_ever, report = report.totals);
        engine.totals().hops_ever
    };
    let hops: u64 = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..machines).map(|seed| scope.spawn(move || run(seed))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).sum()
    });
    assert!(hops >= 1_000_000_000, "{hops}");
}
