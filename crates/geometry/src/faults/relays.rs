//! Who passes packets on for pairs that hint bits alone do not serve.
//!
//! The relay is the nearest to the source from which, and to which, hint bits with a clean escape lead. So every source
//! has relays of its own about it, and no node relays for many. Where one relay is not enough, packets go from neighbour
//! to neighbour until it is: where live nodes hang together at all, that arrives.

use super::Faults;
use super::trips::{Leg, Service, Trip};
use crate::{Direction, Hops, MAX_DIMENSIONS, Preference, Shape};
use std::collections::{HashMap, HashSet, VecDeque};

impl Faults {
    /// The leg to the relay of a trip.
    pub(super) fn leg_to_relay(&self, shape: &Shape, trip: &Trip<'_>) -> Leg {
        self.leg_to_one_relay(shape, trip).unwrap_or_else(|| self.leg_to_next_node(shape, trip))
    }

    /// The leg to the one node that serves, of those with the fewest links between it and the source the one with fewest
    /// hops in all.
    fn leg_to_one_relay(&self, shape: &Shape, trip: &Trip<'_>) -> Option<Leg> {
        let mut seen = HashSet::from([trip.source]);
        let mut shell = vec![trip.source];
        while !shell.is_empty() {
            let mut next = Vec::new();
            for &node in &shell {
                next.extend(self.live_neighbors(shape, node).filter(|&neighbor| seen.insert(neighbor)));
            }
            shell = next;
            let relays = shell.iter().filter(|&&relay| relay != trip.target);
            let legs = relays.filter_map(|&relay| self.legs_by(shape, trip, relay));
            if let Some((leg, _)) = legs.min_by_key(|&(_, hops)| hops) {
                return Some(leg);
            }
        }
        None
    }

    /// The leg to a relay, and the hops of both legs, if it serves.
    fn legs_by(&self, shape: &Shape, trip: &Trip<'_>, relay: u32) -> Option<(Leg, u32)> {
        let preferences = &[Preference::Minimal; MAX_DIMENSIONS];
        let there = self.clean_leg(shape, &Trip { target: relay, preferences, ..*trip })?;
        let onward = self.clean_leg(shape, &Trip { source: relay, preferences, ..*trip })?;
        let hops = there.hops.total() + onward.hops.total();
        Some((Leg { service: Service::Relayed, ..there }, hops))
    }

    /// One hop of a shortest way through live nodes.
    fn leg_to_next_node(&self, shape: &Shape, trip: &Trip<'_>) -> Leg {
        let mut links_left = HashMap::from([(trip.target, 0u32)]);
        let mut edge = VecDeque::from([trip.target]);
        while let Some(node) = edge.pop_front().filter(|_| !links_left.contains_key(&trip.source)) {
            let left = links_left[&node] + 1;
            for next in self.live_neighbors(shape, node) {
                links_left.entry(next).or_insert_with(|| {
                    edge.push_back(next);
                    left
                });
            }
        }
        let live = Direction::all(shape.dimensions())
            .filter(|&toward| !self.is_dead_link(shape, trip.source, toward))
            .filter_map(|toward| Some((toward, shape.neighbor(trip.source, toward)?)));
        let (toward, end) = live
            .min_by_key(|(_, neighbor)| links_left.get(neighbor).copied().unwrap_or(u32::MAX))
            .expect("a live node has a live neighbour");
        Leg { hops: Hops::one(toward), end, service: Service::Relayed }
    }
}
