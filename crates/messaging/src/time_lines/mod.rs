//! Observers of the time lines of cores.
//!
//! ```text
//!   core    | call | write | write |    wait    | read |  wait  | compute      |
//!           0                                                                    processor cycles
//! ```
//!
//! A wait is named by the step of a protocol that ends it ([`Awaited`]), as the state of the node shows it at the end
//! of each run of its cores. Where that changes without a task of the core, as when its DMA engine has written a
//! request to send, the wait is two intervals.
//!
//! Each part of the machine has a separate observer, so that nothing is shared by threads; the intervals of all parts
//! in order of time and core are the same for any engine and number of threads. Checkpoints do not contain observers:
//! the observer of a resumed run is notified of what happens after the checkpoint. Without observers, a task costs one
//! comparison more, and so does a run of a node's cores.

pub mod awaited;
pub mod observer;
pub mod observer_state;
pub mod recorder;

use crate::mapping::Place;
use crate::node::rank::{Rank, State};
use crate::node::task::Task;
use crate::protocol::Kind;
use crate::ranks::{Called, MessageId, Round};
use awaited::Awaited;
use network::packet::Stored;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The activity of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Activity {
    /// It writes a packet. Packets that go to infinite FIFOs at once ([`crate::Parameters::sends_at_once`]) are not
    /// written by a core.
    Write,
    /// It reads a packet.
    Read,
    /// It moves a packet between memory and its co-processor, or takes a message from another rank of its node.
    Copy,
    /// The rank of the core spends time in a library.
    Call,
    /// It is interrupted, and saves what it was doing.
    Interrupt,
    /// The rank of the core computes. Where the core reads and writes meanwhile, this is the rest of the computation.
    Compute,
    /// The rank of the core waits for the end of a call, or the core waits for room for packets.
    Wait(Awaited),
    /// It has no rank, or one that has ended, and nothing to read.
    Idle,
}

/// The step of a rank that is in progress, whatever its core does for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RankStep {
    /// Computation between calls.
    Computation,
    /// A call; which one, if the rank's library reports that.
    Call(Option<Called>),
}

/// A message passes between a rank and the layer of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The rank.
    pub rank: u32,
    /// The message.
    pub message: MessageId,
    /// Whether the rank sends it; otherwise all of it has arrived there.
    pub is_sent: bool,
    /// The processor cycle.
    pub time: u64,
}

/// A rank begins a round of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BegunRound {
    /// The processor cycle.
    pub time: u64,
    /// The rank.
    pub rank: u32,
    /// The number of the collective among those of the rank.
    pub collective: u32,
    /// The round.
    pub round: Round,
}

/// An interval of a core's time line. Times are processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// The core; the DMA engine of a node has the number after its last core.
    pub place: Place,
    /// Whether the time line is that of its co-processor.
    pub is_coprocessor: bool,
    /// The rank of the core, if it has one.
    pub rank: Option<u32>,
    /// The activity of the core.
    pub activity: Activity,
    /// The message of the packet that it writes or reads, or that it waits for, if that is known.
    pub message: Option<MessageId>,
    /// In a wait: the rank that has to do something, or to which what waits for room goes, if that is known.
    pub peer: Option<u32>,
    /// In a wait: the length of the message in bytes, if that is known.
    pub bytes: Option<u64>,
    /// In a wait: the round of the collective that the rank waits in, if any.
    pub round: Option<Round>,
    /// The step of the rank that is in progress, until the rank has ended.
    pub step: Option<RankStep>,
    /// When the interval begins.
    pub start: u64,
    /// When the interval ends.
    pub end: u64,
}

impl Interval {
    /// The interval of a core, or of its co-processor, which may have a rank.
    pub(crate) fn of(
        place: Place,
        (is_coprocessor, rank): (bool, Option<u32>),
        detailed: DetailedActivity,
        Range { start, end }: Range<u64>,
    ) -> Self {
        let DetailedActivity { activity, message, peer, bytes, round, step } = detailed;
        Interval { place, is_coprocessor, rank, activity, message, peer, bytes, round, step, start, end }
    }
}

impl Activity {
    /// The name of the activity in files of time lines.
    pub fn name(self) -> &'static str {
        match self {
            Activity::Write => "write",
            Activity::Read => "read",
            Activity::Copy => "copy",
            Activity::Call => "call",
            Activity::Interrupt => "interrupt",
            Activity::Compute => "compute",
            Activity::Wait(awaited) => awaited.name(),
            Activity::Idle => "idle",
        }
    }
}

/// The activity of a core in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DetailedActivity {
    pub activity: Activity,
    pub message: Option<MessageId>,
    pub peer: Option<u32>,
    pub bytes: Option<u64>,
    pub round: Option<Round>,
    pub step: Option<RankStep>,
}

impl From<Activity> for DetailedActivity {
    fn from(activity: Activity) -> Self {
        DetailedActivity { activity, message: None, peer: None, bytes: None, round: None, step: None }
    }
}

impl DetailedActivity {
    pub fn of(task: &Task) -> Self {
        let (activity, message) = match task {
            Task::Write { packet, .. } => (Activity::Write, Some(message_of(packet))),
            Task::Read(received) => (Activity::Read, Some(message_of(&received.stored))),
            Task::Describe => (Activity::Write, None),
            Task::Take(packet) => (Activity::Copy, Some(message_of(packet))),
            Task::Give(given) => (Activity::Copy, Some(message_of(&given.packet.stored))),
            Task::Local(local) => (Activity::Copy, Some(local.message.id())),
            Task::WriteTree(_) => (Activity::Write, None),
            Task::ReadTree(_) => (Activity::Read, None),
            Task::Call | Task::Raise { .. } | Task::SeeRelease(_) => (Activity::Call, None),
            Task::Compute => (Activity::Compute, None),
            Task::Interrupt => (Activity::Interrupt, None),
        };
        DetailedActivity { message, ..DetailedActivity::from(activity) }
    }

    /// A wait.
    pub fn waiting(awaited: Awaited) -> Self {
        DetailedActivity::from(Activity::Wait(awaited))
    }

    /// This activity, for a message of another rank.
    pub fn about(self, message: MessageId, bytes: u64) -> Self {
        DetailedActivity { message: Some(message), peer: Some(message.source), bytes: Some(bytes), ..self }
    }

    /// This activity, for a message to another rank.
    pub fn about_own(self, message: MessageId, target: u32, bytes: u64) -> Self {
        DetailedActivity { message: Some(message), peer: Some(target), bytes: Some(bytes), ..self }
    }
}

pub(crate) fn message_of(packet: &Stored) -> MessageId {
    MessageId { source: packet.tag.rank, number: Kind::message_of(packet.tag.message) }
}

impl Interval {
    /// The step that the rank is in, as far as this interval shows it; none if the rank has ended.
    pub fn as_step(&self) -> Option<Interval> {
        let activity = match self.step? {
            RankStep::Computation => Activity::Compute,
            RankStep::Call(_) => Activity::Call,
        };
        let is_wait = matches!(self.activity, Activity::Wait(_));
        let step = Interval { activity, message: None, ..*self };
        Some(if is_wait { step } else { Interval { peer: None, bytes: None, round: None, ..step } })
    }

    /// Whether another interval is of the same step.
    pub fn is_continued_by(&self, next: &Interval) -> bool {
        let is_same = match (self.step, next.step) {
            (Some(RankStep::Call(Some(one))), Some(RankStep::Call(Some(other)))) => {
                one.number == other.number
            }
            (one, other) => one == other,
        };
        is_same && self.step.is_some() && self.rank == next.rank && self.end == next.start
    }

    /// Extends the interval by the next one of the same step. It keeps the first wait whose object is known.
    pub fn extend(&mut self, next: &Interval) {
        let Some(next) = next.as_step() else { return };
        if self.step.is_some_and(|step| matches!(step, RankStep::Call(Some(Called { name: None, .. })))) {
            self.step = next.step;
        }
        if self.peer.is_none() && self.bytes.is_none() && self.round.is_none() {
            (self.peer, self.bytes, self.round) = (next.peer, next.bytes, next.round);
        }
        self.end = next.end;
    }
}

impl Rank {
    /// The activity of the rank between tasks, as far as the rank alone shows it.
    pub fn between_tasks(&self) -> DetailedActivity {
        match self.state {
            State::Computing { .. } => {
                DetailedActivity { step: Some(RankStep::Computation), ..Activity::Compute.into() }
            }
            State::Finished { .. } => Activity::Idle.into(),
            State::Ready { .. } | State::Active { .. } | State::Waiting => {
                DetailedActivity::waiting(Awaited::Unknown)
            }
        }
    }
}
