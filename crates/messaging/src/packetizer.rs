//! Splits messages into packets.
//!
//! ```text
//!   message   |------ 240 bytes ------|------ 240 bytes ------|-- rest --|
//!   packets   | 16 B header + 240 | | 16 B header + 240 | | 16 B header + rest, up to a full chunk |
//!
//!   message   |head|-- 224 bytes --|-- 224 bytes --|- rest -|tail|          head and tail: not aligned
//!   packets   | header, envelope, head, tail | | header + 224 | | header + 224 | | header + rest |
//! ```
//!
//! Packets are routed minimally. If a target lies half-way round a ring, a random bit chooses the direction: for each
//! packet that is routed adaptively, so that a long message uses both; for each pair of nodes where packets must not
//! overtake one another.

use crate::lines::Span;
use crate::mapping::Place;
use crate::parameters::Parameters;
use crate::sends::Way;
use base::draws::{NodeKey, Purpose};
use geometry::{Hops, MAX_DIMENSIONS, MinimalRoutes, Preference, RouteRequest, RouteSegment, Service};
use network::fabric::Fabric;
use network::node::choice::longest_direction;
use network::packet::Packet;
use network::{Class, ForwardAction, Offer};

/// The longest message in bytes.
pub const MAX_MESSAGE_BYTES: u64 = 1 << 30;

/// Splits messages into packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packetizer {
    chunk_bytes: u32,
    full_chunks: u8,
    full_packets: bool,
    /// What the first packet carries beside data, and what the others do.
    first_header_bytes: u32,
    header_bytes: u32,
    /// The unit of aligned data, and where the send buffer lies in it.
    alignment_bytes: u32,
    offset_bytes: u32,
}

impl Packetizer {
    /// The packetizer for eager messages on a machine.
    pub fn new(network: &network::Parameters, parameters: &Parameters) -> Self {
        let first_header_bytes = parameters.header_bytes + parameters.envelope_bytes;
        let keeps_order = parameters.protocol.keeps_order();
        let header_bytes = if keeps_order { parameters.header_bytes } else { first_header_bytes };
        Packetizer {
            chunk_bytes: network.packet.chunk_bytes,
            full_chunks: network.packet.max_chunks,
            full_packets: parameters.full_packets,
            first_header_bytes,
            header_bytes,
            alignment_bytes: parameters.alignment_bytes,
            offset_bytes: parameters.send_offset_bytes,
        }
    }

    /// The packetizer for the bodies of rendezvous messages, whose packets name a buffer instead of carrying an
    /// envelope.
    pub fn of_bodies(network: &network::Parameters, parameters: &Parameters) -> Self {
        let header_bytes = parameters.rendezvous_header_bytes;
        Packetizer { first_header_bytes: header_bytes, header_bytes, ..Packetizer::new(network, parameters) }
    }

    fn full_bytes(&self) -> u32 {
        u32::from(self.full_chunks) * self.chunk_bytes
    }

    /// Bytes of data in a packet that has all it can have: in the first, and in the others.
    fn payload_bytes(&self) -> (u64, u64) {
        ((self.full_bytes() - self.first_header_bytes).into(), (self.full_bytes() - self.header_bytes).into())
    }

    /// Bytes of data in the first packet of a message of `bytes` bytes.
    fn first_bytes(&self, bytes: u64) -> u64 {
        let (most, _) = self.payload_bytes();
        if bytes <= most {
            return bytes;
        }
        let alignment = u64::from(self.alignment_bytes);
        let head = (alignment - u64::from(self.offset_bytes)) % alignment;
        match head + (bytes - head) % alignment {
            0 => most - most % alignment,
            head_and_tail => head_and_tail,
        }
    }

    /// Number of packets of a message of `bytes` bytes; an empty message takes one.
    pub fn packets(&self, bytes: u64) -> u32 {
        debug_assert!(bytes <= MAX_MESSAGE_BYTES);
        let rest = bytes - self.first_bytes(bytes);
        1 + rest.div_ceil(self.payload_bytes().1) as u32
    }

    /// Size in chunks of packet `index` of a message of `bytes` bytes.
    pub fn chunks(&self, bytes: u64, index: u32) -> u8 {
        if self.full_packets {
            return self.full_chunks;
        }
        let first = self.first_bytes(bytes);
        let (header, data) = match index.checked_sub(1) {
            None => (self.first_header_bytes, first),
            Some(before) => {
                let payload = self.payload_bytes().1;
                (self.header_bytes, (bytes - first - u64::from(before) * payload).min(payload))
            }
        };
        (header + data as u32).div_ceil(self.chunk_bytes).max(1) as u8
    }

    /// Size in chunks of the smallest packet of messages of `bytes` bytes, the first or the last; of messages of any length:
    /// that of an empty message, or one with the last byte of a message.
    pub fn smallest_chunks(&self, bytes: Option<u64>) -> u8 {
        let with_a_byte = (self.header_bytes + 1).div_ceil(self.chunk_bytes) as u8;
        match bytes {
            _ if self.full_packets => self.full_chunks,
            Some(bytes) => self.chunks(bytes, 0).min(self.chunks(bytes, self.packets(bytes) - 1)),
            None => self.chunks(0, 0).min(with_a_byte),
        }
    }
}

/// A packet that is to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PacketRequest {
    /// Where the rank runs to which it goes.
    pub target: Place,
    /// How it goes there, if along a line.
    pub span: Option<Span>,
    /// Its number among those of its node.
    pub sequence: u64,
    pub chunks: u8,
    /// Whether it must not overtake packets to the same target.
    pub is_deterministic: bool,
    /// Whether it takes the other way where the target is half-way round a ring.
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
    /// Its direction, by which an injection FIFO may be chosen.
    pub fn direction(&self) -> usize {
        match &self.heading {
            Heading::Direction(direction) => (*direction).into(),
            Heading::Hops(hops) => longest_direction(hops),
        }
    }
}

/// Makes a packet of a transfer, by what is known of those before it.
#[inline]
pub(crate) fn make(fabric: &Fabric, node: u32, request: &PacketRequest, way: &mut Way) -> Made {
    if let Way::One { nameless, chunks, direction } = *way
        && chunks == request.chunks
    {
        return Made {
            nameless,
            action: ForwardAction::Consume.code(),
            heading: Heading::Direction(direction),
        };
    }
    make_first(fabric, node, request, way)
}

#[inline(never)]
fn make_first(fabric: &Fabric, node: u32, request: &PacketRequest, way: &mut Way) -> Made {
    let offer = packet(fabric, node, request, way);
    let (nameless, action) = (fabric.layout.nameless(&offer), offer.forward_action.code());
    if let Way::Several(routes) = way
        && (request.is_deterministic || !routes.are_several())
    {
        let direction = longest_direction(&offer.hops) as u8;
        *way = Way::One { nameless, chunks: offer.chunks, direction };
        return Made { nameless, action, heading: Heading::Direction(direction) };
    }
    Made { nameless, action, heading: Heading::Hops(offer.hops) }
}

/// A packet of a node, to the core of a rank on another.
pub(crate) fn packet(fabric: &Fabric, node: u32, request: &PacketRequest, way: &mut Way) -> Offer {
    let PacketRequest { target, span, sequence, chunks, is_deterministic, turns } = *request;
    let reception_group = fabric.fifo_sets.of_core(target.core.into()) as u8;
    if let Some(span) = span {
        let class = Class { deterministic: true, deposit: true, reception_group, ..Class::default() };
        return Offer { hops: span.hops(), chunks, class, ready: 0, forward_action: ForwardAction::Consume };
    }
    let key = fabric.seed_key.of_node(node);
    let coin = || match is_deterministic {
        true => coin_in_order(key, target.node),
        false if turns => !key.draw(Purpose::RingTie, sequence, 0),
        false => key.draw(Purpose::RingTie, sequence, 0),
    };
    let segment = segment(fabric, node, (target.node, is_deterministic), way, coin);
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

/// The draw of all packets of a node to another that must not overtake one another.
fn coin_in_order(source: NodeKey, target: u32) -> u32 {
    source.draw(Purpose::RingTie, u64::MAX - u64::from(target), 0)
}

/// The hops of packets that must not overtake one another, on a machine without dead nodes and links.
pub fn hops_in_order(network: &network::Parameters, source: u32, target: u32) -> Hops {
    network.shape.route(source, target, coin_in_order(NodeKey::new(network.seed, source), target))
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
    way: &mut Way,
    coin: impl FnOnce() -> u32,
) -> RouteSegment {
    let network::Parameters { shape, faults, router, .. } = &fabric.parameters;
    let routes = match way {
        Way::Several(routes) => Some(*routes),
        Way::Unknown | Way::One { .. } => minimal_routes(fabric, source, target),
    };
    if let Some(routes) = routes {
        *way = Way::Several(routes);
        let hops = routes.route(if routes.are_several() { coin() } else { 0 });
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
    use crate::parameters::MessageProtocol;
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
        assert_eq!(packetizer.smallest_chunks(None), 1);
    }

    /// October 2003: 224 bytes of payload, 192 in the first packet, head and tail in a packet of their own.
    #[test]
    fn the_first_packet_has_the_envelope_and_what_is_not_aligned() {
        let october = Parameters {
            protocol: MessageProtocol::EagerDeterministic,
            header_bytes: 32,
            envelope_bytes: 32,
            full_packets: true,
            alignment_bytes: 16,
            ..Parameters::default()
        };
        let packets = |software: &Parameters, bytes| Packetizer::new(&parameters(), software).packets(bytes);
        for (bytes, expected) in [
            (0, 1),
            (192, 1),
            (193, 2),
            (208, 2),
            (192 + 224, 2),
            (192 + 240, 3),
            (225, 2),
            (1000, 6),
            (1008, 5),
        ] {
            assert_eq!(packets(&october, bytes), expected, "{bytes} bytes");
        }
        let displaced = Parameters { send_offset_bytes: 8, ..october };
        for (bytes, expected) in [(192, 1), (8 + 224, 2), (8 + 225, 2), (8 + 224 + 16, 3)] {
            assert_eq!(packets(&displaced, bytes), expected, "{bytes} bytes");
        }
        let adaptive = Parameters { protocol: MessageProtocol::EagerAdaptive, ..october };
        assert_eq!(packets(&adaptive, 10 * 192), 10);
        let bodies = Packetizer::of_bodies(&parameters(), &october);
        assert_eq!((bodies.packets(240), bodies.packets(256), bodies.chunks(0, 0)), (1, 2, 8));
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
        let mut way = Way::Unknown;
        let mut packets = |is_deterministic, turns| -> Vec<Offer> {
            let request =
                |sequence| PacketRequest { target, span: None, sequence, chunks: 8, is_deterministic, turns };
            (0..1000).map(|sequence| packet(&fabric, 0, &request(sequence), &mut way)).collect()
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
