//! Software that sends the packets of a source, or posted ones, and forwards packets: cores that write packets into
//! injection FIFOs and read them from reception FIFOs. Each write and read takes time.
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
//! A core reads before it writes (assumed: unread packets block the network). But it writes all that a packet makes it
//! forward before it reads the next, as the papers' prototype of a broadcast did, which moved packets from FIFO to FIFO
//! through its registers. [`ForwardAction`] states what is forwarded: the packet itself, if this node is its relay past
//! dead nodes and links (it keeps its name and age, and its handle names the target); or other packets, as at the
//! corners of a broadcast.

use super::fifos::{Received, can_be_read, can_be_written};
use super::infinite::LATEST_READY;
use super::software::{Endpoints, NodeIo, NodeSoftware, Read, RestoredNode, Resume};
use crate::checkpoint::{FrameReader, FrameWriter, MOST_PACKETS, require};
use crate::draws::{NodeKey, Purpose, pick};
use crate::engine::Posted;
use crate::fabric::Fabric;
use crate::packet::Stored;
use crate::parameters::FifoChoice;
use crate::source::{Class, ForwardAction, Lane, LaneKind, Offer, Source};
use geometry::{Hops, MAX_DIMENSIONS, Preference, RouteRequest};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::Arc;

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
    Read(Received),
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
    /// Packets to forward before the next packet is read.
    to_forward: VecDeque<Forwarded>,
    forwarded: u32,
}

/// State of a node that its cores share.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Shared {
    posted_packets: u64,
    forwarded_packets: u64,
    /// Unacknowledged normal packets, if their number is bounded.
    unacknowledged: u32,
}

/// The software of some nodes; see the head of this module.
pub struct GeneratedTraffic {
    /// None if packets are posted.
    source: Option<Arc<dyn Source>>,
    cores_per_node: usize,
    cores: Vec<Core>,
    shared: Vec<Shared>,
}

/// FIFOs and software of nodes `first..first + nodes`, which send the packets of `source`, or posted ones if there is
/// none.
pub fn endpoints(fabric: &Fabric, source: Option<Arc<dyn Source>>, first: u32, nodes: usize) -> Endpoints {
    Endpoints::new(fabric, first, nodes, Box::new(GeneratedTraffic::new(fabric, source, nodes)))
}

/// Distinguishes the random draws of relays from those of sources.
const RELAY_PORT: usize = 2;

/// Forwarded packets have sequence numbers of their own, so that their names and draws differ from those of other
/// packets.
const FORWARDED: u64 = 1 << 63;

impl GeneratedTraffic {
    /// The software of `nodes` nodes that send the packets of `source`, or posted ones if there is none.
    pub fn new(fabric: &Fabric, source: Option<Arc<dyn Source>>, nodes: usize) -> Self {
        let cores_per_node = usize::from(fabric.parameters.node.cores);
        GeneratedTraffic {
            source,
            cores_per_node,
            cores: vec![Core::default(); nodes * cores_per_node],
            shared: vec![Shared::default(); nodes],
        }
    }

    fn cores_of(&self, local: usize) -> Range<usize> {
        local * self.cores_per_node..(local + 1) * self.cores_per_node
    }
}

impl NodeSoftware for GeneratedTraffic {
    fn run(&mut self, io: &mut NodeIo<'_>) -> Resume {
        let cores = self.cores_of(io.local);
        let (source, shared) = (self.source.as_deref(), &mut self.shared[io.local]);
        let count = self.cores_per_node;
        let mut resume = Resume::IDLE;
        for (number, core) in self.cores[cores].iter_mut().enumerate() {
            let set = io.fabric.parameters.node.set_of_core(number);
            let mut turn = Turn { core, number, set, count, shared: &mut *shared, source, io: &mut *io };
            resume = resume.or(turn.run());
        }
        resume
    }

    fn acknowledge(&mut self, local: usize) {
        self.shared[local].unacknowledged -= 1;
    }

    fn post(&mut self, local: usize, posted: &Posted) {
        let Posted { hops, chunks, class, ready, handle, .. } = *posted;
        let offer = Offer { hops, chunks, class, ready, forward_action: ForwardAction::Consume };
        let core = &mut self.cores[local * self.cores_per_node + usize::from(posted.core)];
        if let Some(later) = core.pending.take_if(|pending| pending.offer.ready > ready) {
            core.posted.push_front(later);
        }
        // Almost always at the end; but a packet that a relay forwards may be ready before one that ranks send later.
        let position =
            core.posted.iter().rposition(|before| before.offer.ready <= ready).map_or(0, |last| last + 1);
        let posted_packets = &mut self.shared[local].posted_packets;
        core.posted.insert(position, Pending { offer, sequence: *posted_packets, handle });
        *posted_packets += 1;
    }

    fn waits_for_room(&self, fabric: &Fabric, local: usize, set: usize) -> Option<Range<usize>> {
        let node = &fabric.parameters.node;
        let mut cores = (0..).zip(&self.cores[self.cores_of(local)]);
        let mut of_set = cores.by_ref().filter(|&(number, _)| node.set_of_core(number) == set);
        let blocked = |core: &Core| core.to_forward.front().filter(|_| core.task.is_none()).copied();
        let first = blocked(of_set.next()?.1)?;
        of_set.all(|(_, core)| blocked(core).is_some()).then_some(())?;
        Some(fifos_of_set(fabric, set, &first.offer.class))
    }

    fn bytes(&self) -> usize {
        let posted: usize = self.cores.iter().map(|core| core.posted.capacity()).sum();
        size_of_val(&self.cores[..]) + size_of_val(&self.shared[..]) + posted * size_of::<Pending>()
    }

    fn save(&self, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        frames.write(&(&self.shared[local], &self.cores[self.cores_of(local)]))
    }

    fn restore(&mut self, node: &mut RestoredNode<'_>, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let (shared, cores): (Shared, Vec<Core>) = frames.read()?;
        let is_posted = self.source.is_none();
        require(cores.len() == self.cores_per_node && shared.can_be_restored(is_posted))?;
        let place = self.cores_of(node.local);
        for (number, core) in cores.iter().enumerate() {
            require(core.can_be_restored(node, number, is_posted))?;
            core.take_room(node);
        }
        self.shared[node.local] = shared;
        self.cores[place].clone_from_slice(&cores);
        Ok(())
    }

    fn reading(&self, local: usize) -> usize {
        let is_reading = |core: &&Core| matches!(core.task, Some(Task::Read(_)));
        self.cores[self.cores_of(local)].iter().filter(is_reading).count()
    }

    fn handles(&self, local: usize) -> Vec<u32> {
        self.cores[self.cores_of(local)].iter().flat_map(Core::handles).collect()
    }
}

impl Shared {
    /// Whether restored counts are so far from their limits that none overflows in a run.
    fn can_be_restored(&self, is_posted: bool) -> bool {
        self.forwarded_packets < MOST_PACKETS
            && self.posted_packets < MOST_PACKETS
            && (is_posted || self.posted_packets == 0)
    }
}

impl Core {
    /// Whether a restored state is one that core `number` of a node can have.
    fn can_be_restored(&self, node: &RestoredNode<'_>, number: usize, is_posted: bool) -> bool {
        let RestoredNode { fabric, node: number_of_node, now, .. } = *node;
        let parameters = &fabric.parameters.node;
        let cost = parameters.software.write_processor_cycles.max(parameters.software.read_processor_cycles);
        let latest = parameters.clock.processor_cycle_of(now + 1).saturating_add(cost.into());
        let mut pending = self.pending.iter().chain(&self.posted);
        self.free_at <= latest
            && self.taken < MOST_PACKETS
            && self.previous_ready < LATEST_READY
            && self.forwarded < u32::MAX / 2
            && (is_posted || self.posted.is_empty())
            && self.posted.iter().is_sorted_by_key(|pending| pending.offer.ready)
            && pending.all(|pending| pending.can_be_restored(fabric, number_of_node))
            && self.to_forward.iter().all(|forwarded| forwarded.can_be_restored(fabric, number_of_node, now))
            && self.task.is_none_or(|task| task.can_be_restored(node, parameters.set_of_core(number)))
    }

    /// Takes the room of the packet that it is writing or reading.
    fn take_room(&self, node: &mut RestoredNode<'_>) {
        let chunks = |stored: &Stored| node.fabric.layout.chunks(stored.packet);
        match &self.task {
            Some(Task::Write { fifo, packet }) => node.fifos.reserve(node.local, *fifo, chunks(packet)),
            Some(Task::Read(received)) => {
                node.fifos.hold(node.local, received.fifo, chunks(&received.stored));
            }
            None => {}
        }
    }

    /// The handles of its packets that are in no FIFO.
    fn handles(&self) -> impl Iterator<Item = u32> {
        let pending = self.pending.iter().chain(&self.posted).map(|pending| pending.handle);
        pending.chain(self.task.map(|task| match task {
            Task::Write { packet, .. } | Task::Read(Received { stored: packet, .. }) => packet.handle,
        }))
    }
}

impl Task {
    /// Whether a core with the FIFOs of `set` can be doing this.
    fn can_be_restored(&self, node: &RestoredNode<'_>, set: usize) -> bool {
        let RestoredNode { fabric, node: number, now, .. } = *node;
        match self {
            Task::Write { fifo, packet } => {
                let high_priority = fabric.layout.is_high_priority(packet.packet);
                can_be_written(fabric, number, now, packet)
                    && fifos_of_set(fabric, set, &Class { high_priority, ..Class::default() }).contains(fifo)
            }
            Task::Read(received) => {
                can_be_read(fabric, number, now, received)
                    && node.fifos.set_of(fabric, received.stored.packet) == set
            }
        }
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

/// A core of a node whose software runs.
struct Turn<'a, 'io> {
    core: &'a mut Core,
    number: usize,
    /// Its FIFOs.
    set: usize,
    /// Cores of the node.
    count: usize,
    shared: &'a mut Shared,
    source: Option<&'a dyn Source>,
    io: &'a mut NodeIo<'io>,
}

impl Turn<'_, '_> {
    /// Ends the core's task if it is due, and begins others until one takes time or nothing is left to do.
    fn run(&mut self) -> Resume {
        loop {
            if let Some(task) = self.core.task {
                let end = self.io.fabric.parameters.node.clock.cycle_of(self.core.free_at);
                if end > self.io.now {
                    return Resume { at: end, ..Resume::IDLE };
                }
                self.end(task, end);
            }
            if let Err(resume) = self.begin() {
                return resume;
            }
        }
    }

    fn end(&mut self, task: Task, time: u64) {
        self.core.task = None;
        match task {
            Task::Write { fifo, packet } => self.io.write(fifo, packet, time),
            Task::Read(received) => self.end_read(&received, time),
        }
    }

    fn end_read(&mut self, received: &Received, time: u64) {
        let stored = received.stored;
        let forward_action = self.io.fabric.forward_action(stored.handle);
        let is_relayed = matches!(forward_action, ForwardAction::RelayTo(_));
        self.io.end_read(received, Read { time, stored, is_relayed });
        match (forward_action, self.source) {
            (ForwardAction::RelayTo(target), _) => self.relay(stored, target),
            (ForwardAction::Forward(tag), Some(source)) => self.forward_from_source(source, tag, time),
            _ => {}
        }
    }

    /// Forwards a packet that has arrived here as the relay on its route to `target`.
    fn relay(&mut self, arrived: Stored, target: u32) {
        let (layout, parameters) = (&self.io.fabric.layout, &self.io.fabric.parameters);
        let key = NodeKey::new(parameters.seed, self.io.node);
        let route_request = RouteRequest {
            source: self.io.node,
            target,
            coin: key.draw(Purpose::RingTie, self.shared.forwarded_packets, RELAY_PORT),
            preferences: &[Preference::Minimal; MAX_DIMENSIONS],
            is_dimension_ordered: self.io.fabric.adaptive_vcs == 0
                || layout.is_dimension_ordered(arrived.packet),
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
        self.forward(offer, Stored { packet, handle: handle_of(forward_action), ..arrived });
    }

    /// Sends the packets that a packet with `tag`, read at `time`, causes: new packets, whose age counts from then.
    fn forward_from_source(&mut self, source: &dyn Source, tag: u32, time: u64) {
        let node = self.io.node;
        for offer in (0..).map_while(|index| source.forwarded(node, tag, index)) {
            let number = FORWARDED | self.shared.forwarded_packets;
            let packet = self.io.fabric.layout.pack(node, LaneKind::Mixed, number, &offer);
            let handle = handle_of(offer.forward_action);
            self.forward(offer, Stored { packet, offered: time, handle, source: node });
        }
    }

    fn forward(&mut self, offer: Offer, stored: Stored) {
        let number = FORWARDED | self.shared.forwarded_packets;
        self.core.to_forward.push_back(Forwarded { offer, stored, number });
        self.shared.forwarded_packets += 1;
    }

    /// Starts the next task of the idle core, or tells what it waits for.
    fn begin(&mut self) -> Result<(), Resume> {
        let node = &self.io.fabric.parameters.node;
        let has_to_write = !self.core.to_forward.is_empty();
        let received = if has_to_write { None } else { self.io.begin_read(self.set) };
        let (task, cycles) = match received {
            Some(received) => (Task::Read(received), node.software.read_processor_cycles),
            None => (self.begin_write()?, node.software.write_processor_cycles),
        };
        // A core that was busy until within the last cycle continues without a gap; an idle one starts now.
        let start = match node.clock.cycle_of(self.core.free_at) >= self.io.now.max(1) {
            true => self.core.free_at,
            false => node.clock.processor_cycle_of(self.io.now),
        };
        self.core.free_at = start + u64::from(cycles);
        self.core.task = Some(task);
        Ok(())
    }

    fn begin_write(&mut self) -> Result<Task, Resume> {
        if let Some(&Forwarded { offer, stored, number }) = self.core.to_forward.front() {
            // What a packet makes the core forward comes before the next packet that it reads.
            let fifo = self.choose_fifo(&offer, number).ok_or(Resume { when_room: true, ..Resume::IDLE })?;
            self.core.to_forward.pop_front();
            return Ok(self.write(fifo, &offer, stored));
        }
        let waits = Resume { when_received: 1 << self.set, ..Resume::IDLE };
        let Pending { offer, sequence, handle } = self.pending().ok_or(waits)?;
        let now = self.io.now;
        if offer.ready > now {
            return Err(Resume { at: offer.ready, ..waits });
        }
        let is_paced = self.io.fabric.is_paced(offer.class.high_priority);
        if is_paced && self.io.fabric.window_is_full(self.shared.unacknowledged) {
            return Err(waits); // an acknowledgement will wake the software
        }
        let fifo = self.choose_fifo(&offer, sequence).ok_or(Resume { when_room: true, ..waits })?;
        self.shared.unacknowledged += is_paced as u32;
        self.core.pending = None;
        let node = self.io.node;
        let packet = self.io.fabric.layout.pack(node, LaneKind::Mixed, sequence, &offer);
        let offered = if offer.ready == 0 { now } else { offer.ready };
        Ok(self.write(fifo, &offer, Stored { packet, offered, handle, source: node }))
    }

    fn write(&mut self, fifo: usize, offer: &Offer, packet: Stored) -> Task {
        self.core.forwarded += 1;
        self.io.begin_write(fifo, offer.chunks);
        Task::Write { fifo, packet }
    }

    /// The next packet that the core writes apart from forwarded ones, taken from the source or the posted packets.
    fn pending(&mut self) -> Option<Pending> {
        if self.core.pending.is_none() {
            let core = &mut *self.core;
            core.pending = match self.source {
                None => core.posted.pop_front(),
                Some(source) => {
                    let (number, lanes) = (self.number as u32, self.count as u32);
                    let lane = Lane { node: self.io.node, kind: LaneKind::Mixed, number, lanes };
                    let offer = source.offer(lane, core.taken, core.previous_ready);
                    offer.map(|offer| Pending {
                        offer,
                        sequence: lane.sequence(core.taken),
                        handle: handle_of(offer.forward_action),
                    })
                }
            };
            if let Some(pending) = &core.pending {
                core.taken += 1;
                core.previous_ready = pending.offer.ready;
            }
        }
        self.core.pending
    }

    /// The FIFO that the choice rule selects, if the packet fits.
    fn choose_fifo(&self, offer: &Offer, sequence: u64) -> Option<usize> {
        let node = &self.io.fabric.parameters.node;
        let fifos = fifos_of_set(self.io.fabric, self.set, &offer.class);
        let is_finite = self.shared.posted_packets > 0 || !self.core.to_forward.is_empty();
        let fits = |fifo: &usize| self.io.has_room(*fifo, offer.chunks, is_finite);
        let chosen = match node.fifo_choice {
            FifoChoice::Emptiest => {
                return fifos.filter(fits).min_by_key(|&fifo| self.io.chunks(fifo));
            }
            FifoChoice::RoundRobin => self.core.forwarded as usize % fifos.len(),
            FifoChoice::ByDirection => longest_direction(&offer.hops) % fifos.len(),
            FifoChoice::Random => {
                let key = NodeKey::new(self.io.fabric.parameters.seed, self.io.node);
                let draw = key.draw(Purpose::FifoChoice, sequence, self.number);
                pick(draw, fifos.len() as u32) as usize
            }
        };
        Some(fifos.start + chosen).filter(fits)
    }
}

/// The handle of a packet of a source; [`Fabric::forward_action`] decodes it.
fn handle_of(forward_action: ForwardAction) -> u32 {
    match forward_action {
        ForwardAction::Consume => 0,
        ForwardAction::RelayTo(node) => node + 1,
        ForwardAction::Forward(tag) => tag,
    }
}

/// The injection FIFOs of a set for a class of packets. FIFOs are divided evenly among sets.
fn fifos_of_set(fabric: &Fabric, set: usize, class: &Class) -> Range<usize> {
    let node = &fabric.parameters.node;
    let sets = node.fifo_sets();
    let (offset, fifos) = match class.high_priority {
        false => (0, usize::from(node.normal_injection_fifos)),
        true => (usize::from(node.normal_injection_fifos), usize::from(node.high_priority_injection_fifos)),
    };
    offset + set * fifos / sets..offset + (set + 1) * fifos / sets
}

/// The index of the direction with the most hops to make, the first of several.
fn longest_direction(hops: &Hops) -> usize {
    let longest = hops.directions().max_by_key(|direction| {
        (hops.0[direction.dimension()].unsigned_abs(), std::cmp::Reverse(direction.dimension()))
    });
    longest.map_or(0, |direction| direction.index())
}
