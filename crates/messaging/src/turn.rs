//! A core's turn: it ends the task that is due and begins others, until one takes time or nothing is left to do.
//!
//! ```text
//!   forward   a packet that it has read as a relay      nothing else before that is written
//!   perform   the operations of its rank                packets of a send as far as FIFOs have room
//!   read      the packet that has waited longest        not while its rank computes, unless somebody else reads then
//!   resume    its rank, if that is due
//!   write     the next packet of its messages
//!   wait
//! ```
//!
//! Only one thing is done at a time, and the first that there is. The time line counts processor cycles; what the
//! network sees of it is rounded up to network cycles ([`network::node::clock`]).

use crate::Place;
use crate::core::{Core, Notice, Rank, State, Task};
use crate::observer::{Activity, Interval, MessageId, Observer};
use crate::packetizer::packet;
use crate::ranks::{Completion, End, Operation, RankSlot, Ranks};
use crate::receiving::Receiving;
use crate::sends::Outgoing;
use crate::setup::Setup;
use crate::spread::Spread;
use crate::totals::{Counts, Totals};
use network::node::choice::FifoRequest;
use network::node::clock::ClockRatio;
use network::node::fifos::Received;
use network::node::forward::{FORWARDED, Forwarded};
use network::node::pool::Pool;
use network::node::relay;
use network::node::software::{NodeIo, Read, Resume};
use network::packet::{Stored, Tag};
use network::{ForwardAction, LaneKind, Offer};
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
}

/// The processor cycle at which longer computations end: months, which no run reaches.
pub(crate) const LATEST: u64 = 1 << 53;

/// Vectors that runs of software reuse.
#[derive(Default)]
pub(crate) struct Scratch {
    completions: Vec<Completion>,
    operations: Vec<Operation>,
}

/// A core whose turn it is.
pub(crate) struct Turn<'a, 'io> {
    pub setup: &'a Setup,
    pub counts: &'a mut Counts,
    pub cores: &'a mut [Core],
    /// Its number.
    pub number: usize,
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
    pub observer: Option<&'a mut (dyn Observer + 'static)>,
    pub io: &'a mut NodeIo<'io>,
}

/// How a turn goes on.
enum Step {
    /// Something has been done, or a task has begun.
    Done,
    /// Nothing can be done until then.
    Wait(Resume),
}

impl Turn<'_, '_> {
    /// Runs the core; returns when it has to run again.
    pub fn run(&mut self) -> Resume {
        loop {
            if let Some(task) = self.cores[self.number].task {
                let end = self.clock().cycle_of(self.core().free_at);
                if end > self.io.now {
                    return Resume { at: end, ..Resume::IDLE };
                }
                self.end(task);
            }
            if let Step::Wait(resume) = self.next() {
                return resume;
            }
        }
    }

    fn clock(&self) -> ClockRatio {
        self.io.fabric.parameters.node.clock
    }

    fn core(&mut self) -> &mut Core {
        &mut self.cores[self.number]
    }

    fn rank(&mut self) -> &mut Rank {
        self.core().rank.as_mut().expect("the core has a rank")
    }

    fn set(&self) -> usize {
        self.io.fabric.fifo_sets.of_core(self.number)
    }

    /// The processor cycle at which the core begins what has been waiting for it.
    fn start(&mut self) -> u64 {
        self.clock().start(self.core().free_at, self.io.now)
    }

    fn begin(&mut self, task: Task, start: u64, end: u64) {
        self.observe_task(&task, start, end);
        let core = self.core();
        core.free_at = end;
        core.task = Some(task);
    }

    fn end(&mut self, task: Task) {
        let time = self.clock().cycle_of(self.core().free_at);
        self.core().task = None;
        match task {
            Task::Write { fifo, packet, reports } => {
                self.io.write(fifo, packet, time);
                if let Some(number) = reports {
                    let time = self.core().free_at;
                    self.report(number, time);
                }
            }
            Task::Read(received) => self.end_read(&received, time),
            Task::Call | Task::Compute => {}
        }
    }

    /// Does the first thing that there is to do.
    fn next(&mut self) -> Step {
        if let Some(&forwarded) = self.core().to_forward.front() {
            return self.forward(&forwarded);
        }
        if self.is_active() {
            return self.continue_rank();
        }
        let set = self.set();
        if let Some(received) = self.io.begin_read(set) {
            let start = self.start();
            let cycles = u64::from(self.setup.parameters.read_processor_cycles);
            self.begin(Task::Read(received), start, start + cycles);
            return Step::Done;
        }
        let (clock, now) = (self.clock(), self.io.now);
        let due = self.core().rank.as_ref().and_then(Rank::due);
        if due.is_some_and(|due| clock.cycle_of(due) <= now) {
            self.resume(due.expect("it is due"));
            return Step::Done;
        }
        let mut resume = Resume { when_received: 1 << set, ..Resume::IDLE };
        if let Some(due) = due {
            resume.at = clock.cycle_of(due);
        }
        match self.write_next() {
            Ok(()) => Step::Done,
            Err(blocked) => Step::Wait(resume.or(blocked)),
        }
    }

    fn is_active(&mut self) -> bool {
        self.core().rank.as_ref().is_some_and(|rank| matches!(rank.state, State::Active { .. }))
    }

    /// Goes on with the operations of the rank.
    fn continue_rank(&mut self) -> Step {
        if self.core().writes_first {
            if self.write_next().is_ok() {
                return Step::Done;
            }
            self.core().writes_first = false;
        }
        let free_at = self.core().free_at;
        let rank = self.rank();
        match rank.operations.pop_front() {
            None => {
                // The next operations take the same places, which are in the cache.
                rank.operations.clear();
                let State::Active { computed } = rank.state else { unreachable!("the rank is active") };
                rank.state = if computed { State::Ready { at: free_at } } else { State::Waiting };
                let is_idle = !rank.is_busy();
                self.counts.busy -= u32::from(is_idle);
            }
            Some(operation) => self.perform(operation),
        }
        Step::Done
    }

    /// Lets the rank hear of what is due, and takes its next operations.
    fn resume(&mut self, due: u64) {
        let time = self.core().free_at.max(due);
        self.observe_gap(time);
        self.core().free_at = time;
        let slot = RankSlot { rank: self.rank().number, slot: self.first_slot + self.number };
        let was_computing = matches!(self.rank().state, State::Computing { .. });
        if was_computing && !self.rank().operations.is_empty() {
            self.rank().state = State::Active { computed: true };
            return;
        }
        let Turn { scratch: Scratch { completions, operations }, cores, number, ranks, .. } = self;
        let rank = cores[*number].rank.as_mut().expect("the core has a rank");
        let count = rank.inbox.partition_point(|notice| notice.time <= time);
        completions.extend(rank.inbox.drain(..count).map(|notice| notice.completion));
        ranks.resume(slot, time, completions, operations);
        completions.clear();
        rank.operations.extend(operations.drain(..));
        rank.state = State::Active { computed: false };
    }

    fn perform(&mut self, operation: Operation) {
        let time = self.core().free_at;
        match operation {
            Operation::Send { target, bytes, envelope, reports } => {
                self.send(target, bytes, envelope, reports, time);
                self.core().writes_first = true;
            }
            Operation::Call { cycles } => {
                self.occupy(Task::Call, time, cycles);
                // A rank that calls again and again, as to test a request, lets its messages make progress.
                self.core().writes_first = true;
            }
            Operation::Compute { cycles } => self.compute(time, cycles),
            Operation::Advance { until } => self.compute(time, until.saturating_sub(time)),
            Operation::Finish(end) => {
                let rank = self.rank();
                rank.state = State::Finished { at: time, end };
                rank.operations.clear();
                rank.inbox.clear();
                self.counts.busy -= 1;
                self.counts.unfinished -= 1;
                self.counts.failed += u32::from(end != End::Finalized);
                self.counts.last_finish = self.counts.last_finish.max(time);
            }
        }
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

    /// The rank of the core is notified that the last packet of a message has been written.
    pub fn report(&mut self, number: u32, time: u64) {
        let message = (self.rank().number, number);
        self.notify(self.number, Notice { time, message, completion: Completion::Sent(number) });
    }

    /// The rank of a core is notified, and sees it when it is resumed.
    pub fn notify(&mut self, core: usize, notice: Notice) {
        let rank = self.cores[core].rank.as_mut().expect("messages go to cores with ranks");
        let was_busy = rank.is_busy();
        rank.notify(notice);
        self.counts.busy += u32::from(rank.is_busy() && !was_busy);
    }

    /// Begins to write a packet that the node forwards. Until it can, the core reads nothing.
    fn forward(&mut self, forwarded: &Forwarded) -> Step {
        let Forwarded { offer, stored, number } = *forwarded;
        let request = FifoRequest { is_finite: true, ..self.request(&offer, number) };
        match request.choose(self.io, || offer.hops) {
            None => Step::Wait(Resume { when_room: true, ..Resume::IDLE }),
            Some(fifo) => {
                self.core().to_forward.pop_front();
                let start = self.start();
                self.write(fifo, offer.chunks, stored, None, start);
                Step::Done
            }
        }
    }

    fn request(&mut self, offer: &Offer, sequence: u64) -> FifoRequest {
        FifoRequest {
            set: self.set(),
            core: self.number,
            high_priority: offer.class.high_priority,
            chunks: offer.chunks,
            sequence,
            written: self.core().written,
            is_finite: false,
        }
    }

    /// Begins to write the next packet of the core's messages; if none can be written, tells what it waits for.
    fn write_next(&mut self) -> Result<(), Resume> {
        let (fabric, node) = (self.io.fabric, self.io.node);
        let Some(first) = self.cores[self.number].sends.first(self.pool) else {
            return Err(Resume::IDLE);
        };
        if fabric.is_paced(false) && fabric.window_is_full(self.shared.unacknowledged) {
            return Err(Resume::IDLE); // an acknowledgement will wake the software
        }
        let index = first.written;
        let sequence = first.first_packet + u64::from(index);
        let chunks = self.setup.packetizer.chunks(first.message.bytes, index);
        let offer = packet(fabric, node, first.place, &mut first.routes, sequence, chunks);
        let outgoing = *first;
        let request = self.request(&offer, sequence);
        let fifo =
            request.choose(self.io, || offer.hops).ok_or(Resume { when_room: true, ..Resume::IDLE })?;
        if index == 0 {
            self.io.announce(outgoing.header().announce_to(outgoing.place.node));
        }
        // As for packets of a source: the age of what has been waiting since cycle 0 counts from here.
        let offered = if outgoing.sent == 0 { self.io.now } else { outgoing.sent };
        let stored = Stored { offered, ..self.stored(&outgoing, &offer, sequence) };
        let is_last = index + 1 == outgoing.packets;
        self.shared.unacknowledged += u32::from(fabric.is_paced(false));
        self.cores[self.number].sends.advance(self.pool);
        let start = self.start();
        self.write(
            fifo,
            chunks,
            stored,
            (is_last && outgoing.reports).then_some(outgoing.message.number),
            start,
        );
        Ok(())
    }

    /// A packet of a message as the network carries it.
    pub fn stored(&self, outgoing: &Outgoing, offer: &Offer, sequence: u64) -> Stored {
        Stored {
            packet: self.io.fabric.layout.pack(self.io.node, LaneKind::Mixed, sequence, offer),
            offered: outgoing.sent,
            tag: Tag {
                action: offer.forward_action.code(),
                rank: outgoing.message.source,
                message: outgoing.message.number,
            },
            source: self.io.node,
        }
    }

    fn write(&mut self, fifo: usize, chunks: u8, packet: Stored, reports: Option<u32>, start: u64) {
        self.io.begin_write(fifo, chunks);
        self.core().written = self.core().written.wrapping_add(1);
        let cycles = u64::from(self.setup.parameters.write_processor_cycles);
        self.begin(Task::Write { fifo, packet, reports }, start, start + cycles);
    }

    fn end_read(&mut self, received: &Received, time: u64) {
        let stored = received.stored;
        let forward_action = self.io.fabric.forward_action(stored.tag);
        let is_relayed = matches!(forward_action, ForwardAction::RelayTo(_));
        self.io.end_read(received, Read { time, stored, is_relayed });
        if let ForwardAction::RelayTo(target) = forward_action {
            let count = self.shared.forwarded;
            let (offer, stored) = relay::next_segment(self.io.fabric, self.io.node, &stored, target, count);
            self.core().to_forward.push_back(Forwarded { offer, stored, number: FORWARDED | count });
            self.shared.forwarded += 1;
        } else {
            self.receive(stored.tag);
        }
    }
}

/// What an observer hears, if there is one.
impl Turn<'_, '_> {
    /// The core begins a task.
    #[inline]
    fn observe_task(&mut self, task: &Task, start: u64, end: u64) {
        if self.observer.is_some() {
            self.observe_gap(start);
            let (activity, message) = Activity::of(task);
            self.observe(activity, message, start, end);
        }
    }

    /// The core has had no task since its last one; now, at `end`, it continues with something else.
    #[inline]
    fn observe_gap(&mut self, end: u64) {
        let core = &self.cores[self.number];
        if self.observer.is_some() && core.free_at < end {
            self.observe(Activity::between_tasks(core.rank.as_ref()), None, core.free_at, end);
        }
    }

    fn observe(&mut self, activity: Activity, message: Option<MessageId>, start: u64, end: u64) {
        let place = Place { node: self.io.node, core: self.number as u8 };
        let rank = self.cores[self.number].rank.as_ref().map(|rank| rank.number);
        if let Some(observer) = &mut self.observer {
            observer.observe(&Interval { place, rank, activity, message, start, end });
        }
    }
}
