//! The calls of a program.
//!
//! # To add one
//!
//! 1. A variant of `Call`, with its arms in `Call::spent` and `Call::name`. What it returns is a field of
//!    `Outcome`.
//! 2. Its arms in `Call::arguments` and `arguments_mut` (`arguments.rs`). Dry runs, loads, checkers, and readers
//!    and recorders of traces take from these what it names. What they do not show is checked in `Checker::examine`
//!    (`checker.rs`).
//! 3. Its arm in `Process::make` (`process.rs`). What blocks its rank is a variant of `Awaited` there; what
//!    takes the library time is a variant of `After`.
//! 4. Random programs in `simulation/tests/mpi_on_engines/rules.rs` make it, and any ones in `checked.rs` there.
//!
//! Programs in Python can make it after the steps in the head of `bindings/src/program.rs`.

use crate::communicators::WORLD;
use crate::layout::Layout;
use crate::{Collective, Given, Members, Requests, Tuning};
use messaging::{CallKind, MAX_MESSAGE_BYTES};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The requests of several that a wait needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Needed {
    /// `MPI_Waitall`.
    All,
    /// `MPI_Waitany`: ends with the lowest that is complete.
    Any,
    /// `MPI_Waitsome`: ends with all that are complete, at least one.
    Some,
}

impl Needed {
    /// Whether all requests must have ended.
    pub(crate) fn is_all(self) -> bool {
        match self {
            Needed::All => true,
            Needed::Any | Needed::Some => false,
        }
    }

    /// Whether one request is enough, and only that one is ended.
    pub(crate) fn is_one(self) -> bool {
        match self {
            Needed::Any => true,
            Needed::All | Needed::Some => false,
        }
    }
}

/// The time at which a send is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// When its last packet has been written (`MPI_Send`). With a rendezvous this is not before a receive has
    /// matched it.
    #[default]
    Standard,
    /// Not before a receive has matched it (`MPI_Ssend`).
    Synchronous,
    /// When its data have been copied (`MPI_Bsend`). The buffer is as large as necessary.
    Buffered,
    /// Like standard (`MPI_Rsend`), but it is an error if the message arrives before a receive has been posted for
    /// it.
    Ready,
}

impl Mode {
    /// Whether the send waits until a receive has matched the message.
    pub(crate) fn awaits_match(self) -> bool {
        match self {
            Mode::Synchronous => true,
            Mode::Standard | Mode::Buffered | Mode::Ready => false,
        }
    }

    /// Whether the data are copied first, so that the send waits for nothing.
    pub(crate) fn is_buffered(self) -> bool {
        match self {
            Mode::Buffered => true,
            Mode::Standard | Mode::Synchronous | Mode::Ready => false,
        }
    }

    /// Whether a receive must be posted before the message arrives.
    pub(crate) fn needs_receive(self) -> bool {
        match self {
            Mode::Ready => true,
            Mode::Standard | Mode::Synchronous | Mode::Buffered => false,
        }
    }
}

/// A send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendTo {
    /// The number of the communicator.
    pub communicator: u32,
    /// The rank in the communicator to send to, possibly the sender itself.
    pub target: u32,
    /// The tag that the receive must match.
    pub tag: u32,
    /// Length of the message in bytes, at most [`messaging::MAX_MESSAGE_BYTES`].
    pub bytes: u64,
    /// The time at which the send is complete.
    pub mode: Mode,
    /// The layout of the data in memory.
    pub layout: Layout,
}

impl SendTo {
    /// A standard send among all ranks, of data in one piece.
    pub fn new(target: u32, tag: u32, bytes: u64) -> Self {
        let (mode, layout) = (Mode::Standard, Layout::Contiguous);
        SendTo { communicator: WORLD, target, tag, bytes, mode, layout }
    }
}

/// The longest message that a receive has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// The length in bytes.
    pub bytes: u32,
    /// The number of the receive, by which [`End::Truncated`](messaging::End::Truncated) names it.
    pub receive: u32,
}

impl Room {
    /// Room for every message.
    pub const UNLIMITED: Self = Room { bytes: u32::MAX, receive: 0 };
}

const _: () = assert!(MAX_MESSAGE_BYTES < u32::MAX as u64);

/// A receive, or the message that a probe looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiveFrom {
    /// The number of the communicator.
    pub communicator: u32,
    /// The rank in the communicator to receive from, or any.
    pub source: Option<u32>,
    /// The tag to receive, or any.
    pub tag: Option<u32>,
    /// The layout of the buffer for the data.
    pub layout: Layout,
    /// The longest message that fits: a longer one ends the rank, and with it the run.
    pub room: Room,
}

impl ReceiveFrom {
    /// A receive among all ranks, of data in one piece.
    pub fn new(source: Option<u32>, tag: Option<u32>) -> Self {
        let (layout, room) = (Layout::Contiguous, Room::UNLIMITED);
        ReceiveFrom { communicator: WORLD, source, tag, layout, room }
    }
}

/// A send or a receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Transfer {
    /// A send.
    Send(SendTo),
    /// A receive.
    Receive(ReceiveFrom),
}

impl Transfer {
    fn name(&self, blocks: bool) -> &'static str {
        let (blocking, nonblocking) = match self {
            Transfer::Receive(_) => ("MPI_Recv", "MPI_Irecv"),
            Transfer::Send(SendTo { mode: Mode::Standard, .. }) => ("MPI_Send", "MPI_Isend"),
            Transfer::Send(SendTo { mode: Mode::Synchronous, .. }) => ("MPI_Ssend", "MPI_Issend"),
            Transfer::Send(SendTo { mode: Mode::Buffered, .. }) => ("MPI_Bsend", "MPI_Ibsend"),
            Transfer::Send(SendTo { mode: Mode::Ready, .. }) => ("MPI_Rsend", "MPI_Irsend"),
        };
        if blocks { blocking } else { nonblocking }
    }
}

/// One MPI call, or computation between two calls. Calls that name no communicator use the one of all ranks,
/// standard mode, and data in one piece. [`Call::Begin`], [`Call::Find`] and [`Call::Collect`] are their general
/// forms. A program chooses the numbers of its communicators as it does those of its requests. Number 0 is the
/// communicator of all ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// A send or receive of any kind: `MPI_Ssend`, `MPI_Ibsend`, `MPI_Recv` of a derived datatype.
    Begin {
        /// The send or receive.
        transfer: Transfer,
        /// The request, which is not in use, if the call does not block.
        request: Option<u32>,
    },
    /// `MPI_Sendrecv`.
    SendReceive {
        /// The send, never buffered.
        send: SendTo,
        /// The receive.
        receive: ReceiveFrom,
    },
    /// `MPI_Send_init`, `MPI_Recv_init`: a persistent request, which is not in use until it is started.
    Prepare {
        /// The transfer that the request starts.
        transfer: Transfer,
        /// The request, which is not in use.
        request: u32,
    },
    /// `MPI_Start`, `MPI_Startall`.
    Start {
        /// The requests, which are persistent and not in use.
        requests: Requests,
    },
    /// `MPI_Request_free`. An operation in progress completes, and then its number is free.
    Free {
        /// The request.
        request: u32,
    },
    /// A probe on any communicator.
    Find {
        /// The message that the probe looks for.
        message: ReceiveFrom,
        /// Whether the probe takes the message, as [`Call::MatchedProbe`] does.
        takes: bool,
        /// Whether the probe waits for a message.
        blocks: bool,
    },
    /// A collective on any communicator, or without blocking: `MPI_Ibarrier`.
    Collect {
        /// The collective, which all ranks of the communicator call in the same order.
        collective: Collective,
        /// The number of the communicator.
        communicator: u32,
        /// The request, which is not in use, if the call does not block.
        request: Option<u32>,
        /// The algorithm and its settings, equal at all ranks.
        tuning: Box<Tuning>,
    },
    /// `MPI_Comm_create`, and `MPI_Comm_dup` of all members: a new communicator, whose id the ranks of the first
    /// agree on. `MPI_Comm_split` is an allgather of 8 bytes, followed by this call. Colors and keys are data,
    /// which are not simulated, and groups of different colors take the same id.
    Create {
        /// The number of the communicator whose ranks all make this call.
        communicator: u32,
        /// The members, as ranks of that communicator; none if this rank gets no new one. The program makes them
        /// known to each other.
        members: Option<Members>,
        /// The number of the new communicator, which is not in use.
        new: u32,
        /// How many others come before it, of those that the call makes: class routes are given in this order.
        order: u32,
    },
    /// A communicator that exists without a call, such as a process group of a recording. Its ranks know its
    /// members and its id, and no message is sent.
    Define {
        /// The members, as ranks of the machine; this rank is one.
        members: Members,
        /// The number of the communicator, which is not in use.
        new: u32,
        /// The id, equal at all members, which none of them uses for another communicator.
        id: u32,
    },
    /// `MPI_Comm_free`. Collectives in progress complete.
    FreeCommunicator {
        /// The number of the communicator.
        communicator: u32,
    },
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
        /// The number of requests that must complete.
        needed: Needed,
    },
    /// `MPI_Testall`.
    Test {
        /// The requests.
        requests: Requests,
    },
    /// `MPI_Testany`: ends the lowest request that is complete, if any.
    TestAny {
        /// The requests.
        requests: Requests,
    },
    /// `MPI_Testsome`: ends all requests that are complete, if any.
    TestSome {
        /// The requests.
        requests: Requests,
    },
    /// `MPI_Probe` or `MPI_Iprobe`.
    Probe {
        /// The rank to receive from, or any.
        source: Option<u32>,
        /// The tag to receive, or any.
        tag: Option<u32>,
        /// Whether the probe waits for a message.
        blocks: bool,
    },
    /// `MPI_Mprobe` or `MPI_Improbe`: a probe that takes the message, so that no other receive gets it.
    MatchedProbe {
        /// The rank to receive from, or any.
        source: Option<u32>,
        /// The tag to receive, or any.
        tag: Option<u32>,
        /// Whether the probe waits for a message.
        blocks: bool,
    },
    /// `MPI_Mrecv`.
    MatchedReceive {
        /// The handle of the message, from [`Outcome::handle`], which is used once.
        handle: u32,
    },
    /// `MPI_Imrecv`.
    MatchedReceiveNonBlocking {
        /// The handle of the message, from [`Outcome::handle`], which is used once.
        handle: u32,
        /// The request, which is not in use.
        request: u32,
    },
    /// `MPI_Cancel`: withdraws a receive that no message has matched. Other operations complete as if they had not
    /// been cancelled, as MPI allows for sends.
    Cancel {
        /// The request, which is in use. A wait or a test still has to end it.
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
    /// The end of a rank outside for a reason that [`crate::OutsideRanks::failure`] states; the run ends with it.
    Fail,
    /// Computation between calls.
    Compute {
        /// Number of processor cycles.
        cycles: u64,
    },
    /// Computation between calls whose end is known, up to a processor cycle, if that has not passed yet. The cost
    /// of the next call passes before the computation, so that the rank gets there that much later.
    Advance {
        /// The processor cycle.
        until: u64,
    },
}

/// The way in which a call takes time.
pub(crate) enum Spent {
    /// The library, at the cost of a kind of calls.
    InLibrary(CallKind),
    /// Computation.
    Computing { cycles: u64 },
    /// Computation up to a processor cycle.
    Advancing { until: u64 },
}

impl Call {
    /// The way in which the call takes time.
    pub(crate) fn spent(&self) -> Spent {
        match self {
            Call::Compute { cycles } => Spent::Computing { cycles: *cycles },
            Call::Advance { until } => Spent::Advancing { until: *until },
            Call::Begin { transfer: Transfer::Send(_), .. }
            | Call::Send { .. }
            | Call::SendNonBlocking { .. } => Spent::InLibrary(CallKind::Send),
            Call::Begin { transfer: Transfer::Receive(_), .. }
            | Call::Receive { .. }
            | Call::ReceiveNonBlocking { .. }
            | Call::MatchedReceive { .. }
            | Call::MatchedReceiveNonBlocking { .. } => Spent::InLibrary(CallKind::Receive),
            Call::SendReceive { .. } => Spent::InLibrary(CallKind::SendReceive),
            Call::Start { .. } => Spent::InLibrary(CallKind::Start),
            Call::Wait { .. } => Spent::InLibrary(CallKind::Wait),
            Call::Test { .. } | Call::TestAny { .. } | Call::TestSome { .. } => {
                Spent::InLibrary(CallKind::Test)
            }
            Call::Find { .. } | Call::Probe { .. } | Call::MatchedProbe { .. } => {
                Spent::InLibrary(CallKind::Probe)
            }
            Call::Collect { .. } | Call::Collective(_) | Call::Create { .. } => {
                Spent::InLibrary(CallKind::Collective)
            }
            Call::Prepare { .. }
            | Call::Free { .. }
            | Call::Define { .. }
            | Call::FreeCommunicator { .. }
            | Call::Cancel { .. }
            | Call::Time
            | Call::Abort { .. }
            | Call::Fail => Spent::InLibrary(CallKind::Other),
        }
    }

    /// The kind on which the cost of the call depends; computation has none.
    pub fn kind(&self) -> Option<CallKind> {
        match self.spent() {
            Spent::InLibrary(kind) => Some(kind),
            Spent::Computing { .. } | Spent::Advancing { .. } => None,
        }
    }

    /// The name of the call in MPI.
    pub fn name(&self) -> &'static str {
        match self {
            Call::Begin { transfer, request } => transfer.name(request.is_none()),
            Call::Send { .. } => "MPI_Send",
            Call::SendNonBlocking { .. } => "MPI_Isend",
            Call::Receive { .. } => "MPI_Recv",
            Call::ReceiveNonBlocking { .. } => "MPI_Irecv",
            Call::SendReceive { .. } => "MPI_Sendrecv",
            Call::Prepare { transfer: Transfer::Send(_), .. } => "MPI_Send_init",
            Call::Prepare { transfer: Transfer::Receive(_), .. } => "MPI_Recv_init",
            Call::Start { requests } if requests.set().len() == 1 => "MPI_Start",
            Call::Start { .. } => "MPI_Startall",
            Call::Free { .. } => "MPI_Request_free",
            Call::Wait { requests, .. } if requests.set().len() == 1 => "MPI_Wait",
            Call::Wait { needed: Needed::All, .. } => "MPI_Waitall",
            Call::Wait { needed: Needed::Any, .. } => "MPI_Waitany",
            Call::Wait { needed: Needed::Some, .. } => "MPI_Waitsome",
            Call::Test { requests } if requests.set().len() == 1 => "MPI_Test",
            Call::Test { .. } => "MPI_Testall",
            Call::TestAny { .. } => "MPI_Testany",
            Call::TestSome { .. } => "MPI_Testsome",
            Call::Probe { blocks: true, .. } | Call::Find { takes: false, blocks: true, .. } => "MPI_Probe",
            Call::Probe { .. } | Call::Find { takes: false, .. } => "MPI_Iprobe",
            Call::MatchedProbe { blocks: true, .. } | Call::Find { blocks: true, .. } => "MPI_Mprobe",
            Call::MatchedProbe { .. } | Call::Find { .. } => "MPI_Improbe",
            Call::MatchedReceive { .. } => "MPI_Mrecv",
            Call::MatchedReceiveNonBlocking { .. } => "MPI_Imrecv",
            Call::Cancel { .. } => "MPI_Cancel",
            Call::Collect { collective, request: Some(_), .. } => collective.nonblocking_name(),
            Call::Collective(collective) | Call::Collect { collective, .. } => collective.name(),
            Call::Create { .. } => "MPI_Comm_create",
            Call::Define { .. } => "process group",
            Call::FreeCommunicator { .. } => "MPI_Comm_free",
            Call::Time => "MPI_Wtime",
            Call::Abort { .. } => "MPI_Abort",
            Call::Fail => "failure",
            Call::Compute { .. } | Call::Advance { .. } => "compute",
        }
    }

    /// Whether this is computation between calls.
    pub fn is_computation(&self) -> bool {
        self.kind().is_none()
    }

    /// The time at which computation ends that begins at processor cycle `time`. Other calls take no time here.
    pub(crate) fn after_computing(&self, time: u64) -> u64 {
        match self.spent() {
            Spent::Computing { cycles } => time.saturating_add(cycles),
            Spent::Advancing { until } => time.max(until),
            Spent::InLibrary(_) => time,
        }
    }

    /// Whether `calls` lead to a single outcome: computation, then at most one call.
    pub(crate) fn lead_to_one<'a>(calls: impl DoubleEndedIterator<Item = &'a Call>) -> bool {
        calls.rev().skip(1).all(Call::is_computation)
    }
}

/// The message that a receive has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The rank that sent it, in the communicator of the receive.
    pub source: u32,
    /// The tag of the message.
    pub tag: u32,
    /// The length in bytes.
    pub bytes: u64,
    /// The message's number among all messages of its sender, those of collectives included.
    pub number: u32,
    /// The message's number in the order of its sender's calls, among the messages to this rank on this
    /// communicator. With both ranks of the machine and the communicator's id it names the payload, which is not
    /// simulated.
    pub sequence: u32,
}

/// A rank in a communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The id of the communicator, agreed on by its members.
    pub id: u32,
    /// The rank.
    pub rank: u32,
    /// The number of ranks.
    pub size: u32,
}

/// The values that a call has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The message of a receive, or the one that a probe has found. For a wait or a test: the message of the
    /// request, if only one has ended, and was a receive.
    pub received: Option<Status>,
    /// The handle of the message that a matched probe has found, with which it is received.
    pub handle: Option<u32>,
    /// The request with which a wait or a test for any has ended. For some, it is the number of complete requests.
    pub request: Option<u32>,
    /// The number of cancelled requests among those that a wait or a test has ended.
    pub cancelled: u32,
    /// Whether a test or a probe has succeeded.
    pub flag: bool,
    /// The processor cycle, if the call was for the time.
    pub time: Option<u64>,
    /// The rank in the communicator that the call has made, if it is a member.
    pub member: Option<Member>,
}

/// A request with which a wait or a test has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The number of the request, which is free again.
    pub request: u32,
    /// The message of a receive.
    pub received: Option<Status>,
    /// Whether the request was cancelled.
    pub is_cancelled: bool,
}

/// The program of one rank.
pub trait Program: Send + 'static {
    /// The state that a checkpoint stores.
    type State: Serialize + DeserializeOwned;

    /// The next call, made at processor cycle `time` when the previous call has ended. None at the end of the
    /// program. `outcome` is that of the previous call. Computation has no outcome: after it, `next` is called at
    /// once. Then `time` is the end of the computation as far as the program can know. A core may be late when it
    /// has packets to read.
    fn next(&mut self, time: u64, outcome: &Outcome) -> Option<Call>;

    /// The communicators that exist from the start. Their numbers, and ids, count from 1. Different groups may be at the
    /// same position, if no rank is in two of them.
    fn communicators(&self) -> Vec<Given> {
        Vec::new()
    }

    /// The state for a checkpoint.
    fn state(&self) -> Self::State;

    /// Takes the state that a checkpoint has stored for this program. Returns whether what the program reads is still
    /// the same, such as a trace.
    #[must_use]
    fn restore(&mut self, state: Self::State) -> bool;

    /// Bytes of state in addition to the program's own.
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
