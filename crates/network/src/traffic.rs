//! The origin of an engine's packets: a source, from which FIFOs or generated software take them, or other software of
//! the nodes.

use crate::fabric::{Fabric, Needs};
use crate::node::generated::GeneratedTraffic;
use crate::node::infinite::InfiniteFifos;
use crate::node::software::NodeSoftware;
use crate::source::Source;
use std::sync::Arc;

/// Builds the software of nodes.
pub trait SoftwareBuilder: Send + Sync {
    /// The software of nodes `first..first + nodes`.
    fn build(&self, fabric: &Fabric, first: u32, nodes: usize) -> Box<dyn NodeSoftware>;

    /// Size of the smallest packet that the software ever writes, in chunks: engines size their queues by it.
    fn smallest_chunks(&self) -> u8;

    /// Whether the software ever writes a high-priority packet: otherwise the VC is not allocated.
    fn uses_high_priority(&self) -> bool {
        false
    }

    /// Whether the software ever writes a packet that leaves copies at the nodes it passes.
    fn deposits(&self) -> bool {
        false
    }

    /// The cores that take part in operations of the collective networks, as bits, by node. None if the software never
    /// uses these networks.
    fn participants(&self) -> Option<Arc<[u64]>> {
        None
    }

    /// The group of each node, if deliveries are to be counted also by groups of nodes. Nodes in no group have
    /// [`NO_GROUP`](crate::fabric::NO_GROUP).
    fn groups(&self) -> Option<Arc<[u16]>> {
        None
    }

    /// The cycle at which each node's time begins, if that is not 0 for all: see
    /// [`Fabric::start_of`](crate::fabric::Fabric::start_of).
    fn starts(&self) -> Option<Arc<[u64]>> {
        None
    }

    /// The number of ranks that a node has.
    fn ranks_at(&self, _node: u32) -> u32 {
        0
    }

    /// Estimated bytes of the software of all nodes.
    fn state_bytes(&self) -> u64 {
        0
    }
}

/// The origin of an engine's packets.
#[derive(Clone)]
pub enum Traffic {
    /// A generator, from which packets are taken as FIFOs have room.
    Generated(Arc<dyn Source>),
    /// Software of the nodes, which writes and reads packets.
    Software(Arc<dyn SoftwareBuilder>),
}

impl Traffic {
    /// Size of the traffic's smallest packet, in chunks.
    pub fn smallest_chunks(&self) -> u8 {
        match self {
            Traffic::Generated(source) => source.smallest_chunks(),
            Traffic::Software(builder) => builder.smallest_chunks(),
        }
    }

    /// Whether any packet will leave copies at the nodes it passes.
    pub fn deposits(&self) -> bool {
        match self {
            Traffic::Generated(source) => source.deposits(),
            Traffic::Software(builder) => builder.deposits(),
        }
    }

    /// Whether software will send new packets in response to those it receives, as a source states it.
    pub fn forwards(&self) -> bool {
        self.source().is_some_and(|source| source.forwards())
    }

    /// Whether any packet will be of high priority.
    pub fn uses_high_priority(&self) -> bool {
        match self {
            Traffic::Generated(source) => source.uses_high_priority(),
            Traffic::Software(builder) => builder.uses_high_priority(),
        }
    }

    /// The group of each node, if deliveries are to be counted by groups of nodes too.
    pub fn groups(&self) -> Option<Arc<[u16]>> {
        match self {
            Traffic::Generated(source) => source.groups(),
            Traffic::Software(builder) => builder.groups(),
        }
    }

    /// The cycle at which each node's time begins, if that is not 0 for all.
    pub fn starts(&self) -> Option<Arc<[u64]>> {
        match self {
            Traffic::Generated(_) => None,
            Traffic::Software(builder) => builder.starts(),
        }
    }

    /// Properties of the traffic on which the tables of the machine depend.
    pub fn needs(&self) -> Needs {
        Needs {
            smallest_chunks: self.smallest_chunks(),
            high_priority: self.uses_high_priority(),
            source_forwards: self.forwards(),
            deposits: self.deposits(),
            participants: match self {
                Traffic::Generated(_) => None,
                Traffic::Software(builder) => builder.participants(),
            },
            other_software: self.source().is_none(),
        }
    }

    /// The software of nodes `first..first + nodes`.
    pub fn software(&self, fabric: &Fabric, first: u32, nodes: usize) -> Box<dyn NodeSoftware> {
        match self {
            Traffic::Generated(source) if fabric.has_generating_cores() => {
                Box::new(GeneratedTraffic::new(fabric, source.clone(), nodes))
            }
            Traffic::Generated(source) => Box::new(InfiniteFifos::new(source.clone(), nodes)),
            Traffic::Software(builder) => builder.build(fabric, first, nodes),
        }
    }

    /// The generator, if packets are generated.
    pub fn source(&self) -> Option<&Arc<dyn Source>> {
        match self {
            Traffic::Generated(source) => Some(source),
            Traffic::Software(_) => None,
        }
    }
}
