//! Messages of ranks: the busiest link, or the busiest cut between planes of nodes.
//!
//! A route along one dimension crosses the same links however it is routed. Where routes use several dimensions, only
//! their cuts are known ([`super::cuts`]).

use crate::bound::cuts::Cuts;
use crate::bound::{Demand, Load};
use geometry::{Direction, Hops, Shape};
use network::Parameters;

/// The demand of messages of equal length, each from one node to another; those within a node need no link. None without
/// links to load, and on machines with dead nodes or links, where routes are others.
pub(crate) fn demand(parameters: &Parameters, messages: &[(u32, u32)]) -> Option<Demand> {
    let shape = &parameters.shape;
    let between: Vec<(u32, u32)> =
        messages.iter().copied().filter(|(source, target)| source != target).collect();
    if between.is_empty() || !parameters.faults.is_empty() {
        return None;
    }
    let (mut cuts, mut links, mut hops) = (Cuts::new(shape), Links::new(shape), 0);
    for &(source, target) in &between {
        // A target half-way round a ring has half of its packets in either direction.
        for route in [0, u32::MAX].map(|coin| shape.route(source, target, coin)) {
            cuts.add(source, &route);
            links.add(source, &route);
            hops += u64::from(route.total());
        }
    }
    let (link, cut) = (links.busiest_cycles(parameters), cuts.busiest_cycles(parameters));
    let kind = if link >= cut { "busiest link" } else { "busiest cut" };
    Some(Demand {
        flows: between.len() as u64,
        load: Load { kind, cycles_per_byte: link.max(cut) },
        mean_hops: hops as f64 / (2 * between.len()) as f64,
    })
}

/// The number of half packets that cross each link on routes along one dimension, by node and direction.
struct Links<'a> {
    shape: &'a Shape,
    half_packets: Vec<u32>,
}

impl<'a> Links<'a> {
    fn new(shape: &'a Shape) -> Self {
        Links { shape, half_packets: vec![0; shape.nodes() as usize * 2 * shape.dimensions()] }
    }

    fn add(&mut self, source: u32, route: &Hops) {
        let mut directions = route.directions();
        let (Some(toward), None) = (directions.next(), directions.next()) else { return };
        let mut node = source;
        for _ in 0..route.total() {
            self.half_packets[node as usize * 2 * self.shape.dimensions() + toward.index()] += 1;
            node = self.shape.neighbor(node, toward).expect("a route stays on the machine");
        }
    }

    /// Cycles for which the busiest link is busy when every message is one byte.
    fn busiest_cycles(&self, parameters: &Parameters) -> f64 {
        let directions = 2 * self.shape.dimensions();
        let cycles = |toward: Direction| {
            let of_links = self.half_packets.iter().skip(toward.index()).step_by(directions);
            let busiest = of_links.max().copied().unwrap_or(0);
            f64::from(busiest) / 2.0 * f64::from(parameters.links[toward.dimension()].cycles_per_byte)
        };
        Direction::all(self.shape.dimensions()).map(cycles).fold(0.0, f64::max)
    }
}
