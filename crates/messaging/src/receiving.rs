//! Messages of which packets have been announced and have not all been read: a table a node.

use crate::ranks::{Envelope, Message};
use network::node::software::Announcement;
use network::packet::Tag;
use serde::{Deserialize, Serialize};

/// What goes ahead of the packets of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The rank to which it goes.
    pub target: u32,
    pub message: Message,
}

impl Header {
    /// The header for the software of a node.
    pub fn announce_to(&self, node: u32) -> Announcement {
        let Message { source, number, bytes, envelope: Envelope([first, second]) } = self.message;
        let key = u64::from(source) << 32 | u64::from(number);
        Announcement { node, words: [key, self.target.into(), bytes, first, second] }
    }

    /// The header that was announced.
    pub fn of(announcement: &Announcement) -> Self {
        let [key, target, bytes, first, second] = announcement.words;
        let (source, number) = ((key >> 32) as u32, key as u32);
        let message = Message { source, number, bytes, envelope: Envelope([first, second]) };
        Header { target: target as u32, message }
    }
}

/// A message whose packets are arriving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arriving {
    /// The core of the rank to which it goes.
    pub core: u8,
    pub message: Message,
}

/// What is looked up for each packet of a message.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Count {
    source: u32,
    number: u32,
    packets_left: u32,
}

impl Count {
    fn key(&self) -> (u32, u32) {
        (self.source, self.number)
    }
}

/// The arriving messages of a node, by source and number.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Receiving {
    counts: Vec<Count>,
    /// The messages in the same order: apart, so that the counts take few cache lines.
    messages: Vec<Arriving>,
}

impl Receiving {
    /// Adds a message of `packets_left` packets.
    pub fn insert(&mut self, arriving: Arriving, packets_left: u32) {
        let Message { source, number, .. } = arriving.message;
        let place = self.counts.partition_point(|before| before.key() < (source, number));
        self.counts.insert(place, Count { source, number, packets_left });
        self.messages.insert(place, arriving);
    }

    /// Counts a packet that has been read; returns the message if it was its last.
    pub fn count(&mut self, tag: Tag) -> Option<Arriving> {
        let found = self.counts.binary_search_by_key(&(tag.rank, tag.message), Count::key);
        let place = found.expect("a message is announced before its packets arrive");
        let count = &mut self.counts[place];
        count.packets_left -= 1;
        (count.packets_left == 0).then(|| {
            self.counts.remove(place);
            self.messages.remove(place)
        })
    }

    /// The messages.
    pub fn messages(&self) -> &[Arriving] {
        &self.messages
    }

    /// Whether a restored table can be one of `cores` cores, whose ranks hear from `ranks` ranks; `packets` gives the
    /// number of packets of a message.
    pub fn can_be_restored(&self, cores: usize, ranks: u32, packets: impl Fn(u64) -> u32) -> bool {
        let is_message = |(count, arriving): (&Count, &Arriving)| {
            let Arriving { core, message } = arriving;
            usize::from(*core) < cores
                && count.key() == (message.source, message.number)
                && message.can_be_restored(ranks)
                && (1..=packets(message.bytes)).contains(&count.packets_left)
        };
        self.counts.len() == self.messages.len()
            && self.counts.iter().zip(&self.messages).all(is_message)
            && self.counts.is_sorted_by(|before, after| before.key() < after.key())
    }

    /// Bytes of the table beside itself.
    pub fn bytes(&self) -> usize {
        self.counts.capacity() * size_of::<Count>() + self.messages.capacity() * size_of::<Arriving>()
    }
}
