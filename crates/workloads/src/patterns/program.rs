//! Program: ranks run a program outside the simulator. No scenario of a user states it, as it does not contain the program.

use crate::context::Context;
use crate::error::WorkloadError;
use crate::plan::{Plan, PlannedTraffic};
use crate::ranks::RankWork;
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
}

impl Program {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let ranks = context.placement.ranks.unwrap_or_else(|| context.most_ranks());
        let map = context.placement.place(ranks, &[], context.parameters)?;
        Ok(Plan::of(PlannedTraffic::Ranks(RankWork::Program { map })))
    }
}
