//! The sending end: it keeps what is not acknowledged, and sends it again after a time-out.

use super::frame::{Ack, Checksum, SEQUENCES};
use crate::counters::MAX_CHANNELS;
use crate::packet::Packet;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A packet in the retransmission FIFO.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Its record, as it is after the hop.
    pub packet: Packet,
    /// The cycle from which its age counts.
    pub offered: u64,
    /// What the poster wants to hear on delivery.
    pub handle: u32,
    /// The node that sent it, where packets are acknowledged.
    pub source: u32,
    /// The channel it is for.
    pub channel: u8,
    /// Its size in chunks.
    pub chunks: u8,
    /// The frame, as it was first sent.
    pub frame: Vec<u8>,
    /// When it was sent last.
    pub sent_at: u64,
}

/// The sending end of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sender {
    /// Packets acknowledged: the sequence number of the first that is kept.
    acknowledged: u64,
    kept: VecDeque<Kept>,
    kept_chunks: u32,
    /// How many of the kept ones have been sent since the last time-out.
    sent: usize,
    /// Tokens heard of since the beginning, by channel, modulo 256.
    heard: [u8; MAX_CHANNELS],
    /// When an acknowledgement last came, or a probe was sent.
    heard_at: u64,
    checksum: Checksum,
    /// Transmissions so far, of frames, acknowledgements and probes: the number of the next one's draws.
    transmissions: u64,
}

impl Sender {
    /// The sequence number of the next new packet.
    pub fn next_sequence(&self) -> u64 {
        self.acknowledged + self.kept.len() as u64
    }

    /// The number of a transmission.
    pub fn count_transmission(&mut self) -> u64 {
        self.transmissions += 1;
        self.transmissions - 1
    }

    /// Whether a new packet of so many chunks can be sent: all kept ones are under way, and there is room.
    pub fn has_room(&self, chunks: u8, capacity_chunks: u32) -> bool {
        let has_sequences = (self.kept.len() as u64) < SEQUENCES / 2 - 1;
        self.sent == self.kept.len()
            && has_sequences
            && self.kept_chunks + u32::from(chunks) <= capacity_chunks
    }

    /// Keeps a new packet, which is sent now.
    pub fn keep(&mut self, packet: Kept) {
        debug_assert_eq!(self.sent, self.kept.len());
        self.kept_chunks += u32::from(packet.chunks);
        self.sent += 1;
        self.kept.push_back(packet);
    }

    /// The packet that is to be sent again next, from now on counted as sent.
    pub fn send_again(&mut self, now: u64) -> Option<Kept> {
        let packet = self.kept.get_mut(self.sent)?;
        packet.sent_at = now;
        self.sent += 1;
        Some(packet.clone())
    }

    /// Takes in an acknowledgement; the tokens that it brings, by channel.
    pub fn acknowledge(
        &mut self,
        ack: &Ack,
        now: u64,
        packet_bytes: impl Fn(u8) -> usize,
    ) -> [u8; MAX_CHANNELS] {
        self.heard_at = now;
        let count = (u64::from(ack.next) + SEQUENCES - self.acknowledged % SEQUENCES) % SEQUENCES;
        // An older one than the last is no news; its count would be that of nearly all sequence numbers.
        if count <= self.kept.len() as u64 {
            for _ in 0..count {
                let packet = self.kept.pop_front().expect("no more are counted than are kept");
                self.kept_chunks -= u32::from(packet.chunks);
                self.checksum.add(&packet.frame[..packet_bytes(packet.chunks)]);
            }
            self.acknowledged += count;
            self.sent = self.sent.saturating_sub(count as usize);
        }
        let tokens = std::array::from_fn(|channel| ack.freed[channel].wrapping_sub(self.heard[channel]));
        self.heard = ack.freed;
        tokens
    }

    /// When the first kept packet is to be sent again.
    pub fn deadline(&self, timeout_cycles: u32) -> Option<u64> {
        self.kept.front().map(|packet| packet.sent_at + u64::from(timeout_cycles))
    }

    /// All that is kept is to be sent again.
    pub fn rewind(&mut self) {
        self.sent = 0;
    }

    /// When a probe is due, if tokens are missing still.
    pub fn probe_deadline(&self, timeout_cycles: u32) -> u64 {
        self.heard_at + u64::from(timeout_cycles)
    }

    /// A probe has been sent.
    pub fn count_probe(&mut self, now: u64) {
        self.heard_at = now;
    }

    /// The kept packets from a sequence number on: those that a receiver which expects it has not accepted.
    pub fn kept_from(&self, sequence: u64) -> impl Iterator<Item = &Kept> {
        self.kept.iter().skip((sequence - self.acknowledged) as usize)
    }

    /// Tokens heard of, by channel, modulo 256.
    pub fn heard(&self) -> &[u8; MAX_CHANNELS] {
        &self.heard
    }

    /// How many packets are acknowledged, and the checksum over them.
    pub fn checksum(&self) -> (u64, Checksum) {
        (self.acknowledged, self.checksum)
    }
}
