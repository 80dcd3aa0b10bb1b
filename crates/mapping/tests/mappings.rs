//! Evaluations agree with brute force, and searches end with a mapping that is no worse than their start.

use geometry::{Faults, Shape};
use mapping::{Graph, Method, Search, evaluate};
use messaging::{Mapping, Place, RankMap};
use network::Parameters;
use proptest::prelude::*;
use std::sync::Arc;
use workloads::flows::{Flow, Flows, Phase, Senders};

/// Messages as (source, target, bytes).
struct Listed(Vec<(u32, u32, u64)>);

impl Senders for Listed {
    fn tell(&self, source: u32, hear: &mut dyn FnMut(Flow)) {
        for &(_, target, bytes) in self.0.iter().filter(|(from, _, _)| *from == source) {
            hear(Flow { target, bytes, messages: 1, hops: None });
        }
    }
}

fn flows(ranks: u32, messages: &[(u32, u32, u64)], repetitions: u64) -> Flows {
    let phase = Phase { repetitions, senders: Arc::new(Listed(messages.to_vec())) };
    Flows { ranks, grid: Vec::new(), routing: None, phases: vec![phase] }
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
    (dimensions, 1u8..3, any::<Option<u32>>(), any::<u64>()).prop_map(|(dimensions, cores, dead, seed)| {
        let (lengths, wraps): (Vec<u32>, Vec<bool>) = dimensions.into_iter().unzip();
        let shape = Shape::new(&lengths, &wraps).unwrap();
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

fn random(ranks: u32, parameters: &Parameters) -> RankMap {
    Mapping::Random.place(ranks, &[], parameters).unwrap()
}

proptest! {
    #[test]
    fn evaluations_agree_with_brute_force((parameters, ranks, messages) in cases(), repetitions in 1u64..4) {
        let map = random(ranks, &parameters);
        let graph = Graph::of(&flows(ranks, &messages, repetitions)).unwrap();
        let evaluation = evaluate(&graph, &map, &parameters);
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
        let graph = Graph::of(&flows(ranks, &messages, 1)).unwrap();
        let method = if is_greedy { Method::Greedy } else { Method::Anneal };
        let new = || Search::new(graph.clone(), &start, &parameters, method, (steps, seed));
        let (mut whole, mut cut) = (new(), new());
        prop_assert!(!whole.advance(u64::MAX));
        while cut.advance(pieces) {}
        let told = whole.hop_bytes().1;
        let best = whole.best();
        prop_assert_eq!(&best, &cut.best());
        let hop_bytes = |map: &RankMap| evaluate(&graph, map, &parameters).hop_bytes;
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

/// Hop-bytes of the best mapping that annealing finds from a random start, over those of neighbors beside each other.
fn annealed(grid: &[u32], lengths: &[u32], (rounds, seed): (u64, u64)) -> f64 {
    let parameters = Parameters::bluegene_l(Shape::torus(lengths).unwrap(), seed);
    let graph = Graph::of(&halo(grid)).unwrap();
    let ranks = graph.ranks();
    let steps = rounds * 6_000 * u64::from(ranks);
    let mut search =
        Search::new(graph.clone(), &random(ranks, &parameters), &parameters, Method::Anneal, (steps, seed));
    search.advance(u64::MAX);
    evaluate(&graph, &search.best(), &parameters).hop_bytes as f64 / graph.bytes() as f64
}

/// At most a tenth more hop-bytes than with all neighbors beside each other, from any random start.
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
    for (grid, lengths, most) in [([8, 8, 8], [16, 8, 4], 1.6), ([4, 4, 16], [8, 8, 4], 1.5)] {
        for seed in 1..=3 {
            let excess = annealed(&grid, &lengths, (4, seed));
            assert!(excess <= most, "{grid:?} on {lengths:?}, seed {seed}: {excess}");
        }
    }
}
