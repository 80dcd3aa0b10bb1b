//! All-to-all over the whole machine, and the plan that it shares with those in lines and planes.

use crate::bound::lines;
use crate::context::Context;
use crate::error::WorkloadError;
use crate::kind::{Kind, Senders};
use crate::options::{FiniteOptions, HintBits, parameters, preferences};
use crate::plan::Plan;
use crate::targets::groups::{Group, GroupPeers};
use crate::traffic::finite::{self, Message};

parameters! {
    /// Every node sends a message to every other node.
    // Rows S23-S34.
    pub struct AllToAll: finite directions {
        /// Payload in bytes from each node to each other node. Each packet carries some of them behind its header
        /// (`machine.packet`). Required.
        #[schemars(example = 240)]
        pub payload_bytes: u64,
    }
}

impl Kind for AllToAll {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let dimensions: Vec<usize> = (0..context.shape().dimensions()).collect();
        let groups = vec![Group::new(context.shape(), &dimensions)];
        plan_groups(context, self.finite_options(), &self.directions, self.payload_bytes, groups)
    }
}

/// The plan in which each node sends a message to all other members of each of its groups.
pub(super) fn plan_groups(
    context: &Context,
    options: FiniteOptions,
    directions: &[HintBits],
    payload_bytes: u64,
    groups: Vec<Group>,
) -> Result<Plan, WorkloadError> {
    let preferences = preferences(directions, context.shape())?;
    let message = Message::with_payload(payload_bytes, &context.parameters.packet)?;
    let demand = lines::demand(context.parameters, &groups, &preferences);
    let peers = GroupPeers { groups, is_twisted: context.shape().is_twisted() };
    finite::plan(context, options, preferences, peers, message, demand)
}
