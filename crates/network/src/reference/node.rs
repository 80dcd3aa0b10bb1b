//! The state of one node: channels of its receivers, tokens and links of its senders, FIFOs.

use crate::counters::MAX_CHANNELS;
use crate::deadlock::Snapshot;
use crate::fabric::Fabric;
use crate::node::infinite::{FifoHead, Progress};
use crate::node::software::{Software, Stored};
use crate::packet::Packet;
use geometry::MAX_DIMENSIONS;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

const MAX_PORTS: usize = 2 * MAX_DIMENSIONS;

/// Where the head of a busy channel is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outgoing {
    /// Over a transfer path to a sender.
    Path,
    /// Over the dedicated bus to a reception FIFO.
    Reception,
    /// Over a transfer path, with a copy over the bus.
    PathAndReception,
}

impl Outgoing {
    /// Whether it takes a transfer path.
    fn takes_path(self) -> bool {
        self != Outgoing::Reception
    }
}

/// A virtual channel of a receiver.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Channel {
    queue: VecDeque<Stored>,
    /// Tokens' worth of packets in the buffer: what fullness is measured by.
    occupied: u8,
    /// Where the head is going, if it is.
    outgoing: Option<Outgoing>,
    /// The cycle in which a head that found the buffer empty may pass it by.
    bypass_at: Option<u64>,
    /// The head that is going took the bypass, and was never in the buffer.
    head_bypassed: bool,
}

impl Channel {
    /// The head packet, if it waits.
    pub fn waiting(&self) -> Option<&Stored> {
        self.queue.front().filter(|_| self.outgoing.is_none())
    }

    /// All packets whose heads have arrived and whose tails have not left.
    pub fn packets(&self) -> impl Iterator<Item = Packet> + '_ {
        self.queue.iter().map(|stored| stored.packet)
    }
}

/// One node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Node {
    /// Number of the node.
    pub number: u32,
    /// Channels by receiver.
    pub channels: Vec<[Channel; MAX_CHANNELS]>,
    /// Tokens by sender and channel.
    pub tokens: [[u8; MAX_CHANNELS]; MAX_PORTS],
    /// Whether a packet holds the link.
    pub link_busy: [bool; MAX_PORTS],
    /// Transfer paths in use, by receiver.
    pub paths_used: [u8; MAX_PORTS],
    /// Buses to the reception FIFOs in use, by receiver: normal, high priority.
    pub reception_busy: [[bool; 2]; MAX_PORTS],
    /// Heads of infinite injection FIFOs.
    pub injection: Vec<Option<FifoHead>>,
    /// How far the node's lanes have been taken into them: normal, high priority.
    pub progress: [Progress; 2],
    /// Whether the head of an injection FIFO is leaving it.
    pub injection_busy: Vec<bool>,
    /// Cores and real FIFOs, where they are simulated.
    pub software: Option<Software>,
    /// Normal packets taken into infinite FIFOs that no acknowledgement has come back for, where their number is bounded.
    pub unacknowledged: u32,
    /// Links for which only tokens are missing.
    pub stalled: [bool; MAX_PORTS],
    /// Heads of channels that wait and found all of their links and channels busy when they last looked, where that
    /// costs them a cycle.
    pub shut_out: [[bool; MAX_CHANNELS]; MAX_PORTS],
}

impl Node {
    /// A node at rest.
    pub fn new(fabric: &Fabric, number: u32, posted: bool) -> Self {
        let software = fabric.has_software(posted).then(|| Software::new(fabric, number));
        let parameters = &fabric.parameters.node;
        let fifos = usize::from(parameters.normal_injection_fifos + parameters.high_priority_injection_fifos);
        Node {
            number,
            channels: vec![Default::default(); fabric.ports],
            tokens: [fabric.capacity; MAX_PORTS],
            // A dead link is never idle, so that nothing is sent over it.
            link_busy: std::array::from_fn(|port| port < fabric.ports && fabric.is_dead_link(number, port)),
            paths_used: [0; MAX_PORTS],
            reception_busy: [[false; 2]; MAX_PORTS],
            injection: vec![None; if software.is_some() { 0 } else { fifos }],
            progress: [Progress::default(); 2],
            injection_busy: vec![false; fifos],
            software,
            unacknowledged: 0,
            stalled: [false; MAX_PORTS],
            shut_out: [[false; MAX_CHANNELS]; MAX_PORTS],
        }
    }

    /// A head arrives at a receiver at `now`.
    pub fn arrive(&mut self, fabric: &Fabric, now: u64, port: usize, channel: usize, stored: Stored) {
        let charge = fabric.charge(channel, fabric.layout.chunks(stored.packet));
        let state = &mut self.channels[port][channel];
        if fabric.parameters.router.bypass && state.queue.is_empty() {
            state.bypass_at = Some(now);
        } else {
            state.occupied += charge;
        }
        state.queue.push_back(stored);
    }

    /// Heads that were not granted in the cycle of their arrival go into the buffer.
    pub fn end_bypass(&mut self, fabric: &Fabric) {
        for channels in &mut self.channels {
            for (number, channel) in channels.iter_mut().enumerate() {
                if channel.bypass_at.take().is_some() {
                    let head = channel.queue.front().expect("a head that may bypass is there");
                    channel.occupied += fabric.charge(number, fabric.layout.chunks(head.packet));
                }
            }
        }
    }

    /// Whether the head of a channel is on the bypass in this cycle.
    pub fn is_bypassing(&self, port: usize, channel: usize) -> bool {
        self.channels[port][channel].bypass_at.is_some()
    }

    /// How full a channel is, in quarters.
    pub fn fullness(&self, fabric: &Fabric, port: usize, channel: usize) -> u8 {
        fabric.quarter(channel, self.channels[port][channel].occupied)
    }

    /// The head of a channel begins to leave.
    pub fn occupy(&mut self, port: usize, channel: usize, outgoing: Outgoing) -> Stored {
        self.paths_used[port] += outgoing.takes_path() as u8;
        let state = &mut self.channels[port][channel];
        state.outgoing = Some(outgoing);
        state.head_bypassed = state.bypass_at.take().is_some();
        *state.queue.front().expect("a granted channel has a head")
    }

    /// The head of a channel has left it, tail and all.
    pub fn release(&mut self, fabric: &Fabric, port: usize, channel: usize) -> (Stored, Outgoing) {
        let state = &mut self.channels[port][channel];
        let stored = state.queue.pop_front().expect("a channel that becomes free had a head");
        let outgoing = state.outgoing.take().expect("a channel that becomes free was busy");
        if !std::mem::take(&mut state.head_bypassed) {
            state.occupied -= fabric.charge(channel, fabric.layout.chunks(stored.packet));
        }
        self.paths_used[port] -= outgoing.takes_path() as u8;
        (stored, outgoing)
    }

    /// The head of an injection FIFO that may ask at `now`.
    pub fn injection_head(&self, fifo: usize, now: u64) -> Option<Stored> {
        if self.injection_busy[fifo] {
            return None;
        }
        match &self.software {
            Some(software) => software
                .head(fifo)
                .filter(|written| written.requests_from <= now)
                .map(|written| written.stored),
            None => {
                let head = self.injection[fifo].filter(|head| head.requests_from <= now)?;
                let FifoHead { packet, offered, .. } = head;
                Some(Stored { packet, offered, handle: 0, source: self.number })
            }
        }
    }

    /// The head of an injection FIFO begins to leave.
    pub fn leave_injection(&mut self, fifo: usize) -> Stored {
        let stored = self.injection_head(fifo, u64::MAX).expect("a granted FIFO has a head");
        self.injection_busy[fifo] = true;
        stored
    }

    /// How full an injection FIFO is, in quarters; infinite ones always are.
    pub fn injection_fullness(&self, fabric: &Fabric, fifo: usize) -> u8 {
        self.software.as_ref().map_or(3, |software| software.quarter(fabric, fifo))
    }

    /// Packets in the buffers and at the heads of the injection FIFOs.
    pub fn packets(&self) -> impl Iterator<Item = Stored> + '_ {
        let channels = self.channels.iter().flatten().flat_map(|channel| channel.queue.iter().copied());
        let waiting = (0..self.injection_busy.len()).filter_map(|fifo| self.injection_head(fifo, u64::MAX));
        channels.chain(waiting)
    }

    /// The packets one of which has to leave its injection FIFO before the head of a channel can be received, if it waits for
    /// that.
    fn holds_up_reception(
        &self,
        fabric: &Fabric,
        port: usize,
        channel: &Channel,
        now: u64,
    ) -> Option<Vec<Packet>> {
        let packet = channel.waiting()?.packet;
        let is_leaving = |fifo: usize| self.injection_busy[fifo];
        self.software.as_ref()?.holds_up_reception(fabric, port, packet, now, is_leaving)
    }

    /// Writes down who waits for what at `now`.
    pub fn describe(&self, fabric: &Fabric, snapshot: &mut Snapshot, now: u64) {
        for port in 0..fabric.ports {
            snapshot.tokens(self.number, port, &self.tokens[port][..fabric.channels]);
            for (number, channel) in self.channels[port].iter().enumerate().take(fabric.channels) {
                if let Some(head) = channel.queue.front() {
                    snapshot.head(self.number, port, number, head.packet, channel.outgoing.is_some());
                    if let Some(waited_for) = self.holds_up_reception(fabric, port, channel, now) {
                        snapshot.waits_for_software(self.number, port, number, waited_for);
                    }
                }
            }
        }
    }

    /// Bytes that it takes, without what lies behind pointers of rarely used parts.
    pub fn bytes(&self) -> usize {
        let channels = self.channels.len() * size_of::<[Channel; MAX_CHANNELS]>();
        let queues: usize = self.channels.iter().flatten().map(|channel| channel.queue.capacity()).sum();
        size_of::<Node>() + channels + queues * size_of::<Stored>()
    }
}
