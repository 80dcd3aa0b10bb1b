//! Grids of ranks: the places of a communicator's ranks in a torus or mesh, for algorithms that use its links.

mod lattice;
mod orbits;
pub(super) mod orders;

use lattice::Vector;
use orbits::{Orbits, Shift};
use serde::{Deserialize, Serialize};
use std::iter::successors;

/// The most dimensions of a grid: six of a machine, and the cores of a node.
pub const MAX_GRID_DIMENSIONS: usize = 7;

/// The ranks of a communicator as a grid, whose first coordinate varies fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "StoredGrid", from = "StoredGrid")]
pub struct Grid {
    /// The length by dimension; 1 beyond the last.
    lengths: [u32; MAX_GRID_DIMENSIONS],
    wraps: [bool; MAX_GRID_DIMENSIONS],
    /// Ranks of a node: the last dimension of more than one rank, if a node has more than one.
    cores: u32,
    /// The rings of a twisted torus.
    orbits: Option<&'static Orbits>,
}

/// A grid as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Grid")]
struct StoredGrid {
    lengths: [u32; MAX_GRID_DIMENSIONS],
    wraps: [bool; MAX_GRID_DIMENSIONS],
    cores: u32,
    shifts: Vec<Shift>,
}

impl From<Grid> for StoredGrid {
    fn from(grid: Grid) -> Self {
        let Grid { lengths, wraps, cores, .. } = grid;
        StoredGrid { lengths, wraps, cores, shifts: grid.shifts().to_vec() }
    }
}

impl From<StoredGrid> for Grid {
    fn from(StoredGrid { lengths, wraps, cores, shifts }: StoredGrid) -> Self {
        Grid { lengths, wraps, cores, orbits: None }.with_shifts(&shifts)
    }
}

/// A direction along a dimension of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub dimension: usize,
    pub is_plus: bool,
}

/// A number of consecutive ranks in a direction, beginning with the neighbor of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    pub heading: Heading,
    pub ranks: u32,
}

impl Grid {
    /// A grid with the given lengths, closed to rings where it wraps. Each length is at least 1, and at most
    /// [`MAX_GRID_DIMENSIONS`] are given.
    pub fn new(lengths: &[u32], wraps: &[bool]) -> Self {
        assert_eq!(lengths.len(), wraps.len(), "each dimension wraps or does not");
        assert!(lengths.iter().all(|&length| length > 0), "every dimension has a length");
        let (ones, rings) = ([1; MAX_GRID_DIMENSIONS], [true; MAX_GRID_DIMENSIONS]);
        let mut grid = Grid { lengths: ones, wraps: rings, cores: 1, orbits: None };
        grid.lengths[..lengths.len()].copy_from_slice(lengths);
        grid.wraps[..wraps.len()].copy_from_slice(wraps);
        grid
    }

    /// This grid with `cores` ranks on each node, which are its last dimension.
    ///
    /// # Panics
    /// When the ranks of a node are not its last dimension.
    #[must_use]
    pub fn with_cores(self, cores: u32) -> Self {
        let grid = Grid { cores, ..self };
        assert!(grid.is_valid(), "the ranks of a node are the last dimension");
        grid.with_shifts(self.shifts())
    }

    /// This grid as a twisted torus: crossing the wrap of a dimension in plus direction moves a rank along others. Each
    /// shift has the dimension whose wrap is crossed, the dimension along which ranks are moved, and by how many. Where
    /// the latter does not wrap, the former has open lines.
    ///
    /// # Panics
    /// When the shifts form a circle.
    #[must_use]
    pub fn with_shifts(self, shifts: &[(usize, usize, u32)]) -> Self {
        let mut grid = Grid { orbits: None, ..self };
        let leads_out =
            |grid: &Grid| shifts.iter().find(|shift| grid.wraps[shift.0] && !grid.wraps[shift.1]).copied();
        while let Some((across, ..)) = leads_out(&grid) {
            grid.wraps[across] = false;
        }
        let closed: Vec<Shift> = shifts.iter().filter(|shift| grid.wraps[shift.0]).copied().collect();
        let orbits = (!closed.is_empty()).then(|| Orbits::of(grid, &closed));
        Grid { orbits, ..grid }
    }

    /// The shifts of a twisted torus.
    fn shifts(&self) -> &'static [Shift] {
        self.orbits.map_or(&[], |orbits| &orbits.shifts)
    }

    /// The rings of a twisted torus.
    pub(super) fn orbits(&self) -> Option<&'static Orbits> {
        self.orbits
    }

    /// The grid of nodes, with one rank on each.
    pub(super) fn of_nodes(&self) -> Self {
        let mut grid = Grid { cores: 1, ..*self };
        if let ([.., last], true) = (&self.long().0[..self.long().1], self.cores > 1) {
            grid.lengths[*last] = 1;
        }
        grid
    }

    /// The grid of `size` ranks, if they are all ranks of a box of this grid, in its order. `place` gives the place
    /// of each. The ranks are at equal distances if they are `even`. A dimension of which the box has only a part
    /// does not wrap.
    pub(crate) fn of_box(&self, size: u32, even: bool, place: impl Fn(u32) -> u32) -> Option<Grid> {
        let (first, last) = (place(0), place(size.checked_sub(1)?));
        let mut part = Grid { cores: 1, orbits: None, ..*self };
        for dimension in 0..MAX_GRID_DIMENSIONS {
            let [from, to] = [first, last].map(|rank| self.coordinate(rank, dimension));
            part.lengths[dimension] = to.checked_sub(from)? + 1;
            part.wraps[dimension] &= part.lengths[dimension] == self.lengths[dimension];
        }
        if part.ranks() != u64::from(size) {
            return None;
        }
        let part = if self.orbits.is_some() { part.with_shifts(self.shifts()) } else { part };
        let is_box = if even {
            // The neighbors of the first determine the places of all others.
            let (long, count) = part.long();
            long[..count]
                .iter()
                .all(|&dimension| place(part.stride(dimension)) == first + self.stride(dimension))
        } else {
            (0..size).zip(self.places_of(&part, first)).all(|(rank, expected)| place(rank) == expected)
        };
        is_box.then_some(part)
    }

    /// The ranks of a box of this grid that begins at a rank, in order.
    fn places_of(&self, part: &Grid, first: u32) -> impl Iterator<Item = u32> {
        let lengths = part.lengths;
        let strides: [u32; MAX_GRID_DIMENSIONS] = std::array::from_fn(|dimension| self.stride(dimension));
        let mut at = [0; MAX_GRID_DIMENSIONS];
        successors(Some(first), move |&place| {
            let mut place = place;
            for dimension in 0..MAX_GRID_DIMENSIONS {
                at[dimension] += 1;
                if at[dimension] < lengths[dimension] {
                    return Some(place + strides[dimension]);
                }
                at[dimension] = 0;
                place -= (lengths[dimension] - 1) * strides[dimension];
            }
            None
        })
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u64 {
        self.lengths.iter().map(|&length| u64::from(length)).product()
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> u32 {
        (self.ranks() / u64::from(self.cores)) as u32
    }

    pub(super) fn length(&self, dimension: usize) -> u32 {
        self.lengths[dimension]
    }

    /// The dimensions of more than one rank, and their number.
    pub(super) fn long(&self) -> ([usize; MAX_GRID_DIMENSIONS], usize) {
        let (mut long, mut count) = ([0; MAX_GRID_DIMENSIONS], 0);
        for dimension in (0..MAX_GRID_DIMENSIONS).filter(|&dimension| self.lengths[dimension] > 1) {
            long[count] = dimension;
            count += 1;
        }
        (long, count)
    }

    /// Whether the grid has links in both directions at every rank, as a ring of two has.
    pub(super) fn is_closed(&self) -> bool {
        self.lengths.iter().zip(&self.wraps).all(|(&length, &wraps)| wraps || length <= 2)
    }

    /// The difference of the numbers of two neighbors.
    pub(super) fn stride(&self, dimension: usize) -> u32 {
        self.lengths[..dimension].iter().product()
    }

    pub(super) fn coordinate(&self, rank: u32, dimension: usize) -> u32 {
        rank / self.stride(dimension) % self.lengths[dimension]
    }

    /// The rank that differs only in one coordinate, which is given.
    pub(super) fn with(&self, rank: u32, dimension: usize, coordinate: u32) -> u32 {
        let stride = self.stride(dimension);
        rank - self.coordinate(rank, dimension) * stride + coordinate * stride
    }

    /// The coordinates of a rank, as a vector.
    pub(super) fn vector(&self, rank: u32) -> Vector {
        std::array::from_fn(|dimension| self.coordinate(rank, dimension).into())
    }

    /// The steps along each dimension from a rank to another, in plus direction.
    fn steps(&self, orbits: &Orbits, from: u32, to: u32) -> Vector {
        let (from, mut steps) = (self.vector(from), self.vector(to));
        steps.iter_mut().zip(from).for_each(|(to, from)| *to -= from);
        orbits.lattice.reduce(&mut steps);
        steps
    }

    /// The steps along each dimension of a twisted torus from a rank to another, by a short way. None without a twist.
    pub(super) fn short_way(&self, from: u32, to: u32) -> Option<Vector> {
        self.orbits.map(|orbits| orbits.lattice.short(&self.steps(orbits, from, to)))
    }

    /// Whether steps from a rank to another in one direction of each dimension have some along this dimension.
    pub(super) fn differs(&self, from: u32, to: u32, Heading { dimension, is_plus }: Heading) -> bool {
        let Some(orbits) = self.orbits else {
            return self.coordinate(from, dimension) != self.coordinate(to, dimension);
        };
        let (from, to) = if is_plus { (from, to) } else { (to, from) };
        self.steps(orbits, from, to)[dimension] != 0
    }

    /// The rank that is `steps` steps away along a dimension, around its ring.
    pub(super) fn moved(&self, rank: u32, dimension: usize, steps: i64) -> u32 {
        if let Some(orbits) = self.orbits {
            let mut at = self.vector(rank);
            at[dimension] += steps;
            orbits.lattice.reduce(&mut at);
            return at
                .iter()
                .zip(self.lengths)
                .rev()
                .fold(0, |number, (&at, length)| number * length + at as u32);
        }
        let length = i64::from(self.lengths[dimension]);
        let coordinate = (i64::from(self.coordinate(rank, dimension)) + steps).rem_euclid(length);
        self.with(rank, dimension, coordinate as u32)
    }

    /// The neighbor ahead of a rank.
    pub(super) fn ahead(&self, rank: u32, heading: Heading) -> u32 {
        self.moved(rank, heading.dimension, if heading.is_plus { 1 } else { -1 })
    }

    /// The neighbor behind a rank.
    pub(super) fn behind(&self, rank: u32, Heading { dimension, is_plus }: Heading) -> u32 {
        self.ahead(rank, Heading { dimension, is_plus: !is_plus })
    }

    /// The ranks of a branch at a rank, in order.
    pub(crate) fn along(self, rank: u32, branch: Branch) -> impl Iterator<Item = u32> {
        let ahead = move |rank: u32| self.ahead(rank, branch.heading);
        successors(Some(ahead(rank)), move |&rank| Some(ahead(rank))).take(branch.ranks as usize)
    }

    /// The direction in which a rank is reached along a dimension in the given sense. There is only one if the
    /// dimension has two ranks and does not wrap.
    pub(super) fn toward(&self, rank: u32, dimension: usize, is_plus: bool) -> Heading {
        let is_single_link = self.lengths[dimension] == 2 && !self.wraps[dimension];
        let is_plus = if is_single_link { self.coordinate(rank, dimension) == 1 } else { is_plus };
        Heading { dimension, is_plus }
    }

    /// The directions along the dimensions of more than one rank.
    pub(super) fn headings(&self) -> impl Iterator<Item = Heading> {
        let (long, count) = self.long();
        let both = |dimension| [true, false].map(|is_plus| Heading { dimension, is_plus });
        long.into_iter().take(count).flat_map(both)
    }

    /// Ranks of a node.
    pub(super) fn cores(&self) -> u32 {
        self.cores
    }

    /// Whether a dimension consists of rings.
    pub(super) fn wraps(&self, dimension: usize) -> bool {
        self.wraps[dimension]
    }

    /// Whether each line along a dimension is a ring of its own.
    pub(super) fn has_rings_of_lines(&self, dimension: usize) -> bool {
        self.wraps[dimension] && self.shifts().iter().all(|shift| shift.0 != dimension)
    }

    /// Whether rings shift others by even numbers of ranks alone.
    pub(super) fn has_even_shifts(&self) -> bool {
        self.shifts().iter().all(|(.., by)| by.is_multiple_of(2))
    }

    /// The different neighbors of a rank, around rings.
    pub(super) fn neighbors(&self, rank: u32) -> impl Iterator<Item = u32> {
        let grid = *self;
        let (long, count) = self.long();
        long.into_iter().take(count).flat_map(move |dimension| {
            let both = [1, -1].map(|step| grid.moved(rank, dimension, step));
            let different = if both[0] == both[1] { 1 } else { 2 };
            both.into_iter().take(different)
        })
    }

    /// Whether the grid is one that can be made.
    pub(crate) fn is_valid(&self) -> bool {
        let ranks = self.lengths.iter().try_fold(1u32, |ranks, &length| ranks.checked_mul(length));
        let last = self.lengths.iter().rev().find(|&&length| length > 1);
        ranks.is_some_and(|ranks| ranks > 0) && (self.cores == 1 || last == Some(&self.cores))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part_of(grid: &Grid, members: &[u32]) -> Option<Grid> {
        let place = |rank: u32| members[rank as usize];
        let size = members.len() as u32;
        let part = grid.of_box(size, false, place);
        let step = members.get(1).map_or(1, |second| second.wrapping_sub(members[0]));
        if members.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step) {
            assert_eq!(grid.of_box(size, true, place), part, "{members:?}");
        }
        part
    }

    /// All boxes are found, with the coordinates that their ranks have.
    #[test]
    fn boxes_are_grids() {
        let (lengths, wraps) = ([4, 3, 1, 2], [true, false, true, true]);
        let grid = Grid::new(&lengths, &wraps);
        let ends = |length: u32| (0..length).flat_map(move |from| (from..length).map(move |to| (from, to)));
        for (x, y, z) in ends(4).flat_map(|x| ends(3).flat_map(move |y| ends(2).map(move |z| (x, y, z)))) {
            let is_within =
                |rank: &u32, dimension, (from, to)| (from..=to).contains(&grid.coordinate(*rank, dimension));
            let members: Vec<u32> = (0..24)
                .filter(|rank| is_within(rank, 0, x) && is_within(rank, 1, y) && is_within(rank, 3, z))
                .collect();
            let part = part_of(&grid, &members).unwrap_or_else(|| panic!("{x:?} {y:?} {z:?} is a box"));
            for (number, &rank) in (0..).zip(&members) {
                let at = [0, 1, 3].map(|dimension| part.coordinate(number, dimension));
                let [from_x, from_y, from_z] = [x, y, z].map(|(from, _)| from);
                let on_all = [0, 1, 3].map(|dimension| grid.coordinate(rank, dimension));
                assert_eq!(on_all, [at[0] + from_x, at[1] + from_y, at[2] + from_z]);
            }
            assert_eq!(part.wraps(0), x == (0, 3));
            assert!(!part.wraps(1));
        }
    }

    #[test]
    fn other_ranks_are_no_grids() {
        let grid = Grid::new(&[4, 4], &[true; 2]);
        let none =
            [vec![0, 1, 2, 3, 4], vec![1, 0], vec![0, 4, 1, 5], vec![0, 1, 5, 4], vec![0, 5], vec![0, 2]];
        for members in none.into_iter().chain([vec![0, 1, 4, 6], vec![0, 3, 4, 7], vec![3, 4]]) {
            assert_eq!(part_of(&grid, &members), None, "{members:?}");
        }
        assert_eq!(grid.of_box(0, false, |_| 0), None);
    }
}
