//! The directions in which a link can leave a node.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Names of the dimensions, in order. The Blue Gene papers use the first three.
const DIMENSION_NAMES: [char; crate::MAX_DIMENSIONS] = ['x', 'y', 'z', 'u', 'v', 'w'];

/// The name of a dimension, as in directions.
pub fn dimension_name(dimension: usize) -> char {
    DIMENSION_NAMES[dimension]
}

/// One of up to twelve directions: plus or minus along a dimension. It also identifies the port of a node on that side,
/// with its sender and receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Direction(u8);

impl Direction {
    /// The direction along `dimension` in which the coordinate grows (`is_plus`) or shrinks.
    pub const fn new(dimension: usize, is_plus: bool) -> Self {
        Direction((dimension * 2) as u8 + !is_plus as u8)
    }

    /// The direction with index `index`: 0 is x+, 1 is x-, 2 is y+, and so on.
    pub const fn from_index(index: usize) -> Self {
        Direction(index as u8)
    }

    /// The index of the direction: 0 for x+, 1 for x-, 2 for y+, and so on.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The dimension of the direction.
    pub const fn dimension(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether the coordinate grows in this direction.
    pub const fn is_plus(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// The opposite direction.
    pub const fn opposite(self) -> Self {
        Direction(self.0 ^ 1)
    }

    /// The direction whose name is `name`, such as `x+`. None if there is no such direction.
    pub fn named(name: &str) -> Option<Self> {
        Direction::all(crate::MAX_DIMENSIONS).find(|direction| direction.to_string() == name)
    }

    /// All directions of a machine with `dimensions` dimensions, in order of their index.
    pub fn all(dimensions: usize) -> impl Iterator<Item = Direction> {
        (0..dimensions * 2).map(Direction::from_index)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", DIMENSION_NAMES[self.dimension()], if self.is_plus() { '+' } else { '-' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_opposites() {
        let names: Vec<String> = Direction::all(3).map(|d| d.to_string()).collect();
        assert_eq!(names, ["x+", "x-", "y+", "y-", "z+", "z-"]);
        for direction in Direction::all(6) {
            assert_eq!(direction.opposite().opposite(), direction);
            assert_eq!(direction.opposite().dimension(), direction.dimension());
            assert_ne!(direction.opposite().is_plus(), direction.is_plus());
        }
    }
}
