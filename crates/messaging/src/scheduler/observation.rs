//! The observation of time lines by an observer, if any.
//!
//! ```text
//!   task   |  pause                                     |  task
//!          |  as the end of a run finds it |  changed  |
//! ```
//!
//! Only what the scheduler changes ends a wait. Engines deliver announcements at other times, so that these
//! do not count: both engines split a wait in the same cycle.

use crate::mapping::Place;
use crate::node::rank::State;
use crate::node::task::Task;
use crate::ranks::{Blocking, Completion, MessageId, NetworkCollective, Pending, Round};
use crate::scheduler::Scheduler;
use crate::setup::Movers;
use crate::time_lines::awaited::Awaited;
use crate::time_lines::{Activity, BegunRound, DetailedActivity, Interval, Passage, RankStep, message_of};
use std::ops::Range;

impl Scheduler<'_, '_> {
    /// The core begins a task.
    #[cold]
    pub fn observe_begin(&mut self, task: &Task, start: u64, end: u64) {
        self.observe_gap(start);
        if !self.observes_at_end(task) {
            let detailed = DetailedActivity { step: self.step(Some(task)), ..DetailedActivity::of(task) };
            self.observe(detailed, start..end);
        }
    }

    /// The core has had no task since its last one; now, at `end`, it continues with something else.
    #[inline]
    pub fn observe_gap(&mut self, end: u64) {
        if self.observer.is_some() && self.cores[self.number].free_at < end {
            self.observe_pause(end);
        }
    }

    #[cold]
    fn observe_pause(&mut self, end: u64) {
        let (slot, free_at) = (self.first_slot + self.number, self.cores[self.number].free_at);
        let pause = self.observer.as_ref().and_then(|observing| observing.pause(slot, free_at));
        let (since, detailed) = pause.unwrap_or_else(|| (free_at, self.current_activity()));
        if since < end {
            self.observe(detailed, since..end);
        }
    }

    pub fn observe(&mut self, detailed: DetailedActivity, times: Range<u64>) {
        let core = if self.is_dma() { self.number } else { self.core_number() };
        let place = Place { node: self.io.node, core: core as u8 };
        let line = (self.is_coprocessor(), self.rank_of_line());
        if let Some(observing) = &mut self.observer {
            observing.observer_mut().observe(&Interval::of(place, line, detailed, times));
        }
    }

    /// A message passes between the rank of a core and the layer of messages.
    #[inline]
    pub fn observe_passage(&mut self, core: usize, message: MessageId, is_sent: bool, time: u64) {
        if let Some(observing) = &mut self.observer
            && let Some(rank) = self.cores[core].rank.as_ref()
        {
            observing.observer_mut().observe_passage(&Passage { rank: rank.number, message, is_sent, time });
        }
    }

    /// The rank of the core begins a round of a collective.
    pub fn observe_round(&mut self, collective: u32, round: Round, time: u64) {
        let rank = self.rank().number;
        if let Some(observing) = &mut self.observer {
            observing.observer_mut().observe_round(&BegunRound { rank, collective, round, time });
        }
    }

    /// The step of the core's rank of which the core does a task, or in which it waits.
    fn step(&self, task: Option<&Task>) -> Option<RankStep> {
        let core = &self.cores[self.number];
        let rank = core.rank.as_ref()?;
        let is_computing = match rank.state {
            State::Finished { .. } => return None,
            State::Computing { .. } => true,
            State::Ready { .. } | State::Active { .. } | State::Waiting => {
                core.is_interrupted || matches!(task, Some(Task::Compute))
            }
        };
        if is_computing {
            return Some(RankStep::Computation);
        }
        let pays = matches!(task, Some(Task::Call));
        Some(RankStep::Call(self.ranks.call(self.slot(self.number), pays)))
    }

    /// The rank of the time line's core.
    fn rank_of_line(&self) -> Option<u32> {
        let core = self.number - self.number % self.setup.lines_of_core;
        self.cores[core].rank.as_ref().map(|rank| rank.number)
    }

    /// All cores have run. The state of the node, which is the same for any engine, decides what cores without a task
    /// do from now on.
    #[cold]
    pub fn observe_pauses(&mut self) {
        for number in 0..self.cores.len() {
            self.number = number;
            let rank = self.rank_of_line();
            let follows = self.observer.as_ref().is_some_and(|observing| observing.observer().follows(rank));
            if follows && self.cores[number].task.is_none() {
                self.note_pause();
            }
        }
    }

    fn note_pause(&mut self) {
        let (slot, free_at) = (self.first_slot + self.number, self.cores[self.number].free_at);
        let detailed = self.current_activity();
        let before = self.observer.as_ref().and_then(|observing| observing.pause(slot, free_at));
        let since = match before {
            None => free_at,
            Some((since, before)) if before == detailed => since,
            Some((since, before)) => {
                let now = self.clock().processor_cycle_of(self.io.now).max(since);
                if since < now {
                    self.observe(before, since..now);
                }
                now
            }
        };
        if let Some(observing) = &mut self.observer {
            observing.note(slot, free_at, (since, detailed));
        }
    }

    fn current_activity(&mut self) -> DetailedActivity {
        DetailedActivity { step: self.step(None), ..self.activity_without_task() }
    }

    /// The activity of a core without a task.
    fn activity_without_task(&mut self) -> DetailedActivity {
        let core = &self.cores[self.number];
        let state = core.rank.as_ref().map(|rank| rank.state);
        if let Some(State::Computing { .. }) = state {
            return Activity::Compute.into();
        }
        if let Some(first) = core.to_forward.front() {
            let message = Some(message_of(&first.stored));
            return DetailedActivity { message, ..DetailedActivity::waiting(Awaited::Forwarding) };
        }
        match state {
            Some(State::Waiting) => self.wait(),
            Some(State::Ready { .. } | State::Active { .. } | State::Computing { .. }) => {
                DetailedActivity::waiting(Awaited::Unknown)
            }
            Some(State::Finished { .. }) | None => self.left_to_write().unwrap_or(Activity::Idle.into()),
        }
    }

    /// The packets that a core still has to write when no rank runs on it.
    fn left_to_write(&mut self) -> Option<DetailedActivity> {
        if self.is_coprocessor() {
            let (passed, given) = self.cores[self.number].handover.given.front()?;
            let message = Some(message_of(&given.packet.stored));
            let is_there = self.clock().cycle_of(*passed) <= self.io.now;
            return is_there
                .then(|| DetailedActivity { message, ..DetailedActivity::waiting(Awaited::InjectionFifo) });
        }
        let room = DetailedActivity::waiting(self.room());
        let next = self.cores[self.number].sends.first(self.pool)?;
        Some(room.about_own(next.message.id(), next.target, next.message.bytes))
    }

    /// The obstacle that keeps the core from writing the next packet of its messages.
    fn room(&self) -> Awaited {
        let fabric = self.io.fabric;
        let is_paced = fabric.is_paced(false) && fabric.window_is_full(self.shared.unacknowledged);
        match self.setup.movers {
            Movers::DmaEngine if !self.is_dma() => Awaited::Dma,
            Movers::Cores | Movers::Coprocessors | Movers::DmaEngine if is_paced => Awaited::Acknowledgement,
            Movers::Coprocessors => Awaited::Coprocessor,
            Movers::Cores | Movers::DmaEngine => Awaited::InjectionFifo,
        }
    }

    /// The wait of the core's rank.
    fn wait(&mut self) -> DetailedActivity {
        let rank = self.rank();
        if let Some(notice) = rank.inbox.front() {
            let poll = DetailedActivity::waiting(Awaited::Poll);
            return match &notice.completion {
                Completion::Arrived { id, bytes } => poll.about(*id, *bytes),
                Completion::Sent(_) | Completion::Begun(_) | Completion::Joined(_) => poll,
            };
        }
        let Blocking { pending, round } = self.ranks.blocking(self.slot(self.number));
        let wait = match pending {
            Pending::Unknown => DetailedActivity::waiting(Awaited::Unknown),
            Pending::Receive { source } => {
                DetailedActivity { peer: source, ..DetailedActivity::waiting(Awaited::Message) }
            }
            Pending::Message { id, bytes } => {
                let has_begun = self.shared.arrivals.has_begun(id);
                let wait = DetailedActivity::waiting(if has_begun { Awaited::Rest } else { Awaited::Body });
                DetailedActivity { message: Some(id), peer: Some(id.source), bytes: Some(bytes), ..wait }
            }
            Pending::Send { number, target, bytes } => {
                let id = MessageId { source: self.rank().number, number };
                DetailedActivity::waiting(self.awaited_by_send(id, target)).about_own(id, target, bytes)
            }
            Pending::Join(NetworkCollective::Tree(_)) => DetailedActivity::waiting(Awaited::Tree),
            Pending::Join(NetworkCollective::Barrier) => DetailedActivity::waiting(Awaited::Interrupts),
        };
        DetailedActivity { round, ..wait }
    }

    /// The event that a send of the rank waits for.
    fn awaited_by_send(&mut self, id: MessageId, target: u32) -> Awaited {
        if let Some(request) = self.rank().unsettled.request(id.number) {
            return request.awaited();
        }
        if self.setup.map.place(target).node == self.io.node {
            return Awaited::SameNode;
        }
        if self.cores[self.number].sends.messages(self.pool).any(|outgoing| outgoing.message.id() == id) {
            return self.room();
        }
        match self.setup.movers {
            Movers::DmaEngine => Awaited::Dma,
            Movers::Coprocessors => Awaited::Coprocessor,
            Movers::Cores => Awaited::Unknown,
        }
    }
}
