//! The protocol of a link that makes errors: frames of real bytes, checksums, acknowledgements, retransmission.
//!
//! ```text
//!   sender                                           receiver
//!   retransmission FIFO  --- frame: seq, packet, CRCs --->  in sequence and clean: accepted, once
//!     | kept until acknowledged                              else: dropped
//!     |                  <-- ack: next seq, tokens freed --  when a frame has come, and when a buffer has room
//!     | time-out: all that is kept is sent again, in order (go-back-N)
//!     | tokens missing and nothing kept: a probe asks for an ack
//! ```
//!
//! State machines without a clock: the engine tells them the time and carries out what they answer. Counts in
//! acknowledgements are cumulative, so that the next one makes up for one that is lost, and no token leaks.
//! `docs/models/link-errors.md` has the format, the formula for what errors cost, and what is assumed.

mod bit_errors;
mod damage;
mod frame;
mod receiver;
mod sender;

#[cfg(test)]
pub(crate) use bit_errors::forced;
pub use bit_errors::{BitErrorRate, BitErrors, Transmission, flip};
pub use damage::Damage;
pub use frame::{ACK_BYTES, Ack, Checksum, ChecksumDifference, MOST_WAY_BITS, PacketBytes, Verdict, verdict};
pub use receiver::{Acceptance, Announcement, Reception};
pub use sender::{Due, Kept, Sender};

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What describes the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkProtocol {
    /// The chance of each bit to arrive as the other one.
    pub bit_error_rate: BitErrorRate,
    /// From a frame's start to its being sent again, if it has not been acknowledged.
    pub timeout_cycles: u32,
    /// Room of a sender for packets that are not acknowledged.
    pub retransmission_fifo_bytes: u32,
    /// Acknowledgements hold the link back for their own bytes, and data packets do not pay for them.
    pub explicit_acks: bool,
}

/// What the links of a machine have counted since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkTotals {
    /// Frames sent, those sent again included.
    pub frames: u64,
    /// Frames sent again.
    pub retransmissions: u64,
    /// Frames that arrived with wrong bits, and were seen to.
    pub corrupted: u64,
    /// Of these, those that the header's checksum alone shows.
    pub corrupted_headers: u64,
    /// Clean frames that came out of sequence, behind a lost one or twice.
    pub out_of_sequence: u64,
    /// Time-outs that had frames sent again.
    pub timeouts: u64,
    /// Acknowledgements sent.
    pub acks: u64,
    /// Acknowledgements and probes that arrived with wrong bits.
    pub lost_acks: u64,
    /// Probes sent.
    pub probes: u64,
    /// Frames accepted with wrong bits: no checksum of theirs saw them.
    pub escapes: u64,
    /// Packets that arrived at their destination with another payload than they were sent with.
    pub damaged_packets: u64,
}

impl AddAssign for LinkTotals {
    fn add_assign(&mut self, part: Self) {
        self.frames += part.frames;
        self.retransmissions += part.retransmissions;
        self.corrupted += part.corrupted;
        self.corrupted_headers += part.corrupted_headers;
        self.out_of_sequence += part.out_of_sequence;
        self.timeouts += part.timeouts;
        self.acks += part.acks;
        self.lost_acks += part.lost_acks;
        self.probes += part.probes;
        self.escapes += part.escapes;
        self.damaged_packets += part.damaged_packets;
    }
}

/// What can be said of the links at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkReport {
    /// What they have counted.
    pub totals: LinkTotals,
    /// Links, by node and direction, the checksums of whose ends differ over the same packets: an error has escaped there,
    /// and the results are not to be trusted.
    pub mismatched: Vec<(u32, usize)>,
    /// The checksum of all that has left each injection FIFO, by node, then FIFO.
    pub injection_checksums: Vec<Vec<u32>>,
}
