//! The group of a twisted torus: vectors of hops, of which those that lead to the same node are equal.
//!
//! By Hajos's theorem on tilings by cubes, the box of the lengths holds each node once only if the dimensions can be
//! ordered such that each shifts later ones alone. So a vector is brought into the box in one pass in that order.

use super::Twist;
use crate::{Coordinates, Direction, Hops, MAX_DIMENSIONS, ShapeError};

/// A vector of hops, or of coordinates that may lie outside the box of the lengths.
pub(super) type Vector = [i64; MAX_DIMENSIONS];

/// The maximum number of nodes of the dimensions that take part in a twist, each other coordinate being fixed.
const MAX_TWISTED_NODES: u64 = 1 << 20;

/// The maximum number of links of a ring of a twist: the hops of shortest vectors are 16-bit.
const MAX_RING: u32 = 1 << 15;

/// The lattice of the dimensions that take part in a twist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lattice {
    /// The dimensions that take part, ascending.
    pub dimensions: Vec<usize>,
    /// The same, each before those that it shifts.
    order: Vec<usize>,
    lengths: Vector,
    /// The shifts in canonical form: within the box of the lengths.
    shifts: [Vector; MAX_DIMENSIONS],
    /// The step of a difference's number for one hop, by dimension. 0 in dimensions that take no part.
    strides: [u32; MAX_DIMENSIONS],
    /// The number of differences.
    pub differences: u32,
    /// The length of each dimension's rings. 0 in dimensions that take no part.
    pub orbits: [u32; MAX_DIMENSIONS],
}

impl Lattice {
    /// The lattice of a twist. None if the twist shifts nothing.
    ///
    /// # Errors
    /// If a shift is along or across no ring, shifts form a circle, or there are too many nodes.
    pub fn new(lengths: &[u32], wraps: &[bool], twist: &Twist) -> Result<Option<Self>, ShapeError> {
        let is_ring =
            |dimension: usize| dimension < lengths.len() && wraps[dimension] && lengths[dimension] > 1;
        for (across, along, _) in twist.shifts() {
            if across == along {
                return Err(ShapeError::ShiftsItself { dimension: across });
            }
            if let Some(dimension) = [across, along].into_iter().find(|&dimension| !is_ring(dimension)) {
                return Err(ShapeError::TwistWithoutRing { dimension });
            }
        }
        let lattice = Self::in_canonical_form(lengths, twist)?;
        let twist = lattice.twist();
        let takes_part = |dimension: &usize| {
            twist.shifts().any(|(across, along, _)| across == *dimension || along == *dimension)
        };
        let lattice = lattice.of_dimensions((0..lengths.len()).filter(takes_part).collect())?;
        Ok((!lattice.dimensions.is_empty()).then_some(lattice))
    }

    /// The lattice of all dimensions of a torus, also of those that take no part in its twist.
    ///
    /// # Errors
    /// If shifts form a circle, or there are too many nodes.
    pub fn of_all(lengths: &[u32], twist: &Twist) -> Result<Self, ShapeError> {
        Self::in_canonical_form(lengths, twist)?.of_dimensions((0..lengths.len()).collect())
    }

    fn in_canonical_form(lengths: &[u32], twist: &Twist) -> Result<Self, ShapeError> {
        let mut lattice = Lattice {
            dimensions: Vec::new(),
            order: in_order_of_shifts(twist, lengths.len())?,
            lengths: std::array::from_fn(|dimension| {
                lengths.get(dimension).map_or(1, |&length| length.into())
            }),
            shifts: [Vector::default(); MAX_DIMENSIONS],
            strides: [0; MAX_DIMENSIONS],
            differences: 1,
            orbits: [0; MAX_DIMENSIONS],
        };
        lattice.bring_shifts_into_the_box(twist);
        lattice.order = in_order_of_shifts(&lattice.twist(), lengths.len())?;
        Ok(lattice)
    }

    fn of_dimensions(mut self, dimensions: Vec<usize>) -> Result<Self, ShapeError> {
        self.order.retain(|dimension| dimensions.contains(dimension));
        self.dimensions = dimensions;
        self.number_differences()?;
        Ok(self)
    }

    /// The shifts in canonical form. Two twists with the same are the same machine.
    pub fn twist(&self) -> Twist {
        Twist { shifts: self.shifts.map(|shift| shift.map(|by| by as i32)) }
    }

    /// Replaces the shifts by those within the box that lead to the same nodes, later dimensions first.
    fn bring_shifts_into_the_box(&mut self, twist: &Twist) {
        for place in (0..self.order.len()).rev() {
            let dimension = self.order[place];
            let mut shift = twist.shift(dimension).map(i64::from);
            self.reduce_from(place + 1, &mut shift);
            self.shifts[dimension] = shift;
        }
    }

    fn number_differences(&mut self) -> Result<(), ShapeError> {
        let mut differences = 1u64;
        for &dimension in &self.dimensions {
            self.strides[dimension] = differences as u32;
            differences *= self.lengths[dimension] as u64;
            if differences > MAX_TWISTED_NODES {
                return Err(ShapeError::TwistTooLarge);
            }
        }
        self.differences = differences as u32;
        for dimension in self.dimensions.clone() {
            self.orbits[dimension] = self.orbit(dimension);
        }
        if self.orbits.iter().any(|&orbit| orbit > MAX_RING) {
            return Err(ShapeError::TwistTooLarge);
        }
        Ok(())
    }

    /// The number of links of a ring along a dimension.
    fn orbit(&self, dimension: usize) -> u32 {
        let mut at = Vector::default();
        let mut links = 0;
        loop {
            at[dimension] += self.lengths[dimension];
            self.reduce(&mut at);
            links += self.lengths[dimension] as u32;
            if at == Vector::default() {
                return links;
            }
        }
    }

    /// Brings a vector into the box of the lengths. Coordinates in other dimensions stay.
    #[inline]
    pub fn reduce(&self, vector: &mut Vector) {
        self.reduce_from(0, vector);
    }

    #[inline]
    fn reduce_from(&self, place: usize, vector: &mut Vector) {
        for &dimension in &self.order[place..] {
            let crossings = vector[dimension].div_euclid(self.lengths[dimension]);
            if crossings != 0 {
                vector[dimension] -= crossings * self.lengths[dimension];
                let shifted = vector.iter_mut().zip(&self.shifts[dimension]);
                shifted.for_each(|(coordinate, by)| *coordinate += crossings * by);
            }
        }
    }

    /// The number of the difference of two nodes.
    #[inline]
    pub fn difference(&self, from: &Coordinates, to: &Coordinates) -> u32 {
        let mut apart = self.apart(from, to);
        self.reduce(&mut apart);
        self.number(&apart)
    }

    fn apart(&self, from: &Coordinates, to: &Coordinates) -> Vector {
        let mut apart = Vector::default();
        for &dimension in &self.dimensions {
            apart[dimension] = i64::from(to[dimension]) - i64::from(from[dimension]);
        }
        apart
    }

    /// The number of the difference with this representative in the box.
    #[inline]
    fn number(&self, vector: &Vector) -> u32 {
        let along = |&dimension: &usize| vector[dimension] as u32 * self.strides[dimension];
        self.dimensions.iter().map(along).sum()
    }

    /// The representative in the box of the difference with a number.
    pub fn representative(&self, difference: u32) -> Vector {
        let mut vector = Vector::default();
        for &dimension in &self.dimensions {
            vector[dimension] = i64::from(difference / self.strides[dimension]) % self.lengths[dimension];
        }
        vector
    }

    /// The difference after one more hop.
    pub fn next(&self, difference: u32, toward: Direction) -> u32 {
        let mut vector = self.representative(difference);
        vector[toward.dimension()] += if toward.is_plus() { 1 } else { -1 };
        self.reduce(&mut vector);
        self.number(&vector)
    }

    /// Whether a node with coordinate 0 along a dimension is the one with the lowest number of its ring.
    pub fn is_lowest_of_ring(&self, dimension: usize, coordinates: &Coordinates) -> bool {
        let first = coordinates.map(i64::from);
        let mut at = first;
        let crossings = i64::from(self.orbits[dimension]) / self.lengths[dimension];
        (1..crossings).all(|_| {
            at[dimension] += self.lengths[dimension];
            self.reduce(&mut at);
            at.iter().rev().ge(first.iter().rev())
        })
    }

    /// Visits all ways to make part of some hops that lead from a node to another, in the dimensions that take part. A
    /// node may lie at several positions of the quadrant of the hops.
    pub fn visit_positions(
        &self,
        (from, to): (&Coordinates, &Coordinates),
        hops: &Hops,
        visit: &mut impl FnMut(&Hops),
    ) {
        self.visit_from(0, self.apart(from, to), hops, &mut Hops::default(), visit);
    }

    /// `apart` is what is left to be explained by hops in the dimensions from `place` on in order.
    fn visit_from(
        &self,
        place: usize,
        apart: Vector,
        hops: &Hops,
        made: &mut Hops,
        visit: &mut impl FnMut(&Hops),
    ) {
        let Some(&dimension) = self.order.get(place) else { return visit(made) };
        let length = self.lengths[dimension];
        let [low, high] = [hops.0[dimension].min(0), hops.0[dimension].max(0)].map(i64::from);
        let first = low + (apart[dimension] - low).rem_euclid(length);
        for along in (first..=high).step_by(length as usize) {
            let crossings = (along - apart[dimension]) / length;
            let mut left = apart;
            left.iter_mut().zip(&self.shifts[dimension]).for_each(|(left, by)| *left -= crossings * by);
            made.0[dimension] = along as i32;
            self.visit_from(place + 1, left, hops, made, visit);
        }
        made.0[dimension] = 0;
    }
}

/// All dimensions, each before those that it shifts.
fn in_order_of_shifts(twist: &Twist, dimensions: usize) -> Result<Vec<usize>, ShapeError> {
    let mut left: Vec<usize> = (0..dimensions).collect();
    let mut order = Vec::with_capacity(dimensions);
    while !left.is_empty() {
        let is_shifted = |dimension: usize| left.iter().any(|&across| twist.shift(across)[dimension] != 0);
        let first = left.iter().position(|&dimension| !is_shifted(dimension));
        let first = first.ok_or_else(|| ShapeError::TwistCircle { shifts: twist.to_string() })?;
        order.push(left.remove(first));
    }
    Ok(order)
}
