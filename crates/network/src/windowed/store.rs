//! The arrays of a subdomain: the state of its nodes other than their hot state.

use super::buffers::{Buffers, Vc};
use super::links::Links;
use super::metadata::Metadata;
use super::offered::FarOffers;
use super::options::lossy_links::LossyLinks;
use super::options::state::OptionalState;
use super::outgoing::Outgoing;
use super::pending::PendingEvent;
use super::pending::{self, Pending};
use super::sets::{BitSet, Tick, assume};
use super::specialization::Specialization;
use super::timestamped::Timestamped;
use crate::arbitration::Memory;
use crate::counters::Totals;
use crate::fabric::Fabric;
use crate::node::infinite::Progress;
use crate::node::software::Endpoints;
use crate::packet::{Packet, Stored};
use crate::source::Source;
use crate::traffic::Traffic;
use base::memory::filled;
use geometry::{Direction, MAX_DIMENSIONS};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// The layout of a node's share of the arrays, the same for all nodes.
#[derive(Clone, Debug)]
pub struct Layout<F: Specialization> {
    /// The smallest occupancy with which each input is in its second, third and last quarter of fullness.
    pub quarter_thresholds: [F::Bytes; 3],
    /// The port straight on of each input that is an escape VC, as a bit. Kept for uniform machines only.
    pub straight_on: F::Bytes,
    /// Pending events that a node can have: credits of all ports, then arrivals of all ports.
    pub pending_events: usize,
    /// Pending credit events that a port can have.
    pub credit_events: usize,
    /// Pending arrivals that a port can have.
    pub arrival_events: usize,
    /// The place at which the pending arrivals begin.
    pub first_arrival_event: usize,
    /// Ports of a node.
    pub ports: usize,
    /// Injection FIFOs of a node.
    pub fifos: usize,
    /// Number of lanes that fill infinite FIFOs: normal, and high priority where it is used.
    pub lanes: usize,
}

impl<F: Specialization> Layout<F> {
    /// The layout for a machine.
    pub fn new(fabric: &Fabric) -> Self {
        let (credit_events, arrival_events) = match F::Pending::HAS_ROWS {
            true => (fabric.vcs * pending::credit_events(fabric), pending::arrival_events(fabric)),
            false => (0, 0),
        };
        let mut layout: Self = Layout {
            quarter_thresholds: [F::Bytes::default(); 3],
            straight_on: F::Bytes::default(),
            pending_events: fabric.ports * (credit_events + arrival_events),
            credit_events,
            arrival_events,
            first_arrival_event: fabric.ports * credit_events,
            ports: fabric.ports,
            fifos: fabric.injection_fifos(),
            lanes: 1 + fabric.high_priority_vc.is_some() as usize,
        };
        for port in 0..fabric.ports {
            for vc in 0..fabric.vcs {
                let min = |quarter: u8| {
                    (0..=u8::MAX).find(|&chunks| fabric.quarter(vc, chunks) >= quarter).unwrap_or(u8::MAX)
                };
                (0..3).for_each(|quarter| {
                    layout.quarter_thresholds[quarter][port * F::VCS + vc] = min(quarter as u8 + 1);
                });
            }
        }
        if F::IS_UNIFORM {
            for port in 0..fabric.ports {
                layout.straight_on[port * F::VCS + fabric.escape_vc] = 1 << (port ^ 1);
            }
        }
        for input in F::VC_INPUTS..F::VC_INPUTS + 8 {
            (0..3).for_each(|quarter| layout.quarter_thresholds[quarter][input] = quarter as u8 + 1);
        }
        layout
    }

    /// The range of a node's pending events.
    #[inline(always)]
    pub fn pending_events_of(&self, local: usize) -> Range<usize> {
        local * self.pending_events..(local + 1) * self.pending_events
    }

    /// The range of the pending credit events of a sender.
    #[inline(always)]
    pub fn credit_events(&self, local: usize, port: usize) -> Range<usize> {
        let start = local * self.pending_events + port * self.credit_events;
        start..start + self.credit_events
    }

    /// The range of the pending arrivals at a receiver.
    #[inline(always)]
    pub fn arrival_events(&self, local: usize, port: usize) -> Range<usize> {
        let start = local * self.pending_events + self.first_arrival_event + port * self.arrival_events;
        start..start + self.arrival_events
    }
}

/// The infinite injection FIFOs of a node that share a lane: the normal or the high-priority ones.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct FifoState {
    /// The position in the lane's sequence of packets.
    pub progress: Progress,
    /// FIFOs that have a head packet, as bits.
    pub heads: u8,
    /// FIFOs whose head packet was ready at cycle 0, as bits.
    pub always_waiting: u8,
}

/// The arrays of a subdomain.
pub struct Store<F: Specialization> {
    /// The machine.
    pub fabric: Arc<Fabric>,
    /// The source of packets, if packets are generated.
    pub source: Option<Arc<dyn Source>>,
    /// Number of the subdomain's first node.
    pub first: u32,
    /// The layout of the arrays.
    pub layout: Layout<F>,
    /// Packets in the VC buffers.
    pub buffers: F::Buffers,
    /// Pending credit events and arrivals.
    pub pending_events: Vec<PendingEvent<F::Tick>>,
    /// Head packets of the infinite injection FIFOs, unless software is simulated.
    pub heads: Vec<F::Timestamped>,
    /// The cycles at which packets were offered that wait, or will wait, for long.
    pub far: FarOffers,
    /// State of the infinite FIFOs, by node: normal FIFOs, then FIFOs of high priority if these are used.
    pub fifo_state: Vec<FifoState>,
    /// FIFOs and software of the nodes, if software is simulated.
    pub endpoints: Option<Box<Endpoints>>,
    /// The time at which the software of each node runs next, relative to the node's epoch; empty on plain machines.
    pub software_at: Vec<F::Tick>,
    /// State of the nodes for their options.
    pub optional: Vec<OptionalState<F::Inputs>>,
    /// The memories of arbiters, if the rule of arbitration has memory.
    pub memories: Vec<Memory>,
    /// The ends of lossy links.
    pub lossy: Option<Box<LossyLinks<F::Metadata>>>,
    /// Counters of the links.
    pub links: Links,
    /// Sums over the subdomain.
    pub totals: Totals,
    /// Events that nodes have sent and that have not been delivered.
    pub outgoing: Outgoing<F::Metadata>,
    /// Difference between the node numbers of a neighbor and a node, by port: without and with wraparound.
    distances: [[u32; 2 * MAX_DIMENSIONS]; 2],
}

impl<F: Specialization> Store<F> {
    /// Empty arrays for nodes `first..first + count`.
    pub fn new(fabric: &Arc<Fabric>, traffic: &Traffic, far: &FarOffers, first: u32, count: u32) -> Self {
        let layout = Layout::new(fabric);
        let nodes = count as usize;
        let has_software = fabric.has_software();
        Store {
            fabric: fabric.clone(),
            first,
            buffers: F::Buffers::new(fabric, nodes, F::VCS),
            pending_events: filled(nodes * layout.pending_events, PendingEvent::default()),
            heads: filled(if has_software { 0 } else { nodes * layout.fifos }, F::Timestamped::default()),
            far: far.clone(),
            fifo_state: filled(if has_software { 0 } else { nodes * layout.lanes }, FifoState::default()),
            endpoints: has_software.then(|| {
                Box::new(Endpoints::new(fabric, first, nodes, traffic.software(fabric, first, nodes)))
            }),
            software_at: filled(if F::IS_PLAIN { 0 } else { nodes }, F::Tick::NEVER),
            source: traffic.source().cloned(),
            optional: filled(if fabric.has_options() { nodes } else { 0 }, OptionalState::default()),
            memories: filled(nodes * fabric.memories_of_node(), Memory::NEW),
            lossy: None,
            links: Links::new(fabric, nodes),
            totals: Totals::default(),
            outgoing: Outgoing::default(),
            distances: measure_links(fabric),
            layout,
        }
    }

    /// Index of the infinite FIFOs of a node that share a lane with `fifo`.
    #[inline(always)]
    pub fn fifo_state_of(&self, local: usize, fifo: usize) -> usize {
        local * self.layout.lanes + !self.fabric.is_normal_fifo(fifo) as usize
    }

    /// The number of the neighbor at a port of a node whose links at `edges` wrap around.
    #[inline(always)]
    pub fn neighbor(&self, local: usize, edges: u16, port: usize) -> u32 {
        let distance = self.distances[usize::from(edges >> port & 1)][port];
        (self.first + local as u32).wrapping_add(distance)
    }

    /// The packet at an index of the buffers.
    #[inline(always)]
    pub fn packet(&self, index: usize) -> Packet {
        self.buffers.timestamped(index).packet()
    }

    /// The indices of the packets of a VC in the buffers: the one that is leaving, then the others.
    pub fn packets_of(&self, vc: Vc, is_leaving: bool, count: u8) -> impl Iterator<Item = usize> {
        let leaving = is_leaving.then(|| self.buffers.index_of_leaving(vc));
        leaving.into_iter().chain((0..count).map(move |rank| self.buffers.index(vc, rank)))
    }

    /// The time at which the software of a node runs next.
    #[inline(always)]
    pub fn software_at(&self, local: usize) -> F::Tick {
        if F::IS_PLAIN {
            return F::Tick::NEVER;
        }
        // SAFETY: each node has one.
        unsafe { assume(local < self.software_at.len()) };
        self.software_at[local]
    }

    /// FIFOs and software of the nodes, if software is simulated.
    #[inline(always)]
    pub fn endpoints(&self) -> Option<&Endpoints> {
        if F::IS_PLAIN { None } else { self.endpoints.as_deref() }
    }

    /// FIFOs and software of the nodes, if software is simulated, mutable.
    #[inline(always)]
    pub fn endpoints_mut(&mut self) -> Option<&mut Endpoints> {
        if F::IS_PLAIN { None } else { self.endpoints.as_deref_mut() }
    }

    /// A range of the pending events; empty if the specialization has no rows of them.
    #[inline(always)]
    pub fn pending_events(&mut self, range: Range<usize>) -> &mut [PendingEvent<F::Tick>] {
        if !F::Pending::HAS_ROWS {
            return &mut [];
        }
        // SAFETY: the range comes from the layout, for a node of the subdomain.
        unsafe { assume(range.start <= range.end && range.end <= self.pending_events.len()) };
        &mut self.pending_events[range]
    }

    /// A packet of the buffers with its metadata, at `now`.
    #[inline(always)]
    pub fn stored(&self, index: usize, now: u64) -> Stored {
        let (timestamped, metadata) = (self.buffers.timestamped(index), self.buffers.metadata(index));
        Stored {
            packet: timestamped.packet(),
            offered: self.far.cycle(timestamped.offered(), now),
            tag: metadata.tag(),
            source: metadata.source(),
        }
    }

    /// Records that the packet at an index of the buffers has been received. Unless it was a copy, the time at which it
    /// was offered is not needed any more.
    #[inline(always)]
    pub fn forget_offer(&self, index: usize, now: u64) {
        let timestamped = self.buffers.timestamped(index);
        if timestamped.offered().is_far() && self.fabric.layout.hint_bits(timestamped.packet()) == 0 {
            self.far.take(timestamped.offered(), now);
        }
    }

    /// The memories of a node's arbiters.
    pub fn memories_of(&self, local: usize) -> &[Memory] {
        let each = self.fabric.memories_of_node();
        &self.memories[local * each..][..each]
    }

    /// The memories of a node's arbiters, mutable.
    pub fn memories_of_mut(&mut self, local: usize) -> &mut [Memory] {
        let each = self.fabric.memories_of_node();
        &mut self.memories[local * each..][..each]
    }

    /// Whether an infinite FIFO has a head packet.
    pub fn has_head(&self, local: usize, fifo: usize) -> bool {
        self.fifo_state[self.fifo_state_of(local, fifo)].heads.has(fifo)
    }

    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        self.buffers.bytes()
            + size_of_val(&self.pending_events[..])
            + size_of_val(&self.heads[..])
            + size_of_val(&self.fifo_state[..])
            + self.endpoints.as_ref().map_or(0, |endpoints| endpoints.bytes())
            + size_of_val(&self.software_at[..])
            + size_of_val(&self.optional[..])
            + size_of_val(&self.memories[..])
            + self.lossy.as_ref().map_or(0, |lossy| lossy.bytes(&self.fabric))
            + self.links.bytes()
    }
}

/// Difference between the node numbers of a neighbor and a node, by port: without and with wraparound.
fn measure_links(fabric: &Fabric) -> [[u32; 2 * MAX_DIMENSIONS]; 2] {
    let (mut steps, mut wraps) = ([0; 2 * MAX_DIMENSIONS], [0; 2 * MAX_DIMENSIONS]);
    let mut stride = 1u32;
    for (dimension, &length) in fabric.parameters.shape.lengths().iter().enumerate() {
        let (plus, minus) =
            (Direction::new(dimension, true).index(), Direction::new(dimension, false).index());
        let back = stride * (length - 1);
        (steps[plus], wraps[plus]) = (stride, back.wrapping_neg());
        (steps[minus], wraps[minus]) = (stride.wrapping_neg(), back);
        stride *= length;
    }
    [steps, wraps]
}
