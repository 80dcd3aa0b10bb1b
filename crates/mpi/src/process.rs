//! The MPI library of one rank: it turns calls into messages, and messages into outcomes of calls.

mod arrivals;
mod collectives;
mod memory_estimate;
mod transfers;
mod waiting;

use crate::call::{Mode, ReceiveFrom, SendTo, Transfer};
use crate::collectives::Tuning;
use crate::communication::Communication;
use crate::communicators::{Communicators, Given, WORLD};
use crate::digest::Digest;
use crate::in_progress::InProgress;
use crate::matching::{Arrived, Matcher, Owner, Selector};
use crate::ordering::{Label, Ordering};
use crate::requests::Table;
use crate::{Call, Costs, Needed, Outcome, Requests, Status};
use base::memory::{self, Absent, Compact, OnDemand};
use messaging::{End, Operation, RouteName, Waiting};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The time at which the library acts, the costs, and the operations that it requests of the message layer.
pub(crate) struct Now<'a> {
    pub time: u64,
    pub costs: &'a Costs,
    pub operations: &'a mut Vec<Operation>,
    /// Whether rounds of collectives are reported, to observers.
    pub reports_rounds: bool,
}

/// A probe; `takes` if it takes the message that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Probe {
    selector: Selector,
    takes: bool,
}

/// The reason why a rank is blocked, and the time since when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Blocked {
    since: u64,
    on: Awaited,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Awaited {
    /// Sends and receives of the call that are left, and the last message, a received one if any.
    Transfers {
        left: u8,
        status: Status,
    },
    Requests(Requests, Needed),
    Probed(Probe),
    /// The collective with this key.
    Collective(u32),
    /// The end of the rank.
    End,
}

/// A message that is being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sending {
    /// The rank of the machine to which the message goes; for a line, the last rank.
    target: u32,
    status: Status,
    owner: Owner,
}

/// A step of a collective that is a network collective, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct NetworkStep {
    number: u32,
    collective: u32,
    part: u16,
}

/// A message to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Outgoing {
    /// The rank of the machine to which the message goes.
    target: u32,
    bytes: u64,
    label: Label,
    /// The number in its stream: messages match in the order of their calls, also if one has to be copied first.
    sequence: u32,
    mode: Mode,
    owner: Owner,
}

/// A receive that has matched a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Incoming {
    /// The rank of the machine that has sent the message.
    origin: u32,
    status: Status,
    /// The ids that the message proposes.
    proposed: u32,
    owner: Owner,
    /// Blocks into which the message is unpacked.
    blocks: u32,
    /// Whether the message arrived before the receive was posted, and has to be copied.
    is_copied: bool,
}

/// The action that follows work of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum After {
    /// The end of a receive, whose data have been copied, unpacked or combined.
    Receive(Incoming),
    /// A send, whose data have been copied or packed.
    Send(Outgoing),
    /// The end of a step of a collective.
    Step { collective: u32, part: u16 },
}

/// Work of the library that takes processor cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Work {
    cycles: u64,
    after: After,
}

/// The knowledge of what a program does next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Next {
    /// The program has yet to receive the outcome of its last call.
    #[default]
    Unknown,
    /// The program has received it, and will answer.
    Asked,
    /// The program has answered.
    Known,
    /// The program has answered, and the whole cost of the call that it makes next has passed.
    Paid,
}

/// State that the libraries of most ranks do not need.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Uncommon {
    /// Receives whose messages were complete before they could be matched, as earlier ones were missing.
    ready: Vec<Incoming>,
    /// The messages that matched probes have taken and that have not been received, by handle.
    taken: BTreeMap<u32, Arrived>,
    next_handle: u32,
    /// Network collectives in progress, and the number of those begun so far.
    network_steps: Vec<NetworkStep>,
    network_collectives: u32,
    /// Agreements of all ranks so far, if these can give class routes.
    creations: u32,
}

impl Absent for Uncommon {
    const ABSENT: &'static Self = &Uncommon {
        ready: Vec::new(),
        taken: BTreeMap::new(),
        next_handle: 0,
        network_steps: Vec::new(),
        network_collectives: 0,
        creations: 0,
    };
}

impl Uncommon {
    /// Bytes in addition to the value itself.
    fn bytes(&self) -> usize {
        self.ready.capacity() * size_of::<Incoming>()
            + self.taken.len() * size_of::<(u32, Arrived)>()
            + self.network_steps.capacity() * size_of::<NetworkStep>()
    }
}

/// The state of one rank's library.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Process {
    pub rank: u32,
    /// Number of ranks.
    size: u32,
    communicators: Communicators,
    ordering: Ordering,
    matcher: Matcher,
    collectives: Vec<InProgress>,
    next_collective: u32,
    blocked: Option<Blocked>,
    /// The end of the rank, if its program is erroneous.
    pub fault: Option<End>,
    /// Whether it is known what the program does next.
    pub next: Next,
    /// The next actions of the program, once they are known: computation, then a call. If nothing is left, the
    /// program has ended.
    pub to_do: VecDeque<Call>,
    /// The outcome of the last call.
    pub outcome: Outcome,
    pub requests: Table,
    /// The messages that the rank has sent to each rank, if they are counted.
    pub communication: Option<Box<Communication>>,
    /// Receives whose messages are not complete.
    incoming: Vec<Incoming>,
    /// Work to do, of which the first is in progress if the rank `works`.
    work: VecDeque<Work>,
    works: bool,
    sending: VecDeque<Sending>,
    messages_sent: u32,
    uncommon: OnDemand<Uncommon>,
    /// MPI calls made, including the one in progress.
    pub calls: u64,
    pub digest: Digest,
}

impl Process {
    /// The library of a rank that has made no call, and is in the given communicators in addition to that of all
    /// ranks.
    pub fn new(rank: u32, size: u32, communicators: &[Given]) -> Self {
        let communicators = Communicators::new(rank, size, communicators);
        let ordering = Ordering::new(size);
        // Most programs make one call at a time.
        let to_do = VecDeque::with_capacity(1);
        Process { rank, size, communicators, ordering, to_do, ..Process::default() }
    }

    /// Gives a rank that has made no call the communicators that exist from the start.
    pub fn give_communicators(&mut self, given: &[Given]) {
        self.communicators = Communicators::new(self.rank, self.size, given);
    }

    /// The ranks of a class route in which this rank is.
    pub fn members(&self, on: RouteName) -> Vec<u32> {
        self.communicators.members(on)
    }

    /// Whether the rank is blocked in a call.
    pub fn is_blocked(&self) -> bool {
        self.blocked.is_some()
    }

    /// The operation that the rank is waiting for.
    pub fn waiting(&self) -> Waiting {
        let since = self.blocked.as_ref().map_or(0, |blocked| blocked.since);
        Waiting { since, what: self.waiting_for() }
    }

    /// Bytes in addition to the value itself.
    pub fn bytes(&self) -> usize {
        self.matcher.bytes()
            + self.ordering.bytes()
            + self.communicators.bytes()
            + self.collectives.capacity() * size_of::<InProgress>()
            + self.collectives.iter().map(InProgress::bytes).sum::<usize>()
            + self.requests.bytes()
            + self.to_do.capacity() * size_of::<Call>()
            + self.incoming.capacity() * size_of::<Incoming>()
            + self.work.capacity() * size_of::<Work>()
            + self.sending.capacity() * size_of::<Sending>()
            + self.uncommon.bytes(Uncommon::bytes)
            + self.communication.as_ref().map_or(0, |counted| size_of::<Communication>() + counted.bytes())
    }

    /// Prefetches the state that most resumptions access.
    pub fn prefetch(&self) {
        self.collectives
            .first()
            .into_iter()
            .for_each(|collective| memory::lines(std::slice::from_ref(collective)));
        self.incoming.first().into_iter().for_each(memory::line);
    }

    /// Prefetches the first elements of the queues.
    pub fn prefetch_queues(&self, is_busy: bool) {
        self.matcher.prefetch();
        self.ordering.prefetch();
        if is_busy {
            self.incoming.first().into_iter().for_each(memory::software);
            self.sending.front().into_iter().for_each(memory::software);
            self.to_do.front().into_iter().for_each(memory::software);
            self.requests.prefetch();
        }
    }

    /// Prefetches the state that the arrival of a message of another rank accesses in addition.
    pub fn prefetch_arrival(&self, source: u32) {
        self.ordering.prefetch_received(source);
        self.matcher.prefetch();
    }

    /// Makes a call, whose cost has passed.
    pub fn make(&mut self, call: Call, now: &mut Now<'_>) {
        match call {
            Call::Begin { transfer, request } => self.begin(transfer, request, now),
            Call::Send { target, tag, bytes } => {
                self.begin(Transfer::Send(SendTo::new(target, tag, bytes)), None, now);
            }
            Call::SendNonBlocking { target, tag, bytes, request } => {
                self.begin(Transfer::Send(SendTo::new(target, tag, bytes)), Some(request), now);
            }
            Call::Receive { source, tag } => {
                self.begin(Transfer::Receive(ReceiveFrom::new(source, tag)), None, now);
            }
            Call::ReceiveNonBlocking { source, tag, request } => {
                self.begin(Transfer::Receive(ReceiveFrom::new(source, tag)), Some(request), now);
            }
            Call::SendReceive { send, receive } => {
                self.block_in_transfers(2, now.time);
                self.transfer(Transfer::Receive(receive), Owner::Call, now);
                self.transfer(Transfer::Send(send), Owner::Call, now);
            }
            Call::Prepare { transfer, request } => {
                self.requests.prepare(request, transfer);
                self.complete(self.calls, now.time, Status::default());
            }
            Call::Start { requests } => self.start(requests.set(), now),
            Call::Free { request } => {
                self.requests.free(request);
                self.complete(self.calls, now.time, Status::default());
            }
            Call::Wait { requests, needed } => self.block(Awaited::Requests(requests, needed), now.time),
            Call::Test { requests } => self.test(requests.set(), Needed::All, now.time),
            Call::TestAny { requests } => self.test(requests.set(), Needed::Any, now.time),
            Call::TestSome { requests } => self.test(requests.set(), Needed::Some, now.time),
            Call::Probe { source, tag, blocks } => {
                self.probe(&ReceiveFrom::new(source, tag), false, blocks, now.time);
            }
            Call::MatchedProbe { source, tag, blocks } => {
                self.probe(&ReceiveFrom::new(source, tag), true, blocks, now.time);
            }
            Call::Find { message, takes, blocks } => self.probe(&message, takes, blocks, now.time),
            Call::MatchedReceive { handle } => {
                self.block_in_transfers(1, now.time);
                let message = self.take(handle);
                self.accept((Owner::Call, 0), &message, now);
            }
            Call::MatchedReceiveNonBlocking { handle, request } => {
                self.requests.begin(request, self.calls);
                let message = self.take(handle);
                self.accept((Owner::Request(request), 0), &message, now);
            }
            Call::Cancel { request } => self.cancel(request, now.time),
            Call::Collective(collective) => self.collect(collective, Tuning::default(), WORLD, None, now),
            Call::Collect { collective, communicator, request, tuning } => {
                self.collect(collective, *tuning, communicator, request, now);
            }
            Call::Create { communicator, members, new, order } => {
                self.create(communicator, (members, order), new, now);
            }
            Call::Define { members, new, id } => self.define(&members, new, id, now.time),
            Call::FreeCommunicator { communicator } => {
                self.communicators.free(communicator);
                self.complete(self.calls, now.time, Status::default());
            }
            Call::Time => {
                self.outcome.time = Some(now.time);
                self.complete(self.calls, now.time, Status::default());
            }
            Call::Abort { code } => self.end(End::Aborted { code }, now),
            Call::Fail => self.end(End::Failed, now),
            Call::Compute { .. } | Call::Advance { .. } => unreachable!("computation is no call"),
        }
    }

    fn end(&mut self, end: End, now: &mut Now<'_>) {
        now.operations.push(Operation::Finish(end));
        self.block(Awaited::End, now.time);
    }

    fn complete(&mut self, call: u64, time: u64, status: Status) {
        self.digest.record(self.rank, call, time, &status);
    }

    fn block(&mut self, on: Awaited, since: u64) {
        self.blocked = Some(Blocked { since, on });
        self.unblock(since);
    }

    /// Ends the call that blocks the rank, if the awaited event has happened.
    pub fn unblock(&mut self, time: u64) {
        match self.blocked.as_ref().map(|blocked| &blocked.on) {
            Some(Awaited::Requests(requests, needed)) => {
                if let Some(outcome) = self.requests.take(requests.set(), *needed) {
                    self.outcome = outcome;
                    self.blocked = None;
                    self.complete(self.calls, time, Status::default());
                }
            }
            Some(&Awaited::Probed(probe)) => {
                if self.find(&probe, time) {
                    self.blocked = None;
                }
            }
            Some(Awaited::Transfers { .. } | Awaited::Collective(_) | Awaited::End) | None => {}
        }
    }
}

/// Work of the library.
impl Process {
    /// Takes `cycles` processor cycles for work, then does `after`.
    fn work(&mut self, cycles: u64, after: After, now: &mut Now<'_>) {
        match cycles {
            0 => self.follow(after, now),
            _ => self.work.append_one(Work { cycles, after }),
        }
    }

    fn follow(&mut self, after: After, now: &mut Now<'_>) {
        match after {
            After::Receive(incoming) => self.end_receive(&incoming, now),
            After::Send(outgoing) => self.send(&outgoing, now),
            After::Step { collective, part } => self.end_step(collective, part, None, now),
        }
    }

    /// Begins the next work, if any; returns its processor cycles.
    pub fn begin_work(&mut self) -> Option<u64> {
        let cycles = self.work.front()?.cycles;
        self.works = true;
        Some(cycles)
    }

    /// Whether the library works.
    pub fn is_working(&self) -> bool {
        self.works
    }

    /// Ends the work in progress.
    pub fn end_work(&mut self, now: &mut Now<'_>) {
        if std::mem::take(&mut self.works) {
            let Work { after, .. } = self.work.pop_front().expect("work is being done");
            memory::rewind(&mut self.work);
            self.follow(after, now);
        }
    }
}
