//! A core with its rank: the state of its time line.

use super::handover::Handover;
use super::network_collectives::NetworkCollectives;
use super::rank::{Notice, Rank, Unsettled};
use super::task::Task;
use crate::ranks::Operation;
use crate::transfers::send_queues::SendQueues;
use base::clock::ClockRatio;
use base::memory::{self, OnDemand};
use network::node::forward::Forwarded;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A core. The order of the fields keeps the number of cache lines low that a run touches. Two lines have the time line
/// and the task, one the state of the rank and its operations, and one what it sends or is notified of.
#[repr(C, align(64))]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Core {
    /// Processor cycle at which its last task ends or ended.
    pub free_at: u64,
    /// The network cycle in which the end takes effect.
    #[serde(skip)]
    pub ends: u64,
    /// Packets written so far.
    pub written: u32,
    /// Whether the last operation was a send, whose packets are written before the next operation; with a watermark,
    /// packets always are. On a co-processor: whether it writes before it reads the next packet.
    pub writes_first: bool,
    /// Whether an interrupt has stopped its computation, until it has read all packets.
    pub is_interrupted: bool,
    /// Packets to forward before the next packet is read.
    pub to_forward: VecDeque<Forwarded>,
    pub task: Option<Task>,
    /// Processor cycle at which its last task began.
    pub began_at: u64,
    pub handover: OnDemand<Handover>,
    pub rank: Option<Rank>,
    #[serde(skip)]
    pub sends: SendQueues,
    /// Network collectives of its rank, if it has begun any.
    pub network_collectives: Option<Box<NetworkCollectives>>,
    /// Injection FIFOs, as bits, that had no room for its next packets when it was to write these before an operation.
    pub awaits_room: u32,
    /// Whether a packet of the tree network has arrived that belongs to nothing that the rank has begun.
    #[serde(skip)]
    pub ignores_tree: bool,
}

impl Core {
    /// A core at rest.
    pub fn new(rank: Option<Rank>) -> Self {
        Core {
            began_at: 0,
            free_at: 0,
            ends: 0,
            task: None,
            rank,
            sends: SendQueues::default(),
            to_forward: VecDeque::new(),
            handover: OnDemand::default(),
            written: 0,
            writes_first: false,
            is_interrupted: false,
            network_collectives: None,
            awaits_room: 0,
            ignores_tree: false,
        }
    }

    /// Sets the processor cycle until which the core is busy, or has been.
    #[inline]
    pub fn set_free_at(&mut self, time: u64, clock: ClockRatio) {
        self.free_at = time;
        self.ends = clock.cycle_of(time);
    }

    /// Prefetches the core, without what it points to.
    pub fn prefetch(&self) {
        memory::software(self);
    }

    /// Bytes on the heap, without the pool.
    pub fn bytes(&self) -> usize {
        let of_rank = |rank: &Rank| {
            rank.operations.capacity() * size_of::<Operation>()
                + rank.inbox.capacity() * size_of::<Notice>()
                + rank.unsettled.bytes(Unsettled::bytes)
        };
        self.rank.as_ref().map_or(0, of_rank)
            + self.sends.bytes()
            + self.to_forward.capacity() * size_of::<Forwarded>()
            + self.handover.bytes(Handover::bytes)
            + self
                .network_collectives
                .as_ref()
                .map_or(0, |collectives| size_of::<NetworkCollectives>() + collectives.bytes())
    }
}
