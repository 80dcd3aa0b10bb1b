//! All-to-all over the whole machine, and what its kin along lines and planes share with it.

use crate::bound::lines;
use crate::options::{ExchangeOptions, HintBits, parameters, preferences};
use crate::plan::{Context, Plan, WorkloadError};
use crate::traffic::exchange::{self, Message};
use crate::traffic::groups::{Group, GroupPeers};

parameters! {
    /// Every node sends a message to every other node.
    ///
    /// Rows S23-S34.
    pub struct AllToAll: exchange directions {
        /// Payload in bytes from each node to each other, in packets of 240 (with a software header of 16). Required.
        pub payload_bytes: u64,
    }
}

impl AllToAll {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let dimensions: Vec<usize> = (0..context.shape().dimensions()).collect();
        let groups = vec![Group::new(context.shape(), &dimensions)];
        plan_groups(context, self.exchange_options(), &self.directions, self.payload_bytes, groups)
    }
}

/// The plan in which each node sends a message to all others of each of its groups.
pub(super) fn plan_groups(
    context: &Context,
    options: ExchangeOptions,
    directions: &[HintBits],
    payload_bytes: u64,
    groups: Vec<Group>,
) -> Result<Plan, WorkloadError> {
    let preferences = preferences(directions, context.shape())?;
    let message = Message::with_payload(payload_bytes, &context.parameters.packet)?;
    let demand = lines::demand(context.parameters, &groups, &preferences);
    exchange::plan(context, options, preferences, GroupPeers { groups }, message, demand)
}
