//! Messages and packets that a core, its co-processor, the DMA engine and the other cores of a node pass to one another.

use super::task::{Given, Local};
use crate::transfers::outgoing::Outgoing;
use base::memory::Absent;
use network::packet::Stored;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Work that a core and the others of its node, its co-processor and the DMA engine among them, have left for one
/// another.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Handover {
    /// Messages of other ranks of the node, each with the processor cycle at which it was sent.
    pub local: VecDeque<(u64, Local)>,
    /// Packets that its co-processor or the DMA engine has read, each with the processor cycle from which the core can take it.
    pub taken: VecDeque<(u64, Stored)>,
    /// Packets for a co-processor to write, each with the processor cycle from which it can.
    pub given: VecDeque<(u64, Given)>,
    /// Messages whose descriptors the core has written, each with the processor cycle from which the DMA engine can
    /// take it.
    pub described: VecDeque<(u64, Outgoing)>,
    /// Descriptors in the core's injection FIFO in memory: those above, and those of messages of which the DMA engine
    /// makes packets.
    pub descriptors: u32,
    /// Whether the core has found that FIFO full, and wants an interrupt when there is room.
    pub awaits_descriptors: bool,
    /// The set of reception FIFOs that a DMA engine reads next.
    pub next_set: usize,
}

impl Absent for Handover {
    const ABSENT: &'static Self = &Handover {
        local: VecDeque::new(),
        taken: VecDeque::new(),
        given: VecDeque::new(),
        described: VecDeque::new(),
        descriptors: 0,
        awaits_descriptors: false,
        next_set: 0,
    };
}

impl Handover {
    /// The processor cycle from which the core can go on with some of this work.
    pub fn due(&self) -> Option<u64> {
        let taken = self.taken.front().map(|(time, _)| *time);
        let given = self.given.front().map(|(time, _)| *time);
        let local = self.local.front().map(|(time, _)| *time);
        taken.into_iter().chain(given).chain(local).min()
    }

    pub fn bytes(&self) -> usize {
        self.taken.capacity() * size_of::<(u64, Stored)>()
            + self.given.capacity() * size_of::<(u64, Given)>()
            + self.local.capacity() * size_of::<(u64, Local)>()
            + self.described.capacity() * size_of::<(u64, Outgoing)>()
    }
}
