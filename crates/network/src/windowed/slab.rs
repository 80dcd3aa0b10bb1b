//! A slab: nodes in a row of their numbers, all that belongs to them, and the events that happen to them.

use super::calendar::{self, Calendar};
use super::family::{BitSet, Family, Note, Tick};
use super::node::{Node, Queue};
use crate::counters::{LinkCounters, NodeCounters, Totals};
use crate::engine::{Delivery, Posted};
use crate::fabric::Fabric;
use crate::node::infinite::{lane_of_fifo, next_head};
use crate::node::software::{NEVER, Read, Software, Stored};
use crate::packet::Packet;
use crate::source::Source;
use geometry::{Direction, MAX_DIMENSIONS};
use std::sync::Arc;

/// Set in an infinite FIFO's date when its packets always wait: the next one does not count from it.
const ALWAYS_WAITING: u64 = 1 << 63;

/// What passes from one node to another: a head, or tokens. It takes effect in a later window.
#[derive(Clone, Copy, Debug)]
pub struct Mail {
    /// The node it goes to.
    pub node: u32,
    /// Port and channel there.
    pub port: u8,
    /// Channel of the port.
    pub channel: u8,
    /// When it takes effect.
    pub time: u64,
    /// A packet, or tokens.
    pub content: Content,
}

/// See [`Mail`].
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// The head of a packet arrives.
    Head(Stored),
    /// So many tokens come back.
    Tokens(u8),
}

/// How a node's share of the slab's arrays is laid out: the same for all nodes.
#[derive(Clone, Debug)]
pub struct Layout<const C: usize> {
    /// Packets of a node.
    pub packets: usize,
    /// Where the ring of each channel's packets begins.
    pub ring_start: [u16; C],
    /// How many packets each ring holds.
    pub ring_length: [u8; C],
    /// Notes of a node: tokens of all ports, then arrivals of all ports.
    pub notes: usize,
    /// Notes of tokens a port can have.
    pub token_notes: usize,
    /// Notes of arrivals a port can have.
    pub arrival_notes: usize,
}

impl<const C: usize> Layout<C> {
    /// The layout for a machine, `V` channels being laid out for each of its ports.
    pub fn new<const V: usize>(fabric: &Fabric) -> Self {
        let mut layout = Layout {
            packets: 0,
            ring_start: [0; C],
            ring_length: [0; C],
            notes: 0,
            token_notes: fabric.channels * token_notes_per_channel(fabric),
            arrival_notes: arrival_notes(fabric),
        };
        for port in 0..fabric.ports {
            for channel in 0..fabric.channels {
                let held = fabric.packets_held(channel);
                layout.ring_start[port * V + channel] = layout.packets as u16;
                layout.ring_length[port * V + channel] = held as u8;
                layout.packets += held;
            }
        }
        layout.notes = fabric.ports * (layout.token_notes + layout.arrival_notes);
        layout
    }
}

/// A channel has one transfer under way, whose tokens are noted at its start, and so many that ended no longer ago than
/// tokens take and a window lasts.
fn token_notes_per_channel(fabric: &Fabric) -> usize {
    let shortest = fabric.reception_cycles(fabric.smallest_chunks);
    2 + ((fabric.token_latency() + fabric.window_cycles()) / shortest) as usize
}

/// A link has so many heads under way as begin within its latency and a window.
fn arrival_notes(fabric: &Fabric) -> usize {
    let longest = (0..fabric.ports).map(|port| {
        let ahead = fabric.arrival_cycles(port, fabric.full_packet) + fabric.window_cycles();
        ahead / fabric.wire_cycles(port, fabric.smallest_chunks)
    });
    2 + longest.max().unwrap_or(0) as usize
}

/// An infinite injection FIFO.
#[derive(Clone, Copy, Debug)]
struct Injection {
    packet: Packet,
    /// When the head was offered; [`ALWAYS_WAITING`] may be set.
    offered: u64,
    /// Packets taken from the lane.
    taken: u32,
    has_head: bool,
}

/// Nodes `first..first + nodes.len()` of the network.
pub struct Slab<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    pub(super) fabric: Arc<Fabric>,
    source: Option<Arc<dyn Source>>,
    pub(super) first: u32,
    pub(super) nodes: Vec<Node<F, P, V, C, S>>,
    pub(super) layout: Layout<C>,
    pub(super) packets: Vec<Packet>,
    /// Low bits of the cycles at which the packets were offered.
    pub(super) offered: Vec<u32>,
    /// Handles of the packets, where they are posted.
    pub(super) handles: Vec<u32>,
    notes: Vec<F::Note>,
    fifos: usize,
    injection: Vec<Injection>,
    pub(super) software: Vec<Software>,
    pub(super) links: Vec<LinkCounters>,
    pub(super) counters: Vec<NodeCounters>,
    pub(super) totals: Totals,
    pub(super) deliveries: Vec<Delivery>,
    pub(super) calendar: Calendar,
    window_shift: u32,
    steps: [u32; 2 * MAX_DIMENSIONS],
    wraps: [u32; 2 * MAX_DIMENSIONS],
    /// Mail for nodes of other slabs.
    pub(super) outbox: Vec<Mail>,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Slab<F, P, V, C, S> {
    /// Nodes `first..first + count` at rest at cycle 0.
    pub fn new(fabric: &Arc<Fabric>, source: Option<Arc<dyn Source>>, first: u32, count: u32) -> Self {
        let layout = Layout::new::<V>(fabric);
        let nodes = count as usize;
        let node = &fabric.parameters.node;
        let fifos = usize::from(node.normal_injection_fifos)
            + if fabric.high_priority_channel.is_some() {
                usize::from(node.high_priority_injection_fifos)
            } else {
                0
            };
        let posted = source.is_none();
        let has_software = fabric.has_software(posted);
        let mut slab = Slab {
            first,
            nodes: (first..first + count).map(|number| new_node(fabric, number)).collect(),
            packets: vec![Packet::default(); nodes * layout.packets],
            offered: vec![0; nodes * layout.packets],
            handles: vec![0; if posted { nodes * layout.packets } else { 0 }],
            notes: vec![F::Note::default(); nodes * layout.notes],
            fifos,
            injection: vec![
                Injection { packet: Packet::default(), offered: 0, taken: 0, has_head: false };
                if has_software { 0 } else { nodes * fifos }
            ],
            software: if has_software {
                (first..first + count).map(|number| Software::new(fabric, number)).collect()
            } else {
                Vec::new()
            },
            links: vec![LinkCounters::default(); nodes * fabric.ports],
            counters: vec![NodeCounters::default(); nodes],
            totals: Totals::default(),
            deliveries: Vec::new(),
            calendar: Calendar::new(nodes),
            window_shift: fabric.window_cycles().ilog2(),
            steps: [0; 2 * MAX_DIMENSIONS],
            wraps: [0; 2 * MAX_DIMENSIONS],
            outbox: Vec::new(),
            layout,
            fabric: fabric.clone(),
            source,
        };
        slab.measure_links();
        for local in 0..nodes {
            slab.start_node(local);
        }
        slab
    }

    /// How far apart in number neighbors are, in each direction, within a line and round its end.
    fn measure_links(&mut self) {
        let shape = &self.fabric.parameters.shape;
        let mut stride = 1u32;
        for dimension in 0..shape.dimensions() {
            let back = stride.wrapping_mul(shape.length(dimension) - 1);
            let (plus, minus) =
                (Direction::new(dimension, true).index(), Direction::new(dimension, false).index());
            (self.steps[plus], self.wraps[plus]) = (stride, back.wrapping_neg());
            (self.steps[minus], self.wraps[minus]) = (stride.wrapping_neg(), back);
            stride *= shape.length(dimension);
        }
    }

    fn start_node(&mut self, local: usize) {
        for fifo in 0..self.injection.len().min(self.fifos) {
            self.refill(local, fifo, 0);
        }
        if !self.software.is_empty() {
            self.mark(local, 0);
        } else if self.fabric.parameters.node.injection_latency_cycles == 0 {
            // Heads may ask at once: no event of their own wakes the node.
            self.nodes[local].set_time(Node::<F, P, V, C, S>::RETRY, 0);
        }
        if let Some(time) = self.nodes[local].next_event() {
            self.mark(local, time);
        }
    }

    /// Marks a node for the window in which `time` lies.
    #[inline]
    fn mark(&mut self, local: usize, time: u64) {
        self.calendar.mark(time >> self.window_shift, local);
    }

    /// The number of the node behind a port.
    #[inline]
    pub(super) fn neighbor(&self, local: usize, port: usize) -> u32 {
        let wraps = self.nodes[local].edges >> port & 1 == 1;
        let step = if wraps { self.wraps[port] } else { self.steps[port] };
        (self.first + local as u32).wrapping_add(step)
    }

    /// The window in which the next event lies.
    pub fn next_window(&self) -> Option<u64> {
        self.calendar.next_window()
    }

    /// Lets everything happen in `window` that happens before `end`, nodes in order of their numbers.
    pub fn run_window(&mut self, window: u64, end: u64) {
        for local in self.calendar.enter(window) {
            if let Some(time) = self.next_event(local) {
                self.mark(local, time);
            }
        }
        self.calendar.begin_row();
        let epoch = ((window << self.window_shift) / F::Tick::EPOCH_CYCLES) as u32;
        for word in 0..self.calendar.words() {
            let marked = self.calendar.take_word(word);
            for bit in marked.iter() {
                self.visit(word * 64 + bit, epoch, end);
            }
        }
    }

    fn next_event(&self, local: usize) -> Option<u64> {
        let software = self.software.get(local).map(Software::next).filter(|&time| time != NEVER);
        self.nodes[local].next_event().into_iter().chain(software).min()
    }

    /// Lets everything happen to a node that happens before `end`.
    #[inline]
    fn visit(&mut self, local: usize, epoch: u32, end: u64) {
        self.nodes[local].enter_epoch(epoch);
        while let Some(now) = self.next_event(local) {
            if now >= end {
                self.mark(local, now);
                return;
            }
            self.step(local, now);
        }
    }

    /// One cycle of a node: events in the order of their slots, software, arbitration.
    #[inline]
    fn step(&mut self, local: usize, now: u64) {
        let node = &self.nodes[local];
        let due = F::equal(&node.times, F::Tick::after(now - node.epoch_start()));
        let mut bypass = F::Places::default();
        for slot in due.iter() {
            self.apply(local, slot, now, &mut bypass);
        }
        if self.software.get(local).is_some_and(|software| software.next() <= now) {
            self.run_software(local, now);
        }
        self.arbitrate(local, now, bypass);
    }

    #[inline]
    fn apply(&mut self, local: usize, slot: usize, now: u64, bypass: &mut F::Places) {
        if slot < Node::<F, P, V, C, S>::LINKS {
            self.take_tokens(local, slot, now);
        } else if slot < Node::<F, P, V, C, S>::CHANNELS {
            let node = &mut self.nodes[local];
            node.clear_time(slot);
            node.idle |= 1 << (slot - Node::<F, P, V, C, S>::LINKS);
        } else if slot < Node::<F, P, V, C, S>::INJECTION {
            self.channel_is_free(local, slot - Node::<F, P, V, C, S>::CHANNELS, now);
        } else if slot < Node::<F, P, V, C, S>::ARRIVALS {
            self.injection_event(local, slot - Node::<F, P, V, C, S>::INJECTION, now);
        } else if slot < Node::<F, P, V, C, S>::RETRY {
            self.arrive(local, slot - Node::<F, P, V, C, S>::ARRIVALS, now, bypass);
        } else {
            self.nodes[local].clear_time(slot);
        }
    }

    /// Tokens that come back at `now`.
    #[inline]
    fn take_tokens(&mut self, local: usize, port: usize, now: u64) {
        let start = local * self.layout.notes + port * self.layout.token_notes;
        let node = &mut self.nodes[local];
        let noted = node.token_notes[port] as usize;
        let notes = &mut self.notes[start..start + noted];
        let due = notes.iter().take_while(|note| note.time(now) == now).count();
        for note in &notes[..due] {
            let (channel, count) = ((note.what() >> 8) as usize, note.what() as u8);
            node.tokens[port][channel] += count;
        }
        notes.copy_within(due.., 0);
        node.token_notes[port] -= due as u8;
        match notes[..noted - due].first() {
            Some(next) => node.set_time(Node::<F, P, V, C, S>::TOKENS + port, next.time(now)),
            None => node.clear_time(Node::<F, P, V, C, S>::TOKENS + port),
        }
    }

    /// The head of a channel has left it, tail and all.
    #[inline]
    fn channel_is_free(&mut self, local: usize, place: usize, now: u64) {
        let (receiver, channel) = (place / V, place % V);
        let index = self.packet_index(local, place, 0);
        let stored = self.stored(index, now);
        let charge = self.fabric.charge(channel, self.fabric.layout.chunks(stored.packet));
        let ring_length = self.layout.ring_length[place];
        let node = &mut self.nodes[local];
        node.clear_time(Node::<F, P, V, C, S>::CHANNELS + place);
        let bit = F::Places::only(place);
        let queue = &mut node.queues[place];
        queue.first = if queue.first + 1 == ring_length { 0 } else { queue.first + 1 };
        queue.held -= 1;
        queue.occupied -= if (node.bypassing & bit).is_empty() { charge } else { 0 };
        let has_next = queue.held > 0;
        node.bypassing &= !bit;
        if (node.to_reception & bit).is_empty() {
            node.paths_used[receiver] -= 1;
            node.path_blocked &= !F::Places::range(receiver * V, V);
        } else {
            node.to_reception &= !bit;
            let bus = self.places_of_bus(receiver, channel);
            self.nodes[local].bus_blocked &= !bus;
            self.end_reception(local, receiver, stored, now);
        }
        if has_next {
            let next = self.packets[self.packet_index(local, place, 0)];
            self.present(local, place, next);
        }
    }

    /// The places that share a channel's bus to the reception FIFOs: normal ones one bus, high priority another.
    #[inline]
    pub(super) fn places_of_bus(&self, receiver: usize, channel: usize) -> F::Places {
        match self.fabric.high_priority_channel {
            Some(high) if high == channel => F::Places::only(receiver * V + high),
            _ => F::Places::range(receiver * V, self.fabric.escape_channel + 1),
        }
    }

    fn end_reception(&mut self, local: usize, receiver: usize, stored: Stored, now: u64) {
        match self.software.get_mut(local) {
            Some(software) => software.end_reception(&self.fabric, receiver, stored, now),
            None => self.deliver(local, Read { time: now, stored }),
        }
    }

    fn deliver(&mut self, local: usize, Read { time, stored }: Read) {
        let node = self.first + local as u32;
        self.totals.count_delivery(time, stored.offered, self.fabric.layout.chunks(stored.packet));
        self.totals.digest.record(time, node, self.fabric.ports, 0, stored.packet.0 ^ stored.offered);
        self.counters[local].delivered += 1;
        if self.source.is_none() {
            self.deliveries.push(Delivery { time, node, handle: stored.handle });
        }
    }

    /// An injection FIFO has lost its head, tail and all, or has a head that may ask for the first time.
    fn injection_event(&mut self, local: usize, fifo: usize, now: u64) {
        let node = &mut self.nodes[local];
        let slot = Node::<F, P, V, C, S>::INJECTION + fifo;
        let bit = F::Places::only(C + fifo);
        node.clear_time(slot);
        let has_left = !(node.injecting & bit).is_empty();
        node.injecting &= !bit;
        match self.software.get_mut(local) {
            Some(software) if has_left => {
                software.head_has_left(&self.fabric, fifo, now);
                self.show_head_of_fifo(local, fifo, now);
            }
            Some(_) => self.show_head_of_fifo(local, fifo, now),
            None if has_left => self.refill(local, fifo, now),
            None => self.show_infinite_head(local, fifo, now),
        }
    }

    /// Takes the next head of an infinite FIFO from the source.
    fn refill(&mut self, local: usize, fifo: usize, now: u64) {
        let source = self.source.as_deref().expect("infinite FIFOs are filled from a source");
        let injection = &mut self.injection[local * self.fifos + fifo];
        let lane = lane_of_fifo(&self.fabric, self.first + local as u32, fifo);
        let previous_ready = if injection.offered & ALWAYS_WAITING == 0 { injection.offered } else { 0 };
        let head = next_head(&self.fabric, source, lane, injection.taken.into(), previous_ready, now);
        injection.taken += 1;
        injection.has_head = head.is_some();
        if let Some(head) = head {
            injection.packet = head.packet;
            injection.offered = head.offered | if head.ready == 0 { ALWAYS_WAITING } else { 0 };
            self.show_infinite_head(local, fifo, now);
        }
    }

    /// Lets the head of an infinite FIFO ask, now or when its time has come.
    fn show_infinite_head(&mut self, local: usize, fifo: usize, now: u64) {
        let injection = self.injection[local * self.fifos + fifo];
        let latency = u64::from(self.fabric.parameters.node.injection_latency_cycles);
        let requests_from = match injection.offered & ALWAYS_WAITING {
            0 => injection.offered + latency,
            // It was there before its predecessor left; only the first packets of a run wait for the latency.
            _ => latency,
        };
        if requests_from > now {
            self.nodes[local].set_time(Node::<F, P, V, C, S>::INJECTION + fifo, requests_from);
        } else {
            self.present(local, C + fifo, injection.packet);
        }
    }

    /// Lets the head of a real FIFO ask, now or when its time has come.
    fn show_head_of_fifo(&mut self, local: usize, fifo: usize, now: u64) {
        let node = &mut self.nodes[local];
        if !(node.injecting & F::Places::only(C + fifo)).is_empty() {
            return;
        }
        let Some(head) = self.software[local].head(fifo) else { return };
        if head.requests_from > now {
            node.set_time(Node::<F, P, V, C, S>::INJECTION + fifo, head.requests_from);
        } else {
            let packet = head.stored.packet;
            self.present(local, C + fifo, packet);
        }
    }

    fn run_software(&mut self, local: usize, now: u64) {
        let mut read = Vec::new();
        self.software[local].run(&self.fabric, self.source.as_deref(), now, &mut read);
        for fifo in 0..self.fifos {
            self.show_head_of_fifo(local, fifo, now);
        }
        for read in read {
            self.deliver(local, read);
        }
    }

    /// A head arrives at a receiver.
    #[inline]
    fn arrive(&mut self, local: usize, port: usize, now: u64, bypass: &mut F::Places) {
        let start = local * self.layout.notes
            + self.fabric.ports * self.layout.token_notes
            + port * self.layout.arrival_notes;
        let node = &mut self.nodes[local];
        let noted = node.arrival_notes[port] as usize;
        let notes = &mut self.notes[start..start + noted];
        debug_assert_eq!(notes[0].time(now), now);
        let place = port * V + notes[0].what() as usize;
        notes.copy_within(1.., 0);
        node.arrival_notes[port] -= 1;
        match notes[..noted - 1].first() {
            Some(next) => node.set_time(Node::<F, P, V, C, S>::ARRIVALS + port, next.time(now)),
            None => node.clear_time(Node::<F, P, V, C, S>::ARRIVALS + port),
        }
        self.enter_queue(local, place, bypass);
    }

    /// A packet whose head has arrived joins its channel's queue; where that is empty, it may pass the buffer by.
    #[inline]
    fn enter_queue(&mut self, local: usize, place: usize, bypass: &mut F::Places) {
        let node = &mut self.nodes[local];
        let queue = &mut node.queues[place];
        queue.flying -= 1;
        queue.held += 1;
        let is_head = queue.held == 1;
        let packet = self.packets[self.packet_index(local, place, self.nodes[local].queues[place].held - 1)];
        if is_head && self.fabric.parameters.router.bypass {
            *bypass |= F::Places::only(place);
        } else {
            self.nodes[local].queues[place].occupied += self.charge(place, packet);
        }
        if is_head {
            self.present(local, place, packet);
        }
    }

    #[inline]
    pub(super) fn charge(&self, place: usize, packet: Packet) -> u8 {
        self.fabric.charge(place % V, self.fabric.layout.chunks(packet))
    }

    /// Where in the slab's arrays the packet of rank `rank` of a channel lies.
    #[inline]
    pub(super) fn packet_index(&self, local: usize, place: usize, rank: u8) -> usize {
        let length = self.layout.ring_length[place];
        let position = u16::from(self.nodes[local].queues[place].first) + u16::from(rank);
        let wrapped = if position >= u16::from(length) { position - u16::from(length) } else { position };
        local * self.layout.packets + usize::from(self.layout.ring_start[place] + wrapped)
    }

    /// A packet of the slab's arrays; `now` is less than half of 32 bits' cycles after it was offered.
    #[inline]
    pub(super) fn stored(&self, index: usize, now: u64) -> Stored {
        let age = (now as u32).wrapping_sub(self.offered[index]);
        Stored {
            packet: self.packets[index],
            offered: now - u64::from(age),
            handle: self.handles.get(index).copied().unwrap_or(0),
        }
    }

    #[inline]
    fn present(&mut self, local: usize, place: usize, packet: Packet) {
        let layout = &self.fabric.layout;
        let is_urgent = self.fabric.high_priority_channel.is_some() && layout.is_high_priority(packet);
        let adaptive = !is_urgent && self.fabric.dynamic_channels > 0 && !layout.is_deterministic(packet);
        let hints = layout.hint_bits(packet);
        let node = &mut self.nodes[local];
        node.present(place, hints, adaptive);
        if is_urgent {
            node.urgent |= F::Places::only(place);
        }
    }

    /// The head of an injection FIFO, which leaves it.
    pub(super) fn leave_injection(&mut self, local: usize, fifo: usize) -> Stored {
        self.nodes[local].injecting |= F::Places::only(C + fifo);
        match self.software.get(local) {
            Some(software) => software.head(fifo).expect("a granted FIFO has a head").stored,
            None => {
                let injection = &self.injection[local * self.fifos + fifo];
                Stored { packet: injection.packet, offered: injection.offered & !ALWAYS_WAITING, handle: 0 }
            }
        }
    }

    /// How full an injection FIFO is, in quarters.
    pub(super) fn injection_fullness(&self, local: usize, fifo: usize) -> u8 {
        self.software.get(local).map_or(3, |software| software.quarter(&self.fabric, fifo))
    }

    /// Passes something on to another node: at once if it is of this slab, else by mail.
    #[inline]
    pub(super) fn send(&mut self, mail: Mail) {
        if ((mail.node.wrapping_sub(self.first)) as usize) < self.nodes.len() {
            self.receive(mail);
        } else {
            self.outbox.push(mail);
        }
    }

    /// Takes what another node has sent; it lies in a window to come.
    #[inline]
    pub fn receive(&mut self, mail: Mail) {
        let local = (mail.node - self.first) as usize;
        match mail.content {
            Content::Head(stored) => self.note_head(local, &mail, stored),
            Content::Tokens(count) => self.note_tokens(local, &mail, count),
        }
    }

    #[inline]
    fn note_head(&mut self, local: usize, mail: &Mail, stored: Stored) {
        let (port, place) = (mail.port as usize, mail.port as usize * V + mail.channel as usize);
        let Queue { held, flying, .. } = self.nodes[local].queues[place];
        debug_assert!(held + flying < self.layout.ring_length[place], "a channel overruns");
        let index = self.packet_index(local, place, held + flying);
        self.packets[index] = stored.packet;
        self.offered[index] = stored.offered as u32;
        if let Some(handle) = self.handles.get_mut(index) {
            *handle = stored.handle;
        }
        let start = local * self.layout.notes
            + self.fabric.ports * self.layout.token_notes
            + port * self.layout.arrival_notes;
        let node = &mut self.nodes[local];
        node.queues[place].flying += 1;
        let noted = node.arrival_notes[port] as usize;
        assert!(noted < self.layout.arrival_notes, "heads overrun the notes of a link");
        self.notes[start + noted] = F::Note::new(mail.time, mail.channel.into());
        node.arrival_notes[port] += 1;
        if noted == 0 {
            self.wake(local, Node::<F, P, V, C, S>::ARRIVALS + port, mail.time);
        }
    }

    #[inline]
    fn note_tokens(&mut self, local: usize, mail: &Mail, count: u8) {
        let port = mail.port as usize;
        let start = local * self.layout.notes + port * self.layout.token_notes;
        let node = &mut self.nodes[local];
        let noted = node.token_notes[port] as usize;
        assert!(noted < self.layout.token_notes, "tokens overrun the notes of a link");
        let notes = &mut self.notes[start..start + noted + 1];
        let mut position = noted;
        while position > 0 && notes[position - 1].time(mail.time) > mail.time {
            notes[position] = notes[position - 1];
            position -= 1;
        }
        notes[position] = F::Note::new(mail.time, u16::from(mail.channel) << 8 | u16::from(count));
        node.token_notes[port] += 1;
        if position == 0 {
            self.wake(local, Node::<F, P, V, C, S>::TOKENS + port, mail.time);
        }
    }

    /// A slot has its next event at `time`, which lies in a window to come.
    #[inline]
    fn wake(&mut self, local: usize, slot: usize, time: u64) {
        let window_start = self.calendar.window() << self.window_shift;
        let node = &mut self.nodes[local];
        node.enter_epoch((window_start / F::Tick::EPOCH_CYCLES) as u32);
        node.set_time(slot, time);
        self.mark(local, time);
    }

    /// Hands a packet to the software of a node.
    pub fn post(&mut self, posted: &Posted) {
        let local = (posted.node - self.first) as usize;
        self.software[local].post(posted);
        self.mark(local, posted.ready);
    }

    /// The notes of a port: tokens that come back and heads that arrive, as (channel, count).
    pub(super) fn notes_of(&self, local: usize, port: usize) -> (Vec<(usize, u8)>, Vec<usize>) {
        let start = local * self.layout.notes;
        let tokens = start + port * self.layout.token_notes;
        let arrivals = start + self.fabric.ports * self.layout.token_notes + port * self.layout.arrival_notes;
        let node = &self.nodes[local];
        let token_notes = &self.notes[tokens..tokens + node.token_notes[port] as usize];
        let arrival_notes = &self.notes[arrivals..arrivals + node.arrival_notes[port] as usize];
        (
            token_notes.iter().map(|note| ((note.what() >> 8) as usize, note.what() as u8)).collect(),
            arrival_notes.iter().map(|note| note.what() as usize).collect(),
        )
    }

    /// Cycles at which the packets at the heads of the injection FIFOs were offered.
    pub(super) fn offered_at_injection(&self, local: usize) -> impl Iterator<Item = u64> + '_ {
        let infinite = self.injection.get(local * self.fifos..(local + 1) * self.fifos).unwrap_or(&[]);
        let is_leaving = move |fifo: usize| self.nodes[local].injecting.has(C + fifo);
        let real = self.software.get(local).into_iter().flat_map(move |software| {
            let waiting = (0..self.fifos).filter(move |&fifo| !is_leaving(fifo));
            waiting.filter_map(|fifo| Some(software.head(fifo)?.stored.offered))
        });
        infinite
            .iter()
            .enumerate()
            .filter(move |(fifo, injection)| injection.has_head && !is_leaving(*fifo))
            .map(|(_, injection)| injection.offered & !ALWAYS_WAITING)
            .chain(real)
    }

    /// Bytes of state.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.packets[..])
            + size_of_val(&self.offered[..])
            + size_of_val(&self.handles[..])
            + size_of_val(&self.notes[..])
            + size_of_val(&self.injection[..])
            + self.software.len() * Software::typical_bytes(&self.fabric)
            + size_of_val(&self.links[..])
            + size_of_val(&self.counters[..])
            + calendar::bytes_for(self.nodes.len() as u64) as usize
    }
}

fn new_node<F: Family, const P: usize, const V: usize, const C: usize, const S: usize>(
    fabric: &Fabric,
    number: u32,
) -> Node<F, P, V, C, S> {
    let shape = &fabric.parameters.shape;
    let coordinates = shape.coordinates(number);
    let is_edge = |direction: &Direction| {
        let dimension = direction.dimension();
        coordinates[dimension] == if direction.is_plus() { shape.length(dimension) - 1 } else { 0 }
    };
    let edges =
        Direction::all(shape.dimensions()).filter(is_edge).fold(0, |set, edge| set | 1 << edge.index());
    Node::new(std::array::from_fn(|channel| fabric.capacity[channel]), edges)
}
