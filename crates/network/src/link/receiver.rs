//! The receiving end: it accepts each packet once, in order, and says so.

use super::LinkTotals;
use super::frame::{Ack, SEQUENCES, Verdict};
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

impl Reception {
    /// What is to be counted of a frame that is dropped.
    pub fn counted(self) -> LinkTotals {
        let (corrupted, in_header) = match self {
            Reception::Accepted | Reception::OutOfSequence => (false, false),
            Reception::Corrupted { in_header } => (true, in_header),
        };
        LinkTotals {
            corrupted: corrupted.into(),
            corrupted_headers: in_header.into(),
            out_of_sequence: (self == Reception::OutOfSequence).into(),
            ..LinkTotals::default()
        }
    }
}

/// Which frames a receiver accepts: each packet once, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    expected: u64,
}

impl Acceptance {
    /// What becomes of the next frame.
    pub fn judge(&mut self, verdict: Verdict) -> Reception {
        match verdict {
            Verdict::BadHeader => Reception::Corrupted { in_header: true },
            Verdict::BadPacket => Reception::Corrupted { in_header: false },
            Verdict::Clean(sequence) if u64::from(sequence) == self.expected % SEQUENCES => {
                self.expected += 1;
                Reception::Accepted
            }
            Verdict::Clean(_) => Reception::OutOfSequence,
        }
    }

    /// The sequence number that is expected next: how many packets have been accepted.
    pub fn expected(&self) -> u64 {
        self.expected
    }
}

/// What a receiver tells the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// How many packets have been accepted whose tails have come.
    accepted: u64,
    /// Tokens freed since the beginning, by channel, modulo 256.
    freed: [u8; MAX_CHANNELS],
}

impl Announcement {
    /// A packet has left a channel, whose tokens are free again.
    pub fn free(&mut self, channel: usize, tokens: u8) {
        self.freed[channel] = self.freed[channel].wrapping_add(tokens);
    }

    /// The tail of a frame has come; so many have been accepted by then.
    pub fn announce(&mut self, accepted: u64) {
        self.accepted = accepted;
    }

    /// How many packets have been accepted whose tails have come.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// The acknowledgement of everything up to now.
    pub fn ack(&self) -> Ack {
        Ack { is_probe: false, next: (self.accepted % SEQUENCES) as u8, freed: self.freed }
    }

    /// Tokens freed since the beginning, by channel, modulo 256.
    pub fn freed(&self) -> &[u8; MAX_CHANNELS] {
        &self.freed
    }
}
