//! The sending end: it keeps what is not acknowledged, and sends it again after a time-out.

use super::frame::{Ack, SEQUENCES};
use crate::counters::MAX_CHANNELS;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A packet in the retransmission FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept<T> {
    /// What the engine has to know to send it again.
    pub content: T,
    /// Its size in chunks.
    pub chunks: u8,
    /// When it was sent last.
    pub sent_at: u64,
}

/// What a sender whose timer has run out is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing, and it needs no timer.
    Nothing,
    /// Nothing before this cycle.
    Later(u64),
    /// To send all that is kept again.
    SendAgain,
    /// To ask where its tokens are.
    Probe,
}

/// The sending end of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sender<T> {
    /// Packets acknowledged: the sequence number of the first that is kept.
    acknowledged: u64,
    kept: VecDeque<Kept<T>>,
    kept_chunks: u32,
    /// How many of the kept ones have been sent since the last time-out.
    sent: usize,
    /// Tokens heard of since the beginning, by channel, modulo 256.
    heard: [u8; MAX_CHANNELS],
    /// When an acknowledgement last came, or a probe was sent.
    heard_at: u64,
    /// Transmissions so far, of frames, acknowledgements and probes: the number of the next one's draws.
    transmissions: u64,
}

impl<T> Default for Sender<T> {
    fn default() -> Self {
        Sender {
            acknowledged: 0,
            kept: VecDeque::new(),
            kept_chunks: 0,
            sent: 0,
            heard: [0; MAX_CHANNELS],
            heard_at: 0,
            transmissions: 0,
        }
    }
}

impl<T> Sender<T> {
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
    pub fn keep(&mut self, packet: Kept<T>) {
        debug_assert_eq!(self.sent, self.kept.len());
        self.kept_chunks += u32::from(packet.chunks);
        self.sent += 1;
        self.kept.push_back(packet);
    }

    /// Whether some of what is kept is to be sent again.
    pub fn has_to_send_again(&self) -> bool {
        self.sent < self.kept.len()
    }

    /// The packet that is to be sent again next, from now on counted as sent, and its sequence number.
    pub fn send_again(&mut self, now: u64) -> Option<(u64, &Kept<T>)> {
        let packet = self.kept.get_mut(self.sent)?;
        let sequence = self.acknowledged + self.sent as u64;
        packet.sent_at = now;
        self.sent += 1;
        Some((sequence, packet))
    }

    /// Takes in an acknowledgement; the tokens that it brings, by channel. `forget` is told of each packet that is no
    /// longer kept.
    pub fn acknowledge(
        &mut self,
        ack: &Ack,
        now: u64,
        mut forget: impl FnMut(&Kept<T>),
    ) -> [u8; MAX_CHANNELS] {
        self.heard_at = now;
        let count = (u64::from(ack.next) + SEQUENCES - self.acknowledged % SEQUENCES) % SEQUENCES;
        // An older one than the last is no news; its count would be that of nearly all sequence numbers.
        if count <= self.kept.len() as u64 {
            for _ in 0..count {
                let packet = self.kept.pop_front().expect("no more are counted than are kept");
                self.kept_chunks -= u32::from(packet.chunks);
                forget(&packet);
            }
            self.acknowledged += count;
            self.sent = self.sent.saturating_sub(count as usize);
        }
        let tokens = std::array::from_fn(|channel| ack.freed[channel].wrapping_sub(self.heard[channel]));
        self.heard = ack.freed;
        tokens
    }

    /// What is due when the timer has run out; it is taken as done.
    pub fn look_at_timer(&mut self, now: u64, timeout_cycles: u32, are_tokens_missing: bool) -> Due {
        let timeout = u64::from(timeout_cycles);
        let (since, due) = match self.kept.front() {
            Some(first) => (first.sent_at, Due::SendAgain),
            None if are_tokens_missing => (self.heard_at, Due::Probe),
            None => return Due::Nothing,
        };
        if since + timeout > now {
            return Due::Later(since + timeout);
        }
        match due {
            Due::SendAgain => self.sent = 0,
            _ => self.heard_at = now,
        }
        due
    }

    /// The kept packets from a sequence number on: those that a receiver which expects it has not accepted.
    pub fn kept_from(&self, sequence: u64) -> impl Iterator<Item = &Kept<T>> {
        self.kept.iter().skip((sequence - self.acknowledged) as usize)
    }

    /// Tokens heard of, by channel, modulo 256.
    pub fn heard(&self) -> &[u8; MAX_CHANNELS] {
        &self.heard
    }

    /// How many packets are acknowledged.
    pub fn acknowledged(&self) -> u64 {
        self.acknowledged
    }
}
