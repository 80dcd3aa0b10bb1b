//! The parameters of the message layer of a machine, and what follows from them.

use crate::{Packetizer, Parameters, RankMap};
use std::sync::Arc;

/// What all nodes have in common.
pub(crate) struct Setup {
    pub parameters: Parameters,
    /// Of eager messages.
    pub packetizer: Packetizer,
    /// Of the bodies of rendezvous messages.
    pub bodies: Packetizer,
    /// The size of packets without data, in chunks.
    pub control_chunks: u8,
    /// Time lines of a core: its own, and that of its co-processor if it has one.
    pub lines_of_core: usize,
    /// The size of the smallest packet that is ever sent: engines size their queues by it.
    pub smallest_chunks: u8,
    pub map: RankMap,
    /// The polling interval in processor cycles.
    pub polling_interval: u64,
    /// Whether messages are spread over infinite FIFOs in the cycle in which they are sent.
    pub spreads: bool,
    /// How many contributions are combined where all ranks take part, and the sum of their names.
    pub all_contributions: (u32, u64),
    /// The cores with ranks, as bits, by node, if ranks use networks beside the torus.
    pub participants: Option<Arc<[u64]>>,
    /// Whether the layer keeps an account of messages without a receive.
    pub keeps_unmatched: bool,
}

impl Setup {
    /// Whether cores have co-processors.
    pub fn has_coprocessors(&self) -> bool {
        self.lines_of_core > 1
    }

    /// The core of a time line. Each has one or two.
    pub fn core_of(&self, line: usize) -> usize {
        line >> (self.lines_of_core - 1)
    }

    /// The time line of a rank, among those of its node.
    pub fn line(&self, rank: u32) -> usize {
        usize::from(self.map.place(rank).core) * self.lines_of_core
    }
}
