//! Tasks: the work of cores. A core does one task at a time; the sequence of its tasks is its time line.
//!
//! # To add one
//!
//! 1. A variant of `Task`, which `Scheduler::begin` begins and `Scheduler::end` ends.
//! 2. Its `Activity` (`time_lines/mod.rs`) with its name, which files of time lines show.
//! 3. A comparison of time lines in `tests/layer.rs`.

use crate::protocol::Kind;
use crate::ranks::Message;
use network::collective::RouteName;
use network::collective::tree::Packet as TreePacket;
use network::node::fifos::Received;
use network::node::forward::Forwarded;
use network::packet::Stored;
use serde::{Deserialize, Serialize};

/// A task of a core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Task {
    /// The core writes a packet. If it is the last packet of a message, and the rank is to be notified that it has been
    /// written, `reports` is that message.
    Write { fifo: usize, packet: Stored, reports: Option<u32> },
    /// The core reads a packet.
    Read(Received),
    /// The core takes a packet that its co-processor has read, or that the DMA engine has moved to a FIFO in memory.
    Take(Stored),
    /// The core writes the descriptor of a message for the DMA engine.
    Describe,
    /// The core gives its co-processor a packet to write. The packet is boxed to keep the size of `Task` small.
    Give(Box<Given>),
    /// The core receives a message from another rank of its node.
    Local(Local),
    /// The core writes a packet to the tree network.
    WriteTree(TreePacket),
    /// The core reads a packet from the tree network.
    ReadTree(TreePacket),
    /// The core raises a wire of the global interrupts, of those of a route. The number counts those that it has raised
    /// before.
    Raise { on: RouteName, number: u64 },
    /// The core sees that a wire of a route has been released.
    SeeRelease(RouteName),
    /// The rank of the core is in a call.
    Call,
    /// The rank of the core computes.
    Compute,
    /// The core enters an interrupt: it saves its state. It does the work of the interrupt after this task.
    Interrupt,
}

/// A packet for a co-processor to write. `reports` has the meaning that it has in [`Task::Write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Given {
    pub packet: Forwarded,
    pub reports: Option<u32>,
}

/// A message between two ranks of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Local {
    pub message: Message,
    /// Whether it is eager or a request to send.
    pub kind: Kind,
    /// Whether the sender is to be notified when the message is complete.
    pub reports: bool,
}
