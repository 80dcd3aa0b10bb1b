//! The load of each link by some flows, under two kinds of minimal routing.
//!
//! ```text
//!   dimension order     source -x-> -y-> target               all on one route, x first
//!   evenly split        every minimal route is equally likely: of the hops that are left, each may be the next
//! ```
//!
//! A target half-way round a ring has half of its bytes in either direction. One with several shortest vectors on a twisted
//! torus has their shares of its bytes on each, and then these routes from the vector's hops. Messages whose packets must
//! not overtake one another are the exception: all packets of a pair of nodes take the one vector that is drawn for it
//! ([`Router::trip_in_order`]).

use geometry::{Coordinates, Direction, Hops, MAX_DIMENSIONS, Shape};
use messaging::hops_in_order;
use network::Parameters;

/// How messages are routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// In the order of the dimensions.
    DimensionOrder,
    /// Over all minimal routes alike, as an ideal adaptive routing would.
    Evenly,
    /// In the order of the dimensions, beginning equally often with each of them and going round.
    Orders,
}

/// The bytes that each link carries.
#[derive(Clone, Debug)]
pub struct LinkLoads {
    router: Router,
    /// The bytes by node and direction.
    bytes: Vec<f64>,
}

impl LinkLoads {
    /// Links without load.
    pub fn new(shape: &Shape) -> Self {
        let links = shape.nodes() as usize * 2 * shape.dimensions();
        LinkLoads { router: Router::new(shape), bytes: vec![0.0; links] }
    }

    /// Adds a flow from a node to another.
    pub fn add(&mut self, (source, target): (u32, u32), bytes: f64, split: Split) {
        let directions = 2 * self.router.shape.dimensions();
        let trip = self.router.minimal_trip(source, target);
        self.router.visit(&trip, bytes, split, &mut |node, toward, bytes| {
            self.bytes[node as usize * directions + toward.index()] += bytes;
        });
    }

    /// Adds to the bytes that a link carries.
    pub(crate) fn add_at(&mut self, node: u32, toward: Direction, bytes: f64) {
        self.bytes[node as usize * 2 * self.router.shape.dimensions() + toward.index()] += bytes;
    }

    /// The bytes that a link carries.
    pub fn bytes(&self, node: u32, toward: Direction) -> f64 {
        self.bytes[node as usize * 2 * self.router.shape.dimensions() + toward.index()]
    }

    /// The bytes that the busiest link carries.
    pub fn busiest(&self) -> f64 {
        self.bytes.iter().copied().fold(0.0, f64::max)
    }
}

/// The trip of the bytes of a flow.
#[derive(Clone, Debug)]
pub struct Trip {
    source: u32,
    first: Part,
    /// The other shortest vectors, on a twisted torus.
    others: Vec<Part>,
}

/// The part of a trip's bytes that makes the same hops, but for their sides round rings.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The part of the bytes.
    pub share: f64,
    segments: [Segment; MAX_DIMENSIONS],
}

impl Part {
    /// The mean number of links of each direction that its bytes cross.
    pub fn crossings(&self) -> impl Iterator<Item = (Direction, f64)> + '_ {
        self.segments.iter().enumerate().filter(|(_, segment)| segment.hops > 0).flat_map(
            |(dimension, segment)| {
                let hops = f64::from(segment.hops);
                let (toward, back) =
                    if segment.goes_both_ways { (hops / 2.0, hops / 2.0) } else { (hops, 0.0) };
                let direction = Direction::new(dimension, segment.is_plus);
                [(direction, toward), (direction.opposite(), back)]
                    .into_iter()
                    .filter(|(_, hops)| *hops > 0.0)
            },
        )
    }

    /// The dimensions in which there are hops to make.
    pub fn dimensions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.segments.len()).filter(|&dimension| self.segments[dimension].hops > 0)
    }

    fn hops(&self) -> u32 {
        self.segments.iter().map(|segment| segment.hops).sum()
    }

    fn nodes(&self) -> u64 {
        let of_segment =
            |segment: &Segment| (u64::from(segment.hops) + 1) << u32::from(segment.goes_both_ways);
        self.segments.iter().map(of_segment).product()
    }
}

impl Trip {
    /// The parts of the trip, whose shares add up to 1.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The mean number of links of each direction that the bytes cross, part by part.
    pub fn crossings(&self) -> impl Iterator<Item = (Direction, f64)> + '_ {
        self.parts().flat_map(|part| part.crossings().map(|(toward, hops)| (toward, part.share * hops)))
    }

    /// The dimensions in which there are hops to make.
    pub fn dimensions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..MAX_DIMENSIONS).filter(|&dimension| self.parts().any(|part| part.segments[dimension].hops > 0))
    }

    /// Whether its bytes take several ways, as the target lies half-way round a ring or has several shortest vectors.
    pub fn has_choices(&self) -> bool {
        !self.others.is_empty() || self.first.segments.iter().any(|segment| segment.goes_both_ways)
    }

    /// The number of nodes that some minimal route visits, counted in a box for each vector and direction round rings.
    pub(crate) fn nodes(&self) -> u64 {
        self.parts().map(Part::nodes).sum()
    }

    /// Hops from its source to its target.
    pub fn hops(&self) -> u32 {
        self.first.hops()
    }
}

/// The hops of a trip in one dimension.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    hops: u32,
    is_plus: bool,
    goes_both_ways: bool,
}

/// Finds the links that flows use.
#[derive(Clone, Debug)]
pub struct Router {
    shape: Shape,
    /// The amount left to be routed at each node of a box, for [`Split::Evenly`].
    amounts: Vec<f64>,
}

impl Router {
    /// A router on a machine without dead nodes or links.
    pub fn new(shape: &Shape) -> Self {
        Router { shape: shape.clone(), amounts: Vec::new() }
    }

    /// A trip by exactly these hops.
    pub fn trip_by(&self, source: u32, hops: &Hops) -> Trip {
        Trip { source, first: part_by(hops, 1.0), others: Vec::new() }
    }

    /// A trip to a node by its shortest vectors: in the shorter direction of each dimension, unless the torus is twisted.
    pub fn minimal_trip(&self, source: u32, target: u32) -> Trip {
        if self.shape.is_twisted() {
            return self.twisted_trip(source, target);
        }
        let routes = self.shape.minimal_routes(source, target);
        let mut trip = self.trip_by(source, &routes.route(&self.shape, u32::MAX));
        for (dimension, segment) in trip.first.segments.iter_mut().enumerate() {
            segment.goes_both_ways = routes.are_several_along(dimension);
        }
        trip
    }

    /// A trip with a part for each vector that has a share.
    fn twisted_trip(&self, source: u32, target: u32) -> Trip {
        let shares = self.shape.route_shares(source, target).filter(|&(_, share)| share > 0.0);
        let mut parts = shares.map(|(hops, share)| part_by(&hops, share));
        let first = parts.next().expect("shares add up to 1");
        Trip { source, first, others: parts.collect() }
    }

    /// The trip of messages in order, whose packets must not overtake one another. It takes the vector that is drawn for
    /// the pair.
    pub fn trip_in_order(&self, network: &Parameters, source: u32, target: u32) -> Trip {
        let trip = self.minimal_trip(source, target);
        if !trip.has_choices() {
            return trip;
        }
        self.trip_by(source, &hops_in_order(network, source, target))
    }

    /// Visits the links that a flow uses, each with its part of the bytes.
    pub fn visit(
        &mut self,
        trip: &Trip,
        bytes: f64,
        split: Split,
        visit: &mut impl FnMut(u32, Direction, f64),
    ) {
        for part in trip.parts() {
            let (source, bytes) = (trip.source, bytes * part.share);
            match split {
                Split::DimensionOrder => self.visit_in_order((source, part), bytes, visit),
                Split::Evenly => self.visit_evenly((source, *part), bytes, visit),
                Split::Orders => self.visit_orders((source, part), bytes, visit),
            }
        }
    }

    fn visit_in_order(
        &self,
        (source, part): (u32, &Part),
        bytes: f64,
        visit: &mut impl FnMut(u32, Direction, f64),
    ) {
        let dimensions: Vec<usize> = part.dimensions().collect();
        self.visit_by((source, part), &dimensions, bytes, visit);
    }

    fn visit_orders(
        &self,
        (source, part): (u32, &Part),
        bytes: f64,
        visit: &mut impl FnMut(u32, Direction, f64),
    ) {
        let mut dimensions: Vec<usize> = part.dimensions().collect();
        let share = bytes / dimensions.len() as f64;
        for _ in 0..dimensions.len() {
            self.visit_by((source, part), &dimensions, share, visit);
            dimensions.rotate_left(1);
        }
    }

    /// Visits the links of a route that takes the dimensions in this order.
    fn visit_by(
        &self,
        (source, part): (u32, &Part),
        dimensions: &[usize],
        bytes: f64,
        visit: &mut impl FnMut(u32, Direction, f64),
    ) {
        let mut node = source;
        for &dimension in dimensions {
            let segment = part.segments[dimension];
            let toward = Direction::new(dimension, segment.is_plus);
            if segment.goes_both_ways {
                self.visit_line(node, toward.opposite(), (segment.hops, bytes / 2.0), visit);
            }
            let share = if segment.goes_both_ways { bytes / 2.0 } else { bytes };
            node = self.visit_line(node, toward, (segment.hops, share), visit);
        }
    }

    /// Visits the links of a line, and returns the node at its end.
    fn visit_line(
        &self,
        source: u32,
        toward: Direction,
        (hops, bytes): (u32, f64),
        visit: &mut impl FnMut(u32, Direction, f64),
    ) -> u32 {
        let mut node = source;
        for _ in 0..hops {
            visit(node, toward, bytes);
            node = self.shape.neighbor(node, toward).expect("a route stays on the machine");
        }
        node
    }

    /// Visits both directions round each ring that the target is half-way round, each with half of the bytes.
    fn visit_evenly(
        &mut self,
        (source, mut part): (u32, Part),
        bytes: f64,
        visit: &mut impl FnMut(u32, Direction, f64),
    ) {
        match part.segments.iter().position(|segment| segment.goes_both_ways) {
            None => self.visit_box((source, &part), bytes, visit),
            Some(dimension) => {
                part.segments[dimension].goes_both_ways = false;
                for is_plus in [false, true] {
                    part.segments[dimension].is_plus = is_plus;
                    self.visit_evenly((source, part), bytes / 2.0, visit);
                }
            }
        }
    }

    /// Visits all routes in the box between source and target. Routes are orders of the same hops. So each of the hops
    /// that are left is the next with the same probability.
    fn visit_box(
        &mut self,
        (source, part): (u32, &Part),
        bytes: f64,
        visit: &mut impl FnMut(u32, Direction, f64),
    ) {
        let segments = &part.segments;
        let start = self.shape.coordinates(source);
        let sizes = segments.map(|segment| segment.hops as usize + 1);
        let nodes: usize = sizes.iter().product();
        self.amounts.clear();
        self.amounts.resize(nodes, 0.0);
        self.amounts[0] = bytes;
        let mut offset = [0u32; MAX_DIMENSIONS];
        for place in 0..nodes {
            let node = match self.shape.is_twisted() {
                true => self.node_after(source, &offset, segments),
                false => self.node_at(&start, &offset, segments),
            };
            let left: u32 = segments.iter().zip(offset).map(|(segment, made)| segment.hops - made).sum();
            let mut stride = 1;
            for (dimension, segment) in segments.iter().enumerate() {
                let hops = segment.hops - offset[dimension];
                if hops > 0 {
                    let share = self.amounts[place] * f64::from(hops) / f64::from(left);
                    visit(node, Direction::new(dimension, segment.is_plus), share);
                    self.amounts[place + stride] += share;
                }
                stride *= sizes[dimension];
            }
            advance(&mut offset, &sizes);
        }
    }

    fn node_at(
        &self,
        start: &Coordinates,
        offset: &Coordinates,
        segments: &[Segment; MAX_DIMENSIONS],
    ) -> u32 {
        let mut coordinates = *start;
        for dimension in 0..self.shape.dimensions() {
            let (length, made) = (self.shape.length(dimension), offset[dimension]);
            let moved = if segments[dimension].is_plus { made } else { length - made };
            coordinates[dimension] = (start[dimension] + moved) % length;
        }
        self.shape.node(&coordinates)
    }

    /// The node at an offset on a twisted torus.
    fn node_after(&self, source: u32, offset: &Coordinates, segments: &[Segment; MAX_DIMENSIONS]) -> u32 {
        let signed = |dimension: usize| {
            let made = offset[dimension] as i32;
            if segments[dimension].is_plus { made } else { -made }
        };
        self.shape.translated(source, &Hops(std::array::from_fn(signed)))
    }
}

/// All bytes of a share, by exactly these hops.
fn part_by(hops: &Hops, share: f64) -> Part {
    let segment = |hops: i32| Segment { hops: hops.unsigned_abs(), is_plus: hops > 0, goes_both_ways: false };
    Part { share, segments: hops.0.map(segment) }
}

/// The next offset in a box, the first dimension fastest.
fn advance(offset: &mut Coordinates, sizes: &[usize; MAX_DIMENSIONS]) {
    for (coordinate, &size) in offset.iter_mut().zip(sizes) {
        *coordinate += 1;
        if (*coordinate as usize) < size {
            return;
        }
        *coordinate = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Twist;
    use proptest::prelude::*;

    /// The bytes on each link by listing every minimal route.
    fn listed(shape: &Shape, node: u32, target: u32) -> Vec<Vec<(u32, Direction)>> {
        if node == target {
            return vec![Vec::new()];
        }
        let mut routes = Vec::new();
        for toward in Direction::all(shape.dimensions()) {
            let Some(next) = shape.neighbor(node, toward) else { continue };
            if shape.distance(next, target) + 1 == shape.distance(node, target) {
                routes.extend(
                    listed(shape, next, target).into_iter().map(|rest| [vec![(node, toward)], rest].concat()),
                );
            }
        }
        routes
    }

    /// All orders in which a split makes hops, one direction after another.
    fn orders(hops: &Hops, split: Split) -> Vec<Vec<Direction>> {
        let in_order: Vec<Direction> = hops.directions().collect();
        let made = |directions: &[Direction]| -> Vec<Direction> {
            let along =
                |toward: &Direction| vec![*toward; hops.0[toward.dimension()].unsigned_abs() as usize];
            directions.iter().flat_map(along).collect()
        };
        let turned = |turns: usize| [&in_order[turns..], &in_order[..turns]].concat();
        match split {
            Split::DimensionOrder => vec![made(&in_order)],
            Split::Orders => (0..in_order.len()).map(|turns| made(&turned(turns))).collect(),
            Split::Evenly if in_order.is_empty() => vec![Vec::new()],
            Split::Evenly => {
                let first = |&toward: &Direction| {
                    let mut left = *hops;
                    left.0[toward.dimension()] -= hops.0[toward.dimension()].signum();
                    orders(&left, split).into_iter().map(move |rest| [vec![toward], rest].concat())
                };
                in_order.iter().flat_map(first).collect()
            }
        }
    }

    proptest! {
        #[test]
        fn an_even_split_is_the_mean_over_all_routes(
            lengths in prop::collection::vec((1u32..5, any::<bool>()), 1..=3),
            ends in any::<(u32, u32)>(),
        ) {
            let (lengths, wraps): (Vec<u32>, Vec<bool>) = lengths.into_iter().unzip();
            let shape = Shape::new(&lengths, &wraps).unwrap();
            let (source, target) = (ends.0 % shape.nodes(), ends.1 % shape.nodes());
            let mut loads = LinkLoads::new(&shape);
            loads.add((source, target), 6.0, Split::Evenly);
            let routes = listed(&shape, source, target);
            for node in 0..shape.nodes() {
                for toward in Direction::all(shape.dimensions()) {
                    let through = routes.iter().filter(|route| route.contains(&(node, toward))).count();
                    let expected = 6.0 * through as f64 / routes.len() as f64;
                    prop_assert!((loads.bytes(node, toward) - expected).abs() < 1e-9);
                }
            }
        }

        /// The loads of a twisted torus are those of its shortest vectors by their shares, over all orders of hops or one.
        #[test]
        fn a_twist_spreads_bytes_over_the_orders_of_its_vectors(
            lengths in prop::collection::vec(2u32..5, 3), by in prop::array::uniform3(-4i32..5), is_balanced: bool,
            ends in any::<(u32, u32)>(),
        ) {
            let twist = Twist::default().shifting(1, 0, by[0]).shifting(1, 2, by[1]).shifting(0, 2, by[2]);
            let shape = Shape::torus(&lengths).unwrap().with_twist(twist).unwrap();
            let shape = if is_balanced { shape.with_balanced_routes(&[1.0; 3]) } else { shape };
            let (source, target) = (ends.0 % shape.nodes(), ends.1 % shape.nodes());
            for split in [Split::Evenly, Split::DimensionOrder, Split::Orders] {
                let mut loads = LinkLoads::new(&shape);
                loads.add((source, target), 6.0, split);
                let mut expected = LinkLoads::new(&shape);
                for (hops, share) in shape.route_shares(source, target) {
                    let orders = orders(&hops, split);
                    for order in &orders {
                        let mut node = source;
                        for &toward in order {
                            expected.add_at(node, toward, 6.0 * share / orders.len() as f64);
                            node = shape.neighbor(node, toward).unwrap();
                        }
                        prop_assert_eq!(node, target);
                    }
                }
                for (found, expected) in loads.bytes.iter().zip(&expected.bytes) {
                    prop_assert!((found - expected).abs() < 1e-9, "{split:?}");
                }
            }
        }

        #[test]
        fn dimension_order_loads_one_route_or_half_of_two(
            lengths in prop::collection::vec((1u32..6, any::<bool>()), 1..=3),
            ends in any::<(u32, u32)>(),
        ) {
            let (lengths, wraps): (Vec<u32>, Vec<bool>) = lengths.into_iter().unzip();
            let shape = Shape::new(&lengths, &wraps).unwrap();
            let (source, target) = (ends.0 % shape.nodes(), ends.1 % shape.nodes());
            let mut loads = LinkLoads::new(&shape);
            loads.add((source, target), 2.0, Split::DimensionOrder);
            let all: f64 = loads.bytes.iter().sum();
            prop_assert!((all - 2.0 * f64::from(shape.distance(source, target))).abs() < 1e-9);
            for coin in [0, u32::MAX] {
                let hops = shape.route(source, target, coin);
                let mut node = source;
                for toward in hops.directions() {
                    for _ in 0..hops.0[toward.dimension()].unsigned_abs() {
                        prop_assert!(loads.bytes(node, toward) >= 1.0);
                        node = shape.neighbor(node, toward).unwrap();
                    }
                }
                prop_assert_eq!(node, target);
            }
        }
    }
}
