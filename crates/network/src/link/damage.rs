//! Undetected errors: payloads that differ from those sent, for the rest of their route.

use super::LinkTotals;
use super::frame::PacketBytes;
use crate::fabric::Fabric;
use crate::packet::Packet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Payloads changed by undetected errors, by the packet's name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DamagedPayloads {
    payloads: BTreeMap<u64, Vec<u8>>,
    /// The changes of which other processes have not heard; none if there are no others.
    #[serde(skip)]
    news: Option<Vec<Change>>,
}

/// The name of a packet, and its damaged payload; none if the packet has arrived.
pub type Change = (u64, Option<Vec<u8>>);

impl DamagedPayloads {
    /// Whether no payload is damaged.
    pub fn is_empty(&self) -> bool {
        self.payloads.is_empty()
    }

    /// Replaces the payloads.
    pub fn replace(&mut self, by: DamagedPayloads) {
        self.payloads = by.payloads;
    }

    /// Lets this keep news from now on.
    pub fn keep_news(&mut self) {
        self.news = Some(Vec::new());
    }

    /// The changes since the last news.
    pub fn take_news(&mut self) -> Vec<Change> {
        self.news.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Makes the changes of another process.
    pub fn hear(&mut self, news: Vec<Change>) {
        for (name, payload) in news {
            match payload {
                Some(payload) => self.payloads.insert(name, payload),
                None => self.payloads.remove(&name),
            };
        }
    }

    fn change(&mut self, name: u64, payload: Option<Vec<u8>>) {
        let news = self.news.iter_mut();
        news.for_each(|news| news.push((name, payload.clone())));
        self.hear(vec![(name, payload)]);
    }

    /// The frame contents of a packet for a VC.
    pub fn bytes_of(&self, fabric: &Fabric, packet: Packet, vc: usize) -> PacketBytes<'_> {
        let route_bits = fabric.layout.route_bits();
        PacketBytes {
            record: packet.0,
            route_bits,
            vc,
            bytes: fabric.packet_bytes(fabric.layout.chunks(packet)),
            damaged: self.payloads.get(&(packet.0 >> route_bits)).map(Vec::as_slice),
        }
    }

    /// Records an accepted frame and returns its counts. `is_wrong` states whether any of its bits is wrong.
    pub fn accept(&mut self, fabric: &Fabric, packet: Packet, frame: &[u8], is_wrong: bool) -> LinkTotals {
        let bytes = PacketBytes { damaged: None, ..self.bytes_of(fabric, packet, 0) };
        let (name, payload) = (bytes.record >> bytes.route_bits, bytes.payload(frame));
        let is_at_destination = fabric.layout.hint_bits(packet) == 0;
        let is_received = is_at_destination || fabric.deposits_here(packet);
        let is_damaged = (is_wrong || is_received) && !bytes.is_intact(frame);
        if is_at_destination && self.payloads.contains_key(&name) {
            self.change(name, None);
        } else if is_damaged && !is_at_destination {
            self.change(name, Some(payload.to_vec()));
        }
        LinkTotals {
            escapes: u64::from(is_wrong),
            damaged_packets: u64::from(is_received && is_damaged),
            ..LinkTotals::default()
        }
    }
}
