//! Remote events as bytes, for another process.
//!
//! ```text
//!   numbers of events and announcements: 2 x 4 | event ... | announcement: 44 ... | signals and news (postcard)
//!   event:  time: 8 | record: 8 | node: 4 | port, vc, credits: 3 | of an arrival: offered: 8, metadata: 0, 12 or 16
//! ```
//!
//! Events are most of it, and have a layout of their own; all numbers are little-endian. The cycle at which a packet was
//! offered is whole: its [`Offered`](super::offered::Offered) may be a place in a table of this process.

use super::metadata::Metadata;
use super::offered::FarOffers;
use super::outgoing::{RemoteEvent, RemoteEvents};
use base::bytes::{packed, unpacked};
use network::node::software::Announcement;
use network::packet::{Packet, Tag};

/// The bytes that all events have.
const EVENT_BYTES: usize = 23;

/// Whether packets have a tag, and whether they have a source.
const fn parts_of<L>() -> (bool, bool) {
    (size_of::<L>() >= size_of::<Tag>(), size_of::<L>() > size_of::<Tag>())
}

impl<L: Metadata> RemoteEvents<L> {
    /// Appends the events to `bytes`, and removes them. The cycles of their packets leave the table of this process.
    pub fn pack(&mut self, far: &FarOffers, now: u64, bytes: &mut Vec<u8>) {
        if self.is_empty() {
            return;
        }
        let counts = [self.events.len(), self.announcements.len()];
        counts.iter().for_each(|count| bytes.extend((*count as u32).to_le_bytes()));
        self.events.drain(..).for_each(|event| pack_event(&event, far, now, bytes));
        for Announcement { node, words } in self.announcements.drain(..) {
            bytes.extend(node.to_le_bytes());
            words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        }
        bytes.extend(packed(&(std::mem::take(&mut self.signals), std::mem::take(&mut self.news))));
    }

    /// The events with these bytes, which another process has [packed](RemoteEvents::pack).
    pub fn unpack(far: &FarOffers, now: u64, bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return RemoteEvents::default();
        }
        let mut bytes = Bytes(bytes);
        let [events, announcements] = [bytes.u32(), bytes.u32()];
        let events = (0..events).map(|_| unpack_event(&mut bytes, far, now)).collect();
        let announcements = (0..announcements)
            .map(|_| Announcement { node: bytes.u32(), words: std::array::from_fn(|_| bytes.u64()) })
            .collect();
        let (signals, news) = unpacked(bytes.0);
        RemoteEvents { events, announcements, signals, news }
    }
}

fn pack_event<L: Metadata>(event: &RemoteEvent<L>, far: &FarOffers, now: u64, bytes: &mut Vec<u8>) {
    let RemoteEvent { time, packet, offered, metadata, node, port, vc, credits } = *event;
    let mut head = [0; EVENT_BYTES];
    head[..8].copy_from_slice(&time.to_le_bytes());
    head[8..16].copy_from_slice(&packet.0.to_le_bytes());
    head[16..20].copy_from_slice(&node.to_le_bytes());
    head[20..].copy_from_slice(&[port, vc, credits]);
    bytes.extend_from_slice(&head);
    if event.is_arrival() {
        bytes.extend_from_slice(&far.take(offered, now).to_le_bytes());
        let (has_tag, has_source) = parts_of::<L>();
        if has_tag {
            let Tag { action, rank, message } = metadata.tag();
            [action, rank, message].iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        }
        if has_source {
            bytes.extend_from_slice(&metadata.source().to_le_bytes());
        }
    }
}

fn unpack_event<L: Metadata>(bytes: &mut Bytes<'_>, far: &FarOffers, now: u64) -> RemoteEvent<L> {
    let (time, packet, node) = (bytes.u64(), Packet(bytes.u64()), bytes.u32());
    let [port, vc, credits] = bytes.take();
    let mut event = RemoteEvent { time, packet, node, port, vc, credits, ..RemoteEvent::default() };
    if event.is_arrival() {
        event.offered = far.store(bytes.u64(), now);
        let (has_tag, has_source) = parts_of::<L>();
        let mut words = |has: bool| if has { bytes.u32() } else { 0 };
        let tag = Tag { action: words(has_tag), rank: words(has_tag), message: words(has_tag) };
        event.metadata = L::new(tag, words(has_source));
    }
    event
}

/// Bytes that are being read.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the processes run the same program");
        self.0 = rest;
        *first
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{NoMetadata, TagAndSource};
    use crate::outgoing::News;
    use network::collective::{Event, Signal};
    use proptest::prelude::*;

    fn are_kept<L: Metadata>(numbers: &[(u64, u32, u8, u64)], now: u64) -> Result<(), TestCaseError> {
        let (here, there) = (FarOffers::default(), FarOffers::default());
        let cycle = |ago: u64| now.saturating_sub(ago);
        let event = |&(record, word, byte, ago): &(u64, u32, u8, u64)| RemoteEvent {
            time: record,
            packet: Packet(!record),
            offered: if byte > 1 { Default::default() } else { here.store(cycle(ago), now) },
            metadata: L::new(Tag { action: word, rank: word ^ 1, message: word ^ 2 }, word ^ 3),
            node: word,
            port: byte,
            vc: byte ^ 1,
            credits: if byte > 1 { byte } else { 0 },
        };
        let mut sent = RemoteEvents::<L> {
            events: numbers.iter().map(event).collect(),
            announcements: numbers.iter().map(|n| Announcement { node: n.1, words: [n.0; 5] }).collect(),
            signals: numbers
                .iter()
                .map(|n| Signal { node: n.1, time: n.3, event: Event::Ascended })
                .collect(),
            news: News::default(),
        };
        let before = sent.clone();
        let mut bytes = Vec::new();
        sent.pack(&here, now, &mut bytes);
        prop_assert!(sent.is_empty());
        let got = RemoteEvents::<L>::unpack(&there, now, &bytes);
        prop_assert_eq!(&got.announcements, &before.announcements);
        prop_assert_eq!(&got.signals, &before.signals);
        prop_assert_eq!(got.events.len(), before.events.len());
        for ((got, before), &(.., ago)) in got.events.iter().zip(&before.events).zip(numbers) {
            let of = |event: &RemoteEvent<L>| {
                let RemoteEvent { time, packet, node, port, vc, credits, .. } = *event;
                (time, packet, node, port, vc, credits)
            };
            prop_assert_eq!(of(got), of(before));
            if got.is_arrival() {
                prop_assert_eq!(there.cycle(got.offered, now), cycle(ago));
                prop_assert_eq!(got.metadata.tag(), before.metadata.tag());
                prop_assert_eq!(got.metadata.source(), before.metadata.source());
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn events_are_kept(
            numbers in prop::collection::vec((any::<u64>(), any::<u32>(), any::<u8>(), 0u64..1 << 40), 0..20),
            now in 0u64..1 << 44,
        ) {
            are_kept::<NoMetadata>(&numbers, now)?;
            are_kept::<Tag>(&numbers, now)?;
            are_kept::<TagAndSource>(&numbers, now)?;
        }
    }
}
