//! Shares of minimal vectors with which the links of all directions carry the same, as far as possible.
//!
//! Where every node sends to all others alike, the load of the links of a dimension is a sum over differences, and all
//! that a difference may choose is how its packets are divided among its vectors. So the least load of the busiest
//! dimension is a linear program with one equation for each difference and one load for each dimension:
//!
//! ```text
//!   least t with   sum of share x hops along d x cost of d  <=  t    for each dimension d
//!                  sum of the shares of a difference         =  1    shares at least 0
//! ```
//!
//! Differences whose vectors differ by the same hops are one class, so that a class has one equation. Opposite
//! differences are in one class: then both directions of a dimension carry the same. Vectors with the same numbers of hops
//! share alike.

use crate::{Hops, MAX_DIMENSIONS, Shape};
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOutcome};
use std::collections::BTreeMap;

/// Numbers of hops along each dimension.
type Lengths = [u32; MAX_DIMENSIONS];

/// The differences whose vectors have the same numbers of hops, but for hops that all vectors of a difference have.
#[derive(Default)]
struct Class {
    differences: u32,
    /// The shares of the vectors with each of the class's numbers of hops.
    shares: Vec<f64>,
}

impl Shape {
    /// This twisted shape with the shares of vectors that balance uniform traffic: a packet costs its link `cost_of_hop`
    /// in each dimension, and the busiest links are to cost the least. A shape without a twist is returned as it is.
    #[must_use]
    pub fn with_balanced_routes(self, cost_of_hop: &[f64]) -> Self {
        if !self.is_twisted() {
            return self;
        }
        let differences: Vec<Vec<Lengths>> =
            self.shares_by_difference().map(|vectors| lengths(&vectors)).collect();
        let mut classes: BTreeMap<Vec<Lengths>, Class> = BTreeMap::new();
        let mut fixed = [0.0; MAX_DIMENSIONS];
        for vectors in &differences {
            let (common, pattern) = pattern_of(vectors);
            fixed.iter_mut().zip(common).for_each(|(fixed, hops)| *fixed += f64::from(hops));
            classes.entry(pattern).or_default().differences += 1;
        }
        solve(&mut classes, &fixed, cost_of_hop);
        let shares: Vec<Vec<f64>> = differences.iter().map(|vectors| shares_of(vectors, &classes)).collect();
        self.with_route_shares(&shares).expect("each vector has a share, and they add up to 1")
    }
}

impl Shape {
    /// The cost of the busiest link of a torus if each node sends a byte to each other, and a hop costs its link
    /// `cost_of_hop` in each dimension.
    pub fn uniform_load(&self, cost_of_hop: &[f64]) -> f64 {
        let mut hops = [0.0; MAX_DIMENSIONS];
        for (vector, share) in self.shares_by_difference().flatten() {
            hops.iter_mut()
                .zip(vector.0)
                .for_each(|(sum, hops)| *sum += share * f64::from(hops.unsigned_abs()));
        }
        let differences = self.shares_by_difference().count().max(1) as f64;
        let cost = |(dimension, cost): (usize, &f64)| {
            let mean = match self.takes_part_in_twist(dimension) {
                true => hops[dimension] / differences,
                false => self.mean_distance_along(dimension),
            };
            mean * f64::from(self.nodes()) / 2.0 * cost
        };
        cost_of_hop.iter().enumerate().map(cost).fold(0.0, f64::max)
    }
}

/// The hops of each vector, whatever their directions.
fn lengths(vectors: &[(Hops, f64)]) -> Vec<Lengths> {
    vectors.iter().map(|(vector, _)| vector.0.map(i32::unsigned_abs)).collect()
}

/// The hops that all vectors have, and the different rests, in ascending order.
fn pattern_of(vectors: &[Lengths]) -> (Lengths, Vec<Lengths>) {
    let common =
        std::array::from_fn(|dimension| vectors.iter().map(|vector| vector[dimension]).min().unwrap_or(0));
    let mut rests: Vec<Lengths> = vectors.iter().map(|vector| rest_of(vector, &common)).collect();
    rests.sort_unstable();
    rests.dedup();
    (common, rests)
}

fn rest_of(vector: &Lengths, common: &Lengths) -> Lengths {
    std::array::from_fn(|dimension| vector[dimension] - common[dimension])
}

/// Sets the shares of all classes.
fn solve(classes: &mut BTreeMap<Vec<Lengths>, Class>, fixed: &[f64; MAX_DIMENSIONS], cost_of_hop: &[f64]) {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let busiest = problem.add_var(1.0, (0.0, f64::INFINITY));
    let mut loads: Vec<LinearExpr> = cost_of_hop.iter().map(|_| LinearExpr::empty()).collect();
    let mut variables = Vec::new();
    for (pattern, class) in classes.iter() {
        let shares: Vec<_> = pattern.iter().map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
        for (rest, &share) in pattern.iter().zip(&shares) {
            for ((load, &hops), cost) in loads.iter_mut().zip(rest).zip(cost_of_hop) {
                load.add(share, f64::from(class.differences) * f64::from(hops) * cost);
            }
        }
        problem.add_constraint(shares.iter().map(|&share| (share, 1.0)), ComparisonOp::Eq, 1.0);
        variables.push(shares);
    }
    for ((mut load, cost), fixed) in loads.into_iter().zip(cost_of_hop).zip(fixed) {
        load.add(busiest, -1.0);
        problem.add_constraint(load, ComparisonOp::Le, -fixed * cost);
    }
    let Ok(SolveOutcome::Solution(solution)) = problem.solve() else {
        unreachable!("any shares are a solution, loads are bounded below, and no limit is set");
    };
    for (class, shares) in classes.values_mut().zip(variables) {
        let found: Vec<f64> = shares.into_iter().map(|share| solution[share].clamp(0.0, 1.0)).collect();
        let sum: f64 = found.iter().sum();
        class.shares = found.into_iter().map(|share| share / sum).collect();
    }
}

/// The share of each vector of a difference.
fn shares_of(vectors: &[Lengths], classes: &BTreeMap<Vec<Lengths>, Class>) -> Vec<f64> {
    let (common, pattern) = pattern_of(vectors);
    let class = &classes[&pattern];
    let share = |vector: &Lengths| {
        let place = pattern.binary_search(&rest_of(vector, &common)).expect("its rest is in the pattern");
        class.shares[place] / vectors.iter().filter(|other| *other == vector).count() as f64
    };
    vectors.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Twist;

    /// The gains that the makers' twists are known to have (prismatic twisted tori: Camara et al.).
    #[test]
    fn the_usual_twists_gain_what_is_known() {
        for (lengths, gain) in
            [([4, 4, 8], 1.7455), ([4, 8, 8], 1.3913), ([8, 4, 4], 1.7455), ([8, 8, 4], 1.3913)]
        {
            let plain = Shape::torus(&lengths).unwrap();
            let twisted = plain.clone().with_twist(Twist::automatic(&lengths).unwrap()).unwrap();
            let balanced = twisted.clone().with_balanced_routes(&[1.0; 3]);
            let costs = [1.0; 3];
            let found = plain.uniform_load(&costs) / balanced.uniform_load(&costs);
            assert!((found - gain).abs() < 5e-5, "{lengths:?}: {found}");
        }
    }

    #[test]
    fn large_machines_are_balanced_in_seconds() {
        let lengths = [16, 16, 32];
        let twisted =
            Shape::torus(&lengths).unwrap().with_twist(Twist::automatic(&lengths).unwrap()).unwrap();
        let balanced = twisted.clone().with_balanced_routes(&[1.0; 3]);
        assert!(balanced.uniform_load(&[1.0; 3]) <= twisted.uniform_load(&[1.0; 3]) + 1e-6);
    }
}
