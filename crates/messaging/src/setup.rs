//! The parameters of the message layer of a machine, and what follows from them.

use crate::{MessagingBuilder, Packetizer, Parameters, RankMap};
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
    /// The time line of the node's DMA engine, behind those of its cores, if it has one.
    pub dma_line: Option<usize>,
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
    /// Whether ranks send messages along lines.
    pub deposits: bool,
    /// Whether the layer keeps an account of messages without a receive.
    pub keeps_unmatched: bool,
}

impl Setup {
    /// That of ranks placed by `map`; `smallest_chunks` is the size of the smallest packet of their eager messages.
    pub fn new(
        network: &network::Parameters,
        parameters: &Parameters,
        map: RankMap,
        smallest_chunks: impl FnOnce(&Packetizer) -> u8,
    ) -> Self {
        let packetizer = Packetizer::new(network, parameters);
        let lines_of_core = if parameters.coprocessor.is_some() { 2 } else { 1 };
        let setup = Setup {
            parameters: *parameters,
            control_chunks: packetizer.chunks(0, 0),
            smallest_chunks: smallest_chunks(&packetizer),
            packetizer,
            bodies: Packetizer::of_bodies(network, parameters),
            lines_of_core,
            dma_line: parameters.dma.map(|_| usize::from(network.node.cores) * lines_of_core),
            map,
            polling_interval: network
                .node
                .clock
                .processor_cycle_of(parameters.polling_interval_cycles.into()),
            spreads: MessagingBuilder::sends_at_once(network, parameters),
            all_contributions: (0, 0),
            participants: None,
            deposits: false,
            keeps_unmatched: parameters.message_credits.is_some()
                || parameters.unexpected_limit_bytes.is_some(),
        };
        match parameters.message_credits.is_some() || parameters.has_handshakes() {
            true => Setup { smallest_chunks: setup.smallest_of_all(), ..setup },
            false => setup,
        }
    }

    /// The size of the smallest packet where handshakes or credits have packets of their own.
    fn smallest_of_all(&self) -> u8 {
        self.smallest_chunks.min(self.control_chunks).min(self.bodies.smallest_chunks())
    }

    /// Whether cores have co-processors.
    pub fn has_coprocessors(&self) -> bool {
        self.lines_of_core > 1
    }

    /// Whether somebody else than the core of a rank reads and writes its packets.
    pub fn has_movers(&self) -> bool {
        self.has_coprocessors() || self.dma_line.is_some()
    }

    /// Whether something may interrupt a core ([`crate::interrupts`]).
    pub fn has_interrupts(&self) -> bool {
        self.parameters.watermark.is_some() || self.parameters.dma.is_some()
    }

    /// The core of a time line. Each has one or two. That of a DMA engine is the first, for what it forwards.
    pub fn core_of(&self, line: usize) -> usize {
        if self.dma_line == Some(line) {
            return 0;
        }
        line >> (self.lines_of_core - 1)
    }

    /// The time line of a rank, among those of its node.
    pub fn line(&self, rank: u32) -> usize {
        usize::from(self.map.place(rank).core) * self.lines_of_core
    }
}
