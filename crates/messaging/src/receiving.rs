//! Messages of which packets have been announced and have not all been read: a table a node.

use crate::ranks::{Envelope, Message};
use crate::transfer::Kind;
use network::node::software::Announcement;
use network::packet::Tag;
use serde::{Deserialize, Serialize};

/// What goes ahead of the packets of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The rank to which it goes.
    pub target: u32,
    pub kind: Kind,
    pub message: Message,
}

impl Header {
    /// The header for the software of a node.
    pub fn announce_to(&self, node: u32) -> Announcement {
        let Message { source, number, bytes, envelope: Envelope([first, second]) } = self.message;
        let key = u64::from(source) << 32 | u64::from(number); // of the message: the kind goes with the target
        let target = (self.kind as u64) << 32 | u64::from(self.target);
        Announcement { node, words: [key, target, bytes, first, second] }
    }

    /// The header that was announced.
    pub fn of(announcement: &Announcement) -> Self {
        let [key, target, bytes, first, second] = announcement.words;
        let (source, number) = ((key >> 32) as u32, key as u32);
        let message = Message { source, number, bytes, envelope: Envelope([first, second]) };
        Header { target: target as u32, kind: Kind::of(target >> 32), message }
    }
}

/// A message whose packets are arriving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arriving {
    /// The core of the rank to which it goes.
    pub core: u8,
    pub kind: Kind,
    pub message: Message,
}

/// What is looked up for each packet of a message.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Count {
    source: u32,
    number: u32,
    packets: u32,
    /// Packets that have not begun to be read, and those that have not been read.
    to_begin: u32,
    packets_left: u32,
}

/// A packet that begins to be read.
pub(crate) struct Begun {
    pub kind: Kind,
    /// Its transfer, if it is the first.
    pub first: Option<Arriving>,
    pub is_last: bool,
}

impl Arriving {
    /// What the tags of its packets name.
    fn key(&self) -> (u32, u32) {
        (self.message.source, self.kind.name(self.message.number))
    }
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
    /// Where the last packet was counted, which is often that of the next.
    #[serde(skip)]
    last: usize,
}

impl Receiving {
    /// Adds a transfer of so many packets.
    pub fn insert(&mut self, arriving: Arriving, packets: u32) {
        let (source, number) = arriving.key();
        let place = self.counts.partition_point(|before| before.key() < (source, number));
        self.counts
            .insert(place, Count { source, number, packets, to_begin: packets, packets_left: packets });
        self.messages.insert(place, arriving);
    }

    fn place(&mut self, tag: Tag) -> usize {
        let key = (tag.rank, tag.message);
        if self.counts.get(self.last).is_none_or(|count| count.key() != key) {
            self.last = self.search(key);
        }
        self.last
    }

    fn search(&self, key: (u32, u32)) -> usize {
        let found = self.counts.binary_search_by_key(&key, Count::key);
        found.expect("a message is announced before its packets arrive")
    }

    /// The core of the rank to which a packet goes.
    pub fn core_of(&self, tag: Tag) -> usize {
        self.messages[self.search((tag.rank, tag.message))].core.into()
    }

    /// Counts a packet that begins to be read.
    pub fn begin(&mut self, tag: Tag) -> Begun {
        let place = self.place(tag);
        let count = &mut self.counts[place];
        let is_first = count.to_begin == count.packets;
        count.to_begin -= 1;
        let arriving = &self.messages[place];
        Begun { kind: arriving.kind, first: is_first.then_some(*arriving), is_last: count.to_begin == 0 }
    }

    /// Counts a packet that has been read; returns its transfer if it was the last.
    pub fn count(&mut self, tag: Tag) -> Option<Arriving> {
        let place = self.place(tag);
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
    /// number of packets of a transfer.
    pub fn can_be_restored(&self, cores: usize, ranks: u32, packets: impl Fn(Kind, u64) -> u32) -> bool {
        let is_message = |(count, arriving): (&Count, &Arriving)| {
            let Arriving { core, kind, message } = arriving;
            usize::from(*core) < cores
                && count.key() == arriving.key()
                && kind.can_restore(message, ranks)
                && count.packets == packets(*kind, message.bytes)
                && (1..=count.packets).contains(&count.packets_left)
                && count.to_begin <= count.packets_left
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
