//! The receiving end: it accepts each packet once, in order, and acknowledges it.

use super::LinkTotals;
use super::frame::{ACK_VCS, Ack, SEQUENCES, Verdict};
use serde::{Deserialize, Serialize};

/// The treatment of a frame by a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// The frame is the next one expected.
    Accepted,
    /// The frame is clean, but not the one expected: it follows a lost frame, or is a duplicate.
    OutOfSequence,
    /// The frame has bit errors.
    Corrupted {
        /// Whether the header's checksum detects the errors.
        in_header: bool,
    },
}

impl Reception {
    /// The counts of a dropped frame.
    pub fn counted(self) -> LinkTotals {
        let (corrupted, in_header, out_of_sequence) = match self {
            Reception::Accepted => (false, false, false),
            Reception::OutOfSequence => (false, false, true),
            Reception::Corrupted { in_header } => (true, in_header, false),
        };
        LinkTotals {
            corrupted: corrupted.into(),
            corrupted_headers: in_header.into(),
            out_of_sequence: out_of_sequence.into(),
            ..LinkTotals::default()
        }
    }
}

/// The sequence check of a receiver: it accepts each packet once, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    expected: u64,
}

impl Acceptance {
    /// Accepts or rejects the next frame.
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

    /// The sequence number expected next: the number of packets accepted.
    pub fn expected(&self) -> u64 {
        self.expected
    }
}

/// The state that a receiver reports to the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AckState {
    /// Number of packets accepted whose tails have arrived.
    accepted: u64,
    /// Credits freed since cycle 0, by VC, modulo 256.
    freed: [u8; ACK_VCS],
}

impl AckState {
    /// A packet has left a VC and freed its credits.
    pub fn free(&mut self, vc: usize, credits: u8) {
        self.freed[vc] = self.freed[vc].wrapping_add(credits);
    }

    /// The tail of a frame has arrived; the receiver has accepted `accepted` packets by then.
    pub fn set_accepted(&mut self, accepted: u64) {
        self.accepted = accepted;
    }

    /// Number of packets accepted whose tails have arrived.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// The acknowledgement of everything received up to now.
    pub fn ack(&self) -> Ack {
        Ack { is_probe: false, next: (self.accepted % SEQUENCES) as u8, freed: self.freed }
    }

    /// Credits freed since cycle 0, by VC, modulo 256.
    pub fn freed(&self) -> &[u8; ACK_VCS] {
        &self.freed
    }
}
