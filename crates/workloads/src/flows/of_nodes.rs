//! Flows of nodes: the targets of a pattern.

use super::{Flow, Senders};
use crate::targets::FixedRoute;
use crate::targets::Peers;
use crate::targets::Route;
use geometry::{MAX_DIMENSIONS, Preference, Shape};

/// A message from each node to each of its peers.
pub(crate) struct OfPeers<P> {
    pub peers: P,
    pub routes: Routes,
}

/// A message from each node that has a target.
pub(crate) struct OfRoutes<R> {
    pub targets: R,
    pub routes: Routes,
}

/// Messages of one length, and their routes to their targets.
pub(crate) struct Routes {
    pub shape: Shape,
    pub preferences: [Preference; MAX_DIMENSIONS],
    pub bytes: u64,
}

impl Routes {
    fn flow(&self, source: u32, route: Route) -> Option<Flow> {
        let (target, hops) = match route {
            Route::By(hops) => (self.shape.destination(source, &hops)?, Some(hops)),
            Route::To(target) if self.preferences == [Preference::Minimal; MAX_DIMENSIONS] => (target, None),
            Route::To(target) => {
                // A minimal direction among forced ones takes the same side of a ring for all of these bytes.
                (target, Some(self.shape.route_with_preferences(source, target, 0, &self.preferences)))
            }
        };
        Some(Flow { target, bytes: self.bytes, messages: 1, hops })
    }
}

impl<P: Peers> Senders for OfPeers<P> {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        let peers = (0..self.peers.count(source)).map(|slot| self.peers.peer(source, slot));
        peers.filter_map(|route| self.routes.flow(source, route)).for_each(visit);
    }
}

impl<R: FixedRoute> Senders for OfRoutes<R> {
    fn report(&self, source: u32, visit: &mut dyn FnMut(Flow)) {
        self.targets
            .route_of(source)
            .and_then(|route| self.routes.flow(source, route))
            .into_iter()
            .for_each(visit);
    }
}
