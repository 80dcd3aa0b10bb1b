//! The parameters of the message layer of a machine, and what follows from them.

use crate::mapping::RankMap;
use crate::packetizer::Formats;
use crate::parameters::Parameters;
use crate::protocol::Kind;
use network::parameters::MAX_CHUNKS;
use std::sync::Arc;

/// The costs of a kind of transfer on a machine, in processor cycles. They are computed once, as each packet looks them
/// up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KindCosts {
    /// Whether its packets keep their order.
    pub is_deterministic: bool,
    /// Processor cycles before the first packet is written.
    pub setup: u32,
    /// Processor cycles to handle the first packet, and the last, in addition to the costs of each packet.
    pub first: u32,
    pub last: u32,
    /// Processor cycles to handle a packet, by its chunks.
    pub dispatch: [u64; MAX_CHUNKS as usize + 1],
}

impl KindCosts {
    fn of(kind: Kind, setup: &Setup) -> Self {
        let (protocol, parameters) = (kind.protocol(), &setup.parameters);
        let (first, last) = protocol.once(parameters);
        KindCosts {
            is_deterministic: protocol.is_deterministic(parameters),
            setup: protocol.setup(parameters),
            first,
            last,
            dispatch: std::array::from_fn(|chunks| protocol.dispatch(parameters, chunks as u8)),
        }
    }
}

/// The messages that ranks may send, as far as their work shows. The network is built for the packets of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Messages {
    /// The length of all messages in bytes; none if they may have any.
    pub bytes: Option<u64>,
    /// Whether some may be sent synchronously, by a separate handshake.
    pub synchronous: bool,
}

impl Messages {
    /// Messages of any length, sent in any mode.
    pub const ANY: Self = Messages { bytes: None, synchronous: true };

    /// Messages of one length, or of any, sent in the standard mode.
    pub fn standard(bytes: Option<u64>) -> Self {
        Messages { bytes, synchronous: false }
    }

    /// The kinds of transfers that the messages take, by these parameters.
    fn kinds(self, parameters: &Parameters) -> impl Iterator<Item = Kind> {
        let synchronous = self.synchronous;
        Kind::ALL.into_iter().filter(move |kind| kind.occasion().arises(parameters, synchronous))
    }
}

/// The parts of a node that move packets between FIFOs and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movers {
    /// The cores themselves.
    Cores,
    /// The second core of each node, for the first.
    Coprocessors,
    /// The DMA engine of the node, for all cores.
    DmaEngine,
}

impl Movers {
    fn of(parameters: &Parameters) -> Self {
        match (parameters.coprocessor, parameters.dma) {
            (Some(_), _) => Movers::Coprocessors,
            (None, Some(_)) => Movers::DmaEngine,
            (None, None) => Movers::Cores,
        }
    }
}

/// The data that all nodes have in common.
pub(crate) struct Setup {
    pub parameters: Parameters,
    /// The costs of kinds, by the number of a kind.
    kinds: [KindCosts; Kind::ALL.len()],
    pub formats: Formats,
    pub movers: Movers,
    /// Time lines of a core: that of the core itself, and that of its co-processor if it has one.
    pub lines_of_core: usize,
    /// The time line of the node's DMA engine, after those of its cores, if it has one.
    pub dma_line: Option<usize>,
    /// The size of the smallest packet that is ever sent: engines size their queues by it.
    pub smallest_chunks: u8,
    pub map: RankMap,
    /// The polling interval in processor cycles.
    pub polling_interval: u64,
    /// Whether cores read and write by themselves, nothing interrupts them, and they use the torus alone.
    pub is_plain: bool,
    /// Whether messages are spread over infinite FIFOs in the cycle in which they are sent.
    pub spreads: bool,
    /// Whether a peer for whose packet there is no room is passed over until there is.
    pub passes: bool,
    /// The number of contributions that are combined where all ranks take part, and the sum of their names.
    pub all_contributions: (u32, u64),
    /// The cores with ranks, as bits, by node, if ranks use the collective networks.
    pub participants: Option<Arc<[u64]>>,
    /// Whether ranks send messages along lines.
    pub deposits: bool,
    /// Whether the layer keeps an account of messages without a receive.
    pub keeps_unmatched: bool,
}

impl Setup {
    /// The setup for ranks placed by `map`, which send these messages.
    pub fn new(
        network: &network::Parameters,
        parameters: &Parameters,
        map: RankMap,
        messages: Messages,
    ) -> Self {
        let movers = Movers::of(parameters);
        let lines_of_core = if movers == Movers::Coprocessors { 2 } else { 1 };
        let setup = Setup {
            parameters: *parameters,
            kinds: Default::default(),
            smallest_chunks: network.packet.max_chunks,
            formats: Formats::new(network, parameters),
            movers,
            lines_of_core,
            dma_line: parameters.dma.map(|_| usize::from(network.node.cores) * lines_of_core),
            map,
            polling_interval: network
                .node
                .clock
                .processor_cycle_of(parameters.polling_interval_cycles.into()),
            spreads: parameters.sends_at_once(network),
            passes: parameters.passes_over(network),
            all_contributions: (0, 0),
            participants: None,
            deposits: false,
            is_plain: !parameters.has_movers() && !parameters.has_watermarks(),
            keeps_unmatched: parameters.message_credits.is_some()
                || parameters.unexpected_limit_bytes.is_some(),
        };
        let setup = Setup { kinds: Kind::ALL.map(|kind| KindCosts::of(kind, &setup)), ..setup };
        let kinds = messages.kinds(parameters);
        let smallest =
            kinds.map(|kind| kind.protocol().smallest_chunks(&setup.formats, messages.bytes)).min();
        Setup { smallest_chunks: smallest.expect("there are kinds of transfers"), ..setup }
    }

    /// The costs of a kind of transfer.
    pub fn costs_of(&self, kind: Kind) -> &KindCosts {
        &self.kinds[kind as usize]
    }

    /// Whether something may interrupt a core ([`crate::scheduler::interrupts`]).
    pub fn has_interrupts(&self) -> bool {
        self.parameters.has_watermarks() || self.parameters.dma.is_some()
    }

    /// The core of a time line; each core has one or two. The core of a DMA engine is the first, for what it forwards.
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
