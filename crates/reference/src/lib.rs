//! The reference engine: simple and slow, one event at a time. It defines the correct results.
//!
//! ```text
//!   events of cycle t, in the order (node, kind, port)
//!     1 credits return, links and buffers become free, packets arrive
//!     2 software runs
//!     3 the node arbitrates: requests -> receivers choose -> senders choose -> transfers begin
//!        ... which schedules events at later cycles
//! ```
//!
//! A node arbitrates in every cycle in which it has an event, and in the cycle after one with a grant. A cycle without
//! grants leaves the node unchanged, so that it needs no arbitration before its next event.
//!
//! The head of `windowed` has an example, which is the same with [`ReferenceEngine::new`].

#![forbid(unsafe_code)]

mod arbitration;
mod checkpoint;
mod links;
mod node;

use arbitration::{Grant, To};
use base::checkpoint::{FrameReader, FrameWriter};
use links::Links;
use network::arbitration::{Origin, record_grant};
use network::collective::Signal;
use network::counters::{LinkCounters, NodeCounters, Totals};
use network::deadlock::{Search, Snapshot, WaitingPacket};
use network::engine::{Engine, SoFar};
use network::fabric::{Fabric, TransferCycles};
use network::link::LinkReport;
use network::node::infinite::{lane_of_fifo, on_detour};
use network::node::software::{Announcement, NEVER, NodeSoftware, Read};
use network::packet::{Packet, Stored, Tag};
use network::parameters::MAX_VCS;
use network::parameters::Parameters;
use network::source::Source;
use network::traffic::Traffic;
use node::{Node, Outgoing};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// The events of a node; the order of kinds and ports is the order within a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Event {
    /// Credits return to a sender.
    Credits { port: usize, vc: usize, count: u8 },
    /// A link has finished a transfer.
    LinkFree { port: usize },
    /// A packet has left its VC, tail included.
    VcFree { port: usize, vc: usize },
    /// A packet has left its injection FIFO, tail included.
    InjectionFree { fifo: usize },
    /// The tail of a frame has arrived.
    FrameEnd { port: usize },
    /// The head of a frame arrives.
    Frame { port: usize },
    /// An acknowledgement or a probe arrives; one of each may arrive in one cycle.
    Ack { port: usize, is_probe: bool },
    /// A retransmission of unacknowledged packets may be due.
    LinkTimer { port: usize },
    /// A packet's head arrives at a receiver.
    Arrival { port: usize, vc: usize, packet: Packet, offered: u64, tag: Tag, source: u32 },
    /// A packet that node `by` received from a VC is acknowledged.
    Acknowledgement { by: u32, port: usize, vc: usize },
    /// Software or an injection FIFO has work, or head packets may request again after grants in the previous cycle.
    Wake,
}

/// A packet that arrives at a VC.
struct Arrival {
    port: usize,
    vc: usize,
    packet: Packet,
    offered: u64,
}

impl Event {
    /// The packet that the event brings to the node, if any.
    fn arrival(&self) -> Option<Arrival> {
        match *self {
            Event::Arrival { port, vc, packet, offered, .. } => Some(Arrival { port, vc, packet, offered }),
            // Senders of lossy links store their packets until these are acknowledged.
            Event::Frame { .. } | Event::FrameEnd { .. } => None,
            Event::Credits { .. }
            | Event::LinkFree { .. }
            | Event::VcFree { .. }
            | Event::InjectionFree { .. }
            | Event::Ack { .. }
            | Event::LinkTimer { .. }
            | Event::Acknowledgement { .. }
            | Event::Wake => None,
        }
    }
}

/// The engine. See [`network::engine::Engine`].
pub struct ReferenceEngine {
    fabric: Fabric,
    source: Option<Arc<dyn Source>>,
    now: u64,
    nodes: Vec<Node>,
    events: BTreeMap<u64, BTreeSet<(u32, Event)>>,
    links: Vec<LinkCounters>,
    /// The packets of each link by VC, if these are counted.
    link_vcs: Vec<u32>,
    counters: Vec<NodeCounters>,
    totals: Totals,
    /// The links, if they are lossy.
    protocol: Option<Links>,
}

impl ReferenceEngine {
    /// An idle network at cycle 0.
    ///
    /// # Panics
    /// If the parameters do not pass [`Parameters::check`].
    pub fn new(parameters: Parameters, traffic: Traffic) -> Self {
        parameters.check().expect("parameters have been checked on input");
        let fabric = Fabric::new(parameters, &traffic.needs()).grouped(traffic.groups(), traffic.starts());
        let nodes = fabric.parameters.shape.nodes();
        let mut engine = ReferenceEngine {
            now: 0,
            nodes: (0..nodes).map(|node| Node::new(&fabric, node, &traffic)).collect(),
            events: BTreeMap::new(),
            links: vec![LinkCounters::default(); nodes as usize * fabric.ports],
            link_vcs: vec![
                0;
                if fabric.parameters.counts_unblocking {
                    nodes as usize * fabric.ports * fabric.vcs
                } else {
                    0
                }
            ],
            counters: vec![NodeCounters::default(); nodes as usize],
            totals: Totals::default(),
            protocol: Links::new(&fabric),
            fabric,
            source: traffic.source().cloned(),
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

    /// Processes all events of one cycle, node by node.
    fn run_cycle(&mut self, time: u64, events: BTreeSet<(u32, Event)>) {
        self.now = time;
        let mut awake: Vec<u32> = events.iter().map(|(node, _)| *node).collect();
        awake.dedup();
        for (node, event) in events {
            self.apply(node, event);
        }
        for node in awake {
            self.choose_routes(node);
            self.run_links(node);
            self.run_software(node);
            self.arbitrate(node);
        }
    }

    fn apply(&mut self, node: u32, event: Event) {
        match event {
            Event::Credits { port, vc, count } => self.credits_return(node, port, vc, count),
            Event::LinkFree { port } => self.nodes[node as usize].link_busy[port] = false,
            Event::VcFree { port, vc } => self.release_vc(node, port, vc),
            Event::InjectionFree { fifo } => self.injection_is_free(node, fifo),
            Event::Arrival { port, vc, packet, offered, tag, source } => {
                let stored = Stored { packet, offered, tag, source };
                self.nodes[node as usize].arrive(&self.fabric, self.now, port, vc, stored);
            }
            Event::Acknowledgement { .. } => self.acknowledge(node),
            Event::FrameEnd { port } => self.frame_ends(node, port),
            Event::Frame { port } => self.frame_arrives(node, port),
            Event::Ack { port, .. } => self.ack_arrives(node, port),
            Event::LinkTimer { port } => self.link_timer(node, port),
            Event::Wake => {}
        }
    }

    /// Credits return. If returns are counted, this also determines whether they unblock a head packet.
    fn credits_return(&mut self, node: u32, port: usize, vc: usize, count: u8) {
        let counts = self.fabric.parameters.counts_unblocking;
        let state = &self.nodes[node as usize];
        let before = if counts { arbitration::heads_without_credits(&self.fabric, state) } else { 0 };
        self.nodes[node as usize].credits[port][vc] += count;
        if counts {
            let after = arbitration::heads_without_credits(&self.fabric, &self.nodes[node as usize]);
            self.totals.credit_returns += 1;
            self.totals.unblocking_returns += (after < before) as u64;
        }
    }

    /// A packet of the node has been acknowledged: the first FIFO waiting for a packet gets one.
    fn acknowledge(&mut self, node: u32) {
        let state = &mut self.nodes[node as usize];
        match &mut state.endpoint {
            Some(endpoint) => endpoint.acknowledge(0, self.now),
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

    fn release_vc(&mut self, node: u32, port: usize, vc: usize) {
        let state = &mut self.nodes[node as usize];
        let (stored, outgoing) = state.release(&self.fabric, port, vc);
        if self.protocol.is_some() {
            let credits = self.fabric.charge(vc, self.fabric.layout.chunks(stored.packet));
            self.free_on_link(node, port, vc, credits);
        }
        let is_deposited = outgoing.takes_path() && outgoing.takes_bus();
        self.totals.deposited += is_deposited as u64;
        self.totals.deposited_ever += is_deposited as u64;
        if outgoing.takes_bus() {
            let high_priority = self.fabric.layout.is_high_priority(stored.packet);
            let state = &mut self.nodes[node as usize];
            state.reception_busy[port][high_priority as usize] = false;
            let is_relayed = self.fabric.forward_action(stored.tag).is_relay();
            if !is_deposited && !is_relayed && self.fabric.is_paced(high_priority) {
                let back = self.fabric.acknowledgement_cycles(node, stored.source);
                let event = Event::Acknowledgement { by: node, port, vc };
                self.schedule(self.now + back, stored.source, event);
            }
            let state = &mut self.nodes[node as usize];
            match &mut state.endpoint {
                Some(endpoint) => endpoint.end_reception(&self.fabric, 0, port, stored, self.now),
                None => self.deliver(node, Read { time: self.now, stored, is_relayed: false }),
            }
        }
    }

    fn injection_is_free(&mut self, node: u32, fifo: usize) {
        let state = &mut self.nodes[node as usize];
        match &mut state.endpoint {
            Some(endpoint) => {
                state.injection_busy[fifo] = false;
                endpoint.end_leaving(0, fifo, self.now);
                self.wake_for_head(node, fifo);
            }
            None => {
                state.injection_busy[fifo] = false;
                self.refill(node, fifo, self.now);
            }
        }
    }

    /// Takes the next head packet of an infinite FIFO from the source.
    fn refill(&mut self, node: u32, fifo: usize, now: u64) {
        let Some(source) = self.source.clone() else { return };
        let lane = lane_of_fifo(&self.fabric, node, fifo);
        let is_high_priority = lane.kind.is_high_priority();
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

    /// Packets of infinite FIFOs that make their first request in this cycle choose their routes.
    fn choose_routes(&mut self, node: u32) {
        let Some(source) = self.source.as_deref().filter(|_| self.fabric.has_detours) else { return };
        let Node { injection, credits, .. } = &mut self.nodes[node as usize];
        let occupied = |port: usize| self.fabric.credits_in_use(&credits[port]);
        for (fifo, head) in injection.iter_mut().enumerate() {
            if let Some(head) = head.as_mut().filter(|head| head.requests_from == self.now) {
                let place = (lane_of_fifo(&self.fabric, node, fifo), head.number);
                head.packet = on_detour(&self.fabric, source, place, head.packet, occupied);
            }
        }
    }

    fn run_software(&mut self, node: u32) {
        let state = &mut self.nodes[node as usize];
        let Some(endpoint) = &mut state.endpoint else { return };
        if endpoint.resume(0).at > self.now {
            return;
        }
        let occupied =
            self.fabric.has_detours.then(|| state.credits.map(|of| self.fabric.credits_in_use(&of)));
        endpoint.run(&self.fabric, 0, self.now, occupied.as_ref());
        let read: Vec<Read> = std::iter::from_fn(|| endpoint.take_read()).collect();
        let next = endpoint.resume(0).at;
        let mut announced: Vec<Announcement> = Vec::new();
        endpoint.take_announcements(&mut announced);
        let mut signals: Vec<Signal> = Vec::new();
        endpoint.take_signals(&mut signals, &mut self.totals);
        if next != NEVER {
            self.schedule(next, node, Event::Wake);
        }
        for fifo in 0..self.nodes[node as usize].injection_busy.len() {
            self.wake_for_head(node, fifo);
        }
        for read in read {
            self.deliver(node, read);
        }
        for announcement in announced {
            let target = &mut self.nodes[announcement.node as usize];
            let endpoint = target.endpoint.as_mut().expect("all nodes have software, or none");
            endpoint.receive(0, &announcement);
        }
        for signal in signals {
            let target = &mut self.nodes[signal.node as usize];
            let endpoint = target.endpoint.as_mut().expect("all nodes have software, or none");
            endpoint.receive_signal(0, &signal);
            self.schedule(signal.time, signal.node, Event::Wake);
        }
    }

    /// Ensures that the node arbitrates when the head packet of a finite FIFO may make its first request.
    fn wake_for_head(&mut self, node: u32, fifo: usize) {
        let state = &self.nodes[node as usize];
        let endpoint = state.endpoint.as_ref().filter(|_| !state.injection_busy[fifo]);
        let head = endpoint.and_then(|endpoint| endpoint.fifos().head(0, fifo));
        if let Some(time) = head.map(|head| head.requests_from).filter(|&time| time > self.now) {
            self.schedule(time, node, Event::Wake);
        }
    }

    fn deliver(&mut self, node: u32, read: Read) {
        let is_delivered = read.count(&self.fabric, node, &mut self.totals);
        self.counters[node as usize].delivered += u32::from(is_delivered);
    }

    fn arbitrate(&mut self, node: u32) {
        let grants = arbitration::arbitrate(&self.fabric, &self.nodes[node as usize], self.now);
        let misses_cycle = self.fabric.has_arbitration_gap() && self.update_busy_outputs(node);
        for &grant in &grants {
            self.begin(node, grant);
        }
        self.nodes[node as usize].end_bypass(&self.fabric);
        if misses_cycle || !grants.is_empty() {
            self.schedule(self.now + 1, node, Event::Wake);
        }
        for port in 0..self.fabric.ports {
            self.count_stall(node, port);
        }
    }

    /// Records which head packets find all of their links and VCs busy. Returns whether one that did before no longer
    /// does, and will request in the next cycle.
    fn update_busy_outputs(&mut self, node: u32) -> bool {
        let state = &mut self.nodes[node as usize];
        let found_outputs_busy = arbitration::heads_that_found_outputs_busy(&self.fabric, state);
        let before = std::mem::replace(&mut state.found_outputs_busy, found_outputs_busy);
        before.iter().flatten().zip(found_outputs_busy.iter().flatten()).any(|(before, now)| *before && !*now)
    }

    /// Counts the stalls in which only credits are missing, and their cycles. The time is added when the state ends,
    /// and subtracted when it begins.
    fn count_stall(&mut self, node: u32, port: usize) {
        let stalled = arbitration::is_stalled(&self.fabric, &self.nodes[node as usize], port, self.now);
        let was_stalled = std::mem::replace(&mut self.nodes[node as usize].stalled[port], stalled);
        let LinkCounters { stalled_cycles, token_stalls, .. } =
            &mut self.links[node as usize * self.fabric.ports + port];
        match (was_stalled, stalled) {
            (false, true) => {
                *stalled_cycles = stalled_cycles.wrapping_sub(self.now);
                *token_stalls += 1;
            }
            (true, false) => *stalled_cycles = stalled_cycles.wrapping_add(self.now),
            _ => {}
        }
    }

    /// Begins the transfer of a granted request.
    fn begin(&mut self, node: u32, grant: Grant) {
        let sender = match grant.to {
            To::Reception => None,
            To::Link { port, .. } => Some(port),
        };
        record_grant(&mut self.nodes[node as usize].memories, grant.from, sender);
        match grant.to {
            To::Reception => self.begin_reception(node, grant.from),
            To::Link { port, vc } => self.begin_transfer(node, grant.from, port, vc),
        }
    }

    fn begin_reception(&mut self, node: u32, from: Origin) {
        let Origin::VirtualChannel { port, vc } = from else {
            unreachable!("no packet is injected where it is received")
        };
        let state = &mut self.nodes[node as usize];
        let stored = state.occupy(port, vc, Outgoing::Reception);
        state.reception_busy[port][self.fabric.layout.is_high_priority(stored.packet) as usize] = true;
        if let Some(endpoint) = &mut state.endpoint {
            endpoint.begin_reception(&self.fabric, 0, port, stored.packet);
        }
        let chunks = self.fabric.layout.chunks(stored.packet);
        let done = self.now + u64::from(self.fabric.reception_cycles(chunks));
        self.finish_vc(node, port, vc, chunks, done);
    }

    fn begin_transfer(&mut self, node: u32, from: Origin, port: usize, vc: usize) {
        let fabric = &self.fabric;
        let state = &mut self.nodes[node as usize];
        let stored = match from {
            Origin::VirtualChannel { port: receiver, vc: waiting } => {
                self.totals.bypassed += state.is_bypassing(receiver, waiting) as u64;
                let packet =
                    state.vcs[receiver][waiting].waiting().expect("a granted channel has a head").packet;
                if fabric.deposits_here(packet) {
                    state.reception_busy[receiver][0] = true;
                    if let Some(endpoint) = &mut state.endpoint {
                        endpoint.begin_reception(fabric, 0, receiver, packet);
                    }
                    state.occupy(receiver, waiting, Outgoing::PathAndReception)
                } else {
                    state.occupy(receiver, waiting, Outgoing::Path)
                }
            }
            Origin::Injection { fifo } => {
                self.totals.injected += 1;
                self.totals.injected_ever += 1;
                self.counters[node as usize].injected += 1;
                state.leave_injection(fabric, fifo)
            }
        };
        let chunks = fabric.layout.chunks(stored.packet);
        let packet = fabric.after_hop(stored.packet, node, port);
        state.link_busy[port] = true;
        state.credits[port][vc] -= fabric.charge(vc, chunks);
        self.totals.digest.record(self.now, node, port, vc, self.fabric.layout.identity(packet));
        self.totals.count_transfer(port, vc, chunks);
        let link = &mut self.links[node as usize * fabric.ports + port];
        link.packets += 1;
        link.chunks += u32::from(chunks);
        if let Some(count) = self.link_vcs.get_mut((node as usize * fabric.ports + port) * fabric.vcs + vc) {
            *count += 1;
        }

        let TransferCycles { wire, path, arrival } = *fabric.transfer_cycles(port, chunks);
        let link_free = self.now + u64::from(wire);
        let left = self.now + u64::from(path);
        let arrives = self.now + u64::from(arrival);
        let next = fabric.neighbor(node, port);
        let Stored { offered, tag, source, .. } = stored;
        if self.protocol.is_some() {
            let fifo = if let Origin::Injection { fifo } = from { Some(fifo) } else { None };
            self.begin_on_link(node, port, vc, Stored { packet, ..stored }, fifo);
        } else {
            self.schedule(link_free, node, Event::LinkFree { port });
            let arrival = Event::Arrival { port: port ^ 1, vc, packet, offered, tag, source };
            self.schedule(arrives, next, arrival);
        }
        match from {
            Origin::VirtualChannel { port: receiver, vc: waiting } => {
                self.finish_vc(node, receiver, waiting, chunks, left);
            }
            Origin::Injection { fifo } => self.schedule(left, node, Event::InjectionFree { fifo }),
        }
    }

    /// Records that a packet will have left its VC at `left`. The VC is free then, and its credits return upstream.
    fn finish_vc(&mut self, node: u32, port: usize, vc: usize, chunks: u8, left: u64) {
        let upstream = self.fabric.neighbor(node, port);
        let count = self.fabric.charge(vc, chunks);
        let returned = left + u64::from(self.fabric.credit_latency());
        self.schedule(left, node, Event::VcFree { port, vc });
        if self.protocol.is_some() {
            return; // acknowledgements return the credits
        }
        // Packets leave a VC one at a time, so that it never returns credits twice in one cycle (the set would merge
        // the events).
        self.schedule(returned, upstream, Event::Credits { port: port ^ 1, vc, count });
    }

    /// The wait-for relations, without packets and credits in flight.
    fn snapshot(&self) -> Snapshot<'_> {
        let mut snapshot = Snapshot::new(&self.fabric, self.now);
        for node in &self.nodes {
            node.describe(&self.fabric, &mut snapshot, self.now);
        }
        snapshot
    }

    /// Panics unless every credit is at its sender, in flight back to it, or in use by a packet. This is the invariant
    /// of flow control, for tests.
    pub fn assert_credits_conserved(&self) {
        assert!(self.conserves_credits(), "credits leak");
    }

    /// Whether every credit is at its sender, in flight back to it, or in use by a packet.
    fn conserves_credits(&self) -> bool {
        let (held, returning) = (self.credits_held(), self.credits_returning());
        self.live_links().all(|(node, port)| {
            (0..self.fabric.vcs).all(|vc| {
                let sender = self.sender(node, port, vc);
                let free = u32::from(self.nodes[node as usize].credits[port][vc]);
                let capacity = u32::from(self.fabric.capacity[vc]);
                let (held, returning) = (held[sender], returning[sender]);
                free + held + returning == capacity
            })
        })
    }

    /// All live links, by node and port.
    fn live_links(&self) -> impl Iterator<Item = (u32, usize)> {
        let nodes = 0..self.nodes.len() as u32;
        let all = nodes.flat_map(|node| (0..self.fabric.ports).map(move |port| (node, port)));
        all.filter(|&(node, port)| self.fabric.has_live_link(node, port))
    }

    /// The number of a sender and VC.
    fn sender(&self, node: u32, port: usize, vc: usize) -> usize {
        (node as usize * self.fabric.ports + port) * MAX_VCS + vc
    }

    /// The number of the sender and VC for which a receiver has the buffer.
    fn sender_to(&self, node: u32, port: usize, vc: usize) -> usize {
        self.sender(self.fabric.neighbor(node, port), port ^ 1, vc)
    }

    /// Credits in use by packets in a VC or on the link toward it, by sender and VC. Credits of a packet that is
    /// leaving are returning already; on lossy links they are acknowledged when it has left.
    fn credits_held(&self) -> Vec<u32> {
        let mut held = vec![0; self.links.len() * MAX_VCS];
        let mut hold = |sender: usize, vc: usize, packet: Packet| {
            held[sender] += u32::from(self.fabric.charge(vc, self.fabric.layout.chunks(packet)));
        };
        for (node, port) in self.live_links() {
            for (vc, state) in self.nodes[node as usize].vcs[port].iter().enumerate() {
                let leaving = (state.is_leaving() && self.protocol.is_none()) as usize;
                let packets = state.packets().skip(leaving);
                packets.for_each(|packet| hold(self.sender_to(node, port, vc), vc, packet));
            }
            for kept in self.on_link(node, port) {
                hold(self.sender(node, port, kept.vc.into()), kept.vc.into(), kept.stored.packet);
            }
        }
        for &(node, event) in self.events.values().flatten() {
            if let Some(Arrival { port, vc, packet, .. }) = event.arrival() {
                hold(self.sender_to(node, port, vc), vc, packet);
            }
        }
        held
    }

    /// Credits in flight to a sender, by sender and VC.
    fn credits_returning(&self) -> Vec<u32> {
        let mut returning = vec![0; self.links.len() * MAX_VCS];
        for (node, port) in self.live_links() {
            for vc in 0..self.fabric.vcs {
                returning[self.sender(node, port, vc)] += u32::from(self.unreported_credits(node, port, vc));
            }
        }
        for &(node, event) in self.events.values().flatten() {
            if let Event::Credits { port, vc, count } = event {
                returning[self.sender(node, port, vc)] += u32::from(count);
            }
        }
        returning
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

    fn window_cycles(&self) -> u64 {
        self.fabric.window_cycles().into()
    }

    fn next_event(&self) -> Option<u64> {
        self.events.first_key_value().map(|(&time, _)| time)
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

    fn link_vcs(&self) -> Vec<u32> {
        self.link_vcs.clone()
    }

    fn nodes(&mut self) -> Vec<NodeCounters> {
        self.counters.clone()
    }

    fn start_measurement(&mut self) {
        self.totals.start_measurement();
        self.counters.fill(NodeCounters::default());
        self.link_vcs.fill(0);
        for (index, link) in self.links.iter_mut().enumerate() {
            let stalled = self.nodes[index / self.fabric.ports].stalled[index % self.fabric.ports];
            let stalled_cycles = if stalled { 0u64.wrapping_sub(self.now) } else { 0 };
            *link = LinkCounters { stalled_cycles, ..LinkCounters::default() };
        }
    }

    fn credits_out(&mut self) -> [u64; MAX_VCS] {
        {
            let nodes = self.fabric.parameters.shape.nodes();
            self.snapshot().credits_out(0..nodes)
        }
    }

    fn waiting(&mut self) -> Vec<WaitingPacket> {
        self.snapshot().waiting(self.own_nodes())
    }

    fn search_deadlock(&mut self) -> Search {
        let mut snapshot = self.snapshot();
        for (node, event) in self.events.values().flatten() {
            if let Event::Credits { port, vc, .. } = *event {
                snapshot.credits_return(*node, port, vc);
            }
            if let Some(Arrival { port, vc, .. }) = event.arrival() {
                snapshot.packet_moves(*node, port, vc);
            }
        }
        if self.protocol.is_some() {
            self.add_links_to(&mut snapshot);
        }
        snapshot.search()
    }

    fn oldest_packet_age(&mut self) -> u64 {
        let waiting = self.nodes.iter().flat_map(Node::packets).map(|stored| stored.offered);
        let arriving = self.events.values().flatten().filter_map(|(_, event)| event.arrival());
        let flying = arriving.map(|arrival| arrival.offered);
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

    fn own_nodes(&self) -> Range<u32> {
        0..self.fabric.parameters.shape.nodes()
    }

    fn save_whole(&self, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.save_state(frames)
    }

    fn save_node(&self, node: u32, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        self.save_state_of(node as usize, frames)
    }

    fn restore_whole(&mut self, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.restore_state(frames)
    }

    fn restore_node(&mut self, node: u32, frames: &mut FrameReader<'_>) -> io::Result<()> {
        self.restore_state_of(node as usize, frames)
    }

    fn end_restoration(&mut self) {
        self.check_restored();
    }

    fn software(&self) -> Vec<&dyn NodeSoftware> {
        self.nodes.iter().filter_map(|node| Some(node.endpoint.as_ref()?.software())).collect()
    }

    fn software_mut(&mut self) -> Vec<&mut dyn NodeSoftware> {
        self.nodes.iter_mut().filter_map(|node| Some(node.endpoint.as_mut()?.software_mut())).collect()
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
    use geometry::{Hops, Shape};
    use network::parameters::BubbleRule;
    use network::source::{Class, ForwardAction, Lane, LaneKind, Offer};

    const ESCAPE: usize = 2;
    const TOWARD_PLUS: usize = 0;
    const FROM_MINUS: usize = 1;

    /// A source without packets, on a machine whose packets could be of one chunk or more.
    struct Nothing;

    impl Source for Nothing {
        fn offer(&self, _: Lane, _: u64, _: u64) -> Option<Offer> {
            None
        }

        fn smallest_chunks(&self) -> u8 {
            1
        }
    }

    /// A ring of four nodes with true sizes on the bubble VC. Its escape VCs toward x+ hold packets of these sizes.
    fn ring_holding(chunks: [&[u8]; 4]) -> ReferenceEngine {
        let shape = Shape::torus(&[4]).unwrap();
        let mut parameters = Parameters::bluegene_l(shape, 1);
        parameters.router.bubble_rule = BubbleRule::TrueSize;
        let traffic = Traffic::Generated(Arc::new(Nothing));
        let mut engine = ReferenceEngine::new(parameters, traffic);
        for (node, sizes) in chunks.iter().enumerate() {
            for &chunks in *sizes {
                let class = Class { deterministic: true, ..Class::default() };
                let hops = Hops([2, 0, 0, 0, 0, 0]);
                let offer = Offer { hops, chunks, class, ready: 0, forward_action: ForwardAction::Consume };
                let packet = engine.fabric.layout.pack(node as u32, LaneKind::Mixed, 0, &offer);
                let stored = Stored { packet, offered: 0, tag: Tag::default(), source: 0 };
                engine.nodes[node].arrive(&engine.fabric, 0, FROM_MINUS, ESCAPE, stored);
                engine.nodes[(node + 3) % 4].credits[TOWARD_PLUS][ESCAPE] -= chunks;
            }
            engine.nodes[node].end_bypass(&engine.fabric);
        }
        engine
    }

    /// Row S10, by hand, with VCs of 32 credits. B has 8 free. Its upstream A has 6 free and a head packet of one
    /// chunk. All others have at most 7 free. The head packet moves, then nothing can: the room for one full packet has
    /// become fragments.
    #[test]
    fn a_small_packet_takes_the_last_room_for_a_full_one() {
        let (a, b, others) = ([1, 8, 8, 8, 1], [8, 8, 8], [8, 8, 8, 1]);
        assert_eq!([a.iter().sum::<u8>(), b.iter().sum(), others.iter().sum()], [26, 24, 25]);
        let mut engine = ring_holding([&a, &b, &others, &others]);
        assert_eq!(engine.nodes[0].credits[TOWARD_PLUS][..MAX_VCS][ESCAPE], 8);
        assert_eq!(engine.find_deadlock(), None, "the head of A can move");
        engine.schedule(0, 0, Event::Wake);
        engine.advance(10_000);
        let totals = engine.totals();
        assert_eq!((totals.hops_ever, totals.vc_packets[ESCAPE]), (1, 1), "it moves, and nothing else");
        assert_eq!([0, 1, 2, 3].map(|node| engine.nodes[node].credits[TOWARD_PLUS][ESCAPE]), [7, 7, 7, 7]);
        let blockage = engine.find_deadlock().expect("a deadlock");
        assert_eq!((blockage.ring.len(), blockage.blocked_heads), (4, 4));
    }
}
