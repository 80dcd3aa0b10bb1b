//! Streams of which every packet of a node goes the same way: permutations and shifts.

use crate::bound::cuts;
use crate::options::StreamOptions;
use crate::plan::{Context, Plan, WorkloadError};
use crate::traffic::sender::{PacketDraws, Way};
use crate::traffic::stream::{self, Targets};
use geometry::{Coordinates, MAX_DIMENSIONS, Preference, Shape};

/// The one way of each node's packets.
pub(crate) trait FixedWay: Send + Sync {
    /// The way of `node`; none when it sends nothing.
    fn way_of(&self, node: u32) -> Option<Way>;
}

impl<F: FixedWay> Targets for F {
    fn way(&self, node: u32, _draws: &PacketDraws) -> Option<Way> {
        self.way_of(node)
    }

    fn are_fixed(&self) -> bool {
        true
    }
}

/// The plan of a pattern with one way a node, bounded by its busiest cut.
pub(crate) fn plan(
    context: &Context,
    options: StreamOptions,
    preferences: [Preference; MAX_DIMENSIONS],
    ways: impl FixedWay + 'static,
) -> Result<Plan, WorkloadError> {
    let demand = cuts::demand(context.parameters, &preferences, |node| ways.way_of(node));
    stream::plan(context, options, preferences, ways, demand)
}

/// The way from `node` to the node at `target`, or none when that is itself.
pub(crate) fn way_to(shape: &Shape, node: u32, target: &Coordinates) -> Option<Way> {
    let target = shape.node(target);
    (target != node).then_some(Way::To(target))
}
