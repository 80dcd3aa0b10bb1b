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

use super::directions::Directions;
use super::grid::{Grid, MAX_GRID_DIMENSIONS};
use super::lattice::{Lattice, Vector};
use super::orders::{Dimension, Orders};
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOutcome};
use std::sync::{Mutex, PoisonError};

/// A shift where a ring closes: the dimension of the ring, the dimension that is shifted, and by how many ranks.
pub(super) type Shift = (usize, usize, u32);

/// The shares of orders are multiples of one divided by this number, as results must not depend on how hosts round.
const SHARES: f64 = (1u64 << 26) as f64;

/// Shares and loads that differ by less are taken as equal.
const ROUNDED: f64 = 1e-6;

/// What a grid knows about its rings, if some of them shift others.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Orbits {
    /// The grid, as if nothing shifted.
    plain: Grid,
    pub shifts: Vec<Shift>,
    pub lattice: Lattice,
    /// The plans for one direction and both, each for half of an all-reduce and all of it.
    plans: [[Plan; 2]; 2],
}

/// The orders of the colors of a bucket algorithm.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Plan {
    pub orders: Vec<Order>,
    /// Whether the stages of all orders take the same time.
    pub is_in_step: bool,
}

/// An order of the dimensions with its share of the data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Order {
    /// The dimensions of more than one node, with the lengths of their rings in this order.
    pub dimensions: Vec<Dimension>,
    pub lattice: Lattice,
    /// The share of this order and those before it, in parts of `2^26`.
    pub end: u64,
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
            Plan::new(&Orders::of(&plain, directions, has_both_halves), &lattice)
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

impl Plan {
    /// The plan with the dimensions of `plain`. Of all plans whose busiest links are the least busy, it is the first in
    /// which each order is the one before it, but for its first dimension, which comes last: then colors in step use
    /// different dimensions. Where no such plan is among them, it is any.
    fn new(plain: &Orders, lattice: &Lattice) -> Self {
        let all = permutations(plain.all());
        let orders: Vec<Order> = all.iter().map(|dimensions| Order::new(dimensions, lattice)).collect();
        let (least, any) = solve(&orders);
        let begin_alike = all.iter().filter(|dimensions| dimensions.first() == plain.all().first());
        let rotated = begin_alike.map(|dimensions| {
            let mut dimensions = dimensions.clone();
            let rotations = (0..dimensions.len()).map(|_| {
                let order = Order::new(&dimensions, lattice);
                dimensions.rotate_left(1);
                order
            });
            let orders: Vec<Order> = rotations.collect();
            let (load, shares) = solve(&orders);
            (load, orders, shares)
        });
        let mut best = rotated.filter(|(load, ..)| *load < least * (1.0 + ROUNDED));
        let (orders, shares) = best.next().map_or((orders, any), |(_, orders, shares)| (orders, shares));
        Plan::of(orders, &shares)
    }

    fn of(orders: Vec<Order>, shares: &[f64]) -> Self {
        let mut used: Vec<(Order, f64)> =
            orders.into_iter().zip(shares.iter().copied()).filter(|(_, share)| *share > ROUNDED).collect();
        let mut sum = 0.0;
        for (order, share) in &mut used {
            sum += *share;
            order.end = (sum * SHARES).round() as u64;
        }
        let lengths = |order: &Order| order.dimensions.iter().map(|d| d.length).collect::<Vec<_>>();
        let is_in_step = used.windows(2).all(|pair| {
            (pair[0].1 - pair[1].1).abs() < ROUNDED && lengths(&pair[0].0) == lengths(&pair[1].0)
        });
        let mut orders: Vec<Order> = used.into_iter().map(|(order, _)| order).collect();
        if let Some(last) = orders.last_mut() {
            last.end = SHARES as u64;
        }
        Plan { orders, is_in_step }
    }

    /// The part of `bytes` bytes that goes in the orders before one.
    pub fn before(&self, bytes: u64, order: usize) -> u64 {
        let end = order.checked_sub(1).map_or(0, |before| self.orders[before].end);
        (u128::from(bytes) * u128::from(end) / SHARES as u128) as u64
    }
}

impl Order {
    fn new(dimensions: &[Dimension], lattice: &Lattice) -> Self {
        let others =
            (0..MAX_GRID_DIMENSIONS).filter(|other| dimensions.iter().all(|known| known.number != *other));
        let mut numbers = dimensions.iter().map(|dimension| dimension.number).chain(others);
        let lattice = lattice.in_order(std::array::from_fn(|_| numbers.next().unwrap_or(0)));
        let in_order = |dimension: &Dimension| dimension.with_length(lattice.length(dimension.number));
        Order { dimensions: dimensions.iter().map(in_order).collect(), lattice, end: 0 }
    }

    /// The load on the links of each dimension, in parts of all data, and the number of the dimension.
    fn loads(&self) -> impl Iterator<Item = (usize, f64)> {
        let mut left = 1.0;
        self.dimensions.iter().map(move |dimension| {
            let come = left;
            left /= f64::from(dimension.length);
            (dimension.number, (come - left) / dimension.links())
        })
    }
}

/// The least load of the busiest links with some orders, and the share of each order.
fn solve(orders: &[Order]) -> (f64, Vec<f64>) {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let busiest = problem.add_var(1.0, (0.0, f64::INFINITY));
    let shares: Vec<_> = orders.iter().map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    let mut loads: [LinearExpr; MAX_GRID_DIMENSIONS] = std::array::from_fn(|_| LinearExpr::empty());
    for (order, &share) in orders.iter().zip(&shares) {
        order.loads().for_each(|(dimension, load)| loads[dimension].add(share, load));
    }
    for mut load in loads {
        load.add(busiest, -1.0);
        problem.add_constraint(load, ComparisonOp::Le, 0.0);
    }
    problem.add_constraint(shares.iter().map(|&share| (share, 1.0)), ComparisonOp::Eq, 1.0);
    let Ok(SolveOutcome::Solution(solution)) = problem.solve() else {
        unreachable!("any shares are a solution, loads are bounded below, and no limit is set");
    };
    (solution[busiest], shares.into_iter().map(|share| solution[share].clamp(0.0, 1.0)).collect())
}

/// All orders, those that begin with the first first.
fn permutations(dimensions: &[Dimension]) -> Vec<Vec<Dimension>> {
    if dimensions.is_empty() {
        return vec![Vec::new()];
    }
    let beginning = |place: usize| {
        let mut rest = dimensions.to_vec();
        let first = rest.remove(place);
        permutations(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    (0..dimensions.len()).flat_map(beginning).collect()
}
