//! Transpose: permutes the coordinates.

use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::kind::{Kind, Senders};
use crate::options::{parameters, preferences};
use crate::plan::Plan;
use crate::targets::Route;
use crate::targets::{FixedRoute, route_to};
use crate::traffic::fixed;
use geometry::{MAX_DIMENSIONS, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

parameters! {
    /// Every node sends to the node whose coordinates are a permutation of its own.
    pub struct Transpose: open_loop directions {
        /// Permutation of the coordinates: "reverse" (x, y, z becomes z, y, x) or "rotate" (x, y, z becomes z, x, y).
        /// Dimensions of length 1 are left out; those that exchange coordinates must have equal lengths.
        /// Default "reverse".
        #[serde(default)]
        pub by: TransposeBy,
    }
}

/// Permutations of the coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TransposeBy {
    /// The first becomes the last.
    #[default]
    Reverse,
    /// Each becomes the next, the last the first.
    Rotate,
}

impl Transpose {
    /// For each dimension of the target, the dimension of the sender that its coordinate comes from.
    fn order(&self, shape: &Shape) -> Result<[usize; MAX_DIMENSIONS], WorkloadError> {
        let long: Vec<usize> = (0..shape.dimensions()).filter(|&d| shape.length(d) > 1).collect();
        let mut from = std::array::from_fn(|dimension| dimension);
        for (place, &dimension) in long.iter().enumerate() {
            let source = match self.by {
                TransposeBy::Reverse => long[long.len() - 1 - place],
                TransposeBy::Rotate => long[(place + long.len() - 1) % long.len()],
            };
            from[dimension] = source;
            require(shape.length(source) == shape.length(dimension), "by", || {
                format!(
                    "dimensions {source} and {dimension} of {shape} change places, so their lengths must be equal"
                )
            })?;
        }
        Ok(from)
    }
}

impl Kind for Transpose {
    fn senders(&self) -> Senders {
        Senders::nodes(self.routing)
    }

    fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        let preferences = preferences(&self.directions, shape)?;
        let routes = Reordered { shape: shape.clone(), from: self.order(shape)? };
        fixed::plan(context, &self.open_loop_options(), preferences, routes)
    }
}

struct Reordered {
    shape: Shape,
    from: [usize; MAX_DIMENSIONS],
}

impl FixedRoute for Reordered {
    fn route_of(&self, node: u32) -> Option<Route> {
        let own = self.shape.coordinates(node);
        route_to(&self.shape, node, &self.from.map(|dimension| own[dimension]))
    }
}
