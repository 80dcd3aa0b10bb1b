//! The software of a node: cores that write packets into injection FIFOs and read them from reception FIFOs. Each write
//! and read takes time.
//!
//! ```text
//!                 +--------- core ---------+
//!   offers -----> | read received packets, | <----- received packets
//!                 | else write the next    |
//!                 +-----------|------------+
//!                             v
//!                  FIFO 0 .. FIFO 7 (finite) ------> router
//! ```
//!
//! A state machine over plain data, shared by both engines. `run(now)` is called when a core has finished, an offer is
//! ready, a FIFO has drained or a packet has arrived, and sets the cycle of its next call. A core reads before it
//! writes (assumed: unread packets block the network). But it writes all that a packet makes it forward before it reads
//! the next, as the papers' prototype of a broadcast did, which moved packets from FIFO to FIFO through its registers.
//! [`ForwardAction`] states what is forwarded: the packet itself, if this node is its relay past dead nodes and links
//! (it keeps its name and age, and its handle names the target); or other packets, as at the corners of a broadcast.

use crate::draws::{NodeKey, Purpose, pick};
use crate::engine::Posted;
use crate::fabric::Fabric;
use crate::node::infinite::LATEST_READY;
use crate::packet::Packet;
use crate::parameters::{FifoChoice, FifoSize};
use crate::source::{Class, ForwardAction, Lane, LaneKind, Offer, Source};
use geometry::{Hops, MAX_DIMENSIONS, Preference, RouteRequest};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A packet in a FIFO or in software.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The packet.
    pub packet: Packet,
    /// The cycle from which its age counts.
    pub offered: u64,
    /// Of a posted packet: returned to the poster on delivery. Of a packet of a source: its encoded [`ForwardAction`].
    pub handle: u32,
    /// The node that sent it, if packets are acknowledged.
    pub source: u32,
}

/// A packet that software wrote into an injection FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The packet.
    pub stored: Stored,
    /// The cycle of its first request, if it is the head packet by then.
    pub requests_from: u64,
}

/// A packet that software has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The cycle at which reading ended.
    pub time: u64,
    /// The packet.
    pub stored: Stored,
    /// Whether this node relays it to another node.
    pub is_relayed: bool,
}

/// A packet that software forwards or creates because of a packet it has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Forwarded {
    offer: Offer,
    stored: Stored,
    /// The sequence number of its draws.
    number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Pending {
    offer: Offer,
    sequence: u64,
    handle: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Task {
    Write { fifo: usize, packet: Stored },
    Read { fifo: usize, packet: Stored },
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Core {
    /// Processor cycle at which its last task ends or ended.
    free_at: u64,
    task: Option<Task>,
    pending: Option<Pending>,
    /// Packets taken from the source so far.
    taken: u64,
    previous_ready: u64,
    posted: VecDeque<Pending>,
    received: VecDeque<(usize, Stored)>,
    /// Packets to forward before the next packet is read.
    to_forward: VecDeque<Forwarded>,
    forwarded: u32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct InjectionFifo {
    queue: VecDeque<Written>,
    /// Chunks in it or being written to it.
    #[serde(skip)]
    chunks: u32,
}

/// The software of one node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Software {
    #[serde(skip)]
    node: u32,
    #[serde(skip)]
    key: NodeKey,
    cores: Vec<Core>,
    injection: Vec<InjectionFifo>,
    /// Chunks in each reception FIFO or in transfer to it. Index: group, then receiver, high priority last.
    #[serde(skip)]
    reception_chunks: Vec<u32>,
    posted_packets: u64,
    /// Unacknowledged normal packets, if their number is bounded.
    unacknowledged: u32,
    forwarded_packets: u64,
    next: u64,
}

/// Distinguishes the random draws of relays from those of sources.
const RELAY_PORT: usize = 2;

/// Forwarded packets have sequence numbers of their own, so that their names and draws differ from those of other
/// packets.
const FORWARDED: u64 = 1 << 63;

/// More packets than a node sends in any run.
const MOST_PACKETS: u64 = 1 << 48;

/// The cycle that never comes.
pub const NEVER: u64 = u64::MAX;

impl Software {
    /// The software of `node`, which has work from cycle 0.
    pub fn new(fabric: &Fabric, node: u32) -> Self {
        let parameters = &fabric.parameters.node;
        let fifos = parameters.normal_injection_fifos + parameters.high_priority_injection_fifos;
        Software {
            node,
            key: NodeKey::new(fabric.parameters.seed, node),
            cores: vec![Core::default(); parameters.cores.into()],
            injection: vec![InjectionFifo::default(); fifos.into()],
            reception_chunks: vec![0; 2 * (fabric.ports + 1)],
            posted_packets: 0,
            unacknowledged: 0,
            forwarded_packets: 0,
            next: 0,
        }
    }

    /// Whether a restored state is one of this node's software at `now`; what the state omits need not be rebuilt yet.
    /// Counts stay so far from their limits that none overflows in a run.
    pub fn can_be_restored(&self, fabric: &Fabric, node: u32, now: u64, is_posted: bool) -> bool {
        let parameters = &fabric.parameters.node;
        let fifos = parameters.normal_injection_fifos + parameters.high_priority_injection_fifos;
        let sequences = [self.posted_packets, self.forwarded_packets];
        let cores = || self.cores.iter().enumerate();
        (self.cores.len(), self.injection.len()) == (parameters.cores.into(), fifos.into())
            && sequences.iter().all(|&count| count < MOST_PACKETS)
            && (is_posted || self.posted_packets == 0)
            && self.next >= now
            && cores().all(|(number, core)| {
                core.can_be_restored(fabric, node, now, is_posted)
                    && core.has_own_fifos(fabric, number, self.cores.len())
                    && core.next_task(fabric, now).is_none_or(|time| self.next <= time)
            })
            && self.injection.iter().enumerate().all(|(fifo, injection)| {
                injection.queue.iter().all(|written| {
                    written.requests_from <= now.saturating_add(parameters.injection_latency_cycles.into())
                        && can_be_written(fabric, node, now, &written.stored)
                        && fabric.layout.is_high_priority(written.stored.packet)
                            != fabric.is_normal_fifo(fifo)
                })
            })
    }

    /// Rebuilds what a saved state omits of the software of `node`, except the packets in transfer to reception FIFOs.
    pub fn rebuild(&mut self, fabric: &Fabric, node: u32) {
        (self.node, self.key) = (node, NodeKey::new(fabric.parameters.seed, node));
        self.reception_chunks = vec![0; 2 * (fabric.ports + 1)];
        let chunks = |stored: &Stored| u32::from(fabric.layout.chunks(stored.packet));
        for injection in &mut self.injection {
            injection.chunks = injection.queue.iter().map(|written| chunks(&written.stored)).sum();
        }
        for core in &self.cores {
            core.received.iter().for_each(|(fifo, packet)| self.reception_chunks[*fifo] += chunks(packet));
            match &core.task {
                Some(Task::Write { fifo, packet }) => self.injection[*fifo].chunks += chunks(packet),
                Some(Task::Read { fifo, packet }) => self.reception_chunks[*fifo] += chunks(packet),
                None => {}
            }
        }
    }

    /// Packets received and not yet read.
    pub fn unread(&self) -> usize {
        let reading = |core: &Core| matches!(core.task, Some(Task::Read { .. })) as usize;
        self.cores.iter().map(|core| core.received.len() + reading(core)).sum()
    }

    /// The handles of the packets in software and in its FIFOs, without head packets that are leaving.
    pub fn handles(&self, is_leaving: impl Fn(usize) -> bool) -> impl Iterator<Item = u32> {
        let written = self.injection.iter().enumerate().flat_map(move |(fifo, injection)| {
            injection.queue.iter().skip(is_leaving(fifo) as usize).map(|written| written.stored.handle)
        });
        self.cores.iter().flat_map(Core::handles).chain(written)
    }

    /// The cycle at which [`Software::run`] must be called next; [`NEVER`] if no work is left.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Bytes of a node's software with full FIFOs, without the posted packets that are waiting.
    pub fn typical_bytes(fabric: &Fabric) -> usize {
        let node = &fabric.parameters.node;
        let fifos = node.injection_fifos();
        let packets = (injection_capacity(fabric, false) / u32::from(fabric.smallest_chunks)) as usize;
        size_of::<Software>()
            + usize::from(node.cores) * size_of::<Core>()
            + fifos * (size_of::<InjectionFifo>() + packets * size_of::<Written>())
            + 2 * (fabric.ports + 1) * size_of::<u32>()
    }

    /// Accepts a packet to write.
    pub fn post(&mut self, posted: &Posted) {
        let Posted { hops, chunks, class, ready, handle, .. } = *posted;
        let offer = Offer { hops, chunks, class, ready, forward_action: ForwardAction::Consume };
        let core = &mut self.cores[posted.core as usize];
        if let Some(later) = core.pending.take_if(|pending| pending.offer.ready > ready) {
            core.posted.push_front(later);
        }
        // Almost always at the end; but a packet that a relay forwards may be ready before one that ranks send later.
        let position =
            core.posted.iter().rposition(|before| before.offer.ready <= ready).map_or(0, |last| last + 1);
        core.posted.insert(position, Pending { offer, sequence: self.posted_packets, handle });
        self.posted_packets += 1;
        self.next = self.next.min(ready);
    }

    /// The head packet of an injection FIFO.
    pub fn head(&self, fifo: usize) -> Option<&Written> {
        self.injection[fifo].queue.front()
    }

    /// The fullness of an injection FIFO in quarters: 0 to 3.
    pub fn quarter(&self, fabric: &Fabric, fifo: usize) -> u8 {
        (self.injection[fifo].chunks * 4 / injection_capacity(fabric, false)).min(3) as u8
    }

    /// The head packet of an injection FIFO has left it, tail included, at `now`.
    pub fn remove_head(&mut self, fabric: &Fabric, fifo: usize, now: u64) {
        let injection = &mut self.injection[fifo];
        let written = injection.queue.pop_front().expect("a packet that leaves was at the head");
        injection.chunks -= u32::from(fabric.layout.chunks(written.stored.packet));
        self.next = self.next.min(now);
    }

    /// One of the node's packets has been acknowledged at `now`.
    pub fn acknowledge(&mut self, now: u64) {
        self.unacknowledged -= 1;
        self.next = self.next.min(now);
    }

    /// Whether a packet fits into its reception FIFO. Always, if reading takes no time and nothing has to be forwarded:
    /// FIFOs are then emptied as they fill.
    pub fn can_receive(&self, fabric: &Fabric, receiver: usize, packet: Packet) -> bool {
        let space = capacity(fabric, fabric.parameters.node.reception_fifo);
        let fifo = reception_fifo(fabric, receiver, packet);
        (fabric.parameters.node.software.read_processor_cycles == 0 && !fabric.forwards)
            || self.reception_chunks[fifo].saturating_add(fabric.layout.chunks(packet).into()) <= space
    }

    /// The transfer of a packet into its reception FIFO begins.
    pub fn begin_reception(&mut self, fabric: &Fabric, receiver: usize, packet: Packet) {
        self.reception_chunks[reception_fifo(fabric, receiver, packet)] +=
            u32::from(fabric.layout.chunks(packet));
    }

    /// The transfer of a packet into its reception FIFO ends at `now`.
    pub fn end_reception(&mut self, fabric: &Fabric, receiver: usize, packet: Stored, now: u64) {
        let fifo = reception_fifo(fabric, receiver, packet.packet);
        let core = fabric.layout.reception_group(packet.packet) % self.cores.len();
        self.cores[core].received.push_back((fifo, packet));
        self.next = self.next.min(now);
    }

    /// Runs the cores at `now`: packets they have written enter the FIFOs, and packets they have read enter `read`.
    /// `source` is none if packets are posted.
    pub fn run(&mut self, fabric: &Fabric, source: Option<&dyn Source>, now: u64, read: &mut Vec<Read>) {
        self.next = NEVER;
        for core in 0..self.cores.len() {
            let mut idle = self.finish(fabric, source, core, now, read);
            while idle && self.begin(fabric, source, core, now) {
                idle = self.finish(fabric, source, core, now, read);
            }
        }
    }

    /// Ends the core's task if it is due; false if the core is still busy.
    fn finish(
        &mut self,
        fabric: &Fabric,
        source: Option<&dyn Source>,
        core: usize,
        now: u64,
        read: &mut Vec<Read>,
    ) -> bool {
        let Core { task: Some(task), free_at, .. } = self.cores[core] else { return true };
        let time = free_at.div_ceil(u64::from(fabric.parameters.node.processor_cycles_per_cycle));
        if time > now {
            self.next = self.next.min(time);
            return false;
        }
        self.cores[core].task = None;
        match task {
            Task::Write { fifo, packet } => {
                let latency = u64::from(fabric.parameters.node.injection_latency_cycles);
                self.injection[fifo]
                    .queue
                    .push_back(Written { stored: packet, requests_from: time + latency });
            }
            Task::Read { fifo, packet } => {
                self.reception_chunks[fifo] -= u32::from(fabric.layout.chunks(packet.packet));
                let forward_action = fabric.forward_action(packet.handle);
                read.push(Read {
                    time,
                    stored: packet,
                    is_relayed: matches!(forward_action, ForwardAction::RelayTo(_)),
                });
                match (forward_action, source) {
                    (ForwardAction::RelayTo(target), _) => self.relay(fabric, core, packet, target),
                    (ForwardAction::Forward(tag), Some(source)) => {
                        self.forward_from_source(fabric, source, core, tag, time)
                    }
                    _ => {}
                }
            }
        }
        true
    }

    /// Makes a core forward a packet that has arrived here as the relay on its route to `target`.
    fn relay(&mut self, fabric: &Fabric, core: usize, arrived: Stored, target: u32) {
        let (layout, parameters) = (&fabric.layout, &fabric.parameters);
        let route_request = RouteRequest {
            source: self.node,
            target,
            coin: self.key.draw(Purpose::RingTie, self.forwarded_packets, RELAY_PORT),
            preferences: &[Preference::Minimal; MAX_DIMENSIONS],
            is_dimension_ordered: fabric.adaptive_vcs == 0 || layout.is_dimension_ordered(arrived.packet),
        };
        let segment = parameters.faults.segment(&parameters.shape, &route_request);
        let class = Class {
            deterministic: layout.is_deterministic(arrived.packet),
            high_priority: layout.is_high_priority(arrived.packet),
            reception_group: layout.reception_group(arrived.packet) as u8,
            adaptive_only: segment.is_adaptive_only(),
            deposit: layout.is_deposit(arrived.packet),
        };
        let forward_action =
            segment.relayed_to(target).map_or(ForwardAction::Consume, ForwardAction::RelayTo);
        let offer = Offer {
            hops: segment.hops,
            chunks: layout.chunks(arrived.packet),
            class,
            ready: 0,
            forward_action,
        };
        let packet = layout.with_route(arrived.packet, &segment.hops, class.adaptive_only);
        let stored = Stored { packet, handle: handle_of(forward_action), ..arrived };
        self.forward(core, offer, stored);
    }

    /// Makes a core send the packets that a packet with `tag`, read at `time`, causes: new packets, whose age counts
    /// from then.
    fn forward_from_source(
        &mut self,
        fabric: &Fabric,
        source: &dyn Source,
        core: usize,
        tag: u32,
        time: u64,
    ) {
        let node = self.node;
        for offer in (0..).map_while(|index| source.forwarded(node, tag, index)) {
            let number = FORWARDED | self.forwarded_packets;
            let packet = fabric.layout.pack(self.node, LaneKind::Mixed, number, &offer);
            let stored =
                Stored { packet, offered: time, handle: handle_of(offer.forward_action), source: self.node };
            self.forward(core, offer, stored);
        }
    }

    fn forward(&mut self, core: usize, offer: Offer, stored: Stored) {
        let number = FORWARDED | self.forwarded_packets;
        self.cores[core].to_forward.push_back(Forwarded { offer, stored, number });
        self.forwarded_packets += 1;
    }

    /// The head packets of the injection FIFOs, one of which has to leave before a core reads on, if `packet`, the head
    /// packet of a VC, waits for that at `now`. `is_leaving` states whether a FIFO's head packet is leaving.
    pub fn packets_blocking_reception(
        &self,
        fabric: &Fabric,
        receiver: usize,
        packet: Packet,
        now: u64,
        is_leaving: impl Fn(usize) -> bool,
    ) -> Option<Vec<Packet>> {
        let is_received = fabric.layout.hint_bits(packet) == 0 || fabric.deposits_here(packet);
        if !is_received || self.can_receive(fabric, receiver, packet) {
            return None;
        }
        let core = fabric.layout.reception_group(packet) % self.cores.len();
        let forwarded = self.cores[core].to_forward.front().filter(|_| self.cores[core].task.is_none())?;
        let will_move =
            |fifo: usize| is_leaving(fifo) || self.head(fifo).is_some_and(|head| head.requests_from >= now);
        if (0..self.injection.len()).any(will_move) {
            return None;
        }
        let (first, count) = fifos_of_core(fabric, core, self.cores.len(), &forwarded.offer.class);
        Some((first..first + count).filter_map(|fifo| Some(self.head(fifo)?.stored.packet)).collect())
    }

    /// Starts the next task of an idle core, if there is one.
    fn begin(&mut self, fabric: &Fabric, source: Option<&dyn Source>, core: usize, now: u64) -> bool {
        let cost = &fabric.parameters.node.software;
        let has_to_write = !self.cores[core].to_forward.is_empty();
        let received = if has_to_write { None } else { self.cores[core].received.pop_front() };
        let (task, cycles) = match received {
            Some((fifo, packet)) => (Task::Read { fifo, packet }, cost.read_processor_cycles),
            None => match self.begin_write(fabric, source, core, now) {
                Some(write) => (write, cost.write_processor_cycles),
                None => return false,
            },
        };
        let ratio = u64::from(fabric.parameters.node.processor_cycles_per_cycle);
        let core = &mut self.cores[core];
        // A core that was busy until within the last cycle continues without a gap; an idle one starts now.
        let start = if core.free_at > now.saturating_sub(1) * ratio { core.free_at } else { now * ratio };
        core.free_at = start + u64::from(cycles);
        core.task = Some(task);
        true
    }

    fn begin_write(
        &mut self,
        fabric: &Fabric,
        source: Option<&dyn Source>,
        core: usize,
        now: u64,
    ) -> Option<Task> {
        if let Some(&Forwarded { offer, stored, number }) = self.cores[core].to_forward.front() {
            let fifo = self.choose_fifo(fabric, core, &offer, number)?;
            self.cores[core].to_forward.pop_front();
            self.cores[core].forwarded += 1;
            self.injection[fifo].chunks += u32::from(offer.chunks);
            return Some(Task::Write { fifo, packet: stored });
        }
        let Pending { offer, sequence, handle } = self.pending(source, core)?;
        if offer.ready > now {
            self.next = self.next.min(offer.ready);
            return None;
        }
        let is_paced = fabric.is_paced(offer.class.high_priority);
        if is_paced && fabric.window_is_full(self.unacknowledged) {
            return None; // an acknowledgement will wake the software
        }
        let fifo = self.choose_fifo(fabric, core, &offer, sequence)?;
        self.unacknowledged += is_paced as u32;
        let state = &mut self.cores[core];
        state.pending = None;
        state.forwarded += 1;
        self.injection[fifo].chunks += u32::from(offer.chunks);
        let packet = fabric.layout.pack(self.node, LaneKind::Mixed, sequence, &offer);
        let offered = if offer.ready == 0 { now } else { offer.ready };
        Some(Task::Write { fifo, packet: Stored { packet, offered, handle, source: self.node } })
    }

    /// The next packet that a core writes apart from forwarded ones, taken from the source or the posted packets.
    fn pending(&mut self, source: Option<&dyn Source>, core: usize) -> Option<Pending> {
        let lanes = self.cores.len() as u32;
        let state = &mut self.cores[core];
        if state.pending.is_none() {
            state.pending = match source {
                None => state.posted.pop_front(),
                Some(source) => {
                    let lane = Lane { node: self.node, kind: LaneKind::Mixed, number: core as u32, lanes };
                    let offer = source.offer(lane, state.taken, state.previous_ready);
                    offer.map(|offer| Pending {
                        offer,
                        sequence: lane.sequence(state.taken),
                        handle: handle_of(offer.forward_action),
                    })
                }
            };
            if let Some(pending) = &state.pending {
                state.taken += 1;
                state.previous_ready = pending.offer.ready;
            }
        }
        state.pending
    }

    /// The FIFO that the choice rule selects, if the packet fits.
    fn choose_fifo(&self, fabric: &Fabric, core: usize, offer: &Offer, sequence: u64) -> Option<usize> {
        let (first, count) = fifos_of_core(fabric, core, self.cores.len(), &offer.class);
        let fits = |fifo: &usize| {
            let is_forwarded = !self.cores[core].to_forward.is_empty();
            let space = injection_capacity(fabric, self.posted_packets > 0 || is_forwarded);
            self.injection[*fifo].chunks.saturating_add(offer.chunks.into()) <= space
        };
        let chosen = match fabric.parameters.node.fifo_choice {
            FifoChoice::Emptiest => {
                return (first..first + count).filter(fits).min_by_key(|&fifo| self.injection[fifo].chunks);
            }
            FifoChoice::RoundRobin => self.cores[core].forwarded as usize % count,
            FifoChoice::ByDirection => longest_direction(&offer.hops) % count,
            FifoChoice::Random => {
                pick(self.key.draw(Purpose::FifoChoice, sequence, core), count as u32) as usize
            }
        };
        Some(first + chosen).filter(fits)
    }
}

impl Core {
    /// Whether a restored state is one of a core at `now`.
    fn can_be_restored(&self, fabric: &Fabric, node: u32, now: u64, is_posted: bool) -> bool {
        let parameters = &fabric.parameters.node;
        let cost = parameters.software.write_processor_cycles.max(parameters.software.read_processor_cycles);
        let latest = (now + 1).saturating_mul(parameters.processor_cycles_per_cycle.into());
        let pending = self.pending.iter().chain(&self.posted);
        self.free_at <= latest.saturating_add(cost.into())
            && self.taken < MOST_PACKETS
            && self.previous_ready < LATEST_READY
            && self.forwarded < u32::MAX / 2
            && (is_posted || self.posted.is_empty())
            && self.posted.iter().is_sorted_by_key(|pending| pending.offer.ready)
            && pending.clone().all(|pending| pending.can_be_restored(fabric, node))
            && self.to_forward.iter().all(|forwarded| forwarded.can_be_restored(fabric, node, now))
            && self.received.iter().all(|(fifo, packet)| can_be_read(fabric, node, now, *fifo, packet))
            && match &self.task {
                Some(Task::Write { packet, .. }) => can_be_written(fabric, node, now, packet),
                Some(Task::Read { fifo, packet }) => can_be_read(fabric, node, now, *fifo, packet),
                None => true,
            }
    }

    /// Whether the FIFOs of this core's packets are its own.
    fn has_own_fifos(&self, fabric: &Fabric, core: usize, cores: usize) -> bool {
        let group_of = |packet: &Stored| fabric.layout.reception_group(packet.packet);
        let is_received_here = |packet: &Stored| group_of(packet) % cores == core;
        self.received.iter().all(|(_, packet)| is_received_here(packet))
            && match &self.task {
                Some(Task::Write { fifo, packet }) => {
                    let high_priority = fabric.layout.is_high_priority(packet.packet);
                    let (first, count) =
                        fifos_of_core(fabric, core, cores, &Class { high_priority, ..Class::default() });
                    (first..first + count).contains(fifo)
                }
                Some(Task::Read { packet, .. }) => is_received_here(packet),
                None => true,
            }
    }

    /// The handles of its packets, from before they are written until they have been read.
    fn handles(&self) -> impl Iterator<Item = u32> {
        let pending = self.pending.iter().chain(&self.posted).map(|pending| pending.handle);
        let task = self.task.map(|task| match task {
            Task::Write { packet, .. } | Task::Read { packet, .. } => packet.handle,
        });
        pending.chain(task).chain(self.received.iter().map(|(_, packet)| packet.handle))
    }

    /// When a core at rest at `now` continues by itself: at the end of its task, or when it has its next packet.
    fn next_task(&self, fabric: &Fabric, now: u64) -> Option<u64> {
        let ratio = u64::from(fabric.parameters.node.processor_cycles_per_cycle);
        let pending = self.pending.filter(|_| self.to_forward.is_empty());
        let ready = pending.map(|pending| pending.offer.ready).filter(|&ready| ready >= now);
        self.task.map_or(ready, |_| Some(self.free_at.div_ceil(ratio)))
    }
}

impl Pending {
    fn can_be_restored(&self, fabric: &Fabric, node: u32) -> bool {
        let target = match self.offer.forward_action {
            ForwardAction::RelayTo(target) => target,
            ForwardAction::Consume | ForwardAction::Forward(_) => 0,
        };
        target < fabric.parameters.shape.nodes() && fabric.can_be_offered(node, &self.offer)
    }
}

impl Forwarded {
    fn can_be_restored(&self, fabric: &Fabric, node: u32, now: u64) -> bool {
        fabric.can_be_offered(node, &self.offer)
            && self.offer.chunks == fabric.layout.chunks(self.stored.packet)
            && self.offer.class.high_priority == fabric.layout.is_high_priority(self.stored.packet)
            && can_be_written(fabric, node, now, &self.stored)
    }
}

/// Whether software of a node can have written a packet by `now`.
fn can_be_written(fabric: &Fabric, node: u32, now: u64, stored: &Stored) -> bool {
    fabric.can_be_at(node, stored.packet)
        && fabric.layout.hint_bits(stored.packet) != 0
        && fabric.can_be_handled(node, stored.packet, stored.handle)
        && stored.source < fabric.parameters.shape.nodes()
        && stored.offered <= now
}

/// Whether a packet can be in a reception FIFO of a node at `now`.
fn can_be_read(fabric: &Fabric, node: u32, now: u64, fifo: usize, stored: &Stored) -> bool {
    let receiver = fifo % (fabric.ports + 1);
    fabric.can_be_at(node, stored.packet)
        && (fabric.layout.hint_bits(stored.packet) == 0 || fabric.deposits_here(stored.packet))
        && fabric.can_be_handled(node, stored.packet, stored.handle)
        && fifo == reception_fifo(fabric, receiver, stored.packet)
        && fabric.layout.is_high_priority(stored.packet) == (receiver == fabric.ports)
        && stored.source < fabric.parameters.shape.nodes()
        && stored.offered <= now
}

/// The handle of a packet of a source; [`Fabric::forward_action`] decodes it.
fn handle_of(forward_action: ForwardAction) -> u32 {
    match forward_action {
        ForwardAction::Consume => 0,
        ForwardAction::RelayTo(node) => node + 1,
        ForwardAction::Forward(tag) => tag,
    }
}

/// The FIFOs of a core for a class of packets: the first, and their number. FIFOs are divided evenly among cores.
fn fifos_of_core(fabric: &Fabric, core: usize, cores: usize, class: &Class) -> (usize, usize) {
    let node = &fabric.parameters.node;
    let (offset, fifos) = match class.high_priority {
        false => (0, usize::from(node.normal_injection_fifos)),
        true => (usize::from(node.normal_injection_fifos), usize::from(node.high_priority_injection_fifos)),
    };
    let first = core * fifos / cores;
    (offset + first, (core + 1) * fifos / cores - first)
}

/// Capacity of a FIFO in chunks.
fn capacity(fabric: &Fabric, size: FifoSize) -> u32 {
    match size {
        FifoSize::Infinite => u32::MAX,
        FifoSize::Bytes(bytes) => bytes / fabric.parameters.packet.chunk_bytes,
    }
}

/// The same for an injection FIFO. Software that fills an infinite one from a source stays at most four full packets
/// ahead of the network; posted and forwarded packets are finite in number, and it takes them all at once.
fn injection_capacity(fabric: &Fabric, is_finite: bool) -> u32 {
    match fabric.parameters.node.injection_fifo {
        FifoSize::Infinite if !is_finite => 4 * u32::from(fabric.full_packet),
        size => capacity(fabric, size),
    }
}

fn reception_fifo(fabric: &Fabric, receiver: usize, packet: Packet) -> usize {
    let group = fabric.layout.reception_group(packet) * (fabric.ports + 1);
    group + if fabric.layout.is_high_priority(packet) { fabric.ports } else { receiver }
}

/// The index of the direction with the most hops to make, the first of several.
fn longest_direction(hops: &Hops) -> usize {
    let longest = hops.directions().max_by_key(|direction| {
        (hops.0[direction.dimension()].unsigned_abs(), std::cmp::Reverse(direction.dimension()))
    });
    longest.map_or(0, |direction| direction.index())
}
