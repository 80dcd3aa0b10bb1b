//! Non-minimal routes: a packet travels minimally to an intermediate node, and from there minimally to its target.
//!
//! ```text
//!   source  -- first segment: second set of escape VCs -->  intermediate  -- last segment: first set -->  target
//! ```
//!
//! A packet carries the hops of both segments
//! ([`PacketLayout::with_detour`](crate::packet::PacketLayout::with_detour)). The hop that ends the first segment
//! starts the last one, so that no software is involved and routers need no table. A packet on a minimal route is on
//! its last segment from the start. Escape packets pass from the second set of VCs to the first, never back, and each
//! set is deadlock-free by itself: so is their union.

use geometry::Hops;
use serde::{Deserialize, Serialize};

/// The two segments of a non-minimal route; neither is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detour {
    /// The hops from the source to the intermediate node.
    pub to_intermediate: Hops,
    /// The hops from the intermediate node to the target.
    pub onward: Hops,
    /// Whether the packet takes the minimal route instead if the queue toward that route is short.
    pub is_optional: bool,
}
