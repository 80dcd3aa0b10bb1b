//! The targets of a node, one or a list, and the groups and boxes of nodes that they are in.

pub mod flow_table;
pub(crate) mod groups;
pub(crate) mod region;
pub mod weight_table;

use crate::error::WorkloadError;
use geometry::{Coordinates, Faults, Hops, Shape};
use std::sync::Arc;

/// The keys of which a workload has exactly one, as each states what is sent.
const WAYS: [&str; 3] = ["path", "matrix", "table"];

/// Checks that the data to send are `given` in exactly one of these ways.
///
/// # Errors
/// When they are given in no way or in several.
pub(crate) fn check_ways(given: [bool; 3]) -> Result<(), WorkloadError> {
    let mut given = WAYS.iter().zip(given).filter(|(_, given)| *given).map(|(way, _)| way);
    match (given.next(), given.next()) {
        (None, _) => {
            let problem = "is missing: the file with what is sent, unless matrix or table gives it";
            Err(WorkloadError::new("path", problem))
        }
        (Some(first), Some(second)) => {
            let problem = format!("{first} says already what is sent: only one of both can be given");
            Err(WorkloadError::new(second, problem))
        }
        _ => Ok(()),
    }
}

/// The route of a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Route {
    /// A route to this node, in directions chosen by the preferences.
    To(u32),
    /// A route of exactly these hops.
    By(Hops),
}

/// The peers that each node sends to, numbered by slot.
pub(crate) trait Peers: Send + Sync {
    /// Number of peers of `node`.
    fn count(&self, node: u32) -> u64;

    /// The route to peer `slot`, which is below the count.
    fn peer(&self, node: u32, slot: u64) -> Route;

    /// The slot at which a rotating order starts; may exceed the count.
    fn rotation(&self, node: u32) -> u64;

    /// The slots of `node` that may be unreachable because of `faults`, ascending.
    fn possibly_unreachable(&self, node: u32, faults: &Faults) -> Vec<u64>;

    /// Whether nodes of a torus are alike. If one node sends data to another, each then sends the same to the node
    /// as far away.
    fn are_alike(&self) -> bool {
        false
    }
}

impl<P: Peers> Peers for Arc<P> {
    fn count(&self, node: u32) -> u64 {
        (**self).count(node)
    }

    fn peer(&self, node: u32, slot: u64) -> Route {
        (**self).peer(node, slot)
    }

    fn rotation(&self, node: u32) -> u64 {
        (**self).rotation(node)
    }

    fn possibly_unreachable(&self, node: u32, faults: &Faults) -> Vec<u64> {
        (**self).possibly_unreachable(node, faults)
    }

    fn are_alike(&self) -> bool {
        (**self).are_alike()
    }
}

/// The fixed route of each node's packets.
pub(crate) trait FixedRoute: Send + Sync {
    /// The route of `node`; none when it sends nothing.
    fn route_of(&self, node: u32) -> Option<Route>;

    /// Whether nodes of a torus are alike. If one node sends data to another, each then sends the same to the node
    /// as far away.
    fn are_alike(&self) -> bool {
        false
    }
}

impl<F: FixedRoute> FixedRoute for Arc<F> {
    fn route_of(&self, node: u32) -> Option<Route> {
        (**self).route_of(node)
    }

    fn are_alike(&self) -> bool {
        (**self).are_alike()
    }
}

/// The route from `node` to the node at `target`, or none when that is the node itself.
pub(crate) fn route_to(shape: &Shape, node: u32, target: &Coordinates) -> Option<Route> {
    let target = shape.node(target);
    (target != node).then_some(Route::To(target))
}
