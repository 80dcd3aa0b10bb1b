//! Splits messages into packets.
//!
//! ```text
//!   message   |------ 240 bytes ------|------ 240 bytes ------|-- rest --|
//!   packets   | 16 B header + 240 | | 16 B header + 240 | | 16 B header + rest, up to a full chunk |
//! ```
//!
//! Packets are routed minimally and adaptively. If a target lies half-way round a ring, a random bit per packet chooses
//! the direction, so a long message uses both. The bit is a random draw by the packet's number in its node's sequence.

use crate::{Parameters, Place};
use geometry::{Faults, MAX_DIMENSIONS, Preference, RouteRequest, RouteSegment, Service, Shape};
use network::checkpoint::MOST_PACKETS;
use network::draws::{NodeKey, Purpose};
use network::{Class, Posted};
use serde::{Deserialize, Serialize};

/// The longest message in bytes. An eager message is packetized as a whole, into 4.5 million packets at this length.
pub const MAX_MESSAGE_BYTES: u64 = 1 << 30;

/// A message to be injected into the network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outgoing {
    pub source: Place,
    pub target: Place,
    pub ready: u64,
    pub bytes: u64,
    pub handle: u32,
}

/// Splits messages into packets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packetizer {
    shape: Shape,
    faults: Faults,
    /// Whether the router has no adaptive VCs, so that all packets use dimension order.
    is_dimension_ordered: bool,
    seed: u64,
    /// The FIFOs of each core of a node.
    set_of_core: Vec<u8>,
    chunk_bytes: u32,
    header_bytes: u32,
    payload_bytes: u32,
    /// Packets created so far, by source node.
    sequences: Vec<u64>,
}

impl Packetizer {
    pub(crate) fn new(network: &network::Parameters, parameters: &Parameters) -> Self {
        let full_packet = u32::from(network.packet.max_chunks) * network.packet.chunk_bytes;
        let cores = 0..usize::from(network.node.cores);
        Packetizer {
            shape: network.shape.clone(),
            faults: network.faults.clone(),
            is_dimension_ordered: network.router.dynamic_channels == 0,
            seed: network.seed,
            set_of_core: cores.map(|core| network.node.set_of_core(core) as u8).collect(),
            chunk_bytes: network.packet.chunk_bytes,
            header_bytes: parameters.header_bytes,
            payload_bytes: full_packet - parameters.header_bytes,
            sequences: vec![0; network.shape.nodes() as usize],
        }
    }

    /// Whether a restored packetizer can continue for `new`, one for the same machine.
    pub(crate) fn can_continue(&self, new: &Packetizer) -> bool {
        self.sequences.len() == new.sequences.len()
            && self.sequences.iter().all(|&sequence| sequence < MOST_PACKETS)
            && *self == Packetizer { sequences: self.sequences.clone(), ..new.clone() }
    }

    /// Number of nodes of the machine.
    pub(crate) fn nodes(&self) -> u32 {
        self.shape.nodes()
    }

    /// The maximum size of a packet in chunks.
    pub(crate) fn max_chunks(&self) -> u8 {
        ((self.header_bytes + self.payload_bytes) / self.chunk_bytes) as u8
    }

    /// Number of packets of a message of `bytes` bytes; an empty message takes one.
    pub fn packets(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.payload_bytes.into()).max(1)
    }

    /// Size in chunks of a packet that carries `payload_bytes` of a message.
    pub fn chunks(&self, payload_bytes: u32) -> u8 {
        debug_assert!(payload_bytes <= self.payload_bytes);
        (self.header_bytes + payload_bytes).div_ceil(self.chunk_bytes).max(1) as u8
    }

    /// Appends the packets of a message.
    pub(crate) fn packetize(&mut self, message: &Outgoing, packets: &mut Vec<Posted>) {
        let key = NodeKey::new(self.seed, message.source.node);
        let mut rest = message.bytes;
        for _ in 0..self.packets(message.bytes) {
            let payload_bytes = rest.min(self.payload_bytes.into()) as u32;
            rest -= u64::from(payload_bytes);
            packets.push(self.packet(key, message, payload_bytes));
        }
    }

    fn packet(&mut self, key: NodeKey, message: &Outgoing, payload_bytes: u32) -> Posted {
        self.send(key, message, self.chunks(payload_bytes))
    }

    /// The packet that continues from a relay; `message` has the relay as its source.
    pub(crate) fn relay(&mut self, message: &Outgoing, chunks: u8) -> Posted {
        self.send(NodeKey::new(self.seed, message.source.node), message, chunks)
    }

    fn send(&mut self, key: NodeKey, message: &Outgoing, chunks: u8) -> Posted {
        let sequence = &mut self.sequences[message.source.node as usize];
        let coin = key.draw(Purpose::RingTie, *sequence, 0);
        *sequence += 1;
        let segment = self.segment(message.source.node, message.target.node, coin);
        let adaptive_only = segment.is_adaptive_only();
        Posted {
            node: message.source.node,
            core: message.source.core,
            ready: message.ready,
            hops: segment.hops,
            chunks,
            class: Class {
                reception_group: self.set_of_core[usize::from(message.target.core)],
                adaptive_only,
                ..Class::default()
            },
            handle: message.handle,
        }
    }

    fn segment(&self, source: u32, target: u32, coin: u32) -> RouteSegment {
        if self.faults.is_empty() {
            let hops = self.shape.route(source, target, coin);
            return RouteSegment { hops, end: target, service: Service::Minimal };
        }
        let preferences = &[Preference::Minimal; MAX_DIMENSIONS];
        self.faults.segment(
            &self.shape,
            &RouteRequest {
                source,
                target,
                coin,
                preferences,
                is_dimension_ordered: self.is_dimension_ordered,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packetizer() -> Packetizer {
        let shape = Shape::torus(&[8, 2]).unwrap();
        let mut network = network::Parameters::bluegene_l(shape, 1);
        network.node.cores = 2;
        Packetizer::new(&network, &Parameters::default())
    }

    fn packets_of(bytes: u64, target: u32) -> Vec<Posted> {
        let (source, target) = (Place { node: 0, core: 0 }, Place { node: target, core: 1 });
        let mut packets = Vec::new();
        let message = Outgoing { source, target, ready: 5, bytes, handle: 7 };
        packetizer().packetize(&message, &mut packets);
        packets
    }

    #[test]
    fn packets_carry_240_bytes_and_the_last_is_rounded_up_to_whole_chunks() {
        for (bytes, chunks) in [
            (0, vec![1]),
            (16, vec![1]),
            (17, vec![2]),
            (240, vec![8]),
            (241, vec![8, 1]),
            (480, vec![8, 8]),
            (36_000, vec![8; 150]),
        ] {
            let packets = packets_of(bytes, 1);
            assert_eq!(
                packets.iter().map(|packet| packet.chunks).collect::<Vec<_>>(),
                chunks,
                "{bytes} bytes"
            );
            assert!(packets.iter().all(|packet| (packet.ready, packet.handle) == (5, 7)));
            assert!(packets.iter().all(|packet| packet.class.reception_group == 1));
        }
    }

    #[test]
    fn packets_to_a_target_half_way_round_a_ring_use_both_directions() {
        let packets = packets_of(240_000, 4);
        let plus = packets.iter().filter(|packet| packet.hops.0[0] == 4).count();
        assert!(packets.iter().all(|packet| packet.hops.total() == 4));
        assert!((400..600).contains(&plus), "{plus} of 1000");
    }
}
