//! What all sources do alike: turn a way, a size and a class into an offer.

use crate::options::Routing;
use crate::plan::Context;
use geometry::{Hops, MAX_DIMENSIONS, Preference, Shape};
use network::draws::{NodeKey, Purpose};
use network::{Class, Lane, LaneKind, Offer};

/// Where a packet is to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// To this node, as the preferences say.
    To(u32),
    /// Exactly so.
    By(Hops),
}

/// The draws of one packet. Lanes of different kinds draw independently, as each kind has a sequence of its own.
#[derive(Clone, Copy)]
pub(crate) struct PacketDraws {
    pub key: NodeKey,
    pub sequence: u64,
    port: usize,
}

impl PacketDraws {
    /// Those of packet `index` of `lane`.
    pub(crate) fn new(seed: u64, lane: Lane, index: u64) -> Self {
        let port = match lane.kind {
            LaneKind::Mixed | LaneKind::Normal => 0,
            LaneKind::HighPriority => 1,
        };
        PacketDraws { key: NodeKey::new(seed, lane.node), sequence: lane.sequence(index), port }
    }

    /// 32 random bits for `purpose`.
    pub(crate) fn bits(&self, purpose: Purpose) -> u32 {
        self.key.draw(purpose, self.sequence, self.port)
    }

    /// 64 random bits for `purpose`.
    pub(crate) fn bits64(&self, purpose: Purpose) -> u64 {
        self.key.draw64(purpose, self.sequence, self.port)
    }
}

/// The shared end of every source.
#[derive(Clone, Debug)]
pub(crate) struct Sender {
    pub seed: u64,
    shape: Shape,
    preferences: [Preference; MAX_DIMENSIONS],
    deterministic: bool,
    cores: u8,
}

impl Sender {
    pub(crate) fn new(
        context: &Context,
        routing: Routing,
        preferences: [Preference; MAX_DIMENSIONS],
    ) -> Self {
        Sender {
            seed: context.parameters.seed,
            shape: context.shape().clone(),
            preferences,
            deterministic: routing == Routing::Deterministic,
            cores: context.parameters.node.cores,
        }
    }

    /// The offer of a packet; two cores receive in turn.
    pub(crate) fn offer(
        &self,
        node: u32,
        way: Way,
        draws: &PacketDraws,
        high_priority: bool,
        chunks: u8,
        ready: u64,
    ) -> Offer {
        let hops = match way {
            Way::By(hops) => hops,
            Way::To(target) => {
                let coin = draws.bits(Purpose::HalfWay);
                self.shape.route_by(node, target, coin, &self.preferences)
            }
        };
        let reception_group = if self.cores > 1 { (draws.sequence & 1) as u8 } else { 0 };
        let class = Class { deterministic: self.deterministic, high_priority, reception_group };
        Offer { hops, chunks, class, ready }
    }
}
