//! Sends and receives.

use super::{After, Awaited, Blocked, Incoming, Now, Outgoing, Process, Sending};
use crate::call::{ReceiveFrom, SendTo, Transfer};
use crate::collectives::schedule::Then;
use crate::matching::{Arrived, Context, Owner, Selector};
use crate::ordering::Label;
use crate::requests::Request;
use crate::{Needed, Outcome, RequestSet, Status};
use base::memory::{self, Compact};
use messaging::Operation;

impl Process {
    /// A send or receive that blocks, or that has a request.
    pub(super) fn begin(&mut self, transfer: Transfer, request: Option<u32>, now: &mut Now<'_>) {
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

    pub(super) fn block_in_transfers(&mut self, left: u8, time: u64) {
        self.block(Awaited::Transfers { left, status: Status::default() }, time);
    }

    pub(super) fn transfer(&mut self, transfer: Transfer, owner: Owner, now: &mut Now<'_>) {
        match transfer {
            Transfer::Send(send) => self.send_to(&send, owner, now),
            Transfer::Receive(receive) => {
                let selector = self.selector(&receive, owner);
                self.receive(selector, now);
            }
        }
    }

    /// Begins persistent requests.
    pub(super) fn start(&mut self, requests: RequestSet<'_>, now: &mut Now<'_>) {
        for request in requests.iter() {
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
            is_ready: mode.needs_receive(),
            is_deposited: false,
        };
        let target = self.communicators.place(communicator, target);
        let copy = if mode.is_buffered() { now.costs.copy(bytes) } else { 0 };
        let sequence = self.ordering.number(target, label.context);
        let outgoing = Outgoing { target, bytes, label, sequence, mode, owner };
        self.work(copy + now.costs.pack(layout.blocks()), After::Send(outgoing), now);
    }

    pub(super) fn send(&mut self, outgoing: &Outgoing, now: &mut Now<'_>) {
        let Outgoing { target, bytes, label, sequence, mode, owner } = *outgoing;
        let envelope = label.envelope(sequence);
        let synchronous = mode.awaits_match();
        let reports = synchronous || now.costs.sends_take_time && !mode.is_buffered();
        now.operations.push(Operation::Send { target, bytes, envelope, reports, synchronous });
        if let Some(communication) = &mut self.communication {
            communication.add(target, bytes);
        }
        self.begin_sending((target, &label), (bytes, sequence), owner, reports, now);
    }

    /// Begins to send the next message of the rank, which is notified of its end if it `reports`.
    pub(super) fn begin_sending(
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

    /// Handles the end of a message: its last packet has been written.
    pub fn sent(&mut self, number: u32, now: &mut Now<'_>) {
        let place = self.sending.iter().position(|sending| sending.status.number == number);
        let sending = place.and_then(|place| self.sending.remove(place));
        memory::rewind(&mut self.sending);
        self.end_send(&sending.expect("a message is sent once"), now);
    }

    pub(super) fn selector(&self, receive: &ReceiveFrom, owner: Owner) -> Selector {
        let ReceiveFrom { communicator, source, tag, layout, room } = *receive;
        let context = Context { communicator: self.communicators.id(communicator), is_collective: false };
        let source = source.map(|source| self.communicators.place(communicator, source));
        Selector { context, source, tag, owner, blocks: layout.blocks(), room }
    }

    pub(super) fn receive(&mut self, selector: Selector, now: &mut Now<'_>) {
        if let Some(message) = self.matcher.post(selector) {
            self.fault = self.fault.or(selector.fault(&message));
            self.accept((selector.owner, selector.blocks), &message, now);
        }
    }

    /// Handles a receive, of data in `blocks` blocks, that has matched a message which arrived before it.
    pub(super) fn accept(&mut self, (owner, blocks): (Owner, u32), message: &Arrived, now: &mut Now<'_>) {
        now.operations.push(Operation::Accept { message: message.id() });
        let incoming = Incoming { owner, blocks, ..Incoming::of(message, true) };
        match message.is_complete {
            true => self.finish(incoming, now),
            false => self.incoming.append_one(incoming),
        }
    }

    /// Handles the completion of a message that a receive has matched.
    pub(super) fn finish(&mut self, incoming: Incoming, now: &mut Now<'_>) {
        let Incoming { status: Status { bytes, .. }, owner, blocks, is_copied, .. } = incoming;
        let copy = if is_copied { now.costs.copy(bytes) } else { 0 };
        let then = match owner {
            Owner::Step { then: Then::Combine(times), .. } => {
                now.costs.combine(bytes).saturating_mul(times.into())
            }
            Owner::Step { then: Then::Copy, .. } => now.costs.copy(bytes),
            Owner::Step { then: Then::Keep, .. } | Owner::Call | Owner::Request(_) => 0,
        };
        let cycles = copy.saturating_add(then).saturating_add(now.costs.pack(blocks));
        self.work(cycles, After::Receive(incoming), now);
    }

    pub(super) fn end_receive(&mut self, incoming: &Incoming, now: &mut Now<'_>) {
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

    /// Ends a send or receive in which the rank is blocked, possibly together with another.
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

    /// Ends the operation of a request.
    pub(super) fn end_request(&mut self, request: u32, ended: Request, time: u64, status: Status) {
        let call = self.requests.end(request, ended);
        self.complete(call, time, status);
    }

    pub(super) fn cancel(&mut self, request: u32, time: u64) {
        assert!(self.requests.is_used(request), "request {request} is not in use");
        if self.matcher.withdraw(request) {
            self.end_request(request, Request::Cancelled, time, Status::default());
        }
        self.complete(self.calls, time, Status::default());
    }

    /// Whether all of the requests have ended, or one or some. If none is in use, all have ended, and one has not.
    pub(super) fn test(&mut self, requests: RequestSet<'_>, needed: Needed, time: u64) {
        let ended = self.requests.take(requests, needed);
        let none = if needed.is_one() { u32::MAX } else { 0 };
        let ended = ended.filter(|outcome| needed.is_all() || outcome.request != Some(none));
        let (flag, all) = (ended.is_some(), needed.is_all());
        let outcome = ended.unwrap_or_default();
        self.outcome = Outcome { flag, request: outcome.request.filter(|_| !all), ..outcome };
        self.complete(self.calls, time, Status { bytes: flag.into(), ..Status::default() });
    }
}
