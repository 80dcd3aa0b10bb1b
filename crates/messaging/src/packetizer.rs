//! Splits messages into packets.
//!
//! ```text
//!   message   |------ 240 bytes ------|------ 240 bytes ------|-- rest --|
//!   packets   | 16 B header + 240 | | 16 B header + 240 | | 16 B header + rest, up to a full chunk |
//! ```
//!
//! Packets are routed minimally and adaptively. If a target lies half-way round a ring, a random bit per packet chooses
//! the direction, so a long message uses both. The bit is a random draw by the packet's number among those of its node.

use crate::Parameters;
use crate::rank_map::Place;
use geometry::{MAX_DIMENSIONS, MinimalRoutes, Preference, RouteRequest, RouteSegment, Service};
use network::draws::Purpose;
use network::fabric::Fabric;
use network::{Class, ForwardAction, Offer};

/// The longest message in bytes.
pub const MAX_MESSAGE_BYTES: u64 = 1 << 30;

/// Splits messages into packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packetizer {
    chunk_bytes: u32,
    header_bytes: u32,
    payload_bytes: u32,
}

impl Packetizer {
    /// The packetizer for a machine.
    pub fn new(network: &network::Parameters, parameters: &Parameters) -> Self {
        let full_packet = u32::from(network.packet.max_chunks) * network.packet.chunk_bytes;
        Packetizer {
            chunk_bytes: network.packet.chunk_bytes,
            header_bytes: parameters.header_bytes,
            payload_bytes: full_packet - parameters.header_bytes,
        }
    }

    /// Number of packets of a message of `bytes` bytes; an empty message takes one.
    pub fn packets(&self, bytes: u64) -> u32 {
        debug_assert!(bytes <= MAX_MESSAGE_BYTES);
        bytes.div_ceil(self.payload_bytes.into()).max(1) as u32
    }

    /// Size in chunks of packet `index` of a message of `bytes` bytes.
    pub fn chunks(&self, bytes: u64, index: u32) -> u8 {
        let before = u64::from(index) * u64::from(self.payload_bytes);
        let payload_bytes = (bytes - before).min(self.payload_bytes.into()) as u32;
        (self.header_bytes + payload_bytes).div_ceil(self.chunk_bytes).max(1) as u8
    }

    /// Size of the smallest packet, in chunks: that of an empty message.
    pub fn smallest_chunks(&self) -> u8 {
        self.chunks(0, 0)
    }
}

/// The packet number `sequence` of a node, of `chunks` chunks, to the core of a rank on another. `routes` keeps the
/// routes there for further packets.
pub(crate) fn packet(
    fabric: &Fabric,
    node: u32,
    target: Place,
    routes: &mut Option<MinimalRoutes>,
    sequence: u64,
    chunks: u8,
) -> Offer {
    let coin = || fabric.seed_key.of_node(node).draw(Purpose::RingTie, sequence, 0);
    let segment = segment(fabric, node, target.node, routes, coin);
    Offer {
        hops: segment.hops,
        chunks,
        class: Class {
            reception_group: fabric.fifo_sets.of_core(target.core.into()) as u8,
            adaptive_only: segment.is_adaptive_only(),
            ..Class::default()
        },
        ready: 0,
        forward_action: segment
            .relayed_to(target.node)
            .map_or(ForwardAction::Consume, ForwardAction::RelayTo),
    }
}

/// The routes to a node; none on a machine with dead nodes or links, where packets may need relays.
pub(crate) fn minimal_routes(fabric: &Fabric, source: u32, target: u32) -> Option<MinimalRoutes> {
    let network::Parameters { shape, faults, .. } = &fabric.parameters;
    faults.is_empty().then(|| shape.minimal_routes(source, target))
}

/// The route to a node, or to the relay on the way there.
fn segment(
    fabric: &Fabric,
    source: u32,
    target: u32,
    routes: &mut Option<MinimalRoutes>,
    coin: impl FnOnce() -> u32,
) -> RouteSegment {
    let network::Parameters { shape, faults, router, .. } = &fabric.parameters;
    *routes = routes.or_else(|| minimal_routes(fabric, source, target));
    if let Some(routes) = routes {
        let hops = routes.route(if routes.are_several() { coin() } else { 0 });
        return RouteSegment { hops, end: target, service: Service::Minimal };
    }
    let coin = coin();
    let preferences = &[Preference::Minimal; MAX_DIMENSIONS];
    let is_dimension_ordered = router.dynamic_channels == 0;
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
    fn packets_carry_240_bytes_and_the_last_is_rounded_up_to_whole_chunks() {
        let packetizer = Packetizer::new(&parameters(), &Parameters::default());
        for (bytes, chunks) in [
            (0, vec![1]),
            (16, vec![1]),
            (17, vec![2]),
            (240, vec![8]),
            (241, vec![8, 1]),
            (480, vec![8, 8]),
            (36_000, vec![8; 150]),
        ] {
            let sizes: Vec<u8> =
                (0..packetizer.packets(bytes)).map(|index| packetizer.chunks(bytes, index)).collect();
            assert_eq!(sizes, chunks, "{bytes} bytes");
        }
        assert_eq!(packetizer.smallest_chunks(), 1);
    }

    #[test]
    fn packets_to_a_target_half_way_round_a_ring_use_both_directions() {
        let needs = Needs {
            smallest_chunks: 1,
            high_priority: false,
            source_forwards: false,
            deposits: false,
            reads_at_once: Some(true),
        };
        let fabric = Fabric::new(parameters(), &needs);
        let target = Place { node: 4, core: 1 };
        let mut routes = None;
        let packets: Vec<Offer> =
            (0..1000).map(|sequence| packet(&fabric, 0, target, &mut routes, sequence, 8)).collect();
        let plus = packets.iter().filter(|packet| packet.hops.0[0] == 4).count();
        assert!(packets.iter().all(|packet| packet.hops.total() == 4 && packet.class.reception_group == 1));
        assert!((400..600).contains(&plus), "{plus} of 1000");
    }
}
