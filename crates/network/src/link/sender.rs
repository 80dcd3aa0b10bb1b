//! The sending end: it stores unacknowledged packets and retransmits them after a time-out.

use super::frame::{ACK_VCS, Ack, SEQUENCES};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A packet in the retransmission FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unacknowledged<T> {
    /// The content that the engine needs to retransmit the packet.
    pub content: T,
    /// The packet's size in chunks.
    pub chunks: u8,
    /// The cycle at which the packet was last sent.
    pub sent_at: u64,
}

/// The action of a sender when its timer expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing, and no timer is needed.
    Nothing,
    /// Nothing before this cycle.
    Later(u64),
    /// Retransmit all stored packets.
    Retransmit,
    /// Send a probe that requests an acknowledgement with its credits.
    Probe,
}

/// The sending end of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sender<T> {
    /// Number of packets acknowledged, which is the sequence number of the first stored packet.
    acknowledged: u64,
    kept: VecDeque<Unacknowledged<T>>,
    stored_chunks: u32,
    /// Number of stored packets sent since the last time-out.
    sent: usize,
    /// Credits reported freed since cycle 0, by VC, modulo 256.
    reported_freed: [u8; ACK_VCS],
    /// The cycle at which the last acknowledgement arrived or probe was sent.
    received_at: u64,
    /// Number of transmissions up to now, of frames, acknowledgements and probes. It keys the draws of the next
    /// transmission.
    transmissions: u64,
    /// Number of retransmissions since cycle 0.
    retransmissions: u32,
}

impl<T> Default for Sender<T> {
    fn default() -> Self {
        Sender {
            acknowledged: 0,
            kept: VecDeque::new(),
            stored_chunks: 0,
            sent: 0,
            reported_freed: [0; ACK_VCS],
            received_at: 0,
            transmissions: 0,
            retransmissions: 0,
        }
    }
}

impl<T> Sender<T> {
    /// The sequence number of the next new packet.
    pub fn next_sequence(&self) -> u64 {
        self.acknowledged + self.kept.len() as u64
    }

    /// Counts a transmission and returns its number.
    pub fn count_transmission(&mut self) -> u64 {
        self.transmissions += 1;
        self.transmissions - 1
    }

    /// Whether a new packet of `chunks` chunks can be sent. All stored packets must have been sent since the last
    /// time-out, and the FIFO must have room for another.
    pub fn has_room(&self, chunks: u8, capacity_chunks: u32) -> bool {
        let has_sequences = (self.kept.len() as u64) < SEQUENCES / 2 - 1;
        self.sent == self.kept.len()
            && has_sequences
            && self.stored_chunks + u32::from(chunks) <= capacity_chunks
    }

    /// Stores a new packet, which is sent now.
    pub fn keep(&mut self, packet: Unacknowledged<T>) {
        debug_assert_eq!(self.sent, self.kept.len());
        self.stored_chunks += u32::from(packet.chunks);
        self.sent += 1;
        self.kept.push_back(packet);
    }

    /// The number of retransmissions since cycle 0.
    pub fn retransmissions(&self) -> u32 {
        self.retransmissions
    }

    /// Whether stored packets remain to be retransmitted.
    pub fn must_retransmit(&self) -> bool {
        self.sent < self.kept.len()
    }

    /// The next packet to retransmit, with its sequence number. It then counts as sent.
    pub fn retransmit(&mut self, now: u64) -> Option<(u64, &Unacknowledged<T>)> {
        let packet = self.kept.get_mut(self.sent)?;
        let sequence = self.acknowledged + self.sent as u64;
        packet.sent_at = now;
        self.sent += 1;
        self.retransmissions += 1;
        Some((sequence, packet))
    }

    /// Processes an acknowledgement and returns the credits that it brings, by VC. `forget` is called with each packet
    /// that is no longer stored.
    pub fn acknowledge(
        &mut self,
        ack: &Ack,
        now: u64,
        mut forget: impl FnMut(&Unacknowledged<T>),
    ) -> [u8; ACK_VCS] {
        self.received_at = now;
        let count = (u64::from(ack.next) + SEQUENCES - self.acknowledged % SEQUENCES) % SEQUENCES;
        // An acknowledgement older than the last brings nothing new; its count would be nearly the number of sequence
        // numbers.
        if count <= self.kept.len() as u64 {
            for _ in 0..count {
                let packet = self.kept.pop_front().expect("no more are counted than are kept");
                self.stored_chunks -= u32::from(packet.chunks);
                forget(&packet);
            }
            self.acknowledged += count;
            self.sent = self.sent.saturating_sub(count as usize);
        }
        let credits = std::array::from_fn(|vc| ack.freed[vc].wrapping_sub(self.reported_freed[vc]));
        self.reported_freed = ack.freed;
        credits
    }

    /// The action that is due when the timer has expired; it is recorded as done.
    pub fn check_timer(&mut self, now: u64, timeout_cycles: u32, are_credits_missing: bool) -> Due {
        let timeout = u64::from(timeout_cycles);
        let (since, due) = match self.kept.front() {
            Some(first) => (first.sent_at, Due::Retransmit),
            None if are_credits_missing => (self.received_at, Due::Probe),
            None => return Due::Nothing,
        };
        if since + timeout > now {
            return Due::Later(since + timeout);
        }
        match due {
            Due::Retransmit => self.sent = 0,
            Due::Probe => self.received_at = now,
            Due::Nothing | Due::Later(_) => {}
        }
        due
    }

    /// The stored packets from a sequence number onward, which a receiver that expects this number has not accepted.
    pub fn stored_from(&self, sequence: u64) -> impl Iterator<Item = &Unacknowledged<T>> {
        self.kept.iter().skip(self.stored_before(sequence))
    }

    /// The stored packets from a sequence number onward, mutable.
    pub fn stored_from_mut(&mut self, sequence: u64) -> impl Iterator<Item = &mut Unacknowledged<T>> {
        let before = self.stored_before(sequence);
        self.kept.iter_mut().skip(before)
    }

    fn stored_before(&self, sequence: u64) -> usize {
        // An acknowledgement with an error that escapes its checksum may have removed more than was accepted.
        sequence.checked_sub(self.acknowledged).map_or(usize::MAX, |first| first as usize)
    }

    /// Whether the sender stores no packet.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Credits reported freed, by VC, modulo 256.
    pub fn reported_freed(&self) -> &[u8; ACK_VCS] {
        &self.reported_freed
    }

    /// Number of packets acknowledged.
    pub fn acknowledged(&self) -> u64 {
        self.acknowledged
    }
}
