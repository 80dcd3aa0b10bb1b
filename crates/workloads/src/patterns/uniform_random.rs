//! Uniform random traffic.

use crate::bound::{detours, lines};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::kind::{Kind, Senders};
use crate::options::{Routing, parameters, preferences};
use crate::plan::Plan;
use crate::targets::Route;
use crate::traffic::open_loop::{self, Targets};
use crate::traffic::sender::PacketDraws;
use base::draws::{Purpose, pick};

parameters! {
    /// Every node sends packets to targets drawn uniformly from all other nodes.
    // Rows S19, S20.
    pub struct UniformRandom: open_loop directions {}
}

impl Kind for UniformRandom {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let preferences = preferences(&self.directions, context.shape())?;
        let nodes = context.shape().nodes();
        let demand = match self.routing {
            // Each node sends and receives alike, regardless of its peers.
            Routing::Valiant => detours::demand(context.parameters, (0..nodes).map(|node| (node, node))),
            // No routing beats the bound of minimal routing.
            Routing::Adaptive | Routing::Deterministic | Routing::Ugal => {
                lines::uniform_demand(context.parameters, &preferences)
            }
        };
        let targets = AllOthers { nodes };
        open_loop::plan(context, &self.open_loop_options(), preferences, targets, demand)
    }
}

/// All nodes except the sender.
pub(super) struct AllOthers {
    pub nodes: u32,
}

impl AllOthers {
    /// A target chosen by random bits; there must be at least two nodes.
    pub(super) fn target(&self, node: u32, bits: u32) -> u32 {
        let other = pick(bits, self.nodes - 1);
        other + (other >= node) as u32
    }
}

impl Targets for AllOthers {
    fn route(&self, node: u32, draws: &PacketDraws) -> Option<Route> {
        Some(Route::To(self.target(node, draws.bits(Purpose::Target))))
    }
}
