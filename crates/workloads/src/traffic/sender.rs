//! What all sources do alike: turn a way, a size and a class into an offer.

use crate::options::Routing;
use crate::plan::Context;
use geometry::{Faults, Hops, Leg, MAX_DIMENSIONS, Preference, Shape, Trip};
use network::draws::{Draws, NodeKey, Purpose, SeedKey};
use network::{Class, Lane, LaneKind, Offer, Onward};

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
    draws: Draws,
    port: usize,
}

impl PacketDraws {
    /// Those of packet `index` of `lane`.
    pub(crate) fn new(seed: SeedKey, lane: Lane, index: u64) -> Self {
        let port = match lane.kind {
            LaneKind::Mixed | LaneKind::Normal => 0,
            LaneKind::HighPriority => 1,
        };
        let (key, sequence) = (seed.of_node(lane.node), lane.sequence(index));
        PacketDraws { key, sequence, draws: key.at(sequence), port }
    }

    /// The draws of the same packet if what the first ones chose is dead: `attempt` counts from 1.
    pub(crate) fn again(&self, attempt: usize) -> Self {
        PacketDraws { port: self.port + 2 * attempt, ..*self }
    }

    /// 32 random bits for `purpose`.
    pub(crate) fn bits(&self, purpose: Purpose) -> u32 {
        self.draws.draw(purpose, self.port)
    }

    /// 64 random bits for `purpose`.
    pub(crate) fn bits64(&self, purpose: Purpose) -> u64 {
        self.draws.draw64(purpose, self.port)
    }
}

/// The shared end of every source.
#[derive(Clone, Debug)]
pub(crate) struct Sender {
    pub seed: SeedKey,
    shape: Shape,
    faults: Faults,
    preferences: [Preference; MAX_DIMENSIONS],
    deterministic: bool,
    has_dynamic_channels: bool,
    cores: u8,
}

/// Whether a way can be taken, some nodes and links being dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It leads to a live node.
    Arrives,
    /// A node at its end is dead, or the link itself where it is one.
    Ends,
    /// Packets that take exactly these hops would be trapped.
    Trapped,
}

impl Sender {
    pub(crate) fn new(
        context: &Context,
        routing: Routing,
        preferences: [Preference; MAX_DIMENSIONS],
    ) -> Self {
        Sender {
            seed: SeedKey::new(context.parameters.seed),
            shape: context.shape().clone(),
            faults: context.parameters.faults.clone(),
            preferences,
            deterministic: routing == Routing::Deterministic,
            has_dynamic_channels: context.parameters.router.dynamic_channels > 0,
            cores: context.parameters.node.cores,
        }
    }

    /// What is dead.
    pub(crate) fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Whether packets keep to dimension order.
    pub(crate) fn is_rigid(&self, high_priority: bool) -> bool {
        self.deterministic || high_priority || !self.has_dynamic_channels
    }

    /// The next live node behind another in number.
    pub(crate) fn next_live_node(&self, node: u32) -> Option<u32> {
        let nodes = self.shape.nodes();
        (1..nodes).map(|onward| (node + onward) % nodes).find(|&other| !self.faults.is_dead(other))
    }

    /// How a packet from a node fares.
    pub(crate) fn fate(&self, node: u32, way: Way, high_priority: bool) -> Fate {
        if self.faults.is_dead(node) {
            return Fate::Ends;
        }
        match way {
            Way::To(target) if self.faults.is_dead(target) => Fate::Ends,
            Way::To(_) => Fate::Arrives,
            Way::By(hops) => self.fate_of_hops(node, &hops, self.is_rigid(high_priority)),
        }
    }

    fn fate_of_hops(&self, node: u32, hops: &Hops, is_rigid: bool) -> Fate {
        let is_dead_end = match self.shape.end(node, hops) {
            Some(target) => self.faults.is_dead(target),
            None => true,
        };
        let is_dead_link = || {
            let toward = hops.directions().next().filter(|_| hops.total() == 1);
            toward.is_some_and(|toward| self.faults.is_dead_link(&self.shape, node, toward))
        };
        match self.faults.service_of(&self.shape, node, hops, is_rigid) {
            Some(_) => Fate::Arrives,
            None if is_dead_end || is_dead_link() => Fate::Ends,
            None => Fate::Trapped,
        }
    }

    /// The way past what is dead, and the target at its end or beyond a relay there.
    fn leg(&self, node: u32, way: Way, draws: &PacketDraws, is_rigid: bool) -> (Leg, u32) {
        match way {
            Way::By(hops) => {
                let service = self.faults.service_of(&self.shape, node, &hops, is_rigid);
                let end = self.shape.end(node, &hops).expect("ways lead to nodes");
                let service = service.expect("ways on which packets are trapped are refused");
                (Leg { hops, end, service }, end)
            }
            Way::To(target) => {
                let coin = draws.bits(Purpose::HalfWay);
                let trip = Trip { source: node, target, coin, preferences: &self.preferences, is_rigid };
                (self.faults.leg(&self.shape, &trip), target)
            }
        }
    }

    /// The offer of a packet; two cores receive in turn. Where something is dead, its fate is to arrive.
    #[inline]
    pub(crate) fn offer(
        &self,
        node: u32,
        way: &Way,
        draws: &PacketDraws,
        high_priority: bool,
        chunks: u8,
        ready: u64,
    ) -> Offer {
        let (hops, dynamic_only, onward) = if self.faults.is_empty() {
            (self.hops(node, way, draws), false, Onward::Ends)
        } else {
            let (leg, target) = self.leg(node, *way, draws, self.is_rigid(high_priority));
            (leg.hops, leg.is_dynamic_only(), leg.relayed_to(target).map_or(Onward::Ends, Onward::To))
        };
        let reception_group = if self.cores > 1 { (draws.sequence & 1) as u8 } else { 0 };
        let class = Class {
            deterministic: self.deterministic,
            high_priority,
            reception_group,
            dynamic_only,
            deposit: false,
        };
        Offer { hops, chunks, class, ready, onward }
    }

    fn hops(&self, node: u32, way: &Way, draws: &PacketDraws) -> Hops {
        match *way {
            Way::By(hops) => hops,
            Way::To(target) => {
                let coin = draws.bits(Purpose::HalfWay);
                self.shape.route_by(node, target, coin, &self.preferences)
            }
        }
    }
}
