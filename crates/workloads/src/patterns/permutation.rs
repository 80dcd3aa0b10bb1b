//! Permutations: every node sends to one other, and receives from one.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{Kind, Senders};
use crate::options::{parameters, preferences};
use crate::plan::Plan;
use crate::targets::{FixedRoute, Route};
use crate::traffic::fixed;
use base::draws::{NodeKey, Purpose};
use base::permutation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A permutation by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PermutationOrder {
    /// Drawn by the seed.
    #[default]
    Random,
    /// The bits of the node's number in reverse.
    BitReversal,
    /// The bits of the node's number rotated to the left by one.
    Shuffle,
    /// From the last number down.
    Reversal,
}

parameters! {
    /// Every node sends to one other, by a permutation of all nodes: random, by a rule, or own.
    ///
    /// Nodes that would send to themselves send nothing.
    pub struct Permutation: open_loop directions {
        /// The permutation: "random" (by the seed), "bit-reversal" or "shuffle" (of the bits of a node's number; the number
        /// of nodes is a power of two), or "reversal" (of the order of nodes). Default "random".
        #[serde(default)]
        pub order: PermutationOrder,
        /// Own permutation: the target of each node in order of numbers. A node that is its own target sends nothing.
        /// Default: that of order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub targets: Vec<u32>,
        /// File with an own permutation: CSV, Parquet or NumPy with the headings source and target. Results have it as
        /// targets. Default: that of order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub path: Option<String>,
    }
}

impl Kind for Permutation {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        require(self.path.is_none(), "path", || "the file has not been read".into())?;
        let preferences = preferences(&self.directions, context.shape())?;
        let nodes = context.shape().nodes();
        let targets = match self.targets.is_empty() {
            true => self.order.targets(nodes, context.parameters.seed)?,
            false => own(&self.targets, nodes, self.order)?,
        };
        fixed::plan(context, &self.open_loop_options(), preferences, Targets(targets))
    }
}

impl PermutationOrder {
    fn targets(self, nodes: u32, seed: u64) -> Result<Vec<u32>, WorkloadError> {
        let bits = nodes.trailing_zeros();
        let uses_bits = matches!(self, PermutationOrder::BitReversal | PermutationOrder::Shuffle);
        require(!uses_bits || nodes.is_power_of_two(), "order", || {
            format!("permutes the bits of a node's number, but {nodes} nodes are no power of two")
        })?;
        // Draws of nodes have their numbers as times. The last is the number of no node.
        let key = NodeKey::new(seed, 0).draw64(Purpose::Order, u64::MAX, 1);
        let drawn = permutation::Permutation::new(nodes.into(), key);
        let target = |node: u32| match self {
            PermutationOrder::Random => drawn.at(node.into()) as u32,
            PermutationOrder::BitReversal if bits == 0 => node,
            PermutationOrder::BitReversal => node.reverse_bits() >> (u32::BITS - bits),
            PermutationOrder::Shuffle => (node << 1 | node >> bits.saturating_sub(1)) & (nodes - 1),
            PermutationOrder::Reversal => nodes - 1 - node,
        };
        Ok((0..nodes).map(target).collect())
    }
}

/// Checks an own permutation.
fn own(targets: &[u32], nodes: u32, order: PermutationOrder) -> Result<Vec<u32>, WorkloadError> {
    require(order == PermutationOrder::default(), "order", || {
        "targets says already where packets go: only one of both can be given".into()
    })?;
    require(targets.len() == nodes as usize, "targets", || {
        format!("{} targets, but the machine has {nodes} nodes: one each", targets.len())
    })?;
    let mut senders = vec![None; nodes as usize];
    for (node, &target) in targets.iter().enumerate() {
        let key = format!("targets[{node}]");
        require(target < nodes, &key, || format!("there is no node {target}: from 0 to {}", nodes - 1))?;
        if let Some(other) = senders[target as usize].replace(node) {
            let problem = format!("node {target} is the target of node {other} too: each receives from one");
            return Err(WorkloadError::new(&key, problem));
        }
    }
    Ok(targets.to_vec())
}

struct Targets(Vec<u32>);

impl FixedRoute for Targets {
    fn route_of(&self, node: u32) -> Option<Route> {
        let target = self.0[node as usize];
        (target != node).then_some(Route::To(target))
    }
}
