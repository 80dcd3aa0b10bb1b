//! The numbers of the nodes to which links lead: the node's own plus a distance by port and wrap. On a twisted torus a
//! wrap leads to where the node's other coordinates say, and a table has all neighbors.

use geometry::{Direction, MAX_DIMENSIONS};
use network::fabric::Fabric;
use std::ops::Range;

/// The neighbors of the nodes of a subdomain.
pub struct Neighbors {
    /// Number of the subdomain's first node.
    first: u32,
    /// Ports of a node.
    ports: usize,
    /// The number of a neighbor minus that of its node, by port: first without wraparound, then with it.
    distances: [[u32; 2 * MAX_DIMENSIONS]; 2],
    /// The neighbors of each node, by port, on a twisted torus. A port without a link has the node itself. Otherwise empty.
    of_twisted: Vec<u32>,
}

impl Neighbors {
    /// The neighbors of `nodes`.
    pub fn new(fabric: &Fabric, nodes: Range<u32>) -> Self {
        let (first, ports) = (nodes.start, fabric.ports);
        Neighbors { first, ports, distances: distances(fabric), of_twisted: of_twisted(fabric, nodes) }
    }

    /// The number of the neighbor at `port` of a node. `edges` has a bit for each port; without a twist it is set if the
    /// port's link wraps around.
    #[inline(always)]
    pub fn at(&self, local: usize, edges: u16, port: usize) -> u32 {
        if !self.of_twisted.is_empty() {
            return self.on_twisted(local, port);
        }
        let distance = self.distances[usize::from(edges >> port & 1)][port];
        (self.first + local as u32).wrapping_add(distance)
    }

    /// Not inlined: other tori pay two instructions a hop for it instead of nine.
    #[inline(never)]
    fn on_twisted(&self, local: usize, port: usize) -> u32 {
        self.of_twisted[local * self.ports + port]
    }

    /// Bytes of state.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.of_twisted[..])
    }
}

fn of_twisted(fabric: &Fabric, nodes: Range<u32>) -> Vec<u32> {
    let shape = &fabric.parameters.shape;
    let nodes = if shape.is_twisted() { nodes } else { 0..0 };
    let of_node = |node| {
        Direction::all(shape.dimensions()).map(move |toward| shape.neighbor(node, toward).unwrap_or(node))
    };
    nodes.flat_map(of_node).collect()
}

fn distances(fabric: &Fabric) -> [[u32; 2 * MAX_DIMENSIONS]; 2] {
    let (mut steps, mut wraps) = ([0; 2 * MAX_DIMENSIONS], [0; 2 * MAX_DIMENSIONS]);
    let mut stride = 1u32;
    for (dimension, &length) in fabric.parameters.shape.lengths().iter().enumerate() {
        let (plus, minus) =
            (Direction::new(dimension, true).index(), Direction::new(dimension, false).index());
        let back = stride * (length - 1);
        (steps[plus], wraps[plus]) = (stride, back.wrapping_neg());
        (steps[minus], wraps[minus]) = (stride.wrapping_neg(), back);
        stride *= length;
    }
    [steps, wraps]
}
