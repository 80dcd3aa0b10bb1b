//! The orders of the dimensions of a twisted torus, and their shares of the data: the linear program of Jain and Sabharwal
//! (2010), which gives the busiest links the least to carry.

use super::{Dimension, Orders};
use crate::collectives::grid::MAX_GRID_DIMENSIONS;
use crate::collectives::grid::lattice::Lattice;
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOutcome};

/// The shares of orders are multiples of one divided by this number, as results must not depend on how hosts round.
const SHARES: f64 = (1u64 << 26) as f64;

/// Shares and loads that differ by less are taken as equal.
const ROUNDED: f64 = 1e-6;

/// The orders of the colors of a bucket algorithm.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(in crate::collectives) struct Plan {
    pub orders: Vec<Order>,
    /// Whether the stages of all orders take the same time.
    pub is_in_step: bool,
}

/// An order of the dimensions with its share of the data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::collectives) struct Order {
    /// The dimensions of more than one node, with the lengths of their rings in this order.
    pub dimensions: Vec<Dimension>,
    pub lattice: Lattice,
    /// The share of this order and those before it, in parts of `2^26`.
    pub end: u64,
}

impl Plan {
    /// The plan with the dimensions of `plain`. Of all plans whose busiest links are the least busy, it is the first in
    /// which each order is the one before it, but for its first dimension, which comes last: then colors in step use
    /// different dimensions. Where no such plan is among them, it is any.
    pub fn new(plain: &Orders, lattice: &Lattice) -> Self {
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
