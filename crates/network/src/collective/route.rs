//! Trees over the nodes, and the parts of one that take part in operations: class routes.
//!
//! ```text
//!   place   0                      arity 2: the node at place p has the children at 2p + 1 and 2p + 2
//!         /   \
//!        1     2                   places are the numbers of the live nodes, in order
//!       / \   / \
//!      3   4 5   6                 the route of 3 and 4 has its top at 1; that of 3 and 6 at 0, through 1 and 2
//! ```
//!
//! The papers do not describe how the links of the trees are laid through the machine. A complete tree (assumed) has
//! the least depth, and depth is all that times depend on.

use super::packet::CorePlace;
use geometry::{Faults, Shape};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A tree over the live nodes of a machine.
#[derive(Clone, Debug)]
pub struct Tree {
    arity: u32,
    /// Number of live nodes.
    places: u32,
    /// The live nodes in order; empty if no node is dead.
    live: Vec<u32>,
}

impl Tree {
    /// The complete tree over the live nodes, with at most `arity` children of a node.
    pub fn new(shape: &Shape, faults: &Faults, arity: u8) -> Self {
        let live: Vec<u32> = match faults.nodes().is_empty() {
            true => Vec::new(),
            false => (0..shape.nodes()).filter(|node| !faults.is_dead(*node)).collect(),
        };
        let places = if live.is_empty() { shape.nodes() } else { live.len() as u32 };
        Tree { arity: arity.into(), places, live }
    }

    fn node(&self, place: u32) -> u32 {
        if self.live.is_empty() { place } else { self.live[place as usize] }
    }

    /// The place of a node; dead ones have none.
    fn place(&self, node: u32) -> Option<u32> {
        match self.live.is_empty() {
            true => Some(node).filter(|&node| node < self.places),
            false => self.live.binary_search(&node).ok().map(|place| place as u32),
        }
    }

    /// Whether a node is live.
    pub(crate) fn has(&self, node: u32) -> bool {
        self.place(node).is_some()
    }

    /// The parent of a node, and the index of the node among the parent's children. The root and dead nodes have no
    /// parent.
    pub fn parent(&self, node: u32) -> Option<(u32, u8)> {
        let (above, which) = self.above(self.place(node)?)?;
        Some((self.node(above), which))
    }

    /// The place of the parent of a place, and which child it is.
    fn above(&self, place: u32) -> Option<(u32, u8)> {
        let above = place.checked_sub(1)?;
        Some((above / self.arity, (above % self.arity) as u8))
    }

    /// A child of a node.
    pub fn child(&self, node: u32, which: usize) -> u32 {
        let place = self.place(node).expect("a dead node has no children");
        self.node(place * self.arity + 1 + which as u32)
    }

    /// Hops from a node to the root.
    pub fn depth(&self, node: u32) -> u32 {
        std::iter::successors(self.parent(node), |(parent, _)| self.parent(*parent)).count() as u32
    }
}

/// The part of a node in a class route: the children and the cores that take part, and whether packets turn here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joint {
    children: u8,
    cores: u64,
    /// Whether the node is the topmost one of the route.
    pub is_top: bool,
}

impl Joint {
    /// The children that take part, each as its index among the node's children.
    pub fn children(&self) -> impl Iterator<Item = usize> + use<> {
        let children = self.children;
        (0..8).filter(move |which| children >> which & 1 == 1)
    }

    /// Number of the children that take part and come before one of them.
    pub(crate) fn child_rank(&self, which: u8) -> usize {
        (self.children & ((1 << which) - 1)).count_ones() as usize
    }

    /// The cores that take part, in order.
    pub fn cores(&self) -> impl Iterator<Item = u8> + use<> {
        let cores = self.cores;
        (0..64).filter(move |core| cores >> core & 1 == 1)
    }

    /// Number of the cores that take part and come before one of them; none if this core takes no part.
    pub(crate) fn core_rank(&self, core: usize) -> Option<usize> {
        let takes_part = self.cores >> core & 1 == 1;
        takes_part.then(|| (self.cores & ((1 << core) - 1)).count_ones() as usize)
    }
}

/// The node at which a class route ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    /// The root of the tree.
    Root,
    /// The topmost node of the smallest subtree that joins all cores that take part.
    OfSmallest,
}

/// The part of a tree that joins some cores. A node without such a core forwards packets if the subtree below it has
/// one.
#[derive(Clone, Debug)]
pub struct ClassRoute {
    /// The nodes that take part, by their places: parents come before their children.
    joints: BTreeMap<u32, Joint>,
}

impl ClassRoute {
    /// The class route of some cores of live nodes, at least one.
    pub fn new(tree: &Tree, cores: impl IntoIterator<Item = CorePlace>, top: Top) -> Self {
        let mut joints = BTreeMap::<u32, Joint>::new();
        for CorePlace { node, core } in cores {
            let place = tree.place(node).expect("no core of a dead node takes part");
            joints.entry(place).or_default().cores |= 1 << core;
        }
        let mut next = joints.last_key_value().map(|(&place, _)| place);
        while let Some((above, which)) = next.and_then(|place| tree.above(place)) {
            joints.entry(above).or_default().children |= 1 << which;
            next = joints.range(..next.unwrap_or(0)).next_back().map(|(&place, _)| place);
        }
        let mut route = ClassRoute { joints };
        if top == Top::OfSmallest {
            route.cut_stem();
        }
        route.joints.first_entry().expect("a core takes part").get_mut().is_top = true;
        route
    }

    /// Removes the nodes above the first that has a core or joins several children.
    fn cut_stem(&mut self) {
        while let Some(first) = self.joints.first_entry()
            && first.get().cores == 0
            && first.get().children.is_power_of_two()
        {
            first.remove();
        }
    }

    /// The part of a node, if it takes part.
    pub fn joint(&self, tree: &Tree, node: u32) -> Option<Joint> {
        self.joints.get(&tree.place(node)?).copied()
    }

    /// Hops from a node of the route to its topmost node.
    pub fn depth(&self, tree: &Tree, node: u32) -> u32 {
        let top = self.joints.first_key_value().map_or(0, |(&place, _)| tree.node(place));
        tree.depth(node) - tree.depth(top)
    }

    /// Hops from the farthest core that takes part to the topmost node. No place is deeper than the last.
    pub fn greatest_depth(&self, tree: &Tree) -> u32 {
        self.joints.last_key_value().map_or(0, |(&place, _)| self.depth(tree, tree.node(place)))
    }
}
