//! Flows that a user lists: in a file, as a matrix or as a table.

use crate::bound::messages;
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{CallOrigin, Kind, Senders};
use crate::message_size::MessageSize;
use crate::options::{Priority, Routing, parameters};
use crate::plan::{Plan, PlannedTraffic};
use crate::ranks::{FlowReplay, RankWork};
use crate::targets::check_ways;
use crate::targets::flow_table::{FlowColumns, FlowTable};
use crate::trace::of_flows;
use crate::traffic::listed;
use std::sync::Arc;

parameters! {
    /// Ranks send what a file, a matrix or a table lists: own traffic.
    pub struct FlowList: {
        /// File with the flows: a table with the headings source, target and bytes, and if need be start_cycles or
        /// start_ns, phase and after; or a square matrix of bytes with a row for each source. CSV (.csv), Parquet
        /// (.parquet) or NumPy (.npy). Default: the flows are given as matrix or table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub path: Option<String>,
        /// Hash of the file at path, as results have it: a file that has changed is refused. Default: any content.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hash: Option<String>,
        /// The flows as a square matrix: in row s and column t the bytes from rank s to rank t. Default: those of path.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(example = serde_json::json!([[0, 4096], [4096, 0]]))]
        pub matrix: Option<Vec<Vec<f64>>>,
        /// The flows as a table of columns: source, target, bytes, and if need be start_cycles or start_ns, phase and after.
        /// Default: those of path.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub table: Option<FlowColumns>,
        /// Priority of the packets: "normal" or "high" (on the high-priority virtual channel). Flows with phase or after are
        /// messages, whose protocol decides. Default "normal".
        #[serde(default)]
        pub priority: Priority,
        /// Routing of the packets: "adaptive" (minimal, with the escape virtual channel as fallback) or "deterministic"
        /// (dimension order, escape virtual channel only). Flows with phase or after are messages, whose protocol decides.
        /// Default "adaptive".
        #[serde(default)]
        pub routing: Routing,
        /// The flows, once they have been read.
        #[serde(skip)]
        pub flows: Option<Arc<FlowTable>>,
    }
}

impl FlowList {
    /// Whether flows wait for others, so that ranks send them.
    pub fn has_dependencies(&self) -> bool {
        let in_columns = |columns: &FlowColumns| !columns.phase.is_empty() || !columns.after.is_empty();
        self.flows.as_ref().is_some_and(|flows| flows.has_dependencies())
            || self.table.as_ref().is_some_and(in_columns)
    }

    /// Reads the flows that are given as a matrix or a table; none if they are in a file.
    ///
    /// # Errors
    /// The first value that is out of range.
    pub fn given(&self, max_ranks: u32, cycles_per_ns: f64) -> Result<Option<FlowTable>, WorkloadError> {
        check_ways([self.path.is_some(), self.matrix.is_some(), self.table.is_some()])?;
        if let Some(matrix) = &self.matrix {
            let table = FlowTable::of_matrix(matrix, max_ranks);
            return table.map(Some).map_err(|fault| fault.of_key("matrix"));
        }
        if let Some(columns) = &self.table {
            let table = FlowTable::of_columns(columns, max_ranks, cycles_per_ns);
            return table.map(Some).map_err(|fault| fault.of_key("table"));
        }
        Ok(None)
    }

    fn flows(&self, context: &Context) -> Result<Arc<FlowTable>, WorkloadError> {
        if let Some(flows) = &self.flows {
            return Ok(flows.clone());
        }
        let given = self.given(context.max_ranks(), 1.0)?;
        given.map(Arc::new).ok_or_else(|| WorkloadError::new("path", "the file has not been read"))
    }
}

impl Kind for FlowList {
    fn senders(&self) -> Senders {
        let starts = self.flows.as_ref().is_some_and(|flows| flows.has_starts());
        // A mapping places the nodes of flows without dependencies as well.
        let nodes = Senders { is_mapped: true, ..Senders::nodes(self.routing) };
        let senders = if self.has_dependencies() { Senders::ranks(CallOrigin::Recorded) } else { nodes };
        Senders { has_starts: starts, ..senders }
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let table = self.flows(context)?;
        let ranks = context.placement.ranks.unwrap_or(table.ranks());
        require(ranks >= table.ranks(), "mapping", || {
            format!("{ranks} ranks, but flows name rank {}", table.ranks() - 1)
        })?;
        let map = context.placement.place(ranks, &[], context.parameters)?;
        if !table.has_dependencies() {
            return listed::plan(context, &table, map, (self.routing, self.priority));
        }
        let trace = of_flows(&table, ranks).map_err(|row| {
            let problem = format!("row {row} waits for itself, through others and phases perhaps");
            WorkloadError::new(if self.path.is_some() { "path" } else { "table" }, problem)
        })?;
        let flows = listed::flows_of(&table, None);
        let size_of = |bytes| MessageSize::of(bytes, context);
        let bound = messages::bound_of_uneven(context.parameters, &flows, &map, size_of);
        Ok(Plan {
            bound: bound.map(|(bound, _)| bound),
            mean_hops: bound.map(|(_, mean_hops)| mean_hops),
            flows: Some(flows),
            map: Some(map.clone()),
            ..Plan::of(PlannedTraffic::Ranks(RankWork::Flows(FlowReplay { trace: Arc::new(trace), map })))
        })
    }
}
