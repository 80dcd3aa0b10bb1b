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
use crate::ranks::MessageId;
use crate::transfer::Kind;
use network::packet::Stored;
use std::any::Any;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

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

/// An interval of a core's time line. Times are processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The core; the DMA engine of a node has the number behind its last.
    pub place: Place,
    /// Whether the time line is that of its co-processor.
    pub is_coprocessor: bool,
    /// The rank of the core, if it has one.
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

/// An observer that keeps intervals; [`crate::Report::time_lines`] returns those of all parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorder {
    /// The intervals in the order in which they were observed.
    pub intervals: Vec<Interval>,
    /// Which intervals are kept; all, if there is none.
    excerpt: Option<Excerpt>,
    /// Of an excerpt, by rank: how many are kept, and the start of the first beyond its limit.
    kept: BTreeMap<u32, (usize, Option<u64>)>,
}

/// A part of the time lines. It is the same for any number of threads: its limit is one of each rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The ranks whose intervals are kept.
    pub ranks: RangeInclusive<u32>,
    /// Processor cycles of which an interval has to have one. Those that take no time count as being at their start.
    pub times: RangeInclusive<u64>,
    /// The most intervals that are kept of a rank: its first.
    pub intervals_of_rank: usize,
}

impl Recorder {
    /// A recorder of an excerpt.
    pub fn of(excerpt: Excerpt) -> Self {
        Recorder { excerpt: Some(excerpt), ..Recorder::default() }
    }

    /// The start of the first interval of a rank beyond the limit of its excerpt, if there is one.
    pub fn cut_at(&self) -> Option<u64> {
        self.kept.values().filter_map(|(_, cut_at)| *cut_at).min()
    }

    fn keeps(&mut self, interval: &Interval) -> bool {
        let Some(excerpt) = &self.excerpt else { return true };
        let Some(rank) = interval.rank.filter(|rank| excerpt.ranks.contains(rank)) else { return false };
        let (first, last) = (interval.start, interval.end.max(interval.start + 1) - 1);
        if first > *excerpt.times.end() || last < *excerpt.times.start() {
            return false;
        }
        let (kept, cut_at) = self.kept.entry(rank).or_default();
        let is_within = *kept < excerpt.intervals_of_rank;
        match is_within {
            true => *kept += 1,
            false => drop(cut_at.get_or_insert(interval.start)),
        }
        is_within
    }
}

impl Observer for Recorder {
    fn observe(&mut self, interval: &Interval) {
        if self.keeps(interval) {
            self.intervals.push(*interval);
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Activity {
    /// Its name in files of time lines.
    pub fn name(self) -> &'static str {
        match self {
            Activity::Write => "write",
            Activity::Read => "read",
            Activity::Copy => "copy",
            Activity::Call => "call",
            Activity::Interrupt => "interrupt",
            Activity::Compute => "compute",
            Activity::Wait => "wait",
            Activity::Idle => "idle",
        }
    }

    pub(crate) fn of(task: &Task) -> (Self, Option<MessageId>) {
        match task {
            Task::Write { packet, .. } => (Activity::Write, Some(message_of(packet))),
            Task::Read(received) => (Activity::Read, Some(message_of(&received.stored))),
            Task::Describe => (Activity::Write, None),
            Task::Take(packet) => (Activity::Copy, Some(message_of(packet))),
            Task::Give(given) => (Activity::Copy, Some(message_of(&given.packet.stored))),
            Task::Local(local) => (Activity::Copy, Some(local.message.id())),
            Task::WriteTree(_) => (Activity::Write, None),
            Task::ReadTree(_) => (Activity::Read, None),
            Task::Call | Task::Raise(_) | Task::SeeRelease => (Activity::Call, None),
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

fn message_of(packet: &Stored) -> MessageId {
    MessageId { source: packet.tag.rank, number: Kind::message_of(packet.tag.message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(rank: u32, start: u64, end: u64) -> Interval {
        let place = Place { node: rank, core: 0 };
        let activity = Activity::Read;
        Interval { place, is_coprocessor: false, rank: Some(rank), activity, message: None, start, end }
    }

    #[test]
    fn an_excerpt_has_the_first_intervals_of_its_ranks_in_its_times() {
        let mut recorder = Recorder::of(Excerpt { ranks: 1..=2, times: 10..=19, intervals_of_rank: 2 });
        let kept = [interval(1, 5, 11), interval(2, 10, 10), interval(2, 19, 25)];
        let outside = [interval(0, 12, 13), interval(3, 12, 13), interval(1, 5, 10), interval(1, 20, 20)];
        outside.iter().chain(&kept).for_each(|interval| recorder.observe(interval));
        let of_no_rank = Interval { rank: None, ..interval(1, 12, 13) };
        recorder.observe(&of_no_rank);
        assert_eq!((&recorder.intervals[..], recorder.cut_at()), (&kept[..], None));
        recorder.observe(&interval(2, 15, 17));
        recorder.observe(&interval(1, 11, 12));
        recorder.observe(&interval(1, 16, 18));
        assert_eq!((recorder.intervals.len(), recorder.cut_at()), (4, Some(15)));
    }
}
