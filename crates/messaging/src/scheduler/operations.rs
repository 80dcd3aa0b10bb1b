//! Ranks: they are resumed with what has happened, and a core performs their operations.

use super::movers::Mover;
use super::{Scheduler, Scratch};
use crate::node::LATEST;
use crate::node::rank::{Notice, Rank, State};
use crate::node::task::Task;
use crate::ranks::{Completion, End, Operation};
use base::memory::{self, Compact};

impl Scheduler<'_, '_> {
    fn is_active(&mut self) -> bool {
        self.core().rank.as_ref().is_some_and(Rank::is_active)
    }

    /// Goes on with the operations of the rank; returns whether it has any.
    #[inline]
    pub fn perform_next<M: Mover>(&mut self) -> bool {
        if !self.is_active() {
            return false;
        }
        // Where packets interrupt computation, an answer to one does not wait for the next computation to end.
        if self.core().writes_first || self.setup.parameters.has_watermarks() {
            if self.begin_collective_write() {
                return true;
            }
            let Err(blocked) = self.write_next::<M>() else { return true };
            let core = self.core();
            (core.writes_first, core.awaits_room) = (false, blocked.when_room);
        }
        let free_at = self.core().free_at;
        let rank = self.rank();
        match rank.operations.pop_front() {
            None => {
                memory::rewind(&mut rank.operations);
                let State::Active { computed } = rank.state else { unreachable!("the rank is active") };
                rank.state = if computed { State::Ready { at: free_at } } else { State::Waiting };
                let is_idle = !rank.is_busy();
                self.counts.busy -= u32::from(is_idle);
            }
            Some(operation) => self.perform(operation),
        }
        true
    }

    /// Idles until `time`, if that is later than the end of the last task; returns the later one.
    pub fn be_idle_until(&mut self, time: u64) -> u64 {
        let (clock, free_at) = (self.clock(), self.core().free_at);
        if free_at < time {
            self.observe_gap(time);
            self.core().set_free_at(time, clock);
        }
        free_at.max(time)
    }

    /// Notifies the rank of what is due, and takes its next operations.
    pub fn resume(&mut self, due: u64) {
        let time = self.be_idle_until(due);
        let slot = self.slot(self.number);
        let was_computing = matches!(self.rank().state, State::Computing { .. });
        if was_computing && !self.rank().operations.is_empty() {
            self.rank().state = State::Active { computed: true };
            return;
        }
        let Scheduler { scratch: Scratch { completions, operations, .. }, cores, number, ranks, .. } = self;
        let rank = cores[*number].rank.as_mut().expect("the core has a rank");
        while let Some(notice) = rank.inbox.front()
            && notice.time <= time
        {
            completions.push(notice.completion);
            rank.inbox.pop_front();
        }
        memory::rewind(&mut rank.inbox);
        ranks.resume(slot, time, completions, operations);
        completions.clear();
        operations.drain(..).for_each(|operation| rank.operations.append_one(operation));
        rank.state = State::Active { computed: false };
    }

    fn perform(&mut self, operation: Operation) {
        let time = self.core().free_at;
        match operation {
            Operation::Send { .. } => {
                self.send(&operation, time);
                self.core().writes_first = true;
            }
            Operation::Deposit { .. } => {
                self.deposit(&operation, time);
                self.core().writes_first = true;
            }
            Operation::Accept { message } => self.accept(self.number, message, time),
            Operation::Join { number, on, collective } => {
                self.join(number, on.0, collective);
                self.core().writes_first = true;
            }
            Operation::Call { cycles } => {
                self.occupy(Task::Call, time, cycles);
                // A rank that calls again and again, as to test a request, lets its messages make progress.
                self.core().writes_first = true;
            }
            Operation::Compute { cycles } => self.compute(time, cycles),
            Operation::Advance { until } => self.compute(time, until.saturating_sub(time)),
            Operation::Finish(end) => self.finish(self.number, end, time),
            Operation::BeginRound { collective, round } => self.observe_round(collective, round, time),
        }
    }

    /// Ends the rank of a core.
    pub fn finish(&mut self, core: usize, end: End, time: u64) {
        let rank = self.cores[core].rank.as_mut().expect("a rank ends");
        self.counts.busy -= u32::from(rank.is_busy());
        rank.state = State::Finished { at: time, end };
        rank.operations.clear();
        rank.inbox.clear();
        self.counts.unfinished -= 1;
        self.counts.failed += u32::from(end.is_failure());
        self.counts.last_finish = self.counts.last_finish.max(time);
    }

    fn compute(&mut self, time: u64, cycles: u64) {
        let rank = self.rank();
        rank.computed = rank.computed.saturating_add(cycles);
        if self.setup.parameters.reads_while_computing {
            self.rank().state = State::Computing { until: time.saturating_add(cycles).min(LATEST) };
        } else {
            self.occupy(Task::Compute, time, cycles);
        }
    }

    /// The core does nothing else for a while.
    fn occupy(&mut self, task: Task, time: u64, cycles: u64) {
        self.rank().state = State::Active { computed: true };
        self.begin(task, time, time.saturating_add(cycles).min(LATEST));
    }

    /// A rank of the node is notified that the last packet of its message has been written.
    pub fn report(&mut self, source: u32, number: u32, time: u64) {
        let notice = Notice { time, message: (source, number), completion: Completion::Sent(number) };
        let line = self.setup.line(source);
        self.notify(line, notice);
        if line != self.number {
            self.hand_over(time);
        }
    }

    /// The rank of a core is notified, and sees it when it is resumed.
    pub fn notify(&mut self, core: usize, notice: Notice) {
        let rank = self.cores[core].rank.as_mut().expect("messages go to cores with ranks");
        let was_busy = rank.is_busy();
        rank.notify(notice);
        self.counts.busy += u32::from(rank.is_busy() && !was_busy);
        if let Completion::Arrived { id, .. } = notice.completion {
            self.observe_passage(core, id, false, notice.time);
        }
    }
}
