//! The calls of a program.
//!
//! # To add one
//!
//! 1. A variant of `Call`, with its arms in `Call::spent` and `Call::name`. What it returns is a field of
//!    `Outcome`.
//! 2. Its arms in `Call::arguments` and `arguments_mut` (`arguments.rs`). Dry runs, loads, and readers and
//!    recorders of traces take from these what it names.
//! 3. Its arm in `Process::make` (`process.rs`). What blocks its rank is a variant of `Awaited` there; what
//!    takes the library time is a variant of `After`. What it leaves behind is checked in
//!    `Process::can_restore`.
//! 4. Random programs in `simulation/tests/mpi_on_engines/rules.rs` make it.
//!
//! Programs in Python can make it after the steps in the head of `bindings/src/program.rs`.

use crate::arguments::Arguments;
use crate::communicators::WORLD;
use crate::layout::Layout;
use crate::{Collective, Members, Tuning};
use messaging::{CallKind, MAX_MESSAGE_BYTES};
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

impl Needed {
    /// Whether none may be left.
    pub(crate) fn is_all(self) -> bool {
        match self {
            Needed::All => true,
            Needed::Any | Needed::Some => false,
        }
    }

    /// Whether one is enough, and no other ends with it.
    pub(crate) fn is_one(self) -> bool {
        match self {
            Needed::Any => true,
            Needed::All | Needed::Some => false,
        }
    }
}

/// When a send is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// When its last packet has been written (`MPI_Send`); with a rendezvous not before a receive has matched it.
    #[default]
    Standard,
    /// Not before a receive has matched it (`MPI_Ssend`).
    Synchronous,
    /// When it has been copied (`MPI_Bsend`). The buffer is as large as it has to be.
    Buffered,
    /// As standard (`MPI_Rsend`); it is an error if its message arrives before a receive has been posted for it.
    Ready,
}

impl Mode {
    /// Whether a receive has to have matched the message.
    pub(crate) fn awaits_match(self) -> bool {
        match self {
            Mode::Synchronous => true,
            Mode::Standard | Mode::Buffered | Mode::Ready => false,
        }
    }

    /// Whether the data are copied first, so that nothing has to be waited for.
    pub(crate) fn is_buffered(self) -> bool {
        match self {
            Mode::Buffered => true,
            Mode::Standard | Mode::Synchronous | Mode::Ready => false,
        }
    }

    /// Whether a receive has to be there before the message.
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
    /// The rank in it to send to, possibly the sender itself.
    pub target: u32,
    /// The tag that the receive must match.
    pub tag: u32,
    /// Length of the message in bytes, at most [`messaging::MAX_MESSAGE_BYTES`].
    pub bytes: u64,
    /// When it is complete.
    pub mode: Mode,
    /// Where the data are.
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
    /// Its length in bytes.
    pub bytes: u32,
    /// The number of the receive, by which [`End::Truncated`](messaging::End::Truncated) names it.
    pub receive: u32,
}

impl Room {
    /// Room for every message.
    pub const UNLIMITED: Self = Room { bytes: u32::MAX, receive: 0 };
}

const _: () = assert!(MAX_MESSAGE_BYTES < u32::MAX as u64);

/// A receive, or what a probe looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiveFrom {
    /// The number of the communicator.
    pub communicator: u32,
    /// The rank in it to receive from, or any.
    pub source: Option<u32>,
    /// The tag to receive, or any.
    pub tag: Option<u32>,
    /// Where the data belong.
    pub layout: Layout,
    /// How long they may be: a rank ends with a longer message, and with it the run.
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

/// One MPI call, or computation between two calls. Those that name no communicator are on that of all ranks, in standard
/// mode, with data in one piece; [`Call::Begin`], [`Call::Find`] and [`Call::Collect`] are their general forms. A program
/// chooses the numbers of its communicators as those of its requests; 0 is that of all ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// A send or receive of any kind: `MPI_Ssend`, `MPI_Ibsend`, `MPI_Recv` of a derived datatype.
    Begin {
        /// The send or receive.
        transfer: Transfer,
        /// The request, which is not in use, if it does not block.
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
        /// What it does.
        transfer: Transfer,
        /// The request, which is not in use.
        request: u32,
    },
    /// `MPI_Start`, `MPI_Startall`.
    Start {
        /// The requests, which are persistent and not in use.
        requests: Requests,
    },
    /// `MPI_Request_free`. An operation in progress completes; its number is free then.
    Free {
        /// The request.
        request: u32,
    },
    /// A probe on any communicator.
    Find {
        /// What it looks for.
        message: ReceiveFrom,
        /// Whether it takes the message, as [`Call::MatchedProbe`] does.
        takes: bool,
        /// Whether it waits for a message.
        blocks: bool,
    },
    /// A collective on any communicator, or without blocking: `MPI_Ibarrier`.
    Collect {
        /// The collective, which all ranks of the communicator call in the same order.
        collective: Collective,
        /// The number of the communicator.
        communicator: u32,
        /// The request, which is not in use, if it does not block.
        request: Option<u32>,
        /// How it is carried out, the same at all ranks.
        tuning: Box<Tuning>,
    },
    /// `MPI_Comm_create`, and `MPI_Comm_dup` of all members: a new communicator, whose id the ranks of the first agree on.
    /// `MPI_Comm_split` is an allgather of 8 bytes and then this: colors and keys are data, which are not simulated, and
    /// groups of different colors take the same id.
    Create {
        /// The number of the communicator all of whose ranks make this call.
        communicator: u32,
        /// The members, as ranks of that; none if this rank gets no new one. They know each other by the program.
        members: Option<Members>,
        /// The number of the new communicator, which is not in use.
        new: u32,
    },
    /// A communicator that exists without a call: its ranks know its members and its id, as the process groups of a
    /// recording. No message is sent.
    Define {
        /// The members, as ranks of the machine; this rank is one.
        members: Members,
        /// The number of the communicator, which is not in use.
        new: u32,
        /// Its id, the same at all members, which none of them uses for another.
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
        /// How many of them.
        needed: Needed,
    },
    /// `MPI_Testall`.
    Test {
        /// The requests.
        requests: Requests,
    },
    /// `MPI_Testany`: ends the lowest request that is complete, if one is.
    TestAny {
        /// The requests.
        requests: Requests,
    },
    /// `MPI_Testsome`: ends all requests that are complete, if one is.
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
            | Call::Abort { .. } => Spent::InLibrary(CallKind::Other),
        }
    }

    /// The kind on which the cost of the call depends; computation has none.
    pub fn kind(&self) -> Option<CallKind> {
        match self.spent() {
            Spent::InLibrary(kind) => Some(kind),
            Spent::Computing { .. } | Spent::Advancing { .. } => None,
        }
    }

    /// Its name in MPI.
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
            Call::Start { requests } if requests.count == 1 => "MPI_Start",
            Call::Start { .. } => "MPI_Startall",
            Call::Free { .. } => "MPI_Request_free",
            Call::Wait { requests, .. } if requests.count == 1 => "MPI_Wait",
            Call::Wait { needed: Needed::All, .. } => "MPI_Waitall",
            Call::Wait { needed: Needed::Any, .. } => "MPI_Waitany",
            Call::Wait { needed: Needed::Some, .. } => "MPI_Waitsome",
            Call::Test { requests } if requests.count == 1 => "MPI_Test",
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
            Call::Compute { .. } | Call::Advance { .. } => "compute",
        }
    }

    /// Whether it is computation between calls.
    pub fn is_computation(&self) -> bool {
        self.kind().is_none()
    }

    /// When it ends, if it is computation that begins at processor cycle `time`; other calls take no time here.
    pub(crate) fn after_computing(&self, time: u64) -> u64 {
        match self.spent() {
            Spent::Computing { cycles } => time.saturating_add(cycles),
            Spent::Advancing { until } => time.max(until),
            Spent::InLibrary(_) => time,
        }
    }

    /// The collective that the call begins, its tuning, and the number of its communicator.
    pub fn collective(&self) -> Option<(&Collective, Tuning, u32)> {
        let Arguments { collective, communicator, .. } = self.arguments();
        let (collective, tuning) = collective?;
        Some((collective, tuning.copied().unwrap_or_default(), communicator?))
    }

    /// Whether calls are what a program does up to the next outcome: computation, then at most one call.
    pub(crate) fn lead_to_one<'a>(calls: impl DoubleEndedIterator<Item = &'a Call>) -> bool {
        calls.rev().skip(1).all(Call::is_computation)
    }
}

/// The message that a receive has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The rank that sent it, in the communicator of the receive.
    pub source: u32,
    /// Its tag.
    pub tag: u32,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its number among all messages of that rank, those of collectives included.
    pub number: u32,
    /// Its number among those of that rank to this one on this communicator, in the order of the calls that have sent
    /// them: with both ranks of the machine and the communicator's id it names the payload, which is not simulated.
    pub sequence: u32,
}

impl Status {
    /// Whether a restored status can be that of a message of one of `ranks` ranks.
    pub(crate) fn can_be_restored(&self, ranks: u32) -> bool {
        self.source < ranks && self.bytes <= MAX_MESSAGE_BYTES
    }
}

/// A rank in a communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The id of the communicator, on which its members have agreed.
    pub id: u32,
    /// The rank.
    pub rank: u32,
    /// The number of ranks.
    pub size: u32,
}

/// What a call has returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The message of a receive, or the one that a probe has found. Of a wait or a test: the message of the request, if
    /// exactly one request has ended, and was a receive.
    pub received: Option<Status>,
    /// The message that a matched probe has found, as the receive of that message names it.
    pub handle: Option<u32>,
    /// The request with which a wait or a test for any has ended; for some, how many were complete.
    pub request: Option<u32>,
    /// How many of the requests that a wait or a test has ended were cancelled.
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

    /// The members of the communicators that it has from the start, as ranks of the machine: those with numbers, and ids,
    /// from 1 on. Different groups may be at the same place, if no rank is in two of them.
    fn communicators(&self) -> Vec<Members> {
        Vec::new()
    }

    /// Its state.
    fn state(&self) -> Self::State;

    /// Takes a stored state; returns whether it can be that of this program by processor cycle `until`, at which all
    /// computation ends of which it has told.
    #[must_use]
    fn restore(&mut self, state: Self::State, until: u64) -> bool;

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
