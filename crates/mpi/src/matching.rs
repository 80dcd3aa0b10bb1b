//! Message matching (MPI-1, section 3.5): a receive gets the first message that matches it, in order of arrival; a
//! message goes to the first receive that matches it, in order of the calls.

use crate::Status;
use crate::call::Room;
use crate::collectives::schedule::Then;
use base::memory::{self, Compact, compact_bytes};
use messaging::{End, MessageId};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The context of a message or receive. Different contexts never match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Context {
    /// The id of the communicator.
    pub communicator: u32,
    /// Whether it is the context of collectives, not of the program's own sends and receives.
    pub is_collective: bool,
}

/// A message whose envelope has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arrived {
    pub context: Context,
    /// The rank of the machine that sent it.
    pub origin: u32,
    /// The status, with the rank of the sender in the communicator.
    pub status: Status,
    /// The ids that its sender proposes, if the message is part of an agreement.
    pub proposed: u32,
    /// Whether it was sent in ready mode.
    pub is_ready: bool,
    /// Whether all of the message has arrived.
    pub is_complete: bool,
}

impl Arrived {
    /// The name of the message.
    pub fn id(&self) -> MessageId {
        MessageId { source: self.origin, number: self.status.number }
    }
}

/// The owner of a send or receive, which waits for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Owner {
    /// The rank, which is blocked in the call.
    Call,
    Request(u32),
    /// The collective in progress with this key, the part of it to which the step belongs, and the use of the data
    /// that it receives.
    Step {
        collective: u32,
        part: u16,
        then: Then,
    },
}

/// The messages that a receive accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Selector {
    pub context: Context,
    /// The rank of the machine to receive from, or any.
    pub source: Option<u32>,
    pub tag: Option<u32>,
    pub owner: Owner,
    /// Blocks into which the data are unpacked, if not into one piece.
    pub blocks: u32,
    pub room: Room,
}

impl Selector {
    fn accepts(&self, message: &Arrived) -> bool {
        self.context == message.context
            && self.source.is_none_or(|wanted| wanted == message.origin)
            && self.tag.is_none_or(|wanted| wanted == message.status.tag)
    }

    /// The end of the receiving rank, if it has no room for a message that it gets.
    pub fn fault(&self, message: &Arrived) -> Option<End> {
        let Room { bytes: max, receive } = self.room;
        let bytes = u32::try_from(message.status.bytes).unwrap_or(u32::MAX);
        (bytes > max).then_some(End::Truncated { source: message.origin, bytes, receive })
    }
}

/// The two queues of a rank: posted receives and unexpected messages.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Matcher {
    posted: VecDeque<Selector>,
    unexpected: VecDeque<Arrived>,
}

impl Matcher {
    /// Prefetches the first posted receive.
    pub(crate) fn prefetch(&self) {
        self.posted.front().into_iter().for_each(memory::software);
    }

    /// Posts a receive; returns the message that it gets, or none yet.
    pub(crate) fn post(&mut self, selector: Selector) -> Option<Arrived> {
        let found = self.take(&selector);
        if found.is_none() {
            self.posted.append_one(selector);
        }
        found
    }

    /// Adds a message; returns the receive that gets it, or none yet.
    pub(crate) fn arrive(&mut self, message: Arrived) -> Option<Selector> {
        let found = self.posted.iter().position(|selector| selector.accepts(&message));
        if found.is_none() {
            self.unexpected.append_one(message);
        }
        let selector = found.and_then(|index| self.posted.remove(index));
        memory::rewind(&mut self.posted);
        selector
    }

    /// Takes the first message that a receive would get, so that no receive gets it any more.
    pub(crate) fn take(&mut self, selector: &Selector) -> Option<Arrived> {
        let found = self.unexpected.iter().position(|message| selector.accepts(message));
        let message = found.and_then(|index| self.unexpected.remove(index));
        memory::rewind(&mut self.unexpected);
        message
    }

    /// The message with this name, if no receive has matched it.
    pub(crate) fn find_mut(&mut self, id: MessageId) -> Option<&mut Arrived> {
        self.unexpected.iter_mut().find(|message| message.id() == id)
    }

    /// Withdraws the posted receive of a request; returns whether it was posted.
    pub(crate) fn withdraw(&mut self, request: u32) -> bool {
        let posted = self.posted.iter().position(|selector| selector.owner == Owner::Request(request));
        posted.and_then(|index| self.posted.remove(index)).is_some()
    }

    /// The first message that a receive would get, which stays in the queue.
    pub(crate) fn peek(&self, selector: &Selector) -> Option<&Arrived> {
        self.unexpected.iter().find(|message| selector.accepts(message))
    }

    /// The posted receives, in order.
    pub(crate) fn posted(&self) -> impl Iterator<Item = &Selector> {
        self.posted.iter()
    }

    /// Bytes in addition to the value itself.
    pub(crate) fn bytes(&self) -> usize {
        self.posted.capacity() * size_of::<Selector>() + self.unexpected.capacity() * size_of::<Arrived>()
    }

    /// The bytes once `posted` receives have been posted, and `unexpected` messages have been unexpected, at a
    /// time.
    pub(crate) fn bytes_for(posted: usize, unexpected: usize) -> usize {
        compact_bytes::<Selector>(posted) + compact_bytes::<Arrived>(unexpected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLS: Context = Context { communicator: 0, is_collective: false };
    const COLLECTIVES: Context = Context { communicator: 0, is_collective: true };

    fn message(context: Context, source: u32, tag: u32, bytes: u64) -> Arrived {
        let status = Status { source, tag, bytes, ..Status::default() };
        Arrived { context, origin: source, status, proposed: 0, is_ready: false, is_complete: true }
    }

    fn selector(source: Option<u32>, tag: Option<u32>) -> Selector {
        Selector { context: CALLS, source, tag, owner: Owner::Call, blocks: 0, room: Room::UNLIMITED }
    }

    #[test]
    fn a_receive_gets_the_first_unexpected_message_that_matches() {
        let mut matcher = Matcher::default();
        let messages = [
            message(COLLECTIVES, 1, 7, 0),
            message(CALLS, 1, 8, 1),
            message(CALLS, 2, 7, 2),
            message(CALLS, 1, 7, 3),
            message(CALLS, 1, 7, 4),
        ];
        assert!(messages.iter().all(|&message| matcher.arrive(message).is_none()));
        assert_eq!(matcher.post(selector(Some(1), Some(7))), Some(messages[3]));
        assert_eq!(matcher.post(selector(None, Some(7))), Some(messages[2]));
        assert_eq!(matcher.post(selector(Some(1), None)), Some(messages[1]));
        assert_eq!(matcher.post(selector(None, None)), Some(messages[4]));
        assert_eq!(matcher.post(selector(None, None)), None);
    }

    #[test]
    fn messages_that_are_taken_and_receives_that_are_withdrawn_match_no_more() {
        let mut matcher = Matcher::default();
        let messages = [message(CALLS, 1, 7, 0), message(CALLS, 1, 7, 1)];
        assert!(messages.iter().all(|&message| matcher.arrive(message).is_none()));
        assert_eq!(matcher.take(&selector(Some(1), None)), Some(messages[0]));
        assert_eq!(matcher.post(selector(None, None)), Some(messages[1]));
        assert_eq!(matcher.take(&selector(None, None)), None);
        let receives =
            [3, 4].map(|request| Selector { owner: Owner::Request(request), ..selector(None, None) });
        assert!(receives.iter().all(|&receive| matcher.post(receive).is_none()));
        assert!(matcher.withdraw(3));
        assert!(!matcher.withdraw(3));
        assert_eq!(matcher.arrive(messages[0]), Some(receives[1]));
    }

    #[test]
    fn a_message_goes_to_the_first_posted_receive_that_matches() {
        let mut matcher = Matcher::default();
        let receives = [selector(Some(2), None), selector(None, Some(7)), selector(None, None)];
        assert!(receives.iter().all(|&receive| matcher.post(receive).is_none()));
        assert_eq!(matcher.arrive(message(COLLECTIVES, 2, 7, 0)), None);
        assert_eq!(matcher.arrive(message(CALLS, 1, 7, 0)), Some(receives[1]));
        assert_eq!(matcher.arrive(message(CALLS, 1, 7, 0)), Some(receives[2]));
        assert_eq!(matcher.posted().next(), Some(&receives[0]));
        assert_eq!(matcher.arrive(message(CALLS, 2, 9, 0)), Some(receives[0]));
    }
}
