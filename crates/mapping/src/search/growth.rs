//! A mapping that grows: one rank after the other gets a slot next to its peers.
//!
//! ```text
//!   ranks in breadth-first order    o--o--?     of the free slots next to a rank's peers, it gets the one reached
//!   from a random one               |  |        from the slots of the landmarks most nearly as the rank is from them
//!                                   o--L
//! ```
//!
//! Nodes are compared by their hops from a landmark and by the number of shortest ways there: in a grid, two neighbors of a
//! node that are opposite and two at a right angle are as many hops apart, but the former by half as many ways. So a
//! pattern that is like the machine finds its place without a twist, which annealing from a random start may freeze.

use super::arrangement::Arrangement;
use crate::graph::Graph;

/// The first ranks to be placed, by which the others find their places.
const MAX_LANDMARKS: usize = 64;

/// The most pairs that are followed for all landmarks together: a fraction of a second.
const MAX_PAIRS: usize = 1 << 24;

/// The ways in which all nodes of a graph are reached from one of them.
struct Reached {
    /// Hops, and the logarithm of the number of shortest ways; none for nodes that are not reached.
    ways: Vec<Option<(u32, f64)>>,
}

impl Reached {
    fn from<I: Iterator<Item = u32>>(first: u32, nodes: usize, neighbors: impl Fn(u32) -> I) -> Self {
        let mut counts: Vec<Option<(u32, f64)>> = vec![None; nodes];
        counts[first as usize] = Some((0, 1.0));
        let mut order = vec![first];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            let (hops, count) = counts[node as usize].expect("it has been reached");
            for neighbor in neighbors(node) {
                match &mut counts[neighbor as usize] {
                    Some((there, ways)) => *ways += if *there == hops + 1 { count } else { 0.0 },
                    not_reached => {
                        *not_reached = Some((hops + 1, count));
                        order.push(neighbor);
                    }
                }
            }
            next += 1;
        }
        let ways = counts.into_iter().map(|reached| reached.map(|(hops, count)| (hops, count.log2())));
        Reached { ways: ways.collect() }
    }

    /// The difference between the ways in which two nodes of different graphs are reached; 0 if either is not.
    fn difference(&self, node: u32, other: &Reached, other_node: u32) -> f64 {
        let of_both = self.ways[node as usize].zip(other.ways[other_node as usize]);
        of_both.map_or(0.0, |((hops, ways), (other_hops, other_ways))| {
            f64::from(hops.abs_diff(other_hops)).powi(2) + (ways - other_ways).powi(2)
        })
    }
}

/// A landmark: how ranks are reached from it, and nodes from its node.
struct Landmark {
    in_graph: Reached,
    in_machine: Reached,
}

/// The slot of each rank, where `first` has `slot`.
pub(super) fn grow(graph: &Graph, arrangement: &Arrangement, first: u32, slot: u32) -> Vec<u32> {
    let peers = |rank: u32| graph.peers(rank).iter().map(|pair| pair.peer);
    let neighbors = |node: u32| arrangement.neighbors(node);
    let max = (MAX_PAIRS / graph.pairs().max(1)).clamp(1, MAX_LANDMARKS);
    let mut places: Vec<Option<u32>> = vec![None; graph.ranks() as usize];
    let mut is_free = vec![true; arrangement.slots() as usize];
    let mut is_listed = vec![false; is_free.len()];
    let mut lowest_free = 0;
    let mut landmarks: Vec<Landmark> = Vec::new();
    for rank in all_in_order(graph, first) {
        let mut nearby: Vec<u32> = peers(rank)
            .filter_map(|peer| places[peer as usize])
            .flat_map(|peer| arrangement.nearby_slots(peer))
            .filter(|&slot| !std::mem::replace(&mut is_listed[slot as usize], true))
            .collect();
        nearby.iter().for_each(|&slot| is_listed[slot as usize] = false);
        nearby.retain(|&slot| is_free[slot as usize]);
        let unlike = |slot: u32| -> f64 {
            let node = arrangement.node_of(slot);
            landmarks
                .iter()
                .map(|landmark| landmark.in_graph.difference(rank, &landmark.in_machine, node))
                .sum()
        };
        let likeness = nearby.into_iter().map(|slot| (unlike(slot), slot));
        let nearest = likeness.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, slot)| slot);
        while !is_free[lowest_free as usize] {
            lowest_free += 1;
        }
        let slot = if rank == first { slot } else { nearest.unwrap_or(lowest_free) };
        is_free[slot as usize] = false;
        places[rank as usize] = Some(slot);
        if landmarks.len() < max {
            landmarks.push(Landmark {
                in_graph: Reached::from(rank, places.len(), peers),
                in_machine: Reached::from(arrangement.node_of(slot), arrangement.nodes(), neighbors),
            });
        }
    }
    places.into_iter().map(|slot| slot.expect("all ranks are placed")).collect()
}

/// All ranks in breadth-first order: those that are reached from the first, then from the lowest of the others.
fn all_in_order(graph: &Graph, first: u32) -> Vec<u32> {
    let mut is_listed = vec![false; graph.ranks() as usize];
    let mut order: Vec<u32> = Vec::with_capacity(is_listed.len());
    let mut next = 0;
    for start in std::iter::once(first).chain(0..graph.ranks()) {
        if !std::mem::replace(&mut is_listed[start as usize], true) {
            order.push(start);
        }
        while let Some(&rank) = order.get(next) {
            let peers = graph.peers(rank).iter().map(|pair| pair.peer);
            order.extend(peers.filter(|&peer| !std::mem::replace(&mut is_listed[peer as usize], true)));
            next += 1;
        }
    }
    order
}
