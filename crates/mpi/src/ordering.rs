//! Preserves the message order of each pair of ranks although packets overtake one another: the sender numbers its
//! messages, and the receiver holds early ones back.

use crate::Status;
use crate::matching::{Arrived, Context};
use base::memory::{OnDemand, grown_bytes};
use messaging::{Envelope, Message, MessageId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The content of a message's envelope, apart from its number in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Label {
    pub context: Context,
    pub tag: u32,
    /// The rank of the sender in the communicator; 0 if the message proposes ids.
    pub source: u32,
    /// The ids that the message proposes.
    pub proposed: u32,
    pub is_ready: bool,
    /// Whether the message goes to all ranks of a line. Such messages keep their order by themselves, and have no
    /// number in the streams to these ranks.
    pub is_deposited: bool,
}

/// Bits next to the communicator's id in the upper half of the first word.
const COLLECTIVE: u32 = 1;
const READY: u32 = 2;
const PROPOSES: u32 = 4;
const DEPOSITED: u32 = 8;
const FLAGS: u32 = 4;

impl Label {
    /// Two words: tag, communicator and flags; number in the stream, and rank of the sender or ids.
    pub fn envelope(&self, sequence: u32) -> Envelope {
        let Context { communicator, is_collective } = self.context;
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let flags = flag(is_collective, COLLECTIVE)
            | flag(self.is_ready, READY)
            | flag(self.proposed > 0, PROPOSES)
            | flag(self.is_deposited, DEPOSITED);
        let last = if self.proposed > 0 { self.proposed } else { self.source };
        let word = |lower: u32, upper: u32| u64::from(upper) << 32 | u64::from(lower);
        Envelope([word(self.tag, communicator << FLAGS | flags), word(sequence, last)])
    }

    fn of(Envelope([first, second]): Envelope) -> (Self, u32) {
        let (upper, last) = ((first >> 32) as u32, (second >> 32) as u32);
        let context = Context { communicator: upper >> FLAGS, is_collective: upper & COLLECTIVE != 0 };
        let (source, proposed) = if upper & PROPOSES != 0 { (0, last) } else { (last, 0) };
        let (is_ready, is_deposited) = (upper & READY != 0, upper & DEPOSITED != 0);
        (Label { context, tag: first as u32, source, proposed, is_ready, is_deposited }, second as u32)
    }
}

/// A stream of messages between one rank and a peer, in a context.
pub(crate) type Stream = (Context, u32);

/// The next number of each stream, by context and peer. Most ranks have a single context, which is stored directly.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<u64, u32>", into = "BTreeMap<u64, u32>")]
struct Numbers {
    first: Option<(u32, Peers)>,
    /// Other contexts, in order.
    others: OnDemand<Vec<(u32, Peers)>>,
}

/// The next number of the streams of a context, by peer.
#[derive(Clone, Debug)]
enum Peers {
    /// A list in the order of peers.
    Few(Vec<(u32, u32)>),
    /// A table of all ranks, 0 without a stream: a rank that exchanges with most others finds each at once. An
    /// entry takes a byte, as most streams are short, and the tables of all ranks are not in the cache.
    Many(Vec<u8>),
    /// A table of all ranks, if a stream is too long for a byte.
    Long(Vec<u32>),
}

/// A table is used once it has at most this number of entries per peer. It then takes four times the memory of the
/// list, or sixteen times where a stream is long.
const RANKS_PER_PEER: usize = 32;

impl Peers {
    const NONE: Peers = Peers::Few(Vec::new());

    /// Takes the next number of the stream with one of `ranks` peers, if `is_it` accepts it.
    #[inline]
    fn take(&mut self, peer: u32, ranks: u32, is_it: impl FnOnce(u32) -> bool) -> Option<u32> {
        self.make_room(peer, ranks);
        match self {
            Peers::Few(few) => {
                let place = place_of(few, peer);
                take_next(&mut few[place].1, is_it)
            }
            Peers::Many(many) => {
                let next = &mut many[peer as usize];
                let number = u32::from(*next);
                let is_taken = is_it(number);
                *next += u8::from(is_taken);
                is_taken.then_some(number)
            }
            Peers::Long(long) => take_next(&mut long[peer as usize], is_it),
        }
    }

    /// Makes room for one more message of the stream with a peer.
    #[inline]
    fn make_room(&mut self, peer: u32, ranks: u32) {
        match self {
            Peers::Few(few) => {
                let place = place_of(few, peer);
                if few.get(place).is_none_or(|stream| stream.0 != peer) {
                    few.insert(place, (peer, 0));
                    if few.len() * RANKS_PER_PEER > ranks as usize {
                        *self = Peers::table(few, ranks);
                    }
                }
            }
            Peers::Many(many) if many[peer as usize] == u8::MAX => {
                *self = Peers::Long(many.iter().map(|&number| number.into()).collect());
            }
            Peers::Many(_) | Peers::Long(_) => {}
        }
    }

    /// A table of some streams.
    fn table(few: &[(u32, u32)], ranks: u32) -> Self {
        let mut long = vec![0; ranks as usize];
        few.iter().for_each(|&(peer, number)| long[peer as usize] = number);
        let many: Option<Vec<u8>> = long.iter().map(|&number| u8::try_from(number).ok()).collect();
        many.map_or(Peers::Long(long), Peers::Many)
    }

    fn streams(self) -> Vec<(u32, u32)> {
        let used = |(_, number): &(u32, u32)| *number > 0;
        match self {
            Peers::Few(few) => few,
            Peers::Many(many) => (0..).zip(many.into_iter().map(u32::from)).filter(used).collect(),
            Peers::Long(long) => (0..).zip(long).filter(used).collect(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Peers::Few(few) => few.capacity() * size_of::<(u32, u32)>(),
            Peers::Many(many) => size_of_val(&many[..]),
            Peers::Long(long) => size_of_val(&long[..]),
        }
    }

    /// Bytes of a table with `peers` of `ranks` peers.
    fn bytes_for(peers: usize, ranks: u32) -> usize {
        match peers * RANKS_PER_PEER > ranks as usize {
            true => ranks as usize,
            false => grown_bytes::<(u32, u32)>(peers),
        }
    }
}

/// Takes the next number of a stream, if `is_it` accepts it.
fn take_next(next: &mut u32, is_it: impl FnOnce(u32) -> bool) -> Option<u32> {
    let number = *next;
    is_it(number).then(|| {
        *next = number.wrapping_add(1);
        number
    })
}

/// The place of a peer in a list, which may not have it yet.
fn place_of(few: &[(u32, u32)], peer: u32) -> usize {
    few.partition_point(|stream| stream.0 < peer)
}

impl From<BTreeMap<u64, u32>> for Numbers {
    fn from(sorted: BTreeMap<u64, u32>) -> Self {
        let mut numbers = Numbers::default();
        for (stream, number) in sorted {
            if let Peers::Few(few) = numbers.of_context((stream >> 32) as u32) {
                few.push((stream as u32, number));
            }
        }
        numbers
    }
}

impl From<Numbers> for BTreeMap<u64, u32> {
    fn from(numbers: Numbers) -> Self {
        let of_context = |(context, peers): (u32, Peers)| {
            let stream = move |peer: u32| u64::from(context) << 32 | u64::from(peer);
            peers.streams().into_iter().map(move |(peer, number)| (stream(peer), number))
        };
        numbers.contexts().cloned().flat_map(of_context).collect()
    }
}

impl Numbers {
    /// Takes the next number of a stream, if `is_it` accepts it, among `ranks` ranks.
    #[inline]
    fn take(
        &mut self,
        (Context { communicator, is_collective }, peer): Stream,
        ranks: u32,
        is_it: impl FnOnce(u32) -> bool,
    ) -> Option<u32> {
        self.of_context(communicator << 1 | u32::from(is_collective)).take(peer, ranks, is_it)
    }

    fn of_context(&mut self, context: u32) -> &mut Peers {
        if self.first.as_ref().is_none_or(|first| first.0 == context) {
            return &mut self.first.get_or_insert((context, Peers::NONE)).1;
        }
        let place = self.others.partition_point(|before| before.0 < context);
        if self.others.get(place).is_none_or(|found| found.0 != context) {
            self.others.reserve_exact(1); // few ranks have more than two
            self.others.insert(place, (context, Peers::NONE));
        }
        &mut self.others[place].1
    }

    fn contexts(&self) -> impl Iterator<Item = &(u32, Peers)> {
        self.first.iter().chain(&*self.others)
    }

    /// Bytes of the tables.
    fn bytes(&self) -> usize {
        let of_others = |others: &Vec<(u32, Peers)>| others.capacity() * size_of::<(u32, Peers)>();
        self.others.bytes(of_others) + self.contexts().map(|(_, peers)| peers.bytes()).sum::<usize>()
    }
}

/// The streams of one rank. Only peers that it has communicated with use memory.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ordering {
    /// Number of ranks.
    ranks: u32,
    /// The next sequence number to send, by target.
    next_sent: Numbers,
    /// The next sequence number to match, by source.
    next_received: Numbers,
    /// Messages that have overtaken earlier ones of their stream.
    early: OnDemand<BTreeMap<(Stream, u32), Arrived>>,
}

impl Ordering {
    /// The streams of one of `ranks` ranks.
    pub(crate) fn new(ranks: u32) -> Self {
        Ordering { ranks, ..Ordering::default() }
    }

    /// About the bytes of the maps.
    pub(crate) fn bytes(&self) -> usize {
        self.next_sent.bytes()
            + self.next_received.bytes()
            + self.early.bytes(|early| early.len() * size_of::<((Stream, u32), Arrived)>())
    }

    /// The bytes for streams to and from `peers` peers, in a context of calls and in one of collectives, among
    /// `ranks` ranks.
    pub(crate) fn bytes_for(peers: [usize; 2], ranks: u32) -> usize {
        let used = peers.into_iter().filter(|&peers| peers > 0);
        let others = if used.clone().count() > 1 {
            size_of::<Vec<(u32, Peers)>>() + size_of::<(u32, Peers)>()
        } else {
            0
        };
        2 * (others + used.map(|peers| Peers::bytes_for(peers, ranks)).sum::<usize>())
    }

    /// Prefetches the numbers of streams from some ranks, if they are few.
    pub(crate) fn prefetch(&self) {
        if let Some((_, Peers::Few(few))) = &self.next_received.first {
            few.first().into_iter().for_each(base::memory::software);
        }
    }

    /// Prefetches the number of a stream from a rank.
    pub(crate) fn prefetch_received(&self, source: u32) {
        if let Some((_, Peers::Many(many))) = &self.next_received.first {
            many.get(source as usize).into_iter().for_each(base::memory::line);
        }
    }

    /// The number of the next message to rank `target` of the machine.
    pub(crate) fn number(&mut self, target: u32, context: Context) -> u32 {
        self.next_sent.take((context, target), self.ranks, |_| true).expect("any number will do")
    }

    /// Accepts a message: returns it if it is the next of its stream. Then [`Ordering::next`] gives the messages
    /// that have overtaken it.
    pub(crate) fn accept(&mut self, message: &Message) -> (Stream, Option<Arrived>) {
        let Message { source: origin, number, bytes, envelope } = *message;
        let (label, sequence) = Label::of(envelope);
        let Label { context, tag, source, proposed, is_ready, is_deposited } = label;
        let stream = (context, origin);
        let status = Status { source, tag, bytes, number, sequence };
        let arrived = Arrived { context, origin, status, proposed, is_ready, is_complete: false };
        if is_deposited {
            return (stream, Some(arrived));
        }
        if self.next_received.take(stream, self.ranks, |next| next == sequence).is_some() {
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
        let mut arrived = None;
        self.next_received.take(stream, self.ranks, |next| {
            arrived = self.early.remove(&(stream, next));
            arrived.is_some()
        })?;
        arrived
    }

    /// The message with this name, if it has overtaken others.
    pub(crate) fn find_mut(&mut self, id: MessageId) -> Option<&mut Arrived> {
        if self.early.is_empty() {
            return None;
        }
        self.early.values_mut().find(|message| message.id() == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_a_stream_are_released_in_sequence() {
        let (mut sender, mut receiver) = (Ordering::new(10), Ordering::new(10));
        let context = |is_collective| Context { communicator: 3, is_collective };
        let mut message = |is_collective, tag| {
            let label = Label {
                context: context(is_collective),
                tag,
                source: 2,
                proposed: 0,
                is_ready: true,
                is_deposited: false,
            };
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

    /// Whether peers are few or many, each stream has its own number, also after a restart.
    #[test]
    fn each_stream_has_its_own_number() {
        let mut numbers = Numbers::default();
        let context = |communicator| Context { communicator, is_collective: true };
        let next = |numbers: &mut Numbers, communicator, peer| {
            numbers.take((context(communicator), peer), 64, |_| true).map(|number| number + 1)
        };
        for turn in 1..4 {
            let order = (0..64).map(|place| place * 37 % 64);
            for peer in order.take(if turn == 1 { 20 } else { 64 }).collect::<Vec<_>>() {
                let times = if peer * 45 % 64 < 20 { turn } else { turn - 1 };
                assert_eq!(next(&mut numbers, 3, peer), Some(times), "peer {peer}");
            }
            assert_eq!(next(&mut numbers, 1, 9), Some(turn));
            let saved = BTreeMap::from(numbers.clone());
            numbers = Numbers::from(saved.clone());
            assert_eq!(BTreeMap::from(numbers.clone()), saved);
        }
        let of_one = (0..300).map(|_| next(&mut numbers, 3, 20)).collect::<Vec<_>>();
        assert!(of_one.windows(2).all(|pair| pair[1] == pair[0].map(|number| number + 1)));
        assert_eq!(next(&mut numbers, 3, 21), Some(if 21 * 45 % 64 < 20 { 4 } else { 3 }));
        let saved = BTreeMap::from(numbers);
        assert_eq!(BTreeMap::from(Numbers::from(saved.clone())), saved);
    }
}
