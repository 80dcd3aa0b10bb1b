//! The state of one node: VCs of its receivers, credits and links of its senders, FIFOs.

use geometry::MAX_DIMENSIONS;
use network::arbitration::Memory;
use network::deadlock::Snapshot;
use network::fabric::Fabric;
use network::node::fifo_head::FifoHead;
use network::node::infinite::Progress;
use network::node::software::Endpoints;
use network::packet::{Packet, Stored, Tag};
use network::parameters::MAX_VCS;
use network::traffic::Traffic;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

const MAX_PORTS: usize = 2 * MAX_DIMENSIONS;

/// The output to which the head packet of a busy VC is moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outgoing {
    /// A sender, over a transfer path.
    Path,
    /// A reception FIFO, over the dedicated bus.
    Reception,
    /// A sender over a transfer path, with a copy over the bus.
    PathAndReception,
}

impl Outgoing {
    /// Whether it takes a transfer path.
    pub fn takes_path(self) -> bool {
        match self {
            Outgoing::Path | Outgoing::PathAndReception => true,
            Outgoing::Reception => false,
        }
    }

    /// Whether it takes the bus to the reception FIFOs.
    pub fn takes_bus(self) -> bool {
        match self {
            Outgoing::Reception | Outgoing::PathAndReception => true,
            Outgoing::Path => false,
        }
    }
}

/// A virtual channel of a receiver.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct VirtualChannel {
    queue: VecDeque<Stored>,
    /// Credits that the packets in the buffer take: the measure of fullness.
    #[serde(skip)]
    occupied: u8,
    /// The output to which the head packet is moving, if any.
    outgoing: Option<Outgoing>,
    /// The cycle in which a head packet that found the buffer empty may bypass it.
    bypass_at: Option<u64>,
    /// Whether the moving head packet took the bypass and was never in the buffer.
    head_bypassed: bool,
}

impl VirtualChannel {
    /// The head packet, if it is waiting.
    pub fn waiting(&self) -> Option<&Stored> {
        self.queue.front().filter(|_| self.outgoing.is_none())
    }

    /// Whether the head packet is leaving.
    pub fn is_leaving(&self) -> bool {
        self.outgoing.is_some()
    }

    /// Number of packets that are in no other VC and on no link. It is all but one that is leaving for another node.
    pub fn own_packets(&self) -> usize {
        self.queue.len() - self.outgoing.is_some_and(Outgoing::takes_path) as usize
    }

    /// All packets whose head has arrived and whose tail has not left.
    pub fn packets(&self) -> impl Iterator<Item = Packet> + '_ {
        self.queue.iter().map(|stored| stored.packet)
    }
}

/// One node.
#[derive(Serialize, Deserialize)]
pub struct Node {
    /// Number of the node.
    pub number: u32,
    /// VCs by receiver.
    pub vcs: Vec<[VirtualChannel; MAX_VCS]>,
    /// Credits by sender and VC.
    pub credits: [[u8; MAX_VCS]; MAX_PORTS],
    /// Whether a packet occupies the link.
    pub link_busy: [bool; MAX_PORTS],
    /// Transfer paths in use, by receiver.
    #[serde(skip)]
    pub paths_used: [u8; MAX_PORTS],
    /// Buses to the reception FIFOs in use, by receiver: normal, high priority.
    #[serde(skip)]
    pub reception_busy: [[bool; 2]; MAX_PORTS],
    /// Head packets of infinite injection FIFOs.
    pub injection: Vec<Option<FifoHead>>,
    /// Progress in reading the node's lanes into these FIFOs: normal, high priority.
    pub progress: [Progress; 2],
    /// Whether the head packet of an injection FIFO is leaving it.
    pub injection_busy: Vec<bool>,
    /// The node's FIFOs and software, if software is simulated; in separate frames in a checkpoint.
    #[serde(skip)]
    pub endpoint: Option<Endpoints>,
    /// Number of unacknowledged normal packets from infinite FIFOs, if it is bounded.
    pub unacknowledged: u32,
    /// Whether each link lacks only credits.
    pub stalled: [bool; MAX_PORTS],
    /// Waiting head packets of VCs that found all of their links and VCs busy at the last arbitration. None if that
    /// costs them no cycle.
    pub found_outputs_busy: [[bool; MAX_VCS]; MAX_PORTS],
    /// The memories of its arbiters, if the rule of arbitration has memory.
    pub memories: Vec<Memory>,
}

impl Node {
    /// An idle node.
    pub fn new(fabric: &Fabric, number: u32, traffic: &Traffic) -> Self {
        let has_software = fabric.has_software();
        let endpoint =
            has_software.then(|| Endpoints::new(fabric, number, 1, traffic.software(fabric, number, 1)));
        let parameters = &fabric.parameters.node;
        let fifos = usize::from(parameters.normal_injection_fifos + parameters.high_priority_injection_fifos);
        Node {
            number,
            vcs: vec![Default::default(); fabric.ports],
            credits: [fabric.capacity; MAX_PORTS],
            // A dead link is never idle, so that nothing is sent over it.
            link_busy: std::array::from_fn(|port| port < fabric.ports && fabric.is_dead_link(number, port)),
            paths_used: [0; MAX_PORTS],
            reception_busy: [[false; 2]; MAX_PORTS],
            injection: vec![None; if has_software { 0 } else { fifos }],
            progress: [Progress::default(); 2],
            injection_busy: vec![false; fifos],
            endpoint,
            unacknowledged: 0,
            stalled: [false; MAX_PORTS],
            found_outputs_busy: [[false; MAX_VCS]; MAX_PORTS],
            memories: vec![Memory::NEW; fabric.memories_of_node()],
        }
    }

    /// Rebuilds the state that a checkpoint omits.
    pub fn rebuild(&mut self, fabric: &Fabric) {
        for port in 0..fabric.ports {
            for (number, vc) in self.vcs[port].iter_mut().enumerate() {
                let charge = |stored: &Stored| fabric.charge(number, fabric.layout.chunks(stored.packet));
                let in_buffer = vc.queue.iter().skip(vc.head_bypassed as usize);
                vc.occupied = in_buffer.map(charge).fold(0, u8::saturating_add);
                let (Some(outgoing), Some(head)) = (vc.outgoing, vc.queue.front()) else { continue };
                self.paths_used[port] += outgoing.takes_path() as u8;
                if outgoing.takes_bus() {
                    let bus = fabric.layout.is_high_priority(head.packet) as usize;
                    self.reception_busy[port][bus] = true;
                    if let Some(endpoint) = &mut self.endpoint {
                        endpoint.begin_reception(fabric, 0, port, head.packet);
                    }
                }
            }
        }
    }

    /// Number of packets and copies that are in flight at the node.
    pub fn packets_at(&self) -> usize {
        let unread = self.endpoint.as_ref().map_or(0, |endpoint| endpoint.unread(0));
        self.vcs.iter().flatten().map(VirtualChannel::own_packets).sum::<usize>() + unread
    }

    /// A packet's head arrives at a receiver at `now`.
    pub fn arrive(&mut self, fabric: &Fabric, now: u64, port: usize, vc: usize, stored: Stored) {
        let charge = fabric.charge(vc, fabric.layout.chunks(stored.packet));
        let state = &mut self.vcs[port][vc];
        if fabric.parameters.router.bypass && state.queue.is_empty() {
            state.bypass_at = Some(now);
        } else {
            state.occupied += charge;
        }
        state.queue.push_back(stored);
    }

    /// Head packets not granted in the cycle of their arrival enter the buffer.
    pub fn end_bypass(&mut self, fabric: &Fabric) {
        for vcs in &mut self.vcs {
            for (number, vc) in vcs.iter_mut().enumerate().take(fabric.vcs) {
                if vc.bypass_at.take().is_some() {
                    let head = vc.queue.front().expect("a head that may bypass exists");
                    vc.occupied += fabric.charge(number, fabric.layout.chunks(head.packet));
                }
            }
        }
    }

    /// Whether the head packet of a VC is on the bypass in this cycle.
    pub fn is_bypassing(&self, port: usize, vc: usize) -> bool {
        self.vcs[port][vc].bypass_at.is_some()
    }

    /// The fullness of a VC, in quarters.
    pub fn fullness(&self, fabric: &Fabric, port: usize, vc: usize) -> u8 {
        fabric.quarter(vc, self.vcs[port][vc].occupied)
    }

    /// The head packet of a VC begins to leave.
    pub fn occupy(&mut self, port: usize, vc: usize, outgoing: Outgoing) -> Stored {
        self.paths_used[port] += outgoing.takes_path() as u8;
        let state = &mut self.vcs[port][vc];
        state.outgoing = Some(outgoing);
        state.head_bypassed = state.bypass_at.take().is_some();
        *state.queue.front().expect("a granted channel has a head")
    }

    /// The head packet of a VC has left it, tail included.
    pub fn release(&mut self, fabric: &Fabric, port: usize, vc: usize) -> (Stored, Outgoing) {
        let state = &mut self.vcs[port][vc];
        let stored = state.queue.pop_front().expect("a channel that becomes free had a head");
        let outgoing = state.outgoing.take().expect("a channel that becomes free was busy");
        if !std::mem::take(&mut state.head_bypassed) {
            state.occupied -= fabric.charge(vc, fabric.layout.chunks(stored.packet));
        }
        self.paths_used[port] -= outgoing.takes_path() as u8;
        (stored, outgoing)
    }

    /// The head packet of an injection FIFO, if it may request at `now`.
    pub fn injection_head(&self, fifo: usize, now: u64) -> Option<Stored> {
        if self.injection_busy[fifo] {
            return None;
        }
        match &self.endpoint {
            Some(endpoint) => endpoint
                .fifos()
                .head(0, fifo)
                .filter(|written| written.requests_from <= now)
                .map(|written| written.stored),
            None => {
                let head = self.injection[fifo].filter(|head| head.requests_from <= now)?;
                let FifoHead { packet, offered, .. } = head;
                Some(Stored { packet, offered, tag: Tag::default(), source: self.number })
            }
        }
    }

    /// The head packet of an injection FIFO begins to leave.
    pub fn leave_injection(&mut self, fabric: &Fabric, fifo: usize) -> Stored {
        let stored = match &mut self.endpoint {
            Some(endpoint) => endpoint.begin_leaving(fabric, 0, fifo),
            None => self.injection_head(fifo, u64::MAX).expect("a granted FIFO has a head"),
        };
        self.injection_busy[fifo] = true;
        stored
    }

    /// The fullness of an injection FIFO, in quarters; infinite ones are always full.
    pub fn injection_fullness(&self, fifo: usize) -> u8 {
        self.endpoint.as_ref().map_or(3, |endpoint| endpoint.fifos().quarter(0, fifo))
    }

    /// Packets in the buffers, and head packets of the injection FIFOs.
    pub fn packets(&self) -> impl Iterator<Item = Stored> + '_ {
        let vcs = self.vcs.iter().flatten().flat_map(|vc| vc.queue.iter().copied());
        let waiting = (0..self.injection_busy.len()).filter_map(|fifo| self.injection_head(fifo, u64::MAX));
        vcs.chain(waiting)
    }

    /// The packets of which one has to leave its injection FIFO before the head packet of a VC can be received. None
    /// unless it waits for that.
    fn packets_blocking_reception(
        &self,
        fabric: &Fabric,
        port: usize,
        vc: &VirtualChannel,
        now: u64,
    ) -> Option<Vec<Packet>> {
        let packet = vc.waiting()?.packet;
        self.endpoint.as_ref()?.packets_blocking_reception(fabric, 0, port, packet, now)
    }

    /// Adds the node's wait-for relations at `now` to a snapshot.
    pub fn describe(&self, fabric: &Fabric, snapshot: &mut Snapshot, now: u64) {
        for port in 0..fabric.ports {
            snapshot.credits(self.number, port, &self.credits[port][..fabric.vcs]);
            for (number, vc) in self.vcs[port].iter().enumerate().take(fabric.vcs) {
                if let Some(head) = vc.queue.front() {
                    snapshot.head(self.number, port, number, head.packet, vc.outgoing.is_some());
                    if let Some(waited_for) = self.packets_blocking_reception(fabric, port, vc, now) {
                        snapshot.waits_for_software(self.number, port, number, waited_for);
                    }
                }
            }
        }
    }

    /// Bytes of the node's state, without heap memory of rarely used parts.
    pub fn bytes(&self) -> usize {
        let vcs = self.vcs.len() * size_of::<[VirtualChannel; MAX_VCS]>();
        let queues: usize = self.vcs.iter().flatten().map(|vc| vc.queue.capacity()).sum();
        size_of::<Node>() + vcs + queues * size_of::<Stored>() + size_of_val(&self.memories[..])
    }
}
