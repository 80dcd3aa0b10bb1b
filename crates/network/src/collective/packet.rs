//! The packets of the tree network.

use super::RouteName;
use base::draws::mix;
use serde::{Deserialize, Serialize};

/// A core of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CorePlace {
    /// The node.
    pub node: u32,
    /// The core.
    pub core: u8,
}

/// The treatment of a packet by routers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Route {
    /// The packet is combined with those of all other cores of the class route; the result goes to all.
    CombineForAll,
    /// The packet is combined with those of all other cores. The result is for one core, and the hardware of all others
    /// drops it.
    CombineFor(CorePlace),
    /// The packet goes from this core to all others.
    Broadcast(CorePlace),
}

/// A packet of the tree network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Packet {
    /// The class route on which it travels.
    pub on: RouteName,
    /// The operation of the route to which it belongs.
    pub operation: u32,
    /// The packet's number in the operation.
    pub index: u32,
    /// The treatment of the packet by routers.
    pub route: Route,
    /// Number of contributions that have been combined.
    pub contributions: u32,
    /// Sum of the [names](name) of these contributions.
    pub sum: u64,
}

impl Packet {
    /// A packet with one contribution.
    pub fn of(on: RouteName, operation: u32, index: u32, route: Route, contribution: u32) -> Self {
        Packet { on, operation, index, route, contributions: 1, sum: name(contribution) }
    }

    /// Whether the packet can be combined with another of its class route.
    pub(super) fn matches(&self, other: &Packet) -> bool {
        (self.operation, self.index, self.route) == (other.operation, other.index, other.route)
    }

    pub(super) fn combined(self, other: &Packet) -> Packet {
        Packet {
            contributions: self.contributions + other.contributions,
            sum: self.sum.wrapping_add(other.sum),
            ..self
        }
    }

    pub(super) fn is_broadcast(&self) -> bool {
        match self.route {
            Route::Broadcast(_) => true,
            Route::CombineForAll | Route::CombineFor(_) => false,
        }
    }

    /// Whether the hardware of a core keeps the packet.
    pub(super) fn is_for(&self, core: CorePlace) -> bool {
        match self.route {
            Route::CombineForAll => true,
            Route::CombineFor(target) => target == core,
            Route::Broadcast(source) => source != core,
        }
    }

    /// The number that identifies the packet in the digest.
    pub(crate) fn identity(&self) -> u64 {
        mix(u64::from(self.operation) << 32 | u64::from(self.index)) ^ self.sum
    }
}

/// The name of a contribution: sums of names distinguish sets of contributions.
pub fn name(contribution: u32) -> u64 {
    mix(u64::from(contribution) + 1)
}
