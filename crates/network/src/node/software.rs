//! The software of the nodes, as the engines see it: it runs at exact times, and its state is plain data that moves
//! with the nodes to another thread and into checkpoints.
//!
//! ```text
//!   engine  --- run(node, now) --->  NodeSoftware  --- begin_write, write, begin_read, end_read --->  NodeIo
//!   engine  <------- Resume -------            |                                             (the node's FIFOs)
//!                                              +--- announce ---> NodeSoftware of the node to which it then sends
//! ```
//!
//! An engine runs the software of a node at the cycle for which the software asked, and whenever the router has changed
//! something that it may wait for: a packet is complete in a reception FIFO, or has left an injection FIFO.

use super::fifo_head::FifoHead;
use super::fifos::{FifoState, Fifos, Received, Written};
use crate::collective::tree::{CorePlace, Packet as TreePacket, Router};
use crate::collective::{CollectiveNodes, Networks, RouteName, Signal};
use crate::counters::Totals;
use crate::fabric::Fabric;
use crate::packet::{Packet, Stored, Tag};
use base::checkpoint::{FrameReader, FrameWriter};
use base::memory;
pub use base::time::NEVER;
use geometry::MAX_DIMENSIONS;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::io;
use std::ops::Range;

/// A packet that software has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The cycle at which reading ended.
    pub time: u64,
    /// The packet.
    pub stored: Stored,
    /// Whether this node relays the packet to another node.
    pub is_relayed: bool,
}

impl Read {
    /// Counts the packet; returns whether it is delivered to `node`, and not relayed.
    #[inline(always)]
    pub fn count(&self, fabric: &Fabric, node: u32, totals: &mut Totals) -> bool {
        let Read { time, stored: Stored { packet, offered, .. }, is_relayed } = *self;
        if is_relayed {
            totals.count_relay(fabric.group_of(node));
            return false;
        }
        totals.count_delivery(time, offered, fabric.layout.chunks(packet), fabric.group_of(node));
        totals.digest.record(time, node, fabric.ports, 0, fabric.layout.identity(packet) ^ offered);
        true
    }
}

/// A message from the software of a node to that of another node, sent before a packet is written. It is known there
/// before the packet arrives, as if the packet carried it. The network does not read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// The node to which the announcement goes.
    pub node: u32,
    /// The content.
    pub words: [u64; 5],
}

/// The software of some consecutively numbered nodes. A node is identified by its place among these nodes (`local`).
pub trait NodeSoftware: Any + Send {
    /// Runs all tasks of a node that are due, and begins those that can begin. Returns when the software has to run
    /// again.
    fn run(&mut self, io: &mut NodeIo<'_>) -> Resume;

    /// A packet of a node has been acknowledged.
    fn acknowledge(&mut self, local: usize);

    /// The software of another node has announced a packet, which is not here yet.
    fn receive(&mut self, local: usize, announcement: &Announcement);

    /// The FIFOs for which the core that reads a set of reception FIFOs waits, if it waits for room. It then will not
    /// read before it has written a packet for which none of these injection FIFOs has room.
    fn waits_for_room(&self, fabric: &Fabric, local: usize, set: usize) -> Option<Range<usize>>;

    /// Bytes of state.
    fn bytes(&self) -> usize;

    /// Writes the state of a node.
    ///
    /// # Errors
    /// Errors of the output.
    fn save(&self, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()>;

    /// Restores the state of a node, and takes the room of the packets that its cores are writing and reading.
    ///
    /// # Errors
    /// Errors of the input, and a state that the node cannot have.
    fn restore(&mut self, node: &mut RestoredNode<'_>, frames: &mut FrameReader<'_>) -> io::Result<()>;

    /// Packets that cores of a node are reading.
    fn reading(&self, local: usize) -> usize;

    /// Whether a node that forwards no packets reads every packet as soon as the packet is complete in its reception
    /// FIFO.
    fn reads_at_once(&self, _fabric: &Fabric, _local: usize) -> bool {
        false
    }

    /// Whether a node's injection FIFOs never run short of packets, so that they count as full.
    fn keeps_fifos_full(&self, _local: usize) -> bool {
        false
    }

    /// Prefetches the state that each run for a node accesses.
    fn prefetch(&self, _local: usize) {}

    /// Prefetches the first elements in the queues of a node's software, whose state is in the cache.
    fn prefetch_queues(&self, _local: usize) {}

    /// Whether the state of a node is small: the cache then has room for other data that may be accessed soon.
    fn is_small(&self) -> bool {
        false
    }

    /// The software itself, for the caller that has built it.
    fn as_any(&self) -> &dyn Any;
}

/// A node whose FIFOs have been restored, while its software is being restored.
pub struct RestoredNode<'a> {
    /// The machine.
    pub fabric: &'a Fabric,
    /// The node's place among the nodes of its software.
    pub local: usize,
    /// The FIFOs.
    pub fifos: &'a mut Fifos,
}

/// The time at which the software of a node has to run again. It is a cycle, or the time when the router does something
/// for which the software waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resume {
    /// The cycle at which software runs; [`NEVER`] if no task is in progress.
    pub at: u64,
    /// Sets of reception FIFOs, as bits: software runs when a packet is complete in one of them. Their cores are idle.
    pub when_received: u64,
    /// Injection FIFOs, as bits: software runs when a packet leaves one of them.
    pub when_room: u32,
}

impl Resume {
    /// The software has nothing to do.
    pub const IDLE: Resume = Resume { at: NEVER, when_received: 0, when_room: 0 };

    /// The software runs at a cycle.
    pub fn at(cycle: u64) -> Resume {
        Resume { at: cycle, ..Resume::IDLE }
    }

    /// The software runs when a packet leaves one of some injection FIFOs.
    pub fn when_room(fifos: Range<usize>) -> Resume {
        Resume { when_room: fifos.fold(0, |bits, fifo| bits | 1 << fifo), ..Resume::IDLE }
    }

    /// The software runs when a packet is complete in a set of reception FIFOs.
    pub fn when_received(set: usize) -> Resume {
        Resume { when_received: 1 << set, ..Resume::IDLE }
    }

    /// The software runs at the earlier of two times.
    #[must_use]
    pub fn or(self, other: Resume) -> Resume {
        Resume {
            at: self.at.min(other.at),
            when_received: self.when_received | other.when_received,
            when_room: self.when_room | other.when_room,
        }
    }
}

/// The operations that the software of a node can use while it runs.
pub struct NodeIo<'a> {
    /// The machine.
    pub fabric: &'a Fabric,
    /// The number of the node.
    pub node: u32,
    /// The node's place among the nodes of its software.
    pub local: usize,
    /// The cycle, counted from the start of the time of the node's software. Software sees no other time, so that it
    /// does the same whenever its time begins.
    pub now: u64,
    /// The cycle at which the time of the node's software begins.
    start: u64,
    fifos: &'a mut Fifos,
    read: &'a mut Vec<Read>,
    announced: &'a mut Vec<Announcement>,
    collective: Option<&'a mut CollectiveNodes>,
    occupied: Option<&'a Occupied>,
    effects: Effects,
}

/// Credits in use behind each output of a node, of its VCs of normal priority.
pub type Occupied = [u32; 2 * MAX_DIMENSIONS];

/// The changes that a run of software has made for the router.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Injection FIFOs whose fullness has changed, as bits.
    pub changed: u32,
    /// Injection FIFOs into which a packet has been written, as bits.
    pub written: u32,
    /// Injection FIFOs of `written` in which the packet is the head packet.
    pub new_heads: u32,
    /// Whether room has become free in a reception FIFO.
    pub freed_room: bool,
}

impl NodeIo<'_> {
    /// Chunks in an injection FIFO or being written to it.
    #[inline]
    pub fn chunks(&self, fifo: usize) -> u32 {
        self.fifos.chunks(self.local, fifo)
    }

    /// Whether a packet fits into an injection FIFO; see [`Fifos::has_room`].
    #[inline]
    pub fn has_room(&self, fifo: usize, chunks: u8, is_finite: bool) -> bool {
        self.fifos.has_room(self.local, fifo, chunks, is_finite)
    }

    /// Chunks of the packets that wait to be read in a set of reception FIFOs.
    pub fn received_chunks(&self, set: usize) -> u32 {
        self.fifos.received_chunks(self.fabric, self.local, set)
    }

    /// A core begins to write a packet to an injection FIFO.
    #[inline]
    pub fn begin_write(&mut self, fifo: usize, chunks: u8) {
        self.fifos.reserve(self.local, fifo, chunks);
        self.effects.changed |= 1 << fifo;
    }

    /// A core has written a packet to an injection FIFO by cycle `time`.
    #[inline]
    pub fn write(&mut self, fifo: usize, stored: Stored, time: u64) {
        let latency = u64::from(self.fabric.parameters.node.injection_latency_cycles);
        let stored = stored.later(self.start);
        let requests_from = self.start + time + latency;
        let is_head = self.fifos.write(self.local, fifo, Written { stored, requests_from });
        self.effects.written |= 1 << fifo;
        self.effects.new_heads |= u32::from(is_head) << fifo;
    }

    /// Whether no packet is in an injection FIFO, nor leaving it.
    #[inline]
    pub fn is_empty(&self, fifo: usize) -> bool {
        self.fifos.is_empty(self.local, fifo)
    }

    /// The next packet of an infinite injection FIFO becomes its head packet.
    pub fn fill(&mut self, fifo: usize, FifoHead { packet, offered, requests_from, .. }: FifoHead) {
        let stored = Stored { packet, offered, tag: Tag::default(), source: self.node }.later(self.start);
        self.fifos.reserve(self.local, fifo, self.fabric.layout.chunks(packet));
        self.fifos.write(self.local, fifo, Written { stored, requests_from: self.start + requests_from });
        self.effects.changed |= 1 << fifo;
        self.effects.written |= 1 << fifo;
        self.effects.new_heads |= 1 << fifo;
    }

    /// The head packet of an injection FIFO, unless it is leaving.
    #[inline]
    pub fn head(&self, fifo: usize) -> Option<Written> {
        let Written { stored, requests_from } = *self.fifos.head(self.local, fifo)?;
        Some(Written {
            stored: stored.earlier(self.start),
            requests_from: requests_from.saturating_sub(self.start),
        })
    }

    /// Gives the head packet of an injection FIFO another route before its first request.
    pub(crate) fn reroute(&mut self, fifo: usize, packet: Packet) {
        self.fifos.reroute(self.local, fifo, packet);
        self.effects.new_heads |= 1 << fifo;
    }

    /// Number of credits in use behind an output.
    ///
    /// # Panics
    /// On a machine without non-minimal routes, which alone depend on these credits.
    pub fn occupied(&self, port: usize) -> u32 {
        self.occupied.expect("credits are given where packets choose routes by them")[port]
    }

    /// Announces a packet to the software of another node; the packet is written in this run or later.
    #[inline]
    pub fn announce(&mut self, announcement: Announcement) {
        self.announced.push(announcement);
    }

    fn collective(&mut self) -> (&mut CollectiveNodes, &Networks) {
        let networks = self.fabric.collective.as_ref();
        let collective = self.collective.as_deref_mut().zip(networks);
        collective.expect("software that uses collective networks names the cores that take part")
    }

    fn router(&mut self, on: RouteName) -> &mut Router {
        let local = self.local;
        let (collective, networks) = self.collective();
        collective.router(networks, on, local)
    }

    /// See [`Networks::define`].
    pub fn define_route(&self, name: RouteName, cores: impl FnOnce() -> Vec<(CorePlace, u32)>) -> (u32, u64) {
        let networks = self.fabric.collective.as_ref();
        networks.expect("software with routes uses collective networks").define(name, cores)
    }

    /// Whether the injection FIFO of a core to a class route has room for a packet.
    pub fn tree_has_room(&mut self, on: RouteName, core: usize) -> bool {
        let networks = self.fabric.collective.as_ref();
        let tree = networks.and_then(|networks| networks.tree.as_ref()).expect("a tree network");
        self.router(on).has_room(&tree.parameters, core)
    }

    /// A core begins to write a packet to a class route of the tree network.
    pub fn begin_write_tree(&mut self, on: RouteName, core: usize) {
        self.router(on).begin_write(core);
    }

    /// A core has written a packet for the tree network.
    pub fn write_tree(&mut self, core: usize, packet: TreePacket) {
        self.router(packet.on).write(core, packet);
    }

    /// The packets of the tree network that a core could read next: one at most of each class route.
    pub fn received_from_tree(&mut self, core: usize) -> impl Iterator<Item = &TreePacket> {
        let local = self.local;
        self.collective().0.tree(local).received(core)
    }

    /// Takes the packet of a class route that a core reads next.
    pub fn begin_read_tree(&mut self, on: RouteName, core: usize) -> Option<TreePacket> {
        self.router(on).begin_read(core)
    }

    /// A core has read a packet of a class route.
    pub fn end_read_tree(&mut self, on: RouteName, core: usize) {
        self.router(on).end_read(core);
    }

    /// Counts an operation of the tree network for which a rank has data, and which waits for another.
    pub fn count_tree_wait(&mut self) {
        let (local, now) = (self.local, self.start + self.now);
        self.collective().0.wait(local, now);
    }

    /// A core raises the wire of a route that is next for it, after `number` others.
    pub fn raise_wire(&mut self, on: RouteName, number: u64) {
        let (local, now) = (self.local, self.start + self.now);
        let (collective, networks) = self.collective();
        collective.raise(networks, local, (on, number), now);
    }

    /// Number of times that wires of a route have been released up to now.
    pub fn released_wires(&mut self, on: RouteName) -> u64 {
        let local = self.local;
        self.collective().0.released(on, local)
    }

    /// Takes the packet that a core reads next from a set of reception FIFOs.
    #[inline]
    pub fn begin_read(&mut self, set: usize) -> Option<Received> {
        let received = self.fifos.read(self.local, set)?;
        Some(Received { stored: received.stored.earlier(self.start), ..received })
    }

    /// A core has read a packet.
    #[inline]
    pub fn end_read(&mut self, received: &Received, read: Read) {
        self.fifos.free(self.local, received.fifo, self.fabric.layout.chunks(received.stored.packet));
        self.effects.freed_room = true;
        self.read.push(Read { time: self.start + read.time, stored: read.stored.later(self.start), ..read });
    }
}

/// FIFOs and software of some consecutively numbered nodes.
pub struct Endpoints {
    first: u32,
    fifos: Fifos,
    software: Box<dyn NodeSoftware>,
    /// The time at which the software of each node has to run next.
    resume: Vec<Resume>,
    /// Packets read in the run in progress; kept to reuse the allocation.
    read: Vec<Read>,
    /// Announcements of the software that have not been taken yet.
    announced: Vec<Announcement>,
    /// The collective networks, if software uses them.
    collective: Option<Box<CollectiveNodes>>,
}

impl Endpoints {
    /// Empty FIFOs and software for nodes `first..first + nodes`; the software has work from cycle 0 onward.
    pub fn new(fabric: &Fabric, first: u32, nodes: usize, software: Box<dyn NodeSoftware>) -> Self {
        let mut fifos = Fifos::new(fabric, nodes);
        for local in 0..nodes {
            if !fabric.forwards && software.reads_at_once(fabric, local) {
                fifos.read_at_once(local);
            }
            if software.keeps_fifos_full(local) {
                fifos.keep_full(local);
            }
        }
        Endpoints {
            first,
            fifos,
            software,
            resume: vec![Resume::at(0); nodes],
            read: Vec::new(),
            announced: Vec::new(),
            collective: fabric
                .collective
                .as_ref()
                .map(|networks| Box::new(CollectiveNodes::new(networks, first, nodes))),
        }
    }

    /// The FIFOs.
    #[inline]
    pub fn fifos(&self) -> &Fifos {
        &self.fifos
    }

    fn wake(&mut self, local: usize, now: u64) {
        let resume = &mut self.resume[local];
        *resume = resume.or(Resume::at(now));
    }

    /// The time at which [`Endpoints::run`] must be called next for a node, and the events that its software waits for.
    #[inline]
    pub fn resume(&self, local: usize) -> &Resume {
        &self.resume[local]
    }

    /// The software.
    pub fn software(&self) -> &dyn NodeSoftware {
        &*self.software
    }

    /// The software, to pass it events that it has been waiting for.
    pub fn software_mut(&mut self) -> &mut dyn NodeSoftware {
        &mut *self.software
    }

    /// Moves the announcements since the last call to the end of `to`.
    #[inline]
    pub fn take_announcements(&mut self, to: &mut Vec<Announcement>) {
        if !self.announced.is_empty() {
            to.append(&mut self.announced);
        }
    }

    /// Moves the signals to other nodes since the last call to the end of `to`. Also counts the events on the
    /// collective networks.
    #[inline]
    pub fn take_signals(&mut self, to: &mut Vec<Signal>, totals: &mut Totals) {
        if self.collective.is_some() {
            self.take_signals_of_all(to, totals);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_signals_of_all(&mut self, to: &mut Vec<Signal>, totals: &mut Totals) {
        if let Some(collective) = &mut self.collective {
            collective.take(to, totals);
        }
    }

    /// A signal of another node arrives over a collective network.
    pub fn receive_signal(&mut self, local: usize, signal: &Signal) {
        self.collective.as_mut().expect("only networks that are used carry signals").receive(local, signal);
        self.wake(local, signal.time);
    }

    /// Passes an announcement to the software of a node.
    pub fn receive(&mut self, local: usize, announcement: &Announcement) {
        self.software.receive(local, announcement);
    }

    /// The head packet of an injection FIFO begins to leave.
    #[inline]
    pub fn begin_leaving(&mut self, fabric: &Fabric, local: usize, fifo: usize) -> Stored {
        self.fifos.begin_leaving(fabric, local, fifo)
    }

    /// The packet that is leaving an injection FIFO has left it, tail included, at `now`.
    #[inline]
    pub fn end_leaving(&mut self, local: usize, fifo: usize, now: u64) {
        self.fifos.end_leaving(local, fifo);
        if self.resume[local].when_room >> fifo & 1 == 1 {
            self.wake(local, now);
        }
    }

    /// One of a node's packets has been acknowledged at `now`.
    pub fn acknowledge(&mut self, local: usize, now: u64) {
        self.software.acknowledge(local);
        self.wake(local, now);
    }

    /// The transfer of a packet into its reception FIFO begins.
    #[inline]
    pub fn begin_reception(&mut self, fabric: &Fabric, local: usize, receiver: usize, packet: Packet) {
        self.fifos.begin_reception(fabric, local, receiver, packet);
    }

    /// The transfer of a packet into its reception FIFO ends at `now`.
    #[inline]
    pub fn end_reception(
        &mut self,
        fabric: &Fabric,
        local: usize,
        receiver: usize,
        packet: Stored,
        now: u64,
    ) {
        let set = self.fifos.end_reception(fabric, local, receiver, packet);
        if self.resume[local].when_received >> set & 1 == 1 {
            self.wake(local, now);
        }
    }

    /// Runs the software of a node at `now`. The caller has to take the packets that it has read afterwards. On
    /// machines with non-minimal routes, `occupied` gives the credits in use.
    #[inline]
    pub fn run(&mut self, fabric: &Fabric, local: usize, now: u64, occupied: Option<&Occupied>) -> Effects {
        debug_assert!(self.read.is_empty(), "packets are taken after each run");
        let start = fabric.start_of(self.first + local as u32);
        if now < start {
            self.resume[local] = Resume::at(start);
            return Effects::default();
        }
        if self.collective.is_some() {
            self.apply_collective(fabric, local, now);
        }
        let mut io = NodeIo {
            fabric,
            node: self.first + local as u32,
            local,
            now: now - start,
            start,
            fifos: &mut self.fifos,
            read: &mut self.read,
            announced: &mut self.announced,
            collective: self.collective.as_deref_mut(),
            occupied,
            effects: Effects::default(),
        };
        let resume = self.software.run(&mut io);
        self.resume[local] = Resume { at: resume.at.saturating_add(start), ..resume };
        let effects = io.effects;
        if self.collective.is_some() {
            self.begin_collective(fabric, local, now);
        }
        effects
    }

    /// Takes a packet that the last run has read; which one comes first does not matter.
    #[inline]
    pub fn take_read(&mut self) -> Option<Read> {
        self.read.pop()
    }

    /// Applies the events of the collective networks by `now` at a node.
    #[cold]
    #[inline(never)]
    fn apply_collective(&mut self, fabric: &Fabric, local: usize, now: u64) {
        if let Some((collective, networks)) = self.collective.as_deref_mut().zip(fabric.collective.as_ref()) {
            collective.apply(networks, local, now);
        }
    }

    /// Begins what a node can now begin on the collective networks, and requests a run at the next event there.
    #[cold]
    #[inline(never)]
    fn begin_collective(&mut self, fabric: &Fabric, local: usize, now: u64) {
        if let Some((collective, networks)) = self.collective.as_deref_mut().zip(fabric.collective.as_ref()) {
            collective.begin(networks, local, now);
            let next = collective.next(local);
            self.wake(local, next);
        }
    }

    /// The head packets of the injection FIFOs of which one has to leave before a core reads again. None unless
    /// `packet`, the head packet of a VC, waits for that at `now`.
    pub fn packets_blocking_reception(
        &self,
        fabric: &Fabric,
        local: usize,
        receiver: usize,
        packet: Packet,
        now: u64,
    ) -> Option<Vec<Packet>> {
        let is_received = fabric.layout.hint_bits(packet) == 0 || fabric.deposits_here(packet);
        if !is_received || self.fifos.can_receive(fabric, local, receiver, packet) {
            return None;
        }
        let candidates = self.software.waits_for_room(fabric, local, self.fifos.set_of(fabric, packet))?;
        let head = |fifo: usize| self.fifos.head(local, fifo);
        let will_move = |fifo: usize| {
            self.fifos.is_leaving(local, fifo) || head(fifo).is_some_and(|head| head.requests_from >= now)
        };
        if (0..fabric.parameters.node.injection_fifos()).any(will_move) {
            return None;
        }
        Some(candidates.filter_map(|fifo| Some(head(fifo)?.stored.packet)).collect())
    }

    /// Prefetches the state that each run for a node accesses.
    pub fn prefetch(&self, local: usize) {
        memory::line(&self.resume[local]);
        self.fifos.prefetch(local);
        self.software.prefetch(local);
    }

    /// See [`NodeSoftware::prefetch_queues`].
    pub fn prefetch_queues(&self, local: usize) {
        self.software.prefetch_queues(local);
    }

    /// See [`NodeSoftware::is_small`].
    pub fn is_small(&self) -> bool {
        self.software.is_small()
    }

    /// Prefetches the packets on one or both ends of the FIFOs of a node, whose state is in the cache.
    #[inline]
    pub fn prefetch_packets(&self, local: usize, on_both_ends: bool) {
        self.fifos.prefetch_packets(local, on_both_ends);
    }

    /// Bytes of state.
    pub fn bytes(&self) -> usize {
        let collective = self.collective.as_ref().map_or(0, |collective| collective.bytes());
        self.fifos.bytes() + self.software.bytes() + size_of_val(&self.resume[..]) + collective
    }

    /// Writes the state of a node.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn save(&self, fabric: &Fabric, local: usize, frames: &mut FrameWriter<'_>) -> io::Result<()> {
        frames.write(&self.fifos.state_of(local))?;
        if let Some((collective, networks)) = self.collective.as_deref().zip(fabric.collective.as_ref()) {
            collective.save(networks, local, frames)?;
        }
        self.software.save(local, frames)
    }

    /// Restores the state that a node had at `now`; its FIFOs are empty. The room of packets on the bus to a reception
    /// FIFO is left to the caller. The room of all other packets is taken here.
    ///
    /// # Errors
    /// Errors of the input.
    pub fn restore(
        &mut self,
        fabric: &Fabric,
        local: usize,
        now: u64,
        frames: &mut FrameReader<'_>,
    ) -> io::Result<()> {
        let fifos: FifoState = frames.read()?;
        self.fifos.restore(fabric, local, &fifos);
        if let Some((collective, networks)) = self.collective.as_deref_mut().zip(fabric.collective.as_ref()) {
            collective.restore(networks, local, frames)?;
        }
        let mut restored = RestoredNode { fabric, local, fifos: &mut self.fifos };
        // A run without anything to do changes nothing, so that the software finds out itself when it has to run.
        self.resume[local] = Resume::at(now);
        self.software.restore(&mut restored, frames)
    }

    /// Number of packets that a node has received and not yet read.
    pub fn unread(&self, local: usize) -> usize {
        self.fifos.unread(local).count() + self.software.reading(local)
    }
}
