//! Messages of ranks: the busiest link, or the busiest cut between planes of nodes.
//!
//! A route along one dimension crosses the same links for any routing. Where routes use several dimensions, only
//! their cuts are known ([`super::cuts`]).

use crate::bound::cuts::Cuts;
use crate::bound::nodes::LinksOfNodes;
use crate::bound::{Bound, Demand, Load, last_reception_cycle};
use crate::flows::Flows;
use crate::message_size::MessageSize;
use crate::targets::Route;
use crate::targets::weight_table::WeightTable;
use geometry::{Direction, Hops, MAX_DIMENSIONS, Preference, Shape};
use messaging::RankMap;
use network::Parameters;
use std::collections::HashMap;

/// The bound of messages, and the mean hops of their packets. Packets within a node need no link. There is no bound
/// without links to load, nor on machines with dead nodes or links, where routes differ.
pub(crate) fn bound(
    parameters: &Parameters,
    flows: &Flows,
    map: &RankMap,
    size_of: impl Fn(u64) -> MessageSize,
) -> Option<(Bound, f64)> {
    bound_with(parameters, flows, map, size_of, false)
}

/// The bound of flows of which a few may be much larger than the others. The links of a node may limit them.
pub(crate) fn bound_of_uneven(
    parameters: &Parameters,
    flows: &Flows,
    map: &RankMap,
    size_of: impl Fn(u64) -> MessageSize,
) -> Option<(Bound, f64)> {
    bound_with(parameters, flows, map, size_of, true)
}

fn bound_with(
    parameters: &Parameters,
    flows: &Flows,
    map: &RankMap,
    size_of: impl Fn(u64) -> MessageSize,
    has_uneven: bool,
) -> Option<(Bound, f64)> {
    if !parameters.faults.is_empty() {
        return None;
    }
    let mut crossings = Crossings::new(&parameters.shape, has_uneven);
    let mut sizes = HashMap::new();
    let (mut packets, mut wire_bytes, mut half_packet_hops) = (0.0, 0.0, 0.0);
    flows.for_each(|source, flow| {
        let (source, target) = (map.place(source).node, map.place(flow.target).node);
        if source == target {
            return;
        }
        let bytes = flow.bytes / flow.messages;
        let size = *sizes.entry(bytes).or_insert_with(|| size_of(bytes));
        let (of_flow, wire) = (size.packets * flow.messages, size.wire_bytes * flow.messages);
        packets += of_flow as f64;
        wire_bytes += wire as f64;
        half_packet_hops += crossings.add(source, target, wire) * of_flow as f64;
    });
    if packets == 0.0 {
        return None;
    }
    let (kind, busy_cycles) = crossings.busiest(parameters);
    let mean_wire_bytes = wire_bytes / packets;
    let bound = Bound {
        kind,
        drained_cycles: Some(last_reception_cycle(busy_cycles, mean_wire_bytes, parameters)),
        packets_per_cycle: Some(packets / busy_cycles),
    };
    Some((bound, half_packet_hops / (2.0 * packets)))
}

/// The demand when each node sends packets to others by their weights.
pub(crate) fn weighted_demand(parameters: &Parameters, weights: &WeightTable) -> Demand {
    let mut crossings = Crossings::new(&parameters.shape, true);
    let (parts, mut senders, mut half_hops) = (weights.parts() as f64, 0u64, 0.0);
    for node in weights.senders() {
        senders += 1;
        for (target, of_target) in weights.parts_of(node) {
            half_hops += crossings.add(node, target, of_target) * of_target as f64;
        }
    }
    let (kind, cycles) = crossings.busiest(parameters);
    let load = Load { kind, cycles_per_byte: cycles / parts };
    Demand { flows: senders, load, mean_hops: half_hops / (2.0 * parts * senders as f64) }
}

/// The load that flows put on links.
struct Crossings<'a> {
    shape: &'a Shape,
    cuts: Cuts<'a>,
    links: Links<'a>,
    /// The links of nodes, if a few flows may be much larger than the others.
    nodes: Option<LinksOfNodes<'a>>,
}

impl<'a> Crossings<'a> {
    fn new(shape: &'a Shape, has_uneven: bool) -> Self {
        let nodes = has_uneven.then(|| LinksOfNodes::new(shape));
        Crossings { shape, cuts: Cuts::new(shape), links: Links::new(shape), nodes }
    }

    /// Adds a flow between two nodes; returns twice its mean hops.
    fn add(&mut self, source: u32, target: u32, bytes: u64) -> f64 {
        if let Some(nodes) = &mut self.nodes {
            nodes.add(source, target, bytes);
        }
        // A target half-way round a ring has half of its packets in either direction. The links of one of several routes
        // on a twisted torus carry less.
        let has_one = !self.shape.is_twisted() || !self.shape.minimal_routes(source, target).are_several();
        let both_ways = [0, u32::MAX].map(|coin| self.shape.route(source, target, coin));
        both_ways.iter().filter(|_| has_one).for_each(|route| self.links.add(source, route, bytes));
        let minimal = &[Preference::Minimal; MAX_DIMENSIONS];
        2.0 * f64::from(self.cuts.add_flow(source, Route::To(target), minimal, bytes))
    }

    /// The kind of links that is busy for longest, and the cycles for which it is.
    fn busiest(&self, parameters: &Parameters) -> (&'static str, f64) {
        let (link, cut) = (self.links.busiest_cycles(parameters), self.cuts.busiest_cycles(parameters));
        let node = self.nodes.as_ref().map_or(0.0, |nodes| nodes.busiest_cycles(parameters));
        let kinds = [("busiest link", link), ("busiest cut", cut), ("links of a node", node)];
        kinds.into_iter().fold(("", 0.0), |a, b| if b.1 > a.1 { b } else { a })
    }
}

/// The half bytes that cross each link on routes along one dimension, by node and direction.
struct Links<'a> {
    shape: &'a Shape,
    half_bytes: Vec<f64>,
}

impl<'a> Links<'a> {
    fn new(shape: &'a Shape) -> Self {
        Links { shape, half_bytes: vec![0.0; shape.nodes() as usize * 2 * shape.dimensions()] }
    }

    fn add(&mut self, source: u32, route: &Hops, bytes: u64) {
        let mut directions = route.directions();
        let (Some(toward), None) = (directions.next(), directions.next()) else { return };
        let mut node = source;
        for _ in 0..route.total() {
            self.half_bytes[node as usize * 2 * self.shape.dimensions() + toward.index()] += bytes as f64;
            node = self.shape.neighbor(node, toward).expect("a route stays on the machine");
        }
    }

    /// Cycles for which the busiest link is busy.
    fn busiest_cycles(&self, parameters: &Parameters) -> f64 {
        let directions = 2 * self.shape.dimensions();
        let cycles = |toward: Direction| {
            let of_links = self.half_bytes.iter().skip(toward.index()).step_by(directions);
            let busiest = of_links.copied().fold(0.0, f64::max);
            busiest / 2.0 * f64::from(parameters.links[toward.dimension()].cycles_per_byte)
        };
        Direction::all(self.shape.dimensions()).map(cycles).fold(0.0, f64::max)
    }
}
