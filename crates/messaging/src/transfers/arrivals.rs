//! Messages of which packets have been announced and have not all been read: one table for each node.

use crate::protocol::Kind;
use crate::ranks::{Envelope, Message, MessageId};
use base::memory::{self, Compact, compact_bytes};
use network::node::software::Announcement;
use network::packet::Tag;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The header that goes ahead of the packets of a message.
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

/// The source and the name of a message in the tags of its packets.
type Key = (u32, u32);

/// A message under its key, and its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Progress {
    core: u8,
    kind: Kind,
    packets: u32,
    /// Packets that have not begun to be read, and those that have not been read.
    to_begin: u32,
    packets_left: u32,
    bytes: u64,
    envelope: Envelope,
}

/// A packet that begins to be read.
pub(crate) struct Begun {
    pub kind: Kind,
    /// The transfer, if the packet is its first.
    pub first: Option<Arriving>,
    pub is_last: bool,
}

impl Arriving {
    fn key(&self) -> Key {
        (self.message.source, self.kind.name(self.message.number))
    }
}

impl Progress {
    fn arriving(&self, (source, name): Key) -> Arriving {
        let Progress { core, kind, bytes, envelope, .. } = *self;
        let number = Kind::message_of(name);
        Arriving { core, kind, message: Message { source, number, bytes, envelope } }
    }
}

/// The arriving messages of a node.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<(Key, Progress)>", into = "Vec<(Key, Progress)>")]
pub(crate) struct Arrivals(Table);

#[derive(Clone, Debug)]
enum Table {
    Few(Few),
    /// Once there have been many, as where all ranks send to all others.
    Many(FxHashMap<Key, Progress>),
}

/// The most messages that are looked at one by one.
const FEW: usize = 16;

/// Messages in any order. A byte of each key lies in the state of the node itself. So seldom more than the one message
/// that is looked for has to come from memory.
#[derive(Clone, Debug, Default)]
struct Few {
    bytes_of_keys: [u8; FEW],
    /// The place of the message that was found last, which is often that of the next packet.
    last: usize,
    messages: Vec<Entry>,
}

/// A message and its key, on one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Entry(Key, Progress);

impl Default for Table {
    fn default() -> Self {
        Table::Few(Few::default())
    }
}

/// A byte in which the keys of the few messages of a node mostly differ.
#[inline]
fn byte_of((source, name): Key) -> u8 {
    (source.wrapping_add(name.rotate_left(16)).wrapping_mul(0x9e37_79b1) >> 24) as u8 // 2^32 / the golden ratio
}

impl Few {
    fn insert(&mut self, key: Key, progress: Progress) {
        self.bytes_of_keys[self.messages.len()] = byte_of(key);
        self.messages.append_one(Entry(key, progress));
    }

    #[inline]
    fn find(&mut self, key: Key) -> Option<&mut Progress> {
        if self.messages.get(self.last).is_none_or(|message| message.0 != key) {
            let byte = byte_of(key);
            let mut messages = self.bytes_of_keys.iter().zip(&self.messages);
            self.last = messages.position(|(&other, message)| other == byte && message.0 == key)?;
        }
        self.messages.get_mut(self.last).map(|message| &mut message.1)
    }

    /// Removes the message that was found last.
    fn remove(&mut self) {
        self.messages.swap_remove(self.last);
        self.bytes_of_keys[self.last] = self.bytes_of_keys[self.messages.len()];
    }
}

impl FromIterator<(Key, Progress)> for Few {
    fn from_iter<I: IntoIterator<Item = (Key, Progress)>>(messages: I) -> Self {
        let mut few = Few::default();
        messages.into_iter().for_each(|(key, progress)| few.insert(key, progress));
        few
    }
}

impl From<Arrivals> for Vec<(Key, Progress)> {
    fn from(receiving: Arrivals) -> Self {
        let mut messages: Vec<(Key, Progress)> = match receiving.0 {
            Table::Few(few) => few.messages.into_iter().map(|Entry(key, progress)| (key, progress)).collect(),
            Table::Many(many) => many.into_iter().collect(),
        };
        messages.sort_unstable_by_key(|&(key, _)| key);
        messages
    }
}

impl From<Vec<(Key, Progress)>> for Arrivals {
    fn from(messages: Vec<(Key, Progress)>) -> Self {
        Arrivals(match messages.len() <= FEW {
            true => Table::Few(messages.into_iter().collect()),
            false => Table::Many(messages.into_iter().collect()),
        })
    }
}

impl Table {
    fn insert(&mut self, key: Key, progress: Progress) {
        match self {
            Table::Few(few) if few.messages.len() < FEW => few.insert(key, progress),
            Table::Few(few) => {
                let few = few.messages.drain(..).map(|Entry(key, progress)| (key, progress));
                *self = Table::Many(few.chain([(key, progress)]).collect());
            }
            Table::Many(many) => drop(many.insert(key, progress)),
        }
    }

    fn find(&mut self, key: Key) -> Option<&mut Progress> {
        match self {
            Table::Few(few) => few.find(key),
            Table::Many(many) => many.get_mut(&key),
        }
    }

    /// Removes the message that was found last.
    fn remove(&mut self, key: Key) {
        match self {
            Table::Few(few) => few.remove(),
            Table::Many(many) => drop(many.remove(&key)),
        }
    }
}

impl Arrivals {
    /// Prefetches the few messages that are arriving.
    pub fn prefetch(&self) {
        if let Table::Few(few) = &self.0 {
            memory::few_of_software(&few.messages);
        }
    }

    /// Adds a transfer of `packets` packets.
    pub fn insert(&mut self, arriving: Arriving, packets: u32) {
        let Arriving { core, kind, message: Message { bytes, envelope, .. } } = arriving;
        let (to_begin, packets_left) = (packets, packets);
        let progress = Progress { core, kind, packets, to_begin, packets_left, bytes, envelope };
        self.0.insert(arriving.key(), progress);
    }

    fn progress(&mut self, key: Key) -> &mut Progress {
        self.0.find(key).expect("a message is announced before its packets arrive")
    }

    /// Whether a packet of a message, eager or a body, has begun to be read, and one of it is left.
    pub fn has_begun(&mut self, id: MessageId) -> bool {
        Kind::ALL.into_iter().filter(|kind| kind.traits().has_data).any(|kind| {
            let progress = self.0.find((id.source, kind.name(id.number)));
            progress.is_some_and(|progress| progress.kind == kind && progress.to_begin < progress.packets)
        })
    }

    /// The core of the rank to which a packet goes.
    pub fn core_of(&mut self, tag: Tag) -> usize {
        self.progress((tag.rank, tag.message)).core.into()
    }

    /// Counts a packet that begins to be read.
    pub fn begin(&mut self, tag: Tag) -> Begun {
        let key = (tag.rank, tag.message);
        let progress = self.progress(key);
        let is_first = progress.to_begin == progress.packets;
        progress.to_begin -= 1;
        let first = is_first.then(|| progress.arriving(key));
        Begun { kind: progress.kind, first, is_last: progress.to_begin == 0 }
    }

    /// Counts a packet that has been read; returns its transfer if it was the last.
    #[inline]
    pub fn count(&mut self, tag: Tag) -> Option<Arriving> {
        let key = (tag.rank, tag.message);
        let progress = self.progress(key);
        progress.packets_left -= 1;
        let ended = (progress.packets_left == 0).then(|| progress.arriving(key));
        if ended.is_some() {
            self.0.remove(key);
        }
        ended
    }

    /// The approximate bytes of the table on the heap.
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Table::Few(few) => few.messages.capacity() * size_of::<Entry>(),
            Table::Many(many) => many.capacity() * (size_of::<(Key, Progress)>() + 1),
        }
    }

    /// The approximate bytes on the heap once `messages` messages have been arriving at a time.
    pub fn bytes_for(messages: usize) -> usize {
        match messages {
            0..=FEW => compact_bytes::<Entry>(messages),
            // Of a table's buckets, a power of two, seven eighths are used at most.
            _ => (messages * 8).div_ceil(7).next_power_of_two() / 8 * 7 * (size_of::<(Key, Progress)>() + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arriving(number: u32) -> Arriving {
        let (source, bytes, envelope) = (number % 3, u64::from(number), Envelope([7, u64::from(number)]));
        Arriving { core: 0, kind: Kind::Eager, message: Message { source, number, bytes, envelope } }
    }

    fn tag(number: u32) -> Tag {
        Tag { action: 0, rank: number % 3, message: number }
    }

    proptest! {
        /// Messages whose packets are read in any order end once each, also after a restart; few and many alike.
        #[test]
        fn each_message_ends_with_its_last_packet(
            messages in 1u32..60,
            order in prop::collection::vec(any::<u32>(), 300),
            restart in 0usize..300,
        ) {
            let packets_of = |number: u32| 1 + number % 4;
            let mut receiving = Arrivals::default();
            (0..messages).for_each(|number| receiving.insert(arriving(number), packets_of(number)));
            let mut unread: Vec<u32> =
                (0..messages).flat_map(|number| (0..packets_of(number)).map(move |_| number)).collect();
            for (count, choice) in order.into_iter().cycle().enumerate() {
                if count == restart {
                    let saved = Vec::from(receiving.clone());
                    prop_assert!(saved.is_sorted_by_key(|&(key, _)| key));
                    receiving = Arrivals::from(saved);
                }
                if unread.is_empty() {
                    break;
                }
                let number = unread.swap_remove(choice as usize % unread.len());
                let left = unread.iter().filter(|&&other| other == number).count() as u32;
                let begun = receiving.begin(tag(number));
                let is_first = left + 1 == packets_of(number);
                prop_assert_eq!(begun.first, is_first.then(|| arriving(number)));
                prop_assert_eq!(begun.is_last, left == 0);
                prop_assert_eq!(receiving.count(tag(number)), (left == 0).then(|| arriving(number)));
            }
            prop_assert!(Vec::from(receiving).is_empty());
        }
    }
}
