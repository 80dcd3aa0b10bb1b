//! Whether one rank stands for all: ranks that are alike under the translations of their grid, on nodes that these
//! translations move round the torus.
//!
//! Then each node does the same as every other, and all links of a direction carry the same. Translations of a twisted
//! torus shift other coordinates where they cross a wrap. Those of a grid of ranks seldom fit to them, but nodes of a
//! pattern may be alike as they are, and ranks that send the same to all others are alike wherever they are.

use geometry::{Hops, Shape};
use messaging::RankMap;
use std::collections::HashSet;
use workloads::flows::{Flow, Flows, Phase, Round};

/// The number of ranks on each node, if one rank stands for all.
pub fn ranks_per_node(flows: &Flows, places: &RankMap, shape: &Shape) -> Option<u32> {
    let ranks = flows.ranks;
    if ranks != places.ranks() || !shape.looks_alike_everywhere() || !ranks.is_multiple_of(shape.nodes()) {
        return None;
    }
    if flows.are_alike_nodes {
        return (0..ranks).all(|rank| places.place(rank).node == rank).then_some(1);
    }
    let has_grid = !flows.grid.is_empty() && flows.grid.iter().product::<u32>() == ranks;
    let are_alike = || moves_nodes_alike(flows, places, shape) || shape.is_twisted() && sends_to_all(flows);
    (has_grid && are_alike()).then(|| same_on_all_nodes(places, shape)).flatten()
}

/// Whether a step in any dimension of the grid of ranks is a translation of the nodes.
fn moves_nodes_alike(flows: &Flows, places: &RankMap, shape: &Shape) -> bool {
    let strides = flows.grid.iter().scan(1, |next, &length| {
        let stride = *next;
        *next *= length;
        Some((stride, length))
    });
    strides.into_iter().all(|step| is_translation(places, shape, step))
}

/// Whether a step in a dimension of the grid of ranks moves all of them by the same hops.
fn is_translation(places: &RankMap, shape: &Shape, (stride, length): (u32, u32)) -> bool {
    // The node to which these hops lead from node 0.
    let moved = |rank: u32| {
        let coordinate = rank / stride % length;
        let next = rank - coordinate * stride + (coordinate + 1) % length * stride;
        let [from, to] = [rank, next].map(|rank| shape.coordinates(places.place(rank).node));
        let along = |dimension: usize| to[dimension] as i32 - from[dimension] as i32;
        shape.translated(0, &Hops(std::array::from_fn(along)))
    };
    let first = moved(0);
    (1..places.ranks()).all(|rank| moved(rank) == first)
}

/// Whether ranks of a grid send the same to all others in each round, or nothing.
fn sends_to_all(flows: &Flows) -> bool {
    let is_even = |round: Round| {
        let is_same = |flow: &Flow| {
            let first = &round.flows[0];
            (flow.bytes, flow.messages, flow.hops) == (first.bytes, first.messages, None) && flow.target != 0
        };
        let targets: HashSet<u32> = round.flows.iter().map(|flow| flow.target).collect();
        let are_all = targets.len() == round.flows.len() && targets.len() as u32 == flows.ranks - 1;
        round.flows.is_empty() || are_all && round.flows.iter().all(is_same)
    };
    let of_phase =
        |phase: &Phase| phase.senders.rounds(0).is_some_and(|rounds| rounds.into_iter().all(is_even));
    flows.phases.iter().filter(|phase| phase.repetitions > 0).all(of_phase)
}

/// The number of ranks on each node, if it is the same on all.
fn same_on_all_nodes(places: &RankMap, shape: &Shape) -> Option<u32> {
    let mut on_node = vec![0; shape.nodes() as usize];
    (0..places.ranks()).for_each(|rank| on_node[places.place(rank).node as usize] += 1);
    let first = on_node[0];
    on_node.into_iter().all(|ranks| ranks == first).then_some(first)
}
