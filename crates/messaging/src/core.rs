//! A core with its rank: the state of its time line.

use crate::connections::Connections;
use crate::joining::Joining;
use crate::ranks::{Completion, End, Message, Operation};
use crate::sends::{Outgoing, Sends};
use crate::transfer::Kind;
use base::clock::ClockRatio;
use base::memory::{self, Absent, Rare, Snug};
use network::beside::tree::Packet as TreePacket;
use network::node::fifos::Received;
use network::node::forward::Forwarded;
use network::packet::Stored;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What a core is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Task {
    /// It writes a packet; `reports` is the message of which it is the last, if the rank is to hear of that.
    Write { fifo: usize, packet: Stored, reports: Option<u32> },
    /// It reads a packet.
    Read(Received),
    /// It takes a packet from its co-processor, or from the FIFO to which the DMA engine moves packets.
    Take(Stored),
    /// It writes a descriptor of a message for the DMA engine.
    Describe,
    /// It gives its co-processor a packet to write. Apart, so that other tasks are short.
    Give(Box<Given>),
    /// It receives a message of another rank of its node.
    Local(Local),
    /// It writes a packet of the tree network.
    WriteTree(TreePacket),
    /// It reads a packet of the tree network.
    ReadTree(TreePacket),
    /// It raises a wire of the global interrupts, after so many before.
    Raise(u64),
    /// It sees that a wire has been released.
    SeeRelease,
    /// Its rank is in a call.
    Call,
    /// Its rank computes.
    Compute,
    /// It is interrupted, and does what the interrupt is for when this ends.
    Interrupt,
}

/// A packet that a co-processor writes; `reports` as in [`Task::Write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Given {
    pub packet: Forwarded,
    pub reports: Option<u32>,
}

/// A message between ranks of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Local {
    pub message: Message,
    /// Eager, or a request to send.
    pub kind: Kind,
    /// Whether its sender is to hear when it is complete.
    pub reports: bool,
}

/// What a rank is doing. Times are processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum State {
    /// It is to be resumed.
    Ready { at: u64 },
    /// It has operations to perform; `computed` if it has computed since it was resumed.
    Active { computed: bool },
    /// It computes, while its core does other things.
    Computing { until: u64 },
    /// It waits for a completion.
    Waiting,
    /// It has ended.
    Finished { at: u64, end: End },
}

/// A completion that a rank will hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// The processor cycle from which the rank can hear of it.
    pub time: u64,
    /// The sending rank and the number of its message: the order of those of one time.
    pub message: (u32, u32),
    pub completion: Completion,
}

/// A message of which the rank has heard, and which no receive has matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unmatched {
    pub message: Message,
    /// Eager, or a request to send.
    pub kind: Kind,
    /// Whether its sender, on the same node, is to hear when it is complete.
    pub reports: bool,
}

/// What of the messages of a rank waits for another rank, or for a receive.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Unsettled {
    /// Messages that the receiver has not asked for yet.
    pub requested: Vec<Outgoing>,
    pub connections: Connections,
    /// Messages without a receive, as far as anybody has to know of them.
    pub unmatched: Vec<Unmatched>,
    /// Bytes of those that are stored.
    pub unexpected_bytes: u64,
}

impl Absent for Unsettled {
    const ABSENT: &'static Self = &Unsettled {
        requested: Vec::new(),
        connections: Connections::NONE,
        unmatched: Vec::new(),
        unexpected_bytes: 0,
    };
}

impl Unsettled {
    /// The request to send a message, if that has not been cleared yet.
    pub fn request(&self, number: u32) -> Option<&Outgoing> {
        self.requested.iter().find(|request| request.message.number == number)
    }

    fn bytes(&self) -> usize {
        self.requested.capacity() * size_of::<Outgoing>()
            + self.unmatched.capacity() * size_of::<Unmatched>()
            + self.connections.bytes()
    }
}

/// What a core and the others of its node, its co-processor and the DMA engine among them, have left for one another.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Passed {
    /// Messages of other ranks of the node, each with the processor cycle at which it was sent.
    pub local: VecDeque<(u64, Local)>,
    /// Packets that its co-processor or the DMA engine has read, each with the processor cycle from which the core can take it.
    pub taken: VecDeque<(u64, Stored)>,
    /// Of a co-processor: packets to write, each with the processor cycle from which it can.
    pub given: VecDeque<(u64, Given)>,
    /// Messages whose descriptors it has written, each with the processor cycle from which the DMA engine can take it.
    pub described: VecDeque<(u64, Outgoing)>,
    /// Descriptors in its injection FIFO in memory: those, and those of messages of which the DMA engine makes packets.
    pub descriptors: u32,
    /// Whether it has found that FIFO full, and wants an interrupt when there is room.
    pub awaits_descriptors: bool,
    /// Of a DMA engine: the set of reception FIFOs that it reads next.
    pub next_set: usize,
}

impl Absent for Passed {
    const ABSENT: &'static Self = &Passed {
        local: VecDeque::new(),
        taken: VecDeque::new(),
        given: VecDeque::new(),
        described: VecDeque::new(),
        descriptors: 0,
        awaits_descriptors: false,
        next_set: 0,
    };
}

impl Passed {
    /// The processor cycle from which the core can go on with some of it.
    pub fn due(&self) -> Option<u64> {
        let taken = self.taken.front().map(|(time, _)| *time);
        let given = self.given.front().map(|(time, _)| *time);
        let local = self.local.front().map(|(time, _)| *time);
        taken.into_iter().chain(given).chain(local).min()
    }

    fn bytes(&self) -> usize {
        self.taken.capacity() * size_of::<(u64, Stored)>()
            + self.given.capacity() * size_of::<(u64, Given)>()
            + self.local.capacity() * size_of::<(u64, Local)>()
            + self.described.capacity() * size_of::<(u64, Outgoing)>()
    }
}

/// The rank of a core. What each turn looks at comes first.
#[repr(C)]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rank {
    pub number: u32,
    pub state: State,
    /// Operations still to be performed.
    pub operations: VecDeque<Operation>,
    /// Completions to hear of, in order.
    pub inbox: VecDeque<Notice>,
    /// Messages sent so far.
    pub messages: u32,
    /// Transfers that are no messages, sent so far.
    pub controls: u32,
    pub unsettled: Rare<Unsettled>,
    /// Processor cycles of computation, including all of one in progress.
    pub computed: u64,
}

/// A core. The order of the fields keeps the number of cache lines low that a turn touches: two with the time line and the
/// task, one with the state of the rank and its operations, and one with what it sends or hears of.
#[repr(C, align(64))]
#[derive(Clone, Debug)]
pub(crate) struct Core {
    /// Processor cycle at which its last task ends or ended.
    pub free_at: u64,
    /// The network cycle in which that takes effect.
    pub ends: u64,
    /// Packets written so far.
    pub written: u32,
    /// Whether the last operation was a send, of which packets are written before the next operation. Of a co-processor:
    /// whether it writes before it reads the next packet.
    pub writes_first: bool,
    /// Whether an interrupt has stopped its computation, until it has read all packets.
    pub is_interrupted: bool,
    /// Packets to forward before the next packet is read.
    pub to_forward: VecDeque<Forwarded>,
    pub task: Option<Task>,
    /// Processor cycle at which its last task began.
    pub began_at: u64,
    pub passed: Rare<Passed>,
    pub rank: Option<Rank>,
    pub sends: Sends,
    /// Joint operations of its rank, if it has begun any.
    pub joining: Option<Box<Joining>>,
    /// Whether a packet of the tree network has arrived that belongs to nothing that the rank has begun.
    pub ignores_tree: bool,
}

impl Rank {
    /// A rank that starts at cycle 0.
    pub fn new(number: u32) -> Self {
        Rank {
            number,
            state: State::Ready { at: 0 },
            operations: VecDeque::new(),
            inbox: VecDeque::new(),
            messages: 0,
            controls: 0,
            unsettled: Rare::default(),
            computed: 0,
        }
    }

    /// The processor cycle at which it can continue without an operation, if there is one.
    pub fn due(&self) -> Option<u64> {
        match self.state {
            State::Ready { at } => Some(at),
            State::Computing { until } => Some(until),
            State::Waiting => self.inbox.front().map(|notice| notice.time),
            State::Active { .. } | State::Finished { .. } => None,
        }
    }

    /// Whether it will do something without hearing of more.
    pub fn is_busy(&self) -> bool {
        match self.state {
            State::Waiting => !self.inbox.is_empty(),
            State::Finished { .. } => false,
            State::Ready { .. } | State::Active { .. } | State::Computing { .. } => true,
        }
    }

    /// Whether it has operations to perform.
    pub fn is_active(&self) -> bool {
        matches!(self.state, State::Active { .. })
    }

    /// Whether it has finished.
    pub fn has_finished(&self) -> bool {
        self.finish().is_some()
    }

    /// The processor cycle at which it has finished, and how, if it has.
    pub fn finish(&self) -> Option<(u64, End)> {
        if let State::Finished { at, end } = self.state { Some((at, end)) } else { None }
    }

    /// Adds a completion, which a finished rank drops.
    pub fn notify(&mut self, notice: Notice) {
        if !self.has_finished() {
            let place = self.inbox.partition_point(|before| *before <= notice);
            self.inbox.make_room();
            self.inbox.insert(place, notice);
        }
    }
}

impl Core {
    /// A core at rest.
    pub fn new(rank: Option<Rank>) -> Self {
        Core {
            began_at: 0,
            free_at: 0,
            ends: 0,
            task: None,
            rank,
            sends: Sends::default(),
            to_forward: VecDeque::new(),
            passed: Rare::default(),
            written: 0,
            writes_first: false,
            is_interrupted: false,
            joining: None,
            ignores_tree: false,
        }
    }

    /// It is busy until a processor cycle, or has been.
    #[inline]
    pub fn set_free_at(&mut self, time: u64, clock: ClockRatio) {
        self.free_at = time;
        self.ends = clock.cycle_of(time);
    }

    /// Prefetches it, but for what it points to.
    pub fn prefetch(&self) {
        memory::software(self);
    }

    /// Bytes beside itself and the pool.
    pub fn bytes(&self) -> usize {
        let of_rank = |rank: &Rank| {
            rank.operations.capacity() * size_of::<Operation>()
                + rank.inbox.capacity() * size_of::<Notice>()
                + rank.unsettled.bytes(Unsettled::bytes)
        };
        self.rank.as_ref().map_or(0, of_rank)
            + self.sends.bytes()
            + self.to_forward.capacity() * size_of::<Forwarded>()
            + self.passed.bytes(Passed::bytes)
            + self.joining.as_ref().map_or(0, |joining| size_of::<Joining>() + joining.bytes())
    }
}
