//! The engine's state as frames: one for the engine, one for each node, one for the events of each cycle.

use super::links::{LinkEnd, LinkState};
use super::node::Node;
use super::{Event, ReferenceEngine};
use crate::checkpoint::{FrameReader, FrameWriter, unexpected_state};
use crate::counters::{LinkCounters, NodeCounters, Totals};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io;

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
struct NodeState<N, L, E> {
    node: N,
    counters: NodeCounters,
    links: L,
    ends: E,
}

impl ReferenceEngine {
    pub(super) fn save_state(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        debug_assert!(self.deliveries.is_empty(), "deliveries are taken before a checkpoint");
        let ports = self.fabric.ports;
        frames.write(&EngineState {
            now: self.now,
            nodes: self.nodes.len(),
            ports,
            cycles_with_events: self.events.len(),
            totals: self.totals.clone(),
            link_state: self.protocol.as_ref().map(|links| links.state.clone()),
        })?;
        for (number, node) in self.nodes.iter().enumerate() {
            let mine = number * ports..(number + 1) * ports;
            let ends = self.protocol.as_ref().map_or(&[][..], |links| &links.ends[mine.clone()]);
            let (counters, links) = (self.counters[number], &self.links[mine]);
            frames.write(&NodeState { node, counters, links, ends })?;
            if let Some(endpoint) = &node.endpoint {
                endpoint.save(0, frames)?;
            }
        }
        self.events.iter().try_for_each(|events| frames.write(&events))
    }

    pub(super) fn restore_state(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let EngineState { now, nodes, ports, cycles_with_events, totals, link_state } = frames.read()?;
        if (nodes, ports) != (self.nodes.len(), self.fabric.ports) {
            return Err(unexpected_state());
        }
        (self.now, self.totals) = (now, totals);
        match (&mut self.protocol, link_state) {
            (Some(links), Some(state)) => links.state = state,
            (None, None) => {}
            _ => return Err(unexpected_state()),
        }
        (0..nodes).try_for_each(|number| self.restore_node(number, frames))?;
        self.events.clear();
        for _ in 0..cycles_with_events {
            let (time, events): (u64, BTreeSet<(u32, Event)>) = frames.read()?;
            self.events.insert(time, events);
        }
        Ok(())
    }

    fn restore_node(
        &mut self,
        number: usize,
        frames: &mut FrameReader<'_>,
    ) -> io::Result<()> {
        let node_state: NodeState<Node, Vec<LinkCounters>, Vec<LinkEnd>> = frames.read()?;
        let ports = self.fabric.ports;
        let mine = number * ports..(number + 1) * ports;
        let expected_ends = if self.protocol.is_some() { ports } else { 0 };
        if (node_state.links.len(), node_state.ends.len()) != (ports, expected_ends) {
            return Err(unexpected_state());
        }
        if let Some(protocol) = &mut self.protocol {
            protocol.ends[mine.clone()].clone_from_slice(&node_state.ends);
        }
        self.links[mine].copy_from_slice(&node_state.links);
        let endpoint = self.nodes[number].endpoint.take();
        self.nodes[number] = Node { endpoint, ..node_state.node };
        if let Some(endpoint) = &mut self.nodes[number].endpoint {
            endpoint.restore(0, frames)?;
        }
        self.counters[number] = node_state.counters;
        Ok(())
    }
}
