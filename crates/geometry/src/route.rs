//! How many hops a packet has to make in each dimension, and which way.

use crate::{Direction, MAX_DIMENSIONS};
use serde::{Deserialize, Serialize};

/// Signed hops in each dimension: positive is plus. Those beyond the shape's dimensions are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hops(pub [i32; MAX_DIMENSIONS]);

impl Hops {
    /// One hop.
    pub fn one(toward: Direction) -> Self {
        let mut hops = Hops::default();
        hops.0[toward.dimension()] = if toward.is_plus() { 1 } else { -1 };
        hops
    }

    /// How many links the packet will cross.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|hops| hops.unsigned_abs()).sum()
    }

    /// The directions in which there are hops to make: what the papers' hint bits say.
    pub fn directions(&self) -> impl Iterator<Item = Direction> + '_ {
        self.0
            .iter()
            .enumerate()
            .filter(|(_, hops)| **hops != 0)
            .map(|(dimension, &hops)| Direction::new(dimension, hops > 0))
    }
}

/// How software sets the hint bits of one dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// The shortest way; both ways for exactly half the packets where they are equally long.
    #[default]
    Minimal,
    /// Always plus, the long way round if need be.
    Plus,
    /// Always minus, the long way round if need be.
    Minus,
}

impl Preference {
    /// Whether a displacement on an open line can be made with this preference.
    pub(crate) fn admits(self, displacement: i32) -> bool {
        match self {
            Preference::Minimal => true,
            Preference::Plus => displacement >= 0,
            Preference::Minus => displacement <= 0,
        }
    }
}
