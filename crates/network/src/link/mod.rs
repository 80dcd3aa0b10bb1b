//! The protocol of a lossy link: frames of real bytes, checksums, acknowledgements, retransmission.
//!
//! ```text
//!   sender                                           receiver
//!   retransmission FIFO  --- frame: seq, packet, CRCs --->  in sequence and clean: accepted, once
//!     | stored until acknowledged                            else: dropped
//!     |                  <-- ack: next seq, credits freed -  when a frame has arrived, and when a buffer has room
//!     | time-out: all stored packets are retransmitted in order (go-back-N)
//!     | credits missing and nothing stored: a probe requests an ack
//! ```
//!
//! These are state machines without a clock: the engine passes them the time and carries out their decisions. Counts in
//! acknowledgements are cumulative, so that the next acknowledgement makes up for a lost one and no credit leaks.
//! `docs/models/link-errors.md` has the frame format, the formula for the cost of errors, and the assumptions.

mod bit_errors;
mod damage;
mod frame;
mod receiver;
mod sender;

#[cfg(debug_assertions)]
pub use bit_errors::forced;
pub use bit_errors::{BitErrorRate, BitErrors, Transmission, flip};
pub use damage::{Change, DamagedPayloads};
pub use frame::{
    ACK_BYTES, ACK_VCS, Ack, Checksum, ChecksumDifference, MAX_ROUTE_BITS, PacketBytes, Verdict, verdict,
};
pub use receiver::{Acceptance, AckState, Reception};
pub use sender::{Due, Sender, Unacknowledged};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The maximum number of full packets that a retransmission FIFO holds: less than half of the sequence numbers.
pub const MAX_RETRANSMITTED_PACKETS: u32 = 63;

/// Lossy links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkProtocol {
    /// Probability that a bit is received inverted, such as 1e-6; at most 0.001, as almost no packet arrives intact
    /// above that. Default: 0, the protocol without errors.
    #[serde(default)]
    pub bit_error_rate: BitErrorRate,
    /// Time from the start of a packet on a link to its retransmission if no acknowledgement has come, in cycles.
    /// Default: 600.
    #[serde(default = "default_timeout_cycles")]
    pub timeout_cycles: u32,
    /// Size of the retransmission FIFO of each sender, which holds unacknowledged packets, in bytes. Default: 2048.
    #[serde(default = "default_retransmission_fifo_bytes")]
    pub retransmission_fifo_bytes: u32,
    /// Whether acknowledgements occupy the link for 8 bytes each and are not charged to data packets. Default: false.
    #[serde(default)]
    pub explicit_acks: bool,
}

impl Default for LinkProtocol {
    fn default() -> Self {
        LinkProtocol {
            bit_error_rate: BitErrorRate::default(),
            timeout_cycles: default_timeout_cycles(),
            retransmission_fifo_bytes: default_retransmission_fifo_bytes(),
            explicit_acks: false,
        }
    }
}

/// Time-out with margin over the longest round trip of a full packet and its acknowledgement on Blue Gene/L.
fn default_timeout_cycles() -> u32 {
    600
}

/// Room for eight full packets (S12: an assumed part of the 58 KB).
fn default_retransmission_fifo_bytes() -> u32 {
    2048
}

/// Counters of all links of a machine since cycle 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkTotals {
    /// Frames sent, retransmissions included.
    pub frames: u64,
    /// Retransmitted frames.
    pub retransmissions: u64,
    /// Frames that arrived with bit errors that a checksum detected.
    pub corrupted: u64,
    /// Frames whose header checksum failed, a part of `corrupted`.
    pub corrupted_headers: u64,
    /// Clean frames that arrived out of sequence: after a lost frame, or a second time.
    pub out_of_sequence: u64,
    /// Time-outs that caused retransmissions.
    pub timeouts: u64,
    /// Acknowledgements sent.
    pub acks: u64,
    /// Acknowledgements and probes that arrived with bit errors.
    pub lost_acks: u64,
    /// Probes sent.
    pub probes: u64,
    /// Frames accepted with bit errors that no checksum detected.
    pub escapes: u64,
    /// Packets whose payload at the destination differs from the payload sent.
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

/// The state of the links at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkReport {
    /// The counters.
    pub totals: LinkTotals,
    /// Links, by node and direction, that have retransmitted packets, and the number of retransmissions since cycle 0.
    pub retransmissions: Vec<(u32, usize, u32)>,
    /// Links, by node and direction, whose two ends have different checksums over the same packets. An error went
    /// undetected there, and the results are not to be trusted.
    pub mismatched: Vec<(u32, usize)>,
    /// The checksum of all packets that have left each injection FIFO, by node, then FIFO.
    pub injection_checksums: Vec<Vec<u32>>,
}
