//! The engine's state as frames: one for the engine, one for each node, one for the events of each cycle.

use super::links::{LinkEnd, LinkState};
use super::node::Node;
use super::{Event, ReferenceEngine};
use crate::counters::{DirectionTotals, LinkCounters, NodeCounters, Totals};
use crate::engine::Engine;
use crate::packet::Stored;
use base::checkpoint::{FrameReader, FrameWriter, require, unexpected_state};
use base::time::LATEST_CYCLE;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
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
        require((nodes, ports) == (self.nodes.len(), self.fabric.ports) && now < LATEST_CYCLE)?;
        (self.now, self.totals) = (now, totals);
        match (&mut self.protocol, link_state) {
            (Some(links), Some(state)) => {
                require(state.can_be_restored(&self.fabric))?;
                links.state = state;
            }
            (None, None) => {}
            _ => return Err(unexpected_state()),
        }
        (0..nodes).try_for_each(|number| self.restore_node(number, frames))?;
        self.events.clear();
        for _ in 0..cycles_with_events {
            let (time, events): (u64, BTreeSet<(u32, Event)>) = frames.read()?;
            require(time >= now && self.events.last_key_value().is_none_or(|(&last, _)| last < time))?;
            self.events.insert(time, events);
        }
        require(self.can_restore_events() && self.counts_as_totals())?;
        // An error that escapes the checksum of an acknowledgement may break it.
        require(self.protocol.is_some() || self.conserves_credits())
    }

    fn restore_node(&mut self, number: usize, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let node_state: NodeState<Node, Vec<LinkCounters>, Vec<LinkEnd>> = frames.read()?;
        let ports = self.fabric.ports;
        let mine = number * ports..(number + 1) * ports;
        let expected_ends = if self.protocol.is_some() { ports } else { 0 };
        require((node_state.links.len(), node_state.ends.len()) == (ports, expected_ends))?;
        if let Some(protocol) = &mut self.protocol {
            let can_be_restored = |(port, end): (usize, &LinkEnd)| {
                end.can_be_restored(protocol, &self.fabric, number as u32, port, self.now)
            };
            require(node_state.ends.iter().enumerate().all(can_be_restored))?;
            protocol.ends[mine.clone()].clone_from_slice(&node_state.ends);
        }
        self.links[mine].copy_from_slice(&node_state.links);
        let mut node = node_state.node;
        node.endpoint = self.nodes[number].endpoint.take();
        if let Some(endpoint) = &mut node.endpoint {
            endpoint.restore(&self.fabric, 0, self.now, frames)?;
        }
        require(node.can_be_restored(&self.fabric, &self.nodes[number], self.now))?;
        require(node.rebuild(&self.fabric))?;
        self.nodes[number] = node;
        self.counters[number] = node_state.counters;
        Ok(())
    }

    /// Whether each event names what exists, and everything that waits for an event has exactly one.
    fn can_restore_events(&self) -> bool {
        let (mut ends, mut count) = (BTreeSet::new(), 0);
        let mut arriving: BTreeMap<(u32, usize), (usize, usize)> = BTreeMap::new();
        let all =
            self.events.iter().flat_map(|(&time, events)| events.iter().map(move |event| (time, *event)));
        for (time, (node, event)) in all {
            if !self.can_restore_event(time, node, &event) {
                return false;
            }
            match event {
                Event::Frame { port } => arriving.entry((node, port)).or_default().0 += 1,
                Event::Ack { port, .. } => arriving.entry((node, port)).or_default().1 += 1,
                Event::LinkFree { .. } if self.protocol.is_some() => {}
                Event::VcFree { .. }
                | Event::InjectionFree { .. }
                | Event::LinkFree { .. }
                | Event::LinkTimer { .. } => {
                    ends.insert((node, event));
                    count += 1;
                }
                Event::Credits { .. }
                | Event::FrameEnd { .. }
                | Event::Arrival { .. }
                | Event::Acknowledgement { .. }
                | Event::Wake => {}
            }
        }
        (count, ends.len()) == (self.awaited_ends(), count)
            && self
                .ends_to_come()
                .all(|(at, (frames, acks))| arriving.get(&at).copied().unwrap_or_default() == (frames, acks))
    }

    /// Frames and acknowledgements in flight to each end of lossy links.
    fn ends_to_come(&self) -> impl Iterator<Item = ((u32, usize), (usize, usize))> {
        let ends = self.protocol.iter().flat_map(|links| links.ends.iter().enumerate());
        ends.map(|(index, end)| {
            let (frames, acks, _) = end.to_come();
            (((index / self.fabric.ports) as u32, index % self.fabric.ports), (frames, acks))
        })
    }

    /// How many VCs, injection FIFOs, links and timers wait for an event that ends what they do.
    fn awaited_ends(&self) -> usize {
        let of_node = |node: &Node| {
            let vcs = node.vcs.iter().flatten().filter(|vc| vc.is_leaving()).count();
            let is_busy = |&port: &usize| {
                node.link_busy[port]
                    && self.protocol.is_none()
                    && !self.fabric.is_dead_link(node.number, port)
            };
            let links = (0..self.fabric.ports).filter(is_busy).count();
            vcs + links + node.injection_busy.iter().filter(|&&is_busy| is_busy).count()
        };
        let timers = self.protocol.iter().flat_map(|links| &links.ends).filter(|end| end.to_come().2);
        self.nodes.iter().map(of_node).sum::<usize>() + timers.count()
    }

    fn can_restore_event(&self, time: u64, node: u32, event: &Event) -> bool {
        let Some(state) = self.nodes.get(node as usize) else { return false };
        let fabric = &self.fabric;
        let has_link = |port: usize| port < fabric.ports && fabric.has_live_link(node, port);
        let is_lossy = self.protocol.is_some();
        match *event {
            Event::Credits { port, vc, .. } => has_link(port) && vc < fabric.vcs && !is_lossy,
            Event::LinkFree { port } => has_link(port) && (is_lossy || state.link_busy[port]),
            Event::VcFree { port, vc } => {
                has_link(port) && vc < fabric.vcs && state.vcs[port][vc].is_leaving()
            }
            Event::InjectionFree { fifo } => state.injection_busy.get(fifo) == Some(&true),
            Event::FrameEnd { port } | Event::Frame { port } | Event::Ack { port, .. } => {
                has_link(port) && is_lossy
            }
            Event::LinkTimer { port } => has_link(port) && self.has_timer(node, port),
            Event::Arrival { port, vc, packet, offered, tag, source } => {
                let stored = Stored { packet, offered, tag, source };
                has_link(port) && !is_lossy && offered <= time && fabric.can_hold(node, vc, &stored)
            }
            Event::Acknowledgement { by, .. } => (by as usize) < self.nodes.len() && fabric.is_paced(false),
            Event::Wake => true,
        }
    }

    fn has_timer(&self, node: u32, port: usize) -> bool {
        let index = node as usize * self.fabric.ports + port;
        self.protocol.as_ref().is_some_and(|links| links.ends[index].to_come().2)
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
        totals.is_consistent(self.now)
            && links.iter().all(|link| link.can_be_restored(self.now))
            && directions == totals.directions
            && (sum(|node| node.injected), sum(|node| node.delivered)) == (totals.injected, totals.delivered)
            && match self.protocol {
                None => in_flight == totals.in_flight(),
                Some(_) => in_flight <= totals.in_flight(), // others are on the links
            }
    }
}
