//! A partition: a box of midplanes, the cables it takes, and what the network model needs to know of it.

use crate::Bits;
use geometry::Shape;
use std::fmt;

/// How a partition is wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wiring {
    /// Every dimension closes.
    Torus,
    /// Only cables between its own midplanes are taken; where these close a loop all the same, it is closed.
    Mesh,
}

impl fmt::Display for Wiring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wiring::Torus => "torus",
            Wiring::Mesh => "mesh",
        })
    }
}

/// What a partition makes of the link chip of a midplane in one dimension (Desai et al. 2009, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkChip {
    /// Closes the midplane on itself; its cables stay free for others.
    Wrap,
    /// Joins the midplane to its cables.
    Join,
    /// Leads cables past the midplane, which is another's or nobody's.
    PassThrough,
}

impl fmt::Display for LinkChip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LinkChip::Wrap => "wrap",
            LinkChip::Join => "join",
            LinkChip::PassThrough => "pass through",
        })
    }
}

/// A midplane that a partition's cables pass through in a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassThrough {
    /// The number of the midplane.
    pub midplane: usize,
    /// The number of the dimension.
    pub dimension: usize,
}

/// The node cards of a partition that is smaller than a midplane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CardRange {
    /// The first card.
    pub first: u32,
    /// How many cards.
    pub count: u32,
}

impl CardRange {
    fn overlaps(self, other: CardRange) -> bool {
        self.first < other.first + other.count && other.first < self.first + self.count
    }
}

/// A partition of a room. In a switched room it is a size rather than a place: it has a
/// [`midplane_count`](Partition::midplane_count), but no midplanes until some are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    pub(crate) name: String,
    pub(crate) wiring: Wiring,
    pub(crate) shape: Shape,
    pub(crate) midplane_count: usize,
    pub(crate) midplanes: Bits,
    pub(crate) cables: Bits,
    pub(crate) passed_through: Vec<PassThrough>,
    pub(crate) cards: Option<CardRange>,
    /// Midplanes along each dimension.
    pub(crate) spans: Vec<u32>,
}

impl Partition {
    /// What it is called: wiring, nodes and place, as `torus-4096-X0-Y01-Z0123` or `mesh-64-R00-M0-N02`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it is wired: a torus if every dimension is closed, else a mesh. What was asked for as a mesh is a torus where
    /// its cables close every dimension all the same.
    pub fn wiring(&self) -> Wiring {
        self.wiring
    }

    /// Whether a dimension of more than one node is open, so that a job may run slower than on a torus.
    pub fn has_open_dimension(&self) -> bool {
        self.wiring == Wiring::Mesh
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> u32 {
        self.shape.nodes()
    }

    /// Its shape in nodes, and which dimensions close, as the network model takes them.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How many midplanes it needs; 1 if it is smaller than one.
    pub fn midplane_count(&self) -> usize {
        self.midplane_count
    }

    /// Midplanes along each dimension; 1 each if it is smaller than one.
    pub fn spans(&self) -> &[u32] {
        &self.spans
    }

    /// The midplanes that it takes, or takes a part of; in a switched room none, until some are named.
    pub fn midplanes(&self) -> &Bits {
        &self.midplanes
    }

    /// The cables that it takes.
    pub fn cables(&self) -> &Bits {
        &self.cables
    }

    /// The node cards that it takes of its midplane, if it is smaller than one.
    pub fn cards(&self) -> Option<CardRange> {
        self.cards
    }

    /// The midplanes of others that its cables pass through, and in which dimension.
    pub fn passed_through(&self) -> &[PassThrough] {
        &self.passed_through
    }

    /// What it makes of the link chip of a midplane in a dimension, or none where it does not touch it.
    pub fn link_chip(&self, midplane: usize, dimension: usize) -> Option<LinkChip> {
        if self.passed_through.contains(&PassThrough { midplane, dimension }) {
            return Some(LinkChip::PassThrough);
        }
        let owns = self.cards.is_none() && self.midplanes.contains(midplane);
        owns.then_some(if self.spans[dimension] == 1 { LinkChip::Wrap } else { LinkChip::Join })
    }

    /// Whether it shares a midplane, a node card or a cable with `other` of the same room, which is not switched.
    pub fn shares_with(&self, other: &Partition) -> bool {
        let shares_midplane = match (self.cards, other.cards) {
            (Some(own), Some(others)) => own.overlaps(others) && self.midplanes.intersects(&other.midplanes),
            _ => self.midplanes.intersects(&other.midplanes),
        };
        shares_midplane || self.cables.intersects(&other.cables)
    }
}
