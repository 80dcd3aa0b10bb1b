//! The choice of hint bits for each pair of nodes.

use super::Faults;
use super::quadrant::Quadrant;
use crate::{Hops, MAX_DIMENSIONS, Preference, Shape};

/// The request for a route.
#[derive(Clone, Copy, Debug)]
pub struct RouteRequest<'a> {
    /// A live node.
    pub source: u32,
    /// Another live node.
    pub target: u32,
    /// Bit `d` decides for dimension `d` if both directions are equally long (1 is plus).
    pub coin: u32,
    /// Directions to take if possible.
    pub preferences: &'a [Preference; MAX_DIMENSIONS],
    /// Whether packets are routed in dimension order (deterministic, high priority): then only that path has to be
    /// alive.
    pub is_dimension_ordered: bool,
}

/// How a pair is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// By the usual hint bits: nothing in their quadrant is dead.
    Minimal,
    /// By other hint bits, or with something dead in the quadrant; the escape is clean.
    CleanEscape,
    /// Without the escape VC.
    AdaptiveOnly,
    /// By a third node, to which this segment leads.
    Relayed,
}

/// A route segment: a route through the network from injection FIFO to reception FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteSegment {
    /// The hops to make.
    pub hops: Hops,
    /// The node at its end: the target, or a relay from which another segment leads on.
    pub end: u32,
    /// How the pair is served.
    pub service: Service,
}

impl RouteSegment {
    /// The node to which a packet for `target` is forwarded from the end of this segment; none if that is the target.
    pub fn relayed_to(&self, target: u32) -> Option<u32> {
        (self.end != target).then_some(target)
    }

    /// Whether packets must avoid the escape VC.
    pub fn is_adaptive_only(&self) -> bool {
        match self.service {
            Service::AdaptiveOnly => true,
            Service::Minimal | Service::CleanEscape | Service::Relayed => false,
        }
    }
}

impl Faults {
    /// The next segment of a route.
    ///
    /// # Panics
    /// If a node is dead. All others can reach one another: [`Faults::new`] has checked that.
    pub fn segment(&self, shape: &Shape, route_request: &RouteRequest<'_>) -> RouteSegment {
        debug_assert!(route_request.source != route_request.target);
        assert!(
            !self.is_dead(route_request.source) && !self.is_dead(route_request.target),
            "dead nodes neither send nor receive"
        );
        self.clean_segment(shape, route_request)
            .or_else(|| self.adaptive_segment(shape, route_request))
            .unwrap_or_else(|| self.segment_to_relay(shape, route_request))
    }

    /// The preferred hint bits if nothing in their quadrant is dead; otherwise those with the fewest hops among those
    /// with a clean escape.
    pub(super) fn clean_segment(
        &self,
        shape: &Shape,
        route_request: &RouteRequest<'_>,
    ) -> Option<RouteSegment> {
        let RouteRequest { source, target, coin, preferences, is_dimension_ordered } = *route_request;
        let segment = |hops, service| RouteSegment { hops, end: target, service };
        let preferred = shape.route_with_preferences(source, target, coin, preferences);
        if Quadrant::new(self, shape, source, &preferred).is_clean() {
            return Some(segment(preferred, Service::Minimal));
        }
        let is_clean = |hops: &&Hops| {
            let paths = Quadrant::new(self, shape, source, hops);
            if is_dimension_ordered { paths.has_clean_dimension_order() } else { paths.has_clean_escape() }
        };
        let choices = choices(shape, route_request);
        let hops = choices.iter().find(is_clean)?;
        let is_minimal =
            hops.total() == preferred.total() && Quadrant::new(self, shape, source, hops).is_clean();
        Some(segment(*hops, if is_minimal { Service::Minimal } else { Service::CleanEscape }))
    }

    /// The hint bits with the fewest hops among those that trap no packet on adaptive VCs.
    fn adaptive_segment(&self, shape: &Shape, route_request: &RouteRequest<'_>) -> Option<RouteSegment> {
        if route_request.is_dimension_ordered || !self.without_clean_escape.allows_adaptive_only() {
            return None;
        }
        let choices = choices(shape, route_request);
        let hops =
            choices.iter().find(|hops| !Quadrant::new(self, shape, route_request.source, hops).traps())?;
        Some(RouteSegment { hops: *hops, end: route_request.target, service: Service::AdaptiveOnly })
    }

    /// The service of packets that software sends from `source` with exactly these hops. None if an end is dead, the
    /// hops cross an open edge, or packets might not arrive.
    pub fn service_of(
        &self,
        shape: &Shape,
        source: u32,
        hops: &Hops,
        is_dimension_ordered: bool,
    ) -> Option<Service> {
        let target = shape.destination(source, hops);
        if self.is_dead(source) || target.is_none_or(|target| self.is_dead(target)) {
            return None;
        }
        let paths = Quadrant::new(self, shape, source, hops);
        let has_clean_escape =
            if is_dimension_ordered { paths.has_clean_dimension_order() } else { paths.has_clean_escape() };
        match paths.is_clean() {
            true => Some(Service::Minimal),
            false if has_clean_escape => Some(Service::CleanEscape),
            false => (!is_dimension_ordered && !paths.traps()).then_some(Service::AdaptiveOnly),
        }
    }
}

/// All hint bits that lead to the target, fewest hops first; equals in the order that the coin determines. In the
/// dimensions of a twist, those are the shortest vectors of each orthant.
fn choices(shape: &Shape, route_request: &RouteRequest<'_>) -> Vec<Hops> {
    let RouteRequest { source, target, .. } = *route_request;
    let coin = shape.coin(source, target, route_request.coin);
    let [plus, minus] = [Preference::Plus, Preference::Minus].map(|preference| {
        shape.route_with_preferences(source, target, coin, &preferences(shape, preference))
    });
    let mut choices: Vec<Hops> = (0..1u32 << shape.dimensions())
        .map(|ways| {
            let ways = ways ^ coin;
            let mut hops = plus;
            for dimension in (0..shape.dimensions()).filter(|dimension| ways >> dimension & 1 == 0) {
                hops.0[dimension] = minus.0[dimension];
            }
            hops
        })
        .collect();
    if let Some(twisted) = &shape.twisted {
        let difference = twisted.difference(&shape.coordinates(source), &shape.coordinates(target));
        return twisted.choices(difference, coin, &choices);
    }
    choices.sort_by_key(Hops::total);
    choices.dedup();
    choices
}

/// The preference in all dimensions that wrap; open dimensions leave no choice.
fn preferences(shape: &Shape, preference: Preference) -> [Preference; MAX_DIMENSIONS] {
    std::array::from_fn(|dimension| match dimension < shape.dimensions() && shape.wraps(dimension) {
        true => preference,
        false => Preference::Minimal,
    })
}
