//! Dead nodes and links of a machine, and routes between live nodes around them.
//!
//! ```text
//!   a pair of live nodes
//!     nothing in its minimal quadrant is dead                   -> Minimal       the usual hint bits
//!     otherwise: hint bits with a clean escape                  -> CleanEscape
//!     otherwise: hint bits that trap no packet on adaptive VCs  -> AdaptiveOnly  without the escape VC
//!     otherwise, or if relays are preferred to AdaptiveOnly     -> Relayed       by another node's software
//! ```
//!
//! Hardware does not route around dead nodes and links; software sets hint bits so that packets never meet them (S17 in
//! `docs/claims.md`). A router detects only that one of its own links is dead, and sends nothing there.
//!
//! The *quadrant* of given hint bits holds all nodes that a packet may reach with them on adaptive VCs. A packet is
//! *trapped* at a node if all links that it may take there are dead. Its escape is *clean* if the next link in
//! dimension order is alive at every node that the packet may reach. Then no packet is trapped, and the escape VC
//! drains as on a machine without faults.

mod quadrant;
mod relays;
mod routes;
mod shares;

use crate::{Direction, MAX_DIMENSIONS, Preference, Shape};
pub use routes::{RouteRequest, RouteSegment, Service};
use serde::{Deserialize, Serialize};
pub use shares::ServiceShares;
use std::collections::{BTreeSet, VecDeque};
use thiserror::Error;

/// How pairs of nodes are served if no choice of hint bits has a clean escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WithoutCleanEscape {
    /// By packets that never request the escape VC, if some hint bits trap no packet; otherwise by a relay.
    AdaptiveOnly,
    /// By the software of a third node, which forwards the packet: deadlock-free.
    #[default]
    Relay,
}

impl WithoutCleanEscape {
    /// Whether packets may depend on adaptive VCs alone.
    fn allows_adaptive_only(self) -> bool {
        match self {
            WithoutCleanEscape::AdaptiveOnly => true,
            WithoutCleanEscape::Relay => false,
        }
    }
}

/// Dead nodes and links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Faults {
    /// The dead nodes, in ascending order.
    nodes: Vec<u32>,
    /// The dead links passed to [`Faults::new`], in both directions and ascending order. Other links of dead nodes are
    /// left out.
    links: Vec<(u32, Direction)>,
    without_clean_escape: WithoutCleanEscape,
    /// The group of each node. Only nodes of its group relay a node's packets. Empty if all nodes may.
    relay_groups: Vec<u16>,
}

/// The reason why a machine cannot be used with these dead nodes and links.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FaultError {
    /// A node that the shape does not have.
    #[error("there is no node {node}: the nodes of {shape} are 0 to {last}")]
    NoSuchNode {
        /// The node.
        node: u32,
        /// The shape.
        shape: String,
        /// The last node of the shape.
        last: u32,
    },
    /// A link that the shape does not have.
    #[error("node {node} has no link in direction {toward}")]
    NoSuchLink {
        /// The node.
        node: u32,
        /// The direction.
        toward: Direction,
    },
    /// Fewer than two nodes are alive.
    #[error("{live} of {nodes} nodes are alive; at least two must be")]
    TooFewAlive {
        /// Nodes that are alive.
        live: u32,
        /// Nodes of the machine.
        nodes: u32,
    },
    /// Live nodes are not connected, even by relays.
    #[error("node {from:?} cannot reach node {to:?}: every path between them is blocked by {cause}")]
    Unreachable {
        /// Coordinates of a node.
        from: Vec<u32>,
        /// Coordinates of a node that it cannot reach.
        to: Vec<u32>,
        /// The dead nodes and links that separate the two.
        cause: String,
    },
}

impl Faults {
    /// The faults of a machine of `shape` with these dead `nodes` and `links`. Each link is dead in both directions: a
    /// link is useless without the reverse link that carries its acknowledgements.
    ///
    /// # Errors
    /// If a node or link does not exist, fewer than two nodes are alive, or some live nodes cannot be reached.
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
            relay_groups: Vec::new(),
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

    /// These faults, with relays confined to groups: only nodes of its group relay a node's packets. `relay_groups`
    /// gives the group of each node. Each group must be [connected](Self::unconnected_pair).
    #[must_use]
    pub fn within_groups(self, relay_groups: Vec<u16>) -> Self {
        Faults { relay_groups, ..self }
    }

    /// The faults of a part of the machine that has dead links but no dead node. `shape` is the shape of the part.
    /// `node_of` maps a node of the part to its node on the machine.
    #[must_use]
    pub fn of_part(&self, machine: &Shape, shape: &Shape, node_of: impl Fn(u32) -> u32) -> Self {
        let all = (0..shape.nodes())
            .flat_map(|node| Direction::all(shape.dimensions()).map(move |toward| (node, toward)));
        let is_dead = |&(node, toward): &(u32, Direction)| {
            shape.neighbor(node, toward).is_some() && self.is_dead_link(machine, node_of(node), toward)
        };
        let mut links: Vec<(u32, Direction)> =
            if self.is_empty() { Vec::new() } else { all.filter(is_dead).collect() };
        links.sort_unstable();
        Faults { links, without_clean_escape: self.without_clean_escape, ..Faults::default() }
    }

    /// A source and a target among the live `nodes` that may need a relay outside `nodes`. None if no such pair exists.
    pub fn unconnected_pair(&self, shape: &Shape, nodes: &[u32]) -> Option<(u32, u32)> {
        let group = |node: u32| nodes.binary_search(&node).map_or(1, |_| 0);
        debug_assert!(nodes.is_sorted());
        if self.is_empty() || self.are_connected(shape, nodes) {
            return None;
        }
        let own = self.clone().within_groups((0..shape.nodes()).map(group).collect());
        let pairs = nodes.iter().flat_map(|&source| nodes.iter().map(move |&target| (source, target)));
        pairs.filter(|(source, target)| source != target).find(|&(source, target)| {
            let preferences = &[Preference::Minimal; MAX_DIMENSIONS];
            // Where an adaptive packet has a clean escape, packets of every class can go.
            let request = RouteRequest { source, target, coin: 0, preferences, is_dimension_ordered: false };
            own.clean_segment(shape, &request).is_none()
                && own.segment_to_one_relay(shape, &request).is_none()
        })
    }

    /// Whether live links between `nodes` connect all of them.
    fn are_connected(&self, shape: &Shape, nodes: &[u32]) -> bool {
        let mut left: BTreeSet<u32> = nodes.iter().copied().collect();
        let mut frontier: Vec<u32> = left.pop_first().into_iter().collect();
        while let Some(node) = frontier.pop() {
            frontier.extend(self.live_neighbors(shape, node).filter(|next| left.remove(next)));
        }
        left.is_empty()
    }

    /// Whether `relay` may relay packets of `source`.
    fn may_relay(&self, source: u32, relay: u32) -> bool {
        let groups = &self.relay_groups;
        groups.is_empty() || groups[source as usize] == groups[relay as usize]
    }

    /// Whether nothing is dead.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.links.is_empty()
    }

    /// The dead nodes, in ascending order.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The dead links passed to [`Faults::new`], once for each direction, in ascending order.
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

    /// Whether the link of a node in a direction is unusable: the link or a node at either end is dead, or there is no
    /// link.
    pub fn is_dead_link(&self, shape: &Shape, node: u32, toward: Direction) -> bool {
        let neighbor = shape.neighbor(node, toward);
        self.is_dead(node)
            || neighbor.is_none_or(|neighbor| self.is_dead(neighbor))
            || self.links.binary_search(&(node, toward)).is_ok()
    }

    /// The number of unusable links in a direction.
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

    /// The neighbors of `node` over live links.
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
        let mut frontier = VecDeque::from([first]);
        while let Some(node) = frontier.pop_front() {
            for next in self.live_neighbors(shape, node) {
                if !std::mem::replace(&mut reached[next as usize], true) {
                    frontier.push_back(next);
                }
            }
        }
        match (0..nodes).find(|&node| !reached[node as usize] && !self.is_dead(node)) {
            None => Ok(()),
            Some(to) => Err(FaultError::Unreachable {
                from: self.coordinates_of(shape, first),
                to: self.coordinates_of(shape, to),
                cause: self.surrounding_faults(shape, &reached),
            }),
        }
    }

    fn coordinates_of(&self, shape: &Shape, node: u32) -> Vec<u32> {
        shape.coordinates(node)[..shape.dimensions()].to_vec()
    }

    /// The dead nodes and links at the border of the reached part of the machine, in words.
    fn surrounding_faults(&self, shape: &Shape, reached: &[bool]) -> String {
        let is_in = |node: u32| reached[node as usize];
        let touches = |&&node: &&u32| {
            Direction::all(shape.dimensions()).any(|toward| shape.neighbor(node, toward).is_some_and(is_in))
        };
        let nodes = self.nodes.iter().filter(touches);
        let nodes = nodes.map(|&node| format!("dead node {:?}", self.coordinates_of(shape, node)));
        let leaves = |&&(node, toward): &&(u32, Direction)| {
            is_in(node) && shape.neighbor(node, toward).is_some_and(|next| !is_in(next))
        };
        let links = self.links.iter().filter(leaves);
        let links =
            links.map(|(node, toward)| format!("dead link {:?} {toward}", self.coordinates_of(shape, *node)));
        let all: Vec<String> = nodes.chain(links).collect();
        match all.len() {
            0..=4 => all.join(", "),
            more => format!("{} and {} more", all[..4].join(", "), more - 4),
        }
    }
}
