//! A subdomain: consecutively numbered nodes, all their state, and the calendar of the windows in which they are
//! visited.

use super::buffers::{Buffers, Vc};
use super::calendar::{self, Calendar};
use super::node::Node;
use super::offered::FarOffers;
use super::outgoing::RemoteEvents;
use super::sets::Tick;
use super::specialization::Specialization;
use super::store::Store;
use super::windows::Windows;
use base::memory;
use geometry::Direction;
use network::fabric::Fabric;
use network::traffic::Traffic;
use std::sync::Arc;

/// Size of a subdomain, in bytes, up to which it stays in the cache of a present-day core.
const CACHE_BYTES: usize = 1 << 20;

/// Nodes `store.first..store.first + nodes.len()` of the network.
pub struct Subdomain<F: Specialization> {
    /// The hot state of the nodes.
    pub nodes: Vec<Node<F>>,
    pub(super) fabric: Arc<Fabric>,
    /// The other state of the nodes.
    pub store: Store<F>,
    pub(super) calendar: Calendar,
    pub(super) windows: Windows,
    /// Whether the state exceeds [`CACHE_BYTES`], so that memory has to be prefetched.
    pub(super) outgrows_cache: bool,
    /// The epoch of the current window; ticks count cycles from its start.
    pub(super) epoch: u32,
    /// The nodes of the current window; kept to reuse the allocation.
    pub(super) active: Vec<u32>,
    /// Events for nodes of other subdomains.
    pub outgoing_queue: RemoteEvents<F::Metadata>,
}

impl<F: Specialization> Subdomain<F> {
    /// Nodes `first..first + count` before cycle 0.
    pub(super) fn at_rest(
        fabric: &Arc<Fabric>,
        traffic: &Traffic,
        far: &FarOffers,
        first: u32,
        count: u32,
    ) -> Self {
        let mut nodes = memory::room_for(count as usize);
        nodes.extend((first..first + count).map(|number| new_node(fabric, number)));
        let mut subdomain = Subdomain {
            nodes,
            fabric: fabric.clone(),
            store: Store::new(fabric, traffic, far, first, count),
            calendar: Calendar::starting(count as usize, 0),
            windows: Windows::of(fabric),
            outgrows_cache: false,
            epoch: 0,
            active: Vec::new(),
            outgoing_queue: RemoteEvents::default(),
        };
        subdomain.outgrows_cache = subdomain.bytes() > CACHE_BYTES;
        subdomain
    }

    /// Computes the epoch of the current window.
    pub(super) fn epoch_of_window(&self) -> u32 {
        (self.window_start() / F::Tick::EPOCH_CYCLES as u64) as u32
    }

    /// Number of the subdomain's first node.
    pub fn first(&self) -> u32 {
        self.store.first
    }

    /// Marks node `local` to be visited in the window that contains `time`.
    #[inline(always)]
    pub(super) fn mark(&mut self, local: usize, time: u64) {
        self.mark_if(true, local, time);
    }

    /// Marks node `local` to be visited in the window that contains `time`, if `condition`.
    #[inline(always)]
    pub(super) fn mark_if(&mut self, condition: bool, local: usize, time: u64) {
        self.calendar.mark_if(condition, self.windows.number(time), local);
    }

    /// The window of the next event.
    pub fn next_window(&self) -> Option<u64> {
        self.calendar.next_window()
    }

    /// The first cycle of the current window.
    pub(super) fn window_start(&self) -> u64 {
        self.windows.start(self.calendar.window())
    }

    /// The number of `node` within the subdomain, if the node belongs to it.
    #[inline(always)]
    pub(super) fn local(&self, node: u32) -> Option<usize> {
        let local = node.wrapping_sub(self.store.first) as usize;
        (local < self.nodes.len()).then_some(local)
    }

    /// The VC with number `input` of node `local`.
    #[inline(always)]
    pub(super) fn vc(&self, local: usize, input: usize) -> Vc {
        Vc { base: self.store.buffers.base(local), input, first: self.nodes[local].first[input] }
    }

    /// Bytes of state.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + self.store.bytes()
            + calendar::bytes_for(self.nodes.len() as u64) as usize
    }
}

fn new_node<F: Specialization>(fabric: &Fabric, number: u32) -> Node<F> {
    let shape = &fabric.parameters.shape;
    let is_edge = |direction: &Direction| shape.is_dateline(number, *direction);
    let edges =
        Direction::all(shape.dimensions()).filter(is_edge).fold(0, |set, edge| set | 1 << edge.index());
    // A dead link counts as missing: it is never idle, so nothing is sent over it.
    let is_link = |direction: &Direction| {
        shape.neighbor(number, *direction).is_some() && !fabric.is_dead_link(number, direction.index())
    };
    let links = Direction::all(shape.dimensions()).filter(is_link);
    let links = links.fold(0, |set, link| set | 1 << link.index());
    let credits = |vc: usize| fabric.capacity[vc];
    Node::new(fabric.seed_key.of_node(number), credits, links, edges)
}
