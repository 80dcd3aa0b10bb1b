//! Preserves the message order of each pair of ranks although packets overtake one another: the sender numbers its
//! messages, and the receiver holds early ones back.

use crate::Status;
use crate::matching::{Arrived, Context};
use messaging::{Envelope, Message, MessageId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the envelope of a message says, beside its number in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Label {
    pub context: Context,
    pub tag: u32,
    /// The rank of the sender in the communicator; 0 if the message proposes ids.
    pub source: u32,
    /// The ids that it proposes.
    pub proposed: u32,
    pub is_ready: bool,
}

/// Bits beside the communicator's id in the upper half of the first word.
const COLLECTIVE: u32 = 1;
const READY: u32 = 2;
const PROPOSES: u32 = 4;
const FLAGS: u32 = 3;

impl Label {
    /// Two words: tag, communicator and flags; number in the stream, and rank of the sender or ids.
    pub fn envelope(&self, sequence: u32) -> Envelope {
        let Context { communicator, is_collective } = self.context;
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let flags =
            flag(is_collective, COLLECTIVE) | flag(self.is_ready, READY) | flag(self.proposed > 0, PROPOSES);
        let last = if self.proposed > 0 { self.proposed } else { self.source };
        let word = |lower: u32, upper: u32| u64::from(upper) << 32 | u64::from(lower);
        Envelope([word(self.tag, communicator << FLAGS | flags), word(sequence, last)])
    }

    fn of(Envelope([first, second]): Envelope) -> (Self, u32) {
        let (upper, last) = ((first >> 32) as u32, (second >> 32) as u32);
        let context = Context { communicator: upper >> FLAGS, is_collective: upper & COLLECTIVE != 0 };
        let (source, proposed) = if upper & PROPOSES != 0 { (0, last) } else { (last, 0) };
        let is_ready = upper & READY != 0;
        (Label { context, tag: first as u32, source, proposed, is_ready }, second as u32)
    }
}

/// A stream of messages between one rank and a peer, in a context.
pub(crate) type Stream = (Context, u32);

/// The streams of one rank. Only peers that it has communicated with use memory.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ordering {
    /// The next sequence number to send, by target.
    next_sent: BTreeMap<Stream, u32>,
    /// The next sequence number to match, by source.
    next_received: BTreeMap<Stream, u32>,
    /// Messages that have overtaken earlier ones of their stream.
    early: BTreeMap<(Stream, u32), Arrived>,
}

impl Ordering {
    /// About the bytes of its maps.
    pub(crate) fn bytes(&self) -> usize {
        (self.next_sent.len() + self.next_received.len()) * size_of::<(Stream, u32)>()
            + self.early.len() * size_of::<((Stream, u32), Arrived)>()
    }

    /// The number of the next message to rank `target` of the machine.
    pub(crate) fn number(&mut self, target: u32, context: Context) -> u32 {
        let next = self.next_sent.entry((context, target)).or_default();
        let sequence = *next;
        *next = next.wrapping_add(1);
        sequence
    }

    /// Accepts a message: returns it if it is the next of its stream, and [`Ordering::next`] then gives those that have
    /// overtaken it.
    pub(crate) fn accept(&mut self, message: &Message) -> (Stream, Option<Arrived>) {
        let Message { source: origin, number, bytes, envelope } = *message;
        let (Label { context, tag, source, proposed, is_ready }, sequence) = Label::of(envelope);
        let stream = (context, origin);
        let status = Status { source, tag, bytes, number, sequence };
        let arrived = Arrived { context, origin, status, proposed, is_ready, is_complete: false };
        let next = self.next_received.entry(stream).or_default();
        if *next == sequence {
            *next = next.wrapping_add(1);
            return (stream, Some(arrived));
        }
        self.early.insert((stream, sequence), arrived);
        (stream, None)
    }

    /// The next message of a stream, if it has arrived early.
    pub(crate) fn next(&mut self, stream: Stream) -> Option<Arrived> {
        if self.early.is_empty() {
            return None;
        }
        let next = self.next_received.entry(stream).or_default();
        let arrived = self.early.remove(&(stream, *next))?;
        *next = next.wrapping_add(1);
        Some(arrived)
    }

    /// The message of this name, if it has overtaken others.
    pub(crate) fn find_mut(&mut self, id: MessageId) -> Option<&mut Arrived> {
        self.early.values_mut().find(|message| message.id() == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_stream_are_released_in_sequence() {
        let (mut sender, mut receiver) = (Ordering::default(), Ordering::default());
        let context = |is_collective| Context { communicator: 3, is_collective };
        let mut message = |is_collective, tag| {
            let label =
                Label { context: context(is_collective), tag, source: 2, proposed: 0, is_ready: true };
            let envelope = label.envelope(sender.number(9, label.context));
            assert_eq!(Label::of(envelope).0, label);
            Message { source: 5, number: 0, bytes: 1, envelope }
        };
        let calls: Vec<_> = (0..4).map(|tag| message(false, tag)).collect();
        let collective = message(true, 77);
        let mut tags = Vec::new();
        for message in [calls[2], calls[1], collective, calls[0], calls[3]] {
            let (stream, first) = receiver.accept(&message);
            let others = std::iter::from_fn(|| receiver.next(stream));
            tags.extend(first.into_iter().chain(others).map(|arrived| arrived.status.tag));
        }
        assert_eq!(tags, [77, 0, 1, 2, 3]);
    }
}
