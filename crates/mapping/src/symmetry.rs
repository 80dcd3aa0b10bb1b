//! Whether one rank stands for all: ranks that are alike under the translations of their grid, on nodes that these
//! translations move round the torus.
//!
//! Then each node does the same as every other, and all links of a direction carry the same.

use geometry::{MAX_DIMENSIONS, Shape};
use messaging::RankMap;
use workloads::flows::Flows;

/// The number of ranks on each node, if one rank stands for all.
pub fn ranks_per_node(flows: &Flows, places: &RankMap, shape: &Shape) -> Option<u32> {
    let ranks: u32 = flows.grid.iter().product();
    let has_grid = !flows.grid.is_empty() && ranks == flows.ranks && ranks == places.ranks();
    if !has_grid || !shape.looks_alike_everywhere() || !ranks.is_multiple_of(shape.nodes()) {
        return None;
    }
    let mut stride = 1;
    for &length in &flows.grid {
        if !moves_nodes_alike(places, shape, (stride, length)) {
            return None;
        }
        stride *= length;
    }
    let on_first = (0..ranks).filter(|&rank| places.place(rank).node == places.place(0).node).count() as u32;
    // Translations that reach all nodes leave the same number of ranks on each.
    (on_first == ranks / shape.nodes() && reaches_all(places, shape)).then_some(on_first)
}

/// Whether a step in a dimension of the grid of ranks moves all of them by the same hops.
fn moves_nodes_alike(places: &RankMap, shape: &Shape, (stride, length): (u32, u32)) -> bool {
    let moved = |rank: u32| {
        let coordinate = rank / stride % length;
        let next = rank - coordinate * stride + (coordinate + 1) % length * stride;
        let (from, to) =
            (shape.coordinates(places.place(rank).node), shape.coordinates(places.place(next).node));
        let mut hops = [0; MAX_DIMENSIONS];
        for (dimension, hops) in hops.iter_mut().enumerate().take(shape.dimensions()) {
            let length = shape.length(dimension);
            *hops = (to[dimension] + length - from[dimension]) % length;
        }
        hops
    };
    let first = moved(0);
    (1..places.ranks()).all(|rank| moved(rank) == first)
}

fn reaches_all(places: &RankMap, shape: &Shape) -> bool {
    let mut reached = vec![false; shape.nodes() as usize];
    (0..places.ranks()).for_each(|rank| reached[places.place(rank).node as usize] = true);
    reached.into_iter().all(|reached| reached)
}
