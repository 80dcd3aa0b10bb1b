//! The shape of a machine: the length of each dimension, and whether it wraps.

use crate::direction::dimension_name;
use crate::twist::{StoredShape, Twisted};
use crate::{Direction, HalfWay, Hops, MinimalRoutes, Preference, Twist};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hint::select_unpredictable;
use std::sync::Arc;
use thiserror::Error;

/// The maximum number of dimensions of a machine (Tofu has six).
pub const MAX_DIMENSIONS: usize = 6;

/// The maximum number of nodes of a shape: node numbers are 32-bit, and a link is numbered `node x 12 + direction`.
pub const MAX_NODES: u64 = 1 << 28;

/// The coordinates of a node: one number for each dimension; coordinates beyond the shape's dimensions are 0.
pub type Coordinates = [u32; MAX_DIMENSIONS];

/// The reason why lengths and wraps do not form a shape.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ShapeError {
    /// The number of lengths is not one to six.
    #[error("a shape has 1 to 6 dimensions, not {0}")]
    Dimensions(usize),
    /// A length is 0.
    #[error("each length of a shape is at least 1, but dimension {dimension} is 0")]
    Empty {
        /// The dimension, from 0.
        dimension: usize,
    },
    /// The number of wraps differs from the number of lengths.
    #[error("a shape of {dimensions} dimensions needs {dimensions} wrap values, not {wraps}")]
    Wraps {
        /// Number of lengths given.
        dimensions: usize,
        /// Number of wraps given.
        wraps: usize,
    },
    /// There are more nodes than node numbers.
    #[error("a shape can have at most {MAX_NODES} nodes")]
    TooLarge,
    /// A dimension of a twist shifts its own coordinate.
    #[error("in a twist, crossing the wrap of {} shifts other dimensions, not {} itself", dimension_name(*dimension), dimension_name(*dimension))]
    ShiftsItself {
        /// The dimension, from 0.
        dimension: usize,
    },
    /// A dimension that takes part in a twist is no ring.
    #[error("a twist shifts rings where they wrap, but {} does not wrap, or has only one node", dimension_name(*dimension))]
    TwistWithoutRing {
        /// The dimension, from 0.
        dimension: usize,
    },
    /// The shifts of a twist form a circle.
    #[error("the shifts of a twist must not form a circle, as these do: {shifts}")]
    TwistCircle {
        /// The shifts, in words.
        shifts: String,
    },
    /// The dimensions of a twist have too many nodes.
    #[error(
        "the dimensions of a twist can have at most 1048576 nodes together, and rings of at most 32768 links"
    )]
    TwistTooLarge,
    /// The shares of the minimal vectors of a difference of nodes are not valid.
    #[error(
        "the shares of minimal vectors of difference {difference} must be one for each vector, and add up to 1"
    )]
    RouteShares {
        /// The number of the difference.
        difference: usize,
    },
}

/// Lengths and wraps of one to six dimensions, the twist if there is one, and the rule for targets half-way round a ring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredShape", try_from = "StoredShape")]
pub struct Shape {
    pub(crate) lengths: Vec<u32>,
    pub(crate) wraps: Vec<bool>,
    pub(crate) nodes: u32,
    pub(crate) half_way: HalfWay,
    /// The seed of the draws of [`HalfWay::PerPair`].
    pub(crate) seed: u64,
    pub(crate) twisted: Option<Arc<Twisted>>,
}

impl Shape {
    /// A shape of these lengths, whose dimensions wrap where `wraps` is true.
    ///
    /// # Errors
    /// If there are not 1 to 6 lengths, a length is 0, `wraps` has another length, or there are more than [`MAX_NODES`]
    /// nodes.
    pub fn new(lengths: &[u32], wraps: &[bool]) -> Result<Self, ShapeError> {
        if lengths.is_empty() || lengths.len() > MAX_DIMENSIONS {
            return Err(ShapeError::Dimensions(lengths.len()));
        }
        if wraps.len() != lengths.len() {
            return Err(ShapeError::Wraps { dimensions: lengths.len(), wraps: wraps.len() });
        }
        if let Some(dimension) = lengths.iter().position(|&length| length == 0) {
            return Err(ShapeError::Empty { dimension });
        }
        let nodes = lengths
            .iter()
            .try_fold(1u64, |product, &length| product.checked_mul(length.into()))
            .filter(|&nodes| nodes <= MAX_NODES)
            .ok_or(ShapeError::TooLarge)? as u32;
        let half_way = HalfWay::default();
        let (lengths, wraps) = (lengths.to_vec(), wraps.to_vec());
        Ok(Shape { lengths, wraps, nodes, half_way, seed: 0, twisted: None })
    }

    /// This shape with a rule for targets half-way round a ring, whose draws depend on `seed`.
    #[must_use]
    pub fn with_half_way(self, half_way: HalfWay, seed: u64) -> Self {
        Shape { half_way, seed, ..self }
    }

    /// A torus: every dimension wraps.
    ///
    /// # Errors
    /// As [`Shape::new`].
    pub fn torus(lengths: &[u32]) -> Result<Self, ShapeError> {
        Shape::new(lengths, &vec![true; lengths.len()])
    }

    /// The number of dimensions, 1 to 6.
    pub fn dimensions(&self) -> usize {
        self.lengths.len()
    }

    /// The lengths of the dimensions.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The number of nodes along `dimension`.
    pub fn length(&self, dimension: usize) -> u32 {
        self.lengths[dimension]
    }

    /// Whether `dimension` wraps.
    pub fn wraps(&self, dimension: usize) -> bool {
        self.wraps[dimension]
    }

    /// Whether no dimension has ends: each wraps, or is of one node.
    pub fn is_torus(&self) -> bool {
        self.lengths.iter().zip(&self.wraps).all(|(&length, &wraps)| wraps || length == 1)
    }

    /// Whether minimal routes from each node look like those from every other: on a torus, unless nodes or pairs of nodes
    /// differ in the direction half-way round a ring. On a twisted torus, other nodes' routes are those from a node plus
    /// their difference, across wraps with their shifts.
    pub fn looks_alike_everywhere(&self) -> bool {
        self.is_torus() && (self.half_way.draws_each_packet() || !self.has_half_ways())
    }

    /// Whether any node has a target half-way round a ring, or otherwise several minimal vectors to a target.
    pub fn has_half_ways(&self) -> bool {
        let has = |&dimension: &usize| {
            let length = self.lengths[dimension];
            self.wraps[dimension] && length > 1 && length.is_multiple_of(2)
        };
        let is_alone = |dimension: &usize| !self.takes_part_in_twist(*dimension);
        (0..self.dimensions()).filter(is_alone).any(|dimension| has(&dimension))
            || self.twisted.as_ref().is_some_and(|twisted| twisted.has_choices())
    }

    /// The share of packets to half-way round a ring that go plus from a node with this coordinate in its dimension; none
    /// if it depends on their targets.
    pub fn share_of_plus(&self, coordinate: u32) -> Option<f64> {
        self.half_way.share_of_plus(coordinate)
    }

    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The number of directed links.
    pub fn links(&self) -> u64 {
        Direction::all(self.dimensions()).map(|direction| self.links_toward(direction)).sum()
    }

    /// The number of directed links in `direction`.
    pub fn links_toward(&self, direction: Direction) -> u64 {
        let length = self.length(direction.dimension());
        let per_line = match (length, self.wraps(direction.dimension())) {
            (1, _) => 0,
            (_, true) => length,
            (_, false) => length - 1,
        };
        u64::from(self.nodes / length) * u64::from(per_line)
    }

    /// The coordinates of `node`; x varies fastest.
    pub fn coordinates(&self, node: u32) -> Coordinates {
        debug_assert!(node < self.nodes);
        let mut rest = node;
        let mut coordinates = [0; MAX_DIMENSIONS];
        for (coordinate, &length) in coordinates.iter_mut().zip(&self.lengths) {
            *coordinate = rest % length;
            rest /= length;
        }
        coordinates
    }

    /// The number of the node at `coordinates`.
    pub fn node(&self, coordinates: &Coordinates) -> u32 {
        let mut number = 0;
        for (&coordinate, &length) in coordinates.iter().zip(&self.lengths).rev() {
            debug_assert!(coordinate < length);
            number = number * length + coordinate;
        }
        number
    }

    /// The node one link away in `direction`, or none if there is no such link.
    pub fn neighbor(&self, node: u32, direction: Direction) -> Option<u32> {
        let dimension = direction.dimension();
        let length = self.lengths[dimension];
        let stride: u32 = self.lengths[..dimension].iter().product();
        let coordinate = node / stride % length;
        if length == 1 {
            return None;
        }
        let edge = if direction.is_plus() { length - 1 } else { 0 };
        match (coordinate == edge, direction.is_plus()) {
            (false, true) => Some(node + stride),
            (false, false) => Some(node - stride),
            (true, _) if !self.wraps[dimension] => None,
            (true, _) if self.twisted.is_some() => self.destination(node, &Hops::one(direction)),
            (true, true) => Some(node - stride * (length - 1)),
            (true, false) => Some(node + stride * (length - 1)),
        }
    }

    /// The node to which hops from `source` lead; none if they cross an open edge.
    pub fn destination(&self, source: u32, hops: &Hops) -> Option<u32> {
        let coordinates = self.coordinates(source);
        let stays = |dimension: usize| {
            let to = i64::from(coordinates[dimension]) + i64::from(hops.0[dimension]);
            self.wraps[dimension] || (0..i64::from(self.lengths[dimension])).contains(&to)
        };
        (0..self.dimensions()).all(stays).then(|| self.translated(source, hops))
    }

    /// The node at an offset from `source`. Open dimensions count modulo their lengths too.
    pub fn translated(&self, source: u32, offset: &Hops) -> u32 {
        let from = self.coordinates(source);
        let mut coordinates = from;
        for (dimension, &length) in self.lengths.iter().enumerate() {
            let to = i64::from(from[dimension]) + i64::from(offset.0[dimension]);
            coordinates[dimension] = to.rem_euclid(length.into()) as u32;
        }
        if let Some(twisted) = &self.twisted {
            twisted.move_by(offset, &from, &mut coordinates);
        }
        self.node(&coordinates)
    }

    /// The minimum number of links between two nodes.
    pub fn distance(&self, source: u32, target: u32) -> u32 {
        let (from, to) = (self.coordinates(source), self.coordinates(target));
        let along = |dimension| self.distance_along(dimension, from[dimension], to[dimension]);
        match &self.twisted {
            None => (0..self.dimensions()).map(along).sum(),
            Some(twisted) => {
                let alone = (0..self.dimensions()).filter(|&dimension| !twisted.has(dimension));
                alone.map(along).sum::<u32>() + twisted.distance(twisted.difference(&from, &to))
            }
        }
    }

    /// The minimum number of links along `dimension` between two coordinates. The dimension takes no part in a twist.
    pub fn distance_along(&self, dimension: usize, from: u32, to: u32) -> u32 {
        let direct = from.abs_diff(to);
        if self.wraps[dimension] { direct.min(self.lengths[dimension] - direct) } else { direct }
    }

    /// Minimal hops from `source` to `target`. If the target is exactly half-way round a ring, bit `d` of `coin` decides
    /// for dimension `d` (1 is plus), unless all packets of the node or of the pair take one direction. So fair coins
    /// split such traffic evenly under [`HalfWay::PerPacket`]. On a twisted torus, the upper 26 bits choose among the
    /// minimal vectors in the dimensions of the twist.
    pub fn route(&self, source: u32, target: u32, coin: u32) -> Hops {
        self.route_with_preferences(source, target, coin, &[Preference::Minimal; MAX_DIMENSIONS])
    }

    /// All minimal routes from `source` to `target`: for software that sends several packets there.
    pub fn minimal_routes(&self, source: u32, target: u32) -> MinimalRoutes {
        let is_half_way = |dimension: &usize, hops: &Hops| {
            self.wraps[*dimension] && 2 * hops.0[*dimension].unsigned_abs() == self.lengths[*dimension]
        };
        let hops = self.route(source, target, u32::MAX);
        if !self.half_way.draws_each_packet() {
            return MinimalRoutes::new(hops, 0, None);
        }
        let tied = (0..self.dimensions()).filter(|dimension| is_half_way(dimension, &hops));
        let ties = tied.fold(0, |ties, dimension| ties | 1 << dimension);
        match &self.twisted {
            None => MinimalRoutes::new(hops, ties, None),
            Some(twisted) => {
                let difference = twisted.difference(&self.coordinates(source), &self.coordinates(target));
                let several = twisted.has_choices_of(difference).then_some(difference);
                MinimalRoutes::new(hops, ties & !twisted.dimension_bits(), several)
            }
        }
    }

    /// Hops from `source` to `target` with the directions that software sets in the hint bits: in each dimension the
    /// shorter direction, or always plus, or always minus (even if longer). In the dimensions of a twist, the hops are a
    /// shortest vector that these directions admit.
    ///
    /// # Panics
    /// In debug builds, if a forced direction meets an open edge; [`Shape::admits`] checks for this.
    pub fn route_with_preferences(
        &self,
        source: u32,
        target: u32,
        coin: u32,
        preferences: &[Preference; MAX_DIMENSIONS],
    ) -> Hops {
        let (from, to) = (self.coordinates(source), self.coordinates(target));
        let coin = self.half_way.coin(self.seed, (source, target), &from, coin);
        let mut hops = Hops::default();
        for dimension in 0..self.dimensions() {
            let heads = coin >> dimension & 1 == 1;
            hops.0[dimension] =
                self.hops_along(dimension, from[dimension], to[dimension], heads, preferences[dimension]);
        }
        if let Some(twisted) = &self.twisted {
            twisted.set_route((&from, &to), coin, preferences, &mut hops);
        }
        hops
    }

    /// The coin that decides for packets from `source` to `target` that have drawn `drawn`.
    pub(crate) fn coin(&self, source: u32, target: u32, drawn: u32) -> u32 {
        self.half_way.coin(self.seed, (source, target), &self.coordinates(source), drawn)
    }

    fn hops_along(&self, dimension: usize, from: u32, to: u32, heads: bool, preference: Preference) -> i32 {
        let (from, to, length) = (from as i32, to as i32, self.lengths[dimension] as i32);
        if !self.wraps[dimension] {
            debug_assert!(preference.admits(to - from), "a forced direction meets the open edge of a mesh");
            return to - from;
        }
        let plus = to - from + (length & ((to - from) >> (i32::BITS - 1)));
        let minus = if plus == 0 { 0 } else { plus - length };
        let takes_plus = match preference {
            Preference::Plus => true,
            Preference::Minus => false,
            Preference::Minimal => (2 * plus < length) | ((2 * plus == length) & heads),
        };
        // A branch here would be unpredictable.
        select_unpredictable(takes_plus, plus, minus)
    }

    /// Whether these preferences lead from `source` to `target` without meeting an open edge.
    pub fn admits(&self, source: u32, target: u32, preferences: &[Preference; MAX_DIMENSIONS]) -> bool {
        let (from, to) = (self.coordinates(source), self.coordinates(target));
        (0..self.dimensions()).all(|dimension| {
            self.wraps[dimension]
                || preferences[dimension].admits(to[dimension] as i32 - from[dimension] as i32)
        })
    }

    /// The mean number of links between two nodes chosen independently (possibly the same node): row M1.
    pub fn mean_distance(&self) -> f64 {
        let alone = (0..self.dimensions()).filter(|&dimension| !self.takes_part_in_twist(dimension));
        let in_twist = self.twisted.as_ref().map_or(0.0, |twisted| twisted.mean_distance());
        alone.map(|dimension| self.mean_distance_along(dimension)).sum::<f64>() + in_twist
    }

    pub(crate) fn mean_distance_along(&self, dimension: usize) -> f64 {
        let length = self.lengths[dimension];
        let pairs = f64::from(length) * f64::from(length);
        if !self.wraps[dimension] {
            return (pairs - 1.0) / (3.0 * f64::from(length));
        }
        let total: u64 = (0..length).map(|to| u64::from(self.distance_along(dimension, 0, to))).sum();
        total as f64 / f64::from(length)
    }
}

impl fmt::Display for Shape {
    /// `8x8x8`, with `m` after the length of an open dimension: `8x8x32m`. The usual twist of these lengths is named
    /// `twisted`; others state their shifts: `4x4x8 twisted (x shifts y by 1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (dimension, length) in self.lengths.iter().enumerate() {
            let separator = if dimension == 0 { "" } else { "x" };
            let open = if self.wraps[dimension] || *length == 1 { "" } else { "m" };
            write!(f, "{separator}{length}{open}")?;
        }
        match self.twist() {
            None => Ok(()),
            usual if usual == Twist::automatic(&self.lengths) => write!(f, " twisted"),
            Some(twist) => write!(f, " twisted ({twist})"),
        }
    }
}
