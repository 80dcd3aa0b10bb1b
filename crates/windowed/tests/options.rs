//! Options of the router and the node that differ from the machine as built (escapes, order of directions, the gap,
//! pacing), and features that few workloads use (the deposit bit, forwarded packets).

mod support;

use base::draws::Share;
use geometry::{Hops, MAX_DIMENSIONS, Preference, Shape};
use network::parameters::{BubbleRule, EscapeKind, EscapeOrder, FifoSize};
use network::{Class, Engine, ForwardAction, Lane, LaneKind, Offer, Parameters, Source, Traffic};
use reference::ReferenceEngine;
use std::sync::Arc;
use support::{EqualPackets, RandomPackets, bluegene_l, drain};
use windowed::new_engine;

/// Both engines, the windowed one with one and with two threads.
fn engines(parameters: &Parameters, traffic: &Traffic) -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> =
        vec![Box::new(ReferenceEngine::new(parameters.clone(), traffic.clone()))];
    engines.extend([1, 2].map(|threads| new_engine(parameters.clone(), traffic.clone(), threads)));
    engines
}

/// The scenario in which true sizes on the bubble VC deadlock (row S10) does not deadlock with a dateline pair. The
/// pair charges true sizes as well, in either order.
#[test]
fn dateline_pairs_do_not_deadlock() {
    for (seed, escape_order) in [(1, EscapeOrder::Dimension), (2, EscapeOrder::Direction)] {
        let shape = Shape::torus(&[4, 1, 1]).unwrap();
        let mut parameters = Parameters::bluegene_l(shape.clone(), seed);
        parameters.router.escape = EscapeKind::Dateline;
        parameters.router.escape_order = escape_order;
        parameters.router.escape_channel_bytes = 256;
        parameters.router.bubble_rule = BubbleRule::TrueSize;
        parameters.router.in_network_share = Share::new(0.0);
        let packets = RandomPackets {
            packets_per_node: None,
            chunks: (1, 8),
            deterministic_percent: 100,
            displacement: Some(3),
            preferences: [Preference::Plus; MAX_DIMENSIONS],
            ..RandomPackets::new(&shape, seed)
        };
        for mut engine in engines(&parameters, &packets.traffic()) {
            engine.advance(300_000);
            let before = engine.totals();
            engine.advance(310_000);
            let after = engine.totals();
            assert!(after.delivered > before.delivered + 10);
            assert_eq!(engine.find_deadlock(), None);
            assert!(after.vc_packets[2] > 0 && after.vc_packets[3] > 0, "both of the pair are used");
        }
    }
}

/// A packet takes the first VC of the pair until it crosses the dateline, then the second.
#[test]
fn a_packet_changes_vc_at_the_dateline() {
    let shape = Shape::torus(&[4, 4, 1]).unwrap();
    let mut parameters = bluegene_l(&shape);
    parameters.router.escape = EscapeKind::Dateline;
    // From node 0: x- crosses at once, x+ with its fourth hop; each dimension has its own dateline.
    for (hops, by_vc) in
        [([-3, 0, 0], [1, 2]), ([3, 0, 0], [3, 0]), ([-3, -2, 0], [2, 3]), ([2, 2, 0], [4, 0])]
    {
        for mut engine in engines(&parameters, &EqualPackets::one(hops).traffic()) {
            drain(&mut *engine, 10_000);
            assert_eq!(engine.totals().vc_packets[2..4], by_vc, "{hops:?}");
        }
    }
}

/// The nodes that a single deterministic packet leaves, with the direction that it takes at each.
fn route(escape_order: EscapeOrder, hops: [i32; 3]) -> Vec<(usize, usize)> {
    let shape = Shape::torus(&[3, 3, 3]).unwrap();
    let mut parameters = bluegene_l(&shape);
    parameters.router.escape_order = escape_order;
    let traffic = EqualPackets::one(hops).traffic();
    let links = engines(&parameters, &traffic).into_iter().map(|mut engine| {
        drain(&mut *engine, 10_000);
        let links = engine.links();
        (0..links.len())
            .filter(|&link| links[link].packets > 0)
            .map(|link| (link / 6, link % 6))
            .collect::<Vec<_>>()
    });
    let routes: Vec<_> = links.collect();
    assert!(routes.windows(2).all(|pair| pair[0] == pair[1]));
    routes[0].clone()
}

#[test]
fn plus_directions_come_first_in_direction_order() {
    // x-, y+, z-: node 0 is (0, 0, 0), and its neighbors are 2, 3 and 18.
    assert_eq!(route(EscapeOrder::Dimension, [-1, 1, -1]), [(0, 1), (2, 2), (5, 5)]);
    assert_eq!(route(EscapeOrder::Direction, [-1, 1, -1]), [(0, 2), (3, 1), (5, 5)]);
}

/// At most `window` packets of a node are in the network. With a window of one, the next packet follows when the
/// acknowledgement has come back over as many hops.
#[test]
fn a_window_bounds_the_packets_in_flight() {
    let shape = Shape::torus(&[8]).unwrap();
    for window in [1, 2, 5] {
        let mut parameters = bluegene_l(&shape);
        parameters.node.injection_window_packets = Some(window);
        parameters.node.injection_fifo = FifoSize::Bytes(1024); // written by software when an acknowledgement arrives
        let packets = EqualPackets { packets_per_node: 40, ..EqualPackets::one([3, 0, 0]) };
        for mut engine in engines(&parameters, &packets.traffic()) {
            let (mut max, mut times) = (0, Vec::new());
            for cycle in 0..20_000 {
                engine.advance(cycle);
                let totals = engine.totals();
                max = max.max(totals.injected - totals.delivered);
                times.resize(totals.delivered as usize, totals.last_delivery);
            }
            assert_eq!(engine.totals().delivered, 40);
            // Three hops of 12 cycles, 260 for the tail: at one packet per 270 cycles at most two are in flight.
            assert_eq!(max, u64::from(window.min(2)));
            let apart = times[20] - times[19];
            assert_eq!(apart, if window == 1 { 10 + 36 + 260 + 36 } else { 270 }, "window {window}");
        }
    }
}

#[test]
fn a_window_bounds_the_packets_of_all_nodes_under_full_load() {
    let shape = Shape::torus(&[4, 4]).unwrap();
    let mut parameters = bluegene_l(&shape);
    let packets = RandomPackets { packets_per_node: None, ..RandomPackets::new(&shape, 1) };
    let mut delivered = Vec::new();
    for window in [None, Some(3), Some(1)] {
        parameters.node.injection_window_packets = window;
        for mut engine in engines(&parameters, &packets.traffic()).into_iter().take(1) {
            for cycle in (0..30_000).step_by(7) {
                engine.advance(cycle);
                let totals = engine.totals();
                let max = window.map_or(u64::MAX, |packets| 16 * u64::from(packets));
                assert!(totals.injected - totals.delivered <= max);
            }
            delivered.push(engine.totals().delivered);
        }
    }
    assert!(delivered.windows(2).all(|pair| pair[0] > pair[1]), "{delivered:?}");
}

/// Row S30: the gap admits packets from the injection FIFOs, here in one cycle of four. Buffers are fuller at nearly
/// the same throughput.
#[test]
fn the_arbitration_gap_fills_the_buffers() {
    let shape = Shape::torus(&[4, 4, 4]).unwrap();
    let measure = |gap_share| {
        let mut parameters = bluegene_l(&shape);
        parameters.router.arbitration_gap_share = Share::new(gap_share);
        let packets = RandomPackets { packets_per_node: None, ..RandomPackets::new(&shape, 1) };
        let engines = engines(&parameters, &packets.traffic());
        let mut engine = engines.into_iter().last().unwrap();
        let mut credits_out = 0;
        for cut in 1..=40 {
            engine.advance(1000 * cut);
            credits_out += engine.credits_out().iter().sum::<u64>();
        }
        (engine.totals().hops_ever as f64, credits_out as f64)
    };
    let ((hops, credits_out), (hops_with, credits_out_with)) = (measure(0.0), measure(0.25));
    assert!((hops_with / hops - 1.0).abs() < 0.03, "{hops} {hops_with}");
    assert!(credits_out_with > 1.2 * credits_out, "{credits_out} {credits_out_with}");
}

/// Node 0 and its neighbor, with buffers of one packet, send at once, both in x+. The packet of node 0 waits in the
/// next node until the other packet leaves the buffer ahead. The credits for that buffer unblock it.
#[test]
fn credits_that_unblock_are_counted() {
    let shape = Shape::torus(&[8]).unwrap();
    let mut parameters = bluegene_l(&shape);
    parameters.counts_unblocking = true;
    parameters.router.escape = EscapeKind::Dateline;
    parameters.router.escape_channel_bytes = 256;
    for (senders, unblocking) in [(vec![0], 0), (vec![0, 1], 1), (vec![0, 4], 0)] {
        let packets = EqualPackets { nodes: senders.clone(), ..EqualPackets::one([3, 0, 0]) };
        for mut engine in engines(&parameters, &packets.traffic()) {
            drain(&mut *engine, 10_000);
            let totals = engine.totals();
            assert_eq!(totals.credit_returns, 3 * senders.len() as u64);
            assert_eq!(totals.unblocking_returns, unblocking, "{senders:?}");
        }
    }
}

/// A row broadcast: packets of node 0 with the deposit bit, along x in alternating directions.
#[derive(Clone)]
struct Row {
    packets: u64,
    /// Whether the reader of each packet sends two more, in the same direction.
    forwards_two: bool,
}

impl Row {
    fn offer_of(&self, packet: u64) -> Offer {
        let hops = if packet.is_multiple_of(2) { 4 } else { -4 };
        let deposit = !self.forwards_two;
        let class = Class { deterministic: true, deposit, ..Class::default() };
        let chunks = 1 + (packet % 8) as u8;
        let forward_action =
            if self.forwards_two { ForwardAction::Forward(packet as u32) } else { ForwardAction::Consume };
        Offer { hops: Hops([hops, 0, 0, 0, 0, 0]), chunks, class, ready: 0, forward_action }
    }
}

impl Source for Row {
    fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
        let is_sent = lane.node == 0 && lane.kind != LaneKind::HighPriority && index < self.packets;
        is_sent.then(|| self.offer_of(index))
    }

    fn smallest_chunks(&self) -> u8 {
        1
    }

    fn deposits(&self) -> bool {
        !self.forwards_two
    }

    fn forwards(&self) -> bool {
        self.forwards_two
    }

    fn forwarded(&self, _node: u32, tag: u32, index: u32) -> Option<Offer> {
        (index < 2).then(|| self.offer_of(tag.into()))
    }
}

/// Row S37: each of k - 1 nodes gets each packet once, k - 2 of them as a copy. All credits return, whatever the sizes.
#[test]
fn every_node_of_a_row_gets_each_packet_once() {
    let shape = Shape::torus(&[5, 2]).unwrap();
    let traffic = Traffic::Generated(Arc::new(Row { packets: 100, forwards_two: false }));
    for read_cycles in [0, 1500] {
        let mut parameters = bluegene_l(&shape);
        parameters.node.software.read_processor_cycles = read_cycles;
        parameters.node.reception_fifo = FifoSize::Bytes(256);
        let mut reference = ReferenceEngine::new(parameters.clone(), traffic.clone());
        for cut in (0..20_000).step_by(41) {
            reference.advance(cut);
            reference.assert_credits_conserved();
        }
        for mut engine in engines(&parameters, &traffic) {
            drain(&mut *engine, 1_000_000);
            let totals = engine.totals();
            assert_eq!((totals.injected, totals.delivered, totals.deposited), (100, 400, 300));
            assert_eq!(totals.hops_ever, 400, "one hop a copy");
            assert_eq!(totals.vc_packets[2], 400, "all on the bubble");
            let delivered: Vec<u32> = engine.nodes().iter().map(|node| node.delivered).collect();
            assert_eq!(delivered, [0, 100, 100, 100, 100, 0, 0, 0, 0, 0]);
            assert_eq!((engine.next_event(), totals.in_flight()), (None, 0));
        }
    }
}

/// Software forwards two packets for each that it reads, and reads no more before they are written. It eventually fills
/// all FIFOs and buffers: a ring of waiting packets results that includes software.
#[test]
fn a_ring_through_software_is_a_deadlock() {
    let shape = Shape::torus(&[5]).unwrap();
    let mut parameters = bluegene_l(&shape);
    parameters.node.injection_fifo = FifoSize::Bytes(1024);
    let traffic = Traffic::Generated(Arc::new(Row { packets: 10, forwards_two: true }));
    for mut engine in engines(&parameters, &traffic) {
        engine.advance(1000);
        assert_eq!(engine.find_deadlock(), None);
        drain(&mut *engine, 10_000_000);
        assert_eq!(engine.next_event(), None, "nothing can move any more");
        let blockage = engine.find_deadlock().expect("a deadlock");
        assert!(blockage.ring.len() > 1 && blockage.blocked_heads >= blockage.ring.len());
    }
}
