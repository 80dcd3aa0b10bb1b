//! Messages that a core is sending: a queue for each peer, which take turns packet by packet.

use crate::lines::Span;
use crate::mapping::Place;
use crate::ranks::Message;
use crate::receiving::Header;
use crate::setup::Setup;
use crate::transfer::Kind;
use crate::turn::Protocol;
use base::memory::{self, grown_bytes};
use geometry::MinimalRoutes;
use network::node::pool::{List, Pool};
use network::packet::Packet;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A transfer of which packets are still to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outgoing {
    pub kind: Kind,
    /// The rank to which it goes, and where that runs.
    pub target: u32,
    pub place: Place,
    /// Where it goes to the ranks of a line, of which that is the last.
    pub span: Option<Span>,
    pub message: Message,
    /// The number of its first packet among those of the node.
    pub first_packet: u64,
    /// Packets in all, and of these already written.
    pub packets: u32,
    pub written: u32,
    /// The network cycle in which it was sent.
    pub sent: u64,
    /// Whether its rank is to hear when the last packet has been written.
    pub reports: bool,
    /// Whether it is sent by rendezvous as no message credit was left.
    pub lacks_credit: bool,
    /// The sizes of its packets, unless it has been restored and none has been made since then.
    #[serde(skip)]
    pub sizes: Option<Sizes>,
    /// What its packets have in common, once one has been made.
    #[serde(skip)]
    pub way: Way,
}

/// The sizes of the packets of a transfer in chunks: of the first and the last. The others are full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub first: u8,
    pub last: u8,
}

impl Sizes {
    /// Those of a transfer of `bytes` bytes in so many packets.
    pub fn of(protocol: &dyn Protocol, setup: &Setup, bytes: u64, packets: u32) -> Self {
        let first = protocol.chunks(setup, bytes, 0);
        let last = if packets == 1 { first } else { protocol.chunks(setup, bytes, packets - 1) };
        Sizes { first, last }
    }

    /// That of packet `index` of so many; `full` is that of a full packet.
    #[inline]
    pub fn chunks(self, index: u32, packets: u32, full: u8) -> u8 {
        match index {
            0 => self.first,
            _ if index + 1 == packets => self.last,
            _ => full,
        }
    }
}

/// What the packets of a transfer have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Way {
    /// Nothing that is known: none has been made, or each looks for its way past dead nodes and links.
    #[default]
    Unknown,
    /// The routes, of which each draws one.
    Several(MinimalRoutes),
    /// The route: those of `chunks` chunks have all of their record in common but the name.
    One { nameless: Packet, chunks: u8, direction: u8 },
}

impl Outgoing {
    /// Ranks that get it.
    pub fn receivers(&self) -> u64 {
        self.span.map_or(1, |span| span.nodes.into())
    }

    /// What its receiver has to know before the first packet arrives.
    pub fn header(&self) -> Header {
        Header { target: self.target, kind: self.kind, message: self.message }
    }
}

/// A peer with messages for it.
#[derive(Clone, Copy, Debug)]
struct Peer {
    rank: u32,
    messages: List,
}

impl Peer {
    /// Nobody.
    const NONE: Peer = Peer { rank: u32::MAX, messages: List::EMPTY };
}

/// The messages of a core, in a pool that the cores of a part of the machine share.
#[derive(Clone, Debug)]
pub(crate) struct Sends {
    /// Transfers that are no messages come before those that are.
    control: List,
    /// The next to have a packet written, without messages if there is none.
    next: Peer,
    /// Those after it.
    others: VecDeque<Peer>,
    /// The FIFO for which the next packet waits, if it was found full and the packet may take no other.
    pub full: Option<Full>,
}

/// An injection FIFO without room for a packet of so many chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full {
    pub fifo: usize,
    pub chunks: u8,
}

impl Default for Sends {
    fn default() -> Self {
        Sends { control: List::EMPTY, next: Peer::NONE, others: VecDeque::new(), full: None }
    }
}

impl Sends {
    /// Appends a message to the queue of its peer.
    pub fn push(&mut self, pool: &mut Pool<Outgoing>, outgoing: Outgoing) {
        if !outgoing.kind.is_of_rank() {
            self.full = None;
            return pool.push(&mut self.control, outgoing);
        }
        pool.push(&mut self.peer(outgoing.target).messages, outgoing);
    }

    /// The queue of a rank, which may be new.
    fn peer(&mut self, rank: u32) -> &mut Peer {
        if self.next.messages.is_empty() {
            self.next = Peer { rank, messages: List::EMPTY };
        }
        if self.next.rank == rank {
            return &mut self.next;
        }
        let place = self.others.iter().position(|peer| peer.rank == rank).unwrap_or_else(|| {
            self.others.push_back(Peer { rank, messages: List::EMPTY });
            self.others.len() - 1
        });
        &mut self.others[place]
    }

    /// The next peer has its turn.
    fn rotate(&mut self) {
        if !self.next.messages.is_empty() {
            if self.others.is_empty() {
                return;
            }
            self.others.push_back(self.next);
        }
        self.next = self.others.pop_front().unwrap_or(Peer::NONE);
    }

    /// Prefetches the message whose packet is next.
    pub fn prefetch(&self, pool: &Pool<Outgoing>) {
        pool.first(self.next.messages).into_iter().for_each(memory::software);
    }

    /// Whether no packet is left.
    pub fn is_empty(&self) -> bool {
        self.next.messages.is_empty() && self.control.is_empty()
    }

    /// The message whose packet is next.
    pub fn first<'a>(&self, pool: &'a mut Pool<Outgoing>) -> Option<&'a mut Outgoing> {
        if !self.control.is_empty() {
            return pool.first_mut(self.control);
        }
        pool.first_mut(self.next.messages)
    }

    /// How many peers have messages, or one if a transfer is next that is none.
    pub fn peers(&self) -> usize {
        if self.control.is_empty() { 1 + self.others.len() } else { 1 }
    }

    /// The message whose packet is next when `passed` peers are passed over.
    pub fn after<'a>(&self, pool: &'a mut Pool<Outgoing>, passed: usize) -> Option<&'a mut Outgoing> {
        match passed.checked_sub(1) {
            None => self.first(pool),
            Some(place) => pool.first_mut(self.others[place].messages),
        }
    }

    /// Passes over `passed` peers, which keep their turns: the one after them is next.
    pub fn pass(&mut self, passed: usize) {
        if let Some(peer) = passed.checked_sub(1).and_then(|place| self.others.remove(place)) {
            self.others.push_front(std::mem::replace(&mut self.next, peer));
        }
    }

    /// Takes the message whose packet is next: the next peer has its turn.
    pub fn take(&mut self, pool: &mut Pool<Outgoing>) -> Option<Outgoing> {
        self.full = None;
        if let Some(control) = pool.pop(&mut self.control) {
            return Some(control);
        }
        let message = pool.pop(&mut self.next.messages);
        self.rotate();
        message
    }

    /// The packet that is next is being written: the next peer has its turn.
    pub fn advance(&mut self, pool: &mut Pool<Outgoing>) {
        self.full = None;
        if !self.control.is_empty() {
            pool.pop(&mut self.control);
            return;
        }
        let first = pool.first_mut(self.next.messages).expect("a packet was next");
        first.written += 1;
        if first.written == first.packets {
            pool.pop(&mut self.next.messages);
        }
        self.rotate();
    }

    /// The messages, peer by peer.
    pub fn messages<'a>(&'a self, pool: &'a Pool<Outgoing>) -> impl Iterator<Item = &'a Outgoing> {
        let control = pool.elements(self.control);
        let peers = std::iter::once(&self.next).chain(&self.others);
        control.chain(peers.flat_map(|peer| pool.elements(peer.messages)))
    }

    /// Bytes beside itself and the pool.
    pub fn bytes(&self) -> usize {
        self.others.capacity() * size_of::<Peer>()
    }

    /// The same, once messages have been sent to so many peers at a time.
    pub fn bytes_for(peers: usize) -> usize {
        grown_bytes::<Peer>(peers)
    }
}
