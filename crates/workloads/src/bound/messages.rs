//! Messages of ranks: the busiest link, or the busiest cut between planes of nodes.
//!
//! A route along one dimension crosses the same links however it is routed. Where routes use several dimensions, only
//! their cuts are known ([`super::cuts`]).

use crate::bound::cuts::Cuts;
use crate::bound::{Bound, last_reception_cycle};
use crate::flows::Flows;
use crate::message_size::MessageSize;
use geometry::{Direction, Hops, Shape};
use messaging::RankMap;
use network::Parameters;
use std::collections::HashMap;

/// The bound of messages, and the mean hops of their packets; those within a node need no link. None without
/// links to load, and on machines with dead nodes or links, where routes are others.
pub(crate) fn bound(
    parameters: &Parameters,
    flows: &Flows,
    map: &RankMap,
    size_of: impl Fn(u64) -> MessageSize,
) -> Option<(Bound, f64)> {
    if !parameters.faults.is_empty() {
        return None;
    }
    let shape = &parameters.shape;
    let (mut cuts, mut links) = (Cuts::new(shape), Links::new(shape));
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
        // A target half-way round a ring has half of its packets in either direction.
        for route in [0, u32::MAX].map(|coin| shape.route(source, target, coin)) {
            cuts.add(source, &route, wire);
            links.add(source, &route, wire);
            half_packet_hops += f64::from(route.total()) * of_flow as f64;
        }
    });
    if packets == 0.0 {
        return None;
    }
    let (link, cut) = (links.busiest_cycles(parameters), cuts.busiest_cycles(parameters));
    let kind = if link >= cut { "busiest link" } else { "busiest cut" };
    let (busy_cycles, mean_wire_bytes) = (link.max(cut), wire_bytes / packets);
    let bound = Bound {
        kind,
        drained_cycles: Some(last_reception_cycle(busy_cycles, mean_wire_bytes, parameters)),
        packets_per_cycle: Some(packets / busy_cycles),
    };
    Some((bound, half_packet_hops / (2.0 * packets)))
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
