//! The interface of ranks: they are resumed, and answer with operations.
//!
//! Everything that crosses it is plain data, so a rank may be a kernel, a trace, a coroutine, or a separate process
//! that runs a real program. Time passes no rank that is runnable and has not spoken.

use serde::{Deserialize, Serialize};

/// What the sender's software writes into a message's header. Messaging carries it and does not look at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Envelope(pub [u64; 2]);

/// A message as its receiver sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Message {
    /// The rank that sent it.
    pub source: u32,
    /// Its length.
    pub bytes: u64,
    /// What the sender wrote into its header.
    pub envelope: Envelope,
}

/// What a rank hears when it is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Completion {
    /// A message has arrived whole. Nobody has to have asked for it.
    Arrived(Message),
}

/// What a rank asks for. The operations of a batch are done in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Hand a message over to the core's queue; this takes no time, and the sender's buffer is free at once.
    Send {
        /// The rank to send to, possibly oneself.
        target: u32,
        /// Its length, at most [`crate::MAX_MESSAGE_BYTES`].
        bytes: u64,
        /// What the receiver's software will read in its header.
        envelope: Envelope,
    },
    /// Keep the core busy. Operations behind it are done later by as many cycles, and the rank is resumed at the end of
    /// the batch; what arrives meanwhile waits for that.
    Compute {
        /// For how many cycles.
        cycles: u64,
    },
    /// Nothing more: the rank is never resumed again, and what still arrives for it is dropped.
    Finish,
}

/// What a rank that has neither computation nor an end before it is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Since which cycle.
    pub since: u64,
    /// For what, in words that complete "waiting for".
    pub what: String,
}

/// The ranks of a run: whatever decides what each does next.
pub trait Ranks {
    /// Rank `rank` goes on at cycle `time`, knowing `completions` (in order of their times), and appends its
    /// `operations`. It is resumed at cycle 0 first, then after a batch that computes at the batch's end, otherwise
    /// when something completes.
    fn resume(&mut self, rank: u32, time: u64, completions: &[Completion], operations: &mut Vec<Operation>);

    /// What `rank` is waiting for: asked when it can never go on.
    fn waiting(&self, rank: u32) -> Waiting;
}
