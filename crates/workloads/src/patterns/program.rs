//! Program: the ranks run a program outside the simulator, in Python or as processes. A user's scenario file cannot ask for this workload, because
//! the file does not contain the program.

use crate::context::Context;
use crate::error::WorkloadError;
use crate::flows::of_trace;
use crate::kind::{CallOrigin, Kind, Senders};
use crate::plan::{Plan, PlannedTraffic};
use crate::ranks::RankWork;
use crate::selection::selection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use traces::Trace;

/// Ranks run a program: a function in Python, or a command whose processes are the ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Name of the program's main function, or of the file of the command. Required.
    pub name: String,
    /// The module that defines the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The command and its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// How the time is simulated that the processes of the command compute between calls: "none", "measured", "record"
    /// or "replay".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute: Option<String>,
    /// The calls of an earlier run of the program. If present, they are replayed, and the program does not run.
    #[serde(skip)]
    pub recorded: Option<Arc<Trace>>,
}

impl Program {
    /// Whether times are measured on this host, so that no two runs are the same.
    pub fn is_measured(&self) -> bool {
        self.compute.as_deref().is_some_and(|compute| ["measured", "record"].contains(&compute))
    }
}

impl Kind for Program {
    fn senders(&self) -> Senders {
        Senders::ranks(CallOrigin::Outside)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let recorded = self.recorded.clone();
        let of_placement = context.placement.ranks.unwrap_or_else(|| context.max_ranks());
        let ranks = recorded.as_ref().map_or(of_placement, |trace| trace.ranks());
        if ranks != of_placement {
            return Err(WorkloadError::new("ranks", format!("the program has run on {ranks} ranks")));
        }
        let map = context.placement.place(ranks, &[], context.parameters)?;
        let selection = selection(context.parameters, context.messaging, context.choices, &map);
        Ok(Plan {
            flows: recorded.clone().map(|trace| of_trace(trace, selection)),
            map: Some(map.clone()),
            ..Plan::of(PlannedTraffic::Ranks(RankWork::Program { map, recorded }))
        })
    }
}
