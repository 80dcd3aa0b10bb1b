//! Options that many patterns share, each described once.
//!
//! ```text
//!   parameters! { pub struct AllToAll: finite directions { its own fields } }
//!                                      |      +-- directions
//!                                      +-- order, packets_per_visit, priority, routing
//!   parameters! { pub struct Tornado: open_loop directions { .. } }
//!                                     +-- load, packets_per_node, packet_bytes, message_bytes, burst, high_priority_share, routing
//! ```
//!
//! The macro puts the shared fields into each pattern's struct. `#[serde(flatten)]` would be shorter, but error
//! messages about a bad key would lose its path and the list of known keys.

use crate::error::{WorkloadError, require};
use geometry::{MAX_DIMENSIONS, Preference, Shape};
use network::LaneKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The routing of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// Minimal adaptive routing, on the adaptive VCs with the escape VC as fallback.
    #[default]
    Adaptive,
    /// Dimension-order routing, on the escape VC only.
    Deterministic,
    /// Adaptive routing to a node drawn at random, and from there to the target.
    Valiant,
    /// At the source, minimal or over a random node, whichever has the smaller product of queue and hops.
    Ugal,
}

impl Routing {
    /// Whether packets may be routed over an intermediate node.
    pub fn has_detours(self) -> bool {
        match self {
            Routing::Valiant | Routing::Ugal => true,
            Routing::Adaptive | Routing::Deterministic => false,
        }
    }

    /// Whether the source chooses for each packet if it takes a detour.
    pub(crate) fn has_optional_detours(self) -> bool {
        match self {
            Routing::Ugal => true,
            Routing::Adaptive | Routing::Deterministic | Routing::Valiant => false,
        }
    }

    /// Whether packets go in the order of dimensions.
    pub(crate) fn is_deterministic(self) -> bool {
        match self {
            Routing::Deterministic => true,
            Routing::Adaptive | Routing::Valiant | Routing::Ugal => false,
        }
    }

    /// Refuses routing over intermediate nodes, in a workload whose bound is not known for it.
    pub(crate) fn require_minimal(self) -> Result<(), WorkloadError> {
        require(!self.has_detours(), "routing", || {
            "is for uniform targets, and for one target of each node; this workload has \"adaptive\" or \
             \"deterministic\""
                .into()
        })
    }
}

/// The priority of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    /// Normal priority: the adaptive and escape VCs.
    #[default]
    Normal,
    /// High priority: the high-priority VC.
    High,
}

impl Priority {
    /// Whether a lane of this kind carries packets of this priority.
    pub(crate) fn is_carried_by(self, kind: LaneKind) -> bool {
        match kind {
            LaneKind::Mixed => true,
            LaneKind::Normal => self == Priority::Normal,
            LaneKind::HighPriority => self == Priority::High,
        }
    }
}

/// Hint bits that software sets in a dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum HintBits {
    /// The shorter direction.
    #[default]
    #[serde(rename = "minimal")]
    Minimal,
    /// Always plus, even if that is the long way round.
    #[serde(rename = "+")]
    Plus,
    /// Always minus, even if that is the long way round.
    #[serde(rename = "-")]
    Minus,
}

impl From<HintBits> for Preference {
    fn from(hint_bits: HintBits) -> Self {
        match hint_bits {
            HintBits::Minimal => Preference::Minimal,
            HintBits::Plus => Preference::Plus,
            HintBits::Minus => Preference::Minus,
        }
    }
}

/// The order in which a node visits its targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// A random order, different for each node.
    #[default]
    Random,
    /// By number, each node starting after its own number.
    Rotating,
    /// A random order of distances by number, the same for all nodes.
    Common,
    /// By number, every node starting with the lowest.
    Identity,
}

/// Number of packets sent to a target before the next target's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "packets_per_visit is an integer from 1, or \"all\"")]
pub enum PacketsPerVisit {
    /// The number of packets to a target before the next. The order is repeated until all packets are sent.
    Number(u64),
    /// All packets to the target in a row.
    Word(All),
}

/// The word "all".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum All {
    /// The word itself.
    #[serde(rename = "all")]
    All,
}

impl Default for PacketsPerVisit {
    fn default() -> Self {
        PacketsPerVisit::Number(1)
    }
}

/// Packet sizes: one, or a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "packet_bytes is a number of bytes such as 256, or a range such as [32, 256]")]
pub enum PacketBytes {
    /// All packets have this size.
    Fixed(u32),
    /// Uniform over the multiples of a chunk from the first size to the second.
    Range([u32; 2]),
}

impl Default for PacketBytes {
    fn default() -> Self {
        PacketBytes::Fixed(256)
    }
}

/// Lengths of messages: one, a range, or a distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "message_bytes is a number of bytes, a range such as [16, 4096], a table { bytes = [16, 4096], weights = \
                 [3, 1] }, or a file { path = \"lengths.csv\" }"
)]
pub enum MessageBytes {
    /// All messages have this length.
    Fixed(u64),
    /// Uniform from the first length to the second.
    Range([u64; 2]),
    /// A distribution by weights.
    Weighted(Distribution),
    /// The lengths of a file.
    File(LengthsFile),
}

/// Lengths with weights.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    /// Lengths in bytes.
    pub bytes: Vec<u64>,
    /// The frequency of each length, in proportion to the others. Default: all equally.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
}

/// A file with lengths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LengthsFile {
    /// The file: CSV, Parquet or NumPy with the heading bytes, and optionally weights.
    pub path: String,
}

impl Distribution {
    /// Lengths with their weights, ascending; their fault, if they have one.
    pub(crate) fn weighted(&self) -> Result<Vec<(u64, f64)>, String> {
        let Distribution { bytes, weights } = self;
        if bytes.is_empty() || bytes.contains(&0) {
            return Err("needs at least one length, each of at least 1 byte".into());
        }
        if !weights.is_empty() && weights.len() != bytes.len() {
            return Err(format!("{} weights for {} lengths: one each", weights.len(), bytes.len()));
        }
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        if let Some(wrong) = weights.iter().find(|weight| !is_weight(weight)) {
            return Err(format!("{wrong} is not a weight of 0 or more"));
        }
        let weight = |place: usize| weights.get(place).copied().unwrap_or(1.0);
        let mut weighted: Vec<(u64, f64)> =
            bytes.iter().enumerate().map(|(place, &bytes)| (bytes, weight(place))).collect();
        weighted.retain(|&(_, weight)| weight > 0.0);
        weighted.sort_by_key(|&(bytes, _)| bytes);
        if weighted.is_empty() { Err("all weights are 0".into()) } else { Ok(weighted) }
    }
}

/// The class of a NAS benchmark: the size of its problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum ProblemClass {
    /// The smallest, a sample.
    S,
    /// For a workstation of the 1990s.
    W,
    /// The smallest of the benchmark.
    #[default]
    A,
    /// About four times A in size.
    B,
    /// About four times B.
    C,
    /// About sixteen times C.
    D,
}

/// Bursts: times in which a node sends, and times in which it does not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// Mean length of the times in which a node sends, in cycles.
    pub on_cycles: f64,
    /// Mean length of the times in which a node does not send, in cycles.
    pub off_cycles: f64,
}

/// Options of finite patterns, in which each node sends a given amount to each of its peers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FiniteOptions {
    pub order: Order,
    pub packets_per_visit: PacketsPerVisit,
    pub priority: Priority,
    pub routing: Routing,
}

/// Options of open-loop patterns, in which nodes send packets without end, up to a number, or at a given load.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenLoopOptions {
    pub load: Option<f64>,
    pub packets_per_node: Option<u64>,
    pub packet_bytes: PacketBytes,
    pub message_bytes: Option<MessageBytes>,
    pub burst: Option<Burst>,
    pub high_priority_share: f64,
    pub routing: Routing,
}

/// Declares a pattern's parameters: the groups of shared fields named after the colon, and its own fields.
macro_rules! parameters {
    (#[doc = $summary:literal] $(#[$meta:meta])*
     pub struct $name:ident: $($groups:ident)* { $($own:tt)* }) => {
        impl $name {
            /// A summary in one sentence.
            pub(crate) const SUMMARY: &str = $summary.trim_ascii();
        }
        $crate::options::parameters!(@$name [$($groups)*]
            [#[doc = $summary] $(#[$meta])* pub struct $name] [$($own)*]);
    };
    (@$name:ident [finite $($groups:ident)*] $head:tt [$($fields:tt)*]) => {
        $crate::options::parameters!(@$name [$($groups)*] $head [$($fields)*
            /// Order in which a node visits its targets: "random" (different for each node), "rotating" (by number,
            /// starting after its own), "common" (a random order of distances by number, the same for all nodes) or
            /// "identity" (by number, starting with the lowest). Default "random".
            #[serde(default)]
            pub order: $crate::options::Order,
            /// Number of packets that a node sends to a target before it visits the next: an integer from 1, or "all".
            /// The order is repeated until all packets are sent. Default 1.
            #[serde(default)]
            pub packets_per_visit: $crate::options::PacketsPerVisit,
            /// Priority of the packets: "normal" or "high" (on the high-priority virtual channel). Default "normal".
            #[serde(default)]
            pub priority: $crate::options::Priority,
            /// Routing of the packets: "adaptive" (minimal, with the escape virtual channel as fallback) or
            /// "deterministic" (dimension order, escape virtual channel only). Default "adaptive".
            #[serde(default)]
            pub routing: $crate::options::Routing,
        ]);
        impl $name {
            fn finite_options(&self) -> $crate::options::FiniteOptions {
                let Self { order, packets_per_visit, priority, routing, .. } = *self;
                $crate::options::FiniteOptions { order, packets_per_visit, priority, routing }
            }
        }
    };
    (@$name:ident [open_loop $($groups:ident)*] $head:tt [$($fields:tt)*]) => {
        $crate::options::parameters!(@$name [$($groups)*] $head [$($fields)*
            /// Offered load as a share of the bound of this traffic on this machine, which `torusim check` prints,
            /// with Poisson arrivals; at 1 the limiting links are offered 100 % of their capacity, and beyond queues
            /// grow for as long as the run lasts. Default none: every node always has a packet waiting.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub load: Option<f64>,
            /// Number of packets that each sending node sends. Default none: nodes send without end.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub packets_per_node: Option<u64>,
            /// Packet size in bytes, or a range [least, most] with sizes uniform over the multiples of a chunk.
            /// Default 256.
            #[serde(default)]
            pub packet_bytes: $crate::options::PacketBytes,
            /// Length of messages in bytes, each of several packets to one target: a number, a range [least, most], a
            /// distribution { bytes = [..], weights = [..] }, or a file with one { path = ".." }. Default: packets alone.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub message_bytes: Option<$crate::options::MessageBytes>,
            /// Bursts: mean cycles in which a node sends and in which it does not, { on_cycles = .., off_cycles = .. }, both of
            /// random length; the load is the mean over both. Default: none, arrivals are Poisson.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub burst: Option<$crate::options::Burst>,
            /// Share of packets with high priority, 0 to 1. Default 0.
            #[serde(default)]
            pub high_priority_share: f64,
            /// Routing of the packets: "adaptive" (minimal, with the escape virtual channel as fallback), "deterministic"
            /// (dimension order, escape virtual channel only), "valiant" (adaptive over a random intermediate node) or "ugal"
            /// (adaptive over one, or minimal, by queues at the source). Default "adaptive".
            #[serde(default)]
            pub routing: $crate::options::Routing,
        ]);
        impl $name {
            fn open_loop_options(&self) -> $crate::options::OpenLoopOptions {
                let Self {
                    load, packets_per_node, packet_bytes, burst, high_priority_share, routing, ..
                } = *self;
                let message_bytes = self.message_bytes.clone();
                $crate::options::OpenLoopOptions {
                    load, packets_per_node, packet_bytes, message_bytes, burst, high_priority_share, routing,
                }
            }
        }
    };
    (@$name:ident [directions $($groups:ident)*] $head:tt [$($fields:tt)*]) => {
        $crate::options::parameters!(@$name [$($groups)*] $head [$($fields)*
            /// Hint bits set by software, one value for each dimension: "minimal" (the shorter direction), "+" or "-"
            /// (always that direction, even the long way round; only where the dimension wraps).
            /// Default: all "minimal".
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub directions: Vec<$crate::options::HintBits>,
        ]);
    };
    (@$name:ident [nas $($groups:ident)*] $head:tt [$($fields:tt)*]) => {
        $crate::options::parameters!(@$name [$($groups)*] $head [$($fields)*
            /// Class of the problem's size: "S", "W", "A", "B", "C" or "D". Default "A".
            #[serde(default)]
            pub class: $crate::options::ProblemClass,
            /// Number of iterations. Default: those of the class.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub iterations: Option<u32>,
            /// Processor cycles that a rank computes in an iteration, in equal parts where the benchmark computes.
            /// Default 0: only communication.
            #[serde(default)]
            pub compute_processor_cycles: u64,
        ]);
    };
    (@$name:ident [] [$($head:tt)*] [$($fields:tt)*]) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        $($head)* { $($fields)* }
    };
}
pub(crate) use parameters;

/// The preferences for this shape that `directions` states.
pub(crate) fn preferences(
    directions: &[HintBits],
    shape: &Shape,
) -> Result<[Preference; MAX_DIMENSIONS], WorkloadError> {
    let mut preferences = [Preference::Minimal; MAX_DIMENSIONS];
    if directions.is_empty() {
        return Ok(preferences);
    }
    require_for_each_dimension("directions", directions.len(), shape)?;
    for (dimension, &hint_bits) in directions.iter().enumerate() {
        let is_open = !shape.wraps(dimension) && shape.length(dimension) > 1;
        require(!is_open || hint_bits == HintBits::Minimal, "directions", || {
            format!("dimension {dimension} does not wrap, so only \"minimal\" reaches every target along it")
        })?;
        let is_twisted = shape.takes_part_in_twist(dimension);
        require(!is_twisted || hint_bits == HintBits::Minimal, "directions", || {
            format!(
                "dimension {dimension} takes part in a twist, so that only \"minimal\" has a meaning along it"
            )
        })?;
        preferences[dimension] = hint_bits.into();
    }
    Ok(preferences)
}

/// Returns an error unless a list has as many values as the shape has dimensions.
pub(crate) fn require_for_each_dimension(
    key: &str,
    values: usize,
    shape: &Shape,
) -> Result<(), WorkloadError> {
    require(values == shape.dimensions(), key, || {
        format!("{values} values, but the machine {shape} needs {}, one a dimension", shape.dimensions())
    })
}

/// Returns an error unless the shape has this dimension.
pub(crate) fn require_dimension(key: &str, dimension: usize, shape: &Shape) -> Result<(), WorkloadError> {
    require(dimension < shape.dimensions(), key, || {
        format!("there is no dimension {dimension}: those of {shape} are 0 to {}", shape.dimensions() - 1)
    })
}

/// Returns an error unless `share` is a number from 0 to 1.
pub(crate) fn require_share(key: &str, share: f64) -> Result<(), WorkloadError> {
    require((0.0..=1.0).contains(&share), key, || format!("{share} is not a share from 0 to 1"))
}
