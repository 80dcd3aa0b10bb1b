//! The number of pairs served in each way.

use super::{Faults, RouteRequest, Service};
use crate::{MAX_DIMENSIONS, Preference, Shape};

/// If there are more pairs than this, only a sample is examined.
const MAX_PAIRS: u64 = 1 << 24;

/// Ordered pairs of live nodes, by how adaptive packets between them are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServiceShares {
    /// Pairs examined: all, or on large machines evenly spaced ones.
    pub pairs: u64,
    /// Served by the usual hint bits.
    pub minimal: u64,
    /// By other hint bits, with a clean escape.
    pub around: u64,
    /// Without the escape VC.
    pub adaptive_only: u64,
    /// By a relay.
    pub relayed: u64,
}

impl ServiceShares {
    /// Counts the pairs of a machine.
    pub fn count(faults: &Faults, shape: &Shape) -> Self {
        let nodes = u64::from(shape.nodes());
        // An odd step visits every node as source and as target, whatever the lengths.
        let step = (nodes * nodes).div_ceil(MAX_PAIRS) | 1;
        let mut shares = ServiceShares::default();
        for pair in (0..nodes * nodes).step_by(step as usize) {
            let (source, target) = ((pair / nodes) as u32, (pair % nodes) as u32);
            if source != target && !faults.is_dead(source) && !faults.is_dead(target) {
                shares.add(faults, shape, source, target);
            }
        }
        shares
    }

    fn add(&mut self, faults: &Faults, shape: &Shape, source: u32, target: u32) {
        let preferences = &[Preference::Minimal; MAX_DIMENSIONS];
        let route_request =
            RouteRequest { source, target, coin: source ^ target, preferences, is_dimension_ordered: false };
        self.pairs += 1;
        match faults.segment(shape, &route_request).service {
            Service::Minimal => self.minimal += 1,
            Service::CleanEscape => self.around += 1,
            Service::AdaptiveOnly => self.adaptive_only += 1,
            Service::Relayed => self.relayed += 1,
        }
    }
}
