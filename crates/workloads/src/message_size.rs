//! The size of a message on the network.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use messaging::{Layers, MAX_MESSAGE_BYTES, Packetizer};
use network::parameters::PacketFormat;

/// A message as packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageSize {
    /// Number of packets.
    pub packets: u64,
    /// The bytes of these packets in FIFOs.
    pub fifo_bytes: u64,
    /// Bytes for which the packets occupy a link.
    pub wire_bytes: u64,
}

/// Returns an error at `key` unless a message can have `bytes` bytes.
pub(crate) fn require_length(key: &str, bytes: u64) -> Result<(), WorkloadError> {
    require(bytes <= MAX_MESSAGE_BYTES, key, || {
        let found = if key == "bytes" { String::new() } else { format!("a message of {bytes} bytes: ") };
        format!("{found}a message has from 0 to {MAX_MESSAGE_BYTES} bytes")
    })
}

impl MessageSize {
    pub(crate) fn layers(&self, bytes: u64, context: &Context) -> Option<Layers> {
        let (chunk_bytes, software) = (u64::from(context.parameters.packet.chunk_bytes), context.messaging);
        let is_simple = self.packets == 1 && software.is_eager(bytes) && !software.has_movers();
        is_simple.then(|| software.layers_of_one_packet((self.fifo_bytes / chunk_bytes) as u8))
    }

    pub(crate) fn of(bytes: u64, context: &Context) -> Self {
        Self::of_message(bytes, context.parameters, context.messaging)
    }

    /// The size of bytes that fill packets of `packet_bytes` bytes, except the last.
    pub fn of_packets(bytes: u64, packet_bytes: u64, format: &PacketFormat) -> Self {
        let packets = bytes.div_ceil(packet_bytes);
        MessageSize {
            packets,
            fifo_bytes: bytes,
            wire_bytes: bytes + packets * u64::from(format.wire_bytes(0)),
        }
    }

    /// The size of a message of `bytes` bytes of data, as this software sends it.
    pub fn of_message(bytes: u64, network: &network::Parameters, software: &messaging::Parameters) -> Self {
        let packetizer = Packetizer::of_messages(network, software, bytes);
        let format = &network.packet;
        let packets = packetizer.packets(bytes);
        let add = |size: MessageSize, index: u32| {
            let chunks = packetizer.chunks(bytes, index);
            MessageSize {
                packets: size.packets + 1,
                fifo_bytes: size.fifo_bytes + u64::from(chunks) * u64::from(format.chunk_bytes),
                wire_bytes: size.wire_bytes + u64::from(format.wire_bytes(chunks)),
            }
        };
        (0..packets).fold(MessageSize::default(), add)
    }
}
