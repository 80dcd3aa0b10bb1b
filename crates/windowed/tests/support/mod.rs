//! A small source of random packets, and helpers shared by the tests of engines.
#![allow(dead_code)] // each test file uses a part

use base::draws::{NodeKey, Purpose, pick};
use geometry::{Faults, Hops, MAX_DIMENSIONS, Preference, RouteRequest, RouteSegment, Service, Shape};
use network::{
    Class, Detour, Engine, ForwardAction, Lane, LaneKind, Offer, Parameters, Peers, Source, Traffic,
};
use proptest::prelude::ProptestConfig;
use std::sync::Arc;

/// A few equal packets of one class, at the start of each of some nodes.
#[derive(Clone, Debug)]
pub struct EqualPackets {
    pub nodes: Vec<u32>,
    pub packets_per_node: u64,
    pub offer: Offer,
    pub smallest_chunks: u8,
}

impl EqualPackets {
    /// One full packet of node 0 in dimension order.
    pub fn one(hops: [i32; 3]) -> Self {
        let [x, y, z] = hops;
        let class = Class { deterministic: true, ..Class::default() };
        let hops = Hops([x, y, z, 0, 0, 0]);
        let offer = Offer { hops, chunks: 8, class, ready: 0, forward_action: ForwardAction::Consume };
        EqualPackets { nodes: vec![0], packets_per_node: 1, offer, smallest_chunks: 8 }
    }

    pub fn traffic(self) -> Traffic {
        Traffic::Generated(Arc::new(self))
    }
}

impl Source for EqualPackets {
    fn offer(&self, lane: Lane, index: u64, _: u64) -> Option<Offer> {
        let sends = self.nodes.contains(&lane.node) && lane.kind != LaneKind::HighPriority;
        (sends && index < self.packets_per_node).then_some(self.offer)
    }

    fn smallest_chunks(&self) -> u8 {
        self.smallest_chunks
    }

    fn deposits(&self) -> bool {
        self.offer.class.deposit
    }
}

/// Random targets, sizes and classes; or targets at one fixed displacement.
#[derive(Clone, Debug)]
pub struct RandomPackets {
    pub shape: Shape,
    pub seed: u64,
    /// Number of packets of each node; none: unlimited.
    pub packets_per_node: Option<u64>,
    pub chunks: (u8, u8),
    /// Mean cycles between packets of a node; 0: packets are always waiting.
    pub gap_cycles: u32,
    pub deterministic_percent: u32,
    pub high_priority_percent: u32,
    pub reception_groups: u8,
    pub preferences: [Preference; MAX_DIMENSIONS],
    /// The target's node number minus the sender's, modulo the number of nodes; none: random targets.
    pub displacement: Option<u32>,
    /// Dead nodes and links: nothing is sent from or to dead nodes.
    pub faults: Faults,
    /// Whether all packets are routed in dimension order, because the router has no adaptive VCs.
    pub is_dimension_ordered: bool,
    /// Percentage of packets that travel along one dimension and leave copies on their route.
    pub deposit_percent: u32,
    /// Whether software sends new packets in response to some of those that it reads, as at the corners of a broadcast.
    pub forwards: bool,
    /// Percentage of packets that may go over an intermediate node.
    pub detour_percent: u32,
    /// Whether the packets that may take a detour choose between both routes.
    pub chooses_detours: bool,
    /// The group of each node, if deliveries are counted by groups.
    pub groups: Option<Arc<[u16]>>,
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
            is_dimension_ordered: false,
            deposit_percent: 0,
            forwards: false,
            detour_percent: 0,
            chooses_detours: false,
            groups: None,
        }
    }

    pub fn traffic(&self) -> Traffic {
        Traffic::Generated(Arc::new(self.clone()))
    }

    fn target(&self, key: NodeKey, node: u32, kind: LaneKind, sequence: u64) -> u32 {
        let nodes = self.shape.nodes();
        let offset = match self.displacement {
            Some(displacement) => displacement,
            None => 1 + pick(key.draw(Purpose::Target, sequence, kind as usize), nodes - 1),
        };
        let is_live = |target: &u32| *target != node && !self.faults.is_dead(*target);
        (0..nodes).map(|on| (node + offset + on) % nodes).find(is_live).expect("two nodes are alive")
    }

    fn segment(&self, route_request: &RouteRequest<'_>) -> RouteSegment {
        if self.faults.is_empty() {
            let hops = self.shape.route_with_preferences(
                route_request.source,
                route_request.target,
                route_request.coin,
                route_request.preferences,
            );
            return RouteSegment { hops, end: route_request.target, service: Service::Minimal };
        }
        self.faults.segment(&self.shape, route_request)
    }

    /// Packet `sequence` of a node, ready at cycle 0.
    fn packet(&self, node: u32, kind: LaneKind, sequence: u64) -> Offer {
        let key = NodeKey::new(self.seed, node);
        let draw = |purpose| key.draw(purpose, sequence, kind as usize);
        let target = self.target(key, node, kind, sequence);
        let preferences = match self.shape.admits(node, target, &self.preferences) {
            true => &self.preferences,
            false => &[Preference::Minimal; MAX_DIMENSIONS],
        };
        let (low, high) = self.chunks;
        let drawn = draw(Purpose::Class);
        let deposit =
            pick(drawn.rotate_left(16), 100) < self.deposit_percent && kind != LaneKind::HighPriority;
        let high_priority = match kind {
            LaneKind::Mixed => pick(drawn, 100) < self.high_priority_percent && !deposit,
            LaneKind::Normal => false,
            LaneKind::HighPriority => true,
        };
        let deterministic = deposit || pick(drawn.rotate_left(8), 100) < self.deterministic_percent;
        let segment = self.segment(&RouteRequest {
            source: node,
            target,
            coin: draw(Purpose::RingTie),
            preferences,
            is_dimension_ordered: self.is_dimension_ordered || deterministic || high_priority,
        });
        let group = sequence % u64::from(self.reception_groups);
        let adaptive_only = segment.is_adaptive_only();
        Offer {
            hops: if deposit { along_one_dimension(segment.hops) } else { segment.hops },
            chunks: low + pick(draw(Purpose::Size), u32::from(high - low) + 1) as u8,
            class: Class {
                deterministic,
                high_priority,
                reception_group: group as u8,
                adaptive_only,
                deposit,
            },
            ready: 0,
            forward_action: segment.relayed_to(target).map_or(ForwardAction::Consume, ForwardAction::RelayTo),
        }
    }

    /// Packet `sequence`, for which software sends new packets at `corners` corners.
    fn with_forward_action(&self, offer: Offer, corners: u32, sequence: u64) -> Offer {
        let tag = (sequence as u32) << 2 | corners;
        Offer {
            forward_action: if self.forwards { ForwardAction::Forward(tag) } else { offer.forward_action },
            ..offer
        }
    }
}

/// The part of a route along the first of its dimensions.
fn along_one_dimension(hops: Hops) -> Hops {
    let first = hops.0.iter().position(|&hops| hops != 0).expect("a packet goes somewhere");
    let mut along = Hops::default();
    along.0[first] = hops.0[first];
    along
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
        let gap = match self.gap_cycles {
            0 => 0,
            mean => {
                let bits = key.draw(Purpose::Gap, sequence, lane.kind as usize);
                u64::from(1 + pick(bits, 2 * mean * lane.lanes))
            }
        };
        let offer = Offer { ready: previous_ready + gap, ..self.packet(lane.node, lane.kind, sequence) };
        Some(self.with_forward_action(offer, (sequence % 3) as u32, sequence))
    }

    fn detour(&self, lane: Lane, index: u64) -> Option<Detour> {
        let sequence = lane.sequence(index);
        let offer = self.packet(lane.node, lane.kind, sequence);
        let target = self.shape.destination(lane.node, &offer.hops).expect("packets have targets");
        let drawn =
            NodeKey::new(self.seed, lane.node).draw64(Purpose::Intermediate, sequence, lane.kind as usize);
        let intermediate = pick(drawn as u32, self.shape.nodes());
        let is_wanted = pick((drawn >> 32) as u32, 100) < self.detour_percent
            && !offer.class.high_priority
            && intermediate != lane.node
            && intermediate != target;
        is_wanted.then(|| Detour {
            to_intermediate: self.shape.route(lane.node, intermediate, drawn as u32),
            onward: self.shape.route(intermediate, target, (drawn >> 32) as u32),
            is_optional: self.chooses_detours,
        })
    }

    fn smallest_chunks(&self) -> u8 {
        self.chunks.0
    }

    fn uses_high_priority(&self) -> bool {
        self.high_priority_percent > 0
    }

    fn groups(&self) -> Option<Arc<[u16]>> {
        self.groups.clone()
    }

    fn deposits(&self) -> bool {
        self.deposit_percent > 0
    }

    fn forwards(&self) -> bool {
        self.forwards
    }

    /// Forwards two packets at each corner.
    fn forwarded(&self, node: u32, tag: u32, index: u32) -> Option<Offer> {
        let (corners, sequence) = (tag & 3, u64::from(tag >> 2) << 1 | u64::from(index));
        let offer = || self.packet(node, LaneKind::Mixed, 1 << 40 | sequence);
        (corners > 0 && index < 2).then(|| self.with_forward_action(offer(), corners - 1, sequence))
    }
}

/// Runs until no event is left, or `limit` is reached.
pub fn drain(engine: &mut dyn Engine, limit: u64) {
    while let Some(next) = engine.next_event().filter(|&next| next < limit) {
        engine.advance((next + 1000).min(limit));
    }
}

pub fn bluegene_l(shape: &Shape) -> Parameters {
    Parameters::bluegene_l(shape.clone(), 1)
}

/// Cases of a property: as many as `PROPTEST_CASES` says, or `few`.
pub fn cases(few: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: cases.unwrap_or(few), max_shrink_iters: 300, ..ProptestConfig::default() }
}

/// Runs something on some processes, which are threads here; returns the result of each.
pub fn on_peers<T: Send>(processes: usize, run: impl Fn(Peers) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let run = &run;
        let peers = Peers::in_threads(processes).into_iter();
        let threads: Vec<_> = peers.map(|peers| scope.spawn(move || run(peers))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no process panics")).collect()
    })
}
