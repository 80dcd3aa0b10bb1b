//! Messages that a core is sending: a queue for each peer, which take turns packet by packet.

use crate::lines::Span;
use crate::load::grown_bytes;
use crate::mapping::Place;
use crate::ranks::Message;
use crate::receiving::Header;
use crate::transfer::Kind;
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
    /// What its packets have in common, once one has been made.
    #[serde(skip)]
    pub way: Way,
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

/// The messages of a core, in a pool that the cores of a part of the machine share.
#[derive(Clone, Debug)]
pub(crate) struct Sends {
    /// Transfers that are no messages come before those that are.
    control: List,
    /// The next to have a packet written comes first.
    peers: VecDeque<Peer>,
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
        Sends { control: List::EMPTY, peers: VecDeque::new(), full: None }
    }
}

impl Sends {
    /// Appends a message to the queue of its peer.
    pub fn push(&mut self, pool: &mut Pool<Outgoing>, outgoing: Outgoing) {
        if !outgoing.kind.is_of_rank() {
            self.full = None;
            return pool.push(&mut self.control, outgoing);
        }
        let peer = match self.peers.iter_mut().find(|peer| peer.rank == outgoing.target) {
            Some(peer) => peer,
            None => {
                self.peers.push_back(Peer { rank: outgoing.target, messages: List::EMPTY });
                self.peers.back_mut().expect("it was pushed")
            }
        };
        pool.push(&mut peer.messages, outgoing);
    }

    /// Whether no packet is left.
    pub fn is_empty(&self) -> bool {
        self.peers.is_empty() && self.control.is_empty()
    }

    /// The message whose packet is next.
    pub fn first<'a>(&self, pool: &'a mut Pool<Outgoing>) -> Option<&'a mut Outgoing> {
        if !self.control.is_empty() {
            return pool.first_mut(self.control);
        }
        pool.first_mut(self.peers.front()?.messages)
    }

    /// Takes the message whose packet is next: the next peer has its turn.
    pub fn take(&mut self, pool: &mut Pool<Outgoing>) -> Option<Outgoing> {
        self.full = None;
        if let Some(control) = pool.pop(&mut self.control) {
            return Some(control);
        }
        let mut peer = self.peers.pop_front()?;
        let message = pool.pop(&mut peer.messages);
        if !peer.messages.is_empty() {
            self.peers.push_back(peer);
        }
        message
    }

    /// The packet that is next is being written: the next peer has its turn.
    pub fn advance(&mut self, pool: &mut Pool<Outgoing>) {
        self.full = None;
        if !self.control.is_empty() {
            pool.pop(&mut self.control);
            return;
        }
        let mut peer = self.peers.pop_front().expect("a packet was next");
        let first = pool.first_mut(peer.messages).expect("a peer has messages");
        first.written += 1;
        if first.written == first.packets {
            pool.pop(&mut peer.messages);
        }
        if !peer.messages.is_empty() {
            self.peers.push_back(peer);
        }
    }

    /// The messages, peer by peer.
    pub fn messages<'a>(&'a self, pool: &'a Pool<Outgoing>) -> impl Iterator<Item = &'a Outgoing> {
        let control = pool.elements(self.control);
        control.chain(self.peers.iter().flat_map(|peer| pool.elements(peer.messages)))
    }

    /// Bytes beside itself and the pool.
    pub fn bytes(&self) -> usize {
        self.peers.capacity() * size_of::<Peer>()
    }

    /// The same, once messages have been sent to so many peers at a time.
    pub fn bytes_for(peers: usize) -> usize {
        grown_bytes::<Peer>(peers)
    }
}
