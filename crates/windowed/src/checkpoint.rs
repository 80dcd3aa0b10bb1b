//! The engine's state as checkpoint frames: one for the whole engine, then one per node.

use super::WindowedEngine;
use super::buffers::{Buffers, Vc};
use super::node::Node;
use super::options::lossy_links::{LossyEngineState, LossyNodeState};
use super::options::state::OptionalState;
use super::outgoing::RemoteEvent;
use super::pending::PendingEvent;
use super::sets::BitSet;
use super::specialization::Specialization;
use super::steps::Steps;
use super::store::{FifoState, Layout, Store};
use super::subdomain::Subdomain;
use super::timestamped::Timestamped;
use super::visit::Visit;
use base::checkpoint::{FrameReader, FrameWriter, require};
use base::time::LATEST_CYCLE;
use network::arbitration::Memory;
use network::{LinkCounters, Totals};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;

/// State that does not belong to a node.
#[derive(Serialize, Deserialize)]
struct EngineState {
    now: u64,
    nodes: u32,
    totals: Totals,
    far_offers: Vec<u64>,
    lossy: Option<LossyEngineState>,
}

/// A node, and its share of the subdomain's arrays.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct NodeState<'a, F: Specialization> {
    node: Cow<'a, Node<F>>,
    /// The packets of each VC: the one that is leaving, then the others.
    packets: Vec<(F::Timestamped, F::Metadata)>,
    pending_events: Cow<'a, [PendingEvent<F::Tick>]>,
    heads: Cow<'a, [F::Timestamped]>,
    fifo_state: Cow<'a, [FifoState]>,
    optional: Cow<'a, [OptionalState<F::Inputs>]>,
    memories: Cow<'a, [Memory]>,
    lossy: Option<LossyNodeState<'a, F::Metadata>>,
    links: Vec<LinkCounters>,
}

impl<F: Steps> WindowedEngine<F> {
    pub(super) fn save_state(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        let nodes = self.fabric.parameters.shape.nodes();
        frames.write(&EngineState {
            now: self.now,
            nodes,
            totals: self.counted(),
            far_offers: self.subdomains[0].store.far.cycles(),
            lossy: self.lossy_engine_state(),
        })?;
        self.subdomains.iter().try_for_each(|subdomain| subdomain.save(self.now, frames))
    }

    pub(super) fn restore_state(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let EngineState { now, nodes, totals, far_offers, lossy } = frames.read()?;
        require(nodes == self.fabric.parameters.shape.nodes() && now < LATEST_CYCLE)?;
        self.now = now;
        self.subdomains[0].store.far.restore(far_offers);
        for subdomain in &mut self.subdomains {
            subdomain.restore(now, frames)?;
        }
        debug_assert!(self.counts_as(&totals), "packets are lost");
        debug_assert!(self.conserves_all_credits(), "credits leak");
        // Only the sum over all subdomains is ever read.
        self.subdomains[0].store.totals = totals;
        self.restore_lossy_engine_state(lossy);
        Ok(())
    }
}

impl<F: Steps> Subdomain<F> {
    fn save(&self, now: u64, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        debug_assert!(self.outgoing_queue.is_empty());
        (0..self.nodes.len()).try_for_each(|local| {
            frames.write(&self.node_state(local, now))?;
            self.store.endpoints.iter().try_for_each(|endpoints| endpoints.save(&self.fabric, local, frames))
        })
    }

    fn node_state(&self, local: usize, now: u64) -> NodeState<'_, F> {
        let (node, store) = (&self.nodes[local], &self.store);
        let layout = &store.layout;
        let packets = (0..layout.ports * F::VCS).flat_map(|input| self.packets_of(local, input));
        let packets = packets.map(|index| (store.buffers.timestamped(index), store.buffers.metadata(index)));
        NodeState {
            node: Cow::Borrowed(node),
            packets: packets.collect(),
            pending_events: part(&store.pending_events, local, layout.pending_events),
            heads: part(&store.heads, local, layout.fifos),
            fifo_state: part(&store.fifo_state, local, layout.lanes),
            optional: part(&store.optional, local, 1),
            memories: Cow::Borrowed(store.memories_of(local)),
            lossy: store.lossy.as_ref().map(|lossy| lossy.node_state(local)),
            links: store.links.save(node.links(local, layout.ports), now),
        }
    }

    fn restore(&mut self, now: u64, frames: &mut FrameReader<'_>) -> io::Result<()> {
        for local in 0..self.nodes.len() {
            let node_state: NodeState<'_, F> = frames.read()?;
            self.restore_node(node_state, local, now, frames)?;
        }
        self.rebuild_calendar(now);
        Ok(())
    }

    fn restore_node(
        &mut self,
        node_state: NodeState<'_, F>,
        local: usize,
        now: u64,
        frames: &mut FrameReader<'_>,
    ) -> io::Result<()> {
        let (fabric, number) = (self.store.fabric.clone(), self.first() + local as u32);
        let live = (0..fabric.ports).filter(|&port| fabric.has_live_link(number, port));
        let live = live.fold(0, |set, port| set | 1 << port);
        let window_start = self.windows.start(self.windows.number(now));
        let node = &mut self.nodes[local];
        let lossy = put_node(node_state, node, &mut self.store, local, now);
        if let Some(endpoints) = &mut self.store.endpoints {
            endpoints.restore(&fabric, local, now, frames)?;
        }
        let mut visit = Visit::new(node, local, &fabric, &mut self.store);
        require(visit.names_what_exists(live) && visit.is_of_time(window_start, now))?;
        visit.rebuild();
        if let Some((links, state)) = self.store.lossy.as_mut().zip(lossy) {
            links.restore_node(&fabric, local, node.stalled, &state)?;
        }
        Ok(())
    }
}

/// A node's part of an array in which every node has `count` elements.
fn part<T: Clone>(array: &[T], local: usize, count: usize) -> Cow<'_, [T]> {
    let each = if array.is_empty() { 0 } else { count };
    Cow::Borrowed(&array[local * each..(local + 1) * each])
}

/// Restores a node's state to its place; returns the state of its lossy links.
fn put_node<'a, F: Specialization>(
    node_state: NodeState<'a, F>,
    node: &mut Node<F>,
    store: &mut Store<F>,
    local: usize,
    now: u64,
) -> Option<LossyNodeState<'a, F::Metadata>> {
    let (key, edges) = (node.key, node.edges);
    *node = Node { key, edges, ..node_state.node.into_owned() };
    let Layout { pending_events, fifos, lanes, ports, .. } = store.layout;
    put_packets(&node_state.packets, node, &mut store.buffers, (local, ports));
    put(&mut store.pending_events, local, pending_events, &node_state.pending_events);
    put(&mut store.heads, local, fifos, &node_state.heads);
    put(&mut store.fifo_state, local, lanes, &node_state.fifo_state);
    put(&mut store.optional, local, 1, &node_state.optional);
    put(&mut store.memories, local, store.fabric.memories_of_node(), &node_state.memories);
    store.links.restore(node.links(local, ports), now, &node_state.links);
    node_state.lossy
}

/// Fills the empty VC buffers of a node.
fn put_packets<F: Specialization>(
    packets: &[(F::Timestamped, F::Metadata)],
    node: &Node<F>,
    buffers: &mut F::Buffers,
    (local, ports): (usize, usize),
) {
    let mut packets = packets.iter();
    let base = buffers.base(local);
    for input in 0..ports * F::VCS {
        let is_leaving = node.leaving().has(input);
        let vc = Vc { base, input, first: node.first[input].wrapping_sub(is_leaving.into()) };
        for rank in 0..node.count[input].saturating_add(is_leaving.into()) {
            let (timestamped, metadata) = *packets.next().expect("a node has the packets that it counts");
            let (packet, offered) = (timestamped.packet(), timestamped.offered());
            let event = RemoteEvent { packet, offered, metadata, ..RemoteEvent::default() };
            buffers.push(vc, rank, &event);
        }
        if is_leaving {
            buffers.begin_leaving(vc);
        }
    }
}

/// Writes a node's part into an array in which every node has `count` elements.
fn put<T: Clone>(array: &mut [T], local: usize, count: usize, part: &[T]) {
    let each = if array.is_empty() { 0 } else { count };
    array[local * each..(local + 1) * each].clone_from_slice(part);
}
