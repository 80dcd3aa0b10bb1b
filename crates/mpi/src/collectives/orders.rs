//! In which orders the colors of a bucket algorithm go through the dimensions of a grid, and the shares of the data with which
//! all links carry the same.
//!
//! ```text
//!   x  y  z      order 0, and as many orders as dimensions, each of which begins with another;
//!   y  z  x      before all of them the cores of a node, whose messages need no link
//!   z  x  y
//! ```
//!
//! A rank has `c` links along a dimension of length `L`: two of a ring, or one at the end of a line. Of the data that come to
//! a dimension, `(L - 1) / L` go over these, and `1 / L` come to the next dimension. So links of all dimensions are as busy if
//! what comes to each is in proportion to `c L / (L - 1)`, and the share of the order that begins with it to the difference
//! from what comes to it from the one before:
//!
//! ```text
//!   share = (c L / (L - 1) - c' / (L' - 1)) / sum of all c
//! ```
//!
//! It is a vertex of the linear program over all orders that the published algorithm solves (Jain and Sabharwal, 2010). No
//! share is negative if dimensions with few links, then short ones, come first, but where lines follow rings of two: then
//! none begins with the first of the lines. As fractions of whole numbers the shares are the same on all hosts.

use super::algorithm::Directions;
use super::grid::{Grid, MAX_GRID_DIMENSIONS};

/// The orders of the dimensions of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Orders {
    /// The dimensions of more than one node, and how many these are.
    dimensions: [Dimension; MAX_GRID_DIMENSIONS],
    count: usize,
    /// That of the cores of a node, if these are more than one.
    cores: Option<Dimension>,
    /// Colors of an order: one for each direction of rings.
    pub senses: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Dimension {
    /// Links of a rank that colors of one direction or both use.
    links: u32,
    length: u32,
    number: usize,
    is_ring: bool,
}

impl Orders {
    pub fn of(grid: &Grid, directions: Directions) -> Self {
        let (long, count) = grid.long();
        let has_cores = grid.cores() > 1;
        let nodes = &long[..count - usize::from(has_cores)];
        let has_rings = nodes.is_empty() || nodes.iter().any(|&dimension| grid.wraps(dimension));
        let senses = if directions == Directions::Both && has_rings { 2 } else { 1 };
        let dimension = |number: usize| {
            let is_ring = grid.wraps(number);
            Dimension {
                links: if is_ring { senses } else { 1 },
                length: grid.length(number),
                number,
                is_ring,
            }
        };
        let mut dimensions = [Dimension::default(); MAX_GRID_DIMENSIONS];
        dimensions.iter_mut().zip(nodes).for_each(|(place, &number)| *place = dimension(number));
        dimensions[..nodes.len()].sort_unstable();
        let cores = has_cores.then(|| Dimension { is_ring: true, ..dimension(long[count - 1]) });
        Orders { dimensions, count: nodes.len(), cores, senses }
    }

    fn all(&self) -> &[Dimension] {
        &self.dimensions[..self.count]
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.count.max(1) as u32
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
        (stage < self.count).then(|| &self.dimensions[(order + stage) % self.count])
    }

    /// The dimension of a stage of an order.
    pub fn dimension(&self, order: usize, stage: usize) -> Option<usize> {
        self.at(order, stage).map(|dimension| dimension.number)
    }

    /// Whether a dimension is one of rings.
    pub fn is_ring(&self, number: usize) -> bool {
        self.all().iter().chain(&self.cores).any(|dimension| dimension.number == number && dimension.is_ring)
    }

    /// Whether some dimension is one of lines.
    pub fn has_lines(&self) -> bool {
        self.all().iter().any(|dimension| !dimension.is_ring)
    }

    /// How many of `bytes` bytes go in the orders before one.
    pub fn before(&self, bytes: u64, order: usize) -> u64 {
        let (Some(last), Some(before)) = (self.all().last(), order.checked_sub(1)) else { return 0 };
        if order == self.count {
            return bytes;
        }
        // The shares of the formula, added up: what comes from one dimension to the next cancels out.
        let links = |dimensions: &[Dimension]| {
            dimensions.iter().map(|dimension| i128::from(dimension.links)).sum::<i128>()
        };
        let Dimension { links: own, length, .. } = self.dimensions[before];
        let [divisor, last_divisor] = [length - 1, last.length - 1].map(i128::from);
        let sum = links(&self.all()[..order]) * divisor * last_divisor + i128::from(own) * last_divisor
            - i128::from(last.links) * divisor;
        (i128::from(bytes) * sum.max(0) / (links(self.all()) * divisor * last_divisor)) as u64
    }

    /// Whether the stages of all colors take the same time, so that each leaves the links as the next takes them.
    pub fn are_in_step(&self) -> bool {
        !self.has_lines() && self.all().windows(2).all(|pair| pair[0].length == pair[1].length)
    }

    /// The longest message if all colors have `bytes` bytes: a block of the first dimension.
    pub fn longest_message(&self, bytes: u64) -> u64 {
        let of_order = |order: usize| {
            let share =
                (self.before(bytes, order + 1) - self.before(bytes, order)).div_ceil(self.senses.into());
            let length = self.at(order, 0).map_or(1, |dimension| dimension.length);
            share.div_ceil(length.into())
        };
        (0..self.count() as usize).map(of_order).max().unwrap_or(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BYTES: u64 = 1 << 40;

    fn orders(lengths: &[u32], wraps: &[bool]) -> Orders {
        Orders::of(&Grid::new(lengths, wraps), Directions::Both)
    }

    fn shares(orders: &Orders) -> Vec<f64> {
        let share =
            |order| (orders.before(BYTES, order + 1) - orders.before(BYTES, order)) as f64 / BYTES as f64;
        (0..orders.count() as usize).map(share).collect()
    }

    /// What the links of each dimension carry, in parts of all data.
    fn loads(orders: &Orders) -> Vec<f64> {
        let mut loads = vec![0.0; orders.count];
        for (order, share) in shares(orders).into_iter().enumerate() {
            let mut left = share;
            for stage in 0..orders.count {
                let place = (order + stage) % orders.count;
                let Dimension { length, links, .. } = orders.dimensions[place];
                loads[place] += left * (1.0 - 1.0 / f64::from(length)) / f64::from(links);
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
            let found = shares(&orders(lengths, &vec![true; lengths.len()]));
            assert!(
                found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 5e-4),
                "{found:?}"
            );
        }
    }

    proptest! {
        /// All links are as busy, those of the fewest at a node all the time (row M14), but where lines meet rings of two.
        #[test]
        fn links_carry_the_same(
            lengths in prop::collection::vec(2u32..40, 1..=6), wraps in prop::collection::vec(any::<bool>(), 6),
        ) {
            let wraps = &wraps[..lengths.len()];
            let has_short_rings = lengths.iter().zip(wraps).any(|(&length, &wraps)| length == 2 && wraps);
            prop_assume!(!has_short_rings || wraps.iter().all(|&wraps| wraps));
            let orders = orders(&lengths, wraps);
            let ranks: f64 = lengths.iter().copied().map(f64::from).product();
            let links: u32 = orders.all().iter().map(|dimension| dimension.links).sum();
            let least = (1.0 - 1.0 / ranks) / f64::from(links);
            for load in loads(&orders) {
                prop_assert!((load / least - 1.0).abs() < 1e-6, "{lengths:?} {wraps:?}: {load}, not {least}");
            }
        }
    }
}
