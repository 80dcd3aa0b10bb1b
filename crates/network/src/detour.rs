//! Non-minimal routes: a packet travels minimally to an intermediate node, and from there minimally to its target.
//!
//! ```text
//!   source  -- first segment: second set of escape VCs -->  intermediate  -- last segment: first set -->  target
//! ```
//!
//! A packet carries the hops of both segments ([`PacketLayout::with_detour`](crate::packet::PacketLayout::with_detour)). The
//! hop that ends the first segment starts the last one, so that no software is involved and routers need no table. A
//! packet on a minimal route is on its last segment from the start. Escape packets pass from the second set of VCs to the
//! first, never back, and each set is deadlock-free by itself: so is their union.
//!
//! The choice of [`Detour::is_optional`] is that of UGAL-L (A. Singh, Load-Balanced Routing in Interconnection Networks,
//! Stanford 2005, chapter 6): minimal unless the queue toward it, times its hops, exceeds the same product of the detour.
//! Queues are those that the source sees: the credits in use of an output.

use crate::fabric::Fabric;
use crate::packet::Packet;
use geometry::Hops;
use serde::{Deserialize, Serialize};

/// The two segments of a non-minimal route, neither of them empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detour {
    /// The hops from the source to the intermediate node.
    pub to_intermediate: Hops,
    /// The hops from there to the target.
    pub onward: Hops,
    /// Whether the packet goes minimally if queues are short there.
    pub is_optional: bool,
}

impl Detour {
    /// A packet with a minimal route as it enters the network: on the detour if it takes that. `occupied` gives the
    /// credits in use of an output's VCs of normal priority.
    pub fn route(&self, fabric: &Fabric, packet: Packet, occupied: impl Fn(usize) -> u32) -> Packet {
        let is_taken = !self.is_optional || self.is_shorter(fabric, &fabric.layout.hops(packet), occupied);
        if is_taken { fabric.layout.with_detour(packet, self) } else { packet }
    }

    fn is_shorter(&self, fabric: &Fabric, minimal: &Hops, occupied: impl Fn(usize) -> u32) -> bool {
        let delay = |first: &Hops, hops: u32| u64::from(queue(fabric, first, &occupied)) * u64::from(hops);
        let detour_hops = self.to_intermediate.total() + self.onward.total();
        delay(minimal, minimal.total()) > delay(&self.to_intermediate, detour_hops)
    }
}

/// The shortest queue among the outputs that a route can begin with.
fn queue(fabric: &Fabric, hops: &Hops, occupied: impl Fn(usize) -> u32) -> u32 {
    let ports = hops.directions().map(|direction| direction.index());
    match fabric.adaptive_vcs {
        0 => ports.min_by_key(|&port| fabric.escape_rank(port)).map_or(0, occupied),
        _ => ports.map(occupied).min().unwrap_or(0),
    }
}
