//! The calls of a program.

use crate::Collective;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One blocking MPI call, or computation between two calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// `MPI_Send`.
    Send {
        /// The rank to send to, possibly the sender itself.
        target: u32,
        /// The tag that the receive must match.
        tag: u32,
        /// Length of the message in bytes, at most [`messaging::MAX_MESSAGE_BYTES`].
        bytes: u64,
    },
    /// `MPI_Recv`.
    Receive {
        /// The rank to receive from, or any.
        source: Option<u32>,
        /// The tag to receive, or any.
        tag: Option<u32>,
    },
    /// A collective call, which all ranks make in the same order.
    Collective(Collective),
    /// Computation between calls.
    Compute {
        /// Number of cycles.
        cycles: u64,
    },
}

/// The message that a receive has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The rank that sent it.
    pub source: u32,
    /// Its tag.
    pub tag: u32,
    /// Its length in bytes.
    pub bytes: u64,
}

/// The program of all ranks.
pub trait Program {
    /// The next call of `rank`, made at cycle `time` when its previous call has ended; none at the end of the program.
    /// `received` is the message of the previous call, if that was a receive.
    fn next(&mut self, rank: u32, time: u64, received: Option<Status>) -> Option<Call>;
}

/// A number, or the wildcard.
pub(crate) struct OrAny(pub(crate) Option<u32>);

impl fmt::Display for OrAny {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => number.fmt(f),
            None => f.write_str("any"),
        }
    }
}
