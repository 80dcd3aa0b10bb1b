//! Trees over the nodes, and the part of one that takes part in operations: a class route.
//!
//! ```text
//!   place   0                      arity 2: the node at place p has the children at 2p + 1 and 2p + 2
//!         /   \
//!        1     2                   places are the numbers of the live nodes, in order
//!       / \   / \
//!      3   4 5   6
//! ```
//!
//! The papers do not describe how the links of the trees are laid through the machine. A complete tree (assumed) has
//! the least depth, and depth is all that times depend on.

use geometry::{Faults, Shape};

/// A tree over the live nodes of a machine, without the subtrees in which no core takes part. A node without such a
/// core forwards packets if its subtree has one.
#[derive(Clone, Debug)]
pub struct ClassRoute {
    arity: u32,
    /// The live nodes in order; empty if no node is dead.
    live: Vec<u32>,
    /// The children of each node that take part, as bits.
    children: Vec<u8>,
    /// The cores of each node that take part, as bits.
    cores: Vec<u64>,
}

impl ClassRoute {
    /// The class route of some cores, given as bits by node.
    pub fn new(shape: &Shape, faults: &Faults, arity: u8, cores: &[u64]) -> Self {
        let is_dead = |node: &u32| faults.is_dead(*node);
        let live = match faults.nodes().is_empty() {
            true => Vec::new(),
            false => (0..shape.nodes()).filter(|node| !is_dead(node)).collect(),
        };
        let nodes = shape.nodes() as usize;
        let cores = (0..nodes).map(|node| cores.get(node).copied().unwrap_or(0)).collect();
        let mut route = ClassRoute { arity: arity.into(), live, children: vec![0; nodes], cores };
        // Children have higher places than their parents.
        for place in (0..route.places()).rev() {
            let node = route.node(place);
            if let Some((parent, which)) = route.parent(node).filter(|_| route.takes_part(node)) {
                route.children[parent as usize] |= 1 << which;
            }
        }
        route
    }

    fn places(&self) -> u32 {
        if self.live.is_empty() { self.children.len() as u32 } else { self.live.len() as u32 }
    }

    fn node(&self, place: u32) -> u32 {
        if self.live.is_empty() { place } else { self.live[place as usize] }
    }

    /// The place of a node; dead ones have none.
    fn place(&self, node: u32) -> Option<u32> {
        match self.live.is_empty() {
            true => Some(node),
            false => self.live.binary_search(&node).ok().map(|place| place as u32),
        }
    }

    /// Whether anything passes through a node.
    pub(crate) fn takes_part(&self, node: u32) -> bool {
        self.cores[node as usize] != 0 || self.children[node as usize] != 0
    }

    /// The parent of a node, and the index of the node among the parent's children. The root and dead nodes have no
    /// parent.
    pub fn parent(&self, node: u32) -> Option<(u32, u8)> {
        let above = self.place(node)?.checked_sub(1)?;
        Some((self.node(above / self.arity), (above % self.arity) as u8))
    }

    /// The children of a node that take part, each as its index among the node's children.
    pub fn children(&self, node: u32) -> impl Iterator<Item = usize> + use<> {
        let children = self.children[node as usize];
        (0..8).filter(move |which| children >> which & 1 == 1)
    }

    /// A child of a node.
    pub fn child(&self, node: u32, which: usize) -> u32 {
        let place = self.place(node).expect("a dead node has no children");
        self.node(place * self.arity + 1 + which as u32)
    }

    /// Number of the children that take part and come before one of them.
    pub(crate) fn child_rank(&self, node: u32, which: u8) -> usize {
        (self.children[node as usize] & ((1 << which) - 1)).count_ones() as usize
    }

    /// The cores of a node that take part, in order.
    pub fn cores(&self, node: u32) -> impl Iterator<Item = u8> + use<> {
        let cores = self.cores[node as usize];
        (0..64).filter(move |core| cores >> core & 1 == 1)
    }

    /// Number of the cores that take part and come before one of them.
    pub(crate) fn core_rank(&self, node: u32, core: usize) -> usize {
        (self.cores[node as usize] & ((1 << core) - 1)).count_ones() as usize
    }

    /// Hops from a node to the root.
    pub fn depth(&self, node: u32) -> u32 {
        std::iter::successors(self.parent(node), |(parent, _)| self.parent(*parent)).count() as u32
    }

    /// Hops from the farthest core that takes part to the root.
    pub fn greatest_depth(&self) -> u32 {
        let last = (0..self.places()).rev().map(|place| self.node(place)).find(|&node| self.takes_part(node));
        last.map_or(0, |node| self.depth(node))
    }

    /// Cores that take part.
    pub fn participants(&self) -> u32 {
        self.cores.iter().map(|cores| cores.count_ones()).sum()
    }
}
