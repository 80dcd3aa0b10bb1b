//! The loads of links by all that one node sends, at once: for patterns so dense that one target after the other takes
//! minutes.
//!
//! ```text
//!   in order       amounts of targets fall together onto the source, the last dimension first:   . . t t
//!                  a link carries all that lies behind it                                        s < < <
//!   evenly split   of N(s,t) minimal routes those through a link s ..> v -> w ..> t are N(s,v) N(w,t), so that it carries
//!                  N(s,v) W(w), where W(w) is the sum of amount / N(s,t) x N(w,t) over targets, farthest first
//! ```
//!
//! Both take a time that grows with the nodes, not with the nodes between a source and each of its targets.

use crate::links::LinkLoads;
use geometry::{Coordinates, Direction, MAX_DIMENSIONS, Shape};

/// Adds up what links carry of the amounts that a node sends to others.
pub(crate) struct SourceLoads {
    shape: Shape,
    /// The strides of node numbers, by dimension.
    strides: Vec<u32>,
    /// The amount that is sent to each node.
    amounts: Vec<u64>,
    /// Minimal routes to each offset within the longest.
    routes: Vec<f64>,
    route_strides: Vec<usize>,
    /// The weights `W` of the nodes of a box.
    weights: Vec<f64>,
}

/// One of the two ways in which hops of a dimension are made.
#[derive(Clone, Copy)]
struct Side {
    is_plus: bool,
    hops: u32,
}

impl SourceLoads {
    /// The loads on a shape; none if its routes are too many to be counted, if the direction half-way round a ring
    /// depends on the target, or if the torus is twisted.
    pub fn new(shape: &Shape) -> Option<Self> {
        let longest = |dimension| if shape.wraps(dimension) { 2 } else { 1 };
        let sizes: Vec<usize> = (0..shape.dimensions())
            .map(|dimension| (shape.length(dimension) / longest(dimension)) as usize + 1)
            .collect();
        let strides = products(shape.lengths().iter().map(|&length| length as usize));
        let route_strides = products(sizes.iter().copied());
        let routes = counted_routes(&sizes, &route_strides);
        let are_counted =
            routes.last().is_some_and(|max| max.is_finite()) && shape.share_of_plus(0).is_some();
        let are_counted = are_counted && !shape.is_twisted();
        are_counted.then(|| SourceLoads {
            shape: shape.clone(),
            strides: strides.iter().map(|&stride| stride as u32).collect(),
            amounts: vec![0; shape.nodes() as usize],
            routes,
            route_strides,
            weights: Vec::new(),
        })
    }

    /// The nodes that [`SourceLoads::spread`] visits for a source.
    pub fn visits(&self, source: u32) -> u64 {
        let from = self.shape.coordinates(source);
        let of_dimension = |dimension: usize| {
            let sides = self.sides(dimension, from[dimension]);
            sides.iter().map(|side| u64::from(side.hops) + 1).sum::<u64>()
        };
        (0..self.shape.dimensions()).map(of_dimension).product()
    }

    /// Adds to the amount that is sent to a node.
    pub fn add(&mut self, target: u32, bytes: u64) {
        self.amounts[target as usize] += bytes;
    }

    /// Adds the loads of links by all amounts so far, sent from `source`, in order of the dimensions and evenly split.
    /// Returns the bytes, each times its hops, and begins anew.
    pub fn spread(&mut self, source: u32, in_order: &mut LinkLoads, evenly: &mut LinkLoads) -> u128 {
        let from = self.shape.coordinates(source);
        let mut sides = [Side { is_plus: true, hops: 0 }; MAX_DIMENSIONS];
        self.spread_evenly(&from, 0, &mut sides, evenly);
        let hop_bytes = self.spread_in_order(&from, in_order);
        self.amounts.fill(0);
        hop_bytes
    }

    /// The sides of a coordinate: plus, also to the coordinate itself, and minus if it leads anywhere.
    fn sides(&self, dimension: usize, from: u32) -> Vec<Side> {
        let length = self.shape.length(dimension);
        let (plus, minus) =
            if self.shape.wraps(dimension) { (length / 2, length / 2) } else { (length - 1 - from, from) };
        let sides = [Side { is_plus: true, hops: plus }, Side { is_plus: false, hops: minus }];
        sides.into_iter().filter(|side| side.is_plus || side.hops > 0).collect()
    }

    /// The share of the amount for an offset that goes to this side of the coordinate `from`.
    fn share(&self, dimension: usize, from: u32, side: Side, offset: u32) -> f64 {
        let is_half_way = self.shape.wraps(dimension) && 2 * offset == self.shape.length(dimension);
        match offset {
            0 => f64::from(u8::from(side.is_plus)),
            _ if is_half_way => {
                let plus = self.shape.share_of_plus(from).expect("shares do not depend on targets");
                if side.is_plus { plus } else { 1.0 - plus }
            }
            _ => 1.0,
        }
    }

    fn coordinate(&self, dimension: usize, from: u32, side: Side, offset: u32) -> u32 {
        let length = self.shape.length(dimension);
        if side.is_plus { (from + offset) % length } else { (from + length - offset) % length }
    }

    /// Takes either side of `dimension` and of each later one.
    fn spread_evenly(
        &mut self,
        from: &Coordinates,
        dimension: usize,
        sides: &mut [Side; MAX_DIMENSIONS],
        loads: &mut LinkLoads,
    ) {
        if dimension == self.shape.dimensions() {
            self.spread_in_box(from, sides, loads);
            return;
        }
        for side in self.sides(dimension, from[dimension]) {
            sides[dimension] = side;
            self.spread_evenly(from, dimension + 1, sides, loads);
        }
    }

    /// The box that one side of each dimension spans, from its farthest corner back to the source.
    fn spread_in_box(&mut self, from: &Coordinates, sides: &[Side; MAX_DIMENSIONS], loads: &mut LinkLoads) {
        let dimensions = self.shape.dimensions();
        let sides = &sides[..dimensions];
        let strides = products(sides.iter().map(|side| side.hops as usize + 1));
        // For each dimension and offset: its part of a node's number, and the share of amounts that comes this way.
        let steps: Vec<Vec<(u32, f64)>> = (0..dimensions)
            .map(|dimension| {
                let side = sides[dimension];
                let node = |offset| {
                    self.coordinate(dimension, from[dimension], side, offset) * self.strides[dimension]
                };
                (0..=side.hops)
                    .map(|offset| (node(offset), self.share(dimension, from[dimension], side, offset)))
                    .collect()
            })
            .collect();
        let directions: Vec<Direction> =
            (0..dimensions).map(|dimension| Direction::new(dimension, sides[dimension].is_plus)).collect();
        let places: usize = steps.iter().map(Vec::len).product();
        self.weights.clear();
        self.weights.resize(places, 0.0);
        let mut offset: Vec<usize> = sides.iter().map(|side| side.hops as usize).collect();
        for place in (0..places).rev() {
            let (mut node, mut share, mut route) = (0, 1.0, 0);
            for dimension in 0..dimensions {
                let (part, of_dimension) = steps[dimension][offset[dimension]];
                node += part;
                share *= of_dimension;
                route += offset[dimension] * self.route_strides[dimension];
            }
            let routes = self.routes[route];
            let mut weight = self.amounts[node as usize] as f64 * share / routes;
            for dimension in 0..dimensions {
                if offset[dimension] + 1 < steps[dimension].len() {
                    let beyond = self.weights[place + strides[dimension]];
                    loads.add_at(node, directions[dimension], routes * beyond);
                    weight += beyond;
                }
            }
            self.weights[place] = weight;
            retreat(&mut offset, sides);
        }
    }

    fn spread_in_order(&mut self, from: &Coordinates, loads: &mut LinkLoads) -> u128 {
        let mut hop_bytes = 0;
        for dimension in (0..self.shape.dimensions()).rev() {
            let later = dimension + 1..self.shape.dimensions();
            let fixed: u32 = later.map(|later| from[later] * self.strides[later]).sum();
            for line in 0..self.strides[dimension] {
                hop_bytes += self.spread_on_line((dimension, from[dimension]), fixed + line, loads);
            }
        }
        hop_bytes
    }

    /// Spreads the amounts of the line whose node with coordinate 0 is `first`. What is sent to its nodes comes from
    /// the node at `from`, which then stands for all of them.
    fn spread_on_line(&mut self, (dimension, from): (usize, u32), first: u32, loads: &mut LinkLoads) -> u128 {
        let stride = self.strides[dimension];
        let node = |coordinate: u32| first + coordinate * stride;
        for side in self.sides(dimension, from) {
            let mut behind = 0.0;
            for offset in (1..=side.hops).rev() {
                let target = node(self.coordinate(dimension, from, side, offset));
                behind += self.amounts[target as usize] as f64 * self.share(dimension, from, side, offset);
                let before = node(self.coordinate(dimension, from, side, offset - 1));
                loads.add_at(before, Direction::new(dimension, side.is_plus), behind);
            }
        }
        let (mut all, mut hop_bytes) = (0, 0);
        for coordinate in 0..self.shape.length(dimension) {
            let amount = self.amounts[node(coordinate) as usize];
            let hops = self.shape.distance_along(dimension, from, coordinate);
            hop_bytes += u128::from(amount) * u128::from(hops);
            all += amount;
        }
        self.amounts[node(from) as usize] = all;
        hop_bytes
    }
}

/// The number of minimal routes to each offset: the sum of the numbers for the offsets a hop before.
fn counted_routes(sizes: &[usize], strides: &[usize]) -> Vec<f64> {
    let mut routes = vec![1.0];
    for place in 1..sizes.iter().product() {
        let before = sizes.iter().zip(strides).filter(|&(size, stride)| place / stride % size > 0);
        routes.push(before.map(|(_, stride)| routes[place - stride]).sum());
    }
    routes
}

/// The product of the values before each.
fn products(values: impl Iterator<Item = usize>) -> Vec<usize> {
    values.scan(1, |product, value| Some(std::mem::replace(product, *product * value))).collect()
}

/// The offset before this one, the first dimension fastest.
fn retreat(offset: &mut [usize], sides: &[Side]) {
    for (coordinate, side) in offset.iter_mut().zip(sides) {
        if *coordinate > 0 {
            *coordinate -= 1;
            return;
        }
        *coordinate = side.hops as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::Split;
    use geometry::HalfWay;
    use proptest::prelude::*;

    proptest! {
        /// All targets at once load links as one after the other.
        #[test]
        fn a_fan_is_the_sum_of_its_flows(
            lengths in prop::collection::vec((1u32..7, any::<bool>()), 1..=4),
            half_way in prop::sample::select(vec![HalfWay::PerPacket, HalfWay::Registers]),
            source in any::<u32>(),
            sent in prop::collection::vec((any::<u32>(), 0u64..1000), 0..40),
        ) {
            let (lengths, wraps): (Vec<u32>, Vec<bool>) = lengths.into_iter().unzip();
            let shape = Shape::new(&lengths, &wraps).unwrap().with_half_way(half_way, 0);
            let source = source % shape.nodes();
            let mut loads = SourceLoads::new(&shape).unwrap();
            // The second time, nothing of the first is left.
            for _ in 0..2 {
                let [mut in_order, mut evenly] = [(); 2].map(|()| LinkLoads::new(&shape));
                let [mut expected_in_order, mut expected_evenly] = [(); 2].map(|()| LinkLoads::new(&shape));
                let mut expected = 0;
                for &(target, bytes) in &sent {
                    let ends = (source, target % shape.nodes());
                    loads.add(ends.1, bytes);
                    expected += u128::from(bytes) * u128::from(shape.distance(ends.0, ends.1));
                    expected_in_order.add(ends, bytes as f64, Split::DimensionOrder);
                    expected_evenly.add(ends, bytes as f64, Split::Evenly);
                }
                prop_assert_eq!(loads.spread(source, &mut in_order, &mut evenly), expected);
                for node in 0..shape.nodes() {
                    for toward in Direction::all(shape.dimensions()) {
                        let differ = |loads: &LinkLoads, expected: &LinkLoads| {
                            (loads.bytes(node, toward) - expected.bytes(node, toward)).abs() > 1e-6
                        };
                        prop_assert!(!differ(&in_order, &expected_in_order), "in order: {node} {toward}");
                        prop_assert!(!differ(&evenly, &expected_evenly), "evenly: {node} {toward}");
                    }
                }
            }
        }
    }

    #[test]
    fn routes_that_cannot_be_counted_are_left_to_single_flows() {
        let by_pair = Shape::torus(&[4, 4]).unwrap().with_half_way(HalfWay::PerPair, 0);
        assert!(SourceLoads::new(&by_pair).is_none());
        assert!(SourceLoads::new(&Shape::torus(&[32, 32, 32]).unwrap()).is_some());
        assert!(SourceLoads::new(&Shape::new(&[700, 700], &[false, false]).unwrap()).is_none());
    }
}
