//! Routing over random intermediate nodes (Valiant): two route segments, each of which is minimal.
//!
//! ```text
//!   first segments:  every sender sends to all nodes alike       the crossings of a cut between planes depend only on how
//!   last segments:   every target receives from all nodes alike  many senders, or targets, there are at each coordinate
//! ```
//!
//! If all nodes send and receive alike, either is uniform traffic: half of its bound, regardless of the pattern. An
//! intermediate node that is the source or the target leaves a minimal route, which the same counts describe.

use crate::bound::cuts::Cuts;
use crate::bound::{Demand, Load};
use geometry::{Hops, Shape};
use network::Parameters;

/// The demand when each flow goes from its source to its target over an intermediate node drawn uniformly.
pub(crate) fn demand(parameters: &Parameters, flows: impl Iterator<Item = (u32, u32)>) -> Demand {
    let shape = &parameters.shape;
    let flows: Vec<(u32, u32)> = flows.collect();
    let mut cuts = Cuts::new(shape);
    let mut hops = 0.0;
    if shape.is_twisted() {
        // Each end of a flow has a segment to, or from, any node: the same vectors from everywhere.
        let ends = 2 * flows.len() as u64;
        for node in 0..shape.nodes() {
            hops += cuts.add_in_twist(0, node, ends) * ends as f64;
        }
    }
    for dimension in (0..shape.dimensions()).filter(|&dimension| !shape.takes_part_in_twist(dimension)) {
        let line = Line { shape, dimension };
        let at = |ends: &mut dyn Iterator<Item = u32>| line.counts(ends);
        let senders = at(&mut flows.iter().map(|flow| flow.0));
        let targets = at(&mut flows.iter().map(|flow| flow.1));
        for own in 0..shape.length(dimension) {
            for other in 0..shape.length(dimension) {
                let (sent, received) = (senders[own as usize], targets[other as usize]);
                hops += line.add(&mut cuts, (own, other), sent) + line.add(&mut cuts, (own, other), received);
            }
        }
    }
    let nodes = f64::from(shape.nodes());
    let load = Load { kind: "busiest cut", cycles_per_byte: cuts.busiest_cycles(parameters) / nodes };
    Demand { flows: flows.len() as u64, load, mean_hops: hops / nodes / flows.len() as f64 }
}

/// The lines of a dimension.
struct Line<'a> {
    shape: &'a Shape,
    dimension: usize,
}

impl Line<'_> {
    /// The number of given nodes at each coordinate.
    fn counts(&self, nodes: &mut dyn Iterator<Item = u32>) -> Vec<u64> {
        let mut counts = vec![0; self.shape.length(self.dimension) as usize];
        for node in nodes {
            counts[self.shape.coordinates(node)[self.dimension] as usize] += 1;
        }
        counts
    }

    /// Adds the segments of `ends` between one end and all intermediate nodes at a coordinate; returns their hops.
    fn add(&self, cuts: &mut Cuts<'_>, (from, to): (u32, u32), ends: u64) -> f64 {
        let mut coordinates = self.shape.coordinates(0);
        let mut node_at = |coordinate| {
            coordinates[self.dimension] = coordinate;
            self.shape.node(&coordinates)
        };
        let (from, to) = (node_at(from), node_at(to));
        let intermediates = u64::from(self.shape.nodes() / self.shape.length(self.dimension));
        let both_ways: [Hops; 2] = [0, u32::MAX].map(|coin| self.shape.route(from, to, coin));
        both_ways.iter().for_each(|hops| cuts.add(from, hops, ends * intermediates));
        f64::from(both_ways[0].total()) * (ends * intermediates) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::cuts;
    use crate::targets::Route;
    use geometry::{MAX_DIMENSIONS, Preference};
    use proptest::prelude::*;

    fn bluegene_l(lengths: &[u32], wraps: &[bool]) -> Parameters {
        Parameters::bluegene_l(Shape::new(lengths, wraps).unwrap(), 1)
    }

    /// Row M11: `4 / k`, for any permutation.
    #[test]
    fn a_permutation_gets_half_of_uniform_capacity() {
        for lengths in [&[8][..], &[8, 8, 8], &[16, 4]] {
            let parameters = bluegene_l(lengths, &vec![true; lengths.len()]);
            let nodes = parameters.shape.nodes();
            let reversed = demand(&parameters, (0..nodes).map(|node| (node, nodes - 1 - node)));
            let longest = f64::from(*lengths.iter().max().unwrap());
            assert_eq!(reversed.load.cycles_per_byte, longest / 4.0);
            assert_eq!(reversed.mean_hops, f64::from(lengths.iter().sum::<u32>()) / 2.0);
        }
    }

    /// Any route of tornado traffic needs the hops of a minimal one; both directions together have twice the links.
    #[test]
    fn any_routing_shares_the_links_of_a_ring() {
        let parameters = bluegene_l(&[8], &[true]);
        let tornado = |node| Some(Route::To((node + 3) % 8));
        let minimal = [Preference::Minimal; MAX_DIMENSIONS];
        assert_eq!(cuts::demand(&parameters, &minimal, tornado).load.cycles_per_byte, 3.0);
        assert_eq!(cuts::min_demand(&parameters, &minimal, tornado).load.cycles_per_byte, 1.5);
    }

    /// The busiest cut, by following each packet over each intermediate node.
    fn busiest(shape: &Shape, flows: &[(u32, u32)]) -> f64 {
        let mut crossings = std::collections::BTreeMap::new();
        let mut follow = |from: u32, to: u32| {
            for coin in [0, u32::MAX] {
                let mut node = from;
                for direction in shape.route(from, to, coin).directions().collect::<Vec<_>>() {
                    for _ in 0..shape.route(from, to, coin).0[direction.dimension()].abs() {
                        let place = shape.coordinates(node)[direction.dimension()];
                        *crossings.entry((direction.index(), place)).or_insert(0.0) += 0.5;
                        node = shape.neighbor(node, direction).unwrap();
                    }
                }
            }
        };
        for &(source, target) in flows {
            for intermediate in 0..shape.nodes() {
                follow(source, intermediate);
                follow(intermediate, target);
            }
        }
        let load = |((direction, _), crossings): (&(usize, u32), &f64)| {
            crossings * f64::from(shape.length(direction / 2)) / f64::from(shape.nodes()).powi(2)
        };
        crossings.iter().map(load).fold(0.0, f64::max)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn the_busiest_cut_is_that_of_all_routes(
            dimensions in prop::collection::vec((1u32..5, any::<bool>()), 1..=3),
            flows in prop::collection::vec(any::<(u32, u32)>(), 1..10),
        ) {
            let (lengths, wraps): (Vec<u32>, Vec<bool>) = dimensions.into_iter().unzip();
            let parameters = bluegene_l(&lengths, &wraps);
            let nodes = parameters.shape.nodes();
            let flows: Vec<(u32, u32)> = flows.iter().map(|(a, b)| (a % nodes, b % nodes)).collect();
            let load = demand(&parameters, flows.iter().copied()).load.cycles_per_byte;
            prop_assert!((load - busiest(&parameters.shape, &flows)).abs() < 1e-9, "{}", load);
        }
    }
}
