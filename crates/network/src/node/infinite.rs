//! Infinite injection FIFOs, as in the papers' simulator: they never run short of packets, so that only the head packet
//! of each needs to exist. When a head packet has left, its FIFO takes the node's next packet. Software that writes
//! each packet to the FIFO that empties first, and stores nothing, does the same: [`InfiniteFifos`], where other nodes
//! of the machine run software. Without any, engines fill these FIFOs themselves.

use super::choice_of_detour::routed;
use super::fifo_head::FifoHead;
use super::fifos::Written;
use super::software::{Announcement, NEVER, NodeIo, NodeSoftware, Read, RestoredNode, Resume};
use crate::fabric::Fabric;
use crate::packet::Packet;
use crate::source::{Lane, LaneKind, Source};
use base::checkpoint::{FrameReader, FrameWriter};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// The lane from which an infinite FIFO of a node takes its packets. Normal FIFOs share one lane, high-priority FIFOs
/// another.
pub fn lane_of_fifo(fabric: &Fabric, node: u32, fifo: usize) -> Lane {
    let kind = if fabric.is_normal_fifo(fifo) { LaneKind::Normal } else { LaneKind::HighPriority };
    Lane { node, kind, number: 0, lanes: 1 }
}

/// The progress in reading a lane: twelve bytes, since each node has at least one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(C, packed(2))]
pub struct Progress {
    /// `ready` of the last packet taken, from which that of the next one counts.
    pub previous_ready: u64,
    /// Number of packets taken.
    pub taken: u32,
}

/// The packet with this number in a lane as it makes its first request. It is on its detour if it takes one; see
/// [`super::choice_of_detour`].
pub fn on_detour(
    fabric: &Fabric,
    source: &dyn Source,
    (lane, number): (Lane, u32),
    packet: Packet,
    occupied: impl Fn(usize) -> u32,
) -> Packet {
    let detour = source.detour(lane, number.into());
    detour.map_or(packet, |detour| routed(fabric, &detour, packet, occupied))
}

impl Progress {
    /// The next packet of a lane, for a FIFO that became free at `now`; none if the lane has ended.
    ///
    /// # Panics
    /// After 2^32 - 1 packets of a lane.
    #[inline]
    pub fn next_head(
        &mut self,
        fabric: &Fabric,
        source: &dyn Source,
        lane: Lane,
        now: u64,
    ) -> Option<FifoHead> {
        let number = self.taken;
        let index = u64::from(number);
        // The offer is taken by reference: moving it out of the option would copy it, and the copy would wait for its
        // stores.
        let offer = source.offer(lane, index, self.previous_ready);
        let offer = offer.as_ref()?;
        self.taken = self.taken.checked_add(1).expect("packets of a node are counted in 32 bits");
        self.previous_ready = offer.ready;
        Some(FifoHead {
            packet: fabric.layout.pack(lane.node, lane.kind, lane.sequence(index), offer),
            offered: if offer.ready == 0 { now } else { offer.ready },
            requests_from: now.max(self.last_requests_from(fabric)),
            number,
        })
    }

    /// The cycle of the first possible request of the last packet taken; packets taken later request no earlier.
    #[inline(always)]
    pub fn last_requests_from(&self, fabric: &Fabric) -> u64 {
        self.previous_ready + u64::from(fabric.parameters.node.injection_latency_cycles)
    }
}

/// The software of some nodes that fills their infinite FIFOs from a source, and reads packets at once.
pub struct InfiniteFifos {
    source: Arc<dyn Source>,
    nodes: Vec<Filled>,
}

/// The progress of a node in filling its FIFOs.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Filled {
    /// The progress in each lane: normal, high priority.
    progress: [Progress; 2],
    /// The numbers of the head packets in their lanes, by FIFO.
    numbers: [u32; 8],
    /// Number of unacknowledged normal packets, if it is bounded.
    unacknowledged: u32,
}

impl InfiniteFifos {
    /// The software of `nodes` nodes that send the packets of `source`.
    pub fn new(source: Arc<dyn Source>, nodes: usize) -> Self {
        InfiniteFifos { source, nodes: vec![Filled::default(); nodes] }
    }
}

impl Filled {
    /// The next packet for an empty FIFO. None if the lane has ended or the node has to wait for acknowledgements.
    fn next_head(&mut self, source: &dyn Source, io: &NodeIo<'_>, fifo: usize) -> Option<FifoHead> {
        let fabric = io.fabric;
        let lane = lane_of_fifo(fabric, io.node, fifo);
        let is_high_priority = lane.kind.is_high_priority();
        let is_paced = fabric.is_paced(is_high_priority);
        if is_paced && fabric.window_is_full(self.unacknowledged) {
            return None;
        }
        let head = self.progress[usize::from(is_high_priority)].next_head(fabric, source, lane, io.now)?;
        self.unacknowledged += u32::from(is_paced);
        self.numbers[fifo] = head.number;
        Some(head)
    }

    /// Chooses the routes of packets that make their first request now. Returns the cycle in which others will.
    fn choose_routes(&self, source: &dyn Source, io: &mut NodeIo<'_>) -> u64 {
        let mut next = NEVER;
        for fifo in 0..io.fabric.injection_fifos() {
            let Some(Written { stored, requests_from }) = io.head(fifo) else { continue };
            if requests_from > io.now {
                next = next.min(requests_from);
            } else if requests_from == io.now {
                let place = (lane_of_fifo(io.fabric, io.node, fifo), self.numbers[fifo]);
                let packet = on_detour(io.fabric, source, place, stored.packet, |port| io.occupied(port));
                io.reroute(fifo, packet);
            }
        }
        next
    }
}

impl NodeSoftware for InfiniteFifos {
    fn run(&mut self, io: &mut NodeIo<'_>) -> Resume {
        let sets = io.fabric.parameters.node.fifo_sets();
        for set in 0..sets {
            while let Some(received) = io.begin_read(set) {
                let read = Read { time: io.now, stored: received.stored, is_relayed: false };
                io.end_read(&received, read);
            }
        }
        let (source, node) = (&*self.source, &mut self.nodes[io.local]);
        for fifo in 0..io.fabric.injection_fifos() {
            let is_empty = io.is_empty(fifo);
            if let Some(head) = is_empty.then(|| node.next_head(source, io, fifo)).flatten() {
                io.fill(fifo, head);
            }
        }
        let at = if io.fabric.has_detours { node.choose_routes(source, io) } else { NEVER };
        let resume = Resume { at, ..Resume::when_room(0..io.fabric.parameters.node.injection_fifos()) };
        (0..sets).map(Resume::when_received).fold(resume, Resume::or)
    }

    fn acknowledge(&mut self, local: usize) {
        self.nodes[local].unacknowledged -= 1;
    }

    fn receive(&mut self, _: usize, _: &Announcement) {
        unreachable!("generated traffic announces nothing");
    }

    fn waits_for_room(&self, _: &Fabric, _: usize, _: usize) -> Option<Range<usize>> {
        None
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
    }

    fn save(&self, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        frames.write(&self.nodes[local])
    }

    fn restore(&mut self, node: &mut RestoredNode<'_>, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.nodes[node.local] = frames.read()?;
        Ok(())
    }

    fn reading(&self, _: usize) -> usize {
        0
    }

    fn reads_at_once(&self, _: &Fabric, _: usize) -> bool {
        true
    }

    fn keeps_fifos_full(&self, _: usize) -> bool {
        true
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
