//! Preserves the message order of each pair of ranks although packets overtake one another: the sender numbers its
//! messages, and the receiver holds early ones back.

use crate::Status;
use crate::matching::{Arrived, Context};
use messaging::{Envelope, Message, MessageId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

    /// The envelope of the next message to `target`: tag and context in the first word, the sequence number in the
    /// second.
    pub(crate) fn number(&mut self, context: Context, target: u32, tag: u32) -> Envelope {
        let next = self.next_sent.entry((context, target)).or_default();
        let envelope = Envelope([u64::from(tag) << 1 | context as u64, u64::from(*next)]);
        *next = next.wrapping_add(1);
        envelope
    }

    /// Accepts a message; [`Ordering::next`] then gives those of its stream that are in order.
    pub(crate) fn accept(&mut self, message: &Message) -> Stream {
        let Message { source, number, bytes, envelope: Envelope([label, sequence]) } = *message;
        let context = if label & 1 == 0 { Context::Calls } else { Context::Collectives };
        let stream = (context, source);
        let status = Status { source, tag: (label >> 1) as u32, bytes, number };
        self.early.insert((stream, sequence as u32), Arrived { context, status, is_complete: false });
        stream
    }

    /// The next message of a stream, if it has arrived.
    pub(crate) fn next(&mut self, stream: Stream) -> Option<Arrived> {
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
        let mut message = |context, tag| Message {
            source: 5,
            number: 0,
            bytes: 1,
            envelope: sender.number(context, 9, tag),
        };
        let calls: Vec<_> = (0..4).map(|tag| message(Context::Calls, tag)).collect();
        let collective = message(Context::Collectives, 77);
        let mut tags = Vec::new();
        for message in [calls[2], calls[1], collective, calls[0], calls[3]] {
            let stream = receiver.accept(&message);
            tags.extend(std::iter::from_fn(|| receiver.next(stream)).map(|arrived| arrived.status.tag));
        }
        assert_eq!(tags, [77, 0, 1, 2, 3]);
    }
}
