//! Bit complement: each node sends to its mirror image in every dimension.

use crate::context::Context;
use crate::error::WorkloadError;
use crate::kind::{Kind, Senders};
use crate::options::{parameters, preferences};
use crate::plan::Plan;
use crate::targets::Route;
use crate::targets::{FixedRoute, route_to};
use crate::traffic::fixed;
use geometry::Shape;

parameters! {
    /// Every node sends to its mirror image: coordinate c becomes length - 1 - c in every dimension.
    pub struct BitComplement: open_loop directions {}
}

impl Kind for BitComplement {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let preferences = preferences(&self.directions, context.shape())?;
        let routes = Mirrored { shape: context.shape().clone() };
        fixed::plan(context, &self.open_loop_options(), preferences, routes)
    }
}

struct Mirrored {
    shape: Shape,
}

impl FixedRoute for Mirrored {
    fn route_of(&self, node: u32) -> Option<Route> {
        let mut target = self.shape.coordinates(node);
        for (coordinate, &length) in target.iter_mut().zip(self.shape.lengths()) {
            *coordinate = length - 1 - *coordinate;
        }
        route_to(&self.shape, node, &target)
    }
}
