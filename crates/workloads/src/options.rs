//! The options that many patterns share, each described once.
//!
//! ```text
//!   parameters! { pub struct AllToAll: exchange directions { its own fields } }
//!                                      |        +-- directions
//!                                      +-- order, packets_per_visit, priority, routing
//!   parameters! { pub struct Tornado: stream directions { .. } }
//!                                     +-- load, packets_per_node, packet_bytes, high_priority_share, routing
//! ```
//!
//! The macro puts the shared fields into each pattern's struct, where `#[serde(flatten)]` would have been shorter:
//! flattening loses the path and the list of known keys in the message about a bad one.

use crate::plan::{WorkloadError, require};
use geometry::{MAX_DIMENSIONS, Preference, Shape};
use network::LaneKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How packets find their way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// Minimal adaptive, on the dynamic channels.
    #[default]
    Adaptive,
    /// In dimension order, on the escape channel only.
    Deterministic,
}

/// Which channel packets use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    /// The normal channels.
    #[default]
    Normal,
    /// The high-priority channel.
    High,
}

impl Priority {
    /// Whether a lane of this kind carries such packets.
    pub(crate) fn is_carried_by(self, kind: LaneKind) -> bool {
        match kind {
            LaneKind::Mixed => true,
            LaneKind::Normal => self == Priority::Normal,
            LaneKind::HighPriority => self == Priority::High,
        }
    }
}

/// How software sets the hint bits of a dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum HintBits {
    /// The shortest way.
    #[default]
    #[serde(rename = "minimal")]
    Minimal,
    /// Always plus, the long way round if need be.
    #[serde(rename = "+")]
    Plus,
    /// Always minus, the long way round if need be.
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

/// In which order a node visits its targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// A random order, another for each node.
    #[default]
    Random,
    /// By number, each node starting behind its own.
    Rotating,
    /// By number, every node starting with the lowest.
    Identity,
}

/// How many packets of a pair are sent before the next target's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "packets_per_visit is an integer from 1, or \"all\"")]
pub enum PacketsPerVisit {
    /// So many; then the next target, and the whole order again until all packets have gone.
    Number(u64),
    /// All packets of the pair in a row.
    Word(All),
}

/// The word "all".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum All {
    /// All.
    #[serde(rename = "all")]
    All,
}

impl Default for PacketsPerVisit {
    fn default() -> Self {
        PacketsPerVisit::Number(1)
    }
}

/// Sizes of packets: one, or a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "packet_bytes is a number of bytes such as 256, or a range such as [32, 256]")]
pub enum PacketBytes {
    /// All of one size.
    Fixed(u32),
    /// Uniform over the whole chunks from the first to the second.
    Range([u32; 2]),
}

impl Default for PacketBytes {
    fn default() -> Self {
        PacketBytes::Fixed(256)
    }
}

/// Options of patterns in which each pair of nodes exchanges a given amount.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ExchangeOptions {
    pub order: Order,
    pub packets_per_visit: PacketsPerVisit,
    pub priority: Priority,
    pub routing: Routing,
}

/// Options of patterns in which each node sends a stream of packets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StreamOptions {
    pub load: Option<f64>,
    pub packets_per_node: Option<u64>,
    pub packet_bytes: PacketBytes,
    pub high_priority_share: f64,
    pub routing: Routing,
}

/// Declares a pattern's parameters: the groups of shared fields named behind the colon, and its own.
macro_rules! parameters {
    (#[doc = $summary:literal] $(#[$meta:meta])*
     pub struct $name:ident: $($groups:ident)* { $($own:tt)* }) => {
        impl $name {
            /// What it is, in one sentence.
            pub(crate) const SUMMARY: &str = $summary.trim_ascii();
        }
        $crate::options::parameters!(@$name [$($groups)*]
            [#[doc = $summary] $(#[$meta])* pub struct $name] [$($own)*]);
    };
    (@$name:ident [exchange $($groups:ident)*] $head:tt [$($fields:tt)*]) => {
        $crate::options::parameters!(@$name [$($groups)*] $head [$($fields)*
            /// Order in which a node visits its targets: "random" (another for each node), "rotating" (by number,
            /// starting behind its own) or "identity" (by number). Default "random".
            #[serde(default)]
            pub order: $crate::options::Order,
            /// Packets of a pair sent before the next target's turn: an integer from 1, or "all". The order is repeated
            /// until all have gone. Default 1.
            #[serde(default)]
            pub packets_per_visit: $crate::options::PacketsPerVisit,
            /// "normal" or "high". Default "normal".
            #[serde(default)]
            pub priority: $crate::options::Priority,
            /// "adaptive", or "deterministic" (dimension order, escape channel only). Default "adaptive".
            #[serde(default)]
            pub routing: $crate::options::Routing,
        ]);
        impl $name {
            fn exchange_options(&self) -> $crate::options::ExchangeOptions {
                let Self { order, packets_per_visit, priority, routing, .. } = *self;
                $crate::options::ExchangeOptions { order, packets_per_visit, priority, routing }
            }
        }
    };
    (@$name:ident [stream $($groups:ident)*] $head:tt [$($fields:tt)*]) => {
        $crate::options::parameters!(@$name [$($groups)*] $head [$($fields)*
            /// Offered load, as a share of the theoretical peak (1 offers the limiting links 100 %), with Poisson
            /// arrivals. Default none: every node always has a packet waiting.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub load: Option<f64>,
            /// Packets that each sending node sends. Default none: they never end.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub packets_per_node: Option<u64>,
            /// Size of packets in bytes, or a range [least, most], uniform over whole chunks. Default 256.
            #[serde(default)]
            pub packet_bytes: $crate::options::PacketBytes,
            /// Share of packets sent with high priority, 0 to 1. Default 0.
            #[serde(default)]
            pub high_priority_share: f64,
            /// "adaptive", or "deterministic" (dimension order, escape channel only). Default "adaptive".
            #[serde(default)]
            pub routing: $crate::options::Routing,
        ]);
        impl $name {
            fn stream_options(&self) -> $crate::options::StreamOptions {
                let Self { load, packets_per_node, packet_bytes, high_priority_share, routing, .. } = *self;
                $crate::options::StreamOptions {
                    load, packets_per_node, packet_bytes, high_priority_share, routing,
                }
            }
        }
    };
    (@$name:ident [directions $($groups:ident)*] $head:tt [$($fields:tt)*]) => {
        $crate::options::parameters!(@$name [$($groups)*] $head [$($fields)*
            /// Hint bits set by software, one for each dimension: "minimal", "+" or "-" (the long way round if need
            /// be; only where the dimension wraps). Default: all "minimal".
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub directions: Vec<$crate::options::HintBits>,
        ]);
    };
    (@$name:ident [] [$($head:tt)*] [$($fields:tt)*]) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        $($head)* { $($fields)* }
    };
}
pub(crate) use parameters;

/// The preferences that `directions` states for this shape.
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
        preferences[dimension] = hint_bits.into();
    }
    Ok(preferences)
}

/// An error unless a list has as many values as the shape has dimensions.
pub(crate) fn require_for_each_dimension(
    key: &str,
    values: usize,
    shape: &Shape,
) -> Result<(), WorkloadError> {
    require(values == shape.dimensions(), key, || {
        format!("{values} values, but the machine {shape} needs {}, one a dimension", shape.dimensions())
    })
}

/// An error unless `dimension` is one of the shape's.
pub(crate) fn require_dimension(key: &str, dimension: usize, shape: &Shape) -> Result<(), WorkloadError> {
    require(dimension < shape.dimensions(), key, || {
        format!("there is no dimension {dimension}: those of {shape} are 0 to {}", shape.dimensions() - 1)
    })
}

/// An error unless `share` is a number from 0 to 1.
pub(crate) fn require_share(key: &str, share: f64) -> Result<(), WorkloadError> {
    require((0.0..=1.0).contains(&share), key, || format!("{share} is not a share from 0 to 1"))
}
