//! The global interrupts at a node: wires that join the nodes in a tree.
//!
//! A wire is raised toward the root once every core and every child of the node has raised it. At the root, the wire is
//! then released: the release goes down to all nodes, whose cores can then raise the wire again. Barriers take the
//! wires in turn, so that as many can be under way as there are wires. A node without a core that takes part has its
//! wires raised at all times (assumed: its kernel acts, as all nodes have to).

use super::parameters::InterruptParameters;
use super::route::ClassRoute;
use super::{Event, Here, Recorded};
use serde::{Deserialize, Serialize};

/// The wires of the global interrupts at a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wires {
    /// Cores and children that have raised each wire.
    pub(super) raised: Vec<u8>,
    /// Number of releases up to now.
    pub(super) released: u64,
}

impl Wires {
    /// Wires that are not raised.
    pub(super) fn new(parameters: &InterruptParameters) -> Self {
        Wires { raised: vec![0; parameters.wires.into()], released: 0 }
    }

    /// A core or a child raises a wire.
    pub(super) fn raise(
        &mut self,
        parameters: &InterruptParameters,
        route: &ClassRoute,
        wire: u8,
        here: &mut Here<'_>,
    ) {
        here.record(Recorded::Raise(wire));
        let raised = &mut self.raised[usize::from(wire)];
        *raised += 1;
        if usize::from(*raised) < route.children(here.node).count() + route.cores(here.node).count() {
            return;
        }
        *raised = 0;
        match route.parent(here.node) {
            Some((parent, _)) => here.signal(parent, parameters.up_latency_cycles, Event::Raised(wire)),
            None => here.signal(here.node, 1, Event::Released),
        }
    }

    /// The release of the next wire reaches the node.
    pub(super) fn release(
        &mut self,
        parameters: &InterruptParameters,
        route: &ClassRoute,
        here: &mut Here<'_>,
    ) {
        here.record(Recorded::Release(route.parent(here.node).is_none()));
        self.released += 1;
        for which in route.children(here.node) {
            here.signal(route.child(here.node, which), parameters.down_latency_cycles, Event::Released);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.raised[..])
    }
}
