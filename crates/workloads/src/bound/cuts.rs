//! Patterns with one target per node: the busiest cut between adjacent planes of nodes.
//!
//! ```text
//!   x:  0 -> 1 -> 2 -> 3      the x+ links from x = 1 to x = 2, over all y and z, are one cut;
//!         c0   c1   c2        the number of packets that cross it is the same for every minimal routing
//! ```
//!
//! In the dimensions of a twist routes of the same length may differ in their hops, and no plane cuts the machine. There,
//! all links of a direction are one cut, and packets are divided among their routes as the machine divides them
//! ([`Shape::route_shares`]). For traffic that looks alike from every node this is the load of each link, for other
//! traffic the mean, which no link can undercut everywhere.
//!
//! So no minimal routing beats this bound, and dimension order attains it where it loads all lines equally
//! (tornado, shift, bit complement). The load of the busiest single link, with each packet split evenly over its
//! minimal paths, is sometimes taken for the peak. It is not a bound: for bit complement on a 32x32x32 torus it is
//! five times the load of dimension order.

use crate::bound::{Demand, Load};
use crate::targets::Route;
use geometry::{Direction, Hops, MAX_DIMENSIONS, Preference, Shape};
use network::Parameters;

/// The demand when each node sends by its `route`, or nothing if it has none.
pub(crate) fn demand(
    parameters: &Parameters,
    preferences: &[Preference; MAX_DIMENSIONS],
    route: impl Fn(u32) -> Option<Route>,
) -> Demand {
    of_routes(parameters, preferences, route).1
}

/// The crossings of all cuts, and the demand under minimal routing.
fn of_routes<'a>(
    parameters: &'a Parameters,
    preferences: &[Preference; MAX_DIMENSIONS],
    route: impl Fn(u32) -> Option<Route>,
) -> (Cuts<'a>, Demand) {
    let shape = &parameters.shape;
    let mut cuts = Cuts::new(shape);
    let (mut senders, mut hops) = (0u64, 0u64);
    for (node, route) in (0..shape.nodes()).filter_map(|node| Some((node, route(node)?))) {
        senders += 1;
        hops += u64::from(cuts.add_flow(node, route, preferences, 1));
    }
    let load = Load { kind: "busiest cut", cycles_per_byte: cuts.busiest_cycles(parameters) };
    (cuts, Demand { flows: senders, load, mean_hops: hops as f64 / senders as f64 })
}

/// The least demand for any routing, minimal or not. A packet crosses no fewer cuts of a dimension than on a
/// minimal route, but on a ring it may cross others. So all links of rings share their load, and the links of an
/// open line's busiest cut share theirs.
pub(crate) fn min_demand(
    parameters: &Parameters,
    preferences: &[Preference; MAX_DIMENSIONS],
    route: impl Fn(u32) -> Option<Route>,
) -> Demand {
    let (cuts, demand) = of_routes(parameters, preferences, route);
    Demand { load: Load { kind: "links", cycles_per_byte: cuts.min_cycles(parameters) }, ..demand }
}

/// The hops for a `coin` of all zeros and one of all ones, each for half of the packets. Together they cover both
/// directions of every dimension in which the target lies half-way round.
fn both_ways(
    shape: &Shape,
    node: u32,
    route: Route,
    preferences: &[Preference; MAX_DIMENSIONS],
) -> [Hops; 2] {
    match route {
        Route::By(hops) => [hops, hops],
        Route::To(target) => {
            [0, u32::MAX].map(|coin| shape.route_with_preferences(node, target, coin, preferences))
        }
    }
}

/// The half bytes that cross each cut, where each flow has a number of bytes. They are stored as differences
/// between adjacent cuts, so that a long route costs no more time than a short one.
pub(super) struct Cuts<'a> {
    shape: &'a Shape,
    /// The differences by direction, and by the coordinate at the start of the links.
    differences: Vec<Vec<i128>>,
    /// On a twisted torus, the byte hops by direction.
    of_directions: Vec<f64>,
}

impl<'a> Cuts<'a> {
    pub(super) fn new(shape: &'a Shape) -> Self {
        let both = shape.lengths().iter().flat_map(|&length| [length, length]);
        let differences = both.map(|length| vec![0; length as usize + 1]).collect();
        Cuts { shape, differences, of_directions: vec![0.0; 2 * shape.dimensions()] }
    }

    /// Adds a flow of `bytes` bytes, and returns its hops.
    pub(super) fn add_flow(
        &mut self,
        source: u32,
        route: Route,
        preferences: &[Preference; MAX_DIMENSIONS],
        bytes: u64,
    ) -> u32 {
        let [tails, heads] = both_ways(self.shape, source, route, preferences);
        self.add(source, &tails, bytes);
        self.add(source, &heads, bytes);
        match route {
            Route::To(target) if self.shape.is_twisted() => {
                self.add_in_twist(source, target, bytes);
            }
            Route::By(hops) => {
                self.add_along(&hops, bytes as f64);
            }
            Route::To(_) => (),
        }
        tails.total()
    }

    /// Adds what a flow on a twisted torus needs in the dimensions of the twist, and returns its hops in these.
    pub(super) fn add_in_twist(&mut self, source: u32, target: u32, bytes: u64) -> f64 {
        let shape = self.shape;
        let parts = shape.route_shares(source, target);
        parts.map(|(hops, share)| share * self.add_along(&hops, bytes as f64 * share)).sum()
    }

    /// Adds the byte hops of a route in the dimensions of a twist, and returns its hops in these.
    fn add_along(&mut self, hops: &Hops, bytes: f64) -> f64 {
        let mut all = 0.0;
        let in_twist = |toward: &Direction| self.shape.takes_part_in_twist(toward.dimension());
        for toward in hops.directions().filter(in_twist) {
            let along = f64::from(hops.0[toward.dimension()].unsigned_abs());
            self.of_directions[toward.index()] += bytes * along;
            all += along;
        }
        all
    }

    /// Adds half of a flow of `bytes` bytes, in the dimensions that planes cut.
    pub(super) fn add(&mut self, source: u32, hops: &Hops, bytes: u64) {
        let coordinates = self.shape.coordinates(source);
        let is_cut = |toward: &Direction| !self.shape.takes_part_in_twist(toward.dimension());
        for direction in hops.directions().filter(is_cut) {
            let dimension = direction.dimension();
            let (from, length) = (coordinates[dimension], self.shape.length(dimension));
            let count = hops.0[dimension].unsigned_abs();
            let lowest = if direction.is_plus() { from } else { (from + length + 1 - count) % length };
            self.add_run(direction.index(), (lowest, count), length, bytes.into());
        }
    }

    /// Adds half bytes to each of `count` cuts, beginning with `lowest`, modulo `length`.
    fn add_run(&mut self, direction: usize, (lowest, count): (u32, u32), length: u32, half_bytes: i128) {
        let differences = &mut self.differences[direction];
        let end = lowest + count;
        differences[lowest as usize] += half_bytes;
        differences[end.min(length) as usize] -= half_bytes;
        if end > length {
            differences[0] += half_bytes;
            differences[(end - length) as usize] -= half_bytes;
        }
    }

    /// Half bytes that cross each cut in a direction.
    fn crossings(&self, direction: usize) -> impl Iterator<Item = i128> {
        self.differences[direction].iter().scan(0, |sum, &difference| {
            *sum += difference;
            Some(*sum)
        })
    }

    /// Cycles for which the links of a cut are busy if `half_bytes` cross it, evenly.
    fn cycles(&self, parameters: &Parameters, dimension: usize, half_bytes: f64) -> f64 {
        let links = f64::from(self.shape.nodes() / self.shape.length(dimension));
        half_bytes / 2.0 / links * f64::from(parameters.links[dimension].cycles_per_byte)
    }

    /// Cycles for which the links of the busiest cut, evenly loaded, are busy.
    pub(super) fn busiest_cycles(&self, parameters: &Parameters) -> f64 {
        let cycles = |direction: usize| {
            let busiest = self.crossings(direction).max().unwrap_or(0);
            self.cycles(parameters, direction / 2, busiest as f64)
        };
        let of_planes = (0..self.differences.len()).map(cycles);
        let in_twist = self.directions_in_twist(parameters).map(|(bytes, rate)| bytes / rate);
        of_planes.chain(in_twist).fold(0.0, f64::max)
    }

    /// The bytes that the links of each direction of a twist carry, and those that they can carry in a cycle.
    fn directions_in_twist(&self, parameters: &Parameters) -> impl Iterator<Item = (f64, f64)> {
        let directions = Direction::all(self.shape.dimensions());
        let in_twist = directions.filter(|toward| self.shape.takes_part_in_twist(toward.dimension()));
        in_twist.map(|toward| {
            let cycles_per_byte = f64::from(parameters.links[toward.dimension()].cycles_per_byte);
            let rate = self.shape.links_toward(toward) as f64 / cycles_per_byte;
            (self.of_directions[toward.index()], rate)
        })
    }

    /// Cycles for which the links of the busiest cut are busy if all links of a ring, in both directions, share the
    /// load of any cut, and all links of a twist the hops of the shortest routes.
    fn min_cycles(&self, parameters: &Parameters) -> f64 {
        let of_ring = |dimension: usize| {
            let crossings: i128 =
                [0, 1].map(|end| self.crossings(2 * dimension + end).sum::<i128>()).iter().sum();
            let each = crossings as f64 / (2.0 * f64::from(self.shape.length(dimension)));
            self.cycles(parameters, dimension, each)
        };
        let of_line = |dimension: usize| {
            let busiest = [0, 1].map(|end| self.crossings(2 * dimension + end).max().unwrap_or(0));
            self.cycles(parameters, dimension, busiest[0].max(busiest[1]) as f64)
        };
        let of_dimension =
            |dimension| if self.shape.wraps(dimension) { of_ring(dimension) } else { of_line(dimension) };
        let (bytes, rates) = self
            .directions_in_twist(parameters)
            .fold((0.0, 0.0), |(bytes, rates), (more, rate)| (bytes + more, rates + rate));
        let in_twist = if bytes > 0.0 { bytes / rates } else { 0.0 };
        (0..self.shape.dimensions()).map(of_dimension).fold(in_twist, f64::max)
    }
}
