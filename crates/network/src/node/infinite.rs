//! Infinite injection FIFOs, as in the papers' simulator: they never run short of packets, so that only the head packet
//! of each needs to exist. When a head packet has left, its FIFO takes the node's next packet. Software that writes
//! each packet to the FIFO that empties first, and stores nothing, does the same.

use crate::fabric::Fabric;
use crate::packet::Packet;
use crate::source::{Lane, LaneKind, Source};
use serde::{Deserialize, Serialize};

/// Later than any packet is ready, and so early that times after it can be computed.
pub const LATEST_READY: u64 = 1 << 62;

/// The lane from which an infinite FIFO of a node takes its packets: normal FIFOs share one, high-priority FIFOs
/// another.
pub fn lane_of_fifo(fabric: &Fabric, node: u32, fifo: usize) -> Lane {
    let kind = if fabric.is_normal_fifo(fifo) { LaneKind::Normal } else { LaneKind::HighPriority };
    Lane { node, kind, number: 0, lanes: 1 }
}

/// How far a lane has been read: twelve bytes, since each node has at least one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(C, packed(2))]
pub struct Progress {
    /// `ready` of the last packet taken, from which that of the next one counts.
    pub previous_ready: u64,
    /// Packets taken.
    pub taken: u32,
}

/// The head packet of an infinite FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FifoHead {
    /// The packet.
    pub packet: Packet,
    /// The cycle from which its age counts: when software offered it or, for packets that are always waiting, when it
    /// became the head packet.
    pub offered: u64,
    /// The cycle of its first request.
    pub requests_from: u64,
}

impl Progress {
    /// Whether a restored lane can have been read as far as this, with its last packets in `heads` FIFOs.
    pub fn can_be_restored(&self, heads: u32) -> bool {
        self.taken >= heads && self.previous_ready < LATEST_READY
    }

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
        let index = u64::from(self.taken);
        // By reference: moving the offer out of the option would copy it, and the copy would wait for its stores.
        let offer = source.offer(lane, index, self.previous_ready);
        let offer = offer.as_ref()?;
        self.taken = self.taken.checked_add(1).expect("packets of a node are counted in 32 bits");
        self.previous_ready = offer.ready;
        Some(FifoHead {
            packet: fabric.layout.pack(lane.node, lane.kind, lane.sequence(index), offer),
            offered: if offer.ready == 0 { now } else { offer.ready },
            requests_from: now.max(self.last_requests_from(fabric)),
        })
    }

    /// The cycle of the first possible request of the last packet taken; packets taken later request no earlier.
    #[inline(always)]
    pub fn last_requests_from(&self, fabric: &Fabric) -> u64 {
        self.previous_ready + u64::from(fabric.parameters.node.injection_latency_cycles)
    }
}
