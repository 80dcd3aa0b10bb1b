//! Finite workloads: each node sends a message to each of its peers.
//!
//! ```text
//!   packets_per_visit = 1, three peers, two packets per pair:   a b c a b c
//!   packets_per_visit = 2 or "all":                             a a b b c c
//! ```

use crate::bound::Demand;
use crate::context::Context;
use crate::error::{WorkloadError, require};
use crate::flows::{Flows, OfPeers, Routes};
use crate::message_size::MessageSize;
use crate::options::{FiniteOptions, Order, PacketsPerVisit, Priority};
use crate::plan::{Plan, PlannedTraffic};
use crate::targets::Peers;
use crate::traffic::sender::{PacketDraws, Reachability, Sender};
use base::draws::{NodeKey, Purpose};
use base::permutation::{Permutation, ShortPermutation};
use geometry::{MAX_DIMENSIONS, Preference};
use network::parameters::PacketFormat;
use network::{Lane, Offer, Source};
use std::sync::Arc;

/// The message of a node to a peer: full packets, except that the last may be smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// The parameter that sets its size.
    key: &'static str,
    packets: u64,
    full_chunks: u8,
    last_chunks: u8,
}

impl Message {
    /// A message of `payload_bytes` bytes, in packets that each have a header.
    pub(crate) fn with_payload(payload_bytes: u64, format: &PacketFormat) -> Result<Self, WorkloadError> {
        let key = "payload_bytes";
        require(payload_bytes > 0, key, || "a message needs at least 1 byte".into())?;
        let full_bytes = u64::from(format.max_chunks) * u64::from(format.chunk_bytes);
        let header_bytes = u64::from(format.header_bytes);
        require(full_bytes > header_bytes, key, || {
            format!("a full packet of {full_bytes} bytes has no room behind its {header_bytes} B header")
        })?;
        let packets = payload_bytes.div_ceil(full_bytes - header_bytes);
        let last_bytes = payload_bytes - (packets - 1) * (full_bytes - header_bytes) + header_bytes;
        let last_chunks = last_bytes.div_ceil(u64::from(format.chunk_bytes)) as u8;
        Ok(Message { key, packets, full_chunks: format.max_chunks, last_chunks })
    }

    /// A message of `packets` full packets.
    pub(crate) fn of_full_packets(
        packets: u64,
        key: &'static str,
        format: &PacketFormat,
    ) -> Result<Self, WorkloadError> {
        require(packets > 0, key, || "a message needs at least 1 packet".into())?;
        Ok(Message { key, packets, full_chunks: format.max_chunks, last_chunks: format.max_chunks })
    }

    /// Number of its packets.
    pub(crate) fn packets(&self) -> u64 {
        self.packets
    }

    /// Size in chunks of packet number `packet`.
    pub(crate) fn chunks(&self, packet: u64) -> u8 {
        if packet + 1 == self.packets { self.last_chunks } else { self.full_chunks }
    }

    /// Size in chunks of its smallest packet.
    pub(crate) fn smallest_chunks(&self) -> u8 {
        if self.packets == 1 { self.last_chunks } else { self.last_chunks.min(self.full_chunks) }
    }

    /// Bytes of its packets in FIFOs.
    pub(crate) fn bytes(&self, format: &PacketFormat) -> u64 {
        let full = (self.packets - 1).saturating_mul(self.full_chunks.into());
        full.saturating_add(self.last_chunks.into()).saturating_mul(format.chunk_bytes.into())
    }

    /// The message as packets.
    pub(crate) fn size(&self, format: &PacketFormat) -> MessageSize {
        let wire = |chunks: u8| u64::from(format.wire_bytes(chunks));
        let wire_bytes = (self.packets - 1).saturating_mul(wire(self.full_chunks)) + wire(self.last_chunks);
        MessageSize { packets: self.packets, fifo_bytes: self.bytes(format), wire_bytes }
    }

    /// Mean link time of its packets, in bytes.
    pub(crate) fn mean_wire_bytes(&self, format: &PacketFormat) -> f64 {
        let full = f64::from(format.wire_bytes(self.full_chunks));
        let last = f64::from(format.wire_bytes(self.last_chunks));
        full + (last - full) / self.packets as f64
    }
}

/// The generator of a finite workload.
struct FiniteTraffic<P> {
    peers: P,
    message: Message,
    order: Order,
    packets_per_visit: u64,
    priority: Priority,
    sender: Sender,
    /// The order of targets, by node, if it is random and the targets are few, on a machine without faults.
    orders: Vec<ShortPermutation>,
}

/// The position of one packet in a node's sequence.
struct Visit {
    /// Index of the target in the order.
    number: u64,
    /// Number of the packet in its message.
    packet: u64,
}

impl<P: Peers> FiniteTraffic<P> {
    /// The visit of packet `sequence` of a node. All rounds over the targets are equal, except that the last sends the
    /// rest of each message.
    fn visit(&self, sequence: u64, peers: u64) -> Option<Visit> {
        let packets = self.message.packets;
        if sequence >= peers * packets {
            return None;
        }
        let full_rounds = packets / self.packets_per_visit;
        let round = (sequence / (peers * self.packets_per_visit)).min(full_rounds);
        let sent = round * self.packets_per_visit;
        let per_visit = self.packets_per_visit.min(packets - sent);
        let rest = sequence - sent * peers;
        Some(Visit { number: rest / per_visit, packet: sent + rest % per_visit })
    }

    /// The slots of a node that get no packets, ascending; for a dead node, all slots.
    fn dead_slots(&self, node: u32) -> Vec<u64> {
        let faults = self.sender.faults();
        if faults.is_dead(node) {
            return (0..self.peers.count(node)).collect();
        }
        let mut slots = self.peers.possibly_unreachable(node, faults);
        slots.retain(|&slot| self.reachability(node, slot) == Reachability::DeadEnd);
        slots
    }

    fn reachability(&self, node: u32, slot: u64) -> Reachability {
        self.sender.reachability(node, self.peers.peer(node, slot), self.priority == Priority::High)
    }

    /// Number of pairs that send a message, on a machine with faults.
    fn live_pairs(&self, nodes: u32) -> u64 {
        (0..nodes).map(|node| self.peers.count(node) - self.dead_slots(node).len() as u64).sum()
    }

    fn slot(&self, node: u32, key: NodeKey, number: u64, peers: u64) -> u64 {
        match self.order {
            Order::Identity => number,
            Order::Rotating => (self.peers.rotation(node) + number) % peers,
            Order::Common => {
                let distance = random_order(peers, self.sender.seed.of_node(0)).at(number);
                (self.peers.rotation(node) + distance) % peers
            }
            Order::Random => match self.orders.get(node as usize) {
                Some(order) => order.at(number),
                None => random_order(peers, key).at(number),
            },
        }
    }

    /// The orders of all nodes, if they are short and random.
    fn short_orders(&self, nodes: u32) -> Vec<ShortPermutation> {
        let are_short = self.sender.faults().is_empty()
            && self.order == Order::Random
            && (0..nodes).all(|node| (1..=ShortPermutation::MAX).contains(&self.peers.count(node)));
        let of_node = |node: u32| random_order(self.peers.count(node), self.sender.seed.of_node(node));
        let orders = (0..nodes).filter(|_| are_short);
        orders.map(|node| ShortPermutation::of(&of_node(node))).collect()
    }
}

impl<P: Peers> Source for FiniteTraffic<P> {
    fn offer(&self, lane: Lane, index: u64, previous_ready: u64) -> Option<Offer> {
        if !self.priority.is_carried_by(lane.kind) {
            return None;
        }
        let draws = PacketDraws::new(self.sender.seed, lane, index);
        let has_faults = !self.sender.faults().is_empty();
        let dead = if has_faults { self.dead_slots(lane.node) } else { Vec::new() };
        let peers = self.peers.count(lane.node) - dead.len() as u64;
        let visit = self.visit(draws.sequence, peers)?;
        let slot = skip_slots(&dead, self.slot(lane.node, draws.key, visit.number, peers));
        let route = self.peers.peer(lane.node, slot);
        let high_priority = self.priority == Priority::High;
        let chunks = self.message.chunks(visit.packet);
        Some(self.sender.offer(lane.node, &route, &draws, high_priority, chunks, previous_ready))
    }

    fn smallest_chunks(&self) -> u8 {
        self.message.smallest_chunks()
    }

    fn uses_high_priority(&self) -> bool {
        self.priority == Priority::High
    }
}

/// The order in which a node visits `peers` peers.
fn random_order(peers: u64, key: NodeKey) -> Permutation {
    Permutation::new(peers, key.draw64(Purpose::Order, 0, 0))
}

/// Slot number `number` among those that are not in `left_out`, which is ascending.
fn skip_slots(left_out: &[u64], number: u64) -> u64 {
    left_out.iter().fold(number, |slot, &dead| slot + u64::from(dead <= slot))
}

/// Packets to a target before the next target's turn; a number beyond the message's packets means all.
fn packets_per_visit(stated: PacketsPerVisit, message: &Message) -> Result<u64, WorkloadError> {
    match stated {
        PacketsPerVisit::Number(0) => {
            Err(WorkloadError::new("packets_per_visit", "must be at least 1, or \"all\""))
        }
        PacketsPerVisit::Number(packets) => Ok(packets.min(message.packets)),
        PacketsPerVisit::Word(_) => Ok(message.packets),
    }
}

/// The plan in which every flow of `demand` is a pair that sends `message`.
pub(crate) fn plan(
    context: &Context,
    options: FiniteOptions,
    preferences: [Preference; MAX_DIMENSIONS],
    peers: impl Peers + 'static,
    message: Message,
    demand: Demand,
) -> Result<Plan, WorkloadError> {
    require(demand.flows > 0, "shape", || format!("in {} no node has a peer to send to", context.shape()))?;
    options.routing.require_minimal()?;
    let mean_wire_bytes = message.mean_wire_bytes(&context.parameters.packet);
    let peers = Arc::new(peers);
    let shape = context.shape().clone();
    let routes = Routes { shape, preferences, bytes: message.bytes(&context.parameters.packet) };
    let senders = OfPeers { peers: peers.clone(), routes };
    let flows = Flows::of_nodes(context.shape(), options.routing, peers.are_alike(), senders);
    let mut finite = FiniteTraffic {
        peers,
        message,
        order: options.order,
        packets_per_visit: packets_per_visit(options.packets_per_visit, &message)?,
        priority: options.priority,
        sender: Sender::new(context, options.routing, preferences),
        orders: Vec::new(),
    };
    finite.orders = finite.short_orders(context.shape().nodes());
    let is_whole = context.parameters.faults.is_empty();
    let pairs = if is_whole { demand.flows } else { finite.live_pairs(context.shape().nodes()) };
    require(pairs > 0, "dead_nodes", || "no live node has a live target".into())?;
    let total_packets = pairs.checked_mul(message.packets).ok_or_else(|| {
        WorkloadError::new(message.key, format!("{} packets a pair are too many to count", message.packets))
    })?;
    Ok(Plan {
        bound: is_whole.then(|| demand.bound(Some(message.packets), mean_wire_bytes, context.parameters)),
        total_packets: Some(total_packets),
        mean_hops: is_whole.then_some(demand.mean_hops),
        flows: Some(flows),
        ..Plan::of(PlannedTraffic::Generated(Arc::new(finite)))
    })
}
