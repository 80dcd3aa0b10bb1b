//! The hint bits of each pair.

use super::paths::Paths;
use super::{Faults, WithoutCleanEscape};
use crate::{Hops, MAX_DIMENSIONS, Preference, Shape};

/// From where to where, and how.
#[derive(Clone, Copy, Debug)]
pub struct Trip<'a> {
    /// A live node.
    pub source: u32,
    /// Another.
    pub target: u32,
    /// Bit `d` decides for dimension `d` between ways that are equally long (1 is plus).
    pub coin: u32,
    /// Directions that are taken where they can be.
    pub preferences: &'a [Preference; MAX_DIMENSIONS],
    /// Whether packets keep to dimension order (deterministic, high priority): only that path has to be alive then.
    pub is_rigid: bool,
}

/// How a pair is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// By the hint bits of every day: nothing in their box is dead.
    Minimal,
    /// By other hint bits, or in spite of something dead in the box; the escape is clean.
    Around,
    /// Without the escape channel.
    DynamicOnly,
    /// By a third node, to which this is the way.
    Relayed,
}

/// A way through the network, from FIFO to FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The hops to make.
    pub hops: Hops,
    /// The node at its end: the target, or a relay from where another leg leads on.
    pub end: u32,
    /// How.
    pub service: Service,
}

impl Leg {
    /// The node to which a packet for `target` goes on from the end of this leg; none when that is the target.
    pub fn relayed_to(&self, target: u32) -> Option<u32> {
        (self.end != target).then_some(target)
    }

    /// Whether packets have to keep off the escape channel.
    pub fn is_dynamic_only(&self) -> bool {
        self.service == Service::DynamicOnly
    }
}

impl Faults {
    /// The next leg of a trip.
    ///
    /// # Panics
    /// When a node is dead. All others reach one another: [`Faults::new`] has looked.
    pub fn leg(&self, shape: &Shape, trip: &Trip<'_>) -> Leg {
        debug_assert!(trip.source != trip.target);
        assert!(
            !self.is_dead(trip.source) && !self.is_dead(trip.target),
            "dead nodes neither send nor receive"
        );
        self.clean_leg(shape, trip)
            .or_else(|| self.dynamic_leg(shape, trip))
            .unwrap_or_else(|| self.leg_to_relay(shape, trip))
    }

    /// Hint bits that leave the escape clean, with the fewest hops.
    pub(super) fn clean_leg(&self, shape: &Shape, trip: &Trip<'_>) -> Option<Leg> {
        let Trip { source, target, coin, preferences, is_rigid } = *trip;
        let leg = |hops, service| Leg { hops, end: target, service };
        let preferred = shape.route_by(source, target, coin, preferences);
        if Paths::new(self, shape, source, &preferred).is_clean() {
            return Some(leg(preferred, Service::Minimal));
        }
        let is_clean = |hops: &&Hops| {
            let paths = Paths::new(self, shape, source, hops);
            if is_rigid { paths.has_clean_dimension_order() } else { paths.has_clean_escape() }
        };
        let choices = choices(shape, trip);
        let hops = choices.iter().find(is_clean)?;
        let is_everyday =
            hops.total() == preferred.total() && Paths::new(self, shape, source, hops).is_clean();
        Some(leg(*hops, if is_everyday { Service::Minimal } else { Service::Around }))
    }

    /// Hint bits that trap no packet which keeps to dynamic channels, with the fewest hops.
    fn dynamic_leg(&self, shape: &Shape, trip: &Trip<'_>) -> Option<Leg> {
        if trip.is_rigid || self.without_clean_escape == WithoutCleanEscape::Relay {
            return None;
        }
        let choices = choices(shape, trip);
        let hops = choices.iter().find(|hops| !Paths::new(self, shape, trip.source, hops).traps())?;
        Some(Leg { hops: *hops, end: trip.target, service: Service::DynamicOnly })
    }

    /// How packets fare that are sent by exactly these hops from a live node, as software may wish; none where that leads
    /// nowhere, or a packet would be trapped.
    pub fn service_of(&self, shape: &Shape, source: u32, hops: &Hops, is_rigid: bool) -> Option<Service> {
        let target = shape.end(source, hops);
        if self.is_dead(source) || target.is_none_or(|target| self.is_dead(target)) {
            return None;
        }
        let paths = Paths::new(self, shape, source, hops);
        let has_clean_escape =
            if is_rigid { paths.has_clean_dimension_order() } else { paths.has_clean_escape() };
        match paths.is_clean() {
            true => Some(Service::Minimal),
            false if has_clean_escape => Some(Service::Around),
            false => (!is_rigid && !paths.traps()).then_some(Service::DynamicOnly),
        }
    }
}

/// All hint bits that lead to the target, those with fewest hops first, equals as the coin says.
fn choices(shape: &Shape, trip: &Trip<'_>) -> Vec<Hops> {
    let plus = shape.route_by(trip.source, trip.target, trip.coin, &preferences(shape, Preference::Plus));
    let minus = shape.route_by(trip.source, trip.target, trip.coin, &preferences(shape, Preference::Minus));
    let mut choices: Vec<Hops> = (0..1u32 << shape.dimensions())
        .map(|ways| {
            let ways = ways ^ trip.coin;
            let mut hops = plus;
            for dimension in (0..shape.dimensions()).filter(|dimension| ways >> dimension & 1 == 0) {
                hops.0[dimension] = minus.0[dimension];
            }
            hops
        })
        .collect();
    choices.sort_by_key(Hops::total);
    choices.dedup();
    choices
}

/// One way round in all dimensions that wrap; where there is none, there is no choice.
fn preferences(shape: &Shape, preference: Preference) -> [Preference; MAX_DIMENSIONS] {
    std::array::from_fn(|dimension| match dimension < shape.dimensions() && shape.wraps(dimension) {
        true => preference,
        false => Preference::Minimal,
    })
}
