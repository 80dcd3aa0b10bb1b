//! The rings of a twisted torus, which are orbits: steps in one direction, repeated until they come back.
//!
//! ```text
//!   4 x 8, x shifts y by 4      first x: rings of 4, whose last link leads to another place along y. All ranks with
//!                               the same x get the same part of the data, so this place will do.
//!                               then y, whose orbits have 8 ranks
//!                      or       first y: rings of 4, modulo the orbits of x
//!                               then x, whose orbits have 8 ranks: two lines
//! ```
//!
//! So a stage of a bucket algorithm has rings as long as the dimension's order modulo the dimensions of the later
//! stages ([`Lattice`]), and all links of the dimension are used, those that wrap too. The lengths depend on the order
//! of the dimensions. So do the loads of their links, and the shares of the orders are found by the linear program of
//! Jain and Sabharwal (2010).

use super::lattice::{Lattice, Vector};
use super::orders::{Orders, Plan};
use super::{Grid, MAX_GRID_DIMENSIONS};
use crate::collectives::directions::Directions;
use std::sync::{Mutex, PoisonError};

/// A shift where a ring closes: the dimension of the ring, the dimension that is shifted, and by how many ranks.
pub(in crate::collectives) type Shift = (usize, usize, u32);

/// The rings of a grid of which some shift others.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(in crate::collectives) struct Orbits {
    /// The grid, as if nothing shifted.
    plain: Grid,
    pub shifts: Vec<Shift>,
    pub lattice: Lattice,
    /// The plans for one direction and both, each for half of an all-reduce and all of it.
    plans: [[Plan; 2]; 2],
}

impl Orbits {
    /// The orbits of a grid with shifts. They are kept until the process ends, once for each grid: a grid is copied
    /// with every call.
    pub fn of(plain: Grid, shifts: &[Shift]) -> &'static Self {
        static KNOWN: Mutex<Vec<&'static Orbits>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|orbits| orbits.plain == plain && orbits.shifts == shifts);
        if let Some(orbits) = found {
            return orbits;
        }
        let orbits = Box::leak(Box::new(Orbits::new(plain, shifts)));
        known.push(orbits);
        orbits
    }

    fn new(plain: Grid, shifts: &[Shift]) -> Self {
        let generators = std::array::from_fn(|across| {
            let mut closing = Vector::default();
            closing[across] = plain.length(across).into();
            let shifted = shifts.iter().filter(|shift| shift.0 == across);
            shifted.for_each(|&(_, along, by)| closing[along] -= i64::from(by));
            closing
        });
        let lattice = Lattice::new(generators, in_order_of_shifts(shifts));
        let plan = |directions, has_both_halves| {
            Plan::new(&Orders::new(&plain, directions, has_both_halves), &lattice)
        };
        let plans = [Directions::One, Directions::Both]
            .map(|directions| [false, true].map(|has_both_halves| plan(directions, has_both_halves)));
        Orbits { plain, shifts: shifts.to_vec(), plans, lattice }
    }

    pub fn plan(&self, directions: Directions, has_both_halves: bool) -> &Plan {
        &self.plans[usize::from(directions == Directions::Both)][usize::from(has_both_halves)]
    }
}

/// All dimensions, each before those that it shifts.
fn in_order_of_shifts(shifts: &[Shift]) -> [usize; MAX_GRID_DIMENSIONS] {
    let mut left: Vec<usize> = (0..MAX_GRID_DIMENSIONS).collect();
    std::array::from_fn(|_| {
        let is_first = |dimension: &usize| {
            !shifts.iter().any(|(across, along, _)| along == dimension && left.contains(across))
        };
        left.remove(left.iter().position(is_first).expect("the shifts of a twist form no circle"))
    })
}
