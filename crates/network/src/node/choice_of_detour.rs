//! The choice between a minimal route and a detour as a packet enters the network.
//!
//! The choice of [`Detour::is_optional`] is that of UGAL-L (A. Singh, Load-Balanced Routing in Interconnection
//! Networks, Stanford 2005, chapter 6): minimal unless the queue toward the minimal route, times that route's hops,
//! exceeds the same product of the detour. Queues are those that the source sees: the credits in use of an output.

use crate::detour::Detour;
use crate::fabric::Fabric;
use crate::packet::Packet;
use geometry::Hops;

/// A packet with a minimal route as it enters the network: on its detour if it takes that. `occupied` gives the credits
/// in use of an output's VCs of normal priority.
pub(super) fn routed(
    fabric: &Fabric,
    detour: &Detour,
    packet: Packet,
    occupied: impl Fn(usize) -> u32,
) -> Packet {
    let is_taken = !detour.is_optional || is_shorter(fabric, detour, &fabric.layout.hops(packet), occupied);
    if is_taken { fabric.layout.with_detour(packet, detour) } else { packet }
}

fn is_shorter(fabric: &Fabric, detour: &Detour, minimal: &Hops, occupied: impl Fn(usize) -> u32) -> bool {
    let delay = |first: &Hops, hops: u32| u64::from(queue(fabric, first, &occupied)) * u64::from(hops);
    let detour_hops = detour.to_intermediate.total() + detour.onward.total();
    delay(minimal, minimal.total()) > delay(&detour.to_intermediate, detour_hops)
}

/// The shortest queue among the outputs that a route can begin with.
fn queue(fabric: &Fabric, hops: &Hops, occupied: impl Fn(usize) -> u32) -> u32 {
    let ports = hops.directions().map(|direction| direction.index());
    match fabric.adaptive_vcs {
        0 => ports.min_by_key(|&port| fabric.escape_rank(port)).map_or(0, occupied),
        _ => ports.map(occupied).min().unwrap_or(0),
    }
}
