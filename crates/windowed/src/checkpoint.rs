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
use base::checkpoint::{FrameReader, FrameWriter, require, unexpected_state};
use base::time::LATEST_CYCLE;
use network::arbitration::Memory;
use network::{Engine, LinkCounters, Totals};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;

/// State that does not belong to a node.
#[derive(Serialize, Deserialize)]
pub struct EngineState {
    now: u64,
    nodes: u32,
    totals: Totals,
    /// The tables of all processes, one after the other.
    far_offers: Vec<u64>,
    /// The first node of each process, and the place in `far_offers` from which its places count.
    far_starts: Vec<(u32, u32)>,
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
    link_vcs: Cow<'a, [u32]>,
}

impl<F: Steps> WindowedEngine<F> {
    pub(super) fn save_state(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        let tables = self.peers.gather((self.own_nodes().start, self.subdomains[0].store.far.cycles()));
        let (mut far_offers, mut far_starts) = (Vec::new(), Vec::new());
        for (first, cycles) in tables {
            far_starts.push((first, far_offers.len() as u32));
            far_offers.extend(cycles);
        }
        frames.write(&EngineState {
            now: self.now,
            nodes: self.fabric.parameters.shape.nodes(),
            totals: self.counted_by_all(),
            far_offers,
            far_starts,
            lossy: self.lossy_engine_state(),
        })
    }

    pub(super) fn save_state_of(&self, node: u32, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        let (subdomain, local) = self.place_of(node);
        subdomain.save(local, self.now, frames)
    }

    pub(super) fn restore_state(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let state: EngineState = frames.read()?;
        require(state.nodes == self.fabric.parameters.shape.nodes() && state.now < LATEST_CYCLE)?;
        self.now = state.now;
        self.subdomains[0].store.far.restore(state.far_offers.clone());
        self.restoring = Some(state);
        Ok(())
    }

    pub(super) fn restore_state_of(&mut self, node: u32, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let starts = self.restoring.iter().flat_map(|state| &state.far_starts);
        let far_start = starts.rev().find(|(first, _)| *first <= node).map_or(0, |(_, start)| *start);
        let subdomain = self.subdomain_of(node).expect("a node of this process");
        let subdomain = &mut self.subdomains[subdomain];
        let local = (node - subdomain.first()) as usize;
        let mut node_state: NodeState<'_, F> = frames.read()?;
        if far_start > 0 {
            node_state.move_far(far_start)?;
        }
        subdomain.restore_node(node_state, local, self.now, frames)
    }

    pub(super) fn end_restoring(&mut self) {
        self.subdomains.iter_mut().for_each(|subdomain| subdomain.rebuild_calendar(self.now));
        let EngineState { totals, lossy, .. } = self.restoring.take().expect("a restoration has begun");
        debug_assert!(!self.peers.is_alone() || self.counts_as(&totals), "packets are lost");
        debug_assert!(!self.peers.is_alone() || self.conserves_all_credits(), "credits leak");
        // Only the sum over all subdomains of all processes is ever read.
        self.subdomains[0].store.totals = if self.peers.is_first() { totals } else { Totals::default() };
        self.restore_lossy_engine_state(lossy);
        // Node 0 has those of all routes.
        if let Some(networks) = &self.fabric.collective {
            self.peers.gather(networks.take_news()).into_iter().for_each(|news| networks.hear(news));
        }
    }
}

impl<F: Specialization> NodeState<'_, F> {
    /// Adds `start` to all places in the table of far offers.
    fn move_far(&mut self, start: u32) -> io::Result<()> {
        let moved = |timestamped: F::Timestamped| {
            let offered = timestamped.offered().moved(start).ok_or_else(unexpected_state)?;
            io::Result::Ok(F::Timestamped::new(timestamped.packet(), offered))
        };
        for (timestamped, _) in &mut self.packets {
            *timestamped = moved(*timestamped)?;
        }
        for head in self.heads.to_mut() {
            *head = moved(*head)?;
        }
        self.lossy.iter_mut().try_for_each(|lossy| lossy.move_far(start))
    }
}

impl<F: Steps> Subdomain<F> {
    fn save(&self, local: usize, now: u64, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        debug_assert!(self.outgoing_queue.is_empty());
        frames.write(&self.node_state(local, now))?;
        self.store.endpoints.iter().try_for_each(|endpoints| endpoints.save(&self.fabric, local, frames))
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
            link_vcs: part(&store.link_vcs, local, layout.ports * F::VCS),
        }
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
    put(&mut store.link_vcs, local, ports * F::VCS, &node_state.link_vcs);
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
