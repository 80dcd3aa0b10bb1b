//! The calls of a program, one after the other.

use crate::Collective;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One blocking MPI call, or computation between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// `MPI_Send`.
    Send {
        /// The rank to send to, possibly oneself.
        target: u32,
        /// What the receive must name.
        tag: u32,
        /// Length of the message, at most [`messaging::MAX_MESSAGE_BYTES`].
        bytes: u64,
    },
    /// `MPI_Recv`.
    Receive {
        /// The rank to receive from, or any.
        source: Option<u32>,
        /// The tag to receive, or any.
        tag: Option<u32>,
    },
    /// A call that all ranks make together, in the same order.
    Collective(Collective),
    /// Work between calls.
    Compute {
        /// For how many cycles.
        cycles: u64,
    },
}

/// What a receive has received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The rank that sent it.
    pub source: u32,
    /// Its tag.
    pub tag: u32,
    /// Its length.
    pub bytes: u64,
}

/// The program of all ranks.
pub trait Program {
    /// The call that `rank` makes at cycle `time`, when the one before has ended, or none at its end. `received` is
    /// what the one before received, if it was a receive.
    fn next(&mut self, rank: u32, time: u64, received: Option<Status>) -> Option<Call>;
}

/// A number, or the wildcard.
pub(crate) struct Wanted(pub(crate) Option<u32>);

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => number.fmt(f),
            None => f.write_str("any"),
        }
    }
}
