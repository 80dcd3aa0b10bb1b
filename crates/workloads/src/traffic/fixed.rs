//! Open-loop workloads in which each node has one fixed target: permutations and shifts.

use crate::bound::cuts;
use crate::flows::{Flows, OfRoutes, Routes};
use crate::options::OpenLoopOptions;
use crate::plan::{Context, Plan, WorkloadError};
use crate::traffic::open_loop::{self, Targets};
use crate::traffic::sender::{PacketDraws, Route};
use geometry::{Coordinates, MAX_DIMENSIONS, Preference, Shape};
use std::sync::Arc;

/// The fixed route of each node's packets.
pub(crate) trait FixedRoute: Send + Sync {
    /// The route of `node`; none when it sends nothing.
    fn route_of(&self, node: u32) -> Option<Route>;
}

impl<F: FixedRoute> FixedRoute for Arc<F> {
    fn route_of(&self, node: u32) -> Option<Route> {
        (**self).route_of(node)
    }
}

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
    options: OpenLoopOptions,
    preferences: [Preference; MAX_DIMENSIONS],
    routes: impl FixedRoute + 'static,
) -> Result<Plan, WorkloadError> {
    let demand = cuts::demand(context.parameters, &preferences, |node| routes.route_of(node));
    let targets = Arc::new(routes);
    let plan = open_loop::plan(context, options, preferences, targets.clone(), demand)?;
    let shape = context.shape().clone();
    let nodes = shape.nodes();
    let bytes = options.packet_bytes.mean().saturating_mul(options.packets_per_node.unwrap_or(1));
    let routes = Routes { shape, preferences, bytes };
    let flows = Flows::of_nodes(nodes, options.routing, OfRoutes { targets, routes });
    Ok(Plan { flows: Some(flows), ..plan })
}

/// The route from `node` to the node at `target`, or none when that is the node itself.
pub(crate) fn route_to(shape: &Shape, node: u32, target: &Coordinates) -> Option<Route> {
    let target = shape.node(target);
    (target != node).then_some(Route::To(target))
}
