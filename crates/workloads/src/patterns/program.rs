//! Program: ranks run a program outside the simulator. No scenario of a user states it, as it does not contain the program.

use crate::plan::{Context, Plan, PlannedTraffic, RankWork, WorkloadError, require};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ranks run a program in Python.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Name of its main function. Required.
    pub name: String,
    /// The module that defines it. Required.
    pub module: String,
    /// Number of ranks. Required.
    pub ranks: u32,
    /// The order in which ranks are placed on the machine: "XYZT" (one on each node, x first, then on the second cores in
    /// the same order). Default "XYZT".
    #[serde(default)]
    pub mapping: Mapping,
}

/// Orders in which ranks are placed on a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Mapping {
    /// Along x, then y, then z, then the cores.
    #[default]
    #[serde(rename = "XYZT")]
    Xyzt,
}

impl Program {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let live = context.shape().nodes() - context.parameters.faults.nodes().len() as u32;
        let most = u64::from(live) * u64::from(context.parameters.node.cores);
        require((1..=most).contains(&self.ranks.into()), "ranks", || {
            format!("a machine {} has from 1 to {most} ranks, one for each core", context.shape())
        })?;
        let Mapping::Xyzt = self.mapping;
        Ok(Plan {
            traffic: PlannedTraffic::Ranks(RankWork::Program { ranks: self.ranks }),
            bound: None,
            total_packets: None,
            mean_hops: None,
            offered_packets_per_cycle: None,
            ends: true,
        })
    }
}
