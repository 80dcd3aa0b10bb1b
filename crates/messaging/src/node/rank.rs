//! The rank of a core: its state, its operations, and the messages that wait for another rank or for a receive.

use super::connections::Connections;
use crate::protocol::Kind;
use crate::ranks::{Completion, End, Message, Operation};
use crate::transfers::outgoing::Outgoing;
use base::memory::{Absent, Compact, OnDemand};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The state of a rank. Times are processor cycles.
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

/// A completion of which a rank will be notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// The processor cycle from which the rank can be notified.
    pub time: u64,
    /// The sending rank and the number of its message: the order of notices of the same time.
    pub message: (u32, u32),
    pub completion: Completion,
}

/// A message of which the rank has been notified, and which no receive has matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unmatched {
    pub message: Message,
    /// Eager, or a request to send.
    pub kind: Kind,
    /// Whether its sender, on the same node, is to be notified when it is complete.
    pub reports: bool,
}

/// The messages of a rank that wait for another rank, or for a receive, with the state that they need.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Unsettled {
    /// Messages that the receiver has not asked for yet.
    pub requested: Vec<Outgoing>,
    pub connections: Connections,
    /// Messages without a receive, as far as they have to be known.
    pub unmatched: Vec<Unmatched>,
    /// Bytes of the messages without a receive that are stored.
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

    pub fn bytes(&self) -> usize {
        self.requested.capacity() * size_of::<Outgoing>()
            + self.unmatched.capacity() * size_of::<Unmatched>()
            + self.connections.bytes()
    }
}

/// The rank of a core. The fields that each run looks at come first.
#[repr(C)]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rank {
    pub number: u32,
    pub state: State,
    /// Operations still to be performed.
    pub operations: VecDeque<Operation>,
    /// Completions of which the rank is to be notified, in order.
    pub inbox: VecDeque<Notice>,
    /// Messages sent so far.
    pub messages: u32,
    /// Transfers that are no messages, sent so far.
    pub controls: u32,
    pub unsettled: OnDemand<Unsettled>,
    /// Processor cycles of computation, including all of one in progress.
    pub computed: u64,
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
            unsettled: OnDemand::default(),
            computed: 0,
        }
    }

    /// The processor cycle at which the rank can continue without an operation, if any.
    pub fn due(&self) -> Option<u64> {
        match self.state {
            State::Ready { at } => Some(at),
            State::Computing { until } => Some(until),
            State::Waiting => self.inbox.front().map(|notice| notice.time),
            State::Active { .. } | State::Finished { .. } => None,
        }
    }

    /// Whether the rank will act without a further notice.
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
