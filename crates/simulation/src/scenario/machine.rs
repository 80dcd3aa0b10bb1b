//! The machine of a scenario: the values of a preset, as overridden by the scenario.

use crate::scenario::RunSettings;
use crate::scenario::router::AssumedRouter;
use crate::scenario::slices::Switch;
use crate::scenario::twist::{self, TwistRoutes, TwistSetting};
use base::clock::ClockRatio;
use geometry::{Direction, FaultError, Faults, HalfWay, MAX_DIMENSIONS, Shape, WithoutCleanEscape};
use input::{Document, InputError, Override, read};
use network::CyclesPerByte;
use network::collective::parameters::{InterruptParameters, TreeParameters};
use network::link::LinkProtocol;
use network::parameters::{
    FifoChoice, FifoSize, LinkParameters, NodeParameters, PacketFormat, Parameters, RouterParameters,
    SoftwareCost,
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
    /// Use of the cores of a node. Without a DMA engine: "heater" (one runs a rank, the others idle) or
    /// "co-processor" (the second moves packets for the first); with one: "smp" (one runs a rank) or "dual" (two
    /// do); on both: "virtual-node" (all do). It sets `node.cores`. Default: one runs a rank, unless `node.cores`
    /// says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Slice of a maker's machine, by its name, such as "v5p-4x4x8" or "v4-4x4x8_twisted": it states shape, wrap and twist, and
    /// the preset if none is given.
    #[serde(default, skip_serializing)] // `slices::expand` has replaced it
    pub slice: Option<String>,
    /// Router that is assumed where the maker of a machine publishes none: "dimension-order" (no adaptive VCs),
    /// "one-adaptive" or "two-adaptive" (one or two adaptive VCs). It sets `router.dynamic_channels`. Default: none;
    /// the router is known, or that of the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed_router: Option<AssumedRouter>,
    /// Length of each dimension in nodes; 1 to 6 dimensions.
    #[schemars(length(min = 1, max = 6), inner(range(min = 1)))]
    pub shape: Vec<u32>,
    /// Whether dimensions are closed to rings (true) or open (false); one value, or one per dimension.
    pub wrap: PerDimension<bool>,
    /// Shifts of a twisted torus: "auto" (the usual ones of n x n x 2n and n x 2n x 2n nodes, which TPU slices have), "none",
    /// or a table such as { x = { z = 4 } }: crossing the wrap of x adds 4 to z.
    #[serde(default, skip_serializing_if = "TwistSetting::is_none")]
    pub twist: TwistSetting,
    /// Choice among the shortest routes of a twisted torus: "balanced" (by shares with which uniform traffic loads all
    /// directions alike, as far as possible) or "uniform" (each equally often).
    #[serde(default, skip_serializing_if = "TwistRoutes::is_default")]
    pub twist_routes: TwistRoutes,
    /// Direction of packets whose target is exactly half-way round a ring.
    #[serde(default, skip_serializing_if = "HalfWay::is_default")]
    #[schemars(transform = base::describe_words)]
    pub half_way_routes: HalfWay,
    /// Coordinates of the dead nodes, such as [[0, 3, 1]]. Dead nodes do not send, receive or forward packets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead_nodes: Vec<Vec<u32>>,
    /// Links that are dead in both directions, each given by a node at one end and the direction from that node, such
    /// as [{ node = [0, 0, 0], toward = "x+" }].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead_links: Vec<DeadLink>,
    /// Dead optical switches of a slice, such as [{ along = "z", at = [1, 2] }]: each takes a link of every cube along that
    /// dimension, at that place of the face. They become `dead_links`.
    #[serde(default, skip_serializing)] // `slices::expand_switches` has replaced them
    pub dead_switches: Vec<Switch>,
    /// Service of pairs of nodes for which no setting of the hint bits keeps the escape route clear of dead nodes and
    /// links: "relay" (software of an intermediate node forwards packets) or "dynamic-only" (adaptive VCs only, or a
    /// relay where that could trap a packet).
    #[serde(default, skip_serializing_if = "Without::is_default")]
    pub without_clean_escape: Without,
    /// Lossy links and their retransmission protocol. Default: links without errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LinkProtocol")]
    pub link_errors: Option<LinkProtocol>,
    /// The links.
    pub link: Link,
    /// Packets in memory and on the wire.
    pub packet: PacketFormat,
    /// The router of every node.
    pub router: RouterParameters,
    /// The node: FIFOs and the software that serves them.
    pub node: Node,
    /// The DMA engine of each node. Default: that of the preset, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DmaEngine")]
    pub dma: Option<DmaEngine>,
    /// The tree network (collective network). Default: that of the preset, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TreeParameters")]
    pub tree: Option<TreeParameters>,
    /// The global interrupts. Default: those of the preset, if it has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "InterruptParameters")]
    pub interrupts: Option<InterruptParameters>,
}

/// The use of the cores of a node.
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
    /// The number of cores that run ranks and have FIFOs, of the `chip_cores` cores of a node.
    fn cores(self, chip_cores: u64) -> u64 {
        match self {
            Mode::Heater | Mode::CoProcessor | Mode::Smp => 1,
            Mode::Dual => chip_cores.min(2),
            Mode::VirtualNode => chip_cores,
        }
    }

    /// Whether each core that runs a rank has another core that moves packets for it.
    pub(super) fn has_coprocessors(self) -> bool {
        match self {
            Mode::CoProcessor => true,
            Mode::Heater | Mode::VirtualNode | Mode::Smp | Mode::Dual => false,
        }
    }

    /// Whether the mode is one of nodes with a DMA engine, or of nodes without.
    fn is_of(self, has_dma: bool) -> bool {
        match self {
            Mode::Heater | Mode::CoProcessor => !has_dma,
            Mode::Smp | Mode::Dual => has_dma,
            Mode::VirtualNode => true,
        }
    }
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

/// The node: FIFOs and the software that serves them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Node {
    /// Cycles from a packet being complete in an injection FIFO to its first request.
    pub injection_latency_cycles: u32,
    /// Cycles in which a DMA engine starts the transfer of a message's data, before its first packet; cores are free
    /// meanwhile. Generated traffic has no start. Default: 0.
    #[serde(default)] // written also if 0: a preset may have another
    pub transfer_start_cycles: u32,
    /// Number of injection FIFOs for normal packets, divided among the cores.
    pub normal_injection_fifos: u8,
    /// Number of injection FIFOs for high-priority packets, divided among the cores.
    pub high_priority_injection_fifos: u8,
    /// Size of each injection FIFO in bytes, or "infinite".
    pub injection_fifo_bytes: FifoBytes,
    /// Choice of an injection FIFO by software: "emptiest", "round-robin", "by-direction" (most hops) or "random".
    /// No effect on generated traffic if FIFOs are infinite.
    pub fifo_choice: FifoChoice,
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

/// The number of cores of Blue Gene/L's chip.
const CHIP_CORES: u8 = 2;

/// The range of chip cores: as many as cores that can have ranks.
const CHIP_CORES_RANGE: RangeInclusive<u8> = 1..=64;

fn default_chip_cores() -> u8 {
    CHIP_CORES
}

/// The DMA engine of a node, which moves packets between memory and the FIFOs of the torus for all cores. It serves
/// ranks whose software uses it (`messaging.dma`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DmaEngine {
    /// Time in which the engine moves a chunk of a packet, in either direction, in processor cycles.
    pub processor_cycles_per_chunk: u32,
    /// Number of descriptors that the injection FIFO of a core, in memory, holds; each describes a message.
    pub injection_fifo_descriptors: u32,
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
        let shape = self.shape(run.seed, document)?;
        let links = self.links(shape.dimensions(), document)?;
        let cycles_per_byte: Vec<_> = links.iter().map(|link| link.cycles_per_byte).collect();
        let shape = twist::with_routes(shape, self.twist_routes, &cycles_per_byte);
        let parameters = Parameters {
            links,
            faults: self.faults(&shape, document)?,
            link_protocol: self.link_errors,
            shape,
            packet: self.packet,
            router: self.router,
            node: self.node_parameters(),
            tree: self.tree,
            interrupts: self.interrupts,
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

    /// The router on which the results of the machine depend and that nobody has published, in words.
    pub(crate) fn assumed_router_in_words(&self) -> Option<String> {
        self.assumed_router.map(AssumedRouter::words)
    }

    /// The length of a cycle in seconds.
    pub(crate) fn cycle_seconds(&self) -> f64 {
        1e-6 / self.link.megabytes_per_second
    }

    fn shape(&self, seed: u64, document: &Document) -> Result<Shape, InputError> {
        let wraps = per_dimension(&self.wrap, self.shape.len(), "machine.wrap", document)?;
        let shape = Shape::new(&self.shape, &wraps)
            .map_err(|error| document.error("machine.shape", error.to_string()))?;
        let shape = shape.with_half_way(self.half_way_routes, seed);
        twist::twisted(shape, (&self.twist, self.twist_routes), self.half_way_routes, document)
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
            let (key, problem) = match error {
                FaultError::NoSuchLink { node, toward } => {
                    let coordinates = &shape.coordinates(node)[..shape.dimensions()];
                    (links_key, format!("node {coordinates:?} has no link in direction {toward}"))
                }
                FaultError::NoSuchNode { .. }
                | FaultError::TooFewAlive { .. }
                | FaultError::Unreachable { .. } => {
                    (if self.dead_nodes.is_empty() { links_key } else { nodes_key }, error.to_string())
                }
            };
            document.error(key, problem)
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

    fn node_parameters(&self) -> NodeParameters {
        let node = &self.node;
        NodeParameters {
            injection_latency_cycles: node.injection_latency_cycles,
            normal_injection_fifos: node.normal_injection_fifos,
            high_priority_injection_fifos: node.high_priority_injection_fifos,
            injection_fifo: node.injection_fifo_bytes.into(),
            fifo_choice: node.fifo_choice,
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

/// The number of cores that run ranks, in a scenario.
pub(crate) const CORES: &str = "machine.node.cores";

/// Sets the cores of a node from its mode, if the document names one. `gives_cores` says whether the document also
/// gave their number before it was completed from its preset.
///
/// # Errors
/// When that number is another, or the machine has no such mode.
pub(crate) fn set_cores(document: &mut Document, gives_cores: bool) -> Result<(), InputError> {
    let key = "machine.mode";
    let Some(mode) = document.get(key).and_then(|mode| Mode::deserialize(mode).ok()) else {
        return Ok(()); // a mode that does not exist is refused with all others
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
    use geometry::{HalfWay, Shape};
    use network::Parameters;
    use std::path::Path;

    #[test]
    fn the_default_preset_equals_the_network_parameters_of_blue_gene_l() {
        let text = "[machine]\nshape = [4, 3, 2]\n[workload]\nkind = \"uniform-random\"\n[run]\nseed = 7";
        let scenario = resolve(text, "a.toml", Path::new(""), &[]).unwrap();
        let shape = Shape::torus(&[4, 3, 2]).unwrap().with_half_way(HalfWay::PerPacket, 7);
        let expected = Parameters::bluegene_l(shape, 7);
        assert_eq!(scenario.parameters, expected);
        assert!((scenario.machine.cycle_seconds() - 5.714e-9).abs() < 1e-12);
    }
}
