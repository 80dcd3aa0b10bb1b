//! The interface to the software above the network: a source of packets to send.
//!
//! The network declares this trait; workloads implement it. A source is a pure function: packet `index` of a lane is
//! the same whenever and however often it is requested. The source thus needs no state, and a checkpoint stores only
//! how many packets of each lane have been taken.

use crate::detour::Detour;
use geometry::Hops;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The treatment of a packet by the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// Whether the packet is routed in dimension order on the escape VC only.
    pub deterministic: bool,
    /// Whether the packet goes over the high-priority VC.
    pub high_priority: bool,
    /// The group of reception FIFOs (0 or 1) that receives the packet, and so the core.
    pub reception_group: u8,
    /// Whether the packet must avoid the escape VC, because something dead lies on its route in dimension order.
    pub adaptive_only: bool,
    /// Whether each node that the packet passes gets a copy (row S37). Such a packet travels along one dimension,
    /// deterministically.
    pub deposit: bool,
}

/// The packets that software forwards after it has read a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForwardAction {
    /// Nothing: the packet is at its target.
    #[default]
    Consume,
    /// The packet itself goes on to this node, past dead nodes and links.
    RelayTo(u32),
    /// Software sends the packets of [`Source::forwarded`] for this tag. The packet that was read counts as delivered.
    Forward(u32),
}

impl ForwardAction {
    /// The code in the tag of a packet; [`Fabric::forward_action`](crate::fabric::Fabric::forward_action) decodes it.
    pub fn code(self) -> u32 {
        match self {
            ForwardAction::Consume => 0,
            ForwardAction::RelayTo(node) => node + 1,
            ForwardAction::Forward(tag) => tag,
        }
    }

    /// Whether the packet itself goes on, so that it has not been delivered.
    #[inline]
    pub fn is_relay(self) -> bool {
        match self {
            ForwardAction::RelayTo(_) => true,
            ForwardAction::Consume | ForwardAction::Forward(_) => false,
        }
    }
}

/// One packet that a node's software wants to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The hops to make, at least one: a node does not send to itself through the network.
    pub hops: Hops,
    /// Size in chunks, 1 to the format's maximum.
    pub chunks: u8,
    /// The treatment of the packet by the network.
    pub class: Class,
    /// The cycle from which software has the packet. It is never less than that of the lane's previous packet. If it is
    /// 0, the packet has been waiting since cycle 0. Its age then counts from the cycle in which it becomes the head
    /// packet of its FIFO.
    pub ready: u64,
    /// The action of the receiving software on the packet.
    pub forward_action: ForwardAction,
}

/// The packets of a node that a lane carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaneKind {
    /// Both priorities in one sequence: for finite FIFOs, where software chooses one for each packet.
    Mixed,
    /// Normal packets only, for the infinite injection FIFOs of normal priority.
    Normal,
    /// High-priority packets only, for the infinite injection FIFOs of high priority.
    HighPriority,
}

impl LaneKind {
    /// Whether the lane's packets are for the infinite injection FIFOs of high priority.
    #[inline]
    pub fn is_high_priority(self) -> bool {
        match self {
            LaneKind::HighPriority => true,
            LaneKind::Mixed | LaneKind::Normal => false,
        }
    }
}

/// A sequence of packets of one node: its whole sequence, or every `lanes`-th packet of it.
///
/// Infinite injection FIFOs share one lane for each priority. With finite FIFOs each core has a lane, whose packets go
/// to the FIFO that the choice rule selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The sending node.
    pub node: u32,
    /// The packets that the lane carries.
    pub kind: LaneKind,
    /// The lane's number among the lanes of its kind, from 0.
    pub number: u32,
    /// Number of lanes of this kind that share the node's sequence.
    pub lanes: u32,
}

impl Lane {
    /// The number of the lane's packet `index` in the node's sequence, which the lanes of a kind take in turn.
    pub fn sequence(&self, index: u64) -> u64 {
        index * u64::from(self.lanes) + u64::from(self.number)
    }
}

/// A generator of packets.
pub trait Source: Send + Sync {
    /// Packet `index` (from 0) of `lane`, or none if the lane has ended. `previous_ready` is `ready` of the lane's
    /// previous packet (0 for the first), from which Poisson arrivals count.
    fn offer(&self, lane: Lane, index: u64, previous_ready: u64) -> Option<Offer>;

    /// The non-minimal route of packet `index` of `lane`, if it may take one, on machines whose routers have
    /// [`detours`](crate::parameters::RouterParameters::detours). Only packets of normal priority without a relay may
    /// take one.
    fn detour(&self, _lane: Lane, _index: u64) -> Option<Detour> {
        None
    }

    /// Size of the smallest packet that the source ever offers, in chunks: engines size their queues by it.
    fn smallest_chunks(&self) -> u8;

    /// Whether the source ever offers a high-priority packet: otherwise the VC is not allocated.
    fn uses_high_priority(&self) -> bool {
        false
    }

    /// The group of each node, if deliveries are to be counted also by groups of nodes. Nodes in no group have
    /// [`NO_GROUP`](crate::fabric::NO_GROUP).
    fn groups(&self) -> Option<Arc<[u16]>> {
        None
    }

    /// Whether the source ever offers a packet with the deposit bit.
    fn deposits(&self) -> bool {
        false
    }

    /// Whether software ever sends new packets in response to those that it receives, as at the corners of a broadcast.
    /// If so, all offers are [`ForwardAction::Forward`], and nothing in the machine is dead.
    fn forwards(&self) -> bool {
        false
    }

    /// Packet `index` (from 0) of those that software of `node` sends after it has read a packet with `tag`. None if
    /// there are no more. Software writes them all before it reads the next packet, so that nothing has to be stored
    /// elsewhere.
    fn forwarded(&self, _node: u32, _tag: u32, _index: u32) -> Option<Offer> {
        None
    }
}
