//! Events that nodes send to other nodes, and the queues of those not yet delivered.

use super::offered::Offered;
use crate::beside::Signal;
use crate::node::software::Announcement;
use crate::packet::Packet;

/// In place of a number of credits, which is never as large: a packet of the node has been received.
pub const ACKNOWLEDGEMENT: u8 = u8::MAX;

/// Likewise: the tail of a frame that the receiver does not accept; no packet arrives.
pub const LOST_FRAME: u8 = u8::MAX - 1;

/// Likewise: an acknowledgement of a link; its bytes are in place of the packet.
pub const LINK_ACK: u8 = u8::MAX - 2;

/// The arrival of a packet at a port of another node, or credits that return to it. Takes effect in a later window.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemoteEvent<L> {
    /// When it takes effect.
    pub time: u64,
    /// The packet whose head arrives.
    pub packet: Packet,
    /// When it was offered.
    pub offered: Offered,
    /// Its metadata.
    pub metadata: L,
    /// The node it goes to.
    pub node: u32,
    /// The port there.
    pub port: u8,
    /// The VC of the port.
    pub vc: u8,
    /// Number of credits that return; 0 for an arrival. Or [`ACKNOWLEDGEMENT`], [`LOST_FRAME`], [`LINK_ACK`].
    pub credits: u8,
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
    /// What software announces to that of other nodes.
    pub announcements: Vec<Announcement>,
    /// What goes over networks beside the torus.
    pub signals: Vec<Signal>,
}

/// What nodes of one subdomain send to those of another.
#[derive(Clone, Debug, Default)]
pub struct RemoteEvents<L> {
    /// Events.
    pub events: Vec<RemoteEvent<L>>,
    /// What software announces.
    pub announcements: Vec<Announcement>,
    /// What goes over networks beside the torus.
    pub signals: Vec<Signal>,
}

impl<L> RemoteEvents<L> {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.announcements.is_empty() && self.signals.is_empty()
    }

    /// Moves the content of `other` to the end of this.
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

/// Delivered events are removed once there are this many.
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

    /// The events from `position` on; `at_least_last` adds the last event of the queue if there are none.
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
