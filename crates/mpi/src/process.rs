//! The MPI library of one rank: it turns calls into messages, and messages into outcomes of calls.

mod waiting;

use crate::call::{Member, Mode, ReceiveFrom, SendTo, Transfer};
use crate::collectives::schedule::Then;
use crate::collectives::{Action, Collective, Tuning};
use crate::communication::Communication;
use crate::communicators::{Communicators, IDS_AT_ONCE, MOST_IDS, Members, WORLD};
use crate::digest::Digest;
use crate::in_progress::{Agreement, InProgress, POSTED, Progress, What};
use crate::layout::Layout;
use crate::load::Load;
use crate::matching::{Arrived, Context, Matcher, Owner, Selector};
use crate::ordering::{Label, Ordering};
use crate::requests::{Request, Table};
use crate::{Call, Costs, Needed, Outcome, Requests, Status};
use messaging::{End, Line, MAX_MESSAGE_BYTES, Message, MessageId, Operation, Waiting};
use network::memory::{self, Snug, grown_bytes, snug_bytes};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// More calls than a rank makes in any run.
const MOST_CALLS: u64 = 1 << 60;

/// When the library does something, at what cost, and what it asks of the message layer.
pub(crate) struct Now<'a> {
    pub time: u64,
    pub costs: &'a Costs,
    pub operations: &'a mut Vec<Operation>,
}

/// A probe; `takes` if it takes the message that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Probe {
    selector: Selector,
    takes: bool,
}

/// What blocks a rank, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Blocked {
    since: u64,
    on: Awaited,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Awaited {
    /// So many sends and receives of the call; the last message, a received one if there is one.
    Transfers {
        left: u8,
        status: Status,
    },
    Requests(Requests, Needed),
    Probed(Probe),
    /// The collective with this key.
    Collective(u32),
    /// Nothing: the rank has ended.
    End,
}

/// A message that is being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sending {
    /// The rank of the machine to which it goes: of a line, the last.
    target: u32,
    status: Status,
    owner: Owner,
}

/// A step of a collective that is a joint operation, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Joining {
    number: u32,
    collective: u32,
    part: u16,
}

/// A message to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Outgoing {
    /// The rank of the machine to which it goes.
    target: u32,
    bytes: u64,
    label: Label,
    /// Its number in its stream: messages match in the order of their calls, also if one has to be copied first.
    sequence: u32,
    mode: Mode,
    owner: Owner,
}

/// A receive that has matched a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Incoming {
    /// The rank of the machine that has sent it.
    origin: u32,
    status: Status,
    /// The ids that it proposes.
    proposed: u32,
    owner: Owner,
    /// Blocks into which it is unpacked.
    blocks: u32,
    /// Whether the message was there before the receive, and has to be copied.
    is_copied: bool,
}

/// What follows work of the library.
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

/// Whether it is known what a program does next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Next {
    /// It has yet to hear of the outcome of its last call.
    #[default]
    Unknown,
    /// It has heard of it, and will answer.
    Asked,
    /// It has answered.
    Known,
    /// It has answered, and the whole cost of the call that it makes next has passed.
    Paid,
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
    /// What ends the rank, as its program is erroneous.
    pub fault: Option<End>,
    /// Whether it is known what its program does next.
    pub next: Next,
    /// That, once it is known: computation, then a call; if nothing is left, the program has ended.
    pub to_do: VecDeque<Call>,
    /// What the last call returned.
    pub outcome: Outcome,
    pub requests: Table,
    /// What it has sent to which rank, if that is counted.
    pub communication: Option<Communication>,
    /// Receives whose messages are not complete.
    incoming: Vec<Incoming>,
    /// Work to do, of which the first is being done if it `works`.
    work: VecDeque<Work>,
    works: bool,
    /// Receives whose messages were complete before they could be matched, as earlier ones were missing.
    ready: Vec<Incoming>,
    /// By handle: the messages that matched probes have taken and nobody has received.
    taken: BTreeMap<u32, Arrived>,
    next_handle: u32,
    sending: VecDeque<Sending>,
    /// Joint operations in progress, and how many there have been.
    joining: Vec<Joining>,
    joints: u32,
    messages_sent: u32,
    /// MPI calls made, including the one in progress.
    pub calls: u64,
    pub digest: Digest,
}

impl Process {
    /// The library of a rank that has made no call, and is in these communicators beside that of all ranks.
    pub fn new(rank: u32, size: u32, communicators: &[Members]) -> Self {
        let communicators = Communicators::new(rank, size, communicators);
        let ordering = Ordering::new(size);
        // Most programs make one call at a time.
        let to_do = VecDeque::with_capacity(1);
        Process { rank, size, communicators, ordering, to_do, ..Process::default() }
    }

    /// Whether the rank is blocked in a call.
    pub fn is_blocked(&self) -> bool {
        self.blocked.is_some()
    }

    /// What it is waiting for.
    pub fn waiting(&self) -> Waiting {
        let since = self.blocked.map_or(0, |blocked| blocked.since);
        Waiting { since, what: self.waiting_for() }
    }

    /// Bytes beside itself.
    pub fn bytes(&self) -> usize {
        self.matcher.bytes()
            + self.ordering.bytes()
            + self.communicators.bytes()
            + self.collectives.capacity() * size_of::<InProgress>()
            + self.collectives.iter().map(InProgress::bytes).sum::<usize>()
            + self.requests.bytes()
            + self.to_do.capacity() * size_of::<Call>()
            + (self.incoming.capacity() + self.ready.capacity()) * size_of::<Incoming>()
            + self.work.capacity() * size_of::<Work>()
            + self.taken.len() * size_of::<(u32, Arrived)>()
            + self.sending.capacity() * size_of::<Sending>()
            + self.joining.capacity() * size_of::<Joining>()
            + self.communication.as_ref().map_or(0, Communication::bytes)
    }

    /// The same, with such a load, in a run of `ranks` ranks. A message without a receive makes work, as it is copied.
    pub fn bytes_for(load: &Load, ranks: u32) -> usize {
        let collectives = usize::from(load.parts > 0);
        Matcher::bytes_for(load.receives, load.late_receives)
            + Ordering::bytes_for(load.targets, ranks)
            + grown_bytes::<InProgress>(collectives)
            + load.parts * size_of::<Progress>()
            + Table::bytes_for(load.requests)
            + size_of::<Call>()
            + snug_bytes::<Incoming>(load.arriving)
            + snug_bytes::<Work>(load.late_receives.min(1))
            + snug_bytes::<Sending>(load.sends)
    }

    /// Prefetches what most resumptions access.
    pub fn prefetch(&self) {
        self.collectives
            .first()
            .into_iter()
            .for_each(|collective| memory::lines(std::slice::from_ref(collective)));
        self.incoming.first().into_iter().for_each(memory::line);
    }

    /// Prefetches what each arrival accesses.
    pub fn prefetch_for_arrival(&self) {
        memory::line(&self.ordering);
        memory::line(&self.matcher);
        memory::line(&self.incoming);
    }

    /// Prefetches what the arrival of a message of another rank accesses, beside that.
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
            Call::Start { requests } => self.start(requests, now),
            Call::Free { request } => {
                self.requests.free(request);
                self.complete(self.calls, now.time, Status::default());
            }
            Call::Wait { requests, needed } => self.block(Awaited::Requests(requests, needed), now.time),
            Call::Test { requests } => self.test(requests, Needed::All, now.time),
            Call::TestAny { requests } => self.test(requests, Needed::Any, now.time),
            Call::TestSome { requests } => self.test(requests, Needed::Some, now.time),
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
                self.collect(collective, tuning, communicator, request, now);
            }
            Call::Create { communicator, members, new } => self.create(communicator, members, new, now),
            Call::Define { members, new, id } => self.define(&members, new, id, now.time),
            Call::FreeCommunicator { communicator } => {
                self.communicators.free(communicator);
                self.complete(self.calls, now.time, Status::default());
            }
            Call::Time => {
                self.outcome.time = Some(now.time);
                self.complete(self.calls, now.time, Status::default());
            }
            Call::Abort { code } => {
                now.operations.push(Operation::Finish(End::Aborted { code }));
                self.block(Awaited::End, now.time);
            }
            Call::Compute { .. } | Call::Advance { .. } => unreachable!("computation is no call"),
        }
    }

    fn complete(&mut self, call: u64, time: u64, status: Status) {
        self.digest.record(self.rank, call, time, &status);
    }

    fn block(&mut self, on: Awaited, since: u64) {
        self.blocked = Some(Blocked { since, on });
        self.unblock(since);
    }

    /// Ends the call that blocks the rank, if what it waits for has happened.
    pub fn unblock(&mut self, time: u64) {
        match self.blocked.map(|blocked| blocked.on) {
            Some(Awaited::Requests(requests, needed)) => {
                if let Some(outcome) = self.requests.take(requests, needed) {
                    self.outcome = outcome;
                    self.blocked = None;
                    self.complete(self.calls, time, Status::default());
                }
            }
            Some(Awaited::Probed(probe)) => {
                if self.find(&probe, time) {
                    self.blocked = None;
                }
            }
            Some(Awaited::Transfers { .. } | Awaited::Collective(_) | Awaited::End) | None => {}
        }
    }
}

/// Sends and receives.
impl Process {
    /// A send or receive that blocks, or that has a request.
    fn begin(&mut self, transfer: Transfer, request: Option<u32>, now: &mut Now<'_>) {
        let owner = match request {
            Some(request) => {
                self.requests.begin(request, self.calls);
                Owner::Request(request)
            }
            None => {
                self.block_in_transfers(1, now.time);
                Owner::Call
            }
        };
        self.transfer(transfer, owner, now);
    }

    fn block_in_transfers(&mut self, left: u8, time: u64) {
        self.block(Awaited::Transfers { left, status: Status::default() }, time);
    }

    fn transfer(&mut self, transfer: Transfer, owner: Owner, now: &mut Now<'_>) {
        match transfer {
            Transfer::Send(send) => self.send_to(&send, owner, now),
            Transfer::Receive(receive) => {
                let selector = self.selector(&receive, owner);
                self.receive(selector, now);
            }
        }
    }

    /// Begins persistent requests.
    fn start(&mut self, requests: Requests, now: &mut Now<'_>) {
        for request in requests.first..requests.first.saturating_add(requests.count) {
            let transfer = self.requests.start(request, self.calls);
            self.transfer(transfer, Owner::Request(request), now);
        }
    }

    fn send_to(&mut self, send: &SendTo, owner: Owner, now: &mut Now<'_>) {
        let SendTo { communicator, target, tag, bytes, mode, layout } = *send;
        let label = Label {
            context: Context { communicator: self.communicators.id(communicator), is_collective: false },
            tag,
            source: self.communicators.group(communicator).rank,
            proposed: 0,
            is_ready: mode == Mode::Ready,
            is_deposited: false,
        };
        let target = self.communicators.place(communicator, target);
        let copy = if mode == Mode::Buffered { now.costs.copy(bytes) } else { 0 };
        let sequence = self.ordering.number(target, label.context);
        let outgoing = Outgoing { target, bytes, label, sequence, mode, owner };
        self.work(copy + now.costs.pack(layout.blocks()), After::Send(outgoing), now);
    }

    fn send(&mut self, outgoing: &Outgoing, now: &mut Now<'_>) {
        let Outgoing { target, bytes, label, sequence, mode, owner } = *outgoing;
        let envelope = label.envelope(sequence);
        let synchronous = mode == Mode::Synchronous;
        let reports = synchronous || now.costs.sends_take_time && mode != Mode::Buffered;
        now.operations.push(Operation::Send { target, bytes, envelope, reports, synchronous });
        if let Some(communication) = &mut self.communication {
            communication.add(target, bytes);
        }
        self.begin_sending((target, &label), (bytes, sequence), owner, reports, now);
    }

    /// The next message of the rank is being sent, of which the rank will hear if it `reports`.
    fn begin_sending(
        &mut self,
        (target, label): (u32, &Label),
        (bytes, sequence): (u64, u32),
        owner: Owner,
        reports: bool,
        now: &mut Now<'_>,
    ) {
        let number = self.messages_sent;
        self.messages_sent += 1;
        let status = Status { source: label.source, tag: label.tag, bytes, number, sequence };
        let sending = Sending { target, status, owner };
        if reports {
            self.sending.append_one(sending);
        } else {
            self.end_send(&sending, now);
        }
    }

    fn end_send(&mut self, sending: &Sending, now: &mut Now<'_>) {
        match sending.owner {
            Owner::Request(request) => {
                self.end_request(request, Request::Complete { received: None }, now.time, sending.status);
            }
            Owner::Call => self.end_transfer(sending.status, false, now.time),
            Owner::Step { collective, part, .. } => self.end_step(collective, part, None, now),
        }
    }

    /// The last packet of a message has been written.
    pub fn sent(&mut self, number: u32, now: &mut Now<'_>) {
        let place = self.sending.iter().position(|sending| sending.status.number == number);
        let sending = place.and_then(|place| self.sending.remove(place));
        memory::rewind(&mut self.sending);
        self.end_send(&sending.expect("a message is sent once"), now);
    }

    fn selector(&self, receive: &ReceiveFrom, owner: Owner) -> Selector {
        let ReceiveFrom { communicator, source, tag, layout } = *receive;
        let context = Context { communicator: self.communicators.id(communicator), is_collective: false };
        let source = source.map(|source| self.communicators.place(communicator, source));
        Selector { context, source, tag, owner, blocks: layout.blocks() }
    }

    fn receive(&mut self, selector: Selector, now: &mut Now<'_>) {
        if let Some(message) = self.matcher.post(selector) {
            self.accept((selector.owner, selector.blocks), &message, now);
        }
    }

    /// A receive, of data in so many blocks, has matched a message that was there before it.
    fn accept(&mut self, (owner, blocks): (Owner, u32), message: &Arrived, now: &mut Now<'_>) {
        now.operations.push(Operation::Accept { message: message.id() });
        let incoming = Incoming { owner, blocks, ..Incoming::of(message, true) };
        match message.is_complete {
            true => self.finish(incoming, now),
            false => self.incoming.append_one(incoming),
        }
    }

    /// A message is complete that a receive has matched.
    fn finish(&mut self, incoming: Incoming, now: &mut Now<'_>) {
        let Incoming { status: Status { bytes, .. }, owner, blocks, is_copied, .. } = incoming;
        let copy = if is_copied { now.costs.copy(bytes) } else { 0 };
        let then = match owner {
            Owner::Step { then: Then::Combine(times), .. } => {
                now.costs.combine(bytes).saturating_mul(times.into())
            }
            Owner::Step { then: Then::Copy, .. } => now.costs.copy(bytes),
            _ => 0,
        };
        let cycles = copy.saturating_add(then).saturating_add(now.costs.pack(blocks));
        self.work(cycles, After::Receive(incoming), now);
    }

    fn end_receive(&mut self, incoming: &Incoming, now: &mut Now<'_>) {
        let received = Some(incoming.status);
        match incoming.owner {
            Owner::Request(request) => {
                self.end_request(request, Request::Complete { received }, now.time, incoming.status);
            }
            Owner::Call => {
                self.outcome.received = received;
                self.end_transfer(incoming.status, true, now.time);
            }
            Owner::Step { collective, part, .. } => {
                self.end_step(collective, part, Some(incoming.proposed), now);
            }
        }
    }

    /// A send or receive has ended in which the rank is blocked, together with another perhaps.
    fn end_transfer(&mut self, ended: Status, is_received: bool, time: u64) {
        let Some(Blocked { on: Awaited::Transfers { left, status }, .. }) = &mut self.blocked else {
            unreachable!("the rank is blocked in its call")
        };
        if is_received || self.outcome.received.is_none() {
            *status = ended;
        }
        *left -= 1;
        let (left, status) = (*left, *status);
        if left == 0 {
            self.blocked = None;
            self.complete(self.calls, time, status);
        }
    }

    /// The operation of a request ends.
    fn end_request(&mut self, request: u32, ended: Request, time: u64, status: Status) {
        let call = self.requests.end(request, ended);
        self.complete(call, time, status);
    }

    fn cancel(&mut self, request: u32, time: u64) {
        assert!(self.requests.is_used(request), "request {request} is not in use");
        if self.matcher.withdraw(request) {
            self.end_request(request, Request::Cancelled, time, Status::default());
        }
        self.complete(self.calls, time, Status::default());
    }

    /// Whether all of the requests have ended, or one or some. Of none that are in use, all have, and one has not.
    fn test(&mut self, requests: Requests, needed: Needed, time: u64) {
        let ended = self.requests.take(requests, needed);
        let ended = ended.filter(|_| needed == Needed::All || !self.requests.ended.is_empty());
        let (flag, all) = (ended.is_some(), needed == Needed::All);
        let outcome = ended.unwrap_or_default();
        self.outcome = Outcome { flag, request: outcome.request.filter(|_| !all), ..outcome };
        self.complete(self.calls, time, Status { bytes: flag.into(), ..Status::default() });
    }
}

/// Work of the library.
impl Process {
    /// Does something after work that takes so many processor cycles.
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

    /// Begins the next work, if there is some; returns its processor cycles.
    pub fn begin_work(&mut self) -> Option<u64> {
        let cycles = self.work.front()?.cycles;
        self.works = true;
        Some(cycles)
    }

    /// The work in progress has been done.
    pub fn end_work(&mut self, now: &mut Now<'_>) {
        if std::mem::take(&mut self.works) {
            let Work { after, .. } = self.work.pop_front().expect("work is being done");
            memory::rewind(&mut self.work);
            self.follow(after, now);
        }
    }
}

/// Collectives.
impl Process {
    fn collect(
        &mut self,
        collective: Collective,
        tuning: Tuning,
        communicator: u32,
        request: Option<u32>,
        now: &mut Now<'_>,
    ) {
        let group = self.communicators.group(communicator);
        let tuning = now.costs.selection.tuning(&collective, (&self.communicators, communicator), tuning);
        let fault = collective.fault(group).or_else(|| tuning.fault(&collective, group));
        let is_elsewhere = tuning.algorithm.is_joint() && communicator != WORLD;
        let fault = fault
            .or(is_elsewhere.then(|| format!("{} is for MPI_COMM_WORLD alone", tuning.algorithm.name())));
        assert!(fault.is_none(), "rank {}: {collective}: {}", self.rank, fault.unwrap_or_default());
        let number = self.communicators.begin_collective(communicator);
        let tag = collective.tag(number);
        self.begin_collective(What::Collective(collective, tuning), communicator, request, tag, now);
    }

    fn create(&mut self, communicator: u32, members: Option<Members>, new: u32, now: &mut Now<'_>) {
        let fault = self.communicators.fault(communicator, members.as_ref(), new);
        assert!(fault.is_none(), "rank {}: MPI_Comm_create: {}", self.rank, fault.unwrap_or_default());
        let number = self.communicators.begin_collective(communicator);
        let agreement = Agreement { members, new, first: 0, free: self.free_ids(0) };
        let tag = Collective::agreement_tag(number);
        self.begin_collective(What::Agreement(agreement), communicator, None, tag, now);
    }

    fn define(&mut self, members: &Members, new: u32, id: u32, time: u64) {
        let fault = self.communicators.fault(WORLD, Some(members), new);
        assert!(fault.is_none(), "rank {}: {}", self.rank, fault.unwrap_or_default());
        assert!(id > 0 && id < MOST_IDS, "rank {}: {id} is no id of a communicator", self.rank);
        let group = self.communicators.create(WORLD, members, new, id);
        self.outcome.member = group.map(|group| Member { id, rank: group.rank, size: group.size });
        self.complete(self.calls, time, Status::default());
    }

    fn free_ids(&self, first: u32) -> u32 {
        let receiving = self.matcher.posted().map(|selector| selector.context.communicator);
        self.communicators.free_ids(first, receiving)
    }

    fn begin_collective(
        &mut self,
        what: What,
        communicator: u32,
        request: Option<u32>,
        tag: u32,
        now: &mut Now<'_>,
    ) {
        let key = self.next_collective;
        self.next_collective = key.wrapping_add(1);
        let owner = match request {
            Some(request) => {
                self.requests.begin(request, self.calls);
                Owner::Request(request)
            }
            None => {
                self.block(Awaited::Collective(key), now.time);
                Owner::Call
            }
        };
        let group = self.communicators.group(communicator);
        let collective = InProgress::new(key, what, communicator, group, owner, tag);
        let parts = collective.left as u16;
        self.collectives.push(collective);
        (0..parts).for_each(|part| self.advance(key, part, now));
    }

    fn place_of(&self, key: u32) -> usize {
        let place = self.collectives.iter().position(|collective| collective.key == key);
        place.expect("the collective is in progress")
    }

    /// A step of a part of a collective has ended; it has received proposed ids perhaps.
    fn end_step(&mut self, key: u32, part: u16, proposed: Option<u32>, now: &mut Now<'_>) {
        let place = self.place_of(key);
        let collective = &mut self.collectives[place];
        if part == POSTED {
            collective.posted -= 1;
            if collective.has_ended() {
                self.end_collective(place, now);
            }
            return;
        }
        if let Some(proposed) = proposed {
            collective.hear(proposed);
            collective.received += 1;
        }
        let held = if proposed.is_some() { collective.held.take() } else { None };
        let pending = &mut collective.parts[usize::from(part)].pending;
        *pending -= 1;
        let goes_on = *pending == 0;
        if let Some(held) = held {
            self.advance(key, held, now);
        }
        if goes_on {
            self.advance(key, part, now);
        }
    }

    /// Begins rounds of a part of a collective until one has steps that do not end at once, or none is left.
    fn advance(&mut self, key: u32, part: u16, now: &mut Now<'_>) {
        let place = self.place_of(key);
        let group = self.communicators.group(self.collectives[place].communicator);
        loop {
            let collective = &mut self.collectives[place];
            if collective.parts[usize::from(part)].pending > 0 {
                return;
            }
            let Some(round) = collective.next_round(part.into(), group) else {
                if self.begin_again(place) {
                    continue;
                }
                let collective = &mut self.collectives[place];
                collective.left -= 1;
                if collective.has_ended() {
                    self.end_collective(place, now);
                }
                return;
            };
            if round.is_held {
                collective.held = Some(part);
                return;
            }
            let tag = collective.tag_of(&round);
            // The round does not end before all of it has begun.
            collective.parts[usize::from(part)] = Progress { round: round.number + 1, pending: 1 };
            let mut index = 0;
            while let Some(action) = self.collectives[place].step(part.into(), group, &round, index) {
                self.begin_step(place, (part, tag), &action, now);
                index += 1;
            }
            self.collectives[place].parts[usize::from(part)].pending -= 1;
        }
    }

    /// If no id is free for all members, the next ids are in question; returns whether they are.
    fn begin_again(&mut self, place: usize) -> bool {
        let What::Agreement(Agreement { first, free: 0, .. }) = self.collectives[place].what else {
            return false;
        };
        let first = first + IDS_AT_ONCE;
        assert!(first < MOST_IDS, "rank {} has too many communicators", self.rank);
        let free = self.free_ids(first);
        if let What::Agreement(agreement) = &mut self.collectives[place].what {
            (agreement.first, agreement.free) = (first, free);
        }
        self.collectives[place].parts = vec![Progress::default()];
        true
    }

    fn begin_step(&mut self, place: usize, (part, tag): (u16, u32), action: &Action, now: &mut Now<'_>) {
        let collective = &mut self.collectives[place];
        let InProgress { key, communicator, .. } = *collective;
        match action {
            Action::Skip | Action::Pass { .. } => {}
            Action::Post { .. } => collective.posted += 1,
            _ => collective.parts[usize::from(part)].pending += 1,
        }
        let group = self.communicators.group(communicator);
        let proposed = collective.proposed();
        let context = Context { communicator: self.communicators.id(communicator), is_collective: true };
        let label =
            Label { context, tag, source: group.rank, proposed, is_ready: false, is_deposited: false };
        match *action {
            Action::Send { target, bytes } | Action::Post { target, bytes } => {
                let part = if matches!(action, Action::Post { .. }) { POSTED } else { part };
                let owner = Owner::Step { collective: key, part, then: Then::Keep };
                let blocks = collective.layout_to(target).blocks();
                let target = self.communicators.place(communicator, target);
                let (sequence, mode) = (self.ordering.number(target, context), Mode::Standard);
                let outgoing = Outgoing { target, bytes, label, sequence, mode, owner };
                self.work(now.costs.pack(blocks), After::Send(outgoing), now);
            }
            Action::Receive { source, then } => {
                let layout = source.map_or(Layout::Contiguous, |source| collective.layout_from(source));
                let source = source.map(|source| self.communicators.place(communicator, source));
                let owner = Owner::Step { collective: key, part, then };
                let blocks = layout.blocks();
                self.receive(Selector { context, source, tag: Some(tag), owner, blocks }, now);
            }
            Action::Copy { bytes } => {
                self.work(now.costs.copy(bytes), After::Step { collective: key, part }, now);
            }
            Action::Join { turn } => {
                let (number, joint) = (self.joints, self.collectives[place].joint(turn));
                self.joints = number.wrapping_add(1);
                self.joining.push(Joining { number, collective: key, part });
                now.operations.push(Operation::Join { number, joint });
            }
            Action::Deposit { branch, bytes } => {
                let along = self.collectives[place].along(group.rank, branch);
                let ranks =
                    along.map(|rank| self.communicators.place(communicator, rank)).collect::<Vec<_>>();
                let owner = Owner::Step { collective: key, part, then: Then::Keep };
                let label = Label { is_deposited: true, ..label };
                self.deposit((&ranks, branch.heading.is_plus), &label, bytes, owner, now);
            }
            Action::Skip | Action::Pass { .. } => {}
        }
    }

    /// Sends a message to the ranks of a line.
    fn deposit(
        &mut self,
        (ranks, is_plus): (&[u32], bool),
        label: &Label,
        bytes: u64,
        owner: Owner,
        now: &mut Now<'_>,
    ) {
        let (Some(&first), Some(&last)) = (ranks.first(), ranks.last()) else {
            unreachable!("a line has ranks")
        };
        let (envelope, reports) = (label.envelope(0), now.costs.sends_take_time);
        let line = Line { first, last, is_plus };
        now.operations.push(Operation::Deposit { line, bytes, envelope, reports });
        if let Some(communication) = &mut self.communication {
            ranks.iter().for_each(|&rank| communication.add(rank, bytes));
        }
        self.begin_sending((last, label), (bytes, 0), owner, reports, now);
    }

    /// The rank's part of a joint operation has ended.
    pub fn joined(&mut self, number: u32, now: &mut Now<'_>) {
        let place = self.joining.iter().position(|joining| joining.number == number);
        let Joining { collective, part, .. } = self.joining.remove(place.expect("the rank has joined"));
        self.end_step(collective, part, None, now);
    }

    fn end_collective(&mut self, place: usize, now: &mut Now<'_>) {
        let InProgress { what, communicator, owner, tag, .. } = self.collectives.swap_remove(place);
        if let What::Agreement(Agreement { members: Some(members), new, first, free }) = what {
            let id = first + free.trailing_zeros();
            let group = self.communicators.create(communicator, &members, new, id);
            self.outcome.member = group.map(|group| Member { id, rank: group.rank, size: group.size });
        }
        self.communicators.end_collective(communicator);
        let status = Status { tag, ..Status::default() };
        match owner {
            Owner::Request(request) => {
                self.end_request(request, Request::Complete { received: None }, now.time, status);
            }
            _ => {
                self.blocked = None;
                self.complete(self.calls, now.time, status);
            }
        }
    }
}

/// Messages as they come.
impl Process {
    /// The envelope of a message is there. Appends those that receives now match; returns whether the rank waits for an
    /// envelope.
    pub fn arrive(&mut self, message: &Message, accepted: &mut Vec<MessageId>) -> bool {
        let (stream, mut first) = self.ordering.accept(message);
        let mut is_unexpected = false;
        while let Some(arrived) = first.take().or_else(|| self.ordering.next(stream)) {
            let Some(selector) = self.matcher.arrive(arrived) else {
                if arrived.is_ready {
                    let (source, tag) = (arrived.origin, arrived.status.tag);
                    self.fault.get_or_insert(End::NotReady { source, tag });
                }
                is_unexpected = true;
                continue;
            };
            // What had to wait for an earlier message has been stored meanwhile.
            let is_copied = arrived.id() != message.id();
            let Selector { owner, blocks, .. } = selector;
            let incoming = Incoming { owner, blocks, ..Incoming::of(&arrived, is_copied) };
            accepted.push(arrived.id());
            match arrived.is_complete {
                true => self.ready.push(incoming),
                false => self.incoming.append_one(incoming),
            }
        }
        let is_probing = matches!(self.blocked, Some(Blocked { on: Awaited::Probed(_), .. }));
        is_unexpected && is_probing || !self.ready.is_empty() || self.fault.is_some()
    }

    /// All of a message has arrived.
    pub fn complete_message(&mut self, id: MessageId, now: &mut Now<'_>) {
        let is_it = |incoming: &Incoming| (incoming.origin, incoming.status.number) == (id.source, id.number);
        if let Some(place) = self.incoming.iter().position(is_it) {
            let incoming = self.incoming.remove(place);
            return self.finish(incoming, now);
        }
        let is_taken = |message: &&mut Arrived| message.id() == id;
        let found = match self.matcher.find_mut(id) {
            Some(message) => Some(message),
            None => self.taken.values_mut().find(is_taken),
        };
        let found = found.or_else(|| self.ordering.find_mut(id));
        found.expect("the envelope of a message comes first").is_complete = true;
    }

    /// Ends receives whose messages were complete when they could be matched.
    pub fn finish_ready(&mut self, now: &mut Now<'_>) {
        for incoming in std::mem::take(&mut self.ready) {
            self.finish(incoming, now);
        }
    }

    fn probe(&mut self, message: &ReceiveFrom, takes: bool, blocks: bool, time: u64) {
        let message = ReceiveFrom { layout: Layout::Contiguous, ..*message };
        let probe = Probe { selector: self.selector(&message, Owner::Call), takes };
        if blocks {
            self.block(Awaited::Probed(probe), time);
        } else if !self.find(&probe, time) {
            self.outcome = Outcome::default();
            self.complete(self.calls, time, Status::default());
        }
    }

    /// Ends a probe if a message is there for it; returns whether one is.
    fn find(&mut self, Probe { selector, takes }: &Probe, time: u64) -> bool {
        let found = if *takes { self.matcher.take(selector) } else { self.matcher.peek(selector).copied() };
        let Some(message) = found else { return false };
        let (status, handle) = (message.status, takes.then(|| self.hold(message)));
        self.outcome = Outcome { received: Some(status), handle, flag: true, ..Outcome::default() };
        self.complete(self.calls, time, status);
        true
    }

    /// Keeps a message for the receive that names its handle.
    fn hold(&mut self, message: Arrived) -> u32 {
        let handle = self.next_handle;
        self.next_handle += 1;
        self.taken.insert(handle, message);
        handle
    }

    /// Takes the message of a handle.
    fn take(&mut self, handle: u32) -> Arrived {
        let message = self.taken.remove(&handle);
        message
            .unwrap_or_else(|| panic!("handle {handle} is of no message, or of one that has been received"))
    }
}

impl Incoming {
    /// Whoever waits for it.
    fn of(message: &Arrived, is_copied: bool) -> Self {
        let Arrived { origin, status, proposed, .. } = *message;
        Incoming { origin, status, proposed, owner: Owner::Call, blocks: 0, is_copied }
    }
}

/// What a checkpoint may hold.
impl Process {
    /// Whether a restored state can be that of the same rank, which has made no call, at processor cycle `now`.
    pub fn can_restore(&self, restored: &Process, now: u64) -> bool {
        (restored.rank, restored.size) == (self.rank, self.size)
            && self.communicators.can_be_restored(&restored.communicators)
            && restored.is_consistent(now)
    }

    fn is_consistent(&self, now: u64) -> bool {
        let ranks = self.size;
        self.next != Next::Asked
            && (matches!(self.next, Next::Known | Next::Paid) || self.to_do.is_empty())
            && (self.next != Next::Paid || !self.to_do.iter().any(Call::is_computation))
            && Call::lead_to_one(self.to_do.iter())
            && self.blocked.is_none_or(|blocked| blocked.since <= now)
            && self.fault.is_none_or(|end| matches!(end, End::NotReady { source, .. } if source < ranks))
            && self.calls < MOST_CALLS
            && self.communication.as_ref().is_none_or(|counted| counted.can_be_restored(ranks))
            && self.ordering.can_be_restored(ranks)
            && self.requests.can_be_restored(ranks, self.requests_in_progress())
            && self.sending.iter().all(|sending| sending.target < ranks)
            && self.matched().all(|incoming| incoming.status.can_be_restored(ranks))
            && (!self.works || !self.work.is_empty())
            && self.work.iter().all(|work| match work.after {
                After::Send(Outgoing { target, bytes, .. }) => target < ranks && bytes <= MAX_MESSAGE_BYTES,
                After::Receive(_) | After::Step { .. } => true,
            })
            && self.taken.keys().all(|&handle| handle < self.next_handle)
            && self.taken.values().all(|message| message.status.can_be_restored(ranks))
            && self.can_restore_blocking()
            && self.can_restore_collectives()
    }

    /// Receives that have matched messages and have not ended.
    fn matched(&self) -> impl Iterator<Item = &Incoming> {
        let worked_on = self.work.iter().filter_map(|work| match &work.after {
            After::Receive(incoming) => Some(incoming),
            After::Send(_) | After::Step { .. } => None,
        });
        self.incoming.iter().chain(&self.ready).chain(worked_on)
    }

    /// Who waits for the sends, receives and copies in progress.
    fn owners(&self) -> impl Iterator<Item = Owner> {
        let worked_on = self.work.iter().map(|work| match work.after {
            After::Receive(incoming) => incoming.owner,
            After::Send(outgoing) => outgoing.owner,
            After::Step { collective, part } => Owner::Step { collective, part, then: Then::Keep },
        });
        let incoming = self.incoming.iter().chain(&self.ready).map(|incoming| incoming.owner);
        let posted = self.matcher.posted().map(|selector| selector.owner);
        let joining = self.joining.iter().map(|&Joining { collective, part, .. }| Owner::Step {
            collective,
            part,
            then: Then::Keep,
        });
        let posted = posted.chain(joining);
        posted.chain(self.sending.iter().map(|sending| sending.owner)).chain(incoming).chain(worked_on)
    }

    fn requests_in_progress(&self) -> Vec<u32> {
        let collectives = self.collectives.iter().map(|collective| collective.owner);
        let requests = self.owners().chain(collectives).filter_map(|owner| match owner {
            Owner::Request(request) => Some(request),
            Owner::Call | Owner::Step { .. } => None,
        });
        requests.collect()
    }

    /// Whether the rank is blocked in as many sends and receives as wait for it.
    fn can_restore_blocking(&self) -> bool {
        let blocking = self.owners().filter(|&owner| owner == Owner::Call).count();
        let awaited = match self.blocked {
            Some(Blocked { on: Awaited::Transfers { left, .. }, .. }) => left.into(),
            _ => 0,
        };
        let in_collective = self.collectives.iter().filter(|collective| collective.owner == Owner::Call);
        let keys: Vec<u32> = in_collective.map(|collective| collective.key).collect();
        let awaits_collective = match self.blocked {
            Some(Blocked { on: Awaited::Collective(key), .. }) => keys == [key],
            _ => keys.is_empty(),
        };
        blocking == awaited && (awaited > 0) == self.is_blocked_in_transfers() && awaits_collective
    }

    fn is_blocked_in_transfers(&self) -> bool {
        matches!(self.blocked, Some(Blocked { on: Awaited::Transfers { .. }, .. }))
    }

    /// Whether the steps in progress are those of the collectives in progress, and these those of communicators.
    fn can_restore_collectives(&self) -> bool {
        let mut pending = BTreeMap::<u32, BTreeMap<u32, u32>>::new();
        for owner in self.owners() {
            if let Owner::Step { collective, part, .. } = owner {
                *pending.entry(collective).or_default().entry(part.into()).or_default() += 1;
            }
        }
        let mut of_communicators = BTreeMap::<u32, u32>::new();
        let mut are_valid = true;
        for collective in &self.collectives {
            let InProgress { key, communicator, owner, .. } = *collective;
            *of_communicators.entry(communicator).or_default() += 1;
            are_valid &= self.communicators.has(communicator)
                && !matches!(owner, Owner::Step { .. })
                && pending.remove(&key).is_some_and(|pending| {
                    collective.can_be_restored(self.communicators.group(communicator), &pending)
                })
                && match &collective.what {
                    What::Agreement(Agreement { members, new, .. }) => {
                        self.communicators.fault(communicator, members.as_ref(), *new).is_none()
                    }
                    What::Collective(..) => true,
                };
        }
        let mut counts = self.communicators.in_progress();
        are_valid
            && pending.is_empty()
            && counts.all(|(number, count)| of_communicators.get(&number).copied().unwrap_or(0) == count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use messaging::Envelope;

    /// A rank with a posted receive (request 0), a cancelled one (1), one that has ended (2), and handle 0; a barrier
    /// (request 3) in progress.
    fn process() -> Process {
        let (source, tag, mut operations) = (None, Some(3), Vec::new());
        let costs = Costs { sends_take_time: true, ..Costs::default() };
        let mut now = Now { time: 0, costs: &costs, operations: &mut operations };
        let receive = |tag, request| Call::ReceiveNonBlocking { source, tag: Some(tag), request };
        let calls = [receive(7, 0), receive(8, 1), Call::Cancel { request: 1 }, receive(3, 2)];
        let mut process = Process::new(0, 2, &[]);
        calls.into_iter().for_each(|call| process.make(call, &mut now));
        now.time = 1;
        for sequence in 0..2 {
            let envelope = Envelope([3, 1 << 32 | sequence]);
            let message = Message { source: 1, number: sequence as u32, bytes: 5, envelope };
            process.arrive(&message, &mut Vec::new());
            process.complete_message(message.id(), &mut now);
        }
        now.time = 2;
        process.make(Call::MatchedProbe { source, tag, blocks: true }, &mut now);
        let barrier = Call::Collect {
            collective: Collective::Barrier,
            communicator: WORLD,
            request: Some(3),
            tuning: Tuning::default(),
        };
        process.make(barrier, &mut now);
        assert!(operations.len() == 1 && !process.is_blocked());
        process
    }

    fn assert_refused(alter: impl FnOnce(&mut Process)) {
        let mut altered = process();
        alter(&mut altered);
        assert!(!Process::new(0, 2, &[]).can_restore(&altered, 3), "{altered:?}");
    }

    #[test]
    fn only_states_with_known_handles_and_requests_in_progress_are_restored() {
        assert!(Process::new(0, 2, &[]).can_restore(&process(), 3));
        let of_other_rank = Status { source: 2, ..Status::default() };
        assert_refused(|process| process.next_handle = 0);
        assert_refused(|process| process.taken.get_mut(&0).unwrap().status = of_other_rank);
        let set =
            |request: usize, state| move |process: &mut Process| process.requests.states()[request] = state;
        assert_refused(set(0, Request::Cancelled));
        assert_refused(set(0, Request::Free));
        assert_refused(set(1, Request::Pending { call: 2 }));
        assert_refused(set(2, Request::Complete { received: Some(of_other_rank) }));
        assert_refused(|process| drop(process.requests.states().drain(..)));
    }

    #[test]
    fn only_collectives_with_their_steps_are_restored() {
        assert_refused(|process| process.collectives[0].parts[0].pending = 1);
        assert_refused(|process| process.collectives[0].parts[0].round = 0);
        assert_refused(|process| process.collectives[0].parts[0].round = 2);
        assert_refused(|process| process.collectives[0].left = 0);
        assert_refused(|process| process.collectives[0].parts.clear());
        assert_refused(|process| process.collectives[0].communicator = 1);
        assert_refused(|process| process.collectives[0].owner = Owner::Call);
        assert_refused(|process| process.collectives[0].key = 1);
        assert_refused(|process| drop(process.sending.drain(..)));
        assert_refused(|process| drop(process.collectives.drain(..)));
        let root = Collective::Broadcast { root: 2, bytes: 1 };
        assert_refused(|process| process.collectives[0].what = What::Collective(root, Tuning::default()));
        assert_refused(|process| process.blocked = Some(Blocked { since: 0, on: Awaited::Collective(0) }));
    }
}
