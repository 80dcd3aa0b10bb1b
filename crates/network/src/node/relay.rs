//! Relays: software forwards a packet past dead nodes and links, from the node at which its route segment has ended.

use crate::fabric::Fabric;
use crate::packet::{Stored, Tag};
use crate::source::{Class, ForwardAction, Offer};
use base::draws::{NodeKey, Purpose};
use geometry::{MAX_DIMENSIONS, Preference, RouteRequest};

/// Distinguishes the random draws of relays from those of sources.
const RELAY_PORT: usize = 2;

/// A packet that has arrived at `node`, with its next route segment toward `target`. `number` counts the packets that
/// the node has forwarded. The packet keeps its name and age.
pub fn next_segment(
    fabric: &Fabric,
    node: u32,
    arrived: &Stored,
    target: u32,
    number: u64,
) -> (Offer, Stored) {
    let (layout, parameters) = (&fabric.layout, &fabric.parameters);
    let route_request = RouteRequest {
        source: node,
        target,
        coin: NodeKey::new(parameters.seed, node).draw(Purpose::RingTie, number, RELAY_PORT),
        preferences: &[Preference::Minimal; MAX_DIMENSIONS],
        is_dimension_ordered: fabric.adaptive_vcs == 0 || layout.is_dimension_ordered(arrived.packet),
    };
    let segment = parameters.faults.segment(&parameters.shape, &route_request);
    let class = Class {
        deterministic: layout.is_deterministic(arrived.packet),
        high_priority: layout.is_high_priority(arrived.packet),
        reception_group: layout.reception_group(arrived.packet) as u8,
        adaptive_only: segment.is_adaptive_only(),
        deposit: layout.is_deposit(arrived.packet),
    };
    let forward_action = segment.relayed_to(target).map_or(ForwardAction::Consume, ForwardAction::RelayTo);
    let offer =
        Offer { hops: segment.hops, chunks: layout.chunks(arrived.packet), class, ready: 0, forward_action };
    let packet = layout.with_route(arrived.packet, &segment.hops, class.adaptive_only);
    let tag = Tag { action: forward_action.code(), ..arrived.tag };
    (offer, Stored { packet, tag, ..*arrived })
}
