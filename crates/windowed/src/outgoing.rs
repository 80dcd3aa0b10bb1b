//! Events that nodes send to other nodes, and the queues of events not yet delivered.

use super::offered::Offered;
use network::collective::{Defined, Signal};
use network::link::Change;
use network::node::software::Announcement;
use network::packet::Packet;
use serde::{Deserialize, Serialize};

/// Value of [`RemoteEvent::credits`] if a packet of the node has been received; a number of credits is never as large.
pub const ACKNOWLEDGEMENT: u8 = u8::MAX;

/// Value of [`RemoteEvent::credits`] for the tail of a frame that the receiver does not accept; no packet arrives.
pub const LOST_FRAME: u8 = u8::MAX - 1;

/// Value of [`RemoteEvent::credits`] for an acknowledgement of a link; `packet` has its bytes.
pub const LINK_ACK: u8 = u8::MAX - 2;

/// The arrival of a packet at a port of another node, or credits that return to it. The event takes effect in a later
/// window.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemoteEvent<L> {
    /// The cycle in which the event takes effect.
    pub time: u64,
    /// The packet whose head arrives.
    pub packet: Packet,
    /// The time at which the packet was offered.
    pub offered: Offered,
    /// The packet's metadata.
    pub metadata: L,
    /// The node to which the event goes.
    pub node: u32,
    /// The port of that node.
    pub port: u8,
    /// The VC of the port.
    pub vc: u8,
    /// Number of credits that return; 0 for an arrival. The special values are [`ACKNOWLEDGEMENT`], [`LOST_FRAME`] and
    /// [`LINK_ACK`].
    pub credits: u8,
}

impl<L> RemoteEvent<L> {
    /// Whether a packet arrives, with its metadata.
    #[inline(always)]
    pub fn is_arrival(&self) -> bool {
        self.credits == 0
    }
}

/// Outgoing events, by kind. In a common queue, the branch on the kind of the next event would be unpredictable.
#[derive(Clone, Debug, Default)]
pub struct Outgoing<L> {
    /// Arrivals of packets.
    pub heads: Queue<L>,
    /// Returns of credits.
    pub credits: Queue<L>,
    /// Acknowledgements of received packets, if injection is paced.
    pub acknowledgements: Vec<RemoteEvent<L>>,
    /// Announcements of the software to that of other nodes.
    pub announcements: Vec<Announcement>,
    /// Signals of the collective networks.
    pub signals: Vec<Signal>,
}

/// What threads share and processes tell each other, by the next window.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct News {
    /// Class routes that software has defined.
    pub routes: Vec<Defined>,
    /// Damage to packets, and its end.
    pub damage: Vec<Change>,
}

/// The events that nodes of one subdomain send to those of another.
#[derive(Clone, Debug, Default)]
pub struct RemoteEvents<L> {
    /// Arrivals, credits and acknowledgements.
    pub events: Vec<RemoteEvent<L>>,
    /// Announcements of the software.
    pub announcements: Vec<Announcement>,
    /// Signals of the collective networks.
    pub signals: Vec<Signal>,
    /// News for another process.
    pub news: News,
}

impl News {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.routes.is_empty() && self.damage.is_empty()
    }
}

impl<L> RemoteEvents<L> {
    /// Whether it has no event, announcement, signal or news.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
            && self.announcements.is_empty()
            && self.signals.is_empty()
            && self.news.is_empty()
    }

    /// Moves the events, announcements and signals to those who own their nodes.
    pub fn split(&mut self, owner_of: impl Fn(u32) -> usize, to: &mut [RemoteEvents<L>]) {
        self.events.drain(..).for_each(|event| to[owner_of(event.node)].events.push(event));
        self.announcements.drain(..).for_each(|event| to[owner_of(event.node)].announcements.push(event));
        self.signals.drain(..).for_each(|signal| to[owner_of(signal.node)].signals.push(signal));
    }

    /// The earliest cycle in which one of them takes effect. Announcements take none: a packet follows each.
    pub fn earliest(&self) -> Option<u64> {
        let events = self.events.iter().map(|event| event.time);
        events.chain(self.signals.iter().map(|signal| signal.time)).min()
    }

    /// Moves the content of `other` to the end of `self`.
    pub fn append(&mut self, other: &mut RemoteEvents<L>) {
        self.events.append(&mut other.events);
        self.announcements.append(&mut other.announcements);
        self.signals.append(&mut other.signals);
    }
}

/// Events of one kind, in order.
#[derive(Clone, Debug, Default)]
pub struct Queue<L> {
    event: Vec<RemoteEvent<L>>,
    /// Number of events at the front that have been delivered.
    delivered: usize,
}

/// Smallest number of events delivered at a time: the exits of short loops are often mispredicted.
const MIN_BATCH: usize = 32;

/// Number of delivered events at which they are removed from the queue.
const DRAIN_AT: usize = 256;

impl<L> Queue<L> {
    /// Appends an event. Capacity is reserved first, so that the event is written once, from registers. If it were
    /// built elsewhere and copied, the copy would wait for the stores.
    #[inline(always)]
    pub fn push(&mut self, event: RemoteEvent<L>) {
        if self.event.len() == self.event.capacity() {
            self.make_room();
        }
        // SAFETY: there is capacity behind the last element, and the element is written before the length includes it.
        unsafe {
            self.event.as_mut_ptr().add(self.event.len()).write(event);
            self.event.set_len(self.event.len() + 1);
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.event.reserve(1);
    }

    /// Whether a batch can be delivered that leaves `in_flight` events in the queue.
    #[inline(always)]
    pub fn is_due(&self, in_flight: usize) -> bool {
        self.event.len() >= self.delivered + in_flight + MIN_BATCH
    }

    /// Delivers all but the last `in_flight` events.
    #[inline(always)]
    pub fn deliver(&mut self, in_flight: usize) -> &[RemoteEvent<L>] {
        if self.delivered >= DRAIN_AT {
            self.event.drain(..self.delivered);
            self.delivered = 0;
        }
        let upto = self.event.len().saturating_sub(in_flight).max(self.delivered);
        let from = std::mem::replace(&mut self.delivered, upto);
        &self.event[from..upto]
    }

    /// The events from `position` to the end; if there are none, `at_least_last` adds the last event of the queue.
    #[inline(always)]
    pub fn latest(&self, position: usize, at_least_last: bool) -> &[RemoteEvent<L>] {
        let last = if at_least_last { self.event.len().saturating_sub(1) } else { self.event.len() };
        &self.event[position.min(last)..]
    }

    /// The current end of the queue, for [`Queue::latest`].
    #[inline(always)]
    pub fn position(&self) -> usize {
        self.event.len()
    }
}
