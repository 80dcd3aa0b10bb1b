//! The arrays of a subdomain. They hold the state of its nodes, except the hot state in [`Node`](super::node::Node).

use super::buffers::{Buffers, Vc};
use super::links::Links;
use super::metadata::Metadata;
use super::neighbors::Neighbors;
use super::offered::FarOffers;
use super::options::lossy_links::LossyLinks;
use super::options::state::OptionalState;
use super::outgoing::Outgoing;
use super::pending::PendingEvent;
use super::pending::{self, Pending};
use super::sets::{BitSet, Tick, assume};
use super::specialization::Specialization;
use super::timestamped::Timestamped;
use base::memory::filled;
use network::arbitration::Memory;
use network::counters::Totals;
use network::fabric::Fabric;
use network::node::infinite::Progress;
use network::node::software::Endpoints;
use network::packet::{Packet, Stored};
use network::source::Source;
use network::traffic::Traffic;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// The layout of a node's share of the arrays. It is the same for all nodes.
#[derive(Clone, Debug)]
pub struct Layout<F: Specialization> {
    /// The smallest occupancy at which the buffer of each input is in the second, third and last quarter of fullness.
    pub quarter_thresholds: [F::Bytes; 3],
    /// For each input that is an escape VC, the port opposite to its own, as a bit: packets that go straight on leave
    /// through it. 0 for all inputs if the machine is not uniform.
    pub straight_on: F::Bytes,
    /// Maximum number of pending events of a node. Those for credits come first, for all ports, then the arrivals.
    pub pending_events: usize,
    /// Maximum number of pending credit events of a port.
    pub credit_events: usize,
    /// Maximum number of pending arrivals at a port.
    pub arrival_events: usize,
    /// The position of the first arrival among a node's pending events.
    pub first_arrival_event: usize,
    /// Number of ports of a node.
    pub ports: usize,
    /// Number of injection FIFOs of a node.
    pub fifos: usize,
    /// Number of lanes that fill the infinite FIFOs of a node: one for normal packets, and one for packets of high
    /// priority if these are used.
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

    /// The range of a node's pending events. `local` is the number of the node in the subdomain.
    #[inline(always)]
    pub fn pending_events_of(&self, local: usize) -> Range<usize> {
        local * self.pending_events..(local + 1) * self.pending_events
    }

    /// The range of the pending credit events of the sender at `port`.
    #[inline(always)]
    pub fn credit_events(&self, local: usize, port: usize) -> Range<usize> {
        let start = local * self.pending_events + port * self.credit_events;
        start..start + self.credit_events
    }

    /// The range of the pending arrivals at the receiver at `port`.
    #[inline(always)]
    pub fn arrival_events(&self, local: usize, port: usize) -> Range<usize> {
        let start = local * self.pending_events + self.first_arrival_event + port * self.arrival_events;
        start..start + self.arrival_events
    }
}

/// The state of the infinite injection FIFOs of a node that share a lane: the normal or the high-priority ones.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct FifoState {
    /// The position in the lane's sequence of packets.
    pub progress: Progress,
    /// The FIFOs that have a head packet, as bits.
    pub heads: u8,
    /// The FIFOs whose head packet was ready at cycle 0, as bits.
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
    /// The packets in the VC buffers.
    pub buffers: F::Buffers,
    /// The pending credit events and arrivals, by node.
    pub pending_events: Vec<PendingEvent<F::Tick>>,
    /// The head packets of the infinite injection FIFOs. Empty if software is simulated.
    pub heads: Vec<F::Timestamped>,
    /// The cycles at which packets were offered, for packets that wait, or will wait, for long: a timestamp cannot hold
    /// such a cycle.
    pub far: FarOffers,
    /// The state of the infinite FIFOs, by node: first that of the normal FIFOs, then that of the high-priority FIFOs
    /// if these are used. Empty if software is simulated.
    pub fifo_state: Vec<FifoState>,
    /// The FIFOs and the software of the nodes, if software is simulated.
    pub endpoints: Option<Box<Endpoints>>,
    /// The time at which the software of each node runs next, relative to the node's epoch. Empty on plain machines.
    pub software_at: Vec<F::Tick>,
    /// The state that the nodes need for the machine's options. Empty if it has none.
    pub optional: Vec<OptionalState<F::Inputs>>,
    /// The memories of the arbiters, if the arbitration rule has memory.
    pub memories: Vec<Memory>,
    /// The ends of lossy links, if links are lossy.
    pub lossy: Option<Box<LossyLinks<F::Metadata>>>,
    /// The counters of the links.
    pub links: Links,
    /// The packets of each link by VC, by node, port and VC, if these are counted.
    pub link_vcs: Vec<u32>,
    /// The sums over the subdomain.
    pub totals: Totals,
    /// The events that nodes have sent and that have not been delivered.
    pub outgoing: Outgoing<F::Metadata>,
    /// Where links lead.
    pub neighbors: Neighbors,
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
            link_vcs: filled(
                if fabric.parameters.counts_unblocking { nodes * fabric.ports * F::VCS } else { 0 },
                0,
            ),
            totals: Totals::default(),
            outgoing: Outgoing::default(),
            neighbors: Neighbors::new(fabric, first..first + count),
            layout,
        }
    }

    /// The index in `fifo_state` of the lane that `fifo` takes its packets from.
    #[inline(always)]
    pub fn fifo_state_of(&self, local: usize, fifo: usize) -> usize {
        local * self.layout.lanes + !self.fabric.is_normal_fifo(fifo) as usize
    }

    /// The packet at `index` of the buffers.
    #[inline(always)]
    pub fn packet(&self, index: usize) -> Packet {
        self.buffers.timestamped(index).packet()
    }

    /// The indices of a VC's packets in the buffers: first that of the packet that is leaving, if one is, then those of
    /// the `count` others.
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
        // SAFETY: the array has an element for each node.
        unsafe { assume(local < self.software_at.len()) };
        self.software_at[local]
    }

    /// The FIFOs and the software of the nodes, if software is simulated.
    #[inline(always)]
    pub fn endpoints(&self) -> Option<&Endpoints> {
        if F::IS_PLAIN { None } else { self.endpoints.as_deref() }
    }

    /// The FIFOs and the software of the nodes, if software is simulated, mutable.
    #[inline(always)]
    pub fn endpoints_mut(&mut self) -> Option<&mut Endpoints> {
        if F::IS_PLAIN { None } else { self.endpoints.as_deref_mut() }
    }

    /// The pending events in `range`. Empty if the specialization keeps pending events in its nodes.
    #[inline(always)]
    pub fn pending_events(&mut self, range: Range<usize>) -> &mut [PendingEvent<F::Tick>] {
        if !F::Pending::HAS_ROWS {
            return &mut [];
        }
        // SAFETY: the range comes from the layout, for a node of the subdomain.
        unsafe { assume(range.start <= range.end && range.end <= self.pending_events.len()) };
        &mut self.pending_events[range]
    }

    /// The packet at `index` of the buffers, with its metadata. `now` is the current cycle.
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

    /// Records that the packet at `index` of the buffers has been received. Unless it was a copy, the time at which it
    /// was offered is no longer needed, and is freed.
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

    /// The size of the arrays in bytes.
    pub fn bytes(&self) -> usize {
        self.buffers.bytes()
            + size_of_val(&self.pending_events[..])
            + size_of_val(&self.heads[..])
            + size_of_val(&self.fifo_state[..])
            + self.endpoints.as_ref().map_or(0, |endpoints| endpoints.bytes())
            + size_of_val(&self.software_at[..])
            + size_of_val(&self.optional[..])
            + size_of_val(&self.memories[..])
            + self.neighbors.bytes()
            + self.lossy.as_ref().map_or(0, |lossy| lossy.bytes(&self.fabric))
            + self.links.bytes()
            + size_of_val(&self.link_vcs[..])
    }
}
