//! How many pairs are served in which way.

use super::{Faults, Service, Trip};
use crate::{MAX_DIMENSIONS, Preference, Shape};

/// More pairs than this are not all looked at.
const MOST_PAIRS: u64 = 1 << 24;

/// Ordered pairs of live nodes, by how adaptive packets between them are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServiceShares {
    /// Pairs looked at: all, or on large machines evenly spaced ones.
    pub pairs: u64,
    /// Served by the hint bits of every day.
    pub minimal: u64,
    /// By others, the escape being clean.
    pub around: u64,
    /// Without the escape channel.
    pub dynamic_only: u64,
    /// By a relay.
    pub relayed: u64,
}

impl ServiceShares {
    /// Counts the pairs of a machine.
    pub fn count(faults: &Faults, shape: &Shape) -> Self {
        let nodes = u64::from(shape.nodes());
        // An odd step visits every node as source and as target, whatever the lengths.
        let step = (nodes * nodes).div_ceil(MOST_PAIRS) | 1;
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
        let trip = Trip { source, target, coin: source ^ target, preferences, is_rigid: false };
        self.pairs += 1;
        match faults.leg(shape, &trip).service {
            Service::Minimal => self.minimal += 1,
            Service::Around => self.around += 1,
            Service::DynamicOnly => self.dynamic_only += 1,
            Service::Relayed => self.relayed += 1,
        }
    }
}
