//! Bit complement: to the mirror image in every dimension.

use crate::options::{parameters, preferences};
use crate::plan::{Context, Plan, WorkloadError};
use crate::traffic::fixed::{self, FixedWay, way_to};
use crate::traffic::sender::Way;
use geometry::Shape;

parameters! {
    /// Every node sends to its mirror image: coordinate c goes to length - 1 - c in every dimension.
    pub struct BitComplement: stream directions {}
}

impl BitComplement {
    pub(crate) fn plan(&self, context: &Context) -> Result<Plan, WorkloadError> {
        let preferences = preferences(&self.directions, context.shape())?;
        let ways = Mirrored { shape: context.shape().clone() };
        fixed::plan(context, self.stream_options(), preferences, ways)
    }
}

struct Mirrored {
    shape: Shape,
}

impl FixedWay for Mirrored {
    fn way_of(&self, node: u32) -> Option<Way> {
        let mut target = self.shape.coordinates(node);
        for (coordinate, &length) in target.iter_mut().zip(self.shape.lengths()) {
            *coordinate = length - 1 - *coordinate;
        }
        way_to(&self.shape, node, &target)
    }
}
