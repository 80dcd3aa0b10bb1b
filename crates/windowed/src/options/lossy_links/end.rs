//! A node's end of a pair of links.

use crate::metadata::Metadata;
use crate::offered::{FarOffers, Offered};
pub use base::time::NEVER;
use network::link::{Acceptance, Ack, AckState, ChecksumDifference, Sender, flip};
use network::packet::Packet;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A bound above the number of packets that any sender stores.
const MAX_ARRIVALS: usize = 128;

/// A packet as a sender stores it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Carried<L> {
    /// The packet's record, as it is after the link.
    pub packet: Packet,
    /// The time at which the packet was offered.
    pub offered: Offered,
    /// The packet's metadata.
    pub metadata: L,
    /// The VC for which the packet is meant.
    pub vc: u8,
}

/// A node's end of a pair of links: the sender of one, the receiver of the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "L: Metadata")]
pub struct LinkEnd<L> {
    /// The sender.
    pub sender: Sender<Carried<L>>,
    /// The frame that the other end will expect when everything on the wire has arrived.
    pub acceptance: Acceptance,
    /// The difference between the checksums of both ends, once an error has escaped detection.
    difference: Option<Box<Difference>>,
    /// The cycle in which the outgoing wire becomes free.
    pub wire_free_at: u64,
    /// The cycle in which the timer expires.
    pub timer: u64,
    /// The state that the receiver reports about the incoming link.
    pub announcement: AckState,
    /// The cycles in which the tails of frames arrive at the receiver, and whether the frames were accepted. Probes are
    /// among them, as they request an acknowledgement too.
    pub tails: VecDeque<(u64, bool)>,
    /// Acknowledgements that arrive at the sender, each with its cycle.
    pub acks: VecDeque<(u64, Ack)>,
    /// Whether an acknowledgement is to be sent as soon as the wire allows.
    pub is_ack_due: bool,
    /// Whether a probe is to be sent as soon as the wire allows.
    pub is_probe_due: bool,
}

/// State of a link on which an error has escaped detection.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Difference {
    checksums: ChecksumDifference,
    /// The cycle in which the first such frame arrived.
    since: u64,
    /// Past and future arrivals of the frames accepted since that cycle.
    arrivals: VecDeque<u64>,
}

impl<L> Default for LinkEnd<L> {
    fn default() -> Self {
        LinkEnd {
            sender: Sender::default(),
            acceptance: Acceptance::default(),
            difference: None,
            wire_free_at: 0,
            timer: NEVER,
            announcement: AckState::default(),
            tails: VecDeque::new(),
            acks: VecDeque::new(),
            is_ack_due: false,
            is_probe_due: false,
        }
    }
}

impl<L: Metadata> LinkEnd<L> {
    /// The cycle in which the next acknowledgement arrives.
    pub fn next_ack(&self) -> u64 {
        self.acks.front().map_or(NEVER, |&(time, _)| time)
    }

    /// The next cycle in which something has to be done, whether or not a packet waits for it.
    #[inline(always)]
    pub fn next_task(&self) -> u64 {
        let tail = self.tails.front().map_or(NEVER, |&(time, _)| time);
        let waits_for_wire = self.is_ack_due | self.is_probe_due | self.sender.must_retransmit();
        let wire = if waits_for_wire { self.wire_free_at } else { NEVER };
        tail.min(self.timer).min(wire)
    }

    /// Takes the tails that have arrived by `now`; an acknowledgement is due for them.
    pub fn take_tails(&mut self, now: u64) {
        while let Some(&(_, is_accepted)) = self.tails.front().filter(|(time, _)| *time <= now) {
            self.tails.pop_front();
            self.announcement.set_accepted(self.announcement.accepted() + u64::from(is_accepted));
            self.is_ack_due = true;
        }
    }

    /// Takes the next acknowledgement that has arrived by `now`, with its time.
    pub fn take_ack(&mut self, now: u64) -> Option<(u64, Ack)> {
        if self.next_ack() <= now { self.acks.pop_front() } else { None }
    }

    /// A packet has left a VC.
    pub fn free(&mut self, vc: usize, credits: u8) {
        self.announcement.free(vc, credits);
        self.is_ack_due = true;
    }

    /// All stored packets.
    pub fn kept(&self) -> impl Iterator<Item = &Carried<L>> {
        self.sender.stored_from(0).map(|kept| &kept.content)
    }

    /// Stored packets that the other end will not have accepted when everything on the wire has arrived.
    pub fn lost(&self) -> impl Iterator<Item = &Carried<L>> {
        self.sender.stored_from(self.acceptance.expected()).map(|kept| &kept.content)
    }

    /// Renews the times at which lost packets were offered, at `now`.
    pub fn renew_lost(&mut self, far: &FarOffers, now: u64) {
        for kept in self.sender.stored_from_mut(self.acceptance.expected()) {
            let offered = &mut kept.content.offered;
            *offered = far.renewed(*offered, now).unwrap_or(*offered);
        }
    }

    /// Adds `start` to the places in the table of far offers at which lost packets were offered; returns whether there
    /// are such places.
    pub fn move_far(&mut self, start: u32) -> bool {
        self.sender.stored_from_mut(self.acceptance.expected()).all(|kept| {
            let moved = kept.content.offered.moved(start);
            kept.content.offered = moved.unwrap_or_default();
            moved.is_some()
        })
    }

    /// Whether the checksums of both ends differ over the same packets at `now`.
    pub fn is_mismatched(&self, now: u64) -> bool {
        let Some(difference) = &self.difference else { return false };
        let mut sender = self.sender.clone();
        for (time, ack) in self.acks.iter().filter(|(time, _)| *time < now) {
            sender.acknowledge(ack, *time, |_| {});
        }
        let to_come = difference.arrivals.iter().filter(|&&time| time >= now).count() as u64;
        let is_same = sender.acknowledged() == self.acceptance.expected() - to_come;
        is_same && difference.since < now && !difference.checksums.is_none()
    }

    /// Whether the checksums of both ends have to be tracked, as a frame with wrong bits has been accepted.
    #[inline(always)]
    pub fn is_tracked(&self) -> bool {
        self.difference.is_some()
    }

    /// Tracks the checksums of both ends over an accepted packet.
    pub(super) fn track_checksums(&mut self, arrival: u64, packet_bytes: usize, wrong_bits: &[usize]) {
        let difference = self.difference.get_or_insert_with(|| {
            let (checksums, arrivals) = (ChecksumDifference::default(), VecDeque::new());
            Box::new(Difference { checksums, since: arrival, arrivals })
        });
        let mut wrong = vec![0; packet_bytes];
        let in_packet = wrong_bits.iter().filter(|&&bit| bit < 8 * packet_bytes);
        in_packet.for_each(|&bit| flip(&mut wrong, bit));
        difference.checksums.add(&wrong);
        difference.arrivals.push_back(arrival);
        if difference.arrivals.len() > MAX_ARRIVALS {
            difference.arrivals.pop_front();
        }
    }
}
