//! The parameters of a network: plain values, checked once before a run.
//!
//! # To add one
//!
//! 1. A field here with its check. Its doc comment is what users see, as scenarios are read as these types. A
//!    choice among words is an enum, whose variants are the words. What scenarios write otherwise (the node,
//!    links by dimension) is a type of `simulation/src/scenario/machine.rs`, with a field of its own; the
//!    compiler reports what is missing.
//! 2. A row with its source in every file of `machines/`.
//! 3. The rule in both engines, `reference/` and `windowed/`. It must cost nothing when off: a rule that few
//!    machines have is an option (`windowed/src/options/mod.rs`), and `Fabric::has_options` says which machines
//!    need it.
//! 4. A range in `windowed/tests/engines.rs`, so that random machines vary it. `as_uniform_machine` there switches
//!    options off.
//! 5. A paragraph and a row in `docs/models/network.md`.

use crate::arbitration::{ArbitrationRule, MAX_FIFOS, MAX_INPUTS};
use crate::collective::parameters::{InterruptParameters, TreeParameters};
use crate::link::{ACK_VCS, LinkProtocol, MAX_RETRANSMITTED_PACKETS, MAX_ROUTE_BITS};
use crate::packet::{ExtraBits, MAX_PLAIN_ROUTE_BITS, PacketLayout};
use crate::rate::CyclesPerByte;
use base::clock::ClockRatio;
use base::draws::Share;
use base::{ParameterError, range};
use geometry::{Direction, Faults, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The maximum number of adaptive VCs of a receiver.
pub const MAX_ADAPTIVE_VCS: u8 = 16;

/// The maximum number of virtual channels (VCs) of a receiver: sixteen adaptive, up to four escape, high priority.
pub const MAX_VCS: usize = 20;

const _: () = assert!(MAX_VCS <= MAX_INPUTS, "a receiver's arbiter has an input for each VC");

/// The maximum numbers of injection FIFOs of a node, of normal and of high priority.
const MAX_NORMAL_FIFOS: u8 = 6;
const MAX_HIGH_PRIORITY_FIFOS: u8 = 2;

const _: () = assert!(
    (MAX_NORMAL_FIFOS + MAX_HIGH_PRIORITY_FIFOS) as usize <= MAX_FIFOS,
    "a sender's arbiter has an input for each injection FIFO"
);

/// Number of VCs of a port by which draws number the inputs of a node, on a machine with `vcs` VCs. It is six on all
/// machines that have no more VCs. Their draws thus do not depend on the number that others may have.
pub const fn numbered_vcs(vcs: usize) -> usize {
    if vcs <= 6 { 6 } else { MAX_VCS }
}

/// The maximum numerator and denominator of the ratio of two clocks: 940 MHz at 100 GB/s are 47 cycles in 5,000.
pub const MAX_CLOCK_RATIO: u32 = 1_000_000;

/// The maximum number of chunks of a virtual channel's buffer: credits are counted in a byte.
pub const MAX_BUFFER_CHUNKS: u32 = u8::MAX as u32;

/// The maximum number of chunks of a packet that fits the packet record.
pub const MAX_CHUNKS: u8 = 16;

/// The minimum number of bits of a packet's name, if its record has two route segments. On the largest such machines,
/// packets on one route often have the same name. The digest distinguishes them by place and time alone.
const MIN_NAME_BITS_WITH_DETOURS: u32 = 3;

// Scenarios are read as these types themselves: users see the doc comments, names and ranges of their fields.

// Rows S4, S5.
/// Packets in memory and on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketFormat {
    /// Size of a chunk in bytes: the unit of packet sizes and of credits (the papers' tokens).
    pub chunk_bytes: u32,
    /// Size of a full packet in chunks.
    pub max_chunks: u8,
    /// Size of the packet trailer in bytes: CRC and valid indicator.
    pub trailer_bytes: u32,
    /// Bytes on the wire charged to each data packet for an acknowledgement with its credits.
    pub token_ack_bytes: u32,
    /// Gap between packets on the wire, in bytes, which keeps the links trained.
    pub gap_bytes: u32,
    /// Bytes of each packet that are a header and no payload, in generated traffic and, unless `messaging` says otherwise,
    /// in messages. Default: 16.
    #[serde(default = "usual_header")]
    pub header_bytes: u32,
}

/// The header of a packet unless a machine has another: 240 of 256 bytes are payload on Blue Gene/L (row S6).
pub const USUAL_HEADER_BYTES: u32 = 16;

fn usual_header() -> u32 {
    USUAL_HEADER_BYTES
}

impl PacketFormat {
    /// Bytes for which a packet of `chunks` chunks occupies a link: 270 for a full Blue Gene/L packet.
    pub fn wire_bytes(&self, chunks: u8) -> u32 {
        self.transfer_bytes(chunks) + self.token_ack_bytes + self.gap_bytes
    }

    /// Bytes that pass through a node: those of the packet and its trailer.
    pub(crate) fn transfer_bytes(&self, chunks: u8) -> u32 {
        u32::from(chunks) * self.chunk_bytes + self.trailer_bytes
    }
}

/// The links of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkParameters {
    /// Cycles from the start of a transfer until the next node can forward the packet's head. They include wire, input
    /// pipeline and arbitration.
    pub hop_latency_cycles: u32,
    /// The time of a byte, in cycles: 1 at the bandwidth that defines the cycle.
    pub cycles_per_byte: CyclesPerByte,
}

/// The number of credits that a packet on a bubble VC is charged (row S10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BubbleRule {
    /// Every packet counts as full-size: deadlock-free.
    FullSize,
    /// True sizes, as in the first design: free space can fragment, and the network can deadlock.
    TrueSize,
}

impl BubbleRule {
    /// Whether every packet is charged as a full one.
    #[inline(always)]
    pub(crate) fn charges_full_packets(self) -> bool {
        match self {
            BubbleRule::FullSize => true,
            BubbleRule::TrueSize => false,
        }
    }
}

/// The way in which the escape VC prevents deadlock around a ring (row S28).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EscapeKind {
    /// One VC; a packet may enter it only if room for another packet remains.
    Bubble,
    /// A pair of VCs: a packet uses the first until it crosses its dimension's dateline, then the second.
    Dateline,
}

impl EscapeKind {
    /// Whether packets change to another VC where they cross a dateline.
    pub(crate) fn has_datelines(self) -> bool {
        match self {
            EscapeKind::Bubble => false,
            EscapeKind::Dateline => true,
        }
    }

    /// Number of full packets for which a VC must have room before one enters it.
    fn min_packets(self) -> u32 {
        match self {
            EscapeKind::Bubble => 2,
            EscapeKind::Dateline => 1,
        }
    }
}

/// The order in which escape routing, and all deterministic routing, takes the directions that a packet needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EscapeOrder {
    /// x, y, z ...
    Dimension,
    /// x+, y+, z+ ..., then x-, y-, z- ...
    Direction,
}

/// The router of every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RouterParameters {
    /// Number of adaptive virtual channels (VCs) per receiver, 0 to 16.
    pub dynamic_channels: u8,
    /// Buffer size of each adaptive VC in bytes.
    pub dynamic_channel_bytes: u32,
    /// Escape VCs: one "bubble" VC, or a "dateline" pair of VCs.
    pub escape: EscapeKind,
    /// Order of directions on the escape VC: "dimension" (x, y, z) or "direction" (x+, y+, z+, x-, y-, z-).
    pub escape_order: EscapeOrder,
    /// Buffer size of each escape VC in bytes.
    pub escape_channel_bytes: u32,
    /// Buffer size of the high-priority VC in bytes.
    pub high_priority_channel_bytes: u32,
    /// Whether packets may be routed over an intermediate node. A second set of escape VCs then serves the route to
    /// that node. Packets then have room for the hops of the route from it. Scenarios do not set it: the workload may
    /// need it.
    #[serde(skip)]
    pub detours: bool,
    /// Credits charged to a packet on a bubble VC. They are those of a full packet ("full-size", deadlock-free) or of
    /// its actual size ("true-size", can deadlock).
    pub bubble_rule: BubbleRule,
    /// Number of transfer paths from each receiver to the senders.
    pub transfer_paths: u8,
    /// Whether a packet that arrives at an empty VC may bypass its buffer, at lowest priority.
    pub bypass: bool,
    /// Whether a head packet joins the shortest queue (the adaptive VC with most credits) instead of choosing one at
    /// random.
    pub join_shortest_queue: bool,
    /// Lower bounds of the upper three of four ranges of credits, in rising order. They are shares of the credits of a
    /// VC. Head packets that join the shortest queue do not distinguish queues within a range.
    pub token_ranges: [Share; 3],
    /// Rule by which receivers and senders choose among requests that are otherwise equal, before a random draw.
    #[serde(default, skip_serializing_if = "ArbitrationRule::is_default")]
    #[schemars(transform = base::describe_words)]
    pub arbitration: ArbitrationRule,
    /// Share of arbitration cycles that serve the longest queue first, by the rule "longest-queue".
    pub serve_longest_queue_share: Share,
    /// Share of cycles in which senders give packets in the network priority over packets from injection FIFOs.
    pub in_network_share: Share,
    /// Share of cycles in which a head packet at a receiver cannot make a request. It applies if all links and VCs of
    /// the packet were busy in the previous cycle, as in the hardware's first description.
    pub arbitration_gap_share: Share,
    /// Cycles from the tail of a packet leaving a buffer until its credits are available upstream.
    pub token_latency_cycles: u32,
}

impl RouterParameters {
    /// The bytes of the buffers that a normal packet can use behind a link: those of the adaptive VCs and of one escape VC.
    pub fn buffer_bytes(&self) -> u32 {
        u32::from(self.dynamic_channels) * self.dynamic_channel_bytes + self.escape_channel_bytes
    }

    /// The numbers of the escape VCs, which follow the adaptive ones. The VCs of a route's last segment come first,
    /// then those of the first segment of two. The high-priority VC follows them.
    pub fn escape_vcs(&self) -> Range<usize> {
        let adaptive = usize::from(self.dynamic_channels);
        adaptive..adaptive + self.segment_vcs() * if self.detours { 2 } else { 1 }
    }

    /// Escape VCs of a route segment.
    pub(crate) fn segment_vcs(&self) -> usize {
        match self.escape {
            EscapeKind::Bubble => 1,
            EscapeKind::Dateline => 2,
        }
    }

    /// Bytes of a VC's buffer.
    pub fn vc_bytes(&self, vc: usize) -> u32 {
        let escapes = self.escape_vcs();
        match vc {
            _ if vc < escapes.start => self.dynamic_channel_bytes,
            _ if vc < escapes.end => self.escape_channel_bytes,
            _ => self.high_priority_channel_bytes,
        }
    }
}

/// Sizes of the FIFOs between software and network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FifoSize {
    /// Unlimited, as in the papers' simulator: filled as early as possible, generated as needed, nothing stored.
    Infinite,
    /// Finite, in bytes.
    Bytes(u32),
}

/// The injection FIFO, among a core's, to which software writes a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FifoChoice {
    /// The emptiest FIFO in which the packet fits; the first of several equally empty.
    Emptiest,
    /// Each FIFO in turn; software waits until the packet fits.
    RoundRobin,
    /// The FIFO of the direction of the packet's longest dimension (the first of several). Head-of-line blocking then
    /// stays within one direction.
    ByDirection,
    /// A FIFO drawn at random; software waits until the packet fits.
    Random,
}

/// Cost of reading and writing packets, in processor cycles of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoftwareCost {
    /// Processor cycles to write a packet into an injection FIFO.
    pub write_processor_cycles: u32,
    /// Processor cycles to read a packet from a reception FIFO.
    pub read_processor_cycles: u32,
}

/// The node: FIFOs and the software that serves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeParameters {
    /// Cycles from a packet's arrival in an injection FIFO to its first request.
    pub injection_latency_cycles: u32,
    /// Injection FIFOs for normal packets, divided among the cores.
    pub normal_injection_fifos: u8,
    /// Injection FIFOs for high-priority packets.
    pub high_priority_injection_fifos: u8,
    /// Size of each injection FIFO.
    pub injection_fifo: FifoSize,
    /// The rule by which software chooses an injection FIFO. It has no effect on infinite ones of generated traffic,
    /// which take packets in turn.
    pub fifo_choice: FifoChoice,
    /// Size of each reception FIFO.
    pub reception_fifo: FifoSize,
    /// Cores that write and read packets, 1 to 64; they share the sets of FIFOs evenly.
    pub cores: u8,
    /// Maximum number of unacknowledged normal packets of the node; none: unlimited.
    pub injection_window_packets: Option<u32>,
    /// Cost of reading and writing packets; 0 by default.
    pub software: SoftwareCost,
    /// The clock of the node's processors.
    pub clock: ClockRatio,
}

/// Number of sets of reception FIFOs that a packet can name (row S12).
const RECEPTION_SETS: u8 = 2;

impl NodeParameters {
    /// Number of sets of FIFOs. Each core has a set to itself as far as they suffice; otherwise cores share them.
    pub fn fifo_sets(&self) -> usize {
        let injection = self.normal_injection_fifos.min(self.high_priority_injection_fifos);
        self.cores.min(RECEPTION_SETS).min(injection).into()
    }

    /// The set of FIFOs of a core.
    pub(crate) fn set_of_core(&self, core: usize) -> usize {
        core * self.fifo_sets() / usize::from(self.cores)
    }

    /// Injection FIFOs for packets of either priority.
    pub fn injection_fifos(&self) -> usize {
        usize::from(self.normal_injection_fifos + self.high_priority_injection_fifos)
    }
}

/// All parameters of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Lengths and wraps.
    pub shape: Shape,
    /// Dead nodes and links, and the service of pairs of nodes that have no clean escape because of them.
    pub faults: Faults,
    /// Packets in memory and on the wire.
    pub packet: PacketFormat,
    /// Links, one entry for each dimension.
    pub links: Vec<LinkParameters>,
    /// The protocol of lossy links; none if links make no errors.
    pub link_protocol: Option<LinkProtocol>,
    /// The router.
    pub router: RouterParameters,
    /// The node.
    pub node: NodeParameters,
    /// The tree network, if the machine has one.
    pub tree: Option<TreeParameters>,
    /// The global interrupts, if the machine has them.
    pub interrupts: Option<InterruptParameters>,
    /// Whether credit returns are counted, and those that unblock a head packet (row S28).
    pub counts_unblocking: bool,
    /// The seed of all random draws.
    pub seed: u64,
}

impl Parameters {
    /// Number of nodes that are not dead.
    pub fn live_nodes(&self) -> u32 {
        self.shape.nodes() - self.faults.nodes().len() as u32
    }

    /// Number of links in some directions that are not dead.
    pub fn live_links(&self, directions: &[Direction]) -> u64 {
        let live = |&toward: &Direction| {
            self.shape.links_toward(toward) - self.faults.dead_links_toward(&self.shape, toward)
        };
        directions.iter().map(live).sum()
    }

    /// Blue Gene/L as its papers (JRD, RC) describe it, in `shape`. Values that the papers do not give are marked in
    /// `machines/bluegene-l.toml`, from which scenarios take theirs. A test checks that the two are equal.
    pub fn bluegene_l(shape: Shape, seed: u64) -> Self {
        let link = LinkParameters { hop_latency_cycles: 12, cycles_per_byte: CyclesPerByte::ONE };
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
                header_bytes: USUAL_HEADER_BYTES,
            },
            router: RouterParameters {
                dynamic_channels: 2,
                dynamic_channel_bytes: 1024,
                escape: EscapeKind::Bubble,
                escape_order: EscapeOrder::Dimension,
                escape_channel_bytes: 1024,
                high_priority_channel_bytes: 1024,
                detours: false,
                bubble_rule: BubbleRule::FullSize,
                transfer_paths: 2,
                bypass: true,
                join_shortest_queue: true,
                token_ranges: [0.25, 0.5, 0.75].map(Share::new),
                arbitration: ArbitrationRule::LongestQueue,
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
                clock: ClockRatio { processor_cycles: 4, cycles: 1 },
            },
            tree: Some(TreeParameters {
                arity: 2,
                bytes_per_cycle: 2,
                hop_latency_cycles: 19,
                payload_bytes: 256,
                overhead_bytes: 8,
                buffer_packets: 4,
                fifo_packets: 8,
                class_routes: 1,
            }),
            interrupts: Some(InterruptParameters {
                arity: 8,
                wires: 4,
                communicator_wires: 0,
                up_latency_cycles: 22,
                down_latency_cycles: 22,
            }),
            counts_unblocking: false,
            seed,
        }
    }

    /// Checks every value.
    ///
    /// # Errors
    /// The first parameter outside its range, with the values allowed.
    pub fn check(&self) -> Result<(), ParameterError> {
        let (packet, router, node) = (&self.packet, &self.router, &self.node);
        self.check_twist()?;
        range("packet.chunk_bytes", packet.chunk_bytes, 1, 4096)?;
        range("packet.max_chunks", packet.max_chunks.into(), 1, MAX_CHUNKS.into())?;
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        let largest_buffer = MAX_BUFFER_CHUNKS * packet.chunk_bytes;
        for (key, value) in [
            ("packet.trailer_bytes", packet.trailer_bytes),
            ("packet.header_bytes", packet.header_bytes),
            ("packet.token_ack_bytes", packet.token_ack_bytes),
            ("packet.gap_bytes", packet.gap_bytes),
        ] {
            range(key, value, 0, 4096)?;
        }
        for link in &self.links {
            range("links.hop_latency_cycles", link.hop_latency_cycles, 1, 1_000_000)?;
        }
        range("router.dynamic_channels", router.dynamic_channels.into(), 0, MAX_ADAPTIVE_VCS.into())?;
        if router.dynamic_channels > 0 {
            let bytes = router.dynamic_channel_bytes;
            buffer("router.dynamic_channel_bytes", bytes, full_packet, largest_buffer, packet)?;
        }
        buffer(
            "router.escape_channel_bytes",
            router.escape_channel_bytes,
            router.escape.min_packets() * full_packet,
            largest_buffer,
            packet,
        )?;
        let other_order = match router.escape_order {
            EscapeOrder::Dimension => None,
            EscapeOrder::Direction => Some("direction"),
        };
        if let Some(order) = other_order.filter(|_| !self.faults.is_empty()) {
            return Err(ParameterError {
                key: "router.escape_order",
                value: order.into(),
                expected:
                    "with dead nodes or links must be dimension if nodes or links are dead: routes around them are computed for that order"
                        .into(),
            });
        }
        let high_priority = router.high_priority_channel_bytes;
        buffer("router.high_priority_channel_bytes", high_priority, 2 * full_packet, largest_buffer, packet)?;
        if !router.token_ranges.is_sorted() {
            let shares = router.token_ranges.map(Share::probability);
            let expected =
                "must be three shares of a virtual channel's credits from 0 to 1, in ascending order".into();
            return Err(error("router.token_ranges", format!("{shares:?}"), expected));
        }
        range("router.transfer_paths", router.transfer_paths.into(), 1, 8)?;
        range("router.token_latency_cycles", router.token_latency_cycles, 1, 1_000_000)?;
        range("node.injection_latency_cycles", node.injection_latency_cycles, 0, 1_000_000)?;
        range("node.normal_injection_fifos", node.normal_injection_fifos.into(), 1, MAX_NORMAL_FIFOS.into())?;
        let high_priority = node.high_priority_injection_fifos.into();
        range("node.high_priority_injection_fifos", high_priority, 1, MAX_HIGH_PRIORITY_FIFOS.into())?;
        range("node.cores", node.cores.into(), 1, 64)?;
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
        let ClockRatio { processor_cycles, cycles } = node.clock;
        range("node.processor_cycles_per_cycle", processor_cycles, 1, MAX_CLOCK_RATIO)?;
        range("node.processor_cycles_per_cycle", cycles, 1, MAX_CLOCK_RATIO)?;
        range("node.write_processor_cycles", node.software.write_processor_cycles, 0, 10_000_000)?;
        range("node.read_processor_cycles", node.software.read_processor_cycles, 0, 10_000_000)?;
        self.check_detours()?;
        self.tree.map_or(Ok(()), |tree| tree.check())?;
        self.interrupts.map_or(Ok(()), |interrupts| interrupts.check())?;
        self.link_protocol.as_ref().map_or(Ok(()), |protocol| self.check_protocol(protocol))
    }

    /// The extra bits of this machine's packets.
    pub(crate) fn extra_bits(&self) -> ExtraBits {
        ExtraBits {
            datelines: self.router.escape.has_datelines(),
            adaptive_only: !self.faults.is_empty(),
            onward: self.router.detours,
            whole_name: self.link_protocol.is_some(),
        }
    }

    /// The shortest time in which one node can affect another: within it, nodes are independent. The hop latency bounds
    /// it. Credits are announced long before they return, but the credit latency bounds it too. A packet that uses
    /// freed room must be announced in a later window than that in which the room becomes free.
    pub fn window_cycles(&self) -> u32 {
        let hop = self.links.iter().map(|link| link.hop_latency_cycles).min().unwrap_or(1);
        hop.min(self.router.token_latency_cycles)
    }

    /// Checks that a packet has room for the hops around the rings of a twist. Without a twist, it has in any shape.
    fn check_twist(&self) -> Result<(), ParameterError> {
        let extra = ExtraBits { datelines: false, onward: false, ..self.extra_bits() };
        if PacketLayout::route_bits_of(&self.shape, extra) <= MAX_PLAIN_ROUTE_BITS {
            return Ok(());
        }
        let rings: Vec<u32> = (0..self.shape.dimensions()).map(|d| self.shape.orbit_length(d)).collect();
        let expected = format!("has rings of {rings:?} nodes, too long for the hop counts of a packet");
        Err(error("shape", &self.shape, expected))
    }

    /// Checks that the machine can route packets over intermediate nodes, if it has to.
    fn check_detours(&self) -> Result<(), ParameterError> {
        if !self.router.detours {
            return Ok(());
        }
        let route_bits = PacketLayout::route_bits_of(&self.shape, self.extra_bits());
        let max_adaptive = MAX_VCS - 1 - self.router.escape_vcs().len();
        let channels = self.router.dynamic_channels;
        let allow = |is_possible: bool, key, value: String, expected: &str| match is_possible {
            true => Ok(()),
            false => Err(error(
                key,
                value,
                format!("{expected} with routing over intermediate nodes (valiant, ugal)"),
            )),
        };
        let few_channels = format!("must be at most {max_adaptive}");
        allow(self.faults.is_empty(), "dead_nodes", "stated".into(), "must be empty, as dead_links must,")?;
        allow(self.link_protocol.is_none(), "link_errors", "on".into(), "must be left out")?;
        allow(
            route_bits + MIN_NAME_BITS_WITH_DETOURS <= u64::BITS,
            "shape",
            self.shape.to_string(),
            "is too large for the hops of two route segments in a packet",
        )?;
        allow(
            usize::from(channels) <= max_adaptive,
            "router.dynamic_channels",
            channels.to_string(),
            &few_channels,
        )
    }

    fn check_protocol(&self, protocol: &LinkProtocol) -> Result<(), ParameterError> {
        let packet = &self.packet;
        let full_packet = u32::from(packet.max_chunks) * packet.chunk_bytes;
        range("packet.chunk_bytes", packet.chunk_bytes, 16, 4096)?;
        range("packet.trailer_bytes", packet.trailer_bytes, 4, 4096)?;
        let (room, largest) = (protocol.retransmission_fifo_bytes, MAX_RETRANSMITTED_PACKETS * full_packet);
        buffer("link_errors.retransmission_fifo_bytes", room, full_packet, largest, packet)?;
        // A frame, its acknowledgement after another frame on the return link, and the bytes of that frame.
        let round_trip = |link: &LinkParameters| {
            let wire = link.cycles_per_byte.cycles_of(packet.wire_bytes(packet.max_chunks));
            link.hop_latency_cycles + 2 * wire + self.router.token_latency_cycles
        };
        let longest = self.links.iter().map(round_trip).max().unwrap_or(1);
        range("link_errors.timeout_cycles", protocol.timeout_cycles, longest, 100_000_000)?;
        let others = self.router.escape_vcs().len() + 1;
        if usize::from(self.router.dynamic_channels) + others > ACK_VCS {
            let expected = format!(
                "must be at most {} with link_errors: an acknowledgement has room for {ACK_VCS} virtual channels",
                ACK_VCS - others
            );
            return Err(error("router.dynamic_channels", self.router.dynamic_channels, expected));
        }
        let route_bits = PacketLayout::new(&self.shape, self.extra_bits()).route_bits();
        if route_bits > MAX_ROUTE_BITS {
            let expected = format!(
                "in {} a packet's route needs {route_bits} bits, but a frame header has {MAX_ROUTE_BITS}",
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
