//! Relays for pairs of nodes that no choice of hint bits serves.
//!
//! The relay is the node nearest to the source that a route with a clean escape reaches, and from which another one
//! leads to the target. So each source has its relays nearby, and no node relays for many. If one relay is not enough,
//! packets move from neighbor to neighbor until one is: as live nodes are connected, they arrive. Where several jobs
//! share the machine, relays are nodes of the packet's job ([`Faults::within_groups`]).

use super::Faults;
use super::routes::{RouteRequest, RouteSegment, Service};
use crate::{Direction, Hops, MAX_DIMENSIONS, Preference, Shape};
use std::collections::{HashMap, HashSet, VecDeque};

impl Faults {
    /// The segment to the relay of a route.
    pub(super) fn segment_to_relay(&self, shape: &Shape, route_request: &RouteRequest<'_>) -> RouteSegment {
        self.segment_to_one_relay(shape, route_request)
            .unwrap_or_else(|| self.segment_to_next_node(shape, route_request))
    }

    /// The segment to a single relay: among suitable nodes with the fewest links to the source, the one with the fewest
    /// hops in total.
    pub(super) fn segment_to_one_relay(
        &self,
        shape: &Shape,
        route_request: &RouteRequest<'_>,
    ) -> Option<RouteSegment> {
        let mut seen = HashSet::from([route_request.source]);
        let mut shell = vec![route_request.source];
        while !shell.is_empty() {
            let mut next = Vec::new();
            for &node in &shell {
                next.extend(self.live_neighbors(shape, node).filter(|&neighbor| seen.insert(neighbor)));
            }
            shell = next;
            let relays = shell.iter().filter(|&&relay| {
                relay != route_request.target && self.may_relay(route_request.source, relay)
            });
            let segments = relays.filter_map(|&relay| self.segments_via(shape, route_request, relay));
            if let Some((segment, _)) = segments.min_by_key(|&(_, hops)| hops) {
                return Some(segment);
            }
        }
        None
    }

    /// The segment to a relay, and the hops of both segments, if the relay is suitable.
    fn segments_via(
        &self,
        shape: &Shape,
        route_request: &RouteRequest<'_>,
        relay: u32,
    ) -> Option<(RouteSegment, u32)> {
        let preferences = &[Preference::Minimal; MAX_DIMENSIONS];
        let first =
            self.clean_segment(shape, &RouteRequest { target: relay, preferences, ..*route_request })?;
        let second =
            self.clean_segment(shape, &RouteRequest { source: relay, preferences, ..*route_request })?;
        let hops = first.hops.total() + second.hops.total();
        Some((RouteSegment { service: Service::Relayed, ..first }, hops))
    }

    /// The first hop of a shortest path through live nodes that may be relays.
    fn segment_to_next_node(&self, shape: &Shape, route_request: &RouteRequest<'_>) -> RouteSegment {
        let mut links_left = HashMap::from([(route_request.target, 0u32)]);
        let mut frontier = VecDeque::from([route_request.target]);
        while let Some(node) =
            frontier.pop_front().filter(|_| !links_left.contains_key(&route_request.source))
        {
            let left = links_left[&node] + 1;
            for next in
                self.live_neighbors(shape, node).filter(|&next| self.may_relay(route_request.source, next))
            {
                links_left.entry(next).or_insert_with(|| {
                    frontier.push_back(next);
                    left
                });
            }
        }
        let live = Direction::all(shape.dimensions())
            .filter(|&toward| !self.is_dead_link(shape, route_request.source, toward))
            .filter_map(|toward| Some((toward, shape.neighbor(route_request.source, toward)?)));
        let (toward, end) = live
            .min_by_key(|(_, neighbor)| links_left.get(neighbor).copied().unwrap_or(u32::MAX))
            .expect("a live node has a live neighbour");
        RouteSegment { hops: Hops::one(toward), end, service: Service::Relayed }
    }
}
