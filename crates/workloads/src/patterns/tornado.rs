//! Tornado: almost half-way round, all the same way, so that minimal routes leave half of the links idle.

use crate::options::{parameters, preferences, require_dimension};
use crate::plan::{Context, Plan, WorkloadError};
use crate::traffic::fixed::{self, FixedWay, way_to};
use crate::traffic::sender::Way;
use geometry::{MAX_DIMENSIONS, Shape};

parameters! {
    /// Every node sends to the node just short of half-way round in the plus direction.
    ///
    /// Row M11.
    pub struct Tornado: stream directions {
        /// The one dimension to move in, from 0. Default none: all of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub dimension: Option<usize>,
    }
}

impl Tornado {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        let preferences = preferences(&self.directions, shape)?;
        if let Some(dimension) = self.dimension {
            require_dimension("dimension", dimension, shape)?;
        }
        let mut offsets = [0; MAX_DIMENSIONS];
        for (dimension, &length) in shape.lengths().iter().enumerate() {
            if self.dimension.is_none_or(|only| only == dimension) {
                offsets[dimension] = length.div_ceil(2) - 1;
            }
        }
        let ways = Around { shape: shape.clone(), offsets };
        fixed::plan(context, self.stream_options(), preferences, ways)
    }
}

/// So many coordinates on, counted round.
struct Around {
    shape: Shape,
    offsets: [u32; MAX_DIMENSIONS],
}

impl FixedWay for Around {
    fn way_of(&self, node: u32) -> Option<Way> {
        let mut target = self.shape.coordinates(node);
        for (dimension, &length) in self.shape.lengths().iter().enumerate() {
            target[dimension] = (target[dimension] + self.offsets[dimension]) % length;
        }
        way_to(&self.shape, node, &target)
    }
}
