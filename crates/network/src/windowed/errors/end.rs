//! A node's end of a pair of links.

use crate::link::{Acceptance, Ack, Announcement, ChecksumDifference, Sender, flip};
use crate::packet::Packet;
use crate::windowed::label::Label;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What is never due.
pub const NEVER: u64 = u64::MAX;

/// A packet as a sender keeps it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Carried<L> {
    /// Its record, as it is behind the link.
    pub packet: Packet,
    /// Low bits of the cycle at which it was offered.
    pub offered: u32,
    /// What goes with it.
    pub label: L,
    /// The channel it is for.
    pub channel: u8,
}

/// A node's end of a pair of links: its sender for one, its receiver for the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "L: Label")]
pub struct LinkEnd<L> {
    /// The sender.
    pub sender: Sender<Carried<L>>,
    /// Which frame the other end will wait for when all that is on the wire has come.
    pub acceptance: Acceptance,
    /// What the checksums of both ends differ by, once they do.
    difference: Option<Box<Difference>>,
    /// From when on nothing holds the wire that leaves.
    pub wire_free_at: u64,
    /// When the timer runs out.
    pub timer: u64,
    /// What the receiver says of the link that comes.
    pub announcement: Announcement,
    /// When tails of frames come to it, and whether those were accepted; or probes, which ask for an acknowledgement too.
    pub tails: VecDeque<(u64, bool)>,
    /// Acknowledgements that come to the sender.
    pub acks: VecDeque<(u64, Ack)>,
    /// Whether an acknowledgement is to be sent as soon as the wire allows.
    pub is_ack_due: bool,
    /// The same of a probe.
    pub is_probe_due: bool,
}

/// What is known of a link by which an error has escaped.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Difference {
    checksums: ChecksumDifference,
    /// When the first such frame arrived.
    since: u64,
    /// When frames arrived, or will, that have been accepted since.
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
            announcement: Announcement::default(),
            tails: VecDeque::new(),
            acks: VecDeque::new(),
            is_ack_due: false,
            is_probe_due: false,
        }
    }
}

impl<L: Label> LinkEnd<L> {
    /// The time of the next acknowledgement that comes.
    pub fn next_ack(&self) -> u64 {
        self.acks.front().map_or(NEVER, |&(time, _)| time)
    }

    /// When something has to be done at its very cycle, whoever waits.
    #[inline(always)]
    pub fn next_duty(&self) -> u64 {
        let tail = self.tails.front().map_or(NEVER, |&(time, _)| time);
        let waits_for_wire = self.is_ack_due | self.is_probe_due | self.sender.has_to_send_again();
        let wire = if waits_for_wire { self.wire_free_at } else { NEVER };
        tail.min(self.timer).min(wire)
    }

    /// Tails that have come by `now` are acknowledged.
    pub fn take_tails(&mut self, now: u64) {
        while let Some(&(_, is_accepted)) = self.tails.front().filter(|(time, _)| *time <= now) {
            self.tails.pop_front();
            self.announcement.announce(self.announcement.accepted() + u64::from(is_accepted));
            self.is_ack_due = true;
        }
    }

    /// The next acknowledgement that has come by `now`: when it did.
    pub fn take_ack(&mut self, now: u64) -> Option<(u64, Ack)> {
        if self.next_ack() <= now { self.acks.pop_front() } else { None }
    }

    /// A packet has left a channel.
    pub fn free(&mut self, channel: usize, tokens: u8) {
        self.announcement.free(channel, tokens);
        self.is_ack_due = true;
    }

    /// Packets that the sender keeps and the other end will not have accepted when all that is on the wire has come.
    pub fn lost(&self) -> impl Iterator<Item = &Carried<L>> {
        self.sender.kept_from(self.acceptance.expected()).map(|kept| &kept.content)
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

    /// Whether the checksums of both ends have to be followed: a frame with wrong bits has been accepted.
    #[inline(always)]
    pub fn is_followed(&self) -> bool {
        self.difference.is_some()
    }

    /// Follows the checksums of both ends over a packet that is accepted.
    pub(super) fn follow_checksums(&mut self, arrival: u64, packet_bytes: usize, wrong_bits: &[usize]) {
        let difference = self.difference.get_or_insert_with(|| {
            let (checksums, arrivals) = (ChecksumDifference::default(), VecDeque::new());
            Box::new(Difference { checksums, since: arrival, arrivals })
        });
        let mut wrong = vec![0; packet_bytes];
        let in_packet = wrong_bits.iter().filter(|&&bit| bit < 8 * packet_bytes);
        in_packet.for_each(|&bit| flip(&mut wrong, bit));
        difference.checksums.add(&wrong);
        difference.arrivals.push_back(arrival);
        // No sender keeps as many.
        if difference.arrivals.len() > 128 {
            difference.arrivals.pop_front();
        }
    }
}
