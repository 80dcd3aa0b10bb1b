//! Messages spread over infinite injection FIFOs at no cost: all packets of a message go to FIFOs at once, each to the
//! emptiest. They come into being only as the network takes those before them.
//!
//! ```text
//!   FIFO 0  |#####|------ A ------|-- B --|         #  packets in the FIFO
//!   FIFO 1  |###|------- A -------|-- B --|         -  packets of messages A and B that do not exist yet
//! ```
//!
//! Which packet of a message is the `k`-th of a FIFO follows from how full the FIFOs were when the message was sent:
//! packet after packet, the lowest pile grows, of equally high ones the first.

use crate::transfers::outgoing::Outgoing;
use base::memory::grown_bytes;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A message being spread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spreading {
    pub outgoing: Outgoing,
    piles: Piles,
}

/// The FIFOs to which the packets of a message go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Piles {
    /// All go to one, in order.
    One(usize),
    Many {
        /// By FIFO: chunks in it, and chunks still to come, when the message was sent.
        levels: Vec<u64>,
        /// By FIFO: packets of the message that it has been given.
        given: Vec<u32>,
    },
}

impl Spreading {
    /// A message of several packets, sent when FIFOs were as full as `levels`.
    pub fn new(outgoing: Outgoing, levels: impl Iterator<Item = u64>) -> Self {
        let levels: Vec<u64> = levels.collect();
        Spreading { outgoing, piles: Piles::Many { given: vec![0; levels.len()], levels } }
    }

    /// A message of which all packets go to one FIFO.
    pub fn in_one(outgoing: Outgoing, fifo: usize) -> Self {
        Spreading { outgoing, piles: Piles::One(fifo) }
    }

    /// Takes the next packet for a FIFO, if any; returns its index.
    pub fn take(&mut self, fifo: usize, size: u64) -> Option<u32> {
        let index = match &mut self.piles {
            Piles::One(only) => (*only == fifo).then_some(self.outgoing.written)?,
            Piles::Many { levels, given } => {
                let index = index(levels, (fifo, given[fifo]), size);
                let index = u32::try_from(index).ok().filter(|&index| index < self.outgoing.packets)?;
                given[fifo] += 1;
                index
            }
        };
        self.outgoing.written += 1;
        Some(index)
    }

    /// Packets of the message that go to a FIFO in all.
    pub fn packets_of(&self, fifo: usize, size: u64) -> u32 {
        let levels = match &self.piles {
            Piles::One(only) if *only == fifo => return self.outgoing.packets,
            Piles::One(_) => return 0,
            Piles::Many { levels, .. } => levels,
        };
        let packets = self.outgoing.packets;
        let is_there = |k: u32| index(levels, (fifo, k), size) < packets.into();
        let (mut low, mut high) = (0, packets);
        while low < high {
            let middle = low + (high - low) / 2;
            (low, high) = if is_there(middle) { (middle + 1, high) } else { (low, middle) };
        }
        low
    }

    /// Packets of the message that a FIFO has been given.
    fn given(&self, fifo: usize) -> u32 {
        match &self.piles {
            Piles::One(only) if *only == fifo => self.outgoing.written,
            Piles::One(_) => 0,
            Piles::Many { given, .. } => given[fifo],
        }
    }

    /// The FIFO to which the last packet goes.
    pub fn fifo_of_last(&self, size: u64) -> usize {
        let levels = match &self.piles {
            Piles::One(only) => return *only,
            Piles::Many { levels, .. } => levels,
        };
        let last = u64::from(self.outgoing.packets) - 1;
        let goes_to = |&fifo: &usize| {
            let packets = self.packets_of(fifo, size);
            packets > 0 && index(levels, (fifo, packets - 1), size) == last
        };
        (0..levels.len()).find(goes_to).expect("some FIFO takes it")
    }

    /// Bytes on the heap.
    fn bytes(&self) -> usize {
        match &self.piles {
            Piles::One(_) => 0,
            Piles::Many { levels, .. } => levels.len() * (size_of::<u64>() + size_of::<u32>()),
        }
    }
}

/// The packet of a message that is the `k`-th (from 0) of a FIFO, by its index; `size` is that of a full packet.
fn index(levels: &[u64], (fifo, k): (usize, u32), size: u64) -> u64 {
    let level = levels[fifo] + u64::from(k) * size;
    let below = |(other, &start): (usize, &u64)| match other.cmp(&fifo) {
        std::cmp::Ordering::Equal => k.into(),
        // Packets of an earlier FIFO that end in the same level come first.
        std::cmp::Ordering::Less => (level + 1).saturating_sub(start).div_ceil(size),
        std::cmp::Ordering::Greater => level.saturating_sub(start).div_ceil(size),
    };
    levels.iter().enumerate().map(below).sum()
}

/// The messages that are being spread over a set of FIFOs, in the order in which they were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spread {
    messages: VecDeque<Spreading>,
}

impl Spread {
    pub fn push(&mut self, spreading: Spreading) {
        self.messages.push_back(spreading);
    }

    /// Takes the next packet for a FIFO; returns its message, and its index in that message.
    pub fn take(&mut self, fifo: usize, size: u64) -> Option<(Outgoing, u32)> {
        let mut messages = self.messages.iter_mut().enumerate();
        let (place, index) =
            messages.find_map(|(place, spreading)| Some((place, spreading.take(fifo, size)?)))?;
        let outgoing = self.messages[place].outgoing;
        if outgoing.written == outgoing.packets {
            self.messages.remove(place);
        }
        Some((outgoing, index))
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Chunks that are still to come in a FIFO; `chunks` gives the size of a packet of a message of some bytes.
    pub fn chunks_to_come(&self, fifo: usize, size: u64, chunks: impl Fn(u64, u32) -> u8) -> u64 {
        let of_message = |spreading: &Spreading| {
            let packets = spreading.packets_of(fifo, size) - spreading.given(fifo);
            let last = spreading.outgoing.packets - 1;
            let has_last = packets > 0 && spreading.fifo_of_last(size) == fifo;
            let shorter = size - u64::from(chunks(spreading.outgoing.message.bytes, last));
            u64::from(packets) * size - if has_last { shorter } else { 0 }
        };
        self.messages.iter().map(of_message).sum()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let each = self.messages.iter().map(Spreading::bytes);
        self.messages.capacity() * size_of::<Spreading>() + each.sum::<usize>()
    }
}

/// Bytes of `messages` messages that are being spread over `fifos` FIFOs at a time.
pub(crate) fn bytes_for(messages: usize, fifos: usize) -> usize {
    grown_bytes::<Spreading>(messages) + messages * fifos * (size_of::<u64>() + size_of::<u32>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Kind;
    use crate::transfers::making::Route;
    use crate::{Envelope, Message, Place};
    use proptest::prelude::*;

    const SIZE: u64 = 8;

    fn outgoing(packets: u32) -> Outgoing {
        Outgoing {
            kind: Kind::Eager,
            target: 0,
            place: Place { node: 0, core: 0 },
            span: None,
            message: Message { source: 0, number: 0, bytes: 0, envelope: Envelope::default() },
            first_packet: 0,
            packets,
            written: 0,
            sent: 0,
            reports: false,
            lacks_credit: false,
            sizes: None,
            route: Route::Unknown,
        }
    }

    proptest! {
        /// Each FIFO takes the packets that it would take if all were written at once, each to the emptiest.
        #[test]
        fn packets_go_where_they_would_go_at_once(
            levels in prop::collection::vec(0u64..60, 1..8), packets in 2u32..60,
        ) {
            let mut piles = levels.clone();
            let mut expected = vec![Vec::new(); levels.len()];
            for index in 0..packets {
                let fifo = (0..piles.len()).min_by_key(|&fifo| piles[fifo]).unwrap();
                expected[fifo].push(index);
                piles[fifo] += SIZE;
            }
            let spreading = Spreading::new(outgoing(packets), levels.iter().copied());
            for (fifo, expected) in expected.iter().enumerate() {
                prop_assert_eq!(spreading.packets_of(fifo, SIZE) as usize, expected.len());
                prop_assert_eq!(spreading.fifo_of_last(SIZE) == fifo, expected.last() == Some(&(packets - 1)));
            }
            let mut spread = Spread::default();
            spread.push(spreading);
            for (fifo, expected) in expected.iter().enumerate() {
                let taken: Vec<u32> =
                    std::iter::from_fn(|| Some(spread.take(fifo, SIZE)?.1)).collect();
                prop_assert_eq!(&taken, expected);
            }
            prop_assert!(spread.is_empty());
        }
    }
}
