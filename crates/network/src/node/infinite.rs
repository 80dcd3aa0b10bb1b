//! Infinite injection FIFOs, as the papers' simulator had them: never short of packets, so that only the head of each
//! needs to exist. When a head has left, its FIFO takes the node's next packet: which is what software does that writes
//! each packet to the FIFO that is emptied first, and stores nothing.

use crate::fabric::Fabric;
use crate::packet::Packet;
use crate::source::{Lane, LaneKind, Source};
use serde::{Deserialize, Serialize};

/// The lane that an infinite FIFO of a node takes its packets from: normal FIFOs share one, those of high priority
/// another.
pub fn lane_of_fifo(fabric: &Fabric, node: u32, fifo: usize) -> Lane {
    let kind = if fabric.is_normal_fifo(fifo) { LaneKind::Normal } else { LaneKind::HighPriority };
    Lane { node, kind, number: 0, lanes: 1 }
}

/// How far a lane has been taken: twelve bytes, as each node has one at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(C, packed(2))]
pub struct Progress {
    /// `ready` of the last packet taken, from which the next one's is counted.
    pub previous_ready: u64,
    /// Packets taken.
    pub taken: u32,
}

/// The head of an infinite FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FifoHead {
    /// The packet.
    pub packet: Packet,
    /// The cycle from which its age counts: when software offered it, or, where packets always wait, when it became
    /// the head.
    pub offered: u64,
    /// The cycle of its first request.
    pub requests_from: u64,
}

impl Progress {
    /// The next packet of a lane, for a FIFO that became free at `now`; none when the lane has ended.
    ///
    /// # Panics
    /// After four thousand million packets of a node.
    #[inline]
    pub fn next_head(
        &mut self,
        fabric: &Fabric,
        source: &dyn Source,
        lane: Lane,
        now: u64,
    ) -> Option<FifoHead> {
        let index = u64::from(self.taken);
        // Taken out of the option, it would be copied, and the copy would wait for its stores.
        let offer = source.offer(lane, index, self.previous_ready);
        let offer = offer.as_ref()?;
        self.taken = self.taken.checked_add(1).expect("packets of a node are counted in 32 bits");
        self.previous_ready = offer.ready;
        Some(FifoHead {
            packet: fabric.layout.pack(lane.node, lane.kind, lane.sequence(index), offer),
            offered: if offer.ready == 0 { now } else { offer.ready },
            requests_from: now.max(self.last_asks_from(fabric)),
        })
    }

    /// The cycle before which the last packet taken does not ask, nor any that is taken later.
    #[inline(always)]
    pub fn last_asks_from(&self, fabric: &Fabric) -> u64 {
        self.previous_ready + u64::from(fabric.parameters.node.injection_latency_cycles)
    }
}
