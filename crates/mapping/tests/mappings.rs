//! Evaluations agree with brute force, and searches end with a mapping that is no worse than their start.

#[path = "../../geometry/tests/support/mod.rs"]
mod random_twists;

use geometry::{Faults, HalfWay, Shape};
use mapping::{Evaluation, Graph, Method, Search, evaluate};
use messaging::{Mapping, Order, Place, RankMap};
use network::Parameters;
use proptest::prelude::*;
use random_twists::{shifts, twisted};
use std::sync::Arc;
use workloads::flows::{Flow, Flows, Phase, Senders};

/// Messages as (source, target, bytes).
struct Listed(Vec<(u32, u32, u64)>);

impl Senders for Listed {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        for &(_, target, bytes) in self.0.iter().filter(|(from, _, _)| *from == source) {
            visit(Flow { target, bytes, messages: 1, hops: None });
        }
    }
}

fn flows(ranks: u32, messages: &[(u32, u32, u64)], repetitions: u64) -> Flows {
    let phase = Phase { repetitions, senders: Arc::new(Listed(messages.to_vec())) };
    Flows { ranks, grid: Vec::new(), are_alike_nodes: false, routing: None, phases: vec![phase] }
}

/// The exchange with the neighbors in a periodic grid.
fn halo(grid: &[u32]) -> Flows {
    let shape = Shape::torus(grid).unwrap();
    let of_rank = |rank: u32| {
        let shape = shape.clone();
        geometry::Direction::all(grid.len())
            .filter_map(move |toward| Some((rank, shape.neighbor(rank, toward)?, 1000)))
    };
    let messages: Vec<_> = (0..shape.nodes()).flat_map(of_rank).collect();
    flows(shape.nodes(), &messages, 1)
}

fn machines() -> impl Strategy<Value = Parameters> {
    let dimensions = prop::collection::vec((1u32..5, any::<bool>()), 1..=3);
    let half_way = prop::sample::select(&HalfWay::ALL[..]);
    let machines =
        (dimensions, prop::option::of(shifts()), 1u8..3, any::<Option<u32>>(), half_way, any::<u64>());
    machines.prop_map(|(dimensions, shifts, cores, dead, half_way, seed)| {
        let (lengths, wraps): (Vec<u32>, Vec<bool>) = dimensions.into_iter().unzip();
        let shape = Shape::new(&lengths, &wraps).unwrap().with_half_way(half_way, seed);
        let shifts = shifts.filter(|_| half_way != HalfWay::Registers);
        let shape = shifts.map_or(shape.clone(), |shifts| twisted(shape, &shifts));
        let dead = dead.map(|node| node % shape.nodes());
        let mut parameters = Parameters::bluegene_l(shape, seed);
        parameters.node.cores = cores;
        if let Ok(faults) = Faults::new(&parameters.shape, dead.as_slice(), &[], Default::default()) {
            parameters.faults = faults;
        }
        parameters
    })
}

/// A machine with at most as many ranks as cores, and what they send.
fn cases() -> impl Strategy<Value = (Parameters, u32, Vec<(u32, u32, u64)>)> {
    let messages = prop::collection::vec((any::<u32>(), any::<u32>(), 0u64..1000), 0..60);
    (machines(), any::<u32>(), messages).prop_map(|(parameters, ranks, messages)| {
        let ranks = 1 + ranks % (parameters.live_nodes() * u32::from(parameters.node.cores));
        let within = |(source, target, bytes)| (source % ranks, target % ranks, bytes);
        (parameters, ranks, messages.into_iter().map(within).collect())
    })
}

fn evaluated(flows: &Flows, map: &RankMap, parameters: &Parameters) -> Evaluation {
    evaluate(flows, map, parameters, &mut || true).unwrap()
}

fn random(ranks: u32, parameters: &Parameters) -> RankMap {
    Mapping::Random.place(ranks, &[], parameters).unwrap()
}

proptest! {
    #[test]
    fn evaluations_agree_with_brute_force((parameters, ranks, messages) in cases(), repetitions in 1u64..4) {
        let map = random(ranks, &parameters);
        let evaluation = evaluated(&flows(ranks, &messages, repetitions), &map, &parameters);
        let hops = |source, target| parameters.shape.distance(map.place(source).node, map.place(target).node);
        let weigh = |&(source, target, bytes): &(u32, u32, u64)| u64::from(hops(source, target)) * bytes;
        let expected: u64 = messages.iter().map(weigh).sum::<u64>() * repetitions;
        prop_assert_eq!(evaluation.hop_bytes, u128::from(expected));
        let has_faults = !parameters.faults.is_empty();
        for busiest in [evaluation.busiest_link_in_order, evaluation.busiest_link_split_evenly] {
            prop_assert_eq!(busiest.is_none(), has_faults);
            let mean = expected as f64 / parameters.shape.links().max(1) as f64;
            prop_assert!(busiest.is_none_or(|busiest| busiest >= mean - 1e-6 && busiest <= expected as f64 + 1e-6));
        }
    }

    #[test]
    fn a_search_is_never_worse_than_its_start_and_repeats(
        (parameters, ranks, messages) in cases(),
        is_greedy in any::<bool>(),
        (steps, seed) in (0u64..3000, any::<u64>()),
        pieces in 1u64..50,
    ) {
        let start = random(ranks, &parameters);
        let flows = flows(ranks, &messages, 1);
        let graph = Graph::of(&flows).unwrap();
        let method = if is_greedy { Method::Greedy } else { Method::Anneal };
        let new = || Search::new(graph.clone(), &start, &parameters, method, (steps, seed));
        let (mut whole, mut cut) = (new(), new());
        prop_assert!(!whole.advance(u64::MAX));
        while cut.advance(pieces) {}
        let told = whole.hop_bytes().1;
        let best = whole.best();
        prop_assert_eq!(&best, &cut.best());
        let hop_bytes = |map: &RankMap| evaluated(&flows, map, &parameters).hop_bytes;
        prop_assert!(hop_bytes(&best) <= hop_bytes(&start));
        prop_assert_eq!(hop_bytes(&best), told);
        let mut places: Vec<_> = (0..ranks).map(|rank| best.place(rank)).collect();
        places.sort_unstable_by_key(|place| (place.node, place.core));
        places.dedup();
        prop_assert_eq!(places.len() as u32, ranks);
        let is_live = |place: &Place| !parameters.faults.is_dead(place.node);
        let are_live = places.iter().all(|place| place.core < parameters.node.cores && is_live(place));
        prop_assert!(are_live);
    }
}

/// Each rank sends to those as far away in a periodic grid as rank 0 to its targets.
struct Alike {
    grid: Vec<u32>,
    of_first: Vec<(u32, u64)>,
}

impl Senders for Alike {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        for &(offset, bytes) in &self.of_first {
            let (mut target, mut stride) = (0, 1);
            for length in &self.grid {
                target += (source / stride + offset / stride) % length * stride;
                stride *= length;
            }
            visit(Flow { target, bytes, messages: 1, hops: None });
        }
    }
}

fn alike(grid: &[u32], of_first: &[(u32, u64)]) -> Flows {
    let ranks = grid.iter().product();
    let of_first = of_first.iter().map(|&(target, bytes)| (target % ranks, bytes)).collect();
    let senders = Arc::new(Alike { grid: grid.to_vec(), of_first });
    Flows {
        ranks,
        grid: grid.to_vec(),
        are_alike_nodes: false,
        routing: None,
        phases: vec![Phase { repetitions: 2, senders }],
    }
}

/// Any grid, on a machine of its lengths, or of others, and cores.
fn grids() -> impl Strategy<Value = (Vec<u32>, Parameters)> {
    let lengths = prop::collection::vec(1u32..6, 1..=3);
    (lengths, any::<bool>(), any::<bool>(), 1u8..3, any::<u64>()).prop_map(
        |(lengths, wraps, is_turned, cores, seed)| {
            let mut of_machine = lengths.clone();
            if is_turned {
                of_machine.rotate_left(1);
            }
            let shape = Shape::new(&of_machine, &vec![wraps; of_machine.len()]).unwrap();
            let mut parameters = Parameters::bluegene_l(shape, seed);
            parameters.node.cores = cores;
            ([lengths, vec![cores.into()]].concat(), parameters)
        },
    )
}

proptest! {
    /// The knowledge that ranks are alike saves time and changes nothing.
    #[test]
    fn one_rank_stands_for_all_that_are_alike(
        (grid, parameters) in grids(),
        of_first in prop::collection::vec((any::<u32>(), 0u64..1000), 0..80),
        turn in any::<prop::sample::Index>(),
        is_random in any::<bool>(),
    ) {
        let flows = alike(&grid, &of_first);
        let orders = Order::all(&parameters.shape, parameters.node.cores);
        let order = Mapping::Order(orders[turn.index(orders.len())].clone());
        let mapping = if is_random { Mapping::Random } else { order };
        let map = mapping.place(flows.ranks, &grid, &parameters).unwrap();
        let expected = evaluated(&Flows { grid: Vec::new(), ..flows.clone() }, &map, &parameters);
        let found = evaluated(&flows, &map, &parameters);
        prop_assert_eq!((found.hop_bytes, found.mean_hops), (expected.hop_bytes, expected.mean_hops));
        for (found, expected) in [
            (found.busiest_link_in_order, expected.busiest_link_in_order),
            (found.busiest_link_split_evenly, expected.busiest_link_split_evenly),
        ] {
            let (found, expected) = (found.unwrap(), expected.unwrap());
            prop_assert!((found - expected).abs() <= 1e-9 * expected, "{} {}", found, expected);
        }
    }
}

/// An all-to-all in the order of the machine is given by one rank: m N L / 8 bytes on each link (row M2).
#[test]
fn an_all_to_all_of_a_large_torus_is_evaluated_at_once() {
    let parameters = Parameters::bluegene_l(Shape::torus(&[32, 32, 32]).unwrap(), 1);
    let ranks = 32_u32.pow(3);
    let of_first: Vec<(u32, u64)> = (1..ranks).map(|target| (target, 240)).collect();
    let flows = alike(&[32, 32, 32, 1], &of_first);
    for name in ["XYZT", "ZYXT", "YXZT"] {
        let order = Mapping::Order(Order::named(name, 3).unwrap());
        let map = order.place(ranks, &flows.grid, &parameters).unwrap();
        let mut asked = 0;
        let evaluation = evaluate(&flows, &map, &parameters, &mut || {
            asked += 1;
            true
        });
        let busiest = 2.0 * 240.0 * f64::from(ranks) * 32.0 / 8.0;
        assert_eq!(evaluation.unwrap().busiest_link_in_order, Some(busiest));
        assert_eq!(asked, 0, "no rank but the first is visited");
    }
    assert!(Graph::of(&flows).is_err());
}

#[test]
fn an_evaluation_ends_when_it_is_told_to() {
    let parameters = Parameters::bluegene_l(Shape::torus(&[4, 4]).unwrap(), 1);
    let flows = flows(16, &[(0, 1, 10), (7, 9, 10)], 1);
    let mut left = 5;
    let goes_on = &mut || {
        left -= 1;
        left > 0
    };
    assert_eq!(evaluate(&flows, &random(16, &parameters), &parameters, goes_on), None);
    assert_eq!(left, 0);
}

/// Hop-bytes of the best mapping that annealing finds from a random start, over those with neighbors on adjacent nodes.
fn annealed(grid: &[u32], lengths: &[u32], (rounds, seed): (u64, u64)) -> f64 {
    let parameters = Parameters::bluegene_l(Shape::torus(lengths).unwrap(), seed);
    let flows = halo(grid);
    let graph = Graph::of(&flows).unwrap();
    let ranks = graph.ranks();
    let steps = rounds * 6_000 * u64::from(ranks);
    let mut search =
        Search::new(graph.clone(), &random(ranks, &parameters), &parameters, Method::Anneal, (steps, seed));
    search.advance(u64::MAX);
    evaluated(&flows, &search.best(), &parameters).hop_bytes as f64 / graph.bytes() as f64
}

/// At most a tenth more hop-bytes than with all neighbors on adjacent nodes, from any random start.
#[test]
fn annealing_finds_neighbors_from_random_starts() {
    for seed in 1..=20 {
        let excess = annealed(&[8, 8, 8], &[8, 8, 8], (1, seed));
        assert!(excess <= 1.1, "seed {seed}: {excess}");
    }
}

/// A grid of processes of another shape than the machine, which has no mapping without hops of two.
#[test]
#[ignore = "minutes"]
fn annealing_comes_near_to_neighbors_on_other_shapes() {
    for (grid, lengths, max) in [([8, 8, 8], [16, 8, 4], 1.6), ([4, 4, 16], [8, 8, 4], 1.5)] {
        for seed in 1..=3 {
            let excess = annealed(&grid, &lengths, (4, seed));
            assert!(excess <= max, "{grid:?} on {lengths:?}, seed {seed}: {excess}");
        }
    }
}
