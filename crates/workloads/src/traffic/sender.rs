//! The common part of all sources: it turns a route, a size and a class into an offer.

use crate::context::Context;
use crate::job_nodes::JobNodes;
use crate::options::Routing;
use crate::targets::Route;
use base::draws::{Draws, NodeKey, Purpose, SeedKey, pick};
use geometry::{Faults, Hops, MAX_DIMENSIONS, Preference, RouteRequest, RouteSegment, Shape};
use network::{Class, Detour, ForwardAction, Lane, LaneKind, Offer};
use std::sync::Arc;

/// The random draws of one packet. Normal and high-priority lanes draw independently, because each kind has its own
/// sequence.
#[derive(Clone, Copy)]
pub(crate) struct PacketDraws {
    pub key: NodeKey,
    pub sequence: u64,
    draws: Draws,
    port: usize,
}

impl PacketDraws {
    /// The draws of packet `index` of `lane`.
    pub(crate) fn new(seed: SeedKey, lane: Lane, index: u64) -> Self {
        let port = match lane.kind {
            LaneKind::Mixed | LaneKind::Normal => 0,
            LaneKind::HighPriority => 1,
        };
        let (key, sequence) = (seed.of_node(lane.node), lane.sequence(index));
        PacketDraws { key, sequence, draws: key.at(sequence), port }
    }

    /// New draws for the same packet, used when the first ones chose a dead target; `attempt` counts from 1.
    pub(crate) fn redraw(&self, attempt: usize) -> Self {
        PacketDraws { port: self.port + 2 * attempt, ..*self }
    }

    /// 64 random bits for the order of a block of messages of the same node.
    pub(crate) fn block_bits(&self, block: u64) -> u64 {
        self.key.at(block).draw64(Purpose::Size, self.port)
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

/// The common part of all sources.
#[derive(Clone, Debug)]
pub(crate) struct Sender {
    pub seed: SeedKey,
    shape: Shape,
    faults: Faults,
    preferences: [Preference; MAX_DIMENSIONS],
    routing: Routing,
    has_adaptive_vcs: bool,
    fifo_sets: usize,
    /// The nodes of a job, by whose numbers routes name nodes.
    nodes: Option<Arc<JobNodes>>,
}

/// Whether a route can be used on a machine with dead nodes or links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reachability {
    /// The route leads to a live node.
    Reachable,
    /// The source or target is dead or does not exist, or the route is a single link and that link is dead.
    DeadEnd,
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
            routing,
            has_adaptive_vcs: context.parameters.router.dynamic_channels > 0,
            fifo_sets: context.parameters.node.fifo_sets(),
            nodes: context.placement.nodes.clone(),
        }
    }

    /// Dead nodes and links.
    pub(crate) fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Whether packets always use dimension order.
    pub(crate) fn is_dimension_ordered(&self, high_priority: bool) -> bool {
        self.routing.is_deterministic() || high_priority || !self.has_adaptive_vcs
    }

    /// The next live node after `node` in order of number.
    pub(crate) fn next_live_node(&self, node: u32) -> Option<u32> {
        let nodes = self.shape.nodes();
        (1..nodes).map(|offset| (node + offset) % nodes).find(|&other| !self.faults.is_dead(other))
    }

    /// The reachability of `route` from `node`.
    pub(crate) fn reachability(&self, node: u32, route: Route, high_priority: bool) -> Reachability {
        if self.faults.is_dead(node) {
            return Reachability::DeadEnd;
        }
        match route {
            Route::To(target) if self.faults.is_dead(target) => Reachability::DeadEnd,
            Route::To(_) => Reachability::Reachable,
            Route::By(hops) => {
                self.reachability_of_hops(node, &hops, self.is_dimension_ordered(high_priority))
            }
        }
    }

    fn reachability_of_hops(&self, node: u32, hops: &Hops, is_dimension_ordered: bool) -> Reachability {
        let is_dead_end = match self.shape.destination(node, hops) {
            Some(target) => self.faults.is_dead(target),
            None => true,
        };
        let is_dead_link = || {
            let toward = hops.directions().next().filter(|_| hops.total() == 1);
            toward.is_some_and(|toward| self.faults.is_dead_link(&self.shape, node, toward))
        };
        match self.faults.service_of(&self.shape, node, hops, is_dimension_ordered) {
            Some(_) => Reachability::Reachable,
            None if is_dead_end || is_dead_link() => Reachability::DeadEnd,
            None => Reachability::Trapped,
        }
    }

    /// The machine on which packets are routed, and its faults.
    fn machine(&self) -> (&Shape, &Faults) {
        match &self.nodes {
            Some(nodes) => (nodes.machine(), nodes.faults_of_machine()),
            None => (&self.shape, &self.faults),
        }
    }

    /// The number of a node on that machine.
    fn on_machine(&self, node: u32) -> u32 {
        self.nodes.as_ref().map_or(node, |nodes| nodes.node(node))
    }

    /// The route on that machine. Hops that a job states lead to the same nodes within its box; elsewhere they
    /// determine only the target.
    fn route_on_machine(&self, node: u32, route: Route) -> Route {
        match (&self.nodes, route) {
            (Some(nodes), Route::By(hops)) if !nodes.is_box() => {
                let target = self.shape.destination(node, &hops).expect("ways lead to nodes");
                Route::To(nodes.node(target))
            }
            (_, Route::By(hops)) => Route::By(hops),
            (_, Route::To(target)) => Route::To(self.on_machine(target)),
        }
    }

    /// The route segment around dead nodes and links, and the target. The target is the segment's end, or is
    /// reached from it through a relay.
    fn segment(
        &self,
        node: u32,
        route: Route,
        draws: &PacketDraws,
        is_dimension_ordered: bool,
    ) -> (RouteSegment, u32) {
        let (shape, faults) = self.machine();
        let (node, route) = (self.on_machine(node), self.route_on_machine(node, route));
        match route {
            Route::By(hops) => {
                let service = faults.service_of(shape, node, &hops, is_dimension_ordered);
                let end = shape.destination(node, &hops).expect("ways lead to nodes");
                let service = service.expect("ways on which packets are trapped are refused");
                (RouteSegment { hops, end, service }, end)
            }
            Route::To(target) => {
                let coin = draws.bits(Purpose::RingTie);
                let route_request = RouteRequest {
                    source: node,
                    target,
                    coin,
                    preferences: &self.preferences,
                    is_dimension_ordered,
                };
                (faults.segment(shape, &route_request), target)
            }
        }
    }

    /// The offer of a packet. Two cores receive alternately. The route must be [`Reachability::Reachable`].
    #[inline]
    pub(crate) fn offer(
        &self,
        node: u32,
        route: &Route,
        draws: &PacketDraws,
        high_priority: bool,
        chunks: u8,
        ready: u64,
    ) -> Offer {
        let (hops, adaptive_only, forward_action) = if self.machine().1.is_empty() {
            (self.hops(node, route, draws), false, ForwardAction::Consume)
        } else {
            let (segment, target) =
                self.segment(node, *route, draws, self.is_dimension_ordered(high_priority));
            (
                segment.hops,
                segment.is_adaptive_only(),
                segment.relayed_to(target).map_or(ForwardAction::Consume, ForwardAction::RelayTo),
            )
        };
        let reception_group = if self.fifo_sets > 1 { (draws.sequence & 1) as u8 } else { 0 };
        let class = Class {
            deterministic: self.routing.is_deterministic(),
            high_priority,
            reception_group,
            adaptive_only,
            deposit: false,
        };
        Offer { hops, chunks, class, ready, forward_action }
    }

    /// The non-minimal route of a packet of normal priority, if packets have one: over any node, drawn uniformly.
    /// None if that node is the source or the target: then the route is minimal.
    pub(crate) fn detour(&self, node: u32, route: &Route, draws: &PacketDraws) -> Option<Detour> {
        if !self.routing.has_detours() {
            return None;
        }
        let target = match *route {
            Route::To(target) => target,
            Route::By(hops) => self.shape.destination(node, &hops)?,
        };
        let intermediate = pick(draws.bits(Purpose::Intermediate), self.shape.nodes());
        if intermediate == node || intermediate == target {
            return None;
        }
        let ties = draws.bits64(Purpose::SegmentTies);
        Some(Detour {
            to_intermediate: self.minimal_hops(node, intermediate, ties as u32),
            onward: self.minimal_hops(intermediate, target, (ties >> 32) as u32),
            is_optional: self.routing.has_optional_detours(),
        })
    }

    fn minimal_hops(&self, from: u32, to: u32, coin: u32) -> Hops {
        self.machine().0.route(self.on_machine(from), self.on_machine(to), coin)
    }

    fn hops(&self, node: u32, route: &Route, draws: &PacketDraws) -> Hops {
        if self.nodes.is_some() {
            return self.hops_of_job(node, route, draws);
        }
        match *route {
            Route::By(hops) => hops,
            Route::To(target) => {
                let coin = draws.bits(Purpose::RingTie);
                self.shape.route_with_preferences(node, target, coin, &self.preferences)
            }
        }
    }

    /// The hops on the machine between two nodes of a job.
    fn hops_of_job(&self, node: u32, route: &Route, draws: &PacketDraws) -> Hops {
        match self.route_on_machine(node, *route) {
            Route::By(hops) => hops,
            Route::To(target) => {
                let (coin, preferences) = (draws.bits(Purpose::RingTie), &self.preferences);
                let source = self.on_machine(node);
                self.machine().0.route_with_preferences(source, target, coin, preferences)
            }
        }
    }
}
