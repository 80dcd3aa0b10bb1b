//! The number and direction of a packet's hops in each dimension.

use crate::{Direction, MAX_DIMENSIONS};
use serde::{Deserialize, Serialize};

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
    /// Dimensions in which packets may take either direction, as bits: the target is exactly half-way round a ring.
    pub(crate) ties: u32,
}

impl MinimalRoutes {
    /// Whether there are several routes.
    pub fn are_several(&self) -> bool {
        self.ties != 0
    }

    /// Whether packets may take either direction of a dimension.
    pub fn are_several_along(&self, dimension: usize) -> bool {
        self.ties >> dimension & 1 == 1
    }

    /// The route that [`Shape::route`](crate::Shape::route) gives with this coin.
    pub fn route(&self, coin: u32) -> Hops {
        let mut hops = self.hops;
        for dimension in (0..MAX_DIMENSIONS).filter(|dimension| self.ties & !coin & 1 << dimension != 0) {
            hops.0[dimension] = -hops.0[dimension];
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
