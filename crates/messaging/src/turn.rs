//! A core's turn: it ends the task that is due and begins others, until one takes time or nothing is left to do.
//!
//! ```text
//!   forward   a packet that it has read as a relay      nothing else before that is written
//!   perform   the operations of its rank                packets of a send as far as FIFOs have room
//!   read      the packet that has waited longest        not while its rank computes, unless somebody else reads then
//!   receive   a message of another rank of its node
//!   read      a packet of the tree network, a wire      ([`crate::joint`])
//!   resume    its rank, if that is due
//!   write     a packet of the tree network, a wire
//!   write     the next packet of its messages
//!   wait
//! ```
//!
//! Only one thing is done at a time, and the first that there is. The time line counts processor cycles; what the
//! network sees of it is rounded up to network cycles ([`base::clock`]). Packets are read in [`crate::reading`]
//! and written in [`crate::writing`]. A co-processor has a time line of its own ([`crate::coprocessor`]), and so
//! has the DMA engine of a node ([`crate::dma`]).

use crate::core::{Core, Notice, Rank, State, Task};
use crate::observing::Observing;
use crate::parameters::Parameters;
use crate::ranks::{Completion, End, MessageId, Operation, RankSlot, Ranks};
use crate::receiving::{Arriving, Receiving};
use crate::sends::Outgoing;
use crate::setup::Setup;
use crate::spread::Spread;
use crate::totals::{Counts, Totals};
use crate::transfer::Kind;
use base::clock::ClockRatio;
use base::memory::{self, Snug};
use network::node::pool::Pool;
use network::node::software::{NodeIo, Resume};
use serde::{Deserialize, Serialize};

/// What the cores of a node share.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shared {
    /// Packets of messages so far: their names.
    pub packets: u64,
    /// Packets forwarded so far.
    pub forwarded: u64,
    /// Unacknowledged packets, if their number is bounded.
    pub unacknowledged: u32,
    pub receiving: Receiving,
    pub totals: Totals,
    /// Transfers begun by ranks of the node, and those that have ended at them.
    pub begun: u64,
    pub ended: u64,
}

/// The processor cycle at which longer computations end: months, which no run reaches.
pub(crate) const LATEST: u64 = 1 << 53;

/// Vectors that runs of software reuse.
#[derive(Default)]
pub(crate) struct Scratch {
    completions: Vec<Completion>,
    operations: Vec<Operation>,
    pub accepted: Vec<MessageId>,
}

/// What is done for a kind of transfer. Unless it says otherwise, that is a single packet without data that keeps its
/// order and does nothing. The callbacks have the names that the message layer of Blue Gene/L gave them (slides, October
/// 2003): `cb_recvnew`, `cb_recvdone`, `cb_senddone`, `cb_dispatch`.
pub(crate) trait Protocol: Sync {
    /// Number of packets.
    fn packets(&self, _: &Setup, _bytes: u64) -> u32 {
        1
    }

    /// Size in chunks of a packet.
    fn chunks(&self, setup: &Setup, _bytes: u64, _index: u32) -> u8 {
        setup.control_chunks
    }

    /// Size in chunks of its smallest packet, of messages of this length or of any.
    fn smallest_chunks(&self, setup: &Setup, _bytes: Option<u64>) -> u8 {
        setup.control_chunks
    }

    /// Whether its packets keep their order.
    fn is_deterministic(&self, _: &Setup) -> bool {
        true
    }

    /// Processor cycles to handle a packet, beside reading it (`cb_dispatch`).
    fn dispatch(&self, _: &Parameters, _chunks: u8) -> u64 {
        0
    }

    /// Processor cycles for the first packet and for the last, beside that.
    fn once(&self, parameters: &Parameters) -> (u32, u32);

    /// Processor cycles before its first packet is written.
    fn setup(&self, parameters: &Parameters) -> u32 {
        parameters.setup_processor_cycles
    }

    /// Its first packet begins to be read, at processor cycle `time` (`cb_recvnew`).
    fn recv_new(&self, _: &mut Turn<'_, '_>, _: &Arriving, _time: u64) {}

    /// Its last packet has been read, at processor cycle `time` (`cb_recvdone`).
    fn recv_done(&self, _: &mut Turn<'_, '_>, _: &Arriving, _time: u64) {}

    /// Its last packet is being written (`cb_senddone`). Returns whether its rank, if it wants to hear of that, will do so
    /// when that has been written.
    fn send_done(&self, _: &mut Turn<'_, '_>, _: &Outgoing) -> bool {
        false
    }
}

/// A core whose turn it is.
pub(crate) struct Turn<'a, 'io> {
    pub setup: &'a Setup,
    /// What is registered for a kind of transfer.
    pub protocol_of: fn(Kind) -> &'static dyn Protocol,
    pub counts: &'a mut Counts,
    pub cores: &'a mut [Core],
    /// Its number.
    pub number: usize,
    /// Its set of FIFOs.
    pub set: usize,
    /// The place of the node's first rank among those of `ranks`.
    pub first_slot: usize,
    pub shared: &'a mut Shared,
    pub pool: &'a mut Pool<Outgoing>,
    /// Messages that are being spread, by set of FIFOs; empty if messages never are.
    pub spreads: &'a mut [Spread],
    /// Chunks of these still to come, by FIFO.
    pub unwritten: &'a mut [u64],
    pub ranks: &'a mut dyn Ranks,
    pub scratch: &'a mut Scratch,
    pub observer: Option<&'a mut Observing>,
    /// Whether a core has left something for another that has had its turn.
    pub has_handed_over: bool,
    pub io: &'a mut NodeIo<'io>,
}

/// How a turn goes on.
pub(crate) enum Step {
    /// Something has been done, or a task has begun.
    Done,
    /// Nothing can be done until then.
    Wait(Resume),
}

impl Turn<'_, '_> {
    /// Runs all cores of the node, in order; returns when one of them has to run again.
    #[inline]
    pub fn run_all(&mut self) -> Resume {
        if let [_] = self.cores {
            self.fill(0);
            return self.run();
        }
        self.run_in_turns()
    }

    /// Runs each of several cores, until none has left anything for another.
    fn run_in_turns(&mut self) -> Resume {
        let mut resume = Resume::IDLE;
        while std::mem::take(&mut self.has_handed_over) {
            resume = Resume::IDLE;
            for number in 0..self.cores.len() {
                self.number = number;
                self.set = self.io.fabric.fifo_sets.of_core(self.core_number());
                self.fill(number);
                resume = resume.or(self.run());
            }
        }
        resume
    }

    /// Runs the core; returns when it has to run again.
    pub fn run(&mut self) -> Resume {
        loop {
            let core = &mut self.cores[self.number];
            let (now, end) = (self.io.now, core.ends);
            if let Some(task) = core.task.take_if(|_| end <= now) {
                self.end(task, end);
            } else if core.task.is_some() {
                if self.setup.is_plain || !self.setup.has_interrupts() {
                    return Resume::at(end);
                }
                if self.interrupt() {
                    continue;
                }
                return self.busy_until(end);
            }
            let step = match () {
                () if !self.setup.is_plain && self.is_coprocessor() => self.next_of_coprocessor(),
                () if !self.setup.is_plain && self.is_dma() => self.next_of_dma(),
                () => self.next(),
            };
            if let Step::Wait(resume) = step {
                return resume;
            }
        }
    }

    pub fn clock(&self) -> ClockRatio {
        self.io.fabric.parameters.node.clock
    }

    pub fn core(&mut self) -> &mut Core {
        &mut self.cores[self.number]
    }

    /// A rank of the node.
    pub fn rank_of(&mut self, rank: u32) -> &mut Rank {
        self.cores[self.setup.line(rank)].rank.as_mut().expect("the rank is on the node")
    }

    pub fn rank(&mut self) -> &mut Rank {
        self.core().rank.as_mut().expect("the core has a rank")
    }

    /// The core to which the time line belongs, its own or that of its co-processor.
    pub fn core_number(&self) -> usize {
        self.setup.core_of(self.number)
    }

    pub fn chunk_bytes(&self) -> u32 {
        self.io.fabric.parameters.packet.chunk_bytes
    }

    /// The processor cycle at which the core begins what has been waiting for it.
    #[inline]
    pub fn start(&mut self) -> u64 {
        let core = &self.cores[self.number];
        if core.ends >= self.io.now.max(1) {
            core.free_at
        } else {
            self.clock().processor_cycle_of(self.io.now)
        }
    }

    #[inline]
    pub fn begin(&mut self, task: Task, start: u64, end: u64) {
        if self.observer.is_some() {
            self.observe_begin(&task, start, end);
        }
        let clock = self.clock();
        let core = self.core();
        core.began_at = start;
        core.set_free_at(end, clock);
        core.task = Some(task);
    }

    /// Ends a task, at network cycle `time`.
    fn end(&mut self, task: Task, time: u64) {
        match task {
            Task::Write { fifo, packet, reports } => self.end_write(fifo, packet, reports, time),
            Task::Read(received) => self.end_read(&received, time),
            Task::Call | Task::Interrupt => {}
            Task::Take(packet) => self.receive(packet.tag),
            Task::Give(given) => self.end_give(*given),
            Task::Describe => self.end_describe(),
            Task::Local(local) => {
                let time = self.core().free_at;
                self.receive_local(self.number, local, time);
            }
            Task::WriteTree(packet) => self.end_tree_write(packet),
            Task::ReadTree(packet) => self.end_tree_read(&packet),
            Task::Raise(number) => self.io.raise_wire(number),
            Task::SeeRelease => self.end_seeing_release(),
            Task::Compute => self.end_compute(),
        }
    }

    /// Does the first thing that there is to do.
    #[inline]
    fn next(&mut self) -> Step {
        let core = &self.cores[self.number];
        if let Some(&forwarded) = core.to_forward.front() {
            return self.forward(&forwarded);
        }
        if core.is_interrupted {
            if self.handle_interrupt() {
                return Step::Done;
            }
            self.core().is_interrupted = false;
        }
        if self.is_active() {
            return self.continue_rank();
        }
        if self.begin_read() || self.begin_local() || self.begin_joint_read() {
            return Step::Done;
        }
        let (clock, now) = (self.clock(), self.io.now);
        let due = self.core().rank.as_ref().and_then(Rank::due);
        if due.is_some_and(|due| clock.cycle_of(due) <= now) {
            self.resume(due.expect("it is due"));
            return Step::Done;
        }
        if self.begin_joint_write() {
            return Step::Done;
        }
        let mut resume = Resume::when_received(self.set);
        if !self.setup.is_plain && self.setup.has_movers() {
            resume.when_received = 0; // somebody else reads
        }
        if let Some(due) = due {
            resume.at = clock.cycle_of(due);
        }
        match self.write_next() {
            Ok(()) => Step::Done,
            Err(blocked) => Step::Wait(resume.or(blocked)),
        }
    }

    fn is_active(&mut self) -> bool {
        self.core().rank.as_ref().is_some_and(Rank::is_active)
    }

    /// Goes on with the operations of the rank.
    fn continue_rank(&mut self) -> Step {
        if self.core().writes_first {
            if self.begin_joint_write() || self.write_next().is_ok() {
                return Step::Done;
            }
            self.core().writes_first = false;
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
        Step::Done
    }

    /// Has nothing to do until a time, if that is later than the end of the last task; returns the later one.
    pub fn be_idle_until(&mut self, time: u64) -> u64 {
        let (clock, free_at) = (self.clock(), self.core().free_at);
        if free_at < time {
            self.observe_gap(time);
            self.core().set_free_at(time, clock);
        }
        free_at.max(time)
    }

    /// Lets the rank hear of what is due, and takes its next operations.
    fn resume(&mut self, due: u64) {
        let time = self.be_idle_until(due);
        let slot = self.slot(self.number);
        let was_computing = matches!(self.rank().state, State::Computing { .. });
        if was_computing && !self.rank().operations.is_empty() {
            self.rank().state = State::Active { computed: true };
            return;
        }
        let Turn { scratch: Scratch { completions, operations, .. }, cores, number, ranks, .. } = self;
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
            Operation::Join { number, joint } => {
                self.join(number, joint);
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

    /// What is left for another core at processor cycle `time` is there for it at once, if that has come.
    pub fn hand_over(&mut self, time: u64) {
        self.has_handed_over |= self.clock().cycle_of(time) <= self.io.now;
    }

    /// The ranks of the node begin a transfer to so many ranks.
    pub fn begin_transfer(&mut self, receivers: u64) {
        self.shared.begun += receivers;
        self.counts.begun += receivers;
    }

    /// A transfer has ended at a rank of the node.
    pub fn end_transfer(&mut self) {
        self.shared.ended += 1;
        self.counts.ended += 1;
    }

    /// The place of the state of a core's rank.
    pub fn slot(&self, core: usize) -> RankSlot {
        let rank = self.cores[core].rank.as_ref().expect("the core has a rank");
        RankSlot { rank: rank.number, slot: self.first_slot + core }
    }
}
