//! What describes a network: plain values, checked once, before anything runs.

use crate::draws::Share;
use crate::link::{LinkProtocol, MOST_WAY_BITS};
use crate::packet::{ExtraBits, PacketLayout};
use geometry::{Faults, Shape};
use std::ops::Range;
use thiserror::Error;

/// The most dynamic channels of a receiver.
pub const MAX_DYNAMIC_CHANNELS: u8 = 4;

/// The most chunks in a packet that the packet record has room for.
pub const MAX_CHUNKS: u8 = 16;

/// Sizes of packets in memory and on the wire (rows S4, S5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketFormat {
    /// Bytes of a chunk, which is also what a token stands for.
    pub chunk_bytes: u32,
    /// Chunks of a full packet.
    pub max_chunks: u8,
    /// CRC and valid indicator behind the packet.
    pub trailer_bytes: u32,
    /// The token-ack charged to each data packet.
    pub token_ack_bytes: u32,
    /// Gap that keeps the links trained.
    pub gap_bytes: u32,
}

impl PacketFormat {
    /// Bytes that hold a link while a packet of so many chunks crosses it: 270 for a full Blue Gene/L packet.
    pub fn wire_bytes(&self, chunks: u8) -> u32 {
        self.transfer_bytes(chunks) + self.token_ack_bytes + self.gap_bytes
    }

    /// Bytes that pass through a node: the packet and its trailer.
    pub fn transfer_bytes(&self, chunks: u8) -> u32 {
        u32::from(chunks) * self.chunk_bytes + self.trailer_bytes
    }
}

/// The links of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkParameters {
    /// From the start of a transfer to the cycle at which the next node can pass the head on: wire, input pipeline and
    /// arbitration.
    pub hop_latency_cycles: u32,
    /// A byte takes this many cycles: 1 on the fastest links of a machine, by the definition of the cycle.
    pub cycles_per_byte: u32,
}

/// Which tokens a packet on a bubble channel is charged (row S10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BubbleRule {
    /// Every packet counts as full-size: free of deadlock.
    FullSize,
    /// True sizes, as first designed: free space can fragment, and the network deadlock.
    TrueSize,
}

/// How the escape keeps packets from waiting for one another round a ring (row S28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeKind {
    /// One channel, entered only where room for a packet is left behind.
    Bubble,
    /// A pair: the first before a packet has crossed its dimension's dateline, the second after.
    Dateline,
}

/// In which order the escape, and all that is routed deterministically, takes the directions that a packet needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeOrder {
    /// x, y, z ...
    Dimension,
    /// x+, y+, z+ ..., then x-, y-, z- ...
    Direction,
}

/// The router of every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouterParameters {
    /// Dynamic (adaptive) channels of a receiver, 0 to 4; to 3 beside a dateline pair.
    pub dynamic_channels: u8,
    /// Buffer of each dynamic channel, in bytes.
    pub dynamic_channel_bytes: u32,
    /// What the escape is.
    pub escape: EscapeKind,
    /// The order of directions that it keeps to.
    pub escape_order: EscapeOrder,
    /// Buffer of each escape channel, in bytes.
    pub escape_channel_bytes: u32,
    /// Buffer of the high-priority channel, in bytes.
    pub high_priority_channel_bytes: u32,
    /// How bubble channels are charged.
    pub bubble_rule: BubbleRule,
    /// Transfer paths from a receiver to the senders.
    pub transfer_paths: u8,
    /// Whether heads may pass an empty channel's buffer by in the cycle they arrive, at lowest priority.
    pub bypass: bool,
    /// Whether a head joins the shortest queue (most tokens downstream), or picks at random.
    pub join_shortest_queue: bool,
    /// The shares of a channel's tokens at which the upper three of four ranges begin: queues within a range are alike to
    /// heads that join the shortest.
    pub token_ranges: [Share; 3],
    /// Share of arbitration cycles that serve the longest queue.
    pub serve_longest_queue_share: Share,
    /// Share of sender cycles that favour packets in the network over injection.
    pub in_network_share: Share,
    /// Share of cycles in which the heads of a receiver that found all of their links and channels busy in the cycle before
    /// do not ask (row S30).
    pub arbitration_gap_share: Share,
    /// From the tail leaving a buffer to its tokens counting upstream.
    pub token_latency_cycles: u32,
}

impl RouterParameters {
    /// The numbers of the escape channels, which follow the dynamic ones. That of high priority is behind them.
    pub fn escape_channels(&self) -> Range<usize> {
        let dynamic = usize::from(self.dynamic_channels);
        let escapes = match self.escape {
            EscapeKind::Bubble => 1,
            EscapeKind::Dateline => 2,
        };
        dynamic..dynamic + escapes
    }

    /// Bytes of the buffer of a channel.
    pub fn channel_bytes(&self, channel: usize) -> u32 {
        let escapes = self.escape_channels();
        match channel {
            _ if channel < escapes.start => self.dynamic_channel_bytes,
            _ if channel < escapes.end => self.escape_channel_bytes,
            _ => self.high_priority_channel_bytes,
        }
    }
}

/// Sizes of the FIFOs between software and network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FifoSize {
    /// As the papers' simulator had them: filled as early as possible, generated as needed, nothing stored.
    Infinite,
    /// Real, in bytes.
    Bytes(u32),
}

/// Which of a core's injection FIFOs software writes a packet to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FifoChoice {
    /// The emptiest in which it fits; the first of equals.
    Emptiest,
    /// One after the other, waiting for the one whose turn it is.
    RoundRobin,
    /// That of the first direction of the packet's longest dimension: head-of-line blocking stays within a direction.
    ByDirection,
    /// One drawn at random, waiting for it.
    Random,
}

/// What reading and writing packets costs a core, in processor cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoftwareCost {
    /// To write a packet into an injection FIFO.
    pub write_processor_cycles: u32,
    /// To read a packet from a reception FIFO.
    pub read_processor_cycles: u32,
}

/// The node: FIFOs and the software that serves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeParameters {
    /// From a packet's being in an injection FIFO to its first request.
    pub injection_latency_cycles: u32,
    /// Injection FIFOs for normal packets, shared out among the cores.
    pub normal_injection_fifos: u8,
    /// Injection FIFOs for high-priority packets.
    pub high_priority_injection_fifos: u8,
    /// Size of each injection FIFO.
    pub injection_fifo: FifoSize,
    /// How software picks an injection FIFO; without effect on infinite ones, which take packets in turn.
    pub fifo_choice: FifoChoice,
    /// Size of each reception FIFO.
    pub reception_fifo: FifoSize,
    /// Cores that write and read packets, 1 or 2; each owns a share of the FIFOs.
    pub cores: u8,
    /// The most normal packets of the node that software has handed over and no acknowledgement has come back for; none:
    /// any number.
    pub injection_window_packets: Option<u32>,
    /// What that costs; nothing by default.
    pub software: SoftwareCost,
    /// Processor cycles in a network cycle.
    pub processor_cycles_per_cycle: u32,
}

impl NodeParameters {
    /// Injection FIFOs for packets of either priority.
    pub fn injection_fifos(&self) -> usize {
        usize::from(self.normal_injection_fifos + self.high_priority_injection_fifos)
    }
}

/// Everything the network needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Lengths and wraps.
    pub shape: Shape,
    /// What is dead, and how pairs are served that this leaves without a clean escape.
    pub faults: Faults,
    /// Packets in memory and on the wire.
    pub packet: PacketFormat,
    /// Links, one entry for each dimension.
    pub links: Vec<LinkParameters>,
    /// The protocol of links that make errors; none where no link ever does.
    pub link_protocol: Option<LinkProtocol>,
    /// The router.
    pub router: RouterParameters,
    /// The node.
    pub node: NodeParameters,
    /// Whether tokens that come back are counted, and those that free a blocked head (row S28).
    pub counts_unblocking: bool,
    /// The seed of every draw.
    pub seed: u64,
}

/// A parameter outside its range: which, what it is, what would be right.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{key} = {value}: {expected}")]
pub struct ParameterError {
    /// The parameter as scenarios name it, such as `router.dynamic_channels`.
    pub key: &'static str,
    /// What was given.
    pub value: String,
    /// What would be right.
    pub expected: String,
}

impl Parameters {
    /// Blue Gene/L as its papers (JRD, RC) describe it, in `shape`. Values that the papers do not give are marked in
    /// `machines/bluegene-l.toml`, from which scenarios take theirs; a test holds the two equal.
    pub fn bluegene_l(shape: Shape, seed: u64) -> Self {
        let link = LinkParameters { hop_latency_cycles: 12, cycles_per_byte: 1 };
        Parameters {
            links: vec![link; shape.dimensions()],
            shape,
            faults: Faults::default(),
            link_protocol: None,
            packet: PacketFormat {
                chunk_bytes: 32,
                max_chunks: 8,
                trailer_bytes: 4,
                token_ack_bytes: 8,
                gap_bytes: 2,
            },
            router: RouterParameters {
                dynamic_channels: 2,
                dynamic_channel_bytes: 1024,
                escape: EscapeKind::Bubble,
                escape_order: EscapeOrder::Dimension,
                escape_channel_bytes: 1024,
                high_priority_channel_bytes: 1024,
                bubble_rule: BubbleRule::FullSize,
                transfer_paths: 2,
                bypass: true,
                join_shortest_queue: true,
                token_ranges: [0.25, 0.5, 0.75].map(Share::new),
                serve_longest_queue_share: Share::new(0.75),
                in_network_share: Share::new(1.0),
                arbitration_gap_share: Share::new(0.0),
                token_latency_cycles: 10,
            },
            node: NodeParameters {
                injection_latency_cycles: 10,
                normal_injection_fifos: 6,
                high_priority_injection_fifos: 2,
                injection_fifo: FifoSize::Infinite,
                fifo_choice: FifoChoice::Emptiest,
                reception_fifo: FifoSize::Bytes(1024),
                cores: 1,
                injection_window_packets: None,
                software: SoftwareCost::default(),
                processor_cycles_per_cycle: 4,
            },
            counts_unblocking: false,
            seed,
        }
    }

    /// Checks every value.
    ///
    /// # Errors
    /// The first parameter outside its range, with what would be right.
    pub fn check(&self) -> Result<(), ParameterError> {
        let (packet, router, node) = (&self.packet, &self.router, &self.node);
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        let largest_buffer = u32::from(u8::MAX) * packet.chunk_bytes;
        range("packet.chunk_bytes", packet.chunk_bytes, 1, 4096)?;
        range("packet.max_chunks", packet.max_chunks.into(), 1, MAX_CHUNKS.into())?;
        for (key, value) in [
            ("packet.trailer_bytes", packet.trailer_bytes),
            ("packet.token_ack_bytes", packet.token_ack_bytes),
            ("packet.gap_bytes", packet.gap_bytes),
        ] {
            range(key, value, 0, 4096)?;
        }
        for link in &self.links {
            range("links.hop_latency_cycles", link.hop_latency_cycles, 1, 1_000_000)?;
            range("links.cycles_per_byte", link.cycles_per_byte, 1, 1000)?;
        }
        let is_bubble = router.escape == EscapeKind::Bubble;
        let most_dynamic = MAX_DYNAMIC_CHANNELS - !is_bubble as u8;
        range("router.dynamic_channels", router.dynamic_channels.into(), 0, most_dynamic.into())?;
        buffer(
            "router.dynamic_channel_bytes",
            router.dynamic_channel_bytes,
            full_packet,
            largest_buffer,
            packet,
        )?;
        buffer(
            "router.escape_channel_bytes",
            router.escape_channel_bytes,
            (1 + is_bubble as u32) * full_packet,
            largest_buffer,
            packet,
        )?;
        if router.escape_order == EscapeOrder::Direction && !self.faults.is_empty() {
            return Err(ParameterError {
                key: "router.escape_order",
                value: "direction".into(),
                expected:
                    "with dead nodes or links it is dimension: ways round them are found for that order"
                        .into(),
            });
        }
        let high_priority = router.high_priority_channel_bytes;
        buffer("router.high_priority_channel_bytes", high_priority, 2 * full_packet, largest_buffer, packet)?;
        if !router.token_ranges.is_sorted() {
            let shares = router.token_ranges.map(Share::probability);
            let expected = "must be three shares of a channel's tokens from 0 to 1, in rising order".into();
            return Err(error("router.token_ranges", format!("{shares:?}"), expected));
        }
        range("router.transfer_paths", router.transfer_paths.into(), 1, 8)?;
        range("router.token_latency_cycles", router.token_latency_cycles, 1, 1_000_000)?;
        range("node.injection_latency_cycles", node.injection_latency_cycles, 0, 1_000_000)?;
        range("node.normal_injection_fifos", node.normal_injection_fifos.into(), 1, 6)?;
        range("node.high_priority_injection_fifos", node.high_priority_injection_fifos.into(), 1, 2)?;
        range("node.cores", node.cores.into(), 1, 2)?;
        if node.cores > node.normal_injection_fifos.min(node.high_priority_injection_fifos) {
            return Err(error(
                "node.cores",
                node.cores,
                "each core needs an injection FIFO of each kind".into(),
            ));
        }
        for (key, size) in [
            ("node.injection_fifo_bytes", node.injection_fifo),
            ("node.reception_fifo_bytes", node.reception_fifo),
        ] {
            if let FifoSize::Bytes(bytes) = size {
                buffer(key, bytes, full_packet, 1 << 20, packet)?;
            }
        }
        if let Some(packets) = node.injection_window_packets {
            range("node.injection_window_packets", packets, 1, 1_000_000)?;
        }
        range("node.processor_cycles_per_cycle", node.processor_cycles_per_cycle, 1, 1000)?;
        range("node.write_processor_cycles", node.software.write_processor_cycles, 0, 10_000_000)?;
        range("node.read_processor_cycles", node.software.read_processor_cycles, 0, 10_000_000)?;
        self.link_protocol.as_ref().map_or(Ok(()), |protocol| self.check_protocol(protocol))
    }

    /// The bits that packets of this machine have beside those of all.
    pub fn extra_bits(&self) -> ExtraBits {
        ExtraBits {
            datelines: self.router.escape == EscapeKind::Dateline,
            dynamic_only: !self.faults.is_empty(),
            whole_name: self.link_protocol.is_some(),
        }
    }

    fn check_protocol(&self, protocol: &LinkProtocol) -> Result<(), ParameterError> {
        let packet = &self.packet;
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        range("packet.chunk_bytes", packet.chunk_bytes, 16, 4096)?;
        range("packet.trailer_bytes", packet.trailer_bytes, 4, 4096)?;
        let (room, largest) = (protocol.retransmission_fifo_bytes, 63 * full_packet);
        buffer("link_errors.retransmission_fifo_bytes", room, full_packet, largest, packet)?;
        // A frame, its acknowledgement behind another frame on the way back, and that one's bytes.
        let round_trip = |link: &LinkParameters| {
            let wire = packet.wire_bytes(packet.max_chunks) * link.cycles_per_byte;
            link.hop_latency_cycles + 2 * wire + self.router.token_latency_cycles
        };
        let longest = self.links.iter().map(round_trip).max().unwrap_or(1);
        range("link_errors.timeout_cycles", protocol.timeout_cycles, longest, 100_000_000)?;
        let way_bits = PacketLayout::new(&self.shape, self.extra_bits()).way_bits();
        if way_bits > MOST_WAY_BITS {
            let expected = format!(
                "in {} a packet's way takes {way_bits} bits, a header has {MOST_WAY_BITS}",
                self.shape
            );
            return Err(error("link_errors", "on", expected));
        }
        Ok(())
    }
}

fn error(key: &'static str, value: impl ToString, expected: String) -> ParameterError {
    ParameterError { key, value: value.to_string(), expected }
}

fn range(key: &'static str, value: u32, low: u32, high: u32) -> Result<(), ParameterError> {
    let within = (low..=high).contains(&value);
    within.then_some(()).ok_or_else(|| error(key, value, format!("must be from {low} to {high}")))
}

fn buffer(
    key: &'static str,
    value: u32,
    low: u32,
    high: u32,
    packet: &PacketFormat,
) -> Result<(), ParameterError> {
    if (low..=high).contains(&value) && value.is_multiple_of(packet.chunk_bytes) {
        return Ok(());
    }
    let chunk = packet.chunk_bytes;
    Err(error(
        key,
        value,
        format!("must be a multiple of {chunk} bytes from {low} (what its packets need) to {high}"),
    ))
}
