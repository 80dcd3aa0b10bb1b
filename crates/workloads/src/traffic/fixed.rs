//! Open-loop workloads in which each node has one fixed target: permutations and shifts.

use crate::bound::cuts;
use crate::context::Context;
use crate::error::WorkloadError;
use crate::flows::{Flows, OfRoutes, Routes};
use crate::options::OpenLoopOptions;
use crate::plan::Plan;
use crate::targets::{FixedRoute, Route};
use crate::traffic::open_loop::{self, Targets};
use crate::traffic::sender::PacketDraws;
use geometry::{MAX_DIMENSIONS, Preference};
use std::sync::Arc;

impl<F: FixedRoute> Targets for F {
    fn route(&self, node: u32, _draws: &PacketDraws) -> Option<Route> {
        self.route_of(node)
    }

    fn are_fixed(&self) -> bool {
        true
    }
}

/// The plan of a pattern with one route per node, bounded by its busiest cut.
pub(crate) fn plan(
    context: &Context,
    options: &OpenLoopOptions,
    preferences: [Preference; MAX_DIMENSIONS],
    routes: impl FixedRoute + 'static,
) -> Result<Plan, WorkloadError> {
    let demand = cuts::demand(context.parameters, &preferences, |node| routes.route_of(node));
    let targets = Arc::new(routes);
    let plan = open_loop::plan(context, options, preferences, targets.clone(), demand)?;
    let shape = context.shape().clone();
    let nodes = shape.nodes();
    let mean_bytes = plan.mean_packet_bytes.expect("open-loop traffic has it") as u64;
    let bytes = mean_bytes.saturating_mul(options.packets_per_node.unwrap_or(1));
    let routes = Routes { shape, preferences, bytes };
    let flows = Flows::of_nodes(nodes, options.routing, OfRoutes { targets, routes });
    Ok(Plan { flows: Some(flows), ..plan })
}
