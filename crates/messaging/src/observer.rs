//! Observers of the time lines of cores.
//!
//! ```text
//!   core    | call | write | write |    wait    | read |  wait  | compute      |
//!           0                                                                    processor cycles
//! ```
//!
//! Each part of the machine has an observer of its own, so that nothing is shared by threads; the intervals of all parts
//! in order of time and core are the same for any engine and number of threads. Checkpoints do not contain observers: one
//! of a resumed run hears from there on. Without observers, a task costs one comparison more.

use crate::Place;
use crate::core::{Rank, State, Task};
use network::packet::Stored;
use serde::{Deserialize, Serialize};
use std::any::Any;

/// What a core does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// It writes a packet. Packets that go to infinite FIFOs at once ([`crate::MessagingBuilder::sends_at_once`]) are not
    /// written by a core.
    Write,
    /// It reads a packet.
    Read,
    /// It moves a packet between memory and its co-processor, or takes a message from another rank of its node.
    Copy,
    /// Its rank spends time in a library.
    Call,
    /// It is interrupted, and saves what it was doing.
    Interrupt,
    /// Its rank computes. Where the core reads and writes meanwhile, this is what is left of the computation.
    Compute,
    /// Its rank waits for a completion, or the core for room for a packet that it forwards.
    Wait,
    /// It has no rank, or one that has ended, and nothing to read.
    Idle,
}

/// The name of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MessageId {
    /// The rank that sent it.
    pub source: u32,
    /// Its number among the messages of that rank.
    pub number: u32,
}

impl MessageId {
    fn of(packet: &Stored) -> Self {
        MessageId { source: packet.tag.rank, number: packet.tag.message }
    }
}

/// An interval of a core's time line. Times are processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The core.
    pub place: Place,
    /// Whether the time line is that of its co-processor.
    pub is_coprocessor: bool,
    /// Its rank, if it has one.
    pub rank: Option<u32>,
    /// What it does.
    pub activity: Activity,
    /// The message of the packet that it writes or reads.
    pub message: Option<MessageId>,
    /// When that begins.
    pub start: u64,
    /// When it ends.
    pub end: u64,
}

/// The observer of the cores of a part of the machine.
pub trait Observer: Send {
    /// A core spends an interval, which begins where its last one ended; the first begins at 0. A task is observed when
    /// it begins, also one that takes no time, and what lies between two tasks when the second begins.
    fn observe(&mut self, interval: &Interval);

    /// The observer itself, for whoever has made it.
    fn as_any(&self) -> &dyn Any;
}

/// An observer that keeps all intervals; [`crate::Report::time_lines`] returns those of all parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorder {
    /// The intervals in the order in which they were observed.
    pub intervals: Vec<Interval>,
}

impl Observer for Recorder {
    fn observe(&mut self, interval: &Interval) {
        self.intervals.push(*interval);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Activity {
    pub(crate) fn of(task: &Task) -> (Self, Option<MessageId>) {
        match task {
            Task::Write { packet, .. } => (Activity::Write, Some(MessageId::of(packet))),
            Task::Read(received) => (Activity::Read, Some(MessageId::of(&received.stored))),
            Task::Take(packet) => (Activity::Copy, Some(MessageId::of(packet))),
            Task::Give(given) => (Activity::Copy, Some(MessageId::of(&given.packet))),
            Task::Local(local) => (Activity::Copy, Some(local.message.id())),
            Task::Call => (Activity::Call, None),
            Task::Compute => (Activity::Compute, None),
        }
    }

    /// What a core does without a task.
    pub(crate) fn between_tasks(rank: Option<&Rank>) -> Self {
        match rank.map(|rank| rank.state) {
            Some(State::Computing { .. }) => Activity::Compute,
            Some(State::Ready { .. } | State::Active { .. } | State::Waiting) => Activity::Wait,
            Some(State::Finished { .. }) | None => Activity::Idle,
        }
    }
}
