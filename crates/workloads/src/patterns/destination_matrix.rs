//! A destination matrix: every node sends to others at random, by weights that a user gives.

use crate::bound::messages;
use crate::context::Context;
use crate::error::WorkloadError;
use crate::kind::{Kind, Senders};
use crate::options::parameters;
use crate::plan::Plan;
use crate::targets::Route;
use crate::targets::flow_table::FlowFault;
use crate::targets::weight_table::{DrawnTargets, WeightColumns, WeightTable};
use crate::traffic::open_loop::{self, Targets};
use crate::traffic::sender::PacketDraws;
use base::draws::Purpose;
use geometry::{MAX_DIMENSIONS, Preference};
use std::sync::Arc;

parameters! {
    /// Every node sends packets to targets drawn by weights: a custom random pattern.
    ///
    /// All nodes that send have the same rate. The weights of a row give the shares of its node's targets, whatever
    /// their sum.
    pub struct DestinationMatrix: open_loop {
        /// File with the weights: a square matrix with a row for each source, or a table with the headings source, target and
        /// weight. CSV (.csv), Parquet (.parquet) or NumPy (.npy). Default: the weights are given as matrix or table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub path: Option<String>,
        /// Hash of the file at path, as results have it: a file that has changed is refused. Default: any content.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hash: Option<String>,
        /// The weights as a square matrix: row s and column t have the frequency of packets from node s to node t,
        /// in proportion to the rest of the row. A node without weights sends nothing; its weight for itself is 0.
        /// Default: those of path.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub matrix: Option<Vec<Vec<f64>>>,
        /// The weights as a table of columns: source, target, weight. Default: those of path.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(example = serde_json::json!({ "source": [0, 1], "target": [1, 0], "weight": [1, 1] }))]
        pub table: Option<WeightColumns>,
        /// The weights, once they have been read.
        #[serde(skip)]
        pub weights: Option<Arc<WeightTable>>,
    }
}

impl DestinationMatrix {
    /// Reads the weights that are given as a matrix or a table; none if they are in a file.
    ///
    /// # Errors
    /// The first value that is wrong; weights given in no way or in several.
    pub fn given(&self, nodes: u32) -> Result<Option<WeightTable>, WorkloadError> {
        crate::targets::check_ways([self.path.is_some(), self.matrix.is_some(), self.table.is_some()])?;
        let of_key = |key: &'static str| move |fault: FlowFault| fault.of_key(key);
        let of_matrix =
            |matrix: &Vec<Vec<f64>>| WeightTable::of_matrix(matrix, nodes).map_err(of_key("matrix"));
        let of_columns = |columns| WeightTable::of_columns(columns, nodes).map_err(of_key("table"));
        let matrix = self.matrix.as_ref().map(of_matrix).transpose()?;
        Ok(matrix.or(self.table.as_ref().map(of_columns).transpose()?))
    }
}

impl Kind for DestinationMatrix {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let nodes = context.shape().nodes();
        let given = match &self.weights {
            Some(weights) => Some(weights.clone()),
            None => self.given(nodes)?.map(Arc::new),
        };
        let weights = given.ok_or_else(|| WorkloadError::new("path", "the file has not been read"))?;
        self.routing.require_minimal()?;
        let demand = messages::weighted_demand(context.parameters, &weights);
        let faults = &context.parameters.faults;
        let live =
            if faults.is_empty() { weights } else { Arc::new(weights.without(|node| faults.is_dead(node))) };
        let preferences = [Preference::Minimal; MAX_DIMENSIONS];
        open_loop::plan(context, &self.open_loop_options(), preferences, live.drawn(), demand)
    }
}

impl Targets for DrawnTargets {
    fn route(&self, node: u32, draws: &PacketDraws) -> Option<Route> {
        self.target(node, draws.bits64(Purpose::Target)).map(Route::To)
    }
}
