//! The interface of ranks: the layer resumes a rank, and the rank returns operations.
//!
//! Only plain data crosses this interface, so a rank may be a kernel, a trace, a coroutine, or a separate process that
//! runs a real program. Time never advances past a runnable rank that has not returned its operations.

use crate::MAX_MESSAGE_BYTES;
use serde::{Deserialize, Serialize};

/// Software header of a message, written by the sender. The message layer carries it without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Envelope(pub [u64; 2]);

/// A message as its receiver sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Message {
    /// The rank that sent it.
    pub source: u32,
    /// Its length.
    pub bytes: u64,
    /// The header that the sender wrote.
    pub envelope: Envelope,
}

impl Message {
    /// Whether a restored message can be from one of `ranks` ranks.
    pub fn can_be_restored(&self, ranks: u32) -> bool {
        self.source < ranks && self.bytes <= MAX_MESSAGE_BYTES
    }
}

/// What is reported to a rank when it is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Completion {
    /// A message has arrived completely, whether or not the rank expects it.
    Arrived(Message),
}

/// A request of a rank. The operations of a batch are executed in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Put a message into the core's queue. This takes no time, and the sender can reuse its buffer immediately.
    Send {
        /// The rank to send to, possibly the sender itself.
        target: u32,
        /// Its length, at most [`crate::MAX_MESSAGE_BYTES`].
        bytes: u64,
        /// The header that the receiver's software will read.
        envelope: Envelope,
    },
    /// Keep the core busy. This delays the operations after it by as many cycles. The rank is resumed at the end of the
    /// batch, and messages that arrive before then wait until it is.
    Compute {
        /// Number of cycles.
        cycles: u64,
    },
    /// End the rank: it is never resumed again, and messages that still arrive for it are dropped.
    Finish,
}

/// What a blocked rank is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The cycle since which it has been waiting.
    pub since: u64,
    /// What it is waiting for, in words that complete "waiting for".
    pub what: String,
}

/// The ranks of a run, which decide what each rank does next.
pub trait Ranks {
    /// Resumes `rank` at cycle `time` with `completions`, in order of their times; the rank appends its next
    /// `operations`. A rank is first resumed at cycle 0. After a batch that computes it is resumed at the end of the
    /// batch, otherwise at the next completion.
    fn resume(&mut self, rank: u32, time: u64, completions: &[Completion], operations: &mut Vec<Operation>);

    /// What `rank` is waiting for. Called when it can never continue.
    fn waiting(&self, rank: u32) -> Waiting;
}
