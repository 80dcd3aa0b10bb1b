//! Tornado: every node sends almost half-way round its rings in the same direction, so that minimal routes leave half
//! of the links idle.

use crate::context::Context;
use crate::error::WorkloadError;
use crate::kind::{Kind, Senders};
use crate::options::{parameters, preferences, require_dimension};
use crate::plan::Plan;
use crate::targets::FixedRoute;
use crate::targets::Route;
use crate::traffic::fixed;
use geometry::{Hops, Shape};

parameters! {
    /// Every node sends to the node just under half-way round each ring in the plus direction.
    // Row M11.
    pub struct Tornado: open_loop directions {
        /// The only dimension in which packets move, numbered from 0. Default none: they move in all dimensions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub dimension: Option<usize>,
    }
}

impl Kind for Tornado {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        let preferences = preferences(&self.directions, shape)?;
        if let Some(dimension) = self.dimension {
            require_dimension("dimension", dimension, shape)?;
        }
        let mut offsets = Hops::default();
        for (dimension, &length) in shape.lengths().iter().enumerate() {
            if self.dimension.is_none_or(|only| only == dimension) {
                offsets.0[dimension] = length.div_ceil(2) as i32 - 1;
            }
        }
        let routes = TornadoTargets { shape: shape.clone(), offsets };
        fixed::plan(context, &self.open_loop_options(), preferences, routes)
    }
}

/// Targets at these offsets, modulo the length of each dimension.
struct TornadoTargets {
    shape: Shape,
    offsets: Hops,
}

impl FixedRoute for TornadoTargets {
    fn route_of(&self, node: u32) -> Option<Route> {
        let target = self.shape.translated(node, &self.offsets);
        (target != node).then_some(Route::To(target))
    }

    fn are_alike(&self) -> bool {
        true
    }
}
