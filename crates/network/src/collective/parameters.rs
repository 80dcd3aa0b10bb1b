//! The parameters of the collective networks.

use super::routes::MAX_CLASSES;
use base::{ParameterError, range};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The most children of a node in a tree.
pub(crate) const MAX_ARITY: u8 = 8;

// Row N1.
/// The tree network, which combines and broadcasts packets; every node has a link up and some links down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeParameters {
    /// Maximum number of children of a node, 1 to 8. The live nodes, in order of their numbers, are the places of a
    /// complete tree.
    pub arity: u8,
    /// Bytes that a link carries in a cycle, in each direction.
    pub bytes_per_cycle: u32,
    /// Cycles from the start of a transfer until the next node can forward or combine the packet. Credits take as long.
    pub hop_latency_cycles: u32,
    /// Data of a packet in bytes; all packets are of one size.
    pub payload_bytes: u32,
    /// Header and trailer of a packet in bytes.
    pub overhead_bytes: u32,
    /// Packets that the buffer at the end of a link holds.
    pub buffer_packets: u8,
    /// Packets that an injection or reception FIFO of a core holds.
    pub fifo_packets: u8,
    /// Class routes, 1 to 16: communicators that can use the network at a time. MPI_COMM_WORLD has the first. Default 1.
    #[serde(default = "one")]
    pub class_routes: u8,
}

fn one() -> u8 {
    1
}

impl TreeParameters {
    /// Cycles for which a packet occupies a link.
    pub fn packet_cycles(&self) -> u32 {
        (self.payload_bytes + self.overhead_bytes).div_ceil(self.bytes_per_cycle)
    }

    /// Number of packets for `bytes` bytes of data; an operation without data takes one packet.
    pub fn packets(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.payload_bytes.into()).max(1)
    }

    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        range("tree.arity", self.arity.into(), 1, MAX_ARITY.into())?;
        range("tree.bytes_per_cycle", self.bytes_per_cycle, 1, 1000)?;
        range("tree.hop_latency_cycles", self.hop_latency_cycles, 1, 1_000_000)?;
        range("tree.payload_bytes", self.payload_bytes, 1, 65_536)?;
        range("tree.overhead_bytes", self.overhead_bytes, 0, 4096)?;
        range("tree.buffer_packets", self.buffer_packets.into(), 1, u8::MAX.into())?;
        range("tree.fifo_packets", self.fifo_packets.into(), 1, u8::MAX.into())?;
        range("tree.class_routes", self.class_routes.into(), 1, MAX_CLASSES.into())
    }
}

// Row N2.
/// The global interrupts: wires that report to all nodes that all have raised them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterruptParameters {
    /// Maximum number of nodes whose wires are joined at a node, 1 to 8. The live nodes, in order of their numbers, are
    /// the places of a complete tree.
    pub arity: u8,
    /// Wires: barriers that can be under way at a time.
    pub wires: u8,
    /// Wires for communicators other than MPI_COMM_WORLD, one each; at least one is left for MPI_COMM_WORLD. Default 0.
    #[serde(default)]
    pub communicator_wires: u8,
    /// Cycles in which a raised wire reaches the next node toward the root.
    pub up_latency_cycles: u32,
    /// Cycles in which the release of a wire reaches the next node away from the root.
    pub down_latency_cycles: u32,
}

impl InterruptParameters {
    /// The wires of MPI_COMM_WORLD, which is class 0, or of another communicator by its class.
    pub fn wires_of(&self, class: u8) -> Range<u8> {
        let of_world = self.wires - self.communicator_wires;
        match class.checked_sub(1) {
            None => 0..of_world,
            Some(before) => of_world + before..self.wires.min(of_world + class),
        }
    }

    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        range("interrupts.arity", self.arity.into(), 1, MAX_ARITY.into())?;
        range("interrupts.wires", self.wires.into(), 1, 64)?;
        let most = (self.wires - 1).min(MAX_CLASSES - 1);
        range("interrupts.communicator_wires", self.communicator_wires.into(), 0, most.into())?;
        range("interrupts.up_latency_cycles", self.up_latency_cycles, 1, 1_000_000)?;
        range("interrupts.down_latency_cycles", self.down_latency_cycles, 1, 1_000_000)
    }
}
