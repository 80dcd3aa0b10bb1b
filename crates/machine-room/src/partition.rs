//! A partition: a box of midplanes, the cables that it uses, and its shape for the network model.

use fixedbitset::FixedBitSet;
use geometry::Shape;
use std::fmt;

/// How a partition is wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wiring {
    /// Every dimension is closed.
    Torus,
    /// Every dimension is closed, and those of n x n x 2n or n x 2n x 2n nodes have the usual twist. Only switches can.
    TwistedTorus,
    /// Only cables between its own midplanes are used, except in dimensions that meshes do not open. A dimension whose
    /// cables form a loop anyway is closed.
    Mesh,
}

impl Wiring {
    /// Whether it closes every dimension.
    pub(crate) fn closes_all(self) -> bool {
        match self {
            Wiring::Torus | Wiring::TwistedTorus => true,
            Wiring::Mesh => false,
        }
    }
}

impl fmt::Display for Wiring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wiring::Torus => "torus",
            Wiring::TwistedTorus => "twisted-torus",
            Wiring::Mesh => "mesh",
        })
    }
}

/// How a partition sets the link chip of a midplane in one dimension (Desai et al. 2009, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkChip {
    /// Wraps the midplane onto itself; its cables stay free for other partitions.
    Wrap,
    /// Connects the midplane to its cables.
    Join,
    /// Connects cables past the midplane, which belongs to another partition or to none.
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
    /// The number of the first card.
    pub first: u32,
    /// The number of cards.
    pub count: u32,
}

impl CardRange {
    fn overlaps(self, other: CardRange) -> bool {
        self.first < other.first + other.count && other.first < self.first + self.count
    }
}

/// A partition of a room. In a switched room it stands for a size: it has a
/// [`midplane_count`](Partition::midplane_count), but no midplanes unless they are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    pub(crate) name: String,
    pub(crate) wiring: Wiring,
    pub(crate) shape: Shape,
    pub(crate) midplane_count: usize,
    pub(crate) midplanes: FixedBitSet,
    pub(crate) cables: FixedBitSet,
    pub(crate) passed_through: Vec<PassThrough>,
    pub(crate) cards: Option<CardRange>,
    /// Midplanes along each dimension.
    pub(crate) spans: Vec<u32>,
}

impl Partition {
    /// The name: wiring, nodes and position, as `torus-4096-X0-Y01-Z0123` or `mesh-64-R00-M0-N02`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The wiring: a torus, twisted or not, if every dimension is closed, else a mesh. A partition requested as a mesh is a torus if its
    /// cables close every dimension anyway.
    pub fn wiring(&self) -> Wiring {
        self.wiring
    }

    /// Whether a dimension of more than one node is open, so that a job may run slower than on a torus.
    pub fn has_open_dimension(&self) -> bool {
        !self.wiring.closes_all()
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.shape.nodes()
    }

    /// The shape in nodes and the wrapped dimensions, in the form of the network model.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of midplanes that it needs; 1 if it is smaller than a midplane.
    pub fn midplane_count(&self) -> usize {
        self.midplane_count
    }

    /// Midplanes along each dimension; 1 in each if it is smaller than a midplane.
    pub fn spans(&self) -> &[u32] {
        &self.spans
    }

    /// The midplanes that it uses, fully or in part; in a switched room none unless they are named.
    pub fn midplanes(&self) -> &FixedBitSet {
        &self.midplanes
    }

    /// The cables that it uses.
    pub fn cables(&self) -> &FixedBitSet {
        &self.cables
    }

    /// The node cards that it uses, if it is smaller than a midplane.
    pub fn cards(&self) -> Option<CardRange> {
        self.cards
    }

    /// The midplanes outside the partition that its cables pass through, each with the dimension.
    pub fn passed_through(&self) -> &[PassThrough] {
        &self.passed_through
    }

    /// How it sets the link chip of a midplane in a dimension; `None` if it does not use the link chip.
    pub fn link_chip(&self, midplane: usize, dimension: usize) -> Option<LinkChip> {
        if self.passed_through.contains(&PassThrough { midplane, dimension }) {
            return Some(LinkChip::PassThrough);
        }
        let owns = self.cards.is_none() && self.midplanes.contains(midplane);
        owns.then_some(if self.spans[dimension] == 1 { LinkChip::Wrap } else { LinkChip::Join })
    }

    /// Whether it shares a midplane, a node card or a cable with `other` of the same room. In a switched room only
    /// named midplanes count.
    pub fn shares_with(&self, other: &Partition) -> bool {
        let shares_midplane = match (self.cards, other.cards) {
            (Some(own), Some(others)) => {
                own.overlaps(others) && !self.midplanes.is_disjoint(&other.midplanes)
            }
            _ => !self.midplanes.is_disjoint(&other.midplanes),
        };
        shares_midplane || !self.cables.is_disjoint(&other.cables)
    }
}
