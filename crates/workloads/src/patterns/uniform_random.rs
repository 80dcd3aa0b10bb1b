//! Uniform random traffic.

use crate::bound::lines;
use crate::options::{parameters, preferences};
use crate::plan::{Context, Plan, WorkloadError};
use crate::traffic::sender::{PacketDraws, Way};
use crate::traffic::stream::{self, Targets};
use network::draws::{Purpose, pick};

parameters! {
    /// Every node sends packets to targets drawn uniformly from all other nodes.
    ///
    /// Rows S19, S20.
    pub struct UniformRandom: stream directions {}
}

impl UniformRandom {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let preferences = preferences(&self.directions, context.shape())?;
        let demand = lines::uniform_demand(context.parameters, &preferences);
        let targets = Everyone { nodes: context.shape().nodes() };
        stream::plan(context, self.stream_options(), preferences, targets, demand)
    }
}

/// All nodes but the sender.
pub(super) struct Everyone {
    pub nodes: u32,
}

impl Everyone {
    /// One of them, from random bits; there are at least two nodes.
    pub(super) fn target(&self, node: u32, bits: u32) -> u32 {
        let other = pick(bits, self.nodes - 1);
        other + (other >= node) as u32
    }
}

impl Targets for Everyone {
    fn way(&self, node: u32, draws: &PacketDraws) -> Option<Way> {
        Some(Way::To(self.target(node, draws.bits(Purpose::Target))))
    }
}
