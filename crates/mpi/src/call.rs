//! The calls of a program.

use crate::Collective;
use messaging::MAX_MESSAGE_BYTES;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A range of request numbers. A program chooses the numbers of its requests, from 0, and uses them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requests {
    /// The first.
    pub first: u32,
    /// How many.
    pub count: u32,
}

/// Which of several requests a wait needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Needed {
    /// `MPI_Waitall`.
    All,
    /// `MPI_Waitany`: ends with the lowest that is complete.
    Any,
    /// `MPI_Waitsome`: ends with all that are complete, at least one.
    Some,
}

/// One MPI call, or computation between two calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// `MPI_Isend`.
    SendNonBlocking {
        /// The rank to send to, possibly the sender itself.
        target: u32,
        /// The tag that the receive must match.
        tag: u32,
        /// Length of the message in bytes.
        bytes: u64,
        /// The request, which is not in use.
        request: u32,
    },
    /// `MPI_Recv`.
    Receive {
        /// The rank to receive from, or any.
        source: Option<u32>,
        /// The tag to receive, or any.
        tag: Option<u32>,
    },
    /// `MPI_Irecv`.
    ReceiveNonBlocking {
        /// The rank to receive from, or any.
        source: Option<u32>,
        /// The tag to receive, or any.
        tag: Option<u32>,
        /// The request, which is not in use.
        request: u32,
    },
    /// `MPI_Waitall`, `MPI_Waitany`, `MPI_Waitsome`. Requests that are not in use count as complete.
    Wait {
        /// The requests.
        requests: Requests,
        /// How many of them.
        needed: Needed,
    },
    /// `MPI_Testall`.
    Test {
        /// The requests.
        requests: Requests,
    },
    /// `MPI_Probe` or `MPI_Iprobe`.
    Probe {
        /// The rank to receive from, or any.
        source: Option<u32>,
        /// The tag to receive, or any.
        tag: Option<u32>,
        /// Whether it waits for a message.
        blocks: bool,
    },
    /// `MPI_Mprobe` or `MPI_Improbe`: a probe that takes the message, so that no other receive gets it.
    MatchedProbe {
        /// The rank to receive from, or any.
        source: Option<u32>,
        /// The tag to receive, or any.
        tag: Option<u32>,
        /// Whether it waits for a message.
        blocks: bool,
    },
    /// `MPI_Mrecv`.
    MatchedReceive {
        /// The handle of the message, from [`Outcome::handle`]; it is used once.
        handle: u32,
    },
    /// `MPI_Imrecv`.
    MatchedReceiveNonBlocking {
        /// The handle of the message, from [`Outcome::handle`]; it is used once.
        handle: u32,
        /// The request, which is not in use.
        request: u32,
    },
    /// `MPI_Cancel`: withdraws a receive that no message has matched. Other operations complete as if it were not called,
    /// as MPI allows for sends.
    Cancel {
        /// The request, which is in use, and which a wait or a test still has to end.
        request: u32,
    },
    /// A collective call, which all ranks make in the same order.
    Collective(Collective),
    /// `MPI_Wtime`.
    Time,
    /// `MPI_Abort`: ends the rank, and with it the run.
    Abort {
        /// The error code.
        code: i32,
    },
    /// Computation between calls.
    Compute {
        /// Number of processor cycles.
        cycles: u64,
    },
    /// Computation between calls whose end is known: to a processor cycle, if that has not passed yet. The cost of the next
    /// call passes before computation, so that the rank gets there that much later.
    Advance {
        /// The processor cycle.
        until: u64,
    },
}

impl Call {
    /// Whether it is computation between calls.
    pub fn is_computation(&self) -> bool {
        matches!(self, Call::Compute { .. } | Call::Advance { .. })
    }

    /// Whether calls are what a program does up to the next outcome: computation, then at most one call.
    pub(crate) fn lead_to_one<'a>(calls: impl DoubleEndedIterator<Item = &'a Call>) -> bool {
        calls.rev().skip(1).all(Call::is_computation)
    }

    /// Whether a program may make it again and again until the answer is another.
    pub(crate) fn is_poll(&self) -> bool {
        let is_probe =
            matches!(self, Call::Probe { blocks: false, .. } | Call::MatchedProbe { blocks: false, .. });
        is_probe || matches!(self, Call::Test { .. } | Call::Time)
    }
}

/// The message that a receive has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The rank that sent it.
    pub source: u32,
    /// Its tag.
    pub tag: u32,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its number among all messages of that rank, those of collectives included: with the rank it names the payload,
    /// which is not simulated.
    pub number: u32,
}

impl Status {
    /// Whether a restored status can be that of a message of one of `ranks` ranks.
    pub(crate) fn can_be_restored(&self, ranks: u32) -> bool {
        self.source < ranks && self.bytes <= MAX_MESSAGE_BYTES
    }
}

/// What a call has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The message of a receive, or the one that a probe has found. Of a wait or a test: the message of the request, if
    /// exactly one request has ended, and was a receive.
    pub received: Option<Status>,
    /// The number of the message of a send; see [`Status::number`].
    pub sent: Option<u32>,
    /// The message that a matched probe has found, as the receive of that message names it.
    pub handle: Option<u32>,
    /// The request with which a wait for any has ended; for some, how many were complete.
    pub request: Option<u32>,
    /// How many of the requests that a wait or a test has ended were cancelled.
    pub cancelled: u32,
    /// Whether a test or a probe has succeeded.
    pub flag: bool,
    /// The processor cycle, if the call was for the time.
    pub time: Option<u64>,
}

/// A request with which a wait or a test has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Its number, which is free again.
    pub request: u32,
    /// The message of a receive.
    pub received: Option<Status>,
    /// Whether it was cancelled.
    pub is_cancelled: bool,
}

/// The program of one rank.
pub trait Program: Send + 'static {
    /// What a checkpoint stores of it.
    type State: Serialize + DeserializeOwned;

    /// The next call, made at processor cycle `time` when the previous call has ended; none at the end of the program.
    /// `outcome` is that of the previous call. After computation, which has no outcome, it is asked at once, and `time` is
    /// the end of the computation as far as the program can tell: a core may be late, when it has packets to read.
    fn next(&mut self, time: u64, outcome: &Outcome) -> Option<Call>;

    /// Its state.
    fn state(&self) -> Self::State;

    /// Takes a stored state; returns whether it can be that of this program at processor cycle `now`.
    #[must_use]
    fn restore(&mut self, state: Self::State, now: u64) -> bool;

    /// Bytes of state beside itself.
    fn bytes(&self) -> usize {
        0
    }
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
