//! What the network asks of the software above it: packets to send.
//!
//! The network declares this trait, workloads implement it. A source is a pure function: packet `index` of a lane is
//! the same whoever asks, whenever and however often, so nothing needs to be stored, and a checkpoint of an engine is
//! its counters alone.

use geometry::Hops;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a packet is to be treated on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// Routed in dimension order on the escape channel only.
    pub deterministic: bool,
    /// Sent on the high-priority channel.
    pub high_priority: bool,
    /// The group of reception FIFOs (0 or 1), and so the core, that receives it.
    pub reception_group: u8,
    /// Kept off the escape channel, because something dead lies on its way in dimension order.
    pub dynamic_only: bool,
    /// Whether each node that it passes gets a copy (row S37). Such a packet goes along one dimension, deterministically.
    pub deposit: bool,
}

/// What software that has read a packet sends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Onward {
    /// Nothing: the packet is at its target.
    #[default]
    Ends,
    /// The packet itself, past what is dead, to this node.
    To(u32),
    /// What [`Source::turn`] says of this tag; the packet has been delivered all the same.
    Turns(u32),
}

/// One packet that a node's software wants to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The way to go; at least one hop (a node does not send to itself through the network).
    pub hops: Hops,
    /// Size in chunks of 32 bytes, 1 to the format's largest.
    pub chunks: u8,
    /// How it is treated.
    pub class: Class,
    /// The cycle at which software has it; never less than that of the lane's packet before. 0 says that it has been
    /// waiting from the start: its age then counts from the cycle it heads its FIFO.
    pub ready: u64,
    /// What software at the end of the way makes of the packet.
    pub onward: Onward,
}

/// Which packets of a node a lane carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneKind {
    /// Both priorities, in one sequence: real FIFOs, where software picks one for each packet.
    Mixed,
    /// Normal packets alone: the infinite injection FIFOs for them.
    Normal,
    /// High-priority packets alone: the infinite injection FIFOs for them.
    HighPriority,
}

/// A sequence of packets of one node: its whole sequence, or every `lanes`-th packet of it.
///
/// Infinite injection FIFOs share a lane of each priority; with real ones each core is a lane whose packets go to the
/// FIFO that the choice rule names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The sending node.
    pub node: u32,
    /// What it carries.
    pub kind: LaneKind,
    /// Which lane of its kind, from 0.
    pub number: u32,
    /// How many lanes of its kind share the node's sequence.
    pub lanes: u32,
}

impl Lane {
    /// The number of the lane's packet `index` in the node's sequence, which all lanes of a kind share out in turn.
    pub fn sequence(&self, index: u64) -> u64 {
        index * u64::from(self.lanes) + u64::from(self.number)
    }
}

/// A generator of packets.
pub trait Source: Send + Sync {
    /// Packet `index` (from 0) of `lane`, or none when the lane has ended. `previous_ready` is `ready` of the lane's
    /// packet before (0 for the first), from which Poisson arrivals count.
    fn offer(&self, lane: Lane, index: u64, previous_ready: u64) -> Option<Offer>;

    /// The smallest packet it ever offers, in chunks: the engines size their queues by it.
    fn smallest_chunks(&self) -> u8;

    /// Whether it ever offers a high-priority packet: the channel is not allocated otherwise.
    fn uses_high_priority(&self) -> bool {
        false
    }

    /// Whether it ever offers a packet with the deposit bit.
    fn deposits(&self) -> bool {
        false
    }

    /// Whether what software has received ever makes it send other packets, as at the corners of a broadcast. If so, all
    /// offers are [`Onward::Turns`], on machines with nothing dead.
    fn turns(&self) -> bool {
        false
    }

    /// What software of `node` sends when it has read a packet with `tag`: packet `index` (from 0) of those, or none when
    /// there are no more. Software writes them all before it reads on, so that nothing has to be kept elsewhere.
    fn turn(&self, _node: u32, _tag: u32, _index: u32) -> Option<Offer> {
        None
    }
}

/// Where an engine's packets come from.
#[derive(Clone)]
pub enum Traffic {
    /// A generator: asked for packets as FIFOs have room.
    Generated(Arc<dyn Source>),
    /// Packets posted one by one through [`crate::Engine::post`], each reported when delivered.
    Posted {
        /// The smallest packet that will ever be posted, in chunks.
        smallest_chunks: u8,
        /// Whether any will be of high priority.
        high_priority: bool,
    },
}

impl Traffic {
    /// The smallest packet it will ever hold, in chunks.
    pub fn smallest_chunks(&self) -> u8 {
        match self {
            Traffic::Generated(source) => source.smallest_chunks(),
            Traffic::Posted { smallest_chunks, .. } => *smallest_chunks,
        }
    }

    /// Whether any packet will leave copies at the nodes that it passes.
    pub fn deposits(&self) -> bool {
        matches!(self, Traffic::Generated(source) if source.deposits())
    }

    /// Whether what software has received will make it send other packets.
    pub fn turns(&self) -> bool {
        matches!(self, Traffic::Generated(source) if source.turns())
    }

    /// Whether any packet will be of high priority.
    pub fn uses_high_priority(&self) -> bool {
        match self {
            Traffic::Generated(source) => source.uses_high_priority(),
            Traffic::Posted { high_priority, .. } => *high_priority,
        }
    }
}
