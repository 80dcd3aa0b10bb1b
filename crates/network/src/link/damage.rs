//! Undetected errors: payloads that differ from those sent, for the rest of their route.

use super::LinkTotals;
use super::frame::PacketBytes;
use crate::fabric::Fabric;
use crate::packet::Packet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Payloads changed by undetected errors, by the packet's name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DamagedPayloads(BTreeMap<u64, Vec<u8>>);

impl DamagedPayloads {
    /// Whether no payload is damaged.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The frame contents of a packet for a VC.
    pub fn bytes_of(&self, fabric: &Fabric, packet: Packet, vc: usize) -> PacketBytes<'_> {
        let route_bits = fabric.layout.route_bits();
        PacketBytes {
            record: packet.0,
            route_bits,
            vc,
            bytes: fabric.packet_bytes(fabric.layout.chunks(packet)),
            damaged: self.0.get(&(packet.0 >> route_bits)).map(Vec::as_slice),
        }
    }

    /// Records an accepted frame and returns its counts. `is_wrong` states whether any of its bits is wrong.
    pub fn accept(&mut self, fabric: &Fabric, packet: Packet, frame: &[u8], is_wrong: bool) -> LinkTotals {
        let bytes = PacketBytes { damaged: None, ..self.bytes_of(fabric, packet, 0) };
        let (name, payload) = (bytes.record >> bytes.route_bits, bytes.payload(frame));
        let is_at_destination = fabric.layout.hint_bits(packet) == 0;
        let is_received = is_at_destination || fabric.deposits_here(packet);
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
