//! Twisted tori: where a link leads at a wrap depends on the node's other coordinates. A table gives the neighbors.

use crate::specialization::Specialization;
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

/// The number of a neighbor on a twisted torus; `place` is its place in the table.
#[inline(always)]
pub fn neighbor<F: Specialization>(neighbors: &[u32], place: usize) -> Option<u32> {
    match F::HAS_OPTIONS && !neighbors.is_empty() {
        true => Some(neighbors[place]),
        false => None,
    }
}
