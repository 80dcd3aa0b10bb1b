//! The FIFOs at the network's edge: injection FIFOs, from which a node's router takes packets, and reception FIFOs, to
//! which it delivers them.
//!
//! ```text
//!            reserve, write                      head, leave
//!   software ---------------> injection FIFOs ---------------> router
//!            <--------------- reception FIFOs <---------------
//!               read, free                      begin_reception, end_reception
//! ```
//!
//! Room is counted in chunks. A packet takes room when a core begins to write it, or the router to deliver it. The room
//! is free again when the packet has left the injection FIFO, or the core has read it.
//!
//! FIFOs come in sets, which the cores share. The packets in the reception FIFOs of a set are read in the order in
//! which they arrived, whichever FIFO holds them and whichever core is idle.

use super::pool::{List, Pool};
use crate::fabric::Fabric;
use crate::packet::{Packet, Stored};
use crate::parameters::{FifoSize, Parameters};
use base::memory;
use serde::{Deserialize, Serialize};

/// A packet that software has written into an injection FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The packet.
    pub stored: Stored,
    /// The cycle of the packet's first request, if it is the head packet by then.
    pub requests_from: u64,
}

/// A packet in a reception FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The packet.
    pub stored: Stored,
    /// The FIFO of the node that holds the packet.
    pub fifo: u8,
}

/// The FIFOs of some consecutively numbered nodes. A node is identified by its place among these nodes (`local`).
#[derive(Clone, Debug)]
pub struct Fifos {
    injection: Vec<InjectionFifo>,
    reception_chunks: Vec<u32>,
    /// Whether software of each node reads every packet as soon as it is complete, so that reception FIFOs never fill.
    reads_at_once: Vec<bool>,
    /// Packets in the reception FIFOs of each set.
    received: Vec<List>,
    packets_written: Pool<Written>,
    packets_received: Pool<Received>,
    sizes: Sizes,
}

#[derive(Clone, Copy, Debug)]
struct InjectionFifo {
    /// Packets in the FIFO, without the one that is leaving.
    packets: List,
    /// Chunks in the FIFO or being written to it.
    chunks: u32,
    /// Chunks of the packet that is leaving, a part of `chunks`; 0 if none is leaving.
    leaving: u8,
}

/// Numbers of a node's FIFOs, and their capacities in chunks.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    injection_fifos: usize,
    reception_fifos: usize,
    sets: usize,
    reception_chunks: u32,
    injection_chunks: u32,
    bounded_injection_chunks: u32,
    /// Full-size packets that fill an injection FIFO.
    injection_packets: usize,
}

impl Sizes {
    fn of(fabric: &Fabric) -> Self {
        let node = &fabric.parameters.node;
        let bounded_injection_chunks = match node.injection_fifo {
            FifoSize::Infinite => packets_ahead(fabric) * u32::from(fabric.full_packet),
            size @ FifoSize::Bytes(_) => capacity(fabric, size),
        };
        Sizes {
            injection_fifos: node.injection_fifos(),
            reception_fifos: RECEPTION_GROUPS * (fabric.ports + 1),
            sets: node.fifo_sets(),
            reception_chunks: capacity(fabric, node.reception_fifo),
            injection_chunks: capacity(fabric, node.injection_fifo),
            bounded_injection_chunks,
            injection_packets: (bounded_injection_chunks / u32::from(fabric.full_packet)) as usize,
        }
    }
}

/// The room of a node's reception FIFOs, to estimate the memory of the packets that wait in them.
#[derive(Clone, Copy, Debug)]
pub struct ReceptionRoom {
    /// Number of FIFOs for packets of normal priority that come over links: one for each link.
    fifos: usize,
    /// Number of full-size packets that fill one of these FIFOs.
    packets_of_each: usize,
}

impl ReceptionRoom {
    /// The room of each node's reception FIFOs on a machine.
    pub fn of(parameters: &Parameters) -> Self {
        let full_bytes = u32::from(parameters.packet.max_chunks) * parameters.packet.chunk_bytes;
        let packets_of_each = match parameters.node.reception_fifo {
            FifoSize::Infinite => usize::MAX,
            FifoSize::Bytes(bytes) => (bytes / full_bytes) as usize,
        };
        ReceptionRoom { fifos: 2 * parameters.shape.dimensions(), packets_of_each }
    }

    /// The most packets that wait in the FIFOs when `messages` messages of `packets` packets each arrive at a time.
    pub fn packets(&self, messages: usize, packets: usize) -> usize {
        messages.min(self.fifos) * packets.min(self.packets_of_each)
    }

    /// Bytes of `packets` packets that wait in the FIFOs.
    pub fn bytes_of(packets: usize) -> usize {
        Pool::<Received>::default().bytes_for(packets)
    }
}

/// Number of groups of reception FIFOs that a packet can name.
const RECEPTION_GROUPS: usize = 2;

/// Number of full packets by which software that fills infinite FIFOs from a source stays ahead of the network, in addition
/// to those that links carry in the time of an injection.
const AHEAD_OF_NETWORK: u32 = 4;

/// The number of full packets by which software stays ahead of the network.
fn packets_ahead(fabric: &Fabric) -> u32 {
    let wire = (0..fabric.ports).map(|port| fabric.transfer_cycles(port, fabric.full_packet).wire).min();
    let latency = fabric.parameters.node.injection_latency_cycles;
    let in_pipeline = wire.and_then(|wire| latency.checked_div(wire)).unwrap_or(0);
    AHEAD_OF_NETWORK + in_pipeline.min(MAX_IN_PIPELINE)
}

/// The most packets of the pipeline of an injection: no FIFO needs more memory than these take.
const MAX_IN_PIPELINE: u32 = 1000;

/// Capacity of a FIFO in chunks.
fn capacity(fabric: &Fabric, size: FifoSize) -> u32 {
    match size {
        FifoSize::Infinite => u32::MAX,
        FifoSize::Bytes(bytes) => bytes / fabric.parameters.packet.chunk_bytes,
    }
}

impl Fifos {
    /// The empty FIFOs of `nodes` nodes.
    pub fn new(fabric: &Fabric, nodes: usize) -> Self {
        let sizes = Sizes::of(fabric);
        Fifos {
            injection: vec![
                InjectionFifo { packets: List::EMPTY, chunks: 0, leaving: 0 };
                nodes * sizes.injection_fifos
            ],
            reception_chunks: vec![0; nodes * sizes.reception_fifos],
            reads_at_once: vec![false; nodes],
            received: vec![List::EMPTY; nodes * sizes.sets],
            packets_written: Pool::default(),
            packets_received: Pool::default(),
            sizes,
        }
    }

    /// Declares that a node reads every packet as soon as it is complete in its reception FIFO.
    pub(crate) fn read_at_once(&mut self, local: usize) {
        self.reads_at_once[local] = true;
    }

    /// Declares that the injection FIFOs of a node count as full, whatever is in them. The node never runs short of
    /// packets.
    pub(crate) fn keep_full(&mut self, local: usize) {
        let Sizes { injection_fifos, bounded_injection_chunks, .. } = self.sizes;
        let fifos = &mut self.injection[local * injection_fifos..(local + 1) * injection_fifos];
        fifos.iter_mut().for_each(|fifo| fifo.chunks += bounded_injection_chunks);
    }

    /// Number of injection FIFOs of a node.
    pub fn injection_fifos(&self) -> usize {
        self.sizes.injection_fifos
    }

    fn injection(&self, local: usize, fifo: usize) -> &InjectionFifo {
        &self.injection[local * self.sizes.injection_fifos + fifo]
    }

    fn injection_mut(&mut self, local: usize, fifo: usize) -> &mut InjectionFifo {
        &mut self.injection[local * self.sizes.injection_fifos + fifo]
    }

    /// The head packet of an injection FIFO, unless it is leaving.
    #[inline]
    pub fn head(&self, local: usize, fifo: usize) -> Option<&Written> {
        self.packets_written.first(self.injection(local, fifo).packets)
    }

    /// Gives the head packet of an injection FIFO another route.
    pub(crate) fn reroute(&mut self, local: usize, fifo: usize, packet: Packet) {
        let packets = self.injection(local, fifo).packets;
        self.packets_written.first_mut(packets).expect("there is a head packet").stored.packet = packet;
    }

    /// Whether no packet is in an injection FIFO, nor leaving it.
    pub fn is_empty(&self, local: usize, fifo: usize) -> bool {
        let InjectionFifo { packets, leaving, .. } = self.injection(local, fifo);
        packets.is_empty() && *leaving == 0
    }

    /// Whether a packet is leaving an injection FIFO.
    #[inline]
    pub fn is_leaving(&self, local: usize, fifo: usize) -> bool {
        self.injection(local, fifo).leaving != 0
    }

    /// The fullness of an injection FIFO in quarters: 0 to 3.
    #[inline]
    pub fn quarter(&self, local: usize, fifo: usize) -> u8 {
        let (quarters, whole) = (4 * self.injection(local, fifo).chunks, self.sizes.bounded_injection_chunks);
        (1..=3).map(|quarter| u8::from(quarters >= quarter * whole)).sum()
    }

    /// Chunks in an injection FIFO or being written to it.
    #[inline]
    pub fn chunks(&self, local: usize, fifo: usize) -> u32 {
        self.injection(local, fifo).chunks
    }

    /// Whether a packet fits into an injection FIFO. Software may fill an infinite FIFO from a source whose packets
    /// have no end (`is_finite` is false). It then stays a few packets ahead of the network.
    #[inline]
    pub fn has_room(&self, local: usize, fifo: usize, chunks: u8, is_finite: bool) -> bool {
        let Sizes { injection_chunks, bounded_injection_chunks, .. } = self.sizes;
        let space = if is_finite { injection_chunks } else { bounded_injection_chunks };
        self.chunks(local, fifo).saturating_add(chunks.into()) <= space
    }

    /// A core begins to write a packet to an injection FIFO.
    #[inline]
    pub fn reserve(&mut self, local: usize, fifo: usize, chunks: u8) {
        self.injection_mut(local, fifo).chunks += u32::from(chunks);
    }

    /// A core has written a packet, for which it had reserved room. Returns whether it is now the head packet.
    #[inline]
    pub fn write(&mut self, local: usize, fifo: usize, packet: Written) -> bool {
        let injection = &mut self.injection[local * self.sizes.injection_fifos + fifo];
        let is_head = injection.packets.is_empty() && injection.leaving == 0;
        self.packets_written.push(&mut injection.packets, packet);
        is_head
    }

    /// The head packet of an injection FIFO begins to leave; its room is not free yet.
    #[inline]
    pub fn begin_leaving(&mut self, fabric: &Fabric, local: usize, fifo: usize) -> Stored {
        let injection = &mut self.injection[local * self.sizes.injection_fifos + fifo];
        let head = self.packets_written.pop(&mut injection.packets);
        let stored = head.expect("a granted FIFO has a head").stored;
        injection.leaving = fabric.layout.chunks(stored.packet);
        stored
    }

    /// The packet that is leaving an injection FIFO has left it, tail included.
    #[inline]
    pub fn end_leaving(&mut self, local: usize, fifo: usize) {
        let injection = self.injection_mut(local, fifo);
        injection.chunks -= u32::from(std::mem::take(&mut injection.leaving));
    }

    /// Whether a packet fits into its reception FIFO. It always does if the node reads at once.
    #[inline]
    pub fn can_receive(&self, fabric: &Fabric, local: usize, receiver: usize, packet: Packet) -> bool {
        let fifo = local * self.sizes.reception_fifos + reception_fifo(fabric, receiver, packet);
        let chunks = u32::from(fabric.layout.chunks(packet));
        self.reception_chunks[fifo].saturating_add(chunks) <= self.sizes.reception_chunks
            || self.reads_at_once[local]
    }

    /// The transfer of a packet into its reception FIFO begins.
    #[inline]
    pub fn begin_reception(&mut self, fabric: &Fabric, local: usize, receiver: usize, packet: Packet) {
        let fifo = local * self.sizes.reception_fifos + reception_fifo(fabric, receiver, packet);
        self.reception_chunks[fifo] += u32::from(fabric.layout.chunks(packet));
    }

    /// The transfer of a packet into its reception FIFO ends. Returns the set of the FIFO.
    #[inline]
    pub fn end_reception(&mut self, fabric: &Fabric, local: usize, receiver: usize, stored: Stored) -> usize {
        let fifo = reception_fifo(fabric, receiver, stored.packet) as u8;
        let set = self.set_of(fabric, stored.packet);
        let received = &mut self.received[local * self.sizes.sets + set];
        self.packets_received.push(received, Received { stored, fifo });
        set
    }

    /// The set of reception FIFOs that receives a packet.
    pub fn set_of(&self, fabric: &Fabric, packet: Packet) -> usize {
        fabric.layout.reception_group(packet) % self.sizes.sets
    }

    /// Chunks of the packets that wait to be read in a set of reception FIFOs.
    pub fn received_chunks(&self, fabric: &Fabric, local: usize, set: usize) -> u32 {
        let packets = self.packets_received.elements(self.received[local * self.sizes.sets + set]);
        packets.map(|received| u32::from(fabric.layout.chunks(received.stored.packet))).sum()
    }

    /// Takes the packet that has waited longest in the reception FIFOs of a set. Its room is not free yet.
    #[inline]
    pub fn read(&mut self, local: usize, set: usize) -> Option<Received> {
        self.packets_received.pop(&mut self.received[local * self.sizes.sets + set])
    }

    /// Frees the room of a packet that has been read.
    #[inline]
    pub fn free(&mut self, local: usize, fifo: u8, chunks: u8) {
        self.reception_chunks[local * self.sizes.reception_fifos + usize::from(fifo)] -= u32::from(chunks);
    }

    /// Prefetches the FIFOs of a node, without their packets.
    pub fn prefetch(&self, local: usize) {
        let Sizes { injection_fifos, reception_fifos, sets, .. } = self.sizes;
        memory::few_lines(&self.injection[local * injection_fifos..(local + 1) * injection_fifos]);
        memory::few_lines(&self.reception_chunks[local * reception_fifos..(local + 1) * reception_fifos]);
        memory::line(&self.received[local * sets]);
    }

    /// Prefetches the packets that are the next to leave the FIFOs of a node. If `on_both_ends`, it also prefetches the
    /// last packets, behind which others are appended.
    #[inline]
    pub fn prefetch_packets(&self, local: usize, on_both_ends: bool) {
        let Sizes { injection_fifos, sets, .. } = self.sizes;
        for fifo in &self.injection[local * injection_fifos..(local + 1) * injection_fifos] {
            self.packets_written.prefetch(fifo.packets, on_both_ends);
        }
        for &packets in &self.received[local * sets..(local + 1) * sets] {
            self.packets_received.prefetch(packets, on_both_ends);
        }
    }

    /// Bytes of state, with injection FIFOs full of full-size packets.
    pub fn bytes(&self) -> usize {
        let full = self.injection.len() * self.sizes.injection_packets;
        size_of_val(&self.injection[..])
            + size_of_val(&self.reception_chunks[..])
            + size_of_val(&self.reads_at_once[..])
            + size_of_val(&self.received[..])
            + self.packets_written.bytes_for(full)
            + self.packets_received.bytes_for(0)
    }

    /// The FIFOs of one node, for a checkpoint.
    pub(crate) fn state_of(&self, local: usize) -> FifoState {
        let Sizes { injection_fifos, sets, .. } = self.sizes;
        let injection = &self.injection[local * injection_fifos..(local + 1) * injection_fifos];
        let received = &self.received[local * sets..(local + 1) * sets];
        FifoState {
            injection: injection
                .iter()
                .map(|fifo| self.packets_written.elements(fifo.packets).copied().collect())
                .collect(),
            leaving: injection.iter().map(|fifo| fifo.leaving).collect(),
            received: received
                .iter()
                .map(|list| self.packets_received.elements(*list).copied().collect())
                .collect(),
        }
    }

    /// Restores the FIFOs of one node, which are empty. The caller takes the room of packets that are being written,
    /// read or delivered.
    pub fn restore(&mut self, fabric: &Fabric, local: usize, state: &FifoState) {
        let chunks = |stored: &Stored| fabric.layout.chunks(stored.packet);
        for (fifo, packets) in state.injection.iter().enumerate() {
            for packet in packets {
                self.reserve(local, fifo, chunks(&packet.stored));
                self.write(local, fifo, *packet);
            }
        }
        for (fifo, &leaving) in state.leaving.iter().enumerate() {
            self.reserve(local, fifo, leaving);
            self.injection_mut(local, fifo).leaving = leaving;
        }
        for (set, packets) in state.received.iter().enumerate() {
            for packet in packets {
                self.hold(local, packet.fifo, chunks(&packet.stored));
                self.packets_received.push(&mut self.received[local * self.sizes.sets + set], *packet);
            }
        }
    }

    /// Takes the room that a packet occupies in a reception FIFO.
    pub fn hold(&mut self, local: usize, fifo: u8, chunks: u8) {
        let fifo = local * self.sizes.reception_fifos + usize::from(fifo);
        self.reception_chunks[fifo] = self.reception_chunks[fifo].saturating_add(chunks.into());
    }

    /// Packets received by a node and not yet taken from its FIFOs.
    pub fn unread(&self, local: usize) -> impl Iterator<Item = &Received> {
        let sets = &self.received[local * self.sizes.sets..(local + 1) * self.sizes.sets];
        sets.iter().flat_map(|list| self.packets_received.elements(*list))
    }

    /// Packets in an injection FIFO of a node.
    pub fn written(&self, local: usize, fifo: usize) -> impl Iterator<Item = &Written> {
        self.packets_written.elements(self.injection(local, fifo).packets)
    }
}

/// The FIFOs of one node in a checkpoint. Room follows from the packets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FifoState {
    /// Packets of each injection FIFO, without the one that is leaving.
    injection: Vec<Vec<Written>>,
    /// Chunks of the packet that is leaving each injection FIFO; 0 if none is leaving.
    leaving: Vec<u8>,
    /// Packets of each set of reception FIFOs, in order of arrival.
    received: Vec<Vec<Received>>,
}

/// The number of the reception FIFO of a node that takes a packet: by group, then receiver, high priority last.
fn reception_fifo(fabric: &Fabric, receiver: usize, packet: Packet) -> usize {
    let group = fabric.layout.reception_group(packet) * (fabric.ports + 1);
    group + if fabric.layout.is_high_priority(packet) { fabric.ports } else { receiver }
}
