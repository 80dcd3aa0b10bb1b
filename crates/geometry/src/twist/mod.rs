//! Twisted tori: crossing the wrap of a dimension shifts other coordinates.
//!
//! ```text
//!   4 x 8, x shifts y by 4                    the same nodes: x is a ring of 8, not two rings of 4
//!
//!     y 5   o--o--o--o--> to y = 1              (0,1) (1,1) (2,1) (3,1) (0,5) (1,5) (2,5) (3,5) (0,1) ...
//!     y 1   o--o--o--o--> to y = 5
//! ```
//!
//! Crossing the wrap of dimension `d` in plus direction adds the shift `s_d`, crossing it in minus direction subtracts
//! it. The machine is the group Z^n over the lattice that the vectors `length_d e_d - s_d` generate. So every node sees
//! the same machine, and routes depend on the *difference* of two nodes alone. Nodes keep the coordinates of the box of
//! the lengths. Dimensions that neither shift nor are shifted take no part: each is a ring of its own.
//!
//! ```text
//!   mod.rs      what users state: the shifts
//!   lattice.rs  the group of the dimensions that take part: representatives, orbits, positions in a quadrant
//!   vectors.rs  the table of the shortest vectors of each difference, by breadth-first search
//!   choice.rs   the vector that a packet takes, by its coin, its preferences, and the weights of vectors
//!   balance.rs  the shares with which all links carry the same, by a linear program
//!   search.rs   the best of all twists
//!   shape.rs    what shapes offer
//! ```

mod balance;
mod choice;
mod lattice;
mod search;
mod shape;
mod vectors;

pub(crate) use choice::Twisted;
pub use search::{FoundTwist, best_twists, evaluated as evaluated_twist};
pub(crate) use shape::StoredShape;

use crate::MAX_DIMENSIONS;
use crate::direction::dimension_name;
use std::fmt;

/// The shifts of a twisted torus: for each dimension, what crossing its wrap in plus direction adds to other coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Twist {
    shifts: [[i32; MAX_DIMENSIONS]; MAX_DIMENSIONS],
}

impl Twist {
    /// This twist, in which crossing the wrap of dimension `across` in plus direction adds `by` to the coordinate along
    /// dimension `along`.
    ///
    /// # Panics
    /// If a dimension is not below [`MAX_DIMENSIONS`].
    #[must_use]
    pub fn shifting(mut self, across: usize, along: usize, by: i32) -> Self {
        self.shifts[across][along] = by;
        self
    }

    /// The usual twist of a torus of n x n x 2n or n x 2n x 2n nodes, in any order of the dimensions (Camara et al.):
    /// crossing the wrap of a short dimension shifts each long one by n. None for other lengths.
    pub fn automatic(lengths: &[u32]) -> Option<Self> {
        let short = *lengths.iter().min()?;
        let is_long = |&dimension: &usize| u64::from(lengths[dimension]) == 2 * u64::from(short);
        let (long, rest): (Vec<usize>, Vec<usize>) = (0..lengths.len()).partition(is_long);
        let is_usual = lengths.len() == 3
            && short > 1
            && !long.is_empty()
            && rest.iter().all(|&dimension| lengths[dimension] == short);
        let pairs = rest.iter().flat_map(|&across| long.iter().map(move |&along| (across, along)));
        is_usual.then(|| {
            pairs.fold(Twist::default(), |twist, (across, along)| twist.shifting(across, along, short as i32))
        })
    }

    /// The shift of the coordinates where the wrap of a dimension is crossed in plus direction.
    pub fn shift(&self, across: usize) -> &[i32; MAX_DIMENSIONS] {
        &self.shifts[across]
    }

    /// All shifts that are not 0: the dimension whose wrap is crossed, the dimension that is shifted, and by how much.
    pub fn shifts(&self) -> impl Iterator<Item = (usize, usize, i32)> + '_ {
        let pairs =
            (0..MAX_DIMENSIONS).flat_map(|across| (0..MAX_DIMENSIONS).map(move |along| (across, along)));
        pairs.map(|(across, along)| (across, along, self.shifts[across][along])).filter(|&(_, _, by)| by != 0)
    }
}

impl fmt::Display for Twist {
    /// `x shifts z by 4, y shifts z by 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (across, along, by)) in self.shifts().enumerate() {
            let separator = if number == 0 { "" } else { ", " };
            write!(f, "{separator}{} shifts {} by {by}", dimension_name(across), dimension_name(along))?;
        }
        Ok(())
    }
}
