//! Messages along lines of the torus. The deposit bit of their packets leaves a copy at each node that they pass.
//!
//! ```text
//!   sender  ===>  a  ===>  b  ===>  c       one message, whose packets leave copies at a and b
//!      '----------^--------^--------^       an announcement to each
//! ```
//!
//! Such a message is eager: no receiver answers before the packets come. They are routed deterministically and take the
//! injection FIFO of their direction, so that messages along one line keep their order at every node.

use geometry::{Direction, Hops, Shape};
use serde::{Deserialize, Serialize};
use std::iter::successors;

/// The part of a line along which a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub direction: Direction,
    /// Nodes that it reaches.
    pub nodes: u32,
}

impl Span {
    /// The span from a node over its neighbor `first` to `last`, if any.
    pub fn new(shape: &Shape, source: u32, is_plus: bool, [first, last]: [u32; 2]) -> Option<Self> {
        let leads_there = |direction: &Direction| {
            direction.is_plus() == is_plus && shape.neighbor(source, *direction) == Some(first)
        };
        let direction = Direction::all(shape.dimensions()).find(leads_there)?;
        let longest = Span { direction, nodes: shape.longest_hops(direction.dimension()) };
        let place = longest.reached(shape, source).position(|node| node == last)?;
        Some(Span { direction, nodes: place as u32 + 1 })
    }

    /// The hops of its packets.
    pub fn hops(&self) -> Hops {
        let mut hops = Hops::default();
        hops.0[self.direction.dimension()] =
            if self.direction.is_plus() { self.nodes as i32 } else { -(self.nodes as i32) };
        hops
    }

    /// The nodes that it reaches from a node, in order.
    pub fn reached(self, shape: &Shape, source: u32) -> impl Iterator<Item = u32> + '_ {
        let next = move |node: u32| shape.neighbor(node, self.direction);
        successors(next(source), move |&node| next(node)).take(self.nodes as usize)
    }
}
