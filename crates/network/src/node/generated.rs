//! Software that sends the packets of a source, and forwards packets: cores that write packets into
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
//! A core reads before it writes (assumed: unread packets block the network). But it writes all packets that a packet
//! makes it forward before it reads the next. The papers' prototype of a broadcast did so too; it moved packets from
//! FIFO to FIFO through its registers. [`ForwardAction`] states what is forwarded: the packet itself, if this node is
//! its relay past dead nodes and links (it keeps its name and age, and its tag names the target); or other packets, as
//! at the corners of a broadcast.

use super::choice::{FifoRequest, longest_direction};
use super::fifos::Received;
use super::forward::{self, FORWARDED, Forwarded};
use super::relay;
use super::software::{Announcement, NodeIo, NodeSoftware, Read, RestoredNode, Resume};
use crate::detour::Detour;
use crate::fabric::Fabric;
use crate::packet::{Stored, Tag};
use crate::source::{ForwardAction, Lane, LaneKind, Offer, Source};
use base::checkpoint::{FrameReader, FrameWriter};
use base::memory;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Pending {
    offer: Offer,
    sequence: u64,
    tag: Tag,
    detour: Option<Detour>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Task {
    Write { fifo: usize, packet: Stored },
    Read(Received),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Core {
    /// The processor cycle at which the core's last task ends or ended.
    free_at: u64,
    task: Option<Task>,
    pending: Option<Pending>,
    /// Number of packets taken from the source up to now.
    taken: u64,
    previous_ready: u64,
    /// Packets to forward before the next packet is read.
    to_forward: VecDeque<Forwarded>,
    forwarded: u32,
}

/// State of a node that its cores share.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Shared {
    forwarded_packets: u64,
    /// Number of unacknowledged normal packets, if it is bounded.
    unacknowledged: u32,
}

/// The software of some nodes; see the head of this module.
pub struct GeneratedTraffic {
    source: Arc<dyn Source>,
    cores_per_node: usize,
    cores: Vec<Core>,
    shared: Vec<Shared>,
}

impl GeneratedTraffic {
    /// The software of `nodes` nodes that send the packets of `source`.
    pub fn new(fabric: &Fabric, source: Arc<dyn Source>, nodes: usize) -> Self {
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
        let (source, shared) = (&*self.source, &mut self.shared[io.local]);
        let count = self.cores_per_node;
        let mut resume = Resume::IDLE;
        for (number, core) in self.cores[cores].iter_mut().enumerate() {
            let set = io.fabric.fifo_sets.of_core(number);
            let mut turn = Turn { core, number, set, count, shared: &mut *shared, source, io: &mut *io };
            resume = resume.or(turn.run());
        }
        resume
    }

    fn acknowledge(&mut self, local: usize) {
        self.shared[local].unacknowledged -= 1;
    }

    fn receive(&mut self, _: usize, _: &Announcement) {
        unreachable!("generated traffic announces nothing");
    }

    fn waits_for_room(&self, fabric: &Fabric, local: usize, set: usize) -> Option<Range<usize>> {
        let cores = self.cores[self.cores_of(local)].iter();
        forward::waits_for_room(
            fabric,
            set,
            cores.map(|core| core.task.is_none().then_some(&core.to_forward)),
        )
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.cores[..]) + size_of_val(&self.shared[..])
    }

    fn save(&self, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        frames.write(&(&self.shared[local], &self.cores[self.cores_of(local)]))
    }

    fn restore(&mut self, node: &mut RestoredNode<'_>, frames: &mut FrameReader<'_>) -> io::Result<()> {
        let (shared, cores): (Shared, Vec<Core>) = frames.read()?;
        let place = self.cores_of(node.local);
        cores.iter().for_each(|core| core.take_room(node));
        self.shared[node.local] = shared;
        self.cores[place].clone_from_slice(&cores);
        Ok(())
    }

    fn reading(&self, local: usize) -> usize {
        let is_reading = |core: &&Core| matches!(core.task, Some(Task::Read(_)));
        self.cores[self.cores_of(local)].iter().filter(is_reading).count()
    }

    fn reads_at_once(&self, fabric: &Fabric, _: usize) -> bool {
        fabric.parameters.node.software.read_processor_cycles == 0
    }

    fn prefetch(&self, local: usize) {
        memory::few_lines(&self.cores[self.cores_of(local)]);
        memory::line(&self.shared[local]);
    }

    fn is_small(&self) -> bool {
        true
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Core {
    /// Takes the room of the packet that the core is writing or reading.
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
}

/// A core of a node whose software runs.
struct Turn<'a, 'io> {
    core: &'a mut Core,
    number: usize,
    /// The set of FIFOs of the core.
    set: usize,
    /// Number of cores of the node.
    count: usize,
    shared: &'a mut Shared,
    source: &'a dyn Source,
    io: &'a mut NodeIo<'io>,
}

impl Turn<'_, '_> {
    /// Ends the core's task if it is due. Then begins further tasks until one takes time or nothing is left to do.
    fn run(&mut self) -> Resume {
        loop {
            if let Some(task) = self.core.task {
                let end = self.io.fabric.parameters.node.clock.cycle_of(self.core.free_at);
                if end > self.io.now {
                    return Resume::at(end);
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
        let forward_action = self.io.fabric.forward_action(stored.tag);
        let is_relayed = forward_action.is_relay();
        self.io.end_read(received, Read { time, stored, is_relayed });
        match forward_action {
            ForwardAction::RelayTo(target) => self.relay(stored, target),
            ForwardAction::Forward(tag) => self.forward_from_source(tag, time),
            ForwardAction::Consume => {}
        }
    }

    /// Forwards a packet that has arrived here as the relay on its route to `target`.
    fn relay(&mut self, arrived: Stored, target: u32) {
        let (offer, stored) = relay::next_segment(
            self.io.fabric,
            self.io.node,
            &arrived,
            target,
            self.shared.forwarded_packets,
        );
        self.forward(offer, stored);
    }

    /// Sends the packets that a packet with `tag`, read at `time`, causes. They are new packets, whose age counts from
    /// `time`.
    fn forward_from_source(&mut self, tag: u32, time: u64) {
        let (node, source) = (self.io.node, self.source);
        for offer in (0..).map_while(|index| source.forwarded(node, tag, index)) {
            let number = FORWARDED | self.shared.forwarded_packets;
            let packet = self.io.fabric.layout.pack(node, LaneKind::Mixed, number, &offer);
            let tag = tag_of(offer.forward_action);
            self.forward(offer, Stored { packet, offered: time, tag, source: node });
        }
    }

    fn forward(&mut self, offer: Offer, stored: Stored) {
        let number = FORWARDED | self.shared.forwarded_packets;
        self.core.to_forward.push_back(Forwarded { offer, stored, number });
        self.shared.forwarded_packets += 1;
    }

    /// Starts the next task of the idle core, or returns the event that it waits for.
    fn begin(&mut self) -> Result<(), Resume> {
        let node = &self.io.fabric.parameters.node;
        let has_to_write = !self.core.to_forward.is_empty();
        let received = if has_to_write { None } else { self.io.begin_read(self.set) };
        let (task, cycles) = match received {
            Some(received) => (Task::Read(received), node.software.read_processor_cycles),
            None => (self.begin_write()?, node.software.write_processor_cycles),
        };
        let start = node.clock.start(self.core.free_at, self.io.now);
        self.core.free_at = start + u64::from(cycles);
        self.core.task = Some(task);
        Ok(())
    }

    fn begin_write(&mut self) -> Result<Task, Resume> {
        if let Some(&Forwarded { offer, stored, number }) = self.core.to_forward.front() {
            // What a packet makes the core forward comes before the next packet that it reads.
            let fifo = self.choose_fifo(&offer, number)?;
            self.core.to_forward.pop_front();
            return Ok(self.write(fifo, &offer, stored));
        }
        let waits = Resume::when_received(self.set);
        let Pending { offer, sequence, tag, detour } = self.pending().ok_or(waits)?;
        let now = self.io.now;
        if offer.ready > now {
            return Err(waits.or(Resume::at(offer.ready)));
        }
        let is_paced = self.io.fabric.is_paced(offer.class.high_priority);
        if is_paced && self.io.fabric.window_is_full(self.shared.unacknowledged) {
            return Err(waits); // an acknowledgement will wake the software
        }
        let first_segment = detour.map_or(offer.hops, |detour| detour.to_intermediate);
        let fifo = self.choose_fifo(&Offer { hops: first_segment, ..offer }, sequence);
        let fifo = fifo.map_err(|blocked| waits.or(blocked))?;
        self.shared.unacknowledged += is_paced as u32;
        self.core.pending = None;
        let node = self.io.node;
        let layout = &self.io.fabric.layout;
        let packet = layout.pack(node, LaneKind::Mixed, sequence, &offer);
        let packet = detour.map_or(packet, |detour| layout.with_detour(packet, &detour));
        let offered = if offer.ready == 0 { now } else { offer.ready };
        Ok(self.write(fifo, &offer, Stored { packet, offered, tag, source: node }))
    }

    fn write(&mut self, fifo: usize, offer: &Offer, packet: Stored) -> Task {
        self.core.forwarded += 1;
        self.io.begin_write(fifo, offer.chunks);
        Task::Write { fifo, packet }
    }

    /// The next packet that the core writes apart from forwarded ones, taken from the source.
    fn pending(&mut self) -> Option<Pending> {
        if self.core.pending.is_none() {
            let core = &mut *self.core;
            let (number, lanes) = (self.number as u32, self.count as u32);
            let lane = Lane { node: self.io.node, kind: LaneKind::Mixed, number, lanes };
            let offer = self.source.offer(lane, core.taken, core.previous_ready);
            let has_detours = self.io.fabric.has_detours;
            let detour = has_detours.then(|| self.source.detour(lane, core.taken)).flatten();
            core.pending = offer.map(|offer| Pending {
                offer,
                sequence: lane.sequence(core.taken),
                tag: tag_of(offer.forward_action),
                detour,
            });
            if let Some(pending) = &core.pending {
                core.taken += 1;
                core.previous_ready = pending.offer.ready;
            }
        }
        self.core.pending
    }

    /// The FIFO that the choice rule selects, if the packet fits.
    fn choose_fifo(&self, offer: &Offer, sequence: u64) -> Result<usize, Resume> {
        let request = FifoRequest {
            set: self.set,
            core: self.number,
            in_order: false,
            high_priority: offer.class.high_priority,
            chunks: offer.chunks,
            sequence,
            written: self.core.forwarded,
            is_finite: !self.core.to_forward.is_empty(),
        };
        request.choose(self.io, || longest_direction(&offer.hops))
    }
}

/// The tag of a packet of a source; [`Fabric::forward_action`] decodes it.
fn tag_of(forward_action: ForwardAction) -> Tag {
    Tag::of_action(forward_action.code())
}
