//! Shift: every node sends by the same hops.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{Kind, Senders};
use crate::options::{parameters, preferences, require_for_each_dimension};
use crate::plan::Plan;
use crate::targets::FixedRoute;
use crate::targets::Route;
use crate::traffic::fixed;
use geometry::{Hops, Shape};

parameters! {
    /// Every node sends to the node at a fixed offset, by exactly the stated hops.
    // Row S10.
    pub struct Shift: open_loop {
        /// Signed hops in each dimension, such as [3, 0, 0]. Each is less than the length of its ring and may go the long
        /// way round. Nodes whose route would cross an open edge send nothing. Required.
        #[schemars(example = serde_json::json!([1, 0, 0]))]
        pub offset: Vec<i32>,
    }
}

impl Kind for Shift {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        require_for_each_dimension("offset", self.offset.len(), shape)?;
        for (dimension, &hops) in self.offset.iter().enumerate() {
            let length = shape.orbit_length(dimension);
            require(hops.unsigned_abs() < length, "offset", || {
                format!(
                    "{hops} hops in dimension {dimension}: from {} to {}",
                    1 - i64::from(length),
                    length - 1
                )
            })?;
        }
        require(self.offset.iter().any(|&hops| hops != 0), "offset", || {
            "all 0 each node would send to itself; at least one hop is needed".into()
        })?;
        let mut hops = Hops::default();
        hops.0[..self.offset.len()].copy_from_slice(&self.offset);
        let routes = Shifted { shape: shape.clone(), hops };
        fixed::plan(context, &self.open_loop_options(), preferences(&[], shape)?, routes)
    }
}

struct Shifted {
    shape: Shape,
    hops: Hops,
}

impl FixedRoute for Shifted {
    fn route_of(&self, node: u32) -> Option<Route> {
        let own = self.shape.coordinates(node);
        let stays = |dimension: usize| {
            let target = i64::from(own[dimension]) + i64::from(self.hops.0[dimension]);
            self.shape.wraps(dimension) || (0..i64::from(self.shape.length(dimension))).contains(&target)
        };
        (0..self.shape.dimensions()).all(stays).then_some(Route::By(self.hops))
    }

    fn are_alike(&self) -> bool {
        true
    }
}
