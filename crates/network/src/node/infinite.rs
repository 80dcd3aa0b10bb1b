//! Infinite injection FIFOs, as the papers' simulator had them: filled as early as possible, so that only the head of
//! each needs to exist. The source is asked for the next one when the head has left.

use crate::fabric::Fabric;
use crate::packet::Packet;
use crate::source::{Lane, LaneKind, Source};

/// The lane that an infinite FIFO of a node carries: normal FIFOs first, then those of high priority.
pub fn lane_of_fifo(fabric: &Fabric, node: u32, fifo: usize) -> Lane {
    let parameters = &fabric.parameters.node;
    let normal = u32::from(parameters.normal_injection_fifos);
    match fifo as u32 {
        number if number < normal => Lane { node, kind: LaneKind::Normal, number, lanes: normal },
        number => Lane {
            node,
            kind: LaneKind::HighPriority,
            number: number - normal,
            lanes: u32::from(parameters.high_priority_injection_fifos),
        },
    }
}

/// The head of an infinite FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FifoHead {
    /// The packet.
    pub packet: Packet,
    /// The cycle from which its age counts: when software offered it, or, where packets always wait, when it became
    /// the head.
    pub offered: u64,
    /// The cycle of its first request.
    pub requests_from: u64,
    /// `ready` of its offer, from which the next one's is counted.
    pub ready: u64,
}

/// Packet `index` of a FIFO that became free at `now`; none when the source has ended.
pub fn next_head(
    fabric: &Fabric,
    source: &dyn Source,
    lane: Lane,
    index: u64,
    previous_ready: u64,
    now: u64,
) -> Option<FifoHead> {
    let offer = source.offer(lane, index, previous_ready)?;
    let injection_latency = u64::from(fabric.parameters.node.injection_latency_cycles);
    Some(FifoHead {
        packet: fabric.layout.pack(lane.node, lane.kind, lane.sequence(index), &offer),
        offered: if offer.ready == 0 { now } else { offer.ready },
        requests_from: now.max(offer.ready + injection_latency),
        ready: offer.ready,
    })
}
