//! The orders in which the colors of a bucket algorithm go through the dimensions of a grid, and the shares of the
//! data with which all links carry the same.
//!
//! ```text
//!   x  y  z      order 0, and as many orders as dimensions, each of which begins with another;
//!   y  z  x      before all of them the cores of a node, whose messages need no link
//!   z  x  y
//! ```
//!
//! A rank has `c` links along a dimension of length `L`: two of a ring, or one at the end of a line. Of the data
//! that come to a dimension, `(L - 1) / L` go over these links, and `1 / L` come to the next dimension. So the
//! links of all dimensions are equally busy if the data that come to each are in proportion to `c L / (L - 1)`.
//! Then the share of the order that begins with a dimension is in proportion to that, less the data that come to it
//! from the dimension before:
//!
//! ```text
//!   share = (c L / (L - 1) - c' / (L' - 1)) / sum of all c
//! ```
//!
//! In an all-reduce the links of an open line are used evenly: over each go the partial sums of the blocks of one
//! side, and the results of the other. There `c` is `2 (L - 1) / L`, the links that the ranks of the line have on
//! average.
//!
//! On a twisted torus lengths depend on the order, and the [`Plan`] has the orders with their shares.
//!
//! The solution is a vertex of the linear program over all orders that the published algorithm solves (Jain and
//! Sabharwal, 2010). No share is negative if dimensions with few links come first, then short ones, except where
//! open lines follow rings of two: then no order begins with the first of the lines. As fractions of whole numbers
//! the shares are the same on all hosts.

mod plan;

use super::{Grid, MAX_GRID_DIMENSIONS};
use crate::collectives::directions::Directions;
use num_rational::Ratio;
pub(in crate::collectives) use plan::Plan;
use std::cell::RefCell;
use std::rc::Rc;

/// The orders of the dimensions of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::collectives) struct Orders {
    /// The dimensions of more than one node, and their number.
    dimensions: [Dimension; MAX_GRID_DIMENSIONS],
    count: usize,
    /// The dimension of the cores of a node, if a node has more than one.
    cores: Option<Dimension>,
    /// Colors of an order: one for each direction of rings.
    pub senses: u32,
    has_both_halves: bool,
    /// The orders of a twisted torus.
    plan: Option<&'static Plan>,
    /// The share of the data that goes in each order and those before it.
    ends: [Ratio<u128>; MAX_GRID_DIMENSIONS],
}

/// The grid, the directions, and whether both halves of an all-reduce are there.
type Question = (Grid, Directions, bool);

thread_local! {
    // Each step of each rank asks for them, mostly for those of the same grid.
    static LAST: RefCell<Option<(Question, Rc<Orders>)>> = const { RefCell::new(None) };
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::collectives) struct Dimension {
    /// Links of a rank that colors of one direction or both use, `c`, as `links (L - 1) / divisor`.
    links: u32,
    divisor: u32,
    pub length: u32,
    pub number: usize,
    is_ring: bool,
}

/// The most segments of a color, and the least bytes of the first stage's messages of one. Fewer leave links idle
/// at the beginning and end. In more, the messages of later stages are small parts of a packet. Where rings are of
/// two, the first stage of a segment is one long message, and more segments are better.
const SEGMENTS: [(u64, u64); 2] = [(16, 2_400), (36, 9_200)];

/// The values of [`SEGMENTS`] for all-reduces on open lines. There, all links are in use only if segments that are
/// being reduced meet others that are being gathered. On 6x6 and 8x8 these values are best.
const SEGMENTS_OF_LINES: [(u64, u64); 2] = [(48, 720), (96, 4_800)];

/// The values of [`SEGMENTS`] for colors in step on twisted tori, if directions share FIFOs: there messages wait for those
/// before them, and links are idle if no other segment uses them. On plain tori in step there is one segment.
const SEGMENTS_IN_STEP: [(u64, u64); 1] = [(8, 9_200)];

impl Dimension {
    /// This dimension with rings of another length.
    pub fn with_length(self, length: u32) -> Self {
        Dimension { length, ..self }
    }

    /// Links of a rank that colors of one direction or both use, `c`.
    pub fn links(&self) -> f64 {
        let links = f64::from(self.links);
        if self.is_ring { links } else { links * f64::from(self.length - 1) / f64::from(self.divisor) }
    }

    /// The number that `divisor` divides in `c`, whose fraction is in lowest terms except for open lines.
    fn whole(&self) -> i128 {
        if self.divisor == self.length { i128::from(self.length) } else { 1 }
    }
}

/// This share of some bytes, rounded down.
fn part_of(bytes: u64, share: Ratio<u128>) -> u64 {
    let (parts, whole) = share.into();
    // Most products fit into 64 bits, of which a division takes a tenth of the time.
    let in_64_bits = u64::try_from(parts).ok().and_then(|parts| bytes.checked_mul(parts));
    match in_64_bits.zip(u64::try_from(whole).ok()) {
        Some((parts, whole)) => parts / whole,
        None => (u128::from(bytes) * parts / whole) as u64,
    }
}

impl Orders {
    /// The orders of an all-reduce, or of half of one; those of the last grid are remembered.
    pub fn of(grid: &Grid, directions: Directions, has_both_halves: bool) -> Rc<Self> {
        let question = (*grid, directions, has_both_halves);
        LAST.with_borrow_mut(|last| match last {
            Some((known, orders)) if *known == question => orders.clone(),
            _ => {
                let orders = Rc::new(Orders::new(grid, directions, has_both_halves));
                *last = Some((question, orders.clone()));
                orders
            }
        })
    }

    /// The orders of an all-reduce, or of half of one, computed anew.
    pub fn new(grid: &Grid, directions: Directions, has_both_halves: bool) -> Self {
        let (long, count) = grid.long();
        let has_cores = grid.cores() > 1;
        let nodes = &long[..count - usize::from(has_cores)];
        let has_rings = nodes.is_empty() || nodes.iter().any(|&dimension| grid.wraps(dimension));
        let senses = if has_rings { directions.count() } else { 1 };
        let dimension = |number: usize| {
            let (is_ring, length) = (grid.wraps(number), grid.length(number));
            let (links, divisor) = match is_ring {
                true => (senses, length - 1),
                false if has_both_halves => (2, length),
                false => (1, length - 1),
            };
            Dimension { links, divisor, length, number, is_ring }
        };
        let mut dimensions = [Dimension::default(); MAX_GRID_DIMENSIONS];
        dimensions.iter_mut().zip(nodes).for_each(|(place, &number)| *place = dimension(number));
        dimensions[..nodes.len()].sort_unstable();
        let cores = has_cores.then(|| Dimension { is_ring: true, ..dimension(long[count - 1]) });
        let plan = grid.orbits().map(|orbits| orbits.plan(directions, has_both_halves));
        let ends = [Ratio::new_raw(0, 1); MAX_GRID_DIMENSIONS];
        let mut orders =
            Orders { dimensions, count: nodes.len(), cores, senses, has_both_halves, plan, ends };
        (1..orders.count).for_each(|order| orders.ends[order - 1] = orders.before_one(order));
        orders
    }

    pub fn all(&self) -> &[Dimension] {
        &self.dimensions[..self.count]
    }

    /// The number of orders.
    pub fn count(&self) -> u32 {
        self.plan.map_or(self.count, |plan| plan.orders.len()).max(1) as u32
    }

    /// The dimensions of an order.
    pub fn stages(&self) -> u32 {
        (self.count + usize::from(self.cores.is_some())) as u32
    }

    fn at(&self, order: usize, stage: usize) -> Option<&Dimension> {
        let stage = match (&self.cores, stage) {
            (Some(cores), 0) => return Some(cores),
            (Some(_), stage) => stage - 1,
            (None, stage) => stage,
        };
        (stage < self.count).then(|| match self.plan {
            None => &self.dimensions[(order + stage) % self.count],
            Some(plan) => &plan.orders[order].dimensions[stage],
        })
    }

    /// Stages whose messages are the longest of a color: those of the cores of a node, and the first dimension.
    pub fn outer_stages(&self) -> u32 {
        1 + u32::from(self.cores.is_some())
    }

    /// The dimension of a stage of an order.
    pub fn dimension(&self, order: usize, stage: usize) -> Option<usize> {
        self.at(order, stage).map(|dimension| dimension.number)
    }

    /// The length of the rings or lines of a stage of an order.
    pub fn length(&self, order: usize, stage: usize) -> u32 {
        self.at(order, stage).map_or(1, |dimension| dimension.length)
    }

    /// The place of a rank along a dimension, in the box of an order.
    pub fn coordinate(&self, grid: &Grid, rank: u32, order: usize, dimension: usize) -> u32 {
        let Some(plan) = self.plan else { return grid.coordinate(rank, dimension) };
        let mut at = grid.vector(rank);
        plan.orders[order].lattice.reduce(&mut at);
        at[dimension] as u32
    }

    /// Whether a dimension consists of rings.
    pub fn is_ring(&self, number: usize) -> bool {
        self.all().iter().chain(&self.cores).any(|dimension| dimension.number == number && dimension.is_ring)
    }

    /// Whether some dimension consists of open lines.
    pub fn has_lines(&self) -> bool {
        self.all().iter().any(|dimension| !dimension.is_ring)
    }

    /// The part of `bytes` bytes that goes in the orders before one.
    pub fn before(&self, bytes: u64, order: usize) -> u64 {
        match (self.plan, order.checked_sub(1)) {
            (Some(plan), _) => plan.before(bytes, order),
            (None, Some(_)) if order == self.count => bytes,
            (None, Some(before)) if self.count > 0 => part_of(bytes, self.ends[before]),
            (None, _) => 0,
        }
    }

    /// The share of the data that goes in the orders before one, which is neither the first nor beyond the last.
    fn before_one(&self, order: usize) -> Ratio<u128> {
        let [own, last] = [order, self.count].map(|end| &self.dimensions[end - 1]);
        // The shares of the formula, added up: the data that come from one dimension to the next cancel out. Whole
        // numbers, times the product of all divisors that do not cancel.
        let whole: i128 = self.all().iter().map(Dimension::whole).product();
        let links = |dimensions: &[Dimension]| {
            let of = |dimension: &Dimension| {
                i128::from(dimension.links * (dimension.length - 1)) * whole / i128::from(dimension.divisor)
            };
            dimensions.iter().map(of).sum::<i128>()
        };
        let [divisor, last_divisor] = [own, last].map(|dimension| i128::from(dimension.divisor));
        let sum = links(&self.all()[..order]) * divisor * last_divisor
            + whole * (i128::from(own.links) * last_divisor - i128::from(last.links) * divisor);
        let whole = links(self.all()) * divisor * last_divisor;
        Ratio::new(sum.max(0).unsigned_abs(), whole.unsigned_abs())
    }

    /// Whether the stages of all colors take the same time, so that each frees the links just as the next takes
    /// them.
    pub fn are_in_step(&self) -> bool {
        let are_alike = || self.all().windows(2).all(|pair| pair[0].length == pair[1].length);
        !self.has_lines() && self.plan.map_or_else(are_alike, |plan| plan.is_in_step)
    }

    /// The longest message if all colors have `bytes` bytes: a block of the first dimension.
    pub fn longest_message(&self, bytes: u64) -> u64 {
        let of_order = |order: usize| {
            let share =
                (self.before(bytes, order + 1) - self.before(bytes, order)).div_ceil(self.senses.into());
            share.div_ceil(self.length(order, 0).into())
        };
        (0..self.count() as usize).map(of_order).max().unwrap_or(bytes)
    }

    /// The best number of segments of a color if all colors have `bytes` bytes and software is free. On twisted tori in step
    /// it depends on whether each direction has FIFOs of its own.
    pub fn segments_of_free_software(&self, bytes: u64, has_fifos_of_directions: bool) -> u64 {
        let limits: &[(u64, u64)] = match (self.are_in_step(), self.plan) {
            (true, None) => return 1,
            (true, Some(_)) if has_fifos_of_directions => return 1,
            (true, Some(_)) => &SEGMENTS_IN_STEP,
            (false, _) if self.has_both_halves && self.has_lines() => &SEGMENTS_OF_LINES,
            (false, _) => &SEGMENTS,
        };
        let longest = self.longest_message(bytes);
        limits.iter().map(|&(max, min_bytes)| max.min(longest / min_bytes)).max().unwrap_or(1).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BYTES: u64 = 1 << 40;

    fn orders(lengths: &[u32], wraps: &[bool], has_both_halves: bool) -> Orders {
        Orders::new(&Grid::new(lengths, wraps), Directions::Both, has_both_halves)
    }

    fn shares(orders: &Orders) -> Vec<f64> {
        let share =
            |order| (orders.before(BYTES, order + 1) - orders.before(BYTES, order)) as f64 / BYTES as f64;
        (0..orders.count() as usize).map(share).collect()
    }

    /// The load on the links of each dimension, in parts of all data.
    fn loads(orders: &Orders) -> Vec<f64> {
        let mut loads = vec![0.0; orders.count];
        for (order, share) in shares(orders).into_iter().enumerate() {
            let mut left = share;
            for stage in 0..orders.count {
                let place = (order + stage) % orders.count;
                let Dimension { length, is_ring, .. } = orders.dimensions[place];
                let of_half = 1.0 - 1.0 / f64::from(length);
                // Over a link at the end of a line goes all but a block in one half, and the block in the other.
                loads[place] += left
                    * match (is_ring, orders.has_both_halves) {
                        (true, has_both_halves) => {
                            (1.0 + f64::from(u8::from(has_both_halves))) * of_half / 2.0
                        }
                        (false, true) => 1.0,
                        (false, false) => of_half,
                    };
                left /= f64::from(length);
            }
        }
        loads
    }

    /// The published shares of asymmetric tori.
    #[test]
    fn shares_are_those_of_the_linear_program() {
        for (lengths, expected) in [
            (&[4, 8][..], &[0.595, 0.405][..]),
            (&[4, 4, 8], &[0.397, 0.333, 0.270]),
            (&[2, 6], &[0.9, 0.1]),
            (&[5, 5], &[0.5, 0.5]),
        ] {
            let found = shares(&orders(lengths, &vec![true; lengths.len()], false));
            assert!(
                found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 5e-4),
                "{found:?}"
            );
        }
    }

    /// On the usual twists all orders have rings of the same lengths, so that their shares are the same.
    #[test]
    fn the_usual_twists_are_in_step() {
        for (lengths, shifts, expected) in
            [([4, 4, 8], [(0, 2, 4), (1, 2, 4)], [4, 4, 8]), ([4, 8, 8], [(0, 1, 4), (0, 2, 4)], [4, 8, 8])]
        {
            let grid = Grid::new(&lengths, &[true; 3]).with_shifts(&shifts);
            let orders = Orders::of(&grid, Directions::Both, true);
            assert!(orders.are_in_step() && orders.count() == 3);
            assert!((0..3).all(|order| [0, 1, 2].map(|stage| orders.length(order, stage)) == expected));
            assert!(shares(&orders).iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-6));
        }
    }

    /// Where all ranks are in one ring of x, rings of y modulo it have one rank: all data go along x first.
    #[test]
    fn links_of_other_twists_carry_as_much_the_same_as_possible() {
        let grid = Grid::new(&[4, 8], &[true; 2]).with_shifts(&[(0, 1, 1)]);
        let orders = Orders::of(&grid, Directions::Both, true);
        assert_eq!((orders.count(), orders.length(0, 0), orders.length(0, 1)), (1, 4, 8));
        assert_eq!((orders.before(BYTES, 0), orders.before(BYTES, 1)), (0, BYTES));
    }

    proptest! {
        /// All links are equally busy, those of the fewest at a node all the time, except where open lines meet
        /// rings of two.
        #[test]
        fn links_carry_the_same(
            lengths in prop::collection::vec(2u32..40, 1..=6), wraps in prop::collection::vec(any::<bool>(), 6),
            has_both_halves: bool,
        ) {
            let wraps = &wraps[..lengths.len()];
            let has_short_rings = lengths.iter().zip(wraps).any(|(&length, &wraps)| length == 2 && wraps);
            prop_assume!(has_both_halves || !has_short_rings || wraps.iter().all(|&wraps| wraps));
            let orders = orders(&lengths, wraps, has_both_halves);
            let ranks: f64 = lengths.iter().copied().map(f64::from).product();
            let links = |dimension: &Dimension| match (dimension.is_ring, has_both_halves) {
                (true, _) => f64::from(orders.senses),
                (false, true) => 2.0 * (1.0 - 1.0 / f64::from(dimension.length)),
                (false, false) => 1.0,
            };
            let halves = 1.0 + f64::from(u8::from(has_both_halves));
            let min = halves * (1.0 - 1.0 / ranks) / orders.all().iter().map(links).sum::<f64>();
            for load in loads(&orders) {
                prop_assert!((load / min - 1.0).abs() < 1e-6, "{lengths:?} {wraps:?}: {load}, not {min}");
            }
        }
    }
}
