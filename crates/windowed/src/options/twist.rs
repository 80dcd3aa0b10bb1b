//! Twisted tori: where a link leads at a wrap depends on the node's other coordinates. A table gives the neighbors.

use crate::specialization::Specialization;
use crate::store::Store;
use geometry::Direction;
use network::fabric::Fabric;
use std::ops::Range;

/// The neighbors of some nodes, by port, on a twisted torus. A port without a link has the node itself. Otherwise empty.
pub fn neighbors(fabric: &Fabric, nodes: Range<u32>) -> Vec<u32> {
    let shape = &fabric.parameters.shape;
    let nodes = if shape.is_twisted() { nodes } else { 0..0 };
    let of_node = |node| {
        Direction::all(shape.dimensions()).map(move |toward| shape.neighbor(node, toward).unwrap_or(node))
    };
    nodes.flat_map(of_node).collect()
}

/// The number of the neighbor at `port` of a node, on a twisted torus.
#[inline(always)]
pub fn neighbor<F: Specialization>(store: &Store<F>, local: usize, port: usize) -> Option<u32> {
    match F::HAS_OPTIONS && !store.neighbors.is_empty() {
        true => Some(store.neighbors[local * store.layout.ports + port]),
        false => None,
    }
}
