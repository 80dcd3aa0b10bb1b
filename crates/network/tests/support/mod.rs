//! A small source of random packets, and what the tests of engines share.
#![allow(dead_code)] // each test file uses its part

use geometry::{Faults, Leg, MAX_DIMENSIONS, Preference, Service, Shape, Trip};
use network::draws::{NodeKey, Purpose, pick};
use network::{Class, Engine, Lane, LaneKind, Offer, Onward, Parameters, Source, Traffic};
use std::sync::Arc;

/// Random targets, sizes and classes; or one fixed displacement.
#[derive(Clone, Debug)]
pub struct RandomPackets {
    pub shape: Shape,
    pub seed: u64,
    /// None: without end.
    pub packets_per_node: Option<u64>,
    pub chunks: (u8, u8),
    /// Mean cycles between packets of a node; 0: always waiting.
    pub gap_cycles: u32,
    pub deterministic_percent: u32,
    pub high_priority_percent: u32,
    pub reception_groups: u8,
    pub preferences: [Preference; MAX_DIMENSIONS],
    /// Nodes onward in number at which every packet is sent; none: random targets.
    pub displacement: Option<u32>,
    /// What is dead: nothing is sent from there, or there.
    pub faults: Faults,
    /// Whether all packets keep to dimension order, the router having nothing else.
    pub is_rigid: bool,
}

impl RandomPackets {
    pub fn new(shape: &Shape, seed: u64) -> Self {
        RandomPackets {
            shape: shape.clone(),
            seed,
            packets_per_node: Some(20),
            chunks: (8, 8),
            gap_cycles: 0,
            deterministic_percent: 0,
            high_priority_percent: 0,
            reception_groups: 1,
            preferences: [Preference::Minimal; MAX_DIMENSIONS],
            displacement: None,
            faults: Faults::default(),
            is_rigid: false,
        }
    }

    pub fn traffic(&self) -> Traffic {
        Traffic::Generated(Arc::new(self.clone()))
    }

    fn target(&self, key: NodeKey, lane: &Lane, sequence: u64) -> u32 {
        let nodes = self.shape.nodes();
        let onward = match self.displacement {
            Some(displacement) => displacement,
            None => 1 + pick(key.draw(Purpose::Target, sequence, lane.kind as usize), nodes - 1),
        };
        let is_live = |target: &u32| *target != lane.node && !self.faults.is_dead(*target);
        (0..nodes).map(|on| (lane.node + onward + on) % nodes).find(is_live).expect("two nodes are alive")
    }

    fn leg(&self, trip: &Trip<'_>) -> Leg {
        if self.faults.is_empty() {
            let hops = self.shape.route_by(trip.source, trip.target, trip.coin, trip.preferences);
            return Leg { hops, end: trip.target, service: Service::Minimal };
        }
        self.faults.leg(&self.shape, trip)
    }
}

impl Source for RandomPackets {
    fn offer(&self, lane: Lane, index: u64, previous_ready: u64) -> Option<Offer> {
        let sequence = lane.sequence(index);
        let ended = self.packets_per_node.is_some_and(|packets| sequence >= packets);
        if ended
            || self.faults.is_dead(lane.node)
            || self.shape.nodes() < 2
            || (lane.kind == LaneKind::HighPriority && self.high_priority_percent == 0)
        {
            return None;
        }
        let key = NodeKey::new(self.seed, lane.node);
        let draw = |purpose| key.draw(purpose, sequence, lane.kind as usize);
        let target = self.target(key, &lane, sequence);
        let preferences = match self.shape.admits(lane.node, target, &self.preferences) {
            true => &self.preferences,
            false => &[Preference::Minimal; MAX_DIMENSIONS],
        };
        let (low, high) = self.chunks;
        let class = draw(Purpose::Class);
        let high_priority = match lane.kind {
            LaneKind::Mixed => pick(class, 100) < self.high_priority_percent,
            LaneKind::Normal => false,
            LaneKind::HighPriority => true,
        };
        let gap = match self.gap_cycles {
            0 => 0,
            mean => u64::from(1 + pick(draw(Purpose::Gap), 2 * mean * lane.lanes)),
        };
        let deterministic = pick(class.rotate_left(8), 100) < self.deterministic_percent;
        let leg = self.leg(&Trip {
            source: lane.node,
            target,
            coin: draw(Purpose::HalfWay),
            preferences,
            is_rigid: self.is_rigid || deterministic || high_priority,
        });
        Some(Offer {
            hops: leg.hops,
            chunks: low + pick(draw(Purpose::Size), u32::from(high - low) + 1) as u8,
            class: Class {
                deterministic,
                high_priority,
                reception_group: (sequence % u64::from(self.reception_groups)) as u8,
                dynamic_only: leg.is_dynamic_only(),
                deposit: false,
            },
            ready: previous_ready + gap,
            onward: leg.relayed_to(target).map_or(Onward::Ends, Onward::To),
        })
    }

    fn smallest_chunks(&self) -> u8 {
        self.chunks.0
    }

    fn uses_high_priority(&self) -> bool {
        self.high_priority_percent > 0
    }
}

/// Runs until nothing is left to happen, or `limit` is reached.
pub fn drain(engine: &mut dyn Engine, limit: u64) {
    while let Some(next) = engine.next_event().filter(|&next| next < limit) {
        engine.advance((next + 1000).min(limit));
    }
}

pub fn bluegene_l(shape: &Shape) -> Parameters {
    Parameters::bluegene_l(shape.clone(), 1)
}
