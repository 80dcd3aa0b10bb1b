//! Messages as they arrive, and probes for them.

use super::{Awaited, Blocked, Incoming, Now, Probe, Process};
use crate::call::ReceiveFrom;
use crate::layout::Layout;
use crate::matching::{Arrived, Owner, Selector};
use crate::{Outcome, Status};
use base::memory::Compact;
use messaging::{End, Message, MessageId};

impl Process {
    /// Handles the arrival of a message's envelope. Appends the messages that receives now match; returns whether
    /// the rank waits for an envelope.
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
            self.fault = self.fault.or(selector.fault(&arrived));
            // Messages that had to wait for an earlier one have been stored meanwhile.
            let is_copied = arrived.id() != message.id();
            let Selector { owner, blocks, .. } = selector;
            let incoming = Incoming { owner, blocks, ..Incoming::of(&arrived, is_copied) };
            accepted.push(arrived.id());
            match arrived.is_complete {
                true => self.uncommon.ready.push(incoming),
                false => self.incoming.append_one(incoming),
            }
        }
        let is_probing = matches!(self.blocked, Some(Blocked { on: Awaited::Probed(_), .. }));
        is_unexpected && is_probing || !self.uncommon.ready.is_empty() || self.fault.is_some()
    }

    /// Handles the arrival of all of a message.
    pub fn complete_message(&mut self, id: MessageId, now: &mut Now<'_>) {
        let is_it = |incoming: &Incoming| (incoming.origin, incoming.status.number) == (id.source, id.number);
        if let Some(place) = self.incoming.iter().position(is_it) {
            let incoming = self.incoming.remove(place);
            return self.finish(incoming, now);
        }
        let is_taken = |message: &&mut Arrived| message.id() == id;
        let found = match self.matcher.find_mut(id) {
            Some(message) => Some(message),
            None => self.uncommon.taken.values_mut().find(is_taken),
        };
        let found = found.or_else(|| self.ordering.find_mut(id));
        found.expect("the envelope of a message comes first").is_complete = true;
    }

    /// Ends receives whose messages were complete when they could be matched.
    pub fn finish_ready(&mut self, now: &mut Now<'_>) {
        if self.uncommon.ready.is_empty() {
            return;
        }
        for incoming in std::mem::take(&mut self.uncommon.ready) {
            self.finish(incoming, now);
        }
    }

    pub(super) fn probe(&mut self, message: &ReceiveFrom, takes: bool, blocks: bool, time: u64) {
        let message = ReceiveFrom { layout: Layout::Contiguous, ..*message };
        let probe = Probe { selector: self.selector(&message, Owner::Call), takes };
        if blocks {
            self.block(Awaited::Probed(probe), time);
        } else if !self.find(&probe, time) {
            self.outcome = Outcome::default();
            self.complete(self.calls, time, Status::default());
        }
    }

    /// Ends a probe if a message has arrived for it; returns whether one has.
    pub(super) fn find(&mut self, Probe { selector, takes }: &Probe, time: u64) -> bool {
        let found = if *takes { self.matcher.take(selector) } else { self.matcher.peek(selector).copied() };
        let Some(message) = found else { return false };
        let (status, handle) = (message.status, takes.then(|| self.hold(message)));
        self.outcome = Outcome { received: Some(status), handle, flag: true, ..Outcome::default() };
        self.complete(self.calls, time, status);
        true
    }

    /// Keeps a message for the receive that names its handle.
    fn hold(&mut self, message: Arrived) -> u32 {
        let handle = self.uncommon.next_handle;
        self.uncommon.next_handle += 1;
        self.uncommon.taken.insert(handle, message);
        handle
    }

    /// Takes the message of a handle.
    pub(super) fn take(&mut self, handle: u32) -> Arrived {
        let message = self.uncommon.taken.remove(&handle);
        message
            .unwrap_or_else(|| panic!("handle {handle} is of no message, or of one that has been received"))
    }
}

impl Incoming {
    /// The receive of `message`.
    pub(super) fn of(message: &Arrived, is_copied: bool) -> Self {
        let Arrived { origin, status, proposed, .. } = *message;
        Incoming { origin, status, proposed, owner: Owner::Call, blocks: 0, is_copied }
    }
}
