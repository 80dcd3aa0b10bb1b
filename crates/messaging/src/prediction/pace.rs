//! The times of messages of any length, as linear functions: as much as a choice between algorithms needs, in a few
//! numbers.
//!
//! A message takes a fixed time and a time for each byte, and no less than a message of one byte. Both follow from the
//! [`Transfer`]s of two long messages, sent eagerly and by rendezvous. Times are whole numbers of parts of a network
//! cycle, the same on all hosts.

use crate::parameters::Parameters;
use crate::prediction::message_costs::{NodeCosts, Transfer};
use geometry::Shape;
use network::parameters::FifoChoice;

/// Parts into which a network cycle is divided.
pub const PARTS: u64 = 1024;

/// How fast messages are on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pace {
    eager: MessagePace,
    /// The least length of messages that are sent by rendezvous, and their pace.
    rendezvous: Option<(u64, MessagePace)>,
    /// The time of a core that receives a message of another core of its node.
    local: Line,
    /// The time for which a full packet occupies a link.
    packet: u64,
    hop: u64,
    polling: u64,
    transfer_start: u64,
    /// The time in which a byte is combined with another.
    combine: u64,
    /// Whether each direction has FIFOs of its own, so that no packet waits behind others to another neighbor.
    has_fifos_of_directions: bool,
}

/// The times that a message takes, in parts of a network cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageTimes {
    /// The core that sends it is busy for this time.
    pub sent: u64,
    /// The core that receives it is busy for this time.
    pub received: u64,
    /// The DMA engine of either node is busy for this time.
    pub moved: u64,
    /// Each link on its way is busy for this time.
    pub wire: u64,
    /// Both cores handle its first packet in this time, before and after links carry it.
    pub start: u64,
    /// Journeys from node to node; all but the last belong to a handshake.
    pub journeys: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct MessagePace {
    sent: Line,
    received: Line,
    moved: Line,
    wire: Line,
    start: u64,
    journeys: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Line {
    min: u64,
    once: i64,
    /// The time of a byte; [`PARTS`] of its units are a unit of `once`.
    by_byte: u64,
}

/// The lengths of two messages that are so long that a packet more or less makes no difference.
const LENGTHS: [u64; 2] = [1 << 16, 1 << 17];

impl Line {
    fn new(of_bytes: impl Fn(u64) -> u64) -> Self {
        let [short, long] = LENGTHS.map(&of_bytes);
        let by_byte = long.saturating_sub(short) * PARTS / (LENGTHS[1] - LENGTHS[0]);
        let once = short as i64 - (LENGTHS[0] * by_byte / PARTS) as i64;
        Line { min: of_bytes(1), once, by_byte }
    }

    fn at(&self, bytes: u64) -> u64 {
        let of_bytes = (u128::from(bytes) * u128::from(self.by_byte) / u128::from(PARTS)) as u64;
        self.min.max(of_bytes.saturating_add_signed(self.once))
    }
}

impl Pace {
    /// The pace of the message layer on a network.
    pub fn new(network: &network::Parameters, software: &Parameters) -> Self {
        let eager = Parameters { rendezvous_from_bytes: None, ..*software };
        let handshakes = Parameters { rendezvous_from_bytes: Some(0), ..*software };
        let of = |software: &Parameters| MessagePace::new(network, software);
        let local = |bytes| processor(network, software.receive_local(bytes, network.packet.chunk_bytes));
        let packet_bytes = network.packet.wire_bytes(network.packet.max_chunks);
        let hop = network.links.iter().map(|link| link.hop_latency_cycles).max().unwrap_or(0);
        Pace {
            eager: of(&eager),
            rendezvous: software.rendezvous_from_bytes.map(|min| (min, of(&handshakes))),
            local: Line::new(local),
            packet: on_slowest_link(network, packet_bytes.into()),
            hop: u64::from(hop) * PARTS,
            polling: u64::from(software.polling_interval_cycles) * PARTS,
            transfer_start: u64::from(software.transfer_start_cycles) * PARTS,
            combine: processor(network, software.combine_processor_cycles_per_byte.into()),
            has_fifos_of_directions: network.node.fifo_choice == FifoChoice::ByDirection,
        }
    }

    /// The pace of the message layer on Blue Gene/L's network of this shape.
    pub fn on_bluegene_l(shape: Shape, software: &Parameters) -> Self {
        Self::new(&network::Parameters::bluegene_l(shape, 1), software)
    }

    /// This pace, but a byte takes `processor_cycles_per_byte` to combine.
    #[must_use]
    pub fn combining(self, network: &network::Parameters, processor_cycles_per_byte: u32) -> Self {
        Pace { combine: processor(network, processor_cycles_per_byte.into()), ..self }
    }

    /// Whether a message takes no time but that of its packets on links.
    pub fn is_free(&self) -> bool {
        let MessageTimes { sent, received, moved, .. } = self.message(LENGTHS[1]);
        sent + received + moved == 0
    }

    /// Whether each direction has FIFOs of its own.
    pub fn has_fifos_of_directions(&self) -> bool {
        self.has_fifos_of_directions
    }

    /// The times of a message between ranks of different nodes.
    pub fn message(&self, bytes: u64) -> MessageTimes {
        match &self.rendezvous {
            Some((min, pace)) if bytes >= *min => pace.at(bytes),
            _ => self.eager.at(bytes),
        }
    }

    /// The times of a message between ranks of a node.
    pub fn local(&self, bytes: u64) -> MessageTimes {
        MessageTimes { received: self.local.at(bytes), ..MessageTimes::default() }
    }

    /// The time for which a full packet occupies a link.
    pub fn packet(&self) -> u64 {
        self.packet
    }

    /// The latency of a hop.
    pub fn hop(&self) -> u64 {
        self.hop
    }

    /// The time in which `bytes` bytes are combined with others.
    pub fn combine(&self, bytes: u64) -> u64 {
        self.combine.saturating_mul(bytes)
    }

    /// The time before the first packet of a message, and that from its last packet until its rank goes on.
    pub fn around(&self) -> u64 {
        self.transfer_start + self.polling
    }

    /// The bytes that the fastest link carries while a transfer starts.
    pub fn bytes_of_start(&self) -> u64 {
        self.transfer_start / PARTS
    }
}

/// Processor cycles in parts of network cycles.
fn processor(network: &network::Parameters, processor_cycles: u64) -> u64 {
    let clock = network.node.clock;
    processor_cycles * PARTS * u64::from(clock.cycles) / u64::from(clock.processor_cycles)
}

/// The time of bytes on the slowest link, in parts of network cycles.
fn on_slowest_link(network: &network::Parameters, bytes: u64) -> u64 {
    let cycles = network.links.iter().map(|link| link.cycles_per_byte.cycles_of_all(bytes));
    cycles.max().unwrap_or(0) * PARTS
}

impl MessagePace {
    fn new(network: &network::Parameters, software: &Parameters) -> Self {
        let transfers = |bytes| Transfer::all(network, software, bytes);
        // The receiver of a message pays for sending an answer, and the sender for receiving it.
        let ends = |transfer: &Transfer| match transfer.is_answer {
            true => [transfer.received, transfer.sent],
            false => [transfer.sent, transfer.received],
        };
        let costs = |end: usize, of: fn(NodeCosts) -> u64| {
            Line::new(move |bytes| {
                let all = transfers(bytes).iter().map(|transfer| of(ends(transfer)[end])).sum();
                processor(network, all)
            })
        };
        let of_link = |bytes: u64| {
            let all = transfers(bytes).into_iter().map(|transfer| {
                let in_packets = transfer.chunks * u64::from(network.packet.chunk_bytes);
                in_packets + transfer.packets * u64::from(network.packet.wire_bytes(0))
            });
            on_slowest_link(network, all.sum())
        };
        let first = transfers(1);
        let of_first = first.iter().map(|transfer| transfer.first_sent.core + transfer.first_received.core);
        MessagePace {
            sent: costs(0, |costs| costs.core),
            received: costs(1, |costs| costs.core),
            moved: costs(0, |costs| costs.dma),
            wire: Line::new(of_link),
            start: processor(network, of_first.sum()),
            journeys: first.len() as u64,
        }
    }

    fn at(&self, bytes: u64) -> MessageTimes {
        MessageTimes {
            sent: self.sent.at(bytes),
            received: self.received.at(bytes),
            moved: self.moved.at(bytes),
            wire: self.wire.at(bytes),
            start: self.start,
            journeys: self.journeys,
        }
    }
}
