//! The interface of ranks: the message layer resumes a rank, and the rank returns operations.
//!
//! Only plain data crosses this interface. All times are in processor cycles.

use base::bytes::Name;
use base::checkpoint::{FrameReader, FrameWriter};
use network::collective;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::{fmt, io};

/// The longest message in bytes.
pub const MAX_MESSAGE_BYTES: u64 = 1 << 30;

/// More messages than a rank sends in any run. A power of two, which sets the bodies of messages apart in the names of packets.
pub(crate) const MAX_MESSAGES_OF_RANK: u32 = 1 << 30;

/// Software header of a message, written by the sender. The message layer carries it without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Envelope(pub [u64; 2]);

/// A message as its receiver sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Message {
    /// The rank that sent it.
    pub source: u32,
    /// The number of the message among those of that rank, from 0.
    pub number: u32,
    /// The length in bytes.
    pub bytes: u64,
    /// The header that the sender wrote.
    pub envelope: Envelope,
}

/// The name of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MessageId {
    /// The rank that sent it.
    pub source: u32,
    /// The number of the message among those of that rank.
    pub number: u32,
}

impl Message {
    /// The name of the message.
    pub fn id(&self) -> MessageId {
        MessageId { source: self.source, number: self.number }
    }
}

/// An event that is reported to a rank when it is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Completion {
    /// A message of `bytes` bytes has arrived completely, whether or not the rank expects it.
    Arrived {
        /// The name of the message.
        id: MessageId,
        /// The length in bytes.
        bytes: u64,
    },
    /// The last packet of the rank's message with this number (from 0) is in an injection FIFO.
    Sent(u32),
    /// A message of which the rank wanted to be notified has begun to arrive ([`Ranks::arrive`]).
    Begun(MessageId),
    /// The rank's part of the network collective with this number has ended.
    Joined(u32),
}

/// The name of a class route of the tree network, and of the wire that goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RouteName(pub(crate) collective::RouteName);

impl RouteName {
    /// The class route of all ranks.
    pub const WORLD: RouteName = RouteName(collective::RouteName::WORLD);

    /// The route that a class has after a creation, counted by all ranks alike.
    pub fn new(class: u8, creation: u32) -> Self {
        RouteName(collective::RouteName::new(class, creation))
    }

    /// The first route of a class, if machines can have it.
    pub fn of_class(class: usize) -> Option<Self> {
        collective::RouteName::of_class(class).map(RouteName)
    }

    /// The class, 0 for that of all ranks.
    pub fn class(self) -> u8 {
        self.0.class()
    }
}

/// An operation that all ranks of a class route perform together on a collective network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NetworkCollective {
    /// An operation on the tree network.
    Tree(TreeOperation),
    /// A barrier by a wire of the global interrupts.
    Barrier,
}

/// An operation on the tree network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeOperation {
    /// The name of the operation, the same at all ranks. Operations that are under way at a time have different names.
    pub tag: u32,
    /// The kind of operation.
    pub kind: TreeKind,
    /// Bytes of data of a rank; an operation without data takes one packet.
    pub bytes: u64,
    /// Passes over the network, 1 or 2. In the first of two passes all ranks get the exponents, by which they align
    /// what they add in the second.
    pub passes: u8,
}

/// The kinds of operations on the tree network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeKind {
    /// It combines the data of all ranks; all get the result.
    AllReduce,
    /// It combines the data of all ranks; one rank gets the result.
    Reduce {
        /// The rank.
        root: u32,
    },
    /// It gives the data of one rank to all others, in one pass.
    Broadcast {
        /// The rank.
        root: u32,
    },
}

/// Ranks along a line of the torus, beginning with the neighbor of a rank. All run on the same core of their nodes as
/// that rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The neighbor.
    pub first: u32,
    /// The last rank.
    pub last: u32,
    /// Whether the line leads in the plus direction of its dimension.
    pub is_plus: bool,
}

/// A request of a rank. The operations of a batch are executed in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// Send a message. Its packets are written as injection FIFOs have room, some of them perhaps later, when the rank
    /// waits.
    Send {
        /// The rank to send to, possibly the sender itself.
        target: u32,
        /// The length in bytes, at most [`crate::MAX_MESSAGE_BYTES`].
        bytes: u64,
        /// The header that the receiver's software will read.
        envelope: Envelope,
        /// Whether the rank is to be notified when the last packet has been written.
        reports: bool,
        /// Whether the notice must not come before a receive has matched the message.
        synchronous: bool,
    },
    /// Send an eager message along a line of the torus, to a rank at each of its nodes: the network copies its packets.
    /// Otherwise as [`Operation::Send`].
    Deposit {
        /// The ranks that get the message.
        line: Line,
        /// The length in bytes, at most [`crate::MAX_MESSAGE_BYTES`].
        bytes: u64,
        /// The header that the software of each receiver will read.
        envelope: Envelope,
        /// Whether the rank is to be notified when the last packet has been written.
        reports: bool,
    },
    /// A receive has matched a message of which the rank had been notified before ([`Ranks::arrive`]).
    Accept {
        /// The message.
        message: MessageId,
    },
    /// Take part in an operation of all ranks of a class route. The parts of a rank on one route of a network are carried
    /// out in the order of their operations, and the rank is notified when this one has ended.
    Join {
        /// The number by which the notice names the operation.
        number: u32,
        /// The class route; it also stands for the wires of the same ranks.
        on: RouteName,
        /// The operation of these ranks.
        collective: NetworkCollective,
    },
    /// Spend time in a library: this delays the operations after it, and the core does nothing else meanwhile. The rank
    /// is resumed at the end of the batch.
    Call {
        /// Number of processor cycles.
        cycles: u64,
    },
    /// Compute: this delays the operations after it. The rank is resumed at the end of the batch, and messages that
    /// arrive before then wait until it is.
    Compute {
        /// Number of processor cycles.
        cycles: u64,
    },
    /// Compute until a processor cycle; nothing if that has passed. The rank is resumed as after
    /// [`Operation::Compute`].
    Advance {
        /// The processor cycle.
        until: u64,
    },
    /// End the rank: it is never resumed again, and messages that still arrive for it are dropped.
    Finish(End),
    /// Begin a round of a collective, of which observers are notified. It changes nothing.
    BeginRound {
        /// The number of the collective among those of the rank.
        collective: u32,
        /// The round.
        round: Round,
    },
}

/// How a rank ends. Any end but the first ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// With `MPI_Finalize`.
    Finalized,
    /// The program returned without `MPI_Finalize`.
    NotFinalized,
    /// With `MPI_Abort`.
    Aborted {
        /// The error code of the call.
        code: i32,
    },
    /// For a reason that only the world outside the simulator knows.
    Failed,
    /// It had no memory left for messages without a receive.
    OutOfMemory {
        /// Bytes of these messages.
        bytes: u64,
    },
    /// A message in ready mode came before the receive that it needs.
    NotReady {
        /// The rank that sent it.
        source: u32,
        /// The tag of the message.
        tag: u32,
    },
    /// A receive with room for less has matched a message.
    Truncated {
        /// The rank that sent it.
        source: u32,
        /// The length of the message in bytes.
        bytes: u32,
        /// The number of the receive, as its program names it.
        receive: u32,
    },
}

impl End {
    /// Whether the run ends with it, before other ranks have finished.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            End::Finalized => false,
            End::NotFinalized
            | End::Aborted { .. }
            | End::Failed
            | End::OutOfMemory { .. }
            | End::NotReady { .. }
            | End::Truncated { .. } => true,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Finalized => f.write_str("called MPI_Finalize"),
            End::NotFinalized => f.write_str("ended without MPI_Finalize"),
            End::Aborted { code } => write!(f, "called MPI_Abort with code {code}"),
            End::Failed => f.write_str("failed"),
            End::OutOfMemory { bytes } => {
                write!(f, "ran out of memory: {bytes} bytes of messages wait for a receive")
            }
            End::NotReady { source, tag } => {
                write!(
                    f,
                    "got a message in ready mode (of rank {source}, tag {tag}) for which it had posted no receive"
                )
            }
            End::Truncated { source, bytes, .. } => {
                write!(
                    f,
                    "got a message of {bytes} bytes (of rank {source}), for which its receive has no room"
                )
            }
        }
    }
}

/// The wait of a blocked rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The processor cycle since which it has been waiting.
    pub since: u64,
    /// The object of the wait, in words that complete "waiting for".
    pub what: String,
}

/// The cause that blocks a rank in a call: the first receive without a message, or else the first whose message is not
/// complete, or else the first send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pending {
    /// Nothing that its library can name.
    #[default]
    Unknown,
    /// A receive or a probe without a message.
    Receive {
        /// The rank from which it is to come, if not from any.
        source: Option<u32>,
    },
    /// A receive whose message is not complete.
    Message {
        /// The message.
        id: MessageId,
        /// The length in bytes.
        bytes: u64,
    },
    /// A send.
    Send {
        /// The number of the message.
        number: u32,
        /// The rank to which the message goes; on a line, the last.
        target: u32,
        /// The length in bytes.
        bytes: u64,
    },
    /// A network collective.
    Join(NetworkCollective),
}

/// A round of a collective, as a rank counts the rounds of the current part of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Round {
    /// The name of the collective.
    #[serde(deserialize_with = "base::bytes::name")]
    pub collective: Name,
    /// The stage of the algorithm, from 1; none if it has no stages.
    pub stage: Option<u32>,
    /// The number of the round, from 1; none for a send that no round waits for.
    pub number: Option<u32>,
}

/// A call of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Called {
    /// The number of the call among those of the rank, from 1.
    pub number: u64,
    /// The name of the call, if it is known.
    #[serde(deserialize_with = "base::bytes::name_if_any")]
    pub name: Option<Name>,
}

/// The cause that blocks a rank, and the round of a collective to which it belongs, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blocking {
    /// The cause that blocks the rank.
    pub pending: Pending,
    /// The round of the collective.
    pub round: Option<Round>,
}

/// A rank, and the place of its state among the ranks of a part of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankSlot {
    /// The rank.
    pub rank: u32,
    /// The place of its state: nodes of the part in order, cores of a node in order.
    pub slot: usize,
}

/// The ranks of some nodes, which decide what each rank does next.
pub trait Ranks: Any + Send {
    /// Resumes a rank at processor cycle `time` with `completions`, in order of their times; the rank appends its next
    /// `operations`. A rank is first resumed at cycle 0. After a batch that computes it is resumed at the end of the
    /// batch, otherwise at the next completion.
    fn resume(
        &mut self,
        rank: RankSlot,
        time: u64,
        completions: &[Completion],
        operations: &mut Vec<Operation>,
    );

    /// The first packet of a message for a rank is being read: its envelope has arrived. A receive matches it now, or
    /// later, which [`Operation::Accept`] then reports. Appends to `accepted` the messages that receives match now:
    /// this one, and others that it has held up. Returns whether the rank is to be resumed for it.
    fn arrive(&mut self, rank: RankSlot, message: &Message, accepted: &mut Vec<MessageId>) -> bool;

    /// The ranks of a class route other than that of all ranks, by one of them.
    fn members(&self, _rank: RankSlot, _on: RouteName) -> Vec<u32> {
        unreachable!("these ranks have no class routes of their own")
    }

    /// Prefetches what each arrival at the rank of a slot accesses, if it has one.
    fn prefetch(&self, _slot: usize) {}

    /// Prefetches what is first in the queues of a rank.
    fn prefetch_queues(&self, _slot: usize, _is_busy: bool) {}

    /// Prefetches what the arrival of a message of another rank accesses.
    fn prefetch_arrival(&self, _slot: usize, _source: u32) {}

    /// The wait of a rank. Called when the rank can never continue.
    fn waiting(&self, rank: RankSlot) -> Waiting;

    /// The cause that blocks a rank, for observers of its time line.
    fn blocking(&self, _rank: RankSlot) -> Blocking {
        Blocking::default()
    }

    /// The last call that a rank has made; if `pays`, the call whose cost it spends. For observers of its time line.
    fn call(&self, _rank: RankSlot, _pays: bool) -> Option<Called> {
        None
    }

    /// Bytes of state.
    fn bytes(&self) -> usize;

    /// Writes the state of a rank.
    ///
    /// # Errors
    /// Errors of the output.
    fn save(&self, rank: RankSlot, frames: &mut FrameWriter<'_>) -> io::Result<()>;

    /// Restores the state of a rank.
    ///
    /// # Errors
    /// Errors of the input.
    fn restore(&mut self, rank: RankSlot, frames: &mut FrameReader<'_>) -> io::Result<()>;

    /// The ranks themselves, for the code that has made them.
    fn as_any(&self) -> &dyn Any;
}
