//! What shapes offer about twists, and the form in which shapes are stored.

use super::{Twist, Twisted};
use crate::{Direction, HalfWay, Hops, MAX_DIMENSIONS, Shape, ShapeError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

impl Shape {
    /// This shape with a twist. A twist that shifts nothing, or whole lengths only, is none.
    ///
    /// # Errors
    /// If a dimension shifts itself, or shifts form a circle; if a dimension that takes part is no ring; if the
    /// dimensions that take part have more than 2^20 nodes, or rings of more than 2^15 links.
    pub fn with_twist(self, twist: Twist) -> Result<Self, ShapeError> {
        let twisted = Twisted::new(&self.lengths, &self.wraps, &twist)?.map(Arc::new);
        Ok(Shape { twisted, ..self })
    }

    /// This shape without its twist.
    #[must_use]
    pub fn without_twist(self) -> Self {
        Shape { twisted: None, ..self }
    }

    /// The twist, in canonical form: each shift is at least 0, and less than the length that it is along.
    pub fn twist(&self) -> Option<Twist> {
        self.twisted.as_ref().map(|twisted| twisted.twist())
    }

    /// Whether the shape is a twisted torus, or some of its dimensions are one.
    pub fn is_twisted(&self) -> bool {
        self.twisted.is_some()
    }

    /// Whether a dimension shifts others, or is shifted.
    pub fn takes_part_in_twist(&self, dimension: usize) -> bool {
        self.twisted.as_ref().is_some_and(|twisted| twisted.has(dimension))
    }

    /// Whether each line of nodes along a dimension is a ring of its own: it wraps, and crossing the wrap shifts nothing.
    pub fn has_rings_of_lines(&self, dimension: usize) -> bool {
        let shifts = |twist: Twist| twist.shift(dimension).iter().any(|&by| by != 0);
        self.wraps(dimension) && !self.twist().is_some_and(shifts)
    }

    /// The greatest cost of a shortest route, if a hop along each dimension costs this.
    pub fn greatest_cost(&self, cost_of_hop: &[f64]) -> f64 {
        let cost_of = |hops: &Hops| -> f64 {
            hops.0.iter().zip(cost_of_hop).map(|(hops, cost)| f64::from(hops.unsigned_abs()) * cost).sum()
        };
        let least = |vectors: Vec<(Hops, f64)>| {
            vectors.iter().map(|(hops, _)| cost_of(hops)).fold(f64::MAX, f64::min)
        };
        let in_twist = self.shares_by_difference().map(least).fold(0.0, f64::max);
        let alone = (0..self.dimensions()).filter(|&dimension| !self.takes_part_in_twist(dimension));
        let farthest = |dimension: usize| {
            let length = self.length(dimension);
            if self.wraps(dimension) { length / 2 } else { length - 1 }
        };
        in_twist + alone.map(|dimension| f64::from(farthest(dimension)) * cost_of_hop[dimension]).sum::<f64>()
    }

    /// Whether a rule for targets half-way round a ring has a meaning here. Registers for each dimension have none on a
    /// twisted torus, whose minimal routes differ in several dimensions at once.
    pub fn supports(&self, half_way: HalfWay) -> bool {
        match half_way {
            HalfWay::PerPacket | HalfWay::PerPair => true,
            HalfWay::Registers => !self.is_twisted(),
        }
    }

    /// The number of nodes of each ring along a dimension: its length, unless the dimension takes part in a twist.
    pub fn orbit_length(&self, dimension: usize) -> u32 {
        let twisted = self.twisted.as_ref().filter(|twisted| twisted.has(dimension));
        twisted.map_or(self.lengths[dimension], |twisted| twisted.orbit(dimension))
    }

    /// The most hops along a dimension that any route has: minimal, preferred, around faults, or along a whole ring.
    pub fn longest_hops(&self, dimension: usize) -> u32 {
        self.orbit_length(dimension) - 1
    }

    /// Whether the link of a node in a direction crosses the dateline of its ring. It lies before the node with the
    /// lowest number of the ring. So on a torus without a twist, the links that wrap cross it.
    pub fn is_dateline(&self, node: u32, toward: Direction) -> bool {
        let (dimension, here) = (toward.dimension(), self.coordinates(node));
        let edge = if toward.is_plus() { self.length(dimension) - 1 } else { 0 };
        if here[dimension] != edge || !self.wraps(dimension) || self.length(dimension) == 1 {
            return false;
        }
        self.twisted.as_ref().is_none_or(|twisted| {
            let first = if toward.is_plus() { self.neighbor(node, toward) } else { Some(node) };
            first.is_some_and(|first| twisted.is_lowest_of_ring(dimension, &self.coordinates(first)))
        })
    }

    /// All minimal vectors of hops from `source` to `target`, each with its share of the packets. Shares add up to 1.
    pub fn route_shares(&self, source: u32, target: u32) -> impl Iterator<Item = (Hops, f64)> + '_ {
        let routes = self.minimal_routes(source, target);
        let ties = routes.ties();
        let among_ties = 1.0 / f64::from(1u32 << ties.count_ones());
        let twisted = self.twisted.as_ref().zip(routes.difference());
        let coins = (0..1u32 << MAX_DIMENSIONS).filter(move |coin| coin & !ties == 0);
        coins.flat_map(move |coin| {
            let hops = routes.route(self, coin);
            let vectors = twisted.map(|(twisted, difference)| twisted.shares(difference));
            let in_twist = vectors.map(|vectors| {
                vectors.map(move |(vector, share)| {
                    let along = |dimension: usize| match self.takes_part_in_twist(dimension) {
                        true => vector.0[dimension],
                        false => hops.0[dimension],
                    };
                    (Hops(std::array::from_fn(along)), share * among_ties)
                })
            });
            let alone = if twisted.is_none() { Some((hops, among_ties)) } else { None };
            in_twist.into_iter().flatten().chain(alone)
        })
    }

    /// All minimal vectors of each difference of nodes, in the dimensions of the twist, with their shares. The
    /// differences come in the order of [`with_route_shares`](Self::with_route_shares). Nothing without a twist.
    ///
    /// All pairs of nodes with a difference take the same vectors: on a twisted torus, the load of each link in a
    /// direction is the sum of the hops in that direction, over the vectors of the traffic of one node.
    pub fn shares_by_difference(&self) -> impl Iterator<Item = Vec<(Hops, f64)>> + '_ {
        let twisted = self.twisted.iter();
        twisted.flat_map(|twisted| {
            (0..twisted.differences()).map(|difference| twisted.shares(difference).collect())
        })
    }

    /// This twisted shape with other shares of packets for minimal vectors: for each difference of
    /// [`shares_by_difference`](Self::shares_by_difference) a list, with a share for each vector. Shares are rounded to
    /// multiples of 2^-26.
    ///
    /// # Errors
    /// If a list is missing or of another length, or its shares are negative or do not add up to 1 within 1e-6.
    pub fn with_route_shares(mut self, shares: &[Vec<f64>]) -> Result<Self, ShapeError> {
        match &mut self.twisted {
            Some(twisted) => Arc::make_mut(twisted).set_shares(shares)?,
            None if shares.is_empty() => (),
            None => return Err(ShapeError::RouteShares { difference: 0 }),
        }
        Ok(self)
    }
}

/// A shape as it is stored. Tables are computed anew. The form of shapes without a twist is as it was before there were
/// twists, also in formats without names.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Shape")]
pub(crate) struct StoredShape {
    /// The lengths; then, with a twist, the shifts of each dimension; then, if shares of routes were set, the ends of the
    /// ranges of their vectors.
    lengths: Vec<u32>,
    wraps: Vec<bool>,
    nodes: u32,
    half_way: HalfWay,
    seed: u64,
}

impl From<Shape> for StoredShape {
    fn from(shape: Shape) -> Self {
        let Shape { mut lengths, wraps, nodes, half_way, seed, twisted } = shape;
        if let Some(twisted) = twisted {
            let (twist, dimensions) = (twisted.twist(), wraps.len());
            let shifts = (0..dimensions).flat_map(|across| twist.shift(across)[..dimensions].to_vec());
            lengths.extend(shifts.map(|by| by as u32));
            lengths.extend(twisted.ends().iter().filter(|_| twisted.is_weighted));
        }
        StoredShape { lengths, wraps, nodes, half_way, seed }
    }
}

impl TryFrom<StoredShape> for Shape {
    type Error = ShapeError;

    fn try_from(stored: StoredShape) -> Result<Self, ShapeError> {
        let StoredShape { lengths, wraps, half_way, seed, .. } = stored;
        let dimensions = wraps.len();
        let (lengths, rest) = lengths.split_at(dimensions.min(lengths.len()));
        let shape = Shape::new(lengths, &wraps)?.with_half_way(half_way, seed);
        let (shifts, ends) = rest.split_at(rest.len().min(dimensions * dimensions));
        let all = shifts.iter().enumerate();
        let mut shape = shape.with_twist(all.fold(Twist::default(), |twist, (number, &by)| {
            twist.shifting(number / dimensions, number % dimensions, by as i32)
        }))?;
        let is_valid = ends.is_empty()
            || shape.twisted.as_mut().is_some_and(|twisted| Arc::make_mut(twisted).set_ends(ends.to_vec()));
        if is_valid { Ok(shape) } else { Err(ShapeError::RouteShares { difference: 0 }) }
    }
}
