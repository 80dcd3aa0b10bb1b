//! Tasks: what occupies a time line.
//!
//! # To add one
//!
//! 1. A variant of `Task`, which `Scheduler::begin` begins and `Scheduler::end` ends.
//! 2. Its `Activity` (`time_lines/mod.rs`) with its name, which files of time lines show.
//! 3. A comparison of time lines in `tests/layer.rs`.

use crate::protocol::Kind;
use crate::ranks::Message;
use network::collective::tree::Packet as TreePacket;
use network::node::fifos::Received;
use network::node::forward::Forwarded;
use network::packet::Stored;
use serde::{Deserialize, Serialize};

/// The task of a core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Task {
    /// It writes a packet; `reports` is the message whose last packet it is, if the rank is to be notified of that.
    Write { fifo: usize, packet: Stored, reports: Option<u32> },
    /// It reads a packet.
    Read(Received),
    /// It takes a packet from its co-processor, or from the FIFO to which the DMA engine moves packets.
    Take(Stored),
    /// It writes a descriptor of a message for the DMA engine.
    Describe,
    /// It gives its co-processor a packet to write. The packet is boxed, so that other tasks are short.
    Give(Box<Given>),
    /// It receives a message of another rank of its node.
    Local(Local),
    /// It writes a packet of the tree network.
    WriteTree(TreePacket),
    /// It reads a packet of the tree network.
    ReadTree(TreePacket),
    /// It raises a wire of the global interrupts; the number counts the wires raised before.
    Raise(u64),
    /// It sees that a wire has been released.
    SeeRelease,
    /// The rank of the core is in a call.
    Call,
    /// The rank of the core computes.
    Compute,
    /// The core is interrupted, and does the work of the interrupt when this task ends.
    Interrupt,
}

/// A packet that a co-processor writes; `reports` as in [`Task::Write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Given {
    pub packet: Forwarded,
    pub reports: Option<u32>,
}

/// A message between ranks of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Local {
    pub message: Message,
    /// Eager, or a request to send.
    pub kind: Kind,
    /// Whether its sender is to be notified when it is complete.
    pub reports: bool,
}
