//! Shift: every node sends the same way.

use crate::options::{parameters, preferences, require_for_each_dimension};
use crate::plan::{Context, Plan, WorkloadError, require};
use crate::traffic::fixed::{self, FixedWay};
use crate::traffic::sender::Way;
use geometry::{Hops, Shape};

parameters! {
    /// Every node sends to the node a given number of hops away, by exactly these hops.
    ///
    /// Row S10.
    pub struct Shift: stream {
        /// Signed hops in each dimension, such as [3, 0, 0]; less than the dimension's length, the long way round if
        /// so stated. Nodes whose way would leave an open edge send nothing. Required.
        pub offset: Vec<i32>,
    }
}

impl Shift {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let shape = context.shape();
        require_for_each_dimension("offset", self.offset.len(), shape)?;
        for (dimension, &hops) in self.offset.iter().enumerate() {
            let length = shape.length(dimension);
            require(hops.unsigned_abs() < length, "offset", || {
                format!(
                    "{hops} hops in dimension {dimension}: from {} to {}",
                    1 - i64::from(length),
                    length - 1
                )
            })?;
        }
        require(self.offset.iter().any(|&hops| hops != 0), "offset", || {
            "all 0 leads each node to itself: at least one hop".into()
        })?;
        let mut hops = Hops::default();
        hops.0[..self.offset.len()].copy_from_slice(&self.offset);
        let ways = Shifted { shape: shape.clone(), hops };
        fixed::plan(context, self.stream_options(), preferences(&[], shape)?, ways)
    }
}

struct Shifted {
    shape: Shape,
    hops: Hops,
}

impl FixedWay for Shifted {
    fn way_of(&self, node: u32) -> Option<Way> {
        let own = self.shape.coordinates(node);
        let stays = |dimension: usize| {
            let target = i64::from(own[dimension]) + i64::from(self.hops.0[dimension]);
            self.shape.wraps(dimension) || (0..i64::from(self.shape.length(dimension))).contains(&target)
        };
        (0..self.shape.dimensions()).all(stays).then_some(Way::By(self.hops))
    }
}
