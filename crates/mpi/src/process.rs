//! The MPI library of one rank: it turns calls into messages, and messages into outcomes of calls.

use crate::call::OrAny;
use crate::collectives::{Collective, Group, Step};
use crate::communication::Communication;
use crate::digest::Digest;
use crate::matching::{Arrived, Context, Matcher, Selector};
use crate::ordering::Ordering;
use crate::{Call, Ended, Needed, Outcome, Requests, Status};
use messaging::{End, Message, MessageId, Operation, Waiting};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// This rank's part of a collective in progress.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct ActiveCollective {
    collective: Collective,
    tag: u32,
    next_step: u32,
}

/// More calls than a rank makes in any run.
const MOST_CALLS: u64 = 1 << 60;

/// More steps than a collective has: two for each bit of the number of ranks, in two phases.
const MOST_STEPS: u32 = 4 * u32::BITS;

/// More requests than a program uses at once.
const MOST_REQUESTS: usize = 1 << 24;

/// The state of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Request {
    /// It is not in use.
    #[default]
    Free,
    /// Its operation, the `call`-th call of the rank, is not complete.
    Pending { call: u64 },
    /// Its operation is complete; a receive has got this message.
    Complete { received: Option<Status> },
    /// Its receive was withdrawn.
    Cancelled,
}

impl Request {
    fn is_pending(&self) -> bool {
        matches!(self, Request::Pending { .. })
    }

    /// Whether a wait or a test can end it.
    fn has_ended(&self) -> bool {
        matches!(self, Request::Complete { .. } | Request::Cancelled)
    }

    /// What a wait or a test that has ended it tells of it.
    fn end(self, request: u32) -> Ended {
        let received = if let Request::Complete { received } = self { received } else { None };
        Ended { request, received, is_cancelled: self == Request::Cancelled }
    }
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
    /// A receive, or a step of a collective that receives.
    Message,
    /// The last packet of a message, to be written.
    Sent(Status),
    Requests(Requests, Needed),
    Probed(Probe),
    /// Nothing: the rank has ended.
    End,
}

/// A message that is being sent, and the request that completes with it; none if its rank is blocked in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sending {
    number: u32,
    status: Status,
    request: Option<u32>,
}

/// A receive that has matched a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Incoming {
    status: Status,
    /// The request that it completes; none if its rank is blocked in it.
    request: Option<u32>,
    /// Whether the message was there before the receive, and has to be copied.
    is_copied: bool,
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
}

/// The state of one rank's library.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Process {
    group: Group,
    ordering: Ordering,
    matcher: Matcher,
    active_collective: Option<ActiveCollective>,
    blocked: Option<Blocked>,
    /// Whether it is known what its program does next.
    pub next: Next,
    /// That, once it is known: computation, then a call; if nothing is left, the program has ended.
    pub to_do: VecDeque<Call>,
    /// What the last call returned.
    pub outcome: Outcome,
    /// The requests with which it has ended, until its program hears of them; programs inside do not ask for them.
    #[serde(skip)]
    pub ended: Vec<Ended>,
    requests: Vec<Request>,
    /// Receives whose messages are not complete.
    incoming: Vec<Incoming>,
    /// Receives whose messages are complete, and have to be copied; the first is being copied if `copies`.
    to_copy: VecDeque<Incoming>,
    copies: bool,
    /// Receives whose messages were complete before they could be matched, as earlier ones were missing.
    ready: Vec<Incoming>,
    /// Whether copying takes time.
    copies_take_time: bool,
    /// By handle: the messages that matched probes have taken and nobody has received.
    taken: BTreeMap<u32, Arrived>,
    next_handle: u32,
    sending: VecDeque<Sending>,
    messages_sent: u32,
    /// MPI calls made, including the one in progress.
    pub calls: u64,
    collectives: u32,
    pub digest: Digest,
    /// What it has sent to which rank, if that is counted.
    pub communication: Option<Communication>,
}

impl Process {
    /// The library of a rank that has made no call.
    pub fn new(group: Group, copies_take_time: bool) -> Self {
        Process { group, copies_take_time, ..Process::default() }
    }

    /// Whether a restored state can be that of the same rank at processor cycle `now`.
    pub fn can_be_restored(&self, (group, copies_take_time): (Group, bool), now: u64) -> bool {
        let ranks = group.size;
        self.group == group
            && self.copies_take_time == copies_take_time
            && self.next != Next::Asked
            && (self.next == Next::Known || self.to_do.is_empty())
            && Call::lead_to_one(self.to_do.iter())
            && self.blocked.is_none_or(|blocked| blocked.since <= now)
            && self.calls < MOST_CALLS
            && self.requests.len() <= MOST_REQUESTS
            && self.can_restore_requests(ranks)
            && self.matched().all(|incoming| incoming.status.can_be_restored(ranks))
            && (!self.copies || !self.to_copy.is_empty())
            && self.communication.as_ref().is_none_or(|counted| counted.can_be_restored(ranks))
            && self.taken.keys().all(|&handle| handle < self.next_handle)
            && self.taken.values().all(|message| message.status.can_be_restored(ranks))
            && self.active_collective.is_none_or(|active| {
                active.collective.can_be_restored(ranks) && active.next_step <= MOST_STEPS
            })
    }

    /// Whether restored requests are those of operations in progress, or have ended with a message that they can have.
    fn can_restore_requests(&self, ranks: u32) -> bool {
        let receives = self.matcher.posted().filter_map(|selector| selector.request);
        let sends = self.sending.iter().filter_map(|sending| sending.request);
        let matched = self.matched().filter_map(|incoming| incoming.request);
        let mut in_progress: Vec<u32> = receives.chain(sends).chain(matched).collect();
        in_progress.sort_unstable();
        let requests = || (0..).zip(&self.requests);
        let pending = requests().filter(|(_, request)| request.is_pending()).map(|(number, _)| number);
        let can_have_received = |request: &Request| match request {
            Request::Complete { received } => received.is_none_or(|status| status.can_be_restored(ranks)),
            Request::Free | Request::Pending { .. } | Request::Cancelled => true,
        };
        pending.eq(in_progress) && self.requests.iter().all(can_have_received)
    }

    /// Receives that have matched messages and have not ended.
    fn matched(&self) -> impl Iterator<Item = &Incoming> {
        self.incoming.iter().chain(&self.to_copy).chain(&self.ready)
    }

    /// The rank, among how many, and whether it takes time to copy its messages.
    pub fn group(&self) -> (Group, bool) {
        (self.group, self.copies_take_time)
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
            + self.requests.capacity() * size_of::<Request>()
            + self.to_do.capacity() * size_of::<Call>()
            + (self.incoming.capacity() + self.to_copy.capacity()) * size_of::<Incoming>()
            + self.taken.len() * size_of::<(u32, Arrived)>()
            + self.sending.capacity() * size_of::<Sending>()
            + self.communication.as_ref().map_or(0, Communication::bytes)
    }

    /// Makes a call, whose cost has passed.
    pub fn make(&mut self, call: Call, time: u64, reports: bool, operations: &mut Vec<Operation>) {
        let context = Context::Calls;
        match call {
            Call::Send { target, tag, bytes } => {
                self.send(context, (target, tag, bytes), None, time, reports, operations);
            }
            Call::SendNonBlocking { target, tag, bytes, request } => {
                self.begin_request(request);
                self.send(context, (target, tag, bytes), Some(request), time, reports, operations);
            }
            Call::Receive { source, tag } => {
                self.receive(Selector { context, source, tag, request: None }, time, operations);
            }
            Call::ReceiveNonBlocking { source, tag, request } => {
                self.begin_request(request);
                self.receive(Selector { context, source, tag, request: Some(request) }, time, operations);
            }
            Call::Wait { requests, needed } => self.block(Awaited::Requests(requests, needed), time),
            Call::Test { requests } => self.test(requests, time),
            Call::Probe { source, tag, blocks } => {
                let selector = Selector { context, source, tag, request: None };
                self.probe(Probe { selector, takes: false }, blocks, time);
            }
            Call::MatchedProbe { source, tag, blocks } => {
                let selector = Selector { context, source, tag, request: None };
                self.probe(Probe { selector, takes: true }, blocks, time);
            }
            Call::MatchedReceive { handle } => {
                let message = self.take(handle);
                self.accept(None, &message, time, operations);
            }
            Call::MatchedReceiveNonBlocking { handle, request } => {
                self.begin_request(request);
                let message = self.take(handle);
                self.accept(Some(request), &message, time, operations);
            }
            Call::Cancel { request } => self.cancel(request, time),
            Call::Collective(collective) => self.begin(collective),
            Call::Time => {
                self.outcome.time = Some(time);
                self.complete(self.calls, time, Status::default());
            }
            Call::Abort { code } => {
                operations.push(Operation::Finish(End::Aborted { code }));
                self.block(Awaited::End, time);
            }
            Call::Compute { .. } | Call::Advance { .. } => unreachable!("computation is no call"),
        }
    }

    /// Makes the next step of the collective in progress; returns false if there is none in progress.
    pub fn continue_collective(&mut self, time: u64, reports: bool, operations: &mut Vec<Operation>) -> bool {
        let Some(active) = self.active_collective.as_mut() else { return false };
        let (context, tag) = (Context::Collectives, active.tag);
        let step = active.collective.step(self.group, active.next_step);
        active.next_step += 1;
        match step {
            None => {
                self.active_collective = None;
                // Only the program's own receives report what they received.
                self.outcome = Outcome::default();
                self.complete(self.calls, time, Status { tag, ..Status::default() });
            }
            Some(Step::Send { target, bytes }) => {
                self.send(context, (target, tag, bytes), None, time, reports, operations);
            }
            Some(Step::Receive { source }) => {
                let selector = Selector { context, source: Some(source), tag: Some(tag), request: None };
                self.receive(selector, time, operations);
            }
        }
        true
    }

    fn begin(&mut self, collective: Collective) {
        self.active_collective =
            Some(ActiveCollective { collective, tag: collective.tag(self.collectives), next_step: 0 });
        self.collectives = self.collectives.wrapping_add(1);
    }

    fn send(
        &mut self,
        context: Context,
        (target, tag, bytes): (u32, u32, u64),
        request: Option<u32>,
        time: u64,
        reports: bool,
        operations: &mut Vec<Operation>,
    ) {
        let envelope = self.ordering.number(context, target, tag);
        operations.push(Operation::Send { target, bytes, envelope, reports, synchronous: false });
        if let Some(communication) = &mut self.communication {
            communication.add(target, bytes);
        }
        let number = self.messages_sent;
        self.messages_sent += 1;
        self.outcome.sent = Some(number);
        let status = Status { source: self.group.rank, tag, bytes, number };
        let sending = Sending { number, status, request };
        if !reports {
            return self.end_send(&sending, time);
        }
        self.sending.push_back(sending);
        if request.is_none() {
            self.block(Awaited::Sent(status), time);
        }
    }

    fn end_send(&mut self, sending: &Sending, time: u64) {
        match sending.request {
            Some(request) => {
                self.end_request(request, Request::Complete { received: None }, time, sending.status);
            }
            None => {
                self.end_step(time, sending.status);
                if matches!(self.blocked, Some(Blocked { on: Awaited::Sent(_), .. })) {
                    self.blocked = None;
                }
            }
        }
    }

    /// A blocking call has ended, unless it is a step of a collective.
    fn end_step(&mut self, time: u64, status: Status) {
        if self.active_collective.is_none() {
            self.complete(self.calls, time, status);
        }
    }

    fn receive(&mut self, selector: Selector, time: u64, operations: &mut Vec<Operation>) {
        match self.matcher.post(selector) {
            Some(message) => self.accept(selector.request, &message, time, operations),
            None if selector.request.is_none() => self.block(Awaited::Message, time),
            None => {}
        }
    }

    /// A receive has matched a message that was there before it.
    fn accept(
        &mut self,
        request: Option<u32>,
        message: &Arrived,
        time: u64,
        operations: &mut Vec<Operation>,
    ) {
        operations.push(Operation::Accept { message: message.id() });
        let incoming = Incoming { status: message.status, request, is_copied: true };
        if request.is_none() {
            self.block(Awaited::Message, time);
        }
        match message.is_complete {
            true => self.finish(incoming, time),
            false => self.incoming.push(incoming),
        }
    }

    /// A message is complete that a receive has matched.
    fn finish(&mut self, incoming: Incoming, time: u64) {
        if incoming.is_copied && incoming.status.bytes > 0 && self.copies_take_time {
            self.to_copy.push_back(incoming);
        } else {
            self.end_receive(&incoming, time);
        }
    }

    fn end_receive(&mut self, incoming: &Incoming, time: u64) {
        let received = Some(incoming.status);
        match incoming.request {
            Some(request) => {
                self.end_request(request, Request::Complete { received }, time, incoming.status);
            }
            None => {
                self.outcome.received = received;
                self.end_step(time, incoming.status);
                self.blocked = None;
            }
        }
    }

    /// Begins to copy a message that has waited for its receive, if there is one; returns its length.
    pub fn begin_copy(&mut self) -> Option<u64> {
        let bytes = self.to_copy.front()?.status.bytes;
        self.copies = true;
        Some(bytes)
    }

    /// The message in progress has been copied.
    pub fn end_copy(&mut self, time: u64) {
        if std::mem::take(&mut self.copies) {
            let copied = self.to_copy.pop_front().expect("a message is being copied");
            self.end_receive(&copied, time);
        }
    }

    fn begin_request(&mut self, request: u32) {
        let index = request as usize;
        assert!(index < MOST_REQUESTS, "request {request} is beyond {MOST_REQUESTS}");
        if index >= self.requests.len() {
            self.requests.resize(index + 1, Request::Free);
        }
        assert_eq!(self.requests[index], Request::Free, "request {request} is in use");
        self.requests[index] = Request::Pending { call: self.calls };
    }

    /// The operation of a request ends.
    fn end_request(&mut self, request: u32, ended: Request, time: u64, status: Status) {
        let request = &mut self.requests[request as usize];
        let Request::Pending { call } = std::mem::replace(request, ended) else {
            unreachable!("a request ends once")
        };
        self.complete(call, time, status);
    }

    fn cancel(&mut self, request: u32, time: u64) {
        let is_used = self.requests.get(request as usize).is_some_and(|state| *state != Request::Free);
        assert!(is_used, "request {request} is not in use");
        if self.matcher.withdraw(request) {
            self.end_request(request, Request::Cancelled, time, Status::default());
        }
        self.complete(self.calls, time, Status::default());
    }

    /// Takes the message of a handle.
    fn take(&mut self, handle: u32) -> Arrived {
        let message = self.taken.remove(&handle);
        message
            .unwrap_or_else(|| panic!("handle {handle} is of no message, or of one that has been received"))
    }

    fn complete(&mut self, call: u64, time: u64, status: Status) {
        self.digest.record(self.group.rank, call, time, &status);
    }

    fn block(&mut self, on: Awaited, since: u64) {
        self.blocked = Some(Blocked { since, on });
        self.unblock(since);
    }

    /// Ends the call that blocks the rank, if what it waits for has happened.
    pub fn unblock(&mut self, time: u64) {
        match self.blocked.map(|blocked| blocked.on) {
            Some(Awaited::Requests(requests, needed)) => {
                if let Some(outcome) = self.take_requests(requests, needed) {
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
            Some(Awaited::Message | Awaited::Sent(_) | Awaited::End) | None => {}
        }
    }

    /// The requests of a range that exist.
    fn range(&mut self, requests: Requests) -> &mut [Request] {
        let end = (requests.first as usize).saturating_add(requests.count as usize).min(self.requests.len());
        let first = (requests.first as usize).min(end);
        &mut self.requests[first..end]
    }

    /// Frees the requests with which a wait ends, if it can end; returns its outcome.
    fn take_requests(&mut self, requests: Requests, needed: Needed) -> Option<Outcome> {
        let range = self.range(requests);
        // A wait for nothing ends at once.
        let can_end = match needed {
            Needed::All => !range.iter().any(Request::is_pending),
            Needed::Any | Needed::Some => {
                range.iter().any(Request::has_ended) || !range.iter().any(Request::is_pending)
            }
        };
        if !can_end {
            return None;
        }
        let most = if needed == Needed::Any { 1 } else { range.len() };
        let ended = (requests.first..).zip(range).filter(|(_, request)| request.has_ended());
        self.ended = ended.take(most).map(|(number, request)| std::mem::take(request).end(number)).collect();
        let cancelled = self.ended.iter().filter(|ended| ended.is_cancelled).count() as u32;
        let received = match self.ended[..] {
            [Ended { received, .. }] => received,
            _ => None,
        };
        let request = match needed {
            Needed::Any => self.ended.first().map_or(u32::MAX, |ended| ended.request),
            Needed::All | Needed::Some => self.ended.len() as u32,
        };
        Some(Outcome { received, request: Some(request), cancelled, ..Outcome::default() })
    }

    fn test(&mut self, requests: Requests, time: u64) {
        let ended = self.take_requests(requests, Needed::All);
        let flag = ended.is_some();
        self.outcome = Outcome { flag, request: None, ..ended.unwrap_or_default() };
        self.complete(self.calls, time, Status { bytes: flag.into(), ..Status::default() });
    }

    fn probe(&mut self, probe: Probe, blocks: bool, time: u64) {
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

    /// The envelope of a message is there. Appends those that receives now match; returns whether the rank waits for an
    /// envelope.
    pub fn arrive(&mut self, message: &Message, accepted: &mut Vec<MessageId>) -> bool {
        let stream = self.ordering.accept(message);
        let mut is_unexpected = false;
        while let Some(arrived) = self.ordering.next(stream) {
            let Some(selector) = self.matcher.arrive(arrived) else {
                is_unexpected = true;
                continue;
            };
            // What had to wait for an earlier message has been stored meanwhile.
            let is_copied = arrived.id() != message.id();
            let incoming = Incoming { status: arrived.status, request: selector.request, is_copied };
            accepted.push(arrived.id());
            match arrived.is_complete {
                true => self.ready.push(incoming),
                false => self.incoming.push(incoming),
            }
        }
        let is_probing = matches!(self.blocked, Some(Blocked { on: Awaited::Probed(_), .. }));
        is_unexpected && is_probing || !self.ready.is_empty()
    }

    /// All of a message has arrived.
    pub fn complete_message(&mut self, id: MessageId, time: u64) {
        let is_it =
            |incoming: &Incoming| (incoming.status.source, incoming.status.number) == (id.source, id.number);
        if let Some(place) = self.incoming.iter().position(is_it) {
            let incoming = self.incoming.remove(place);
            return self.finish(incoming, time);
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
    pub fn finish_ready(&mut self, time: u64) {
        for incoming in std::mem::take(&mut self.ready) {
            self.finish(incoming, time);
        }
    }

    /// The last packet of a message has been written.
    pub fn sent(&mut self, number: u32, time: u64) {
        let place = self.sending.iter().position(|sending| sending.number == number);
        let sending = place.and_then(|place| self.sending.remove(place));
        self.end_send(&sending.expect("a message is sent once"), time);
    }

    fn waiting_for(&self) -> String {
        let Some(Blocked { on, .. }) = self.blocked else { return String::from("nothing") };
        let call = self.calls;
        match on {
            Awaited::Sent(Status { bytes, .. }) => {
                format!("room for the packets of a message of {bytes} bytes (call {call})")
            }
            Awaited::Requests(requests, _) => {
                let posted = self.matcher.posted().find(|selector| selector.request.is_some());
                let first = posted.map(|selector| {
                    let (source, tag) = (OrAny(selector.source), OrAny(selector.tag));
                    format!(", first a message from rank {source} with tag {tag}")
                });
                let first = first.unwrap_or_default();
                format!("{} requests{first} (call {call})", requests.count)
            }
            Awaited::Probed(Probe { selector, takes }) => {
                let (source, tag) = (OrAny(selector.source), OrAny(selector.tag));
                let name = if takes { "MPI_Mprobe" } else { "MPI_Probe" };
                format!("{name} from rank {source} with tag {tag} (call {call})")
            }
            Awaited::End => String::from("nothing"),
            Awaited::Message => self.waiting_for_message(),
        }
    }

    fn waiting_for_message(&self) -> String {
        let receive = self.matcher.posted().find(|selector| selector.request.is_none());
        let Some(receive) = receive else { return String::from("nothing") };
        let (source, tag, call) = (OrAny(receive.source), OrAny(receive.tag), self.calls);
        match self.active_collective {
            Some(active_collective) => {
                format!("a message from rank {source} in {} (call {call})", active_collective.collective)
            }
            None => format!("MPI_Recv from rank {source} with tag {tag} (call {call})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use messaging::Envelope;

    const GROUP: Group = Group { rank: 0, size: 2 };

    /// A rank with a posted receive (request 0), a cancelled one (1), one that has ended (2), and handle 0.
    fn process() -> Process {
        let (source, tag, mut operations) = (None, Some(3), Vec::new());
        let receive = |tag, request| Call::ReceiveNonBlocking { source, tag: Some(tag), request };
        let calls = [receive(7, 0), receive(8, 1), Call::Cancel { request: 1 }, receive(3, 2)];
        let mut process = Process::new(GROUP, false);
        calls.into_iter().for_each(|call| process.make(call, 0, true, &mut operations));
        for sequence in 0..2 {
            let envelope = Envelope([3 << 1, sequence]);
            let message = Message { source: 1, number: sequence as u32, bytes: 5, envelope };
            process.arrive(&message, &mut Vec::new());
            process.complete_message(message.id(), 1);
        }
        process.make(Call::MatchedProbe { source, tag, blocks: true }, 2, true, &mut operations);
        assert!(operations.is_empty() && !process.is_blocked());
        process
    }

    fn assert_refused(alter: impl FnOnce(&mut Process)) {
        let mut altered = process();
        alter(&mut altered);
        assert!(!altered.can_be_restored((GROUP, false), 3), "{altered:?}");
    }

    #[test]
    fn only_states_with_known_handles_and_requests_in_progress_are_restored() {
        assert!(process().can_be_restored((GROUP, false), 3));
        let of_other_rank = Status { source: 2, ..Status::default() };
        assert_refused(|process| process.next_handle = 0);
        assert_refused(|process| process.taken.get_mut(&0).unwrap().status = of_other_rank);
        assert_refused(|process| process.requests[0] = Request::Cancelled);
        assert_refused(|process| process.requests[0] = Request::Free);
        assert_refused(|process| process.requests[1] = Request::Pending { call: 2 });
        assert_refused(|process| process.requests[2] = Request::Complete { received: Some(of_other_rank) });
        assert_refused(|process| drop(process.requests.drain(..)));
    }
}
