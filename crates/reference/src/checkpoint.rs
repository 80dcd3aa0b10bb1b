//! The engine's state as frames: one for the engine, one for the events of each cycle, one for each node.

use super::links::{LinkEnd, LinkState};
use super::node::Node;
use super::{Event, ReferenceEngine};
use base::checkpoint::{FrameReader, FrameWriter, require};
use base::time::LATEST_CYCLE;
use network::counters::{DirectionTotals, LinkCounters, NodeCounters, Totals};
use network::engine::Engine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

/// The state that belongs to no single node.
#[derive(Serialize, Deserialize)]
struct EngineState {
    now: u64,
    nodes: usize,
    ports: usize,
    cycles_with_events: usize,
    totals: Totals,
    link_state: Option<LinkState>,
}

/// A node with its counters, its links' counters, and its ends of lossy links.
#[derive(Serialize, Deserialize)]
struct NodeState<N, L, V, E> {
    node: N,
    counters: NodeCounters,
    links: L,
    link_vcs: V,
    ends: E,
}

impl ReferenceEngine {
    pub(super) fn save_state(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        frames.write(&EngineState {
            now: self.now,
            nodes: self.nodes.len(),
            ports: self.fabric.ports,
            cycles_with_events: self.events.len(),
            totals: self.totals.clone(),
            link_state: self.protocol.as_ref().map(|links| links.state.clone()),
        })?;
        self.events.iter().try_for_each(|events| frames.write(&events))
    }

    pub(super) fn save_state_of(&self, number: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        let node = &self.nodes[number];
        let mine = self.ports_of(number);
        let ends = self.protocol.as_ref().map_or(&[][..], |links| &links.ends[mine.clone()]);
        let (counters, links) = (self.counters[number], &self.links[mine]);
        let link_vcs = &self.link_vcs[self.vcs_of(number)];
        frames.write(&NodeState { node, counters, links, link_vcs, ends })?;
        node.endpoint.iter().try_for_each(|endpoint| endpoint.save(&self.fabric, 0, frames))
    }

    pub(super) fn restore_state(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let EngineState { now, nodes, ports, cycles_with_events, totals, link_state } = frames.read()?;
        require((nodes, ports) == (self.nodes.len(), self.fabric.ports) && now < LATEST_CYCLE)?;
        (self.now, self.totals) = (now, totals);
        if let Some((links, state)) = self.protocol.as_mut().zip(link_state) {
            links.state = state;
        }
        self.events.clear();
        for _ in 0..cycles_with_events {
            let (time, events): (u64, BTreeSet<(u32, Event)>) = frames.read()?;
            self.events.insert(time, events);
        }
        Ok(())
    }

    pub(super) fn check_restored(&self) {
        debug_assert!(self.counts_as_totals(), "packets are lost");
        // An error that escapes the checksum of an acknowledgement may break it.
        debug_assert!(self.protocol.is_some() || self.conserves_credits(), "credits leak");
    }

    pub(super) fn restore_state_of(&mut self, number: usize, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let node_state: NodeState<Node, Vec<LinkCounters>, Vec<u32>, Vec<LinkEnd>> = frames.read()?;
        let mine = self.ports_of(number);
        if let Some(protocol) = &mut self.protocol {
            protocol.ends[mine.clone()].clone_from_slice(&node_state.ends);
        }
        self.links[mine].copy_from_slice(&node_state.links);
        let vcs = self.vcs_of(number);
        self.link_vcs[vcs].copy_from_slice(&node_state.link_vcs);
        let mut node = node_state.node;
        node.endpoint = self.nodes[number].endpoint.take();
        if let Some(endpoint) = &mut node.endpoint {
            endpoint.restore(&self.fabric, 0, self.now, frames)?;
        }
        node.rebuild(&self.fabric);
        self.nodes[number] = node;
        self.counters[number] = node_state.counters;
        Ok(())
    }

    fn ports_of(&self, number: usize) -> Range<usize> {
        number * self.fabric.ports..(number + 1) * self.fabric.ports
    }

    /// The places in `link_vcs` of a node; none if these are not counted.
    fn vcs_of(&self, number: usize) -> Range<usize> {
        let of_node = self.link_vcs.len() / self.nodes.len();
        number * of_node..(number + 1) * of_node
    }

    /// Whether the counters of nodes and links, and the packets in flight, add up to the totals.
    fn counts_as_totals(&self) -> bool {
        let (links, totals) = (self.links(), &self.totals);
        let directions = DirectionTotals::of_links(&links, self.fabric.ports);
        let sum =
            |count: fn(&NodeCounters) -> u32| self.counters.iter().map(|node| u64::from(count(node))).sum();
        let is_arrival = |(_, event): &&(u32, Event)| event.arrival().is_some();
        let arriving = self.events.values().flatten().filter(is_arrival).count();
        let in_flight = (self.nodes.iter().map(Node::packets_at).sum::<usize>() + arriving) as u64;
        directions == totals.directions
            && (sum(|node| node.injected), sum(|node| node.delivered)) == (totals.injected, totals.delivered)
            && match self.protocol {
                None => in_flight == totals.in_flight(),
                Some(_) => in_flight <= totals.in_flight(), // others are on the links
            }
    }
}
