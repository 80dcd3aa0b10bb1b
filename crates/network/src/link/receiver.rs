//! The receiving end: it accepts each packet once, in order, and says so.

use super::frame::{Ack, Checksum, SEQUENCES, Verdict, verdict};
use crate::counters::MAX_CHANNELS;
use serde::{Deserialize, Serialize};

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// It is the next packet.
    Accepted,
    /// It is clean, but not the one expected: behind a lost one, or there already.
    OutOfSequence,
    /// It has wrong bits.
    Corrupted {
        /// Which the header's checksum shows.
        in_header: bool,
    },
}

/// The receiving end of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receiver {
    expected: u64,
    /// The same, of packets whose tails have come.
    announced: u64,
    /// Tokens freed since the beginning, by channel, modulo 256.
    freed: [u8; MAX_CHANNELS],
    checksum: Checksum,
}

impl Receiver {
    /// Takes in a frame of a packet of so many bytes.
    pub fn receive(&mut self, frame: &[u8], packet_bytes: usize) -> Reception {
        match verdict(frame, packet_bytes) {
            Verdict::BadHeader => Reception::Corrupted { in_header: true },
            Verdict::BadPacket => Reception::Corrupted { in_header: false },
            Verdict::Clean(sequence) if u64::from(sequence) == self.expected % SEQUENCES => {
                self.expected += 1;
                self.checksum.add(&frame[..packet_bytes]);
                Reception::Accepted
            }
            Verdict::Clean(_) => Reception::OutOfSequence,
        }
    }

    /// A packet has left a channel, whose tokens are free again.
    pub fn free(&mut self, channel: usize, tokens: u8) {
        self.freed[channel] = self.freed[channel].wrapping_add(tokens);
    }

    /// The tail of the last frame has come.
    pub fn announce(&mut self) {
        self.announced = self.expected;
    }

    /// The acknowledgement of everything up to now.
    pub fn ack(&self) -> Ack {
        Ack { is_probe: false, next: (self.announced % SEQUENCES) as u8, freed: self.freed }
    }

    /// The sequence number that is expected next: how many packets have been accepted.
    pub fn expected(&self) -> u64 {
        self.expected
    }

    /// Tokens freed since the beginning, by channel, modulo 256.
    pub fn freed(&self) -> &[u8; MAX_CHANNELS] {
        &self.freed
    }

    /// How many packets have been accepted, and the checksum over them.
    pub fn checksum(&self) -> (u64, Checksum) {
        (self.expected, self.checksum)
    }
}
