//! The number and direction of a packet's hops in each dimension.

use crate::Shape;
use crate::{Direction, MAX_DIMENSIONS};
use serde::{Deserialize, Serialize};

/// The number of bits of the coin that chooses among minimal routes.
pub(crate) const COIN_BITS: u32 = 32;

/// The lowest bit of a coin that chooses among the vectors of a twisted torus. Below it are the bits of the dimensions.
pub(crate) const FIRST_CHOICE_BIT: u32 = MAX_DIMENSIONS as u32;

/// Signed hops in each dimension: positive is plus. Hops beyond the shape's dimensions are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hops(pub [i32; MAX_DIMENSIONS]);

impl Hops {
    /// One hop.
    pub fn one(toward: Direction) -> Self {
        let mut hops = Hops::default();
        hops.0[toward.dimension()] = if toward.is_plus() { 1 } else { -1 };
        hops
    }

    /// These hops and one more.
    pub(crate) fn and_one(mut self, toward: Direction) -> Self {
        self.0[toward.dimension()] += if toward.is_plus() { 1 } else { -1 };
        self
    }

    /// The number of links that the packet will cross.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|hops| hops.unsigned_abs()).sum()
    }

    /// The directions in which there are hops to make: the papers' hint bits.
    pub fn directions(&self) -> impl Iterator<Item = Direction> + '_ {
        self.0
            .iter()
            .enumerate()
            .filter(|(_, hops)| **hops != 0)
            .map(|(dimension, &hops)| Direction::new(dimension, hops > 0))
    }
}

/// The minimal routes between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimalRoutes {
    /// The hops of one route.
    pub(crate) hops: Hops,
    /// The choices of the coin. Low bits: the dimensions in which packets may take either direction, as the target is
    /// exactly half-way round a ring. Above them: the number of the difference of the nodes in the dimensions of a
    /// twist, if it has several vectors; otherwise 0.
    choices: u32,
}

impl MinimalRoutes {
    /// The routes with these hops, and those in which the hops of `ties` are reversed, as bits of dimensions, or others
    /// of the minimal vectors of `difference` are taken.
    pub(crate) fn new(hops: Hops, ties: u32, difference: Option<u32>) -> Self {
        MinimalRoutes { hops, choices: difference.unwrap_or(0) << FIRST_CHOICE_BIT | ties }
    }

    /// Whether there are several routes.
    pub fn are_several(&self) -> bool {
        self.choices != 0
    }

    /// Whether packets may take either direction of a dimension that takes no part in a twist.
    pub fn are_several_along(&self, dimension: usize) -> bool {
        self.choices >> dimension & 1 == 1
    }

    /// The dimensions in which packets may take either direction, as bits.
    pub(crate) fn ties(&self) -> u32 {
        self.choices & ((1 << FIRST_CHOICE_BIT) - 1)
    }

    /// The difference of the nodes, if it has several vectors.
    pub(crate) fn difference(&self) -> Option<u32> {
        (self.choices >> FIRST_CHOICE_BIT != 0).then_some(self.choices >> FIRST_CHOICE_BIT)
    }

    /// The route that [`Shape::route`](crate::Shape::route) of their shape gives with this coin.
    pub fn route(&self, shape: &Shape, coin: u32) -> Hops {
        let mut hops = self.hops;
        let turned = self.ties() & !coin;
        for dimension in (0..MAX_DIMENSIONS).filter(|dimension| turned >> dimension & 1 == 1) {
            hops.0[dimension] = -hops.0[dimension];
        }
        if let Some((twisted, difference)) = shape.twisted.as_ref().zip(self.difference()) {
            twisted.set_minimal(difference, coin, &mut hops);
        }
        hops
    }
}

/// How software sets the hint bits of one dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// The shorter direction; if both are equally long, each for exactly half of the packets.
    #[default]
    Minimal,
    /// Always plus, even if that is the longer direction.
    Plus,
    /// Always minus, even if that is the longer direction.
    Minus,
}

impl Preference {
    /// Whether this preference allows a displacement along an open dimension.
    pub(crate) fn admits(self, displacement: i32) -> bool {
        match self {
            Preference::Minimal => true,
            Preference::Plus => displacement >= 0,
            Preference::Minus => displacement <= 0,
        }
    }
}
