//! Messages along lines of the torus. The deposit bit of their packets leaves a copy at each node that they pass.
//!
//! ```text
//!   sender  ===>  a  ===>  b  ===>  c       one message, whose packets leave copies at a and b
//!      '----------^--------^--------^       an announcement to each
//! ```
//!
//! Such a message is eager: no receiver answers before the packets come. They are routed deterministically and take the
//! injection FIFO of their direction, so that messages along one line keep their order at every node.

use crate::ranks::{Line, Operation};
use crate::sends::Outgoing;
use crate::transfer::Kind;
use crate::turn::Turn;
use geometry::{Direction, Hops, Shape};
use serde::{Deserialize, Serialize};
use std::iter::successors;

/// The way of a message along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Way {
    pub direction: Direction,
    /// Nodes that it reaches.
    pub nodes: u32,
}

impl Way {
    /// The way from a node over its neighbor `first` to `last`, if there is one.
    fn new(shape: &Shape, source: u32, is_plus: bool, [first, last]: [u32; 2]) -> Option<Self> {
        let leads_there = |direction: &Direction| {
            direction.is_plus() == is_plus && shape.neighbor(source, *direction) == Some(first)
        };
        let direction = Direction::all(shape.dimensions()).find(leads_there)?;
        let longest = Way { direction, nodes: shape.length(direction.dimension()) - 1 };
        let place = longest.reached(shape, source).position(|node| node == last)?;
        Some(Way { direction, nodes: place as u32 + 1 })
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

    /// Whether a restored way can be one from a node to another.
    pub fn can_be_restored(&self, shape: &Shape, source: u32, target: u32) -> bool {
        self.direction.dimension() < shape.dimensions()
            && (1..shape.length(self.direction.dimension())).contains(&self.nodes)
            && shape.destination(source, &self.hops()) == Some(target)
    }
}

impl Turn<'_, '_> {
    /// Sends a message of the rank along a line at processor cycle `time`.
    pub fn deposit(&mut self, operation: &Operation, time: u64) {
        let Operation::Deposit { line, bytes, envelope, reports } = *operation else {
            unreachable!("it is one")
        };
        let (way, parameters) = (self.way(line), &self.setup.parameters);
        let is_eager = !parameters.is_rendezvous(bytes) && parameters.message_credits.is_none();
        assert!(is_eager, "a message along a line waits for no answers");
        let message = self.new_message((bytes, envelope), way.nodes);
        let outgoing = self.outgoing(Kind::Eager, line.last, message, reports);
        self.queue(self.number, Outgoing { way: Some(way), ..outgoing }, time);
    }

    fn way(&mut self, line: Line) -> Way {
        let source = self.rank().number;
        assert!(self.setup.deposits, "rank {source} sends along a line, which the network has not been told");
        let ends = [line.first, line.last].map(|rank| self.setup.map.place(rank).node);
        let way = Way::new(&self.io.fabric.parameters.shape, self.io.node, line.is_plus, ends);
        way.unwrap_or_else(|| panic!("rank {source} has no line from rank {} to {}", line.first, line.last))
    }

    /// Tells the nodes to which a message goes what they have to know before its first packet arrives.
    pub fn announce(&mut self, outgoing: &Outgoing) {
        let header = outgoing.header();
        let Some(way) = outgoing.way else {
            return self.io.announce(header.announce_to(outgoing.place.node));
        };
        for node in way.reached(&self.io.fabric.parameters.shape, self.io.node) {
            self.io.announce(header.announce_to(node));
        }
    }
}
