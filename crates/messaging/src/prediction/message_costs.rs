//! The cost of a message, without a run: its transfers in order, their packets, and the time for which these keep the
//! time lines of both nodes busy.
//!
//! ```text
//!   eager        the message  --->
//!   rendezvous   request      --->    <---  clear to send    the body  --->
//! ```
//!
//! Each transfer costs what its [`Protocol`] says; who pays it, the core of the rank or the DMA engine of its node, is
//! decided as in a scheduler.

use crate::mapping::RankMap;
use crate::packetizer::{Formats, Packetizer};
use crate::parameters::{Dma, Parameters};
use crate::protocol::{Kind, Protocol};
use crate::setup::{Messages, Setup};
use std::ops::{Add, AddAssign};

/// A transfer of a message, which goes between its ranks in separate packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Whether it goes from the receiver of the message back to its sender.
    pub is_answer: bool,
    /// Whether its packets must not overtake one another, and take one route, in the order of the dimensions.
    pub is_deterministic: bool,
    /// Network cycles until it begins, in which no core is busy.
    pub start: u64,
    /// The number of packets.
    pub packets: u64,
    /// The number of chunks of all packets.
    pub chunks: u64,
    /// The cost at the node that sends the transfer.
    pub sent: NodeCosts,
    /// The cost at the node that receives the transfer.
    pub received: NodeCosts,
    /// The part of `sent` for the first packet, with what is done once for all.
    pub first_sent: NodeCosts,
    /// The part of `received` for the first packet, with what is done once for all.
    pub first_received: NodeCosts,
}

/// Costs of a node, in processor cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCosts {
    /// The core of the rank.
    pub core: u64,
    /// The DMA engine, if it moves packets.
    pub dma: u64,
}

impl Packetizer {
    /// The packetizer for the data of messages of `bytes` bytes.
    pub fn of_messages(network: &network::Parameters, parameters: &Parameters, bytes: u64) -> Self {
        let formats = Formats::new(network, parameters);
        let mut kinds = parameters.occasion(bytes).kinds().iter();
        let data = kinds.find_map(|kind| kind.protocol().packetizer(&formats));
        data.expect("a message has data").clone()
    }
}

impl Transfer {
    /// The transfers of a message of `bytes` bytes between ranks of two nodes, in order.
    pub fn all(network: &network::Parameters, parameters: &Parameters, bytes: u64) -> Vec<Transfer> {
        let nowhere = RankMap::of_places(Vec::new());
        let setup = Setup::new(network, parameters, nowhere, Messages::ANY);
        let kinds = parameters.occasion(bytes).kinds().iter();
        kinds.map(|&kind| Transfer::of(kind, &setup, bytes)).collect()
    }

    /// The packets of a message by its length, handshakes included.
    pub fn packets_by_length(network: &network::Parameters, parameters: &Parameters) -> impl Fn(u64) -> u64 {
        let (formats, parameters) = (Formats::new(network, parameters), *parameters);
        move |bytes| {
            let kinds = parameters.occasion(bytes).kinds().iter();
            kinds.map(|kind| u64::from(kind.protocol().packets(&formats, bytes))).sum()
        }
    }

    /// Whether messages of any length are sent deterministically, those without a credit aside.
    pub fn are_deterministic(parameters: &Parameters) -> bool {
        let mut kinds = [0, u64::MAX].into_iter().flat_map(|bytes| parameters.occasion(bytes).kinds());
        kinds.all(|kind| kind.protocol().is_deterministic(parameters))
    }

    fn of(kind: Kind, setup: &Setup, bytes: u64) -> Transfer {
        let protocol = kind.protocol();
        let packets = protocol.packets(&setup.formats, bytes);
        let costs = TransferCosts { kind, protocol, parameters: &setup.parameters };
        let (once_sent, once_received) = (costs.sent_once(), costs.received_once());
        let first = protocol.chunks(&setup.formats, bytes, 0);
        let mut transfer = Transfer {
            is_answer: !kind.traits().is_of_rank,
            is_deterministic: protocol.is_deterministic(&setup.parameters),
            start: if kind.traits().has_data { setup.parameters.transfer_start_cycles.into() } else { 0 },
            packets: packets.into(),
            chunks: 0,
            sent: once_sent,
            received: once_received,
            first_sent: once_sent + costs.written(first),
            first_received: once_received + costs.read(first),
        };
        for index in 0..packets {
            let chunks = protocol.chunks(&setup.formats, bytes, index);
            transfer.chunks += u64::from(chunks);
            transfer.sent += costs.written(chunks);
            transfer.received += costs.read(chunks);
        }
        transfer
    }
}

/// The costs of the packets of a kind of transfer.
struct TransferCosts<'a> {
    kind: Kind,
    protocol: &'a dyn Protocol,
    parameters: &'a Parameters,
}

impl TransferCosts<'_> {
    fn dma(&self) -> Option<Dma> {
        self.parameters.dma
    }

    /// Whether a DMA engine puts packets where they belong, without a notice to the core of the rank.
    fn is_put(&self) -> bool {
        self.dma().is_some() && self.kind.traits().is_put
    }

    fn sent_once(&self) -> NodeCosts {
        let descriptor = self.dma().map_or(0, |dma| dma.descriptor_processor_cycles);
        NodeCosts { core: u64::from(self.protocol.setup(self.parameters)) + u64::from(descriptor), dma: 0 }
    }

    fn received_once(&self) -> NodeCosts {
        let (first, last) = self.protocol.once(self.parameters);
        let core = if self.is_put() { 0 } else { u64::from(first) + u64::from(last) };
        NodeCosts { core, dma: 0 }
    }

    fn written(&self, chunks: u8) -> NodeCosts {
        match self.dma() {
            Some(dma) => NodeCosts { core: 0, dma: dma.packet(chunks) },
            None => NodeCosts { core: self.parameters.write(chunks), dma: 0 },
        }
    }

    fn read(&self, chunks: u8) -> NodeCosts {
        let by_core = self.parameters.read(chunks) + self.protocol.dispatch(self.parameters, chunks);
        NodeCosts {
            core: if self.is_put() { 0 } else { by_core },
            dma: self.dma().map_or(0, |dma| dma.packet(chunks)),
        }
    }
}

impl Add for NodeCosts {
    type Output = NodeCosts;

    fn add(self, other: NodeCosts) -> NodeCosts {
        NodeCosts { core: self.core + other.core, dma: self.dma + other.dma }
    }
}

impl AddAssign for NodeCosts {
    fn add_assign(&mut self, other: NodeCosts) {
        *self = *self + other;
    }
}
