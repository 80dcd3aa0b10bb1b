//! Splits messages into packets.
//!
//! ```text
//!   message   |------ 240 bytes ------|------ 240 bytes ------|-- rest --|
//!   packets   | 16 B header + 240 | | 16 B header + 240 | | 16 B header + rest, up to a full chunk |
//!
//!   message   |head|-- 224 bytes --|-- 224 bytes --|- rest -|tail|          head and tail: not aligned
//!   packets   | header, envelope, head, tail | | header + 224 | | header + 224 | | header + rest |
//! ```

use crate::parameters::Parameters;
use crate::ranks::MAX_MESSAGE_BYTES;

/// Splits messages into packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packetizer {
    chunk_bytes: u32,
    full_chunks: u8,
    full_packets: bool,
    /// The bytes in addition to data of the first packet, and of each other packet.
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

    /// Bytes of data in a full packet: in the first, and in the others.
    fn payload_bytes(&self) -> (u64, u64) {
        ((self.full_bytes() - self.first_header_bytes).into(), (self.full_bytes() - self.header_bytes).into())
    }

    /// Bytes of data in the first packet of a message of `bytes` bytes.
    fn first_bytes(&self, bytes: u64) -> u64 {
        let (max, _) = self.payload_bytes();
        if bytes <= max {
            return bytes;
        }
        let alignment = u64::from(self.alignment_bytes);
        let head = (alignment - u64::from(self.offset_bytes)) % alignment;
        match head + (bytes - head) % alignment {
            0 => max - max % alignment,
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

    /// The size in chunks of the smallest packet of messages of `bytes` bytes, the first or the last. For messages of
    /// any length, it is the size of an empty message, or of a packet with the last byte of a message.
    pub fn smallest_chunks(&self, bytes: Option<u64>) -> u8 {
        let with_a_byte = (self.header_bytes + 1).div_ceil(self.chunk_bytes) as u8;
        match bytes {
            _ if self.full_packets => self.full_chunks,
            Some(bytes) => self.chunks(bytes, 0).min(self.chunks(bytes, self.packets(bytes) - 1)),
            None => self.chunks(0, 0).min(with_a_byte),
        }
    }
}

/// The formats of packets on a machine.
#[derive(Clone, Debug)]
pub(crate) struct Formats {
    /// The packetizer of eager messages.
    pub eager: Packetizer,
    /// The packetizer of the bodies of rendezvous messages.
    pub bodies: Packetizer,
    /// The size of packets without data, in chunks.
    pub control_chunks: u8,
}

impl Formats {
    /// The formats of a message layer on a network.
    pub fn new(network: &network::Parameters, parameters: &Parameters) -> Self {
        let eager = Packetizer::new(network, parameters);
        let control_chunks = eager.chunks(0, 0);
        Formats { eager, bodies: Packetizer::of_bodies(network, parameters), control_chunks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::message_protocol::MessageProtocol;
    use geometry::Shape;

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

    /// October 2003: 224 bytes of payload, 192 in the first packet, head and tail in a separate packet.
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
}
