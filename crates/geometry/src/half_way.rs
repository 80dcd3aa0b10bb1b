//! The direction of packets whose target lies exactly half-way round a ring: both directions are equally long.
//!
//! # To add a rule
//!
//! 1. A variant of `HalfWay`, whose doc comment is what users see.
//! 2. Its arms below, which the compiler asks for.
//! 3. A row in `docs/models/network.md`: `tests/test_pages.py` asks for it.

use crate::Coordinates;
use base::draws::NodeKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rule that chooses between the two directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HalfWay {
    /// Each packet draws its direction; packets of messages that are sent in order share one draw for each pair of
    /// nodes.
    #[default]
    PerPacket,
    /// All packets from a node to another take the direction that is drawn for this pair.
    PerPair,
    // Blue Gene/L's torus logic: "a set of two registers per dimension is used to determine the appropriate directions"
    // (JRD, section "Torus network"). That neighbors get opposite directions is assumed: all links are loaded alike then.
    /// All packets of a node take the direction that its registers give: plus from even coordinates, minus from odd ones.
    Registers,
}

impl HalfWay {
    /// All rules.
    pub const ALL: [Self; 3] = [HalfWay::PerPacket, HalfWay::PerPair, HalfWay::Registers];

    /// Whether this is the rule of machines that do not state one.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether packets to the same target may take either direction.
    pub(crate) fn draws_each_packet(self) -> bool {
        match self {
            HalfWay::PerPacket => true,
            HalfWay::PerPair | HalfWay::Registers => false,
        }
    }

    /// The share of packets that go plus from a node with this coordinate in the ring's dimension; none if it depends on
    /// their targets.
    pub(crate) fn share_of_plus(self, coordinate: u32) -> Option<f64> {
        match self {
            HalfWay::PerPacket => Some(0.5),
            HalfWay::PerPair => None,
            HalfWay::Registers => Some(f64::from(!coordinate & 1)),
        }
    }

    /// The directions of a packet from the node at `from`: bit `d` for dimension `d` (1 is plus). The packet has drawn
    /// the bits `drawn`.
    #[inline]
    pub(crate) fn coin(self, seed: u64, (source, target): (u32, u32), from: &Coordinates, drawn: u32) -> u32 {
        match self {
            HalfWay::PerPacket => drawn,
            HalfWay::PerPair => NodeKey::new(seed, source).directions_to(target),
            HalfWay::Registers => {
                let is_even = |(dimension, coordinate): (usize, &u32)| (!coordinate & 1) << dimension;
                from.iter().enumerate().map(is_even).fold(0, |coin, bit| coin | bit)
            }
        }
    }
}
