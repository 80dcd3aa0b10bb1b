//! The packets of transfers, as the network carries them, and their routes.
//!
//! Packets are routed minimally. If a target lies half-way round a ring, a random bit chooses the direction: for each
//! packet that is routed adaptively, so that a long message uses both; for each pair of nodes where packets must not
//! overtake one another. The machine may have another rule for this ([`geometry::HalfWay`]).

use super::span::Span;
use crate::mapping::Place;
use base::draws::{NodeKey, Purpose};
use geometry::{Hops, MAX_DIMENSIONS, MinimalRoutes, Preference, RouteRequest, RouteSegment, Service};
use network::fabric::Fabric;
use network::node::choice::longest_direction;
use network::packet::Packet;
use network::{Class, ForwardAction, Offer};

/// The data that the packets of a transfer have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Route {
    /// Nothing is known: no packet has been made, or each looks for its way past dead nodes and links.
    #[default]
    Unknown,
    /// The routes: each packet draws one of them.
    Several(MinimalRoutes),
    /// The route: packets of `chunks` chunks have all of their record in common but the name.
    One { nameless: Packet, chunks: u8, direction: u8 },
}

/// A packet that is to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PacketRequest {
    /// Where the rank runs to which it goes.
    pub target: Place,
    /// The span of the line along which it goes, if any.
    pub span: Option<Span>,
    /// The number of the packet among those of its node.
    pub sequence: u64,
    pub chunks: u8,
    /// Whether it must not overtake packets to the same target.
    pub is_deterministic: bool,
    /// Whether it takes the other direction where the target is half-way round a ring.
    pub turns: bool,
}

/// A packet that has been made, but for its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub nameless: Packet,
    /// The code of what its receiver does with it.
    pub action: u32,
    heading: Heading,
}

#[derive(Clone, Copy, Debug)]
enum Heading {
    Direction(u8),
    Hops(Hops),
}

impl Made {
    /// The direction of the packet, by which an injection FIFO may be chosen.
    pub fn direction(&self) -> usize {
        match &self.heading {
            Heading::Direction(direction) => (*direction).into(),
            Heading::Hops(hops) => longest_direction(hops),
        }
    }
}

/// Makes a packet of a transfer, from what is known of the packets before it.
#[inline]
pub(crate) fn make(fabric: &Fabric, node: u32, request: &PacketRequest, route: &mut Route) -> Made {
    if let Route::One { nameless, chunks, direction } = *route
        && chunks == request.chunks
    {
        return Made {
            nameless,
            action: ForwardAction::Consume.code(),
            heading: Heading::Direction(direction),
        };
    }
    make_first(fabric, node, request, route)
}

#[inline(never)]
fn make_first(fabric: &Fabric, node: u32, request: &PacketRequest, route: &mut Route) -> Made {
    let offer = packet(fabric, node, request, route);
    let (nameless, action) = (fabric.layout.nameless(&offer), offer.forward_action.code());
    if let Route::Several(routes) = route
        && (request.is_deterministic || !routes.are_several())
    {
        let direction = longest_direction(&offer.hops) as u8;
        *route = Route::One { nameless, chunks: offer.chunks, direction };
        return Made { nameless, action, heading: Heading::Direction(direction) };
    }
    Made { nameless, action, heading: Heading::Hops(offer.hops) }
}

/// A packet of a node, to the core of a rank on another.
pub(crate) fn packet(fabric: &Fabric, node: u32, request: &PacketRequest, route: &mut Route) -> Offer {
    let PacketRequest { target, span, sequence, chunks, is_deterministic, turns } = *request;
    let reception_group = fabric.fifo_sets.of_core(target.core.into()) as u8;
    if let Some(span) = span {
        let class = Class { deterministic: true, deposit: true, reception_group, ..Class::default() };
        return Offer { hops: span.hops(), chunks, class, ready: 0, forward_action: ForwardAction::Consume };
    }
    let key = fabric.seed_key.of_node(node);
    let coin = || match is_deterministic {
        true => key.directions_to(target.node),
        false if turns => !key.draw(Purpose::RingTie, sequence, 0),
        false => key.draw(Purpose::RingTie, sequence, 0),
    };
    let segment = segment(fabric, node, (target.node, is_deterministic), route, coin);
    Offer {
        hops: segment.hops,
        chunks,
        class: Class {
            deterministic: is_deterministic,
            reception_group,
            adaptive_only: segment.is_adaptive_only(),
            ..Class::default()
        },
        ready: 0,
        forward_action: segment
            .relayed_to(target.node)
            .map_or(ForwardAction::Consume, ForwardAction::RelayTo),
    }
}

/// The hops of packets that must not overtake one another, on a machine without dead nodes and links.
pub fn hops_in_order(network: &network::Parameters, source: u32, target: u32) -> Hops {
    network.shape.route(source, target, NodeKey::new(network.seed, source).directions_to(target))
}

/// The routes to a node; none on a machine with dead nodes or links, where packets may need relays.
fn minimal_routes(fabric: &Fabric, source: u32, target: u32) -> Option<MinimalRoutes> {
    let network::Parameters { shape, faults, .. } = &fabric.parameters;
    faults.is_empty().then(|| shape.minimal_routes(source, target))
}

/// The route to a node, or to the relay on the way there.
fn segment(
    fabric: &Fabric,
    source: u32,
    (target, is_deterministic): (u32, bool),
    route: &mut Route,
    coin: impl FnOnce() -> u32,
) -> RouteSegment {
    let network::Parameters { shape, faults, router, .. } = &fabric.parameters;
    let routes = match route {
        Route::Several(routes) => Some(*routes),
        Route::Unknown | Route::One { .. } => minimal_routes(fabric, source, target),
    };
    if let Some(routes) = routes {
        *route = Route::Several(routes);
        let hops = routes.route(shape, if routes.are_several() { coin() } else { 0 });
        return RouteSegment { hops, end: target, service: Service::Minimal };
    }
    let coin = coin();
    let preferences = &[Preference::Minimal; MAX_DIMENSIONS];
    let is_dimension_ordered = is_deterministic || router.dynamic_channels == 0;
    faults.segment(shape, &RouteRequest { source, target, coin, preferences, is_dimension_ordered })
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Shape;
    use network::fabric::Needs;

    fn parameters() -> network::Parameters {
        let mut parameters = network::Parameters::bluegene_l(Shape::torus(&[8, 2]).unwrap(), 1);
        parameters.node.cores = 2;
        parameters
    }

    #[test]
    fn packets_to_a_target_half_way_round_a_ring_use_both_directions() {
        let needs = Needs {
            smallest_chunks: 1,
            high_priority: false,
            source_forwards: false,
            deposits: false,
            other_software: true,
            participants: None,
        };
        let fabric = Fabric::new(parameters(), &needs);
        let target = Place { node: 4, core: 1 };
        let mut route = Route::Unknown;
        let mut packets = |is_deterministic, turns| -> Vec<Offer> {
            let request =
                |sequence| PacketRequest { target, span: None, sequence, chunks: 8, is_deterministic, turns };
            (0..1000).map(|sequence| packet(&fabric, 0, &request(sequence), &mut route)).collect()
        };
        let plus = |packets: &[Offer]| packets.iter().filter(|packet| packet.hops.0[0] == 4).count();
        let (adaptive, deterministic) = (packets(false, false), packets(true, false));
        assert!(adaptive.iter().all(|packet| packet.hops.total() == 4 && packet.class.reception_group == 1));
        assert!((400..600).contains(&plus(&adaptive)), "{} of 1000", plus(&adaptive));
        assert!(deterministic.iter().all(|packet| packet.class.deterministic && packet.hops.total() == 4));
        assert!([0, 1000].contains(&plus(&deterministic)));
        assert_eq!(plus(&packets(false, true)), 1000 - plus(&adaptive));
    }
}
