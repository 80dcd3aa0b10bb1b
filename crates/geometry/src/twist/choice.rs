//! The vector that a packet takes among the shortest ones of its difference.
//!
//! The coin of a packet decides in the dimensions outside the twist by its low bits, one for each. The upper 26 bits
//! choose a vector: each vector has a range of their values, equal ones unless the vectors have weights.

use super::Twist;
use super::lattice::{Lattice, Vector};
use super::vectors::Vectors;
use crate::route::{COIN_BITS, FIRST_CHOICE_BIT};
use crate::{Coordinates, Direction, Hops, MAX_DIMENSIONS, Preference, ShapeError};
use base::draws::mix;
use std::fmt;
use std::sync::OnceLock;

/// The number of values of the bits that choose a vector.
const CHOICES: u32 = 1 << (COIN_BITS - FIRST_CHOICE_BIT);

/// The dimensions of a shape that take part in its twist, with all that is computed from it once.
#[derive(Clone)]
pub(crate) struct Twisted {
    lattice: Lattice,
    minimal: Vectors,
    /// For each of the minimal vectors, the end of its range of values.
    ends: Vec<u32>,
    /// Whether the ranges were set, so that they may differ in width.
    pub(super) is_weighted: bool,
    /// The shortest vectors in each orthant, found when first needed. Bit `i` of an orthant's number is set if it is on
    /// the minus side of the `i`th dimension of the twist.
    orthants: Vec<OnceLock<Vectors>>,
}

/// The twist, without the tables.
impl fmt::Debug for Twisted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.twist())
    }
}

impl PartialEq for Twisted {
    fn eq(&self, other: &Self) -> bool {
        (&self.lattice, &self.ends) == (&other.lattice, &other.ends)
    }
}

impl Eq for Twisted {}

impl Twisted {
    /// The twist of dimensions with these lengths and wraps; none if it shifts nothing.
    ///
    /// # Errors
    /// As [`Shape::with_twist`](crate::Shape::with_twist).
    pub fn new(lengths: &[u32], wraps: &[bool], twist: &Twist) -> Result<Option<Self>, ShapeError> {
        let Some(lattice) = Lattice::new(lengths, wraps, twist)? else { return Ok(None) };
        let directions: Vec<Direction> =
            lattice.dimensions.iter().flat_map(|&dimension| both(dimension)).collect();
        let minimal = Vectors::shortest(&lattice, &directions);
        let orthants = vec![OnceLock::new(); 1 << lattice.dimensions.len()];
        let mut twisted = Twisted { lattice, minimal, ends: Vec::new(), is_weighted: false, orthants };
        for difference in 0..twisted.differences() {
            let vectors = twisted.minimal.of(difference).len() as u64;
            let end = |vector: u64| ((vector * u64::from(CHOICES)).div_ceil(vectors)) as u32;
            twisted.ends.extend((1..=vectors).map(end));
        }
        Ok(Some(twisted))
    }

    /// The shifts in canonical form.
    pub fn twist(&self) -> Twist {
        self.lattice.twist()
    }

    /// The number of differences of nodes.
    pub fn differences(&self) -> u32 {
        self.lattice.differences
    }

    /// The number of the difference of two nodes.
    pub fn difference(&self, from: &Coordinates, to: &Coordinates) -> u32 {
        self.lattice.difference(from, to)
    }

    /// Whether a dimension takes part in the twist.
    pub fn has(&self, dimension: usize) -> bool {
        self.lattice.orbits[dimension] > 0
    }

    /// The length of the rings of a dimension that takes part.
    pub fn orbit(&self, dimension: usize) -> u32 {
        self.lattice.orbits[dimension]
    }

    /// Whether a node with coordinate 0 along a dimension is the one with the lowest number of its ring.
    pub fn is_lowest_of_ring(&self, dimension: usize, coordinates: &Coordinates) -> bool {
        !self.has(dimension) || self.lattice.is_lowest_of_ring(dimension, coordinates)
    }

    /// The dimensions that take part, as bits.
    pub fn dimension_bits(&self) -> u32 {
        self.lattice.dimensions.iter().fold(0, |bits, dimension| bits | 1 << dimension)
    }

    /// Sets the coordinates `to`, in the dimensions that take part, to those after some hops.
    #[inline(never)]
    pub fn move_by(&self, hops: &Hops, from: &Coordinates, to: &mut Coordinates) {
        let mut at = Vector::default();
        for &dimension in &self.lattice.dimensions {
            at[dimension] = i64::from(from[dimension]) + i64::from(hops.0[dimension]);
        }
        self.lattice.reduce(&mut at);
        for &dimension in &self.lattice.dimensions {
            to[dimension] = at[dimension] as u32;
        }
    }

    /// See [`Lattice::visit_positions`].
    pub fn visit_positions(
        &self,
        ends: (&Coordinates, &Coordinates),
        hops: &Hops,
        visit: &mut impl FnMut(&Hops),
    ) {
        self.lattice.visit_positions(ends, hops, visit);
    }

    /// The number of links of a difference's minimal vectors.
    pub fn distance(&self, difference: u32) -> u32 {
        self.minimal.length(difference)
    }

    /// The mean number of links from a node to all nodes.
    pub fn mean_distance(&self) -> f64 {
        let total: u64 = (0..self.differences()).map(|difference| u64::from(self.distance(difference))).sum();
        total as f64 / f64::from(self.differences())
    }

    /// Whether any difference has several minimal vectors.
    pub fn has_choices(&self) -> bool {
        self.minimal.are_several()
    }

    /// Whether a difference has several minimal vectors.
    pub fn has_choices_of(&self, difference: u32) -> bool {
        self.minimal.of(difference).len() > 1
    }

    /// The minimal vectors of a difference, each with its share of packets.
    pub fn shares(&self, difference: u32) -> impl Iterator<Item = (Hops, f64)> + '_ {
        let numbers = self.minimal.of(difference);
        let (first, equal) = (numbers.start, 1.0 / numbers.len() as f64);
        numbers.map(move |vector| {
            let start = if vector == first { 0 } else { self.ends[vector - 1] };
            let drawn = f64::from(self.ends[vector] - start) / f64::from(CHOICES);
            (self.minimal.get(vector), if self.is_weighted { drawn } else { equal })
        })
    }

    /// Sets the shares of the minimal vectors of each difference.
    ///
    /// # Errors
    /// If a difference has another number of vectors, or the shares do not add up to 1.
    pub fn set_shares(&mut self, shares: &[Vec<f64>]) -> Result<(), ShapeError> {
        let fits = |difference: u32| {
            let expected = self.minimal.of(difference).len();
            shares.get(difference as usize).is_some_and(|shares| {
                shares.len() == expected
                    && shares.iter().all(|share| *share >= 0.0)
                    && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-6
            })
        };
        if shares.len() != self.differences() as usize {
            return Err(ShapeError::RouteShares {
                difference: shares.len().min(self.differences() as usize),
            });
        }
        if let Some(difference) = (0..self.differences()).find(|&difference| !fits(difference)) {
            return Err(ShapeError::RouteShares { difference: difference as usize });
        }
        self.ends = shares.iter().flat_map(|shares| ends_of(shares)).collect();
        self.is_weighted = true;
        Ok(())
    }

    /// Sets the ends of the vectors' ranges, as [`Twisted::ends`] gives them. Returns whether they are such.
    pub fn set_ends(&mut self, ends: Vec<u32>) -> bool {
        let is_valid = ends.len() == self.ends.len()
            && (0..self.differences()).all(|difference| {
                let ends = &ends[self.minimal.of(difference)];
                ends.is_sorted() && ends.last() == Some(&CHOICES)
            });
        if is_valid {
            (self.ends, self.is_weighted) = (ends, true);
        }
        is_valid
    }

    /// For each of the minimal vectors, the end of its range of values.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Sets the hops of a minimal vector, which the coin chooses.
    pub fn set_minimal(&self, difference: u32, coin: u32, hops: &mut Hops) {
        let vectors = self.minimal.of(difference);
        let drawn = coin >> FIRST_CHOICE_BIT;
        let before = self.ends[vectors.clone()].iter().filter(|&&end| end <= drawn).count();
        self.minimal.set(vectors.start + before, hops);
    }

    /// Sets the hops of a shortest vector between two nodes that the preferences admit. The coin chooses among several.
    // Not inlined, so that the code for shapes without a twist stays as short as it is without twists.
    #[inline(never)]
    pub fn set_route(
        &self,
        (from, to): (&Coordinates, &Coordinates),
        coin: u32,
        preferences: &[Preference; MAX_DIMENSIONS],
        hops: &mut Hops,
    ) {
        let difference = self.difference(from, to);
        let is_minimal = |&dimension: &usize| preferences[dimension] == Preference::Minimal;
        match self.lattice.dimensions.iter().all(is_minimal) {
            true => self.set_minimal(difference, coin, hops),
            false => self.set_preferred(difference, coin, preferences, hops),
        }
    }

    fn set_preferred(
        &self,
        difference: u32,
        coin: u32,
        preferences: &[Preference; MAX_DIMENSIONS],
        hops: &mut Hops,
    ) {
        let mut vectors = self.vectors_in(difference, |signs| self.are_admitted(signs, preferences));
        let shortest = vectors.iter().map(Hops::total).min().expect("each orthant has a vector");
        vectors.retain(|vector| vector.total() == shortest);
        let drawn = u64::from(coin >> FIRST_CHOICE_BIT);
        let chosen = drawn * vectors.len() as u64 / u64::from(CHOICES);
        self.overlay(&vectors[chosen as usize], hops);
    }

    /// Whether preferences admit an orthant.
    fn are_admitted(&self, signs: usize, preferences: &[Preference; MAX_DIMENSIONS]) -> bool {
        self.lattice.dimensions.iter().enumerate().all(|(bit, &dimension)| {
            let is_minus = signs >> bit & 1 == 1;
            preferences[dimension].admits(if is_minus { -1 } else { 1 })
        })
    }

    /// The shortest vectors of a difference in each of some orthants: sorted, plus first, and each once.
    fn vectors_in(&self, difference: u32, is_wanted: impl Fn(usize) -> bool) -> Vec<Hops> {
        let wanted = (0..self.orthants.len()).filter(|&signs| is_wanted(signs));
        let mut found: Vec<Hops> = wanted
            .flat_map(|signs| {
                let vectors = self.orthant(signs);
                vectors.of(difference).map(|vector| vectors.get(vector))
            })
            .collect();
        found.sort_unstable_by_key(|vector| std::cmp::Reverse(vector.0));
        found.dedup();
        found
    }

    fn orthant(&self, signs: usize) -> &Vectors {
        self.orthants[signs].get_or_init(|| {
            let toward = |(bit, &dimension): (usize, &usize)| both(dimension)[signs >> bit & 1];
            let directions: Vec<Direction> = self.lattice.dimensions.iter().enumerate().map(toward).collect();
            Vectors::shortest(&self.lattice, &directions)
        })
    }

    /// Sets the hops of a vector in the dimensions that take part.
    fn overlay(&self, vector: &Hops, hops: &mut Hops) {
        for &dimension in &self.lattice.dimensions {
            hops.0[dimension] = vector.0[dimension];
        }
    }

    /// All hint bits that lead to the target: each of `others`, which are right in all other dimensions, with each
    /// shortest vector of each orthant. Those with the fewest hops come first; the coin shuffles equals.
    pub fn choices(&self, difference: u32, coin: u32, others: &[Hops]) -> Vec<Hops> {
        let vectors = self.vectors_in(difference, |_| true);
        let mut choices: Vec<Hops> = Vec::with_capacity(others.len() * vectors.len());
        for other in others {
            choices.extend(vectors.iter().map(|vector| {
                let mut hops = *other;
                self.overlay(vector, &mut hops);
                hops
            }));
        }
        choices.sort_unstable_by_key(|hops| hops.0);
        choices.dedup();
        let place = |hops: &Hops| {
            let mixed = |mixed: u64, &hops: &i32| mix(mixed ^ u64::from(hops as u32));
            (hops.total(), hops.0.iter().fold(coin.into(), mixed))
        };
        choices.sort_by_cached_key(place);
        choices
    }
}

/// The ends of ranges with these shares. Rounding leaves each within one of `CHOICES` values of its share.
fn ends_of(shares: &[f64]) -> Vec<u32> {
    let mut sum = 0.0;
    let mut ends: Vec<u32> = Vec::with_capacity(shares.len());
    for share in shares {
        sum += share;
        ends.push((sum * f64::from(CHOICES)).round().min(f64::from(CHOICES)) as u32);
    }
    // The sum may miss 1 by the error of its terms: the last vector with a share ends the range.
    let last = shares.iter().rposition(|&share| share > 0.0).expect("shares add up to 1");
    ends[last..].fill(CHOICES);
    ends
}

/// Both directions of a dimension, plus first.
fn both(dimension: usize) -> [Direction; 2] {
    [Direction::new(dimension, true), Direction::new(dimension, false)]
}
