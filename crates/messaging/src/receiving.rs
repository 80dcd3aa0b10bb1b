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
    pub packets_left: u32,
    pub message: Message,
}

impl Arriving {
    fn key(&self) -> (u32, u32) {
        (self.message.source, self.message.number)
    }
}

/// The arriving messages of a node, by source and number.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Receiving {
    messages: Vec<Arriving>,
}

impl Receiving {
    /// Adds a message.
    pub fn insert(&mut self, arriving: Arriving) {
        let place = self.messages.partition_point(|before| before.key() < arriving.key());
        self.messages.insert(place, arriving);
    }

    /// Counts a packet that has been read; returns the message if it was its last.
    pub fn count(&mut self, tag: Tag) -> Option<Arriving> {
        let found = self.messages.binary_search_by_key(&(tag.rank, tag.message), Arriving::key);
        let place = found.expect("a message is announced before its packets arrive");
        let arriving = &mut self.messages[place];
        arriving.packets_left -= 1;
        (arriving.packets_left == 0).then(|| self.messages.remove(place))
    }

    /// The messages.
    pub fn messages(&self) -> &[Arriving] {
        &self.messages
    }

    /// Whether a restored table can be one of `cores` cores, whose ranks hear from `ranks` ranks; `packets` gives the
    /// number of packets of a message.
    pub fn can_be_restored(&self, cores: usize, ranks: u32, packets: impl Fn(u64) -> u32) -> bool {
        let is_message = |arriving: &Arriving| {
            usize::from(arriving.core) < cores
                && arriving.message.can_be_restored(ranks)
                && (1..=packets(arriving.message.bytes)).contains(&arriving.packets_left)
        };
        self.messages.iter().all(is_message)
            && self.messages.is_sorted_by(|before, after| before.key() < after.key())
    }

    /// Bytes of the table beside itself.
    pub fn bytes(&self) -> usize {
        self.messages.capacity() * size_of::<Arriving>()
    }
}
