//! Messages that a core is sending: a queue for each peer, which take turns packet by packet.

use super::outgoing::Outgoing;
use base::memory::{self, grown_bytes};
use network::node::pool::{List, Pool};
use std::collections::VecDeque;

/// A peer with messages for it.
#[derive(Clone, Copy, Debug)]
struct Peer {
    rank: u32,
    messages: List,
}

impl Peer {
    /// No peer.
    const NONE: Peer = Peer { rank: u32::MAX, messages: List::EMPTY };
}

/// The messages of a core, in a pool that the cores of a part of the machine share.
#[derive(Clone, Debug)]
pub(crate) struct SendQueues {
    /// Transfers that are no messages come before those that are.
    control: List,
    /// The next peer to have a packet written; it has no messages if there is none.
    next: Peer,
    /// The peers after `next`.
    others: VecDeque<Peer>,
    /// The FIFO for which the next packet waits, if it was found full and the packet may take no other.
    pub full: Option<Full>,
}

/// An injection FIFO without room for a packet of `chunks` chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full {
    pub fifo: usize,
    pub chunks: u8,
}

impl Default for SendQueues {
    fn default() -> Self {
        SendQueues { control: List::EMPTY, next: Peer::NONE, others: VecDeque::new(), full: None }
    }
}

impl SendQueues {
    /// Appends a message to the queue of its peer.
    pub fn push(&mut self, pool: &mut Pool<Outgoing>, outgoing: Outgoing) {
        if !outgoing.kind.traits().is_of_rank {
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

    /// The number of peers with messages, or 1 if a transfer is next that is no message.
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
    #[inline]
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

    /// Bytes on the heap, without the pool.
    pub fn bytes(&self) -> usize {
        self.others.capacity() * size_of::<Peer>()
    }

    /// Bytes on the heap once messages have been sent to `peers` peers at a time, without the pool.
    pub fn bytes_for(peers: usize) -> usize {
        grown_bytes::<Peer>(peers)
    }
}
