//! The MPI library of one rank: it turns calls into messages, and messages into outcomes of calls.

use crate::call::OrAny;
use crate::collectives::{Collective, Group, Step};
use crate::digest::Digest;
use crate::matching::{Arrived, Context, Matcher, Selector};
use crate::ordering::Ordering;
use crate::{Call, Needed, Outcome, Requests, Status};
use messaging::{Message, Operation, Waiting};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

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
    /// Its operation is complete.
    Complete,
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
    Probed(Selector),
}

/// A message that is being sent, and the request that completes with it; none if its rank is blocked in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sending {
    number: u32,
    status: Status,
    request: Option<u32>,
}

/// The state of one rank's library.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Process {
    group: Group,
    ordering: Ordering,
    matcher: Matcher,
    active_collective: Option<ActiveCollective>,
    blocked: Option<Blocked>,
    /// The call whose cost is passing.
    pub pending: Option<Call>,
    /// What the last call returned.
    pub outcome: Outcome,
    requests: Vec<Request>,
    sending: VecDeque<Sending>,
    messages_sent: u32,
    /// MPI calls made, including the one in progress.
    pub calls: u64,
    collectives: u32,
    pub digest: Digest,
}

impl Process {
    /// The library of a rank that has made no call.
    pub fn new(group: Group) -> Self {
        Process { group, ..Process::default() }
    }

    /// Whether a restored state can be that of the same rank at processor cycle `now`.
    pub fn can_be_restored(&self, group: Group, now: u64) -> bool {
        let ranks = group.size;
        self.group == group
            && self.blocked.is_none_or(|blocked| blocked.since <= now)
            && self.calls < MOST_CALLS
            && self.requests.len() <= MOST_REQUESTS
            && self.active_collective.is_none_or(|active| {
                active.collective.can_be_restored(ranks) && active.next_step <= MOST_STEPS
            })
    }

    /// The rank, among how many.
    pub fn group(&self) -> Group {
        self.group
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
            + self.sending.capacity() * size_of::<Sending>()
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
                self.receive(Selector { context, source, tag, request: None }, time);
            }
            Call::ReceiveNonBlocking { source, tag, request } => {
                self.begin_request(request);
                self.receive(Selector { context, source, tag, request: Some(request) }, time);
            }
            Call::Wait { requests, needed } => self.block(Awaited::Requests(requests, needed), time),
            Call::Test { requests } => self.test(requests, time),
            Call::Probe { source, tag, blocks } => {
                self.probe(Selector { context, source, tag, request: None }, blocks, time);
            }
            Call::Collective(collective) => self.begin(collective),
            Call::Compute { .. } => unreachable!("computation is no call"),
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
                self.receive(selector, time);
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
        operations.push(Operation::Send { target, bytes, envelope, reports });
        let (number, status) = (self.messages_sent, Status { source: self.group.rank, tag, bytes });
        self.messages_sent += 1;
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
            Some(request) => self.complete_request(request, time, sending.status),
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

    fn receive(&mut self, selector: Selector, time: u64) {
        match self.matcher.post(selector) {
            Some(message) => self.match_with(&selector, &message, time),
            None if selector.request.is_none() => self.block(Awaited::Message, time),
            None => {}
        }
    }

    fn match_with(&mut self, selector: &Selector, message: &Arrived, time: u64) {
        match selector.request {
            Some(request) => self.complete_request(request, time, message.status),
            None => {
                self.outcome.received = Some(message.status);
                self.end_step(time, message.status);
                self.blocked = None;
            }
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

    fn complete_request(&mut self, request: u32, time: u64, status: Status) {
        let request = &mut self.requests[request as usize];
        let Request::Pending { call } = std::mem::replace(request, Request::Complete) else {
            unreachable!("a request completes once")
        };
        self.complete(call, time, status);
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
                if let Some(request) = self.take_requests(requests, needed) {
                    self.outcome.request = Some(request);
                    self.blocked = None;
                    self.complete(self.calls, time, Status::default());
                }
            }
            Some(Awaited::Probed(selector)) => {
                if let Some(status) = self.matcher.peek(&selector).map(|message| message.status) {
                    self.outcome = Outcome { received: Some(status), flag: true, ..Outcome::default() };
                    self.blocked = None;
                    self.complete(self.calls, time, status);
                }
            }
            Some(Awaited::Message | Awaited::Sent(_)) | None => {}
        }
    }

    /// The requests of a range that exist.
    fn range(&mut self, requests: Requests) -> &mut [Request] {
        let end = (requests.first as usize).saturating_add(requests.count as usize).min(self.requests.len());
        let first = (requests.first as usize).min(end);
        &mut self.requests[first..end]
    }

    /// Frees the requests with which a wait ends, if it can end; returns the first, or how many for some.
    fn take_requests(&mut self, requests: Requests, needed: Needed) -> Option<u32> {
        let first = requests.first;
        let range = self.range(requests);
        let is_pending = |request: &Request| matches!(request, Request::Pending { .. });
        let ready = match needed {
            Needed::All => !range.iter().any(is_pending),
            // A wait for nothing ends at once.
            Needed::Any | Needed::Some => range.contains(&Request::Complete) || !range.iter().any(is_pending),
        };
        if !ready {
            return None;
        }
        let complete = range.iter_mut().enumerate().filter(|(_, request)| **request == Request::Complete);
        let freed = |(index, request): (usize, &mut Request)| {
            *request = Request::Free;
            first + index as u32
        };
        match needed {
            Needed::Any => complete.map(freed).next().or(Some(u32::MAX)),
            Needed::All | Needed::Some => Some(complete.map(freed).count() as u32),
        }
    }

    fn test(&mut self, requests: Requests, time: u64) {
        let flag = self.take_requests(requests, Needed::All).is_some();
        self.outcome = Outcome { flag, ..Outcome::default() };
        self.complete(self.calls, time, Status { bytes: flag.into(), ..Status::default() });
    }

    fn probe(&mut self, selector: Selector, blocks: bool, time: u64) {
        if blocks {
            return self.block(Awaited::Probed(selector), time);
        }
        let found = self.matcher.peek(&selector).map(|message| message.status);
        self.outcome = Outcome { received: found, flag: found.is_some(), ..Outcome::default() };
        self.complete(self.calls, time, found.unwrap_or_default());
    }

    /// A message has arrived.
    pub fn arrive(&mut self, message: &Message, time: u64) {
        let stream = self.ordering.accept(message);
        while let Some(arrived) = self.ordering.next(stream) {
            if let Some(selector) = self.matcher.arrive(arrived) {
                self.match_with(&selector, &arrived, time);
            }
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
            Awaited::Probed(selector) => {
                let (source, tag) = (OrAny(selector.source), OrAny(selector.tag));
                format!("MPI_Probe from rank {source} with tag {tag} (call {call})")
            }
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
