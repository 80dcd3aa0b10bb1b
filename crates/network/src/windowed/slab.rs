//! A slab: nodes in a row of their numbers, all that belongs to them, and the windows in which they are visited.

use super::calendar::{self, Calendar};
use super::family::Family;
use super::mail::{ACKNOWLEDGEMENT, LINK_ACK, LOST_FRAME, Mail, Outgoing};
use super::memory;
use super::node::Node;
use super::pending::{Note, Pending};
use super::queues::Nexts;
use super::sets::{BitSet, Tick, is_given};
use super::store::Store;
use super::vector::{Vectors, Work};
use super::visit::Visit;
use super::windows::Windows;
use crate::engine::Posted;
use crate::fabric::Fabric;
use crate::node::software::{NEVER, Software};
use crate::source::Source;
use geometry::Direction;
use std::cmp::Reverse;
use std::hint::select_unpredictable;
use std::sync::Arc;

/// A slab of no more than this stays in the cache of a core of today.
const CACHE_BYTES: usize = 1 << 20;

/// How many active nodes ahead memory is asked for: far enough for it to arrive, near enough for it to stay.
const PREFETCH_AHEAD: usize = 8;

/// How much mail waits for its receivers to be in the cache.
const MAIL_UNDER_WAY: usize = 24;

/// Nodes `store.first..store.first + nodes.len()` of the network.
pub struct Slab<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    /// Their hot state.
    pub nodes: Vec<Node<F, P, V, C, S>>,
    fabric: Arc<Fabric>,
    /// What else belongs to them.
    pub store: Store<F, C>,
    calendar: Calendar,
    windows: Windows,
    /// Whether memory has to be asked for ahead.
    outgrows_cache: bool,
    /// The epoch of the window under way.
    epoch: u32,
    /// The nodes of the window under way; kept for its room.
    active: Vec<u32>,
    /// Mail for nodes of other slabs.
    pub outbox: Vec<Mail<F::Label>>,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Slab<F, P, V, C, S> {
    /// Nodes `first..first + count` at rest at cycle 0.
    pub fn new(fabric: &Arc<Fabric>, source: Option<Arc<dyn Source>>, first: u32, count: u32) -> Self {
        let mut nodes = memory::room_for(count as usize);
        nodes.extend((first..first + count).map(|number| new_node(fabric, number)));
        let mut slab = Slab {
            nodes,
            fabric: fabric.clone(),
            store: Store::new::<V>(fabric, source, first, count),
            calendar: Calendar::starting(count as usize, 0),
            windows: Windows::of(fabric),
            outgrows_cache: false,
            epoch: 0,
            active: Vec::new(),
            outbox: Vec::new(),
        };
        slab.outgrows_cache = slab.bytes() > CACHE_BYTES;
        for local in 0..slab.nodes.len() {
            Visit::new(&mut slab.nodes[local], local, fabric, &mut slab.store).start();
        }
        slab.begin_at(0);
        slab
    }

    /// Goes on from the state that its nodes have been given, at cycle `now`.
    pub fn begin_at(&mut self, now: u64) {
        self.calendar = Calendar::starting(self.nodes.len(), self.windows.number(now));
        (0..self.nodes.len()).for_each(|local| self.mark_next(local));
    }

    /// Number of the slab's first node.
    pub fn first(&self) -> u32 {
        self.store.first
    }

    /// Marks a node for the window in which `time` lies.
    #[inline(always)]
    pub(super) fn mark(&mut self, local: usize, time: u64) {
        self.calendar.mark_if(true, self.windows.number(time), local);
    }

    /// The window in which the next event lies.
    pub fn next_window(&self) -> Option<u64> {
        self.calendar.next_window()
    }

    /// The first cycle of the window under way.
    fn window_start(&self) -> u64 {
        self.windows.start(self.calendar.window())
    }

    /// Marks a node for the window in which it wants to be visited next, if ever.
    #[inline(always)]
    fn mark_next(&mut self, local: usize) {
        let wake = self.nodes[local].next_wake();
        let next = match self.store.software(local).map(Software::next) {
            None | Some(NEVER) => wake,
            Some(software) => Some(wake.map_or(software, |wake| wake.min(software))),
        };
        if let Some(next) = next {
            self.mark(local, next);
        }
        if F::HAS_OPTIONS {
            let options = self.store.optional.get(local);
            if let Some(&Reverse(time)) = options.and_then(|options| options.acknowledgements.peek()) {
                self.mark(local, time);
            }
            if let Some(time) = self.store.noisy.as_ref().and_then(|noisy| noisy.wake(local)) {
                self.mark(local, time);
            }
        }
    }

    /// Lets everything happen in `window` that happens before `end`, nodes in order of their numbers.
    pub fn run_window(&mut self, window: u64, end: u64) {
        F::Processor::run(Window { slab: self, window, end });
    }

    #[inline(always)]
    fn visit_nodes(&mut self, window: u64, end: u64) {
        for local in self.calendar.enter(window) {
            self.mark_next(local as usize);
        }
        self.epoch = (self.window_start() / F::Tick::EPOCH_CYCLES as u64) as u32;
        let mut active = std::mem::take(&mut self.active);
        self.calendar.take_window(&mut active);
        for (number, &local) in active.iter().enumerate() {
            if self.outgrows_cache
                && let Some(&ahead) = active.get(number + PREFETCH_AHEAD)
            {
                self.prefetch_visit(ahead as usize);
            }
            self.visit(local as usize, end);
            let Outgoing { heads, tokens, .. } = &self.store.mail;
            if heads.is_due(MAIL_UNDER_WAY) | tokens.is_due(MAIL_UNDER_WAY) {
                self.hand_over(MAIL_UNDER_WAY);
            }
        }
        self.hand_over(0);
        if F::HAS_OPTIONS {
            self.hand_over_acknowledgements();
            self.hand_over_link_acks();
        }
        self.active = active;
    }

    /// Asks for what a visit is likely to touch.
    #[inline(always)]
    fn prefetch_visit(&self, local: usize) {
        let packets = local * self.store.layout.packets;
        memory::lines(&self.nodes[local..local + 1]);
        memory::lines(&self.store.notes[self.store.layout.notes_of(local)]);
        memory::lines(&self.store.packets[packets..packets + self.store.layout.packets]);
        memory::line(&self.store.link_packets[local * self.store.layout.ports]);
    }

    /// Asks for what a head that comes touches.
    #[inline(always)]
    fn prefetch_for_head(&self, local: usize, mail: &Mail<F::Label>) {
        let node = &self.nodes[local];
        memory::line(&node.times[0]);
        memory::line(&node.armed);
        memory::line(&node.count[0]);
        memory::line(&node.queues);
        memory::line(&node.first[0]);
        memory::lines(&self.store.notes[self.store.layout.arrival_notes(local, mail.port.into())]);
    }

    /// Asks for where the packet of a head that comes is put; its node has come.
    #[inline(always)]
    fn prefetch_room(&self, mail: &Mail<F::Label>) {
        if let Some(local) = self.local(mail.node) {
            let (node, layout) = (&self.nodes[local], &self.store.layout);
            let place = mail.port as usize * V + mail.channel as usize;
            // SAFETY: mail names a port and a channel of the machine.
            unsafe { is_given(place < C) };
            let position = node.first[place].wrapping_add(node.count[place]);
            memory::line(&self.store.packets[local * layout.packets + layout.packet(place, position)]);
        }
    }

    /// Asks for what tokens that come back touch.
    #[inline(always)]
    fn prefetch_for_tokens(&self, local: usize, mail: &Mail<F::Label>) {
        let node = &self.nodes[local];
        memory::line(&node.armed);
        memory::line(node.pending.lane(mail.port.into()));
        memory::line(&node.tokens[0]);
        memory::lines(&self.store.notes[self.store.layout.token_notes(local, mail.port.into())]);
    }

    /// Lets everything happen to a node that happens before `end`. For what it sends, the state of those who will receive
    /// it is asked for.
    #[inline(always)]
    fn visit(&mut self, local: usize, end: u64) {
        // SAFETY: the calendar holds nodes of the slab.
        unsafe { is_given(local < self.nodes.len()) };
        let Outgoing { heads, tokens, .. } = &self.store.mail;
        let positions = (heads.position(), tokens.position());
        self.enter_epoch(local);
        Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).run(end);
        self.mark_next(local);
        if self.outgrows_cache {
            let Outgoing { heads, tokens, .. } = &self.store.mail;
            for mail in heads.latest(positions.0) {
                if let Some(local) = self.local(mail.node) {
                    self.prefetch_for_head(local, mail);
                }
            }
            for mail in tokens.latest(positions.1) {
                if let Some(local) = self.local(mail.node) {
                    self.prefetch_for_tokens(local, mail);
                }
            }
        }
    }

    /// Lets a node count its times from the epoch under way.
    #[inline(always)]
    fn enter_epoch(&mut self, local: usize) {
        if self.nodes[local].epoch != self.epoch {
            self.change_epoch(local);
        }
    }

    /// What has happened by itself is applied first, as its time would be forgotten.
    #[cold]
    fn change_epoch(&mut self, local: usize) {
        self.settle_node(local, self.window_start());
        let notes = &mut self.store.notes[self.store.layout.notes_of(local)];
        self.nodes[local].enter_epoch(self.epoch, notes);
    }

    /// Applies all events before `now` that nothing could be granted for.
    pub fn settle(&mut self, now: u64) {
        for local in 0..self.nodes.len() {
            self.settle_node(local, now);
        }
    }

    fn settle_node(&mut self, local: usize, now: u64) {
        Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).settle(now);
    }

    /// The number of a node within the slab, if it is of the slab.
    #[inline(always)]
    pub(super) fn local(&self, node: u32) -> Option<usize> {
        let local = node.wrapping_sub(self.store.first) as usize;
        (local < self.nodes.len()).then_some(local)
    }

    /// Hands over what nodes have sent, all but the last `under_way` of each kind, whose receivers may not be in the cache
    /// yet.
    #[inline(always)]
    fn hand_over(&mut self, under_way: usize) {
        let mut outgoing = std::mem::take(&mut self.store.mail);
        let heads = outgoing.heads.hand_over(under_way);
        if self.outgrows_cache {
            heads.iter().for_each(|mail| self.prefetch_room(mail));
        }
        for mail in heads {
            match self.local(mail.node) {
                Some(local) => self.receive_head(local, mail),
                None => self.outbox.push(*mail),
            }
        }
        for mail in outgoing.tokens.hand_over(under_way) {
            match self.local(mail.node) {
                Some(local) => self.receive_tokens(local, mail),
                None => self.outbox.push(*mail),
            }
        }
        self.store.mail = outgoing;
    }

    fn hand_over_acknowledgements(&mut self) {
        for mail in std::mem::take(&mut self.store.mail.acknowledgements) {
            match self.local(mail.node) {
                Some(local) => self.receive_acknowledgement(local, &mail),
                None => self.outbox.push(mail),
            }
        }
    }

    fn receive_acknowledgement(&mut self, local: usize, mail: &Mail<F::Label>) {
        self.store.optional[local].acknowledgements.push(Reverse(mail.time));
        self.mark(local, mail.time);
    }

    /// Takes what a node of another slab has sent; it lies in a window to come.
    pub fn receive(&mut self, mail: &Mail<F::Label>) {
        let local = (mail.node - self.store.first) as usize;
        match mail.tokens {
            0 | LOST_FRAME => self.receive_head(local, mail),
            LINK_ACK => self.receive_link_ack(local, mail),
            ACKNOWLEDGEMENT => self.receive_acknowledgement(local, mail),
            _ => self.receive_tokens(local, mail),
        }
    }

    #[inline(always)]
    fn receive_head(&mut self, local: usize, mail: &Mail<F::Label>) {
        if F::HAS_OPTIONS && self.store.noisy.is_some() && !self.note_frame(local, mail) {
            return;
        }
        let time = self.time_of(local, mail);
        let (is_to_wake, time) = self.note_head(local, mail, time);
        self.wake_if(is_to_wake, local, time);
    }

    #[inline(always)]
    fn receive_tokens(&mut self, local: usize, mail: &Mail<F::Label>) {
        let time = self.time_of(local, mail);
        if self.note_tokens(local, mail, time) {
            self.wake_if(true, local, time);
        }
    }

    /// When mail takes effect, counted as its receiver's times are.
    #[inline(always)]
    fn time_of(&mut self, local: usize, mail: &Mail<F::Label>) -> i32 {
        // SAFETY: mail is handed to the slab that has its node.
        unsafe { is_given(local < self.nodes.len()) };
        self.enter_epoch(local);
        (mail.time - self.nodes[local].epoch_start()) as i32
    }

    /// Notes a head that comes; whether, and when, the node is to be woken for it.
    #[inline(always)]
    fn note_head(&mut self, local: usize, mail: &Mail<F::Label>, time: i32) -> (bool, i32) {
        let (port, place) = (mail.port as usize, mail.port as usize * V + mail.channel as usize);
        // SAFETY: mail names a port and a channel of the machine.
        unsafe { is_given(port < P && (mail.channel as usize) < V && place < C) };
        let layout = &self.store.layout;
        let slot = Node::<F, P, V, C, S>::ARRIVALS + port;
        let leaves_before = Node::<F, P, V, C, S>::CHANNELS + place;
        let row = layout.arrival_notes(local, port);
        let node = &self.nodes[local];
        let is_full = node.count[place] + u8::from(node.is_pending(leaves_before)) > layout.ring_mask[place];
        let has_room = node.pending.has_room_for_head(port, !node.is_pending(slot), self.store.notes(row));
        if is_full | !has_room {
            self.settle_node(local, self.window_start());
        }
        let layout = &self.store.layout;
        let node = &mut self.nodes[local];
        let (first, count) = (node.first[place], node.count[place]);
        let is_left = node.is_pending(leaves_before);
        debug_assert!(count + u8::from(is_left) <= layout.ring_mask[place], "a channel overruns");
        let index = local * layout.packets + layout.packet(place, first.wrapping_add(count));
        node.count[place] += 1;
        let is_first = !node.is_pending(slot);
        let row = layout.arrival_notes(local, port);
        let row = self.store.notes(row);
        assert!(node.pending.has_room_for_head(port, is_first, row), "heads overrun the notes of a link");
        node.pending.note_head::<V>(port, F::Tick::near(time), mail.channel, row);
        self.store.put(index, mail);
        if is_first {
            node.times[slot] = F::Tick::near(time);
            node.armed |= F::Slots::only(slot);
        }
        let hints = self.fabric.layout.hint_bits(mail.packet);
        let is_eager = count == 0;
        node.queues.nexts.note_if(is_eager, place, || self.fabric.layout.wish(mail.packet));
        // Behind a single one that is leaving, it will be the head when that has left.
        let left = node.times[leaves_before];
        let waits_for_it = is_eager & is_left & (left >= F::Tick::near(time));
        // No processor could foretell which it is.
        let slot = select_unpredictable(waits_for_it, leaves_before, slot);
        let time = select_unpredictable(waits_for_it, left.cycles(), time);
        let is_prompt = is_eager & ((hints == 0) | !is_first);
        node.hurry(slot, is_eager, is_prompt);
        (is_prompt | (is_eager & !node.is_saturated), time)
    }

    /// Notes tokens that come back; whether the node is to be woken for them. They wait without that, unless a head waits
    /// for them.
    #[inline(always)]
    fn note_tokens(&mut self, local: usize, mail: &Mail<F::Label>, time: i32) -> bool {
        let port = mail.port as usize;
        // SAFETY: mail names a port of the machine.
        unsafe { is_given(port < P) };
        let window_start = self.window_start();
        let node = &mut self.nodes[local];
        let past = F::Tick::after((window_start - node.epoch_start()) as i32 - 1);
        let note = Note { time: F::Tick::near(time), channel: mail.channel, tokens: mail.tokens };
        let row = self.store.layout.token_notes(local, port);
        node.note_tokens(port, note, past, self.store.notes(row));
        let is_counted = F::HAS_OPTIONS && self.fabric.parameters.counts_unblocking;
        is_counted | node.stalled.has(port)
    }

    /// A node may have to be woken at `time`, which lies in a window to come.
    #[inline(always)]
    fn wake_if(&mut self, is_to_wake: bool, local: usize, time: i32) {
        let node = &mut self.nodes[local];
        let is_earlier = is_to_wake & (F::Tick::near(time) < node.wake);
        node.wake = select_unpredictable(is_earlier, F::Tick::near(time), node.wake);
        let time = node.epoch_start().wrapping_add_signed(time.into());
        self.calendar.mark_if(is_earlier, self.windows.number(time), local);
    }

    /// Hands a packet to the software of a node.
    pub fn post(&mut self, posted: &Posted) {
        let local = (posted.node - self.store.first) as usize;
        self.store.software[local].post(posted);
        self.mark(local, posted.ready);
    }

    /// Bytes of state.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + self.store.bytes()
            + calendar::bytes_for(self.nodes.len() as u64) as usize
    }
}

/// A slab in a window.
struct Window<'a, F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    slab: &'a mut Slab<F, P, V, C, S>,
    window: u64,
    end: u64,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Work
    for Window<'_, F, P, V, C, S>
{
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.slab.visit_nodes(self.window, self.end);
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
    // A dead link is never idle, so that nothing is sent over it.
    let is_link = |direction: &Direction| {
        shape.neighbor(number, *direction).is_some() && !fabric.is_dead_link(number, direction.index())
    };
    let links = Direction::all(shape.dimensions()).filter(is_link);
    let links = links.fold(0, |set, link| set | 1 << link.index());
    let tokens = std::array::from_fn(|channel| fabric.capacity[channel]);
    Node::new(fabric.seed_key.of_node(number), tokens, links, edges)
}
