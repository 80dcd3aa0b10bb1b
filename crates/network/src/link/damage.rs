//! Errors that no checksum saw: payloads that are not what was sent, on their further way.

use super::LinkTotals;
use super::frame::PacketBytes;
use crate::fabric::Fabric;
use crate::packet::Packet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Payloads that errors have changed unseen, by the packet's name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Damage(BTreeMap<u64, Vec<u8>>);

impl Damage {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes of a packet's record for a channel.
    pub fn bytes_of(&self, fabric: &Fabric, packet: Packet, channel: usize) -> PacketBytes<'_> {
        let way_bits = fabric.layout.way_bits();
        PacketBytes {
            record: packet.0,
            way_bits,
            channel,
            bytes: fabric.packet_bytes(fabric.layout.chunks(packet)),
            damaged: self.0.get(&(packet.0 >> way_bits)).map(Vec::as_slice),
        }
    }

    /// Takes note of a frame that is accepted; what is to be counted. `is_wrong` says whether some of its bits are.
    pub fn accept(&mut self, fabric: &Fabric, packet: Packet, frame: &[u8], is_wrong: bool) -> LinkTotals {
        let bytes = PacketBytes { damaged: None, ..self.bytes_of(fabric, packet, 0) };
        let (name, payload) = (bytes.record >> bytes.way_bits, bytes.payload(frame));
        let is_at_destination = fabric.layout.hint_bits(packet) == 0;
        let is_received = is_at_destination || fabric.leaves_a_copy(packet);
        let is_damaged = (is_wrong || is_received) && !bytes.is_intact(frame);
        if is_at_destination {
            self.0.remove(&name);
        } else if is_damaged {
            self.0.insert(name, payload.to_vec());
        }
        LinkTotals {
            escapes: u64::from(is_wrong),
            damaged_packets: u64::from(is_received && is_damaged),
            ..LinkTotals::default()
        }
    }
}
