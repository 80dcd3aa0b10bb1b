//! The machine of a scenario: the values of a preset, as overridden by the scenario.

use super::describes::describes;
use crate::scenario::RunSettings;
use geometry::{Direction, FaultError, Faults, MAX_DIMENSIONS, Shape, WithoutCleanEscape};
use input::{Document, InputError, Override, read};
use network::CyclesPerByte;
use network::beside::parameters::{InterruptParameters, TreeParameters};
use network::draws::Share;
use network::link::{BitErrorRate, LinkProtocol};
use network::node::clock::ClockRatio;
use network::parameters::{
    BubbleRule, EscapeKind, EscapeOrder, FifoChoice, FifoSize, LinkParameters, NodeParameters, PacketFormat,
    Parameters, RouterParameters, SoftwareCost,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::RangeInclusive;

/// The machine: its shape, and one table for each of its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Machine {
    /// Preset that provides every value that the scenario does not set: one of `torusim list presets`, or the path of a
    /// machine's file, such as "my-machine.toml".
    pub preset: String,
    /// What the cores of a node do. Without a DMA engine: "heater" (one runs a rank, the others idle) or "co-processor" (the
    /// second moves packets for the first); with one: "smp" (one runs a rank) or "dual" (two do); on both: "virtual-node"
    /// (all do). It sets `node.cores`. Default: one runs a rank, unless `node.cores` says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Length of each dimension in nodes; 1 to 6 dimensions.
    #[schemars(length(min = 1, max = 6), inner(range(min = 1)))]
    pub shape: Vec<u32>,
    /// Whether dimensions are closed to rings (true) or open (false); one value, or one per dimension.
    pub wrap: PerDimension<bool>,
    /// Coordinates of the dead nodes, such as [[0, 3, 1]]. Dead nodes do not send, receive or forward packets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead_nodes: Vec<Vec<u32>>,
    /// Links that are dead in both directions, each given by a node at one end and the direction from that node, such
    /// as [{ node = [0, 0, 0], toward = "x+" }].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead_links: Vec<DeadLink>,
    /// Service of pairs of nodes for which no setting of the hint bits keeps the escape route clear of dead nodes and
    /// links: "relay" (software of an intermediate node forwards packets) or "dynamic-only" (adaptive VCs only, or a
    /// relay where that could trap a packet).
    #[serde(default, skip_serializing_if = "Without::is_default")]
    pub without_clean_escape: Without,
    /// Lossy links and their retransmission protocol. Default: links without errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LinkErrors")]
    pub link_errors: Option<LinkErrors>,
    /// The links.
    pub link: Link,
    /// Packets in memory and on the wire.
    pub packet: Packet,
    /// The router of every node.
    pub router: Router,
    /// The node: FIFOs and the software that serves them.
    pub node: Node,
    /// The DMA engine of each node. Default: that of the preset, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DmaEngine")]
    pub dma: Option<DmaEngine>,
    /// The tree network (collective network). Default: that of the preset, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Tree")]
    pub tree: Option<Tree>,
    /// The global interrupts. Default: those of the preset, if it has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Interrupts")]
    pub interrupts: Option<Interrupts>,
}

/// What the cores of a node do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Mode {
    Heater,
    CoProcessor,
    VirtualNode,
    Smp,
    Dual,
}

impl Mode {
    /// Of the `chip_cores` cores of a node, those that run ranks and have FIFOs.
    fn cores(self, chip_cores: u64) -> u64 {
        match self {
            Mode::Heater | Mode::CoProcessor | Mode::Smp => 1,
            Mode::Dual => chip_cores.min(2),
            Mode::VirtualNode => chip_cores,
        }
    }

    /// Whether it is a mode of nodes with a DMA engine, or of nodes without.
    fn is_of(self, has_dma: bool) -> bool {
        match self {
            Mode::Heater | Mode::CoProcessor => !has_dma,
            Mode::Smp | Mode::Dual => has_dma,
            Mode::VirtualNode => true,
        }
    }
}

/// Lossy links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkErrors {
    /// Probability that a bit is received inverted, such as 1e-6. Default: 0, the protocol without errors.
    #[serde(default)]
    #[schemars(range(min = 0, max = 0.001))]
    pub bit_error_rate: f64,
    /// Time from the start of a packet on a link to its retransmission if it has not been acknowledged, in cycles.
    /// Default: 600.
    #[serde(default = "default_timeout_cycles")]
    pub timeout_cycles: u32,
    /// Size of the retransmission FIFO of each sender, which holds unacknowledged packets, in bytes. Default: 2048.
    #[serde(default = "default_retransmission_fifo_bytes")]
    pub retransmission_fifo_bytes: u32,
    /// Whether acknowledgements occupy the link for 8 bytes each and are not charged to data packets. Default: false.
    #[serde(default)]
    pub explicit_acks: bool,
}

/// Longer than the longest round trip of a full packet and its acknowledgement on Blue Gene/L, with margin.
fn default_timeout_cycles() -> u32 {
    600
}

/// Eight full packets (S12: an assumed part of the 58 KB).
fn default_retransmission_fifo_bytes() -> u32 {
    2048
}

/// A dead link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeadLink {
    /// Coordinates of a node at one end of the link.
    pub node: Vec<u32>,
    /// Direction of the link from that node, such as "x+".
    pub toward: String,
}

/// Service of pairs of nodes without a clean escape route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Without {
    #[default]
    Relay,
    DynamicOnly,
}

impl Without {
    fn is_default(&self) -> bool {
        *self == Without::default()
    }
}

/// One value for all dimensions, or one for each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum PerDimension<T> {
    All(T),
    Each(Vec<T>),
}

impl<T: Clone> PerDimension<T> {
    /// One value for each dimension. The error is the number of values if that does not match.
    fn per_dimension(&self, dimensions: usize) -> Result<Vec<T>, usize> {
        match self {
            PerDimension::All(value) => Ok(vec![value.clone(); dimensions]),
            PerDimension::Each(values) if values.len() == dimensions => Ok(values.clone()),
            PerDimension::Each(values) => Err(values.len()),
        }
    }
}

/// The links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link {
    /// Bandwidth per direction of a link with cycles_per_byte = 1, in MB/s. It defines the cycle: the time of one byte.
    pub megabytes_per_second: f64,
    /// Hop latency: cycles from the start of a transfer until the next node can begin to forward the packet. One value,
    /// or one per dimension.
    pub hop_latency_cycles: PerDimension<u32>,
    /// Cycles per byte on a link: a whole number, a decimal, or a fraction as text such as "4/3"; from 0.001 to 1000. One
    /// value, or one per dimension.
    pub cycles_per_byte: PerDimension<Rate>,
}

/// Packets in memory and on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Packet {
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
}

/// The router of every node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Router {
    /// Number of adaptive virtual channels (VCs) per receiver, 0 to 16.
    pub dynamic_channels: u8,
    /// Buffer size of each adaptive VC in bytes.
    pub dynamic_channel_bytes: u32,
    /// Escape VCs: one "bubble" VC, or a "dateline" pair of VCs.
    pub escape: Escape,
    /// Order of directions on the escape VC: "dimension" (x, y, z) or "direction" (x+, y+, z+, x-, y-, z-).
    pub escape_order: Order,
    /// Buffer size of each escape VC in bytes.
    pub escape_channel_bytes: u32,
    /// Buffer size of the high-priority VC in bytes.
    pub high_priority_channel_bytes: u32,
    /// Credits charged to a packet on a bubble VC: those of a full packet ("full-size", deadlock-free) or of its actual
    /// size ("true-size", can deadlock).
    pub bubble_rule: Bubble,
    /// Number of transfer paths from each receiver to the senders.
    pub transfer_paths: u8,
    /// Whether a packet that arrives at an empty VC may bypass its buffer, at lowest priority.
    pub bypass: bool,
    /// Whether a head packet joins the shortest queue (the adaptive VC with most credits) instead of choosing one at
    /// random.
    pub join_shortest_queue: bool,
    /// Lower bounds of the upper three of four ranges of credits, as shares of the credits of a VC, in rising order.
    /// Head packets that join the shortest queue do not distinguish queues within a range.
    #[schemars(inner(range(min = 0, max = 1)))]
    pub token_ranges: [f64; 3],
    /// Share of arbitration cycles that serve the longest queue first.
    #[schemars(range(min = 0, max = 1))]
    pub serve_longest_queue_share: f64,
    /// Share of cycles in which senders give packets in the network priority over packets from injection FIFOs.
    #[schemars(range(min = 0, max = 1))]
    pub in_network_share: f64,
    /// Share of cycles in which a head packet at a receiver cannot make a request if all its links and VCs were busy in
    /// the previous cycle, as in the hardware's first description.
    #[schemars(range(min = 0, max = 1))]
    pub arbitration_gap_share: f64,
    /// Cycles from the tail of a packet leaving a buffer until its credits are available upstream.
    pub token_latency_cycles: u32,
}

describes! {
    /// The credits charged to a packet on a bubble VC.
    pub(crate) enum Bubble of BubbleRule {
        FullSize,
        TrueSize,
    }
}

describes! {
    /// How the escape VCs avoid deadlock around a ring.
    pub(crate) enum Escape of EscapeKind {
        Bubble,
        Dateline,
    }
}

describes! {
    /// The order of directions on the escape VC.
    pub(crate) enum Order of EscapeOrder {
        Dimension,
        Direction,
    }
}

/// The node: FIFOs and the software that serves them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Node {
    /// Cycles from a packet being complete in an injection FIFO to its first request.
    pub injection_latency_cycles: u32,
    /// Number of injection FIFOs for normal packets, divided among the cores.
    pub normal_injection_fifos: u8,
    /// Number of injection FIFOs for high-priority packets, divided among the cores.
    pub high_priority_injection_fifos: u8,
    /// Size of each injection FIFO in bytes, or "infinite".
    pub injection_fifo_bytes: FifoBytes,
    /// How software chooses an injection FIFO: "emptiest", "round-robin", "by-direction" (most hops) or "random". No
    /// effect on generated traffic if FIFOs are infinite.
    pub fifo_choice: Choice,
    /// Size of each reception FIFO in bytes, or "infinite".
    pub reception_fifo_bytes: FifoBytes,
    /// Number of cores that write and read packets, 1 to 64; above 2 they share two sets of FIFOs.
    pub cores: u8,
    /// Number of cores that a node has, 1 to 64, as `machine.mode` divides them. Default: 2.
    #[serde(default = "default_chip_cores")]
    #[schemars(range(min = 1, max = 64))]
    pub chip_cores: u8,
    /// Maximum number of a node's normal packets in injection FIFOs or in the network, until their acknowledgement
    /// returns; or "infinite".
    pub injection_window_packets: WindowPackets,
    /// Time to write a packet of generated traffic to an injection FIFO, in processor cycles.
    pub write_processor_cycles: u32,
    /// Time to read a packet of generated traffic from a reception FIFO, in processor cycles.
    pub read_processor_cycles: u32,
    /// Processor cycles per network cycle: a number, or [p, c] for p processor cycles in c network cycles.
    pub processor_cycles_per_cycle: CycleRatio,
}

/// Blue Gene/L's.
const CHIP_CORES: u8 = 2;

/// As many as cores that can have ranks.
const CHIP_CORES_RANGE: RangeInclusive<u8> = 1..=64;

fn default_chip_cores() -> u8 {
    CHIP_CORES
}

/// The DMA engine of a node, which moves packets between memory and the FIFOs of the torus for all cores. It moves those
/// of ranks whose software uses it (`messaging.dma`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DmaEngine {
    /// Time in which it moves a chunk of a packet, in either direction, in processor cycles.
    pub processor_cycles_per_chunk: u32,
    /// Descriptors that the injection FIFO of a core, in memory, holds: each is one of a message.
    pub injection_fifo_descriptors: u32,
}

/// The tree network, which combines and broadcasts packets; every node has a link up and some links down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tree {
    /// Children of a node at most, 1 to 8: the live nodes, in order of their numbers, are the places of a complete tree.
    pub arity: u8,
    /// Bytes that a link carries in a cycle, in each direction.
    pub bytes_per_cycle: u32,
    /// Cycles from the start of a transfer until the next node can forward or combine the packet; credits take as long.
    pub hop_latency_cycles: u32,
    /// Data of a packet in bytes; all packets are of one size.
    pub payload_bytes: u32,
    /// Header and trailer of a packet in bytes.
    pub overhead_bytes: u32,
    /// Packets that the buffer at the end of a link holds.
    pub buffer_packets: u8,
    /// Packets that an injection or reception FIFO of a core holds.
    pub fifo_packets: u8,
}

/// The global interrupts: wires that tell all nodes that all have raised them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Interrupts {
    /// Nodes whose wires are joined at a node at most, 1 to 8: the live nodes, in order of their numbers, are the places of a
    /// complete tree.
    pub arity: u8,
    /// Wires: barriers that can be under way at a time.
    pub wires: u8,
    /// Cycles in which a raised wire reaches the next node toward the root.
    pub up_latency_cycles: u32,
    /// Cycles in which the release of a wire reaches the next node away from the root.
    pub down_latency_cycles: u32,
}

impl From<Tree> for TreeParameters {
    fn from(tree: Tree) -> Self {
        TreeParameters {
            arity: tree.arity,
            bytes_per_cycle: tree.bytes_per_cycle,
            hop_latency_cycles: tree.hop_latency_cycles,
            payload_bytes: tree.payload_bytes,
            overhead_bytes: tree.overhead_bytes,
            buffer_packets: tree.buffer_packets,
            fifo_packets: tree.fifo_packets,
        }
    }
}

impl From<Interrupts> for InterruptParameters {
    fn from(interrupts: Interrupts) -> Self {
        InterruptParameters {
            arity: interrupts.arity,
            wires: interrupts.wires,
            up_latency_cycles: interrupts.up_latency_cycles,
            down_latency_cycles: interrupts.down_latency_cycles,
        }
    }
}

/// A size in bytes, or "infinite".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum FifoBytes {
    Bytes(u32),
    Word(Infinite),
}

/// A whole number, or a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum CycleRatio {
    Whole(u32),
    Fraction([u32; 2]),
}

/// The time of a byte on a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Rate {
    Whole(u32),
    Decimal(f64),
    Fraction(String),
}

impl Rate {
    const EXPECTED: &str =
        "must be a number from 0.001 to 1000 with at most six decimals, or a fraction such as \"4/3\"";

    fn read(&self) -> Option<CyclesPerByte> {
        match self {
            Rate::Whole(cycles) => CyclesPerByte::new(*cycles, 1),
            Rate::Decimal(cycles) => {
                // Six decimals are exact, as a double has fifteen digits.
                let millionths = cycles * 1e6;
                let is_exact = (millionths.round() / 1e6).to_bits() == cycles.to_bits();
                let is_in_range = (0.001..=1000.0).contains(cycles);
                (is_exact && is_in_range).then(|| CyclesPerByte::new(millionths.round() as u32, 1_000_000))?
            }
            Rate::Fraction(text) => {
                let (cycles, bytes) = text.split_once('/')?;
                CyclesPerByte::new(cycles.trim().parse().ok()?, bytes.trim().parse().ok()?)
            }
        }
    }
}

/// A number of packets, or "infinite".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum WindowPackets {
    Packets(u32),
    Word(Infinite),
}

/// The word "infinite".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Infinite {
    Infinite,
}

describes! {
    /// How software chooses among the injection FIFOs of a core.
    pub(crate) enum Choice of FifoChoice {
        Emptiest,
        RoundRobin,
        ByDirection,
        Random,
    }
}

/// Checks the parameters of a machine.
///
/// # Errors
/// The first that is out of range, at its key.
pub(super) fn check(parameters: &Parameters, document: &Document) -> Result<(), InputError> {
    parameters.check().map_err(|error| {
        let key = error.key.replacen("links.", "link.", 1);
        document.error(&format!("machine.{key}"), error.expected)
    })
}

impl Machine {
    /// Reads the machine of a document that [`super::preset`] has completed.
    ///
    /// # Errors
    /// The first key that is unknown, missing or of a wrong type, with its place.
    pub(crate) fn read(document: &Document) -> Result<Self, InputError> {
        read(document, "machine")
    }

    /// The parameters of the network, with every value checked.
    ///
    /// # Errors
    /// The first value out of range, with its key and place.
    pub(crate) fn parameters(
        &self,
        run: &RunSettings,
        document: &Document,
    ) -> Result<Parameters, InputError> {
        let shape = self.shape(document)?;
        let parameters = Parameters {
            links: self.links(shape.dimensions(), document)?,
            faults: self.faults(&shape, document)?,
            link_protocol: self.link_protocol(document)?,
            shape,
            packet: self.packet_format(),
            router: self.router_parameters(document)?,
            node: self.node_parameters(),
            tree: self.tree.map(Into::into),
            interrupts: self.interrupts.map(Into::into),
            counts_unblocking: run.observe_buffers,
            seed: run.seed,
        };
        self.check_rate(document)?;
        self.check_chip(document)?;
        check(&parameters, document)?;
        Ok(parameters)
    }

    fn check_chip(&self, document: &Document) -> Result<(), InputError> {
        let within = CHIP_CORES_RANGE.contains(&self.node.chip_cores);
        within.then_some(()).ok_or_else(|| document.error("machine.node.chip_cores", "must be from 1 to 64"))
    }

    /// The length of a cycle in seconds.
    pub(crate) fn cycle_seconds(&self) -> f64 {
        1e-6 / self.link.megabytes_per_second
    }

    fn shape(&self, document: &Document) -> Result<Shape, InputError> {
        let wraps = per_dimension(&self.wrap, self.shape.len(), "machine.wrap", document)?;
        Shape::new(&self.shape, &wraps).map_err(|error| document.error("machine.shape", error.to_string()))
    }

    fn link_protocol(&self, document: &Document) -> Result<Option<LinkProtocol>, InputError> {
        let Some(errors) = &self.link_errors else { return Ok(None) };
        if !(0.0..=0.001).contains(&errors.bit_error_rate) {
            let problem = "must be a number from 0 to 0.001: above that, almost no packet arrives intact";
            return Err(document.error("machine.link_errors.bit_error_rate", problem));
        }
        Ok(Some(LinkProtocol {
            bit_error_rate: BitErrorRate::new(errors.bit_error_rate),
            timeout_cycles: errors.timeout_cycles,
            retransmission_fifo_bytes: errors.retransmission_fifo_bytes,
            explicit_acks: errors.explicit_acks,
        }))
    }

    fn faults(&self, shape: &Shape, document: &Document) -> Result<Faults, InputError> {
        let (nodes_key, links_key) = ("machine.dead_nodes", "machine.dead_links");
        let nodes = self.dead_nodes.iter().map(|coordinates| node(shape, coordinates, nodes_key, document));
        let nodes = nodes.collect::<Result<Vec<u32>, _>>()?;
        let link = |link: &DeadLink| {
            let toward =
                Direction::named(&link.toward).filter(|toward| toward.dimension() < shape.dimensions());
            let toward = toward.ok_or_else(|| {
                let known: Vec<_> = Direction::all(shape.dimensions()).map(|d| d.to_string()).collect();
                let problem = format!("{:?} is no direction of {shape}: {}", link.toward, known.join(", "));
                document.error(links_key, problem)
            })?;
            Ok((node(shape, &link.node, links_key, document)?, toward))
        };
        let links = self.dead_links.iter().map(link).collect::<Result<Vec<_>, InputError>>()?;
        let without_clean_escape = match self.without_clean_escape {
            Without::Relay => WithoutCleanEscape::Relay,
            Without::DynamicOnly => WithoutCleanEscape::AdaptiveOnly,
        };
        Faults::new(shape, &nodes, &links, without_clean_escape).map_err(|error| {
            let is_link = matches!(error, FaultError::NoSuchLink { .. }) || self.dead_nodes.is_empty();
            let key = if is_link { links_key } else { nodes_key };
            match error {
                FaultError::NoSuchLink { node, toward } => {
                    let coordinates = &shape.coordinates(node)[..shape.dimensions()];
                    document.error(key, format!("node {coordinates:?} has no link in direction {toward}"))
                }
                other => document.error(key, other.to_string()),
            }
        })
    }

    fn links(&self, dimensions: usize, document: &Document) -> Result<Vec<LinkParameters>, InputError> {
        let Link { hop_latency_cycles, cycles_per_byte, .. } = &self.link;
        let latencies =
            per_dimension(hop_latency_cycles, dimensions, "machine.link.hop_latency_cycles", document)?;
        let key = "machine.link.cycles_per_byte";
        let rates = per_dimension(cycles_per_byte, dimensions, key, document)?;
        let link = |(hop_latency_cycles, rate): (u32, Rate)| {
            let cycles_per_byte = rate.read().ok_or_else(|| document.error(key, Rate::EXPECTED))?;
            Ok(LinkParameters { hop_latency_cycles, cycles_per_byte })
        };
        latencies.into_iter().zip(rates).map(link).collect()
    }

    fn packet_format(&self) -> PacketFormat {
        let Packet { chunk_bytes, max_chunks, trailer_bytes, token_ack_bytes, gap_bytes } = self.packet;
        PacketFormat { chunk_bytes, max_chunks, trailer_bytes, token_ack_bytes, gap_bytes }
    }

    fn router_parameters(&self, document: &Document) -> Result<RouterParameters, InputError> {
        let router = &self.router;
        Ok(RouterParameters {
            dynamic_channels: router.dynamic_channels,
            dynamic_channel_bytes: router.dynamic_channel_bytes,
            escape: router.escape.into(),
            escape_order: router.escape_order.into(),
            escape_channel_bytes: router.escape_channel_bytes,
            // As the workload needs, which is read later.
            detours: false,
            high_priority_channel_bytes: router.high_priority_channel_bytes,
            bubble_rule: router.bubble_rule.into(),
            transfer_paths: router.transfer_paths,
            bypass: router.bypass,
            join_shortest_queue: router.join_shortest_queue,
            token_ranges: token_ranges(router.token_ranges, document)?,
            serve_longest_queue_share: share(
                router.serve_longest_queue_share,
                "machine.router.serve_longest_queue_share",
                document,
            )?,
            in_network_share: share(router.in_network_share, "machine.router.in_network_share", document)?,
            arbitration_gap_share: share(
                router.arbitration_gap_share,
                "machine.router.arbitration_gap_share",
                document,
            )?,
            token_latency_cycles: router.token_latency_cycles,
        })
    }

    fn node_parameters(&self) -> NodeParameters {
        let node = &self.node;
        NodeParameters {
            injection_latency_cycles: node.injection_latency_cycles,
            normal_injection_fifos: node.normal_injection_fifos,
            high_priority_injection_fifos: node.high_priority_injection_fifos,
            injection_fifo: node.injection_fifo_bytes.into(),
            fifo_choice: node.fifo_choice.into(),
            reception_fifo: node.reception_fifo_bytes.into(),
            cores: node.cores,
            injection_window_packets: match node.injection_window_packets {
                WindowPackets::Packets(packets) => Some(packets),
                WindowPackets::Word(Infinite::Infinite) => None,
            },
            software: SoftwareCost {
                write_processor_cycles: node.write_processor_cycles,
                read_processor_cycles: node.read_processor_cycles,
            },
            clock: node.processor_cycles_per_cycle.into(),
        }
    }

    fn check_rate(&self, document: &Document) -> Result<(), InputError> {
        let rate = self.link.megabytes_per_second;
        let sensible = rate.is_finite() && rate > 0.0;
        sensible
            .then_some(())
            .ok_or_else(|| document.error("machine.link.megabytes_per_second", "must be a number above 0"))
    }
}

impl From<CycleRatio> for ClockRatio {
    fn from(ratio: CycleRatio) -> Self {
        let [processor_cycles, cycles] = match ratio {
            CycleRatio::Whole(processor_cycles) => [processor_cycles, 1],
            CycleRatio::Fraction(fraction) => fraction,
        };
        ClockRatio { processor_cycles, cycles }
    }
}

impl From<FifoBytes> for FifoSize {
    fn from(size: FifoBytes) -> Self {
        match size {
            FifoBytes::Bytes(bytes) => FifoSize::Bytes(bytes),
            FifoBytes::Word(Infinite::Infinite) => FifoSize::Infinite,
        }
    }
}

/// The number of the node at the coordinates that a key lists.
fn node(shape: &Shape, listed: &[u32], key: &str, document: &Document) -> Result<u32, InputError> {
    let is_in = listed.len() == shape.dimensions()
        && listed.iter().zip(shape.lengths()).all(|(coordinate, length)| coordinate < length);
    if !is_in {
        return Err(document.error(key, format!("there is no node {listed:?} in {shape}")));
    }
    let mut coordinates = [0; MAX_DIMENSIONS];
    coordinates[..listed.len()].copy_from_slice(listed);
    Ok(shape.node(&coordinates))
}

fn per_dimension<T: Clone>(
    values: &PerDimension<T>,
    dimensions: usize,
    key: &str,
    document: &Document,
) -> Result<Vec<T>, InputError> {
    values.per_dimension(dimensions).map_err(|count| {
        let problem = format!("must be one value, or {dimensions}, one for each dimension, not {count}");
        document.error(key, problem)
    })
}

fn share(probability: f64, key: &str, document: &Document) -> Result<Share, InputError> {
    let within = (0.0..=1.0).contains(&probability);
    within.then(|| Share::new(probability)).ok_or_else(|| document.error(key, "must be a number from 0 to 1"))
}

fn token_ranges(shares: [f64; 3], document: &Document) -> Result<[Share; 3], InputError> {
    let key = "machine.router.token_ranges";
    let [second, third, fourth] = shares.map(|start| share(start, key, document));
    Ok([second?, third?, fourth?])
}

/// The number of cores that run ranks, in a scenario.
pub(crate) const CORES: &str = "machine.node.cores";

/// Sets the cores of a node from its mode, if the document names one. `gives_cores` tells whether the document, before
/// it was completed from its preset, gave their number too.
///
/// # Errors
/// When that is another, or the machine has no such mode.
pub(crate) fn set_cores(document: &mut Document, gives_cores: bool) -> Result<(), InputError> {
    let key = "machine.mode";
    let Some(mode) = document.get(key).and_then(|mode| Mode::deserialize(mode).ok()) else {
        return Ok(()); // one that does not exist is refused with all others
    };
    let has_dma = document.get("machine.dma").is_some();
    if !mode.is_of(has_dma) {
        let problem = match has_dma {
            true => "nodes with a DMA engine have \"smp\", \"dual\" and \"virtual-node\"",
            false => "nodes without a DMA engine have \"heater\", \"co-processor\" and \"virtual-node\"",
        };
        return Err(document.error(key, problem));
    }
    let chip_cores = document.get("machine.node.chip_cores").and_then(Value::as_u64);
    let cores = mode.cores(chip_cores.unwrap_or(CHIP_CORES.into()));
    match document.get(CORES) {
        Some(given) if gives_cores && *given != cores => {
            let problem = format!("machine.mode sets the cores that run ranks: must be {cores}, or absent");
            Err(document.error(CORES, problem))
        }
        _ => {
            let origin = document.place(key).to_owned();
            document.apply(&Override { path: CORES.to_owned(), value: cores.into(), origin })
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::resolve;
    use geometry::Shape;
    use network::Parameters;
    use std::path::Path;

    #[test]
    fn the_default_preset_equals_the_network_parameters_of_blue_gene_l() {
        let text = "[machine]\nshape = [4, 3, 2]\n[workload]\nkind = \"uniform-random\"\n[run]\nseed = 7";
        let scenario = resolve(text, "a.toml", Path::new(""), &[]).unwrap();
        let expected = Parameters::bluegene_l(Shape::torus(&[4, 3, 2]).unwrap(), 7);
        assert_eq!(scenario.parameters, expected);
        assert!((scenario.machine.cycle_seconds() - 5.714e-9).abs() < 1e-12);
    }
}
