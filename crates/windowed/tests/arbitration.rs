//! What is known of each rule of arbitration.

mod support;

use base::draws::Share;
use geometry::{Hops, Shape};
use network::arbitration::ArbitrationRule;
use network::parameters::EscapeKind;
use network::{Class, Engine, ForwardAction, Lane, LaneKind, Offer, Parameters, Source, Traffic};
use reference::ReferenceEngine;
use std::sync::Arc;
use support::drain;
use windowed::new_engine;

/// Full packets in dimension order, of each node with hops in the list.
struct Flows {
    hops: Vec<(u32, [i32; 3])>,
    packets_per_node: u64,
    /// Cycles between two packets of a node; 0: always waiting.
    gap_cycles: u64,
}

impl Source for Flows {
    fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
        let sequence = lane.sequence(index);
        let (_, [x, y, z]) = *self.hops.iter().find(|(node, _)| *node == lane.node)?;
        let is_sent = lane.kind != LaneKind::HighPriority && sequence < self.packets_per_node;
        is_sent.then(|| Offer {
            hops: Hops([x, y, z, 0, 0, 0]),
            chunks: 8,
            class: Class { deterministic: true, ..Class::default() },
            ready: sequence * self.gap_cycles,
            forward_action: ForwardAction::Consume,
        })
    }

    fn smallest_chunks(&self) -> u8 {
        8
    }
}

/// Both engines on a mesh, the windowed one with two threads too.
fn engines(lengths: &[u32], rule: ArbitrationRule, flows: Flows) -> Vec<Box<dyn Engine>> {
    let shape = Shape::new(lengths, &vec![false; lengths.len()]).unwrap();
    let mut parameters = Parameters::bluegene_l(shape, 1);
    parameters.router.arbitration = rule;
    // A bubble would favor packets that go straight on over those that turn, before any rule.
    parameters.router.escape = EscapeKind::Dateline;
    let traffic = Traffic::Generated(Arc::new(flows));
    let windowed = [1, 2].map(|threads| new_engine(parameters.clone(), traffic.clone(), threads));
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(ReferenceEngine::new(parameters, traffic))];
    engines.extend(windowed);
    engines
}

/// Three neighbors of node 4, the center of a 3x3 mesh, always have packets for node 7 behind it. All of them want its link
/// y+, each from another receiver.
fn three_into_one() -> Flows {
    Flows {
        hops: vec![(3, [1, 1, 0]), (5, [-1, 1, 0]), (1, [0, 2, 0])],
        packets_per_node: u64::MAX,
        gap_cycles: 0,
    }
}

/// The packets that each of the three neighbors sends to the center in a measurement. The center's buffers stay full, so
/// that these are the packets that it grants.
fn shares(engine: &mut dyn Engine) -> [u32; 3] {
    engine.advance(20_000);
    engine.start_measurement();
    engine.advance(20_000 + 1000 * 270);
    let links = engine.links();
    [(3, 0), (5, 1), (1, 2)].map(|(node, port)| links[4 * node + port].packets)
}

#[test]
fn persistent_inputs_get_equal_shares_in_turn() {
    for rule in [ArbitrationRule::RoundRobin, ArbitrationRule::LeastRecentlyUsed] {
        for mut engine in engines(&[3, 3], rule, three_into_one()) {
            let shares = shares(&mut *engine);
            let (min, max) = (shares.iter().min().unwrap(), shares.iter().max().unwrap());
            assert!(max - min <= 1 && *min >= 333, "{rule:?}: {shares:?}");
        }
    }
    // Draws give equal shares on average only.
    let random = shares(&mut *engines(&[3, 3], ArbitrationRule::Random, three_into_one()).remove(1));
    assert!(random.iter().max().unwrap() - random.iter().min().unwrap() > 1, "{random:?}");
}

/// Where all inputs always have requests, the one that was granted longest ago is the next in turn.
#[test]
fn least_recently_used_is_round_robin_for_persistent_inputs() {
    let digest_of = |rule| {
        let digests = engines(&[3, 3], rule, three_into_one()).into_iter().map(|mut engine| {
            engine.advance(100_000);
            engine.totals().digest
        });
        let digests: Vec<_> = digests.collect();
        assert!(digests.iter().all(|digest| *digest == digests[0]), "engines agree");
        digests[0]
    };
    let round_robin = digest_of(ArbitrationRule::RoundRobin);
    assert_eq!(digest_of(ArbitrationRule::LeastRecentlyUsed), round_robin);
    assert_ne!(digest_of(ArbitrationRule::Random), round_robin);
}

/// Latencies on the way to a hot spot: their largest, and their standard deviation.
fn latencies(rule: ArbitrationRule) -> [f64; 2] {
    // A column of nodes toward the hot spot, at which packets from both sides merge: for a while more than that takes.
    let sides = (1..6).flat_map(|y| [0, 2].map(|x| (3 * y as u32 + x, [1 - x as i32, -y, 0])));
    let hops: Vec<_> = sides.collect();
    let spreads = [0, 1].map(|engine| {
        let flows = Flows { hops: hops.clone(), packets_per_node: 60, gap_cycles: 2000 };
        let mut engine = engines(&[3, 6], rule, flows).remove(engine);
        drain(&mut *engine, 10_000_000);
        let totals = engine.totals();
        assert_eq!(totals.delivered, 10 * 60);
        [totals.latency_max as f64, totals.latency.stdev()]
    });
    assert_eq!(spreads[0], spreads[1], "engines agree");
    spreads[0]
}

/// First come, first served over all of the network: nobody waits much longer than others (Dally and Towles, 15.4).
#[test]
fn the_oldest_first_bounds_the_spread_of_latencies() {
    let [oldest, random] = [ArbitrationRule::OldestFirst, ArbitrationRule::Random].map(latencies);
    assert!(oldest[0] < 0.7 * random[0] && oldest[1] < 0.7 * random[1], "{oldest:?} {random:?}");
}

/// The word "random" is the longest queue first in no cycle.
#[test]
fn the_random_rule_serves_the_longest_queue_in_no_cycle() {
    let digest_of = |rule, share| {
        let shape = Shape::torus(&[4, 4]).unwrap();
        let mut parameters = Parameters::bluegene_l(shape.clone(), 1);
        parameters.router.arbitration = rule;
        parameters.router.serve_longest_queue_share = Share::new(share);
        let mut engine = new_engine(parameters, support::RandomPackets::new(&shape, 1).traffic(), 1);
        engine.advance(20_000);
        engine.totals().digest
    };
    let random = digest_of(ArbitrationRule::Random, 0.75);
    assert_eq!(digest_of(ArbitrationRule::LongestQueue, 0.0), random);
    assert_ne!(digest_of(ArbitrationRule::LongestQueue, 0.75), random);
}
