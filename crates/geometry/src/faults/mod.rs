//! What of a machine is dead, and how the living reach one another all the same.
//!
//! ```text
//!   a pair of live nodes
//!     its minimal box holds nothing dead                              -> Minimal      the hint bits of every day
//!     other hint bits, with a clean escape from wherever it may be     -> Around
//!     no such choice: one that no dynamic path is trapped in           -> DynamicOnly  kept off the escape channel
//!     neither, or relays are asked for                                 -> Relayed      by another node's software
//! ```
//!
//! Hardware does not route round what is dead; software sets hint bits so that packets never need to (row S17). A router
//! knows no more than that one of its own links is dead, and sends nothing there.
//!
//! A *box* is all that a packet with given hint bits may reach on dynamic channels. It is *trapped* at a node all of whose
//! links that it may take are dead. Its escape is *clean* if from every node that it may reach, the next link in
//! dimension order is alive: then it can never be trapped either, and the escape channel drains as on a whole machine.

mod paths;
mod relays;
mod shares;
mod trips;

use crate::{Direction, Shape};
use serde::{Deserialize, Serialize};
pub use shares::ServiceShares;
use std::collections::VecDeque;
use thiserror::Error;
pub use trips::{Leg, Service, Trip};

/// How pairs of nodes are served for which no choice of hint bits has a clean escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WithoutCleanEscape {
    /// By packets that never ask for the escape channel, where there is a choice that traps none; else by a relay.
    DynamicOnly,
    /// By the software of a third node, which sends the packet on: free of deadlock.
    #[default]
    Relay,
}

/// Dead nodes and links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Faults {
    /// Ascending.
    nodes: Vec<u32>,
    /// Both ways of each, ascending; without those of dead nodes.
    links: Vec<(u32, Direction)>,
    without_clean_escape: WithoutCleanEscape,
}

/// Why a machine cannot be used with what is dead in it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FaultError {
    /// A node that the shape does not have.
    #[error("there is no node {node}: those of {shape} are 0 to {last}")]
    NoSuchNode {
        /// The node.
        node: u32,
        /// The shape.
        shape: String,
        /// Its last node.
        last: u32,
    },
    /// A link that the shape does not have.
    #[error("node {node} has no link toward {toward}")]
    NoSuchLink {
        /// The node.
        node: u32,
        /// The direction.
        toward: Direction,
    },
    /// Nobody is left who could talk to anybody.
    #[error("{live} of {nodes} nodes are alive; at least two must be")]
    TooFewAlive {
        /// Nodes that are alive.
        live: u32,
        /// Nodes of the machine.
        nodes: u32,
    },
    /// Live nodes that nothing connects, not even relays.
    #[error("node {from:?} cannot reach node {to:?}: every way between them is cut by {cause}")]
    Unreachable {
        /// Coordinates of a node.
        from: Vec<u32>,
        /// Coordinates of one that it cannot reach.
        to: Vec<u32>,
        /// Whatever dead is next to the part that is cut off.
        cause: String,
    },
}

impl Faults {
    /// These nodes and links of `shape`, each link with its way back: a link without the one that brings
    /// acknowledgements is of no use.
    ///
    /// # Errors
    /// When there is no such node or link, fewer than two nodes are left, or some live nodes cannot be reached.
    pub fn new(
        shape: &Shape,
        nodes: &[u32],
        links: &[(u32, Direction)],
        without_clean_escape: WithoutCleanEscape,
    ) -> Result<Self, FaultError> {
        let last = shape.nodes() - 1;
        if let Some(&node) = nodes.iter().chain(links.iter().map(|(node, _)| node)).find(|&&n| n > last) {
            return Err(FaultError::NoSuchNode { node, shape: shape.to_string(), last });
        }
        let mut faults = Faults {
            nodes: nodes.to_vec(),
            links: Vec::with_capacity(2 * links.len()),
            without_clean_escape,
        };
        faults.nodes.sort_unstable();
        faults.nodes.dedup();
        for &(node, toward) in links {
            let exists = toward.dimension() < shape.dimensions();
            let neighbor = exists.then(|| shape.neighbor(node, toward)).flatten();
            let neighbor = neighbor.ok_or(FaultError::NoSuchLink { node, toward })?;
            faults.links.extend([(node, toward), (neighbor, toward.opposite())]);
        }
        faults.links.sort_unstable();
        faults.links.dedup();
        faults.check(shape)?;
        Ok(faults)
    }

    /// Whether nothing is dead.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.links.is_empty()
    }

    /// The dead nodes, ascending.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The dead links that are named, each once for either way, ascending.
    pub fn links(&self) -> &[(u32, Direction)] {
        &self.links
    }

    /// How pairs without a clean escape are served.
    pub fn without_clean_escape(&self) -> WithoutCleanEscape {
        self.without_clean_escape
    }

    /// Whether a node is dead.
    #[inline]
    pub fn is_dead(&self, node: u32) -> bool {
        !self.nodes.is_empty() && self.nodes.binary_search(&node).is_ok()
    }

    /// Whether nothing can cross the link of a node in a direction, itself or either of its ends being dead; also where
    /// there is no link.
    pub fn is_dead_link(&self, shape: &Shape, node: u32, toward: Direction) -> bool {
        let neighbor = shape.neighbor(node, toward);
        self.is_dead(node)
            || neighbor.is_none_or(|neighbor| self.is_dead(neighbor))
            || self.links.binary_search(&(node, toward)).is_ok()
    }

    /// How many links of a direction nothing can cross.
    pub fn dead_links_toward(&self, shape: &Shape, toward: Direction) -> u64 {
        let has_link = |&&node: &&u32| shape.neighbor(node, toward).is_some();
        let leaving = self.nodes.iter().filter(has_link).count();
        let entering = self.nodes.iter().filter_map(|&node| shape.neighbor(node, toward.opposite()));
        let entering = entering.filter(|&node| !self.is_dead(node)).count();
        let between_live = |&&(node, direction): &&(u32, Direction)| {
            let neighbor = shape.neighbor(node, direction).expect("a dead link is a link");
            direction == toward && !self.is_dead(node) && !self.is_dead(neighbor)
        };
        (leaving + entering + self.links.iter().filter(between_live).count()) as u64
    }

    /// The nodes that a live node has live links to.
    fn live_neighbors<'a>(&'a self, shape: &'a Shape, node: u32) -> impl Iterator<Item = u32> + 'a {
        Direction::all(shape.dimensions())
            .filter(move |&toward| !self.is_dead_link(shape, node, toward))
            .filter_map(move |toward| shape.neighbor(node, toward))
    }

    fn check(&self, shape: &Shape) -> Result<(), FaultError> {
        let (nodes, dead) = (shape.nodes(), self.nodes.len() as u32);
        if self.is_empty() {
            return Ok(());
        }
        if nodes - dead < 2 {
            return Err(FaultError::TooFewAlive { live: nodes - dead, nodes });
        }
        let first = (0..nodes).find(|&node| !self.is_dead(node)).expect("two nodes are alive");
        let mut reached = vec![false; nodes as usize];
        reached[first as usize] = true;
        let mut edge = VecDeque::from([first]);
        while let Some(node) = edge.pop_front() {
            for next in self.live_neighbors(shape, node) {
                if !std::mem::replace(&mut reached[next as usize], true) {
                    edge.push_back(next);
                }
            }
        }
        match (0..nodes).find(|&node| !reached[node as usize] && !self.is_dead(node)) {
            None => Ok(()),
            Some(to) => Err(FaultError::Unreachable {
                from: self.named(shape, first),
                to: self.named(shape, to),
                cause: self.what_surrounds(shape, &reached),
            }),
        }
    }

    fn named(&self, shape: &Shape, node: u32) -> Vec<u32> {
        shape.coordinates(node)[..shape.dimensions()].to_vec()
    }

    /// The dead nodes and links at the border of a part of the machine, in words.
    fn what_surrounds(&self, shape: &Shape, reached: &[bool]) -> String {
        let is_in = |node: u32| reached[node as usize];
        let touches = |&&node: &&u32| {
            Direction::all(shape.dimensions()).any(|toward| shape.neighbor(node, toward).is_some_and(is_in))
        };
        let nodes = self.nodes.iter().filter(touches);
        let nodes = nodes.map(|&node| format!("dead node {:?}", self.named(shape, node)));
        let leaves = |&&(node, toward): &&(u32, Direction)| {
            is_in(node) && shape.neighbor(node, toward).is_some_and(|next| !is_in(next))
        };
        let links = self.links.iter().filter(leaves);
        let links = links.map(|(node, toward)| format!("dead link {:?} {toward}", self.named(shape, *node)));
        let all: Vec<String> = nodes.chain(links).collect();
        match all.len() {
            0..=4 => all.join(", "),
            more => format!("{} and {} more", all[..4].join(", "), more - 4),
        }
    }
}
