//! Open-loop workloads in which each node has one fixed target: permutations and shifts.

use crate::bound::{cuts, detours};
use crate::context::Context;
use crate::error::WorkloadError;
use crate::flows::{Flows, OfRoutes, Routes};
use crate::options::{OpenLoopOptions, Routing};
use crate::plan::Plan;
use crate::targets::{FixedRoute, Route};
use crate::traffic::open_loop::{self, Targets};
use crate::traffic::sender::PacketDraws;
use geometry::{MAX_DIMENSIONS, Preference, Shape};
use std::sync::Arc;

impl<F: FixedRoute> Targets for F {
    fn route(&self, node: u32, _draws: &PacketDraws) -> Option<Route> {
        self.route_of(node)
    }

    fn are_fixed(&self) -> bool {
        true
    }
}

/// Each node that sends, with its target.
fn flows_of(shape: &Shape, route_of: impl Fn(u32) -> Option<Route>) -> impl Iterator<Item = (u32, u32)> {
    let target = move |node: u32| match route_of(node)? {
        Route::To(target) => Some((node, target)),
        Route::By(hops) => Some((node, shape.destination(node, &hops)?)),
    };
    (0..shape.nodes()).filter_map(target)
}

/// The plan of a pattern with one route per node, bounded by its busiest cut.
pub(crate) fn plan(
    context: &Context,
    options: &OpenLoopOptions,
    preferences: [Preference; MAX_DIMENSIONS],
    routes: impl FixedRoute + 'static,
) -> Result<Plan, WorkloadError> {
    let route_of = |node| routes.route_of(node);
    let shape = context.shape().clone();
    let demand = match options.routing {
        Routing::Valiant => detours::demand(context.parameters, flows_of(&shape, route_of)),
        Routing::Ugal => cuts::min_demand(context.parameters, &preferences, route_of),
        Routing::Adaptive | Routing::Deterministic => {
            cuts::demand(context.parameters, &preferences, route_of)
        }
    };
    let targets = Arc::new(routes);
    let plan = open_loop::plan(context, options, preferences, targets.clone(), demand)?;
    if options.routing.has_detours() {
        return Ok(plan); // the flows that use a link are drawn
    }
    let mean_bytes = plan.mean_packet_bytes.expect("open-loop traffic has it") as u64;
    let bytes = mean_bytes.saturating_mul(options.packets_per_node.unwrap_or(1));
    let routes = Routes { shape, preferences, bytes };
    let are_alike = targets.are_alike();
    let flows = Flows::of_nodes(context.shape(), options.routing, are_alike, OfRoutes { targets, routes });
    Ok(Plan { flows: Some(flows), ..plan })
}
