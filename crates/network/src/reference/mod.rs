//! The reference engine: one event at a time, plainly written, slow, the truth.
//!
//! ```text
//!   events of cycle t, in the order (node, kind, port)
//!     1 tokens return, links and buffers become free, packets arrive
//!     2 software runs
//!     3 the node arbitrates: requests -> receivers choose -> senders choose -> transfers begin
//!        ... which put events of later cycles into the queue
//! ```
//!
//! Every node that had an event, or granted something in the cycle before, arbitrates; a cycle in which a node grants
//! nothing leaves it as it was, so that it need not be looked at again before its next event.

mod arbitration;
mod checkpoint;
mod links;
mod node;

use crate::checkpoint::{FrameReader, FrameWriter};
use crate::counters::{LinkCounters, MAX_CHANNELS, NodeCounters, Totals};
use crate::deadlock::{Blockage, Snapshot};
use crate::engine::{Delivery, Engine, Posted, SoFar};
use crate::fabric::{Fabric, TransferCycles};
use crate::link::LinkReport;
use crate::node::infinite::lane_of_fifo;
use crate::node::software::{NEVER, Read, Stored};
use crate::packet::Packet;
use crate::parameters::Parameters;
use crate::source::{LaneKind, Onward, Source, Traffic};
use arbitration::{From, Grant, To};
use geometry::Direction;
use links::Links;
use node::{Node, Outgoing};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

/// What can happen to a node; the order of kinds and ports is the order within a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Event {
    /// Tokens come back to a sender.
    Tokens { port: usize, channel: usize, count: u8 },
    /// A link has carried its packet.
    LinkFree { port: usize },
    /// A packet has left its channel, tail and all.
    ChannelFree { port: usize, channel: usize },
    /// A packet has left its injection FIFO, tail and all.
    InjectionFree { fifo: usize },
    /// The tail of a frame has arrived.
    FrameEnd { port: usize },
    /// The head of a frame arrives.
    Frame { port: usize },
    /// An acknowledgement or a probe arrives; one of each may in one cycle.
    Ack { port: usize, is_probe: bool },
    /// It may be time to send again what is not acknowledged.
    LinkTimer { port: usize },
    /// A head arrives at a receiver.
    Arrival { port: usize, channel: usize, packet: Packet, offered: u64, handle: u32, source: u32 },
    /// A packet is acknowledged that was received by a node from a channel.
    Acknowledgement { by: u32, port: usize, channel: usize },
    /// Software or an injection FIFO has something to do, or heads lost an arbitration a cycle ago.
    Wake,
}

/// The engine. See [`crate::engine::Engine`].
pub struct ReferenceEngine {
    fabric: Fabric,
    source: Option<Arc<dyn Source>>,
    now: u64,
    nodes: Vec<Node>,
    events: BTreeMap<u64, BTreeSet<(u32, Event)>>,
    links: Vec<LinkCounters>,
    counters: Vec<NodeCounters>,
    totals: Totals,
    deliveries: Vec<Delivery>,
    /// The links, where they make errors.
    protocol: Option<Links>,
}

impl ReferenceEngine {
    /// A network at rest at cycle 0.
    ///
    /// # Panics
    /// When the parameters do not pass [`Parameters::check`].
    pub fn new(parameters: Parameters, traffic: Traffic) -> Self {
        parameters.check().expect("parameters are checked where they come in");
        let fabric = Fabric::for_traffic(parameters, &traffic);
        let source = match traffic {
            Traffic::Generated(source) => Some(source),
            Traffic::Posted { .. } => None,
        };
        let nodes = fabric.parameters.shape.nodes();
        let mut engine = ReferenceEngine {
            now: 0,
            nodes: (0..nodes).map(|node| Node::new(&fabric, node, source.is_none())).collect(),
            events: BTreeMap::new(),
            links: vec![LinkCounters::default(); nodes as usize * fabric.ports],
            counters: vec![NodeCounters::default(); nodes as usize],
            totals: Totals::default(),
            deliveries: Vec::new(),
            protocol: Links::new(&fabric),
            fabric,
            source,
        };
        for node in 0..nodes {
            engine.start_node(node);
        }
        engine
    }

    fn start_node(&mut self, node: u32) {
        for fifo in 0..self.nodes[node as usize].injection.len() {
            self.refill(node, fifo, 0);
        }
        self.schedule(0, node, Event::Wake);
    }

    fn schedule(&mut self, time: u64, node: u32, event: Event) {
        self.events.entry(time).or_default().insert((node, event));
    }

    /// Everything that happens at one cycle, node by node.
    fn run_cycle(&mut self, time: u64, events: BTreeSet<(u32, Event)>) {
        self.now = time;
        let mut awake: Vec<u32> = events.iter().map(|(node, _)| *node).collect();
        awake.dedup();
        for (node, event) in events {
            self.apply(node, event);
        }
        for node in awake {
            self.run_links(node);
            self.run_software(node);
            self.arbitrate(node);
        }
    }

    fn apply(&mut self, node: u32, event: Event) {
        match event {
            Event::Tokens { port, channel, count } => self.tokens_return(node, port, channel, count),
            Event::LinkFree { port } => self.nodes[node as usize].link_busy[port] = false,
            Event::ChannelFree { port, channel } => self.channel_is_free(node, port, channel),
            Event::InjectionFree { fifo } => self.injection_is_free(node, fifo),
            Event::Arrival { port, channel, packet, offered, handle, source } => {
                let stored = Stored { packet, offered, handle, source };
                self.nodes[node as usize].arrive(&self.fabric, self.now, port, channel, stored);
            }
            Event::Acknowledgement { .. } => self.acknowledge(node),
            Event::FrameEnd { port } => self.frame_ends(node, port),
            Event::Frame { port } => self.frame_arrives(node, port),
            Event::Ack { port, .. } => self.ack_arrives(node, port),
            Event::LinkTimer { port } => self.link_timer(node, port),
            Event::Wake => {}
        }
    }

    /// Tokens come back; where that is counted, it is seen whether a head that had none left can have some now.
    fn tokens_return(&mut self, node: u32, port: usize, channel: usize, count: u8) {
        let counts = self.fabric.parameters.counts_unblocking;
        let state = &self.nodes[node as usize];
        let before = if counts { arbitration::heads_without_tokens(&self.fabric, state) } else { 0 };
        self.nodes[node as usize].tokens[port][channel] += count;
        if counts {
            let after = arbitration::heads_without_tokens(&self.fabric, &self.nodes[node as usize]);
            self.totals.token_returns += 1;
            self.totals.unblocking_returns += (after < before) as u64;
        }
    }

    /// A packet of the node has been acknowledged: the first FIFO that waits for a packet gets one.
    fn acknowledge(&mut self, node: u32) {
        let state = &mut self.nodes[node as usize];
        match &mut state.software {
            Some(software) => software.acknowledge(self.now),
            None => {
                state.unacknowledged -= 1;
                let waits =
                    |fifo: &usize| self.fabric.is_normal_fifo(*fifo) && state.injection[*fifo].is_none();
                if let Some(fifo) = (0..state.injection.len()).find(waits) {
                    self.refill(node, fifo, self.now);
                }
            }
        }
    }

    fn channel_is_free(&mut self, node: u32, port: usize, channel: usize) {
        let state = &mut self.nodes[node as usize];
        let (stored, outgoing) = state.release(&self.fabric, port, channel);
        if self.protocol.is_some() {
            let tokens = self.fabric.charge(channel, self.fabric.layout.chunks(stored.packet));
            self.free_on_link(node, port, channel, tokens);
        }
        self.totals.deposited += (outgoing == Outgoing::PathAndReception) as u64;
        self.totals.deposited_ever += (outgoing == Outgoing::PathAndReception) as u64;
        if outgoing != Outgoing::Path {
            let high_priority = self.fabric.layout.is_high_priority(stored.packet);
            let state = &mut self.nodes[node as usize];
            state.reception_busy[port][high_priority as usize] = false;
            let is_relayed = matches!(self.fabric.onward(stored.handle), Onward::To(_));
            if outgoing == Outgoing::Reception && !is_relayed && self.fabric.is_paced(high_priority) {
                let back = self.fabric.acknowledgement_cycles(node, stored.source);
                let event = Event::Acknowledgement { by: node, port, channel };
                self.schedule(self.now + back, stored.source, event);
            }
            let state = &mut self.nodes[node as usize];
            match &mut state.software {
                Some(software) => software.end_reception(&self.fabric, port, stored, self.now),
                None => self.deliver(node, Read { time: self.now, stored, is_relayed: false }),
            }
        }
    }

    fn injection_is_free(&mut self, node: u32, fifo: usize) {
        let state = &mut self.nodes[node as usize];
        match &mut state.software {
            Some(software) => {
                state.injection_busy[fifo] = false;
                software.head_has_left(&self.fabric, fifo, self.now);
                self.wake_for_head(node, fifo);
            }
            None => {
                state.injection_busy[fifo] = false;
                self.refill(node, fifo, self.now);
            }
        }
    }

    /// Asks the source for the next head of an infinite FIFO.
    fn refill(&mut self, node: u32, fifo: usize, now: u64) {
        let Some(source) = self.source.clone() else { return };
        let lane = lane_of_fifo(&self.fabric, node, fifo);
        let is_high_priority = lane.kind == LaneKind::HighPriority;
        let is_paced = self.fabric.is_paced(is_high_priority);
        let state = &mut self.nodes[node as usize];
        let progress = &mut state.progress[is_high_priority as usize];
        let head = match is_paced && self.fabric.window_is_full(state.unacknowledged) {
            true => None,
            false => progress.next_head(&self.fabric, &*source, lane, now),
        };
        state.injection[fifo] = head;
        state.unacknowledged += (is_paced && head.is_some()) as u32;
        if let Some(time) = head.map(|head| head.requests_from).filter(|&time| time > now) {
            self.schedule(time, node, Event::Wake);
        }
    }

    fn run_software(&mut self, node: u32) {
        let Some(software) = &mut self.nodes[node as usize].software else { return };
        if software.next() > self.now {
            return;
        }
        let mut read = Vec::new();
        software.run(&self.fabric, self.source.as_deref(), self.now, &mut read);
        let next = software.next();
        if next != NEVER {
            self.schedule(next, node, Event::Wake);
        }
        for fifo in 0..self.nodes[node as usize].injection_busy.len() {
            self.wake_for_head(node, fifo);
        }
        for read in read {
            self.deliver(node, read);
        }
    }

    /// Makes sure that the node arbitrates when the head of a real FIFO may ask for the first time.
    fn wake_for_head(&mut self, node: u32, fifo: usize) {
        let head = self.nodes[node as usize].software.as_ref().and_then(|software| software.head(fifo));
        if let Some(time) = head.map(|head| head.requests_from).filter(|&time| time > self.now) {
            self.schedule(time, node, Event::Wake);
        }
    }

    fn deliver(&mut self, node: u32, Read { time, stored, is_relayed }: Read) {
        if is_relayed {
            self.totals.count_relay();
            return;
        }
        let chunks = self.fabric.layout.chunks(stored.packet);
        self.totals.count_delivery(time, stored.offered, chunks);
        self.totals.digest.record(
            time,
            node,
            self.fabric.ports,
            0,
            self.fabric.layout.identity(stored.packet) ^ stored.offered,
        );
        self.counters[node as usize].delivered += 1;
        if self.source.is_none() {
            self.deliveries.push(Delivery { time, node, handle: stored.handle, chunks });
        }
    }

    fn arbitrate(&mut self, node: u32) {
        let grants = arbitration::arbitrate(&self.fabric, &self.nodes[node as usize], self.now);
        let is_late = self.fabric.has_gap() && self.look_at_links(node);
        for &grant in &grants {
            self.begin(node, grant);
        }
        self.nodes[node as usize].end_bypass(&self.fabric);
        if is_late || !grants.is_empty() {
            self.schedule(self.now + 1, node, Event::Wake);
        }
        for port in 0..self.fabric.ports {
            self.count_stall(node, port);
        }
    }

    /// Notes which heads find all of their links and channels busy; whether one that did so before does no longer, and will
    /// ask in the next cycle.
    fn look_at_links(&mut self, node: u32) -> bool {
        let state = &mut self.nodes[node as usize];
        let shut_out = arbitration::shut_out_heads(&self.fabric, state);
        let before = std::mem::replace(&mut state.shut_out, shut_out);
        before.iter().flatten().zip(shut_out.iter().flatten()).any(|(before, now)| *before && !*now)
    }

    /// Keeps account of the cycles in which only tokens are missing: adds the time when the state ends, and takes it
    /// off when it begins.
    fn count_stall(&mut self, node: u32, port: usize) {
        let stalled = arbitration::is_stalled(&self.fabric, &self.nodes[node as usize], port, self.now);
        let was_stalled = std::mem::replace(&mut self.nodes[node as usize].stalled[port], stalled);
        let counter = &mut self.links[node as usize * self.fabric.ports + port].stalled_cycles;
        match (was_stalled, stalled) {
            (false, true) => *counter = counter.wrapping_sub(self.now),
            (true, false) => *counter = counter.wrapping_add(self.now),
            _ => {}
        }
    }

    /// Begins the transfer of a granted request.
    fn begin(&mut self, node: u32, grant: Grant) {
        match grant.to {
            To::Reception => self.begin_reception(node, grant.from),
            To::Link { port, channel } => self.begin_transfer(node, grant.from, port, channel),
        }
    }

    fn begin_reception(&mut self, node: u32, from: From) {
        let From::Channel { port, channel } = from else {
            unreachable!("no packet is injected where it is received")
        };
        let state = &mut self.nodes[node as usize];
        let stored = state.occupy(port, channel, Outgoing::Reception);
        state.reception_busy[port][self.fabric.layout.is_high_priority(stored.packet) as usize] = true;
        if let Some(software) = &mut state.software {
            software.begin_reception(&self.fabric, port, stored.packet);
        }
        let chunks = self.fabric.layout.chunks(stored.packet);
        let done = self.now + u64::from(self.fabric.reception_cycles(chunks));
        self.finish_channel(node, port, channel, chunks, done);
    }

    fn begin_transfer(&mut self, node: u32, from: From, port: usize, channel: usize) {
        let fabric = &self.fabric;
        let state = &mut self.nodes[node as usize];
        let stored = match from {
            From::Channel { port: receiver, channel: waiting } => {
                self.totals.bypassed += state.is_bypassing(receiver, waiting) as u64;
                let packet =
                    state.channels[receiver][waiting].waiting().expect("a granted channel has a head").packet;
                if fabric.leaves_a_copy(packet) {
                    state.reception_busy[receiver][0] = true;
                    if let Some(software) = &mut state.software {
                        software.begin_reception(fabric, receiver, packet);
                    }
                    state.occupy(receiver, waiting, Outgoing::PathAndReception)
                } else {
                    state.occupy(receiver, waiting, Outgoing::Path)
                }
            }
            From::Injection { fifo } => {
                self.totals.injected += 1;
                self.totals.injected_ever += 1;
                self.counters[node as usize].injected += 1;
                state.leave_injection(fifo)
            }
        };
        let chunks = fabric.layout.chunks(stored.packet);
        let packet = fabric.after_hop(stored.packet, node, port);
        state.link_busy[port] = true;
        state.tokens[port][channel] -= fabric.charge(channel, chunks);
        self.totals.digest.record(self.now, node, port, channel, self.fabric.layout.identity(packet));
        self.totals.count_transfer(port, channel, chunks);
        let link = &mut self.links[node as usize * fabric.ports + port];
        link.packets += 1;
        link.chunks += u32::from(chunks);

        let TransferCycles { wire, path, arrival } = *fabric.transfer_cycles(port, chunks);
        let link_free = self.now + u64::from(wire);
        let left = self.now + u64::from(path);
        let arrives = self.now + u64::from(arrival);
        let next = fabric.neighbor(node, port);
        let Stored { offered, handle, source, .. } = stored;
        if self.protocol.is_some() {
            let fifo = if let From::Injection { fifo } = from { Some(fifo) } else { None };
            self.begin_on_link(node, port, channel, Stored { packet, ..stored }, fifo);
        } else {
            self.schedule(link_free, node, Event::LinkFree { port });
            let arrival = Event::Arrival { port: port ^ 1, channel, packet, offered, handle, source };
            self.schedule(arrives, next, arrival);
        }
        match from {
            From::Channel { port: receiver, channel: waiting } => {
                self.finish_channel(node, receiver, waiting, chunks, left);
            }
            From::Injection { fifo } => self.schedule(left, node, Event::InjectionFree { fifo }),
        }
    }

    /// A packet will have left its channel at `left`: the channel is free then, and its tokens go back upstream.
    fn finish_channel(&mut self, node: u32, port: usize, channel: usize, chunks: u8, left: u64) {
        let upstream = self.fabric.neighbor(node, port);
        let count = self.fabric.charge(channel, chunks);
        let returned = left + u64::from(self.fabric.token_latency());
        self.schedule(left, node, Event::ChannelFree { port, channel });
        if self.protocol.is_some() {
            return; // an acknowledgement brings them
        }
        // Two packets of one channel can return tokens in one cycle only if they were a cycle apart: they are not.
        self.schedule(returned, upstream, Event::Tokens { port: port ^ 1, channel, count });
    }

    /// Who waits for what, without what is on its way.
    fn snapshot(&self) -> Snapshot<'_> {
        let mut snapshot = Snapshot::new(&self.fabric, self.now);
        for node in &self.nodes {
            node.describe(&self.fabric, &mut snapshot, self.now);
        }
        snapshot
    }

    /// Tokens on their way back to a sender.
    fn tokens_in_flight(&self, node: u32, port: usize, channel: usize) -> u32 {
        let all = self.events.values().flatten();
        let unheard = u32::from(self.unheard_tokens(node, port, channel));
        unheard
            + all
                .filter_map(|(to, event)| match *event {
                    Event::Tokens { port: p, channel: c, count } if (*to, p, c) == (node, port, channel) => {
                        Some(u32::from(count))
                    }
                    _ => None,
                })
                .sum::<u32>()
    }

    /// Panics unless every token is at its sender, on its way back, or stands for a packet: the invariant of flow
    /// control, for tests.
    pub fn assert_tokens_conserved(&self) {
        for node in 0..self.nodes.len() as u32 {
            for port in 0..self.fabric.ports {
                let direction = Direction::from_index(port);
                let Some(next) = self.fabric.parameters.shape.neighbor(node, direction) else { continue };
                if self.fabric.is_dead_link(node, port) {
                    continue;
                }
                for channel in 0..self.fabric.channels {
                    let free = u32::from(self.nodes[node as usize].tokens[port][channel]);
                    let returning = self.tokens_in_flight(node, port, channel);
                    let held = self.tokens_held(next, port ^ 1, channel);
                    let capacity = u32::from(self.fabric.capacity[channel]);
                    assert!(
                        free + held <= capacity && free + held + returning >= capacity,
                        "tokens leak at node {node}"
                    );
                }
            }
        }
    }

    /// Tokens that stand for packets in a channel or on the link towards it.
    fn tokens_held(&self, node: u32, port: usize, channel: usize) -> u32 {
        let charge = |packet| u32::from(self.fabric.charge(channel, self.fabric.layout.chunks(packet)));
        let waiting: u32 = self.nodes[node as usize].channels[port][channel].packets().map(charge).sum();
        let arriving = self.events.values().flatten().filter_map(|(to, event)| match *event {
            Event::Arrival { port: p, channel: c, packet, .. } if (*to, p, c) == (node, port, channel) => {
                Some(charge(packet))
            }
            _ => None,
        });
        let on_link = self.on_link(self.fabric.neighbor(node, port), port ^ 1);
        let on_link = on_link
            .filter(|kept| usize::from(kept.channel) == channel)
            .map(|kept| charge(kept.stored.packet));
        waiting + arriving.sum::<u32>() + on_link.sum::<u32>()
    }
}

impl Engine for ReferenceEngine {
    fn now(&self) -> u64 {
        self.now
    }

    fn advance(&mut self, until: u64) {
        while let Some(entry) = self.events.first_entry().filter(|entry| *entry.key() < until) {
            let (time, events) = entry.remove_entry();
            self.run_cycle(time, events);
        }
        self.now = self.now.max(until);
    }

    fn next_event(&self) -> Option<u64> {
        self.events.first_key_value().map(|(&time, _)| time)
    }

    fn post(&mut self, packets: &[Posted]) {
        for posted in packets {
            debug_assert!(posted.ready >= self.now);
            let node = &mut self.nodes[posted.node as usize];
            node.software.as_mut().expect("packets are posted to engines made for it").post(posted);
            self.schedule(posted.ready, posted.node, Event::Wake);
        }
    }

    fn take_deliveries(&mut self) -> Vec<Delivery> {
        let mut deliveries = std::mem::take(&mut self.deliveries);
        deliveries.sort_unstable();
        deliveries
    }

    fn totals(&mut self) -> Totals {
        self.totals.clone()
    }

    fn so_far(&self) -> SoFar {
        SoFar { hops: self.totals.hops_ever, delivered: self.totals.delivered_ever }
    }

    fn links(&self) -> Vec<LinkCounters> {
        let mut links = self.links.clone();
        for (index, link) in links.iter_mut().enumerate() {
            if self.nodes[index / self.fabric.ports].stalled[index % self.fabric.ports] {
                link.stalled_cycles = link.stalled_cycles.wrapping_add(self.now);
            }
        }
        links
    }

    fn nodes(&mut self) -> Vec<NodeCounters> {
        self.counters.clone()
    }

    fn start_measurement(&mut self) {
        self.totals.start_measurement();
        self.counters.fill(NodeCounters::default());
        for (index, link) in self.links.iter_mut().enumerate() {
            let stalled = self.nodes[index / self.fabric.ports].stalled[index % self.fabric.ports];
            let stalled_cycles = if stalled { 0u64.wrapping_sub(self.now) } else { 0 };
            *link = LinkCounters { stalled_cycles, ..LinkCounters::default() };
        }
    }

    fn tokens_out(&mut self) -> [u64; MAX_CHANNELS] {
        self.snapshot().tokens_out()
    }

    fn find_deadlock(&mut self) -> Option<Blockage> {
        let mut snapshot = self.snapshot();
        for (node, event) in self.events.values().flatten() {
            match *event {
                Event::Tokens { port, channel, .. } => snapshot.tokens_return(*node, port, channel),
                Event::Arrival { port, channel, .. } => snapshot.packet_moves(*node, port, channel),
                _ => {}
            }
        }
        if self.protocol.is_some() {
            self.describe_links(&mut snapshot);
        }
        snapshot.find_deadlock()
    }

    fn oldest_packet_age(&mut self) -> u64 {
        let waiting = self.nodes.iter().flat_map(Node::packets).map(|stored| stored.offered);
        let flying = self.events.values().flatten().filter_map(|(_, event)| match event {
            Event::Arrival { offered, .. } => Some(*offered),
            _ => None,
        });
        let links = (0..self.nodes.len() as u32)
            .flat_map(|node| (0..self.fabric.ports).map(move |port| (node, port)));
        let links =
            links.filter(|&(node, port)| self.protocol.is_some() && self.fabric.has_live_link(node, port));
        let on_links =
            links.flat_map(|(node, port)| self.on_link(node, port)).map(|kept| kept.stored.offered);
        waiting.chain(flying).chain(on_links).min().map_or(0, |offered| self.now.saturating_sub(offered))
    }

    fn link_report(&self) -> Option<LinkReport> {
        self.report_on_links()
    }

    fn save(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.save_state(frames)
    }

    fn restore(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.restore_state(frames)
    }

    fn state_bytes(&self) -> u64 {
        let events: usize = self.events.values().map(BTreeSet::len).sum();
        let nodes: usize = self.nodes.iter().map(Node::bytes).sum();
        let counters = size_of_val(&self.links[..]) + size_of_val(&self.counters[..]);
        (nodes + counters + events * size_of::<(u32, Event)>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::BubbleRule;
    use crate::source::{Class, LaneKind, Offer};
    use geometry::{Hops, Shape};

    const ESCAPE: usize = 2;
    const TOWARD_PLUS: usize = 0;
    const FROM_MINUS: usize = 1;

    /// A ring of four nodes with true sizes on the bubble, whose escape channels toward x+ hold such packets.
    fn ring_holding(chunks: [&[u8]; 4]) -> ReferenceEngine {
        let shape = Shape::torus(&[4]).unwrap();
        let mut parameters = Parameters::bluegene_l(shape, 1);
        parameters.router.bubble_rule = BubbleRule::TrueSize;
        let traffic = Traffic::Posted { smallest_chunks: 1, high_priority: false };
        let mut engine = ReferenceEngine::new(parameters, traffic);
        for (node, sizes) in chunks.iter().enumerate() {
            for &chunks in *sizes {
                let class = Class { deterministic: true, ..Class::default() };
                let hops = Hops([2, 0, 0, 0, 0, 0]);
                let offer = Offer { hops, chunks, class, ready: 0, onward: Onward::Ends };
                let packet = engine.fabric.layout.pack(node as u32, LaneKind::Mixed, 0, &offer);
                let stored = Stored { packet, offered: 0, handle: 0, source: 0 };
                engine.nodes[node].arrive(&engine.fabric, 0, FROM_MINUS, ESCAPE, stored);
                engine.nodes[(node + 3) % 4].tokens[TOWARD_PLUS][ESCAPE] -= chunks;
            }
            engine.nodes[node].end_bypass(&engine.fabric);
        }
        engine
    }

    /// Row S10, by hand: channels of 32 tokens; B has 8 free, its upstream A 6 free and a head of one chunk, all others
    /// at most 7. The head moves, then nothing can: what was free for one full packet has become fragments.
    #[test]
    fn a_small_packet_takes_the_last_room_for_a_full_one() {
        let (a, b, others) = ([1, 8, 8, 8, 1], [8, 8, 8], [8, 8, 8, 1]);
        assert_eq!([a.iter().sum::<u8>(), b.iter().sum(), others.iter().sum()], [26, 24, 25]);
        let mut engine = ring_holding([&a, &b, &others, &others]);
        assert_eq!(engine.nodes[0].tokens[TOWARD_PLUS][..MAX_CHANNELS][ESCAPE], 8);
        assert_eq!(engine.find_deadlock(), None, "the head of A can move");
        engine.schedule(0, 0, Event::Wake);
        engine.advance(10_000);
        let totals = engine.totals();
        assert_eq!((totals.hops_ever, totals.channel_packets[ESCAPE]), (1, 1), "it moves, and nothing else");
        assert_eq!([0, 1, 2, 3].map(|node| engine.nodes[node].tokens[TOWARD_PLUS][ESCAPE]), [7, 7, 7, 7]);
        let blockage = engine.find_deadlock().expect("all wait for all");
        assert_eq!((blockage.ring.len(), blockage.blocked_heads), (4, 4));
    }
}
