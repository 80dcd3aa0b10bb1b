//! Tables computed once from the parameters, for both engines.
//!
//! # To add a kind of virtual channel
//!
//! VCs are numbered here: adaptive, escape (of last segments, then of first ones), high priority.
//!
//! 1. A number for the new kind, its choices in `Fabric::choices`, its charge and its rule for entering.
//!    `MAX_VCS` grows if there are more than 20.
//! 2. Its requests in the arbitration of the reference engine, `reference/src/arbitration.rs`.
//! 3. The same in the windowed engine, `windowed/src/arbitration/`.
//! 4. Tests that engines agree (`windowed/tests/engines.rs`), that credits are conserved
//!    (`windowed/tests/invariants.rs`), and that it does or does not deadlock.
//! 5. A paragraph in `docs/models/network.md`.

use crate::CyclesPerByte;
use crate::arbitration::ArbitrationRule;
use crate::collective::Networks;
use crate::link::{ACK_BYTES, BitErrors, LinkProtocol};
use crate::node::sets::FifoSets;
use crate::packet::{Packet, PacketLayout, Tag};
use crate::parameters::{EscapeOrder, FifoSize, LinkParameters, MAX_CHUNKS, Parameters};
use crate::source::ForwardAction;
use base::draws::{SeedKey, Share};
use geometry::{Direction, MAX_DIMENSIONS};
use std::ops::Range;
use std::sync::Arc;

/// The hint bits of all plus directions.
const PLUS_DIRECTIONS: u32 = 0x5555_5555;

/// The group number of nodes that belong to no group.
pub const NO_GROUP: u16 = u16::MAX;

/// Cycles by size in chunks.
type CyclesBySize = [u32; MAX_CHUNKS as usize + 1];

/// Everything an engine looks up about the machine while it runs.
#[derive(Clone, Debug)]
pub struct Fabric {
    /// The parameters of the machine.
    pub parameters: Parameters,
    /// The layout of packet records.
    pub layout: PacketLayout,
    /// Directions of a node: the number of its senders, and of its receivers.
    pub ports: usize,
    /// Number of adaptive VCs; they are VCs `0..adaptive_vcs`.
    pub adaptive_vcs: usize,
    /// The escape VC of a route's last segment. With a dateline pair it is the first VC of the pair, for packets that
    /// have not crossed the dateline.
    pub escape_vc: usize,
    /// Whether the escape is a dateline pair.
    pub has_datelines: bool,
    /// Whether packets may be routed over an intermediate node.
    pub has_detours: bool,
    /// The first VC under the bubble rules: the first escape VC, or the VC after dateline pairs.
    pub first_bubble_vc: usize,
    /// The hint bits of the directions that escape routing takes first.
    first_directions: u32,
    /// The high-priority VC, if it is used.
    pub high_priority_vc: Option<usize>,
    /// Number of VCs for packets of normal priority.
    pub normal_vcs: usize,
    /// Number of VCs.
    pub vcs: usize,
    /// Whether software sends new packets of the source in response to packets it has received.
    source_forwards: bool,
    /// Whether any packet leaves copies at the nodes it passes.
    pub deposits: bool,
    /// Whether software forwards after receiving a packet: new packets of the source, or, as a relay, the packet
    /// itself. A relay passes it around dead nodes and links.
    pub forwards: bool,
    /// Whether packets come from software other than generated traffic.
    has_other_software: bool,
    /// The sets of a node's FIFOs.
    pub fifo_sets: FifoSets,
    /// Credits of a full packet.
    pub full_packet: u8,
    /// Credits of each VC's whole buffer.
    pub capacity: [u8; crate::parameters::MAX_VCS],
    /// The group of each node, if deliveries are also counted by groups of nodes; see [`NO_GROUP`].
    pub groups: Option<Arc<[u16]>>,
    /// The cycle at which each node's time begins, if that is not 0 for all.
    starts: Option<Arc<[u64]>>,
    /// Size of the smallest packet ever sent, in chunks.
    pub smallest_chunks: u8,
    /// Share of cycles that serve the longest queue first; the others serve all alike, unless there is another rule.
    pub longest_queue_share: Share,
    /// The key of all draws.
    pub seed_key: SeedKey,
    quarter_thresholds: [[u8; 256]; crate::parameters::MAX_VCS],
    token_ranges: [[u8; 256]; crate::parameters::MAX_VCS],
    credit_ranks: [[u8; 256]; crate::parameters::MAX_VCS],
    transfers: [[TransferCycles; MAX_CHUNKS as usize + 1]; MAX_DIMENSIONS],
    reception_cycles: CyclesBySize,
    /// Times of a full packet over a link of the first dimension.
    pub full_transfer: TransferCycles,
    /// The collective networks, if software uses them.
    pub collective: Option<Networks>,
}

/// Properties of a machine's traffic on which its tables depend.
#[derive(Clone, Debug)]
pub struct Needs {
    /// Size of the smallest packet, in chunks.
    pub smallest_chunks: u8,
    /// Whether any packet is of high priority.
    pub high_priority: bool,
    /// Whether software sends new packets in response to those that it receives from a source.
    pub source_forwards: bool,
    /// Whether any packet leaves copies at the nodes that it passes.
    pub deposits: bool,
    /// Whether nodes run software other than that of generated traffic.
    pub other_software: bool,
    /// The cores that use the collective networks, as bits, by node, if any core uses them.
    pub participants: Option<Arc<[u64]>>,
}

/// Times of a transfer, in cycles from its start.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransferCycles {
    /// Cycles for which the packet holds the link.
    pub wire: u32,
    /// Cycles for which the packet holds its VC and transfer path.
    pub path: u32,
    /// Cycles after which the packet may make a request at the next node.
    pub arrival: u32,
}

/// Bytes for which a packet of `chunks` chunks occupies a link. Acknowledgements with their own frames are not
/// included.
fn charged_bytes(parameters: &Parameters, chunks: u8) -> u32 {
    let format = &parameters.packet;
    let has_explicit_acks = parameters.link_protocol.is_some_and(|protocol| protocol.explicit_acks);
    format.wire_bytes(chunks) - if has_explicit_acks { format.token_ack_bytes } else { 0 }
}

impl Fabric {
    /// Computes the tables for these parameters and traffic with these needs.
    pub fn new(parameters: Parameters, needs: &Needs) -> Self {
        let Needs { smallest_chunks, high_priority, source_forwards, deposits, other_software, .. } = *needs;
        debug_assert!(
            parameters.faults.is_empty() || !(source_forwards || deposits),
            "copies and forwarded packets cannot be routed around dead nodes"
        );
        let Parameters { packet, router, links, shape, .. } = &parameters;
        let forwards = source_forwards || !parameters.faults.is_empty();
        let has_datelines = router.escape.has_datelines();
        let Range { start: adaptive, end: normal } = router.escape_vcs();
        let capacity: [u8; crate::parameters::MAX_VCS] =
            std::array::from_fn(|vc| (router.vc_bytes(vc) / packet.chunk_bytes) as u8);
        let fastest = links.iter().map(|link| link.cycles_per_byte).min().unwrap_or(CyclesPerByte::ONE);
        let transfer = |dimension: usize, chunks| {
            let link = links[dimension];
            let path = link.cycles_per_byte.cycles_of(packet.transfer_bytes(chunks));
            TransferCycles {
                wire: link.cycles_per_byte.cycles_of(charged_bytes(&parameters, chunks)),
                path,
                // The head of a packet from a slow link, which may continue on the fastest, waits until its tail cannot
                // be late.
                arrival: link.hop_latency_cycles + path - fastest.cycles_of(packet.transfer_bytes(chunks)),
            }
        };
        let token_ranges = capacity.map(|capacity| ranges(router.token_ranges, capacity));
        let credit_rank = |range: u8, credits: usize| match credits < usize::from(packet.max_chunks) {
            true => 0,
            false => 1 + if router.join_shortest_queue { range } else { 0 },
        };
        Fabric {
            layout: PacketLayout::new(shape, parameters.extra_bits()),
            collective: needs.participants.as_ref().and_then(|cores| Networks::new(&parameters, cores)),
            full_transfer: transfer(0, packet.max_chunks),
            ports: 2 * shape.dimensions(),
            adaptive_vcs: adaptive,
            escape_vc: adaptive,
            has_datelines,
            has_detours: router.detours,
            first_bubble_vc: if has_datelines { normal } else { adaptive },
            first_directions: match router.escape_order {
                EscapeOrder::Dimension => !0,
                EscapeOrder::Direction => PLUS_DIRECTIONS,
            },
            high_priority_vc: high_priority.then_some(normal),
            normal_vcs: normal,
            vcs: normal + high_priority as usize,
            source_forwards,
            deposits,
            forwards,
            has_other_software: other_software,
            fifo_sets: FifoSets::new(&parameters.node),
            full_packet: packet.max_chunks,
            capacity,
            groups: None,
            starts: None,
            smallest_chunks,
            longest_queue_share: match router.arbitration == ArbitrationRule::Random {
                true => Share::new(0.0),
                false => router.serve_longest_queue_share,
            },
            seed_key: SeedKey::new(parameters.seed),
            quarter_thresholds: capacity.map(|capacity| ranges([0.25, 0.5, 0.75].map(Share::new), capacity)),
            token_ranges,
            credit_ranks: token_ranges
                .map(|ranges| std::array::from_fn(|credits| credit_rank(ranges[credits], credits))),
            transfers: std::array::from_fn(|dimension| match dimension < links.len() {
                true => std::array::from_fn(|chunks| transfer(dimension, chunks as u8)),
                false => Default::default(),
            }),
            reception_cycles: std::array::from_fn(|chunks| {
                fastest.cycles_of(packet.transfer_bytes(chunks as u8))
            }),
            parameters,
        }
    }

    /// The tables with groups of nodes and with the cycles at which the nodes' times begin. Deliveries are then also
    /// counted by groups.
    #[must_use]
    pub fn grouped(self, groups: Option<Arc<[u16]>>, starts: Option<Arc<[u64]>>) -> Self {
        let nodes = self.parameters.shape.nodes() as usize;
        debug_assert!(groups.as_ref().is_none_or(|groups| groups.len() == nodes));
        debug_assert!(starts.as_ref().is_none_or(|starts| starts.len() == nodes));
        Fabric { groups, starts, ..self }
    }

    /// The cycle at which a node's time begins. The node's software and the draws of its arbitration count from this
    /// cycle. The node thus does the same whenever its time begins.
    #[inline(always)]
    pub fn start_of(&self, node: u32) -> u64 {
        self.starts.as_ref().map_or(0, |starts| starts[node as usize])
    }

    /// The group of a node, if it is in one.
    #[inline(always)]
    pub fn group_of(&self, node: u32) -> Option<usize> {
        let group = self.groups.as_ref()?[node as usize];
        (group != NO_GROUP).then_some(group.into())
    }

    /// Times of a packet's transfer through `port`.
    #[inline(always)]
    pub fn transfer_cycles(&self, port: usize, chunks: u8) -> &TransferCycles {
        &self.transfers[port / 2][chunks as usize]
    }

    /// Cycles for which a packet holds its VC during transfer to a reception FIFO.
    #[inline(always)]
    pub fn reception_cycles(&self, chunks: u8) -> u32 {
        self.reception_cycles[chunks as usize]
    }

    /// Cycles from the departure of a packet's tail until its credits count upstream.
    pub fn credit_latency(&self) -> u32 {
        self.parameters.router.token_latency_cycles
    }

    /// Credits that a packet is charged on a VC (row S10).
    #[inline(always)]
    pub fn charge(&self, vc: usize, chunks: u8) -> u8 {
        let full_size =
            vc >= self.first_bubble_vc && self.parameters.router.bubble_rule.charges_full_packets();
        if full_size { self.full_packet } else { chunks }
    }

    /// Credits that a packet is charged on a VC. The packet is read only if its size matters.
    #[inline(always)]
    pub fn charge_of(&self, vc: usize, packet: impl FnOnce() -> Packet) -> u8 {
        match self.packets_are_full() {
            true => self.full_packet,
            false => self.charge(vc, self.layout.chunks(packet())),
        }
    }

    /// Whether all packets are of full size.
    #[inline(always)]
    pub fn packets_are_full(&self) -> bool {
        self.smallest_chunks == self.full_packet
    }

    /// The maximum number of packets in a VC's buffer.
    pub fn packet_capacity(&self, vc: usize) -> usize {
        (self.capacity[vc] / self.charge(vc, self.smallest_chunks)) as usize
    }

    /// The quarter of a buffer that `chunks` chunks reach: 0 to 3, the papers' 2-bit ranges of fullness.
    #[inline(always)]
    pub fn quarter(&self, vc: usize, chunks: u8) -> u8 {
        self.quarter_thresholds[vc][chunks as usize]
    }

    /// The range, 0 to 3, of `credits` credits of a VC: join-shortest-queue compares VCs by it.
    #[inline(always)]
    pub fn credit_range(&self, vc: usize, credits: u8) -> u8 {
        self.token_ranges[vc][credits as usize]
    }

    /// The rank of an adaptive VC with `credits` credits among those that a head packet could take. It is 0 if the VC
    /// has no room for a full packet. Otherwise it is 1 plus the range of the credits, or always 1 if head packets
    /// choose at random.
    #[inline(always)]
    pub fn credit_rank(&self, vc: usize, credits: u8) -> u8 {
        self.credit_ranks[vc][credits as usize]
    }

    /// Number of credits in use, over an output's VCs of normal priority; `credits` are the credits left, by VC.
    pub fn credits_in_use(&self, credits: &[u8]) -> u32 {
        let of_vc = |(capacity, credits): (&u8, &u8)| u32::from(capacity - credits);
        self.capacity.iter().zip(credits).take(self.normal_vcs).map(of_vc).sum()
    }

    /// The direction and VC of the packet's escape route. For a normal packet the VC is the escape VC; for a
    /// high-priority packet this is the only choice. None at the destination, and for packets that must avoid the
    /// escape VC.
    #[inline(always)]
    pub fn escape(&self, packet: Packet) -> Option<(usize, usize)> {
        let hints = self.layout.hint_bits(packet);
        let first = hints & self.first_directions;
        let port = if first != 0 { first } else { hints }.trailing_zeros() as usize;
        let may_escape = hints != 0 && !self.layout.is_adaptive_only(packet);
        may_escape.then(|| (port, self.escape_vc_of(packet, port)))
    }

    /// All directions and VCs that a packet could take: the adaptive ones, then its escape.
    pub fn choices(&self, packet: Packet) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.adaptive_choices(packet).chain(self.escape(packet))
    }

    /// The directions and adaptive VCs that a packet could take, in order.
    pub fn adaptive_choices(&self, packet: Packet) -> impl Iterator<Item = (usize, usize)> + '_ {
        let adaptive = !self.layout.is_deterministic(packet) && !self.layout.is_high_priority(packet);
        let hints = if adaptive { self.layout.hint_bits(packet) } else { 0 };
        (0..self.ports)
            .filter(move |port| hints >> port & 1 == 1)
            .flat_map(|port| (0..self.adaptive_vcs).map(move |vc| (port, vc)))
    }

    /// The VC downstream of `port` that a packet may use if no adaptive VC is available.
    #[inline(always)]
    fn escape_vc_of(&self, packet: Packet, port: usize) -> usize {
        match self.high_priority_vc {
            Some(vc) if self.layout.is_high_priority(packet) => vc,
            _ => {
                let has_crossed = self.has_datelines && self.layout.has_crossed(packet, port / 2);
                self.first_escape_vc(self.layout.has_onward(packet)) + has_crossed as usize
            }
        }
    }

    /// The first escape VC of a route segment; `has_onward` states whether another segment may follow. With a dateline
    /// pair it is the first VC of the pair.
    #[inline(always)]
    pub fn first_escape_vc(&self, has_onward: bool) -> usize {
        self.escape_vc + if has_onward { self.parameters.router.segment_vcs() } else { 0 }
    }

    /// Credits that a VC must have before a packet may move through `port`. They are those of one full packet. A packet
    /// that enters a bubble VC, instead of continuing straight on in it, needs those of two. `from` is the receiver and
    /// VC in which the packet waits, or none for an injection FIFO.
    pub fn credits_needed(&self, from: Option<(usize, usize)>, port: usize, vc: usize) -> u8 {
        let enters_a_bubble = vc >= self.first_bubble_vc && from != Some((port ^ 1, vc));
        if enters_a_bubble { 2 * self.full_packet } else { self.full_packet }
    }

    /// The packet after a hop through `port` of `node`, on its next segment if the hop ends one. The hop crosses the
    /// dateline of a ring if it takes the link there, which on a torus without a twist is the wrap link.
    pub fn after_hop(&self, packet: Packet, node: u32, port: usize) -> Packet {
        let direction = Direction::from_index(port);
        let moved = self.layout.after_hop(packet, direction);
        let moved = match self.has_datelines && self.parameters.shape.is_dateline(node, direction) {
            true => self.layout.across_dateline(moved, direction.dimension()),
            false => moved,
        };
        self.layout.at_next_segment(moved)
    }

    /// The bit errors of lossy links; the longest transmission is the frame of a full packet.
    pub fn bit_errors(&self, protocol: &LinkProtocol) -> BitErrors {
        let max_bits = 8 * self.frame_bytes(self.full_packet).max(ACK_BYTES);
        BitErrors::new(protocol.bit_error_rate, max_bits)
    }

    /// Capacity of a link's retransmission FIFO, in chunks.
    pub fn retransmission_chunks(&self, protocol: &LinkProtocol) -> u32 {
        protocol.retransmission_fifo_bytes / self.parameters.packet.chunk_bytes
    }

    /// The action that software takes on a packet of a source, given the packet's tag.
    #[inline]
    pub fn forward_action(&self, tag: Tag) -> ForwardAction {
        match tag.action.checked_sub(1) {
            _ if !self.forwards => ForwardAction::Consume,
            _ if self.source_forwards => ForwardAction::Forward(tag.action),
            None => ForwardAction::Consume,
            Some(node) => ForwardAction::RelayTo(node),
        }
    }

    /// Whether a packet leaves a copy at this node as it passes.
    pub fn deposits_here(&self, packet: Packet) -> bool {
        self.layout.is_deposit(packet) && self.layout.hint_bits(packet) != 0
    }

    /// The node at which a packet that is at `node` leaves the network.
    ///
    /// # Panics
    /// If it has a route that does not exist.
    pub fn target(&self, node: u32, packet: Packet) -> u32 {
        let shape = &self.parameters.shape;
        let end = shape.destination(node, &self.layout.hops(packet)).expect("packets have routes");
        match self.layout.has_onward(packet) {
            true => shape.destination(end, &self.layout.onward(packet)).expect("packets have routes"),
            false => end,
        }
    }

    /// Whether the machine needs features that the common specializations of the windowed engine omit.
    pub fn has_options(&self) -> bool {
        self.has_datelines
            || self.has_detours
            || self.keeps_direction_order()
            || self.has_arbitration_gap()
            || self.is_paced(false)
            || self.parameters.counts_unblocking
            || self.deposits
            || self.parameters.link_protocol.is_some()
            || self.parameters.router.arbitration.needs_options()
    }

    /// The rule of arbitration that one receiver or sender follows in a cycle. `bits` are random, and drawn only if they
    /// decide.
    #[inline(always)]
    pub fn rule_of_cycle(&self, bits: impl FnOnce() -> u32) -> ArbitrationRule {
        self.parameters.router.arbitration.of_cycle(self.longest_queue_share, bits)
    }

    /// The number of memories of arbiters that a node has.
    pub fn memories_of_node(&self) -> usize {
        if self.parameters.router.arbitration.has_memory() { 2 * self.ports } else { 0 }
    }

    /// Whether escape routing takes plus directions first.
    fn keeps_direction_order(&self) -> bool {
        self.first_directions == PLUS_DIRECTIONS
    }

    /// The position of a port in the escape order.
    pub fn escape_rank(&self, port: usize) -> usize {
        match self.keeps_direction_order() {
            true => port % 2 * (self.ports / 2) + port / 2,
            false => port,
        }
    }

    /// A set of ports as bits, rearranged into the escape order.
    pub fn in_escape_order(&self, ports: u32) -> u32 {
        (0..self.ports).fold(0, |ranks, port| ranks | (ports >> port & 1) << self.escape_rank(port))
    }

    /// The inverse of [`Fabric::in_escape_order`].
    pub fn from_escape_order(&self, ranks: u32) -> u32 {
        (0..self.ports).fold(0, |ports, port| ports | (ranks >> self.escape_rank(port) & 1) << port)
    }

    /// Whether the arbitration of receivers has gaps.
    pub fn has_arbitration_gap(&self) -> bool {
        self.parameters.router.arbitration_gap_share != Share::new(0.0)
    }

    /// Whether packets of a priority are acknowledged, so that a window bounds the number of a node's packets in
    /// flight. High-priority packets never are (assumed), because nothing may delay them. Traffic that software
    /// forwards at the corners of a broadcast is not either, because it would wait for itself. A relayed packet takes
    /// no room in the relay's window. It counts in its source's window until its final target acknowledges it.
    pub fn is_paced(&self, high_priority: bool) -> bool {
        !high_priority && !self.source_forwards && self.parameters.node.injection_window_packets.is_some()
    }

    /// Whether a node with `unacknowledged` unacknowledged packets has to wait.
    pub fn window_is_full(&self, unacknowledged: u32) -> bool {
        self.parameters.node.injection_window_packets.is_some_and(|window| unacknowledged >= window)
    }

    /// Cycles that an acknowledgement takes from a packet's target back to its source. They are the cycles of a
    /// packet's head on a shortest route (assumed).
    pub fn acknowledgement_cycles(&self, target: u32, source: u32) -> u64 {
        let Parameters { shape, links, .. } = &self.parameters;
        let hops = shape.route(target, source, 0);
        let along = |(link, hops): (&LinkParameters, i32)| {
            u64::from(hops.unsigned_abs()) * u64::from(link.hop_latency_cycles)
        };
        links.iter().zip(hops.0).map(along).sum()
    }

    /// The window of the machine; see [`Parameters::window_cycles`]. The collective networks count if they are used.
    pub fn window_cycles(&self) -> u32 {
        let of_torus = self.parameters.window_cycles();
        let collective = self.collective.as_ref().map(Networks::min_latency_cycles);
        collective.map_or(of_torus, |collective| collective.min(of_torus))
    }

    /// The node at the other end of a link.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn neighbor(&self, node: u32, port: usize) -> u32 {
        self.parameters
            .shape
            .neighbor(node, Direction::from_index(port))
            .expect("packets follow links that exist")
    }

    /// Bytes of a packet of `chunks` chunks, without the bytes that the link adds.
    pub fn packet_bytes(&self, chunks: u8) -> usize {
        usize::from(chunks) * self.parameters.packet.chunk_bytes as usize
    }

    /// Bytes of a packet's frame on a lossy link: as many as occupy the link.
    pub fn frame_bytes(&self, chunks: u8) -> usize {
        charged_bytes(&self.parameters, chunks) as usize
    }

    /// Whether a port has a link, and the link is alive.
    pub fn has_live_link(&self, node: u32, port: usize) -> bool {
        let direction = Direction::from_index(port);
        self.parameters.shape.neighbor(node, direction).is_some() && !self.is_dead_link(node, port)
    }

    /// Whether the link of a port is unusable: the link, or a node at either end, is dead.
    pub fn is_dead_link(&self, node: u32, port: usize) -> bool {
        let Parameters { shape, faults, .. } = &self.parameters;
        !faults.is_empty() && faults.is_dead_link(shape, node, Direction::from_index(port))
    }

    /// Whether an injection FIFO is for normal packets; these FIFOs come first.
    #[inline(always)]
    pub fn is_normal_fifo(&self, fifo: usize) -> bool {
        fifo < usize::from(self.parameters.node.normal_injection_fifos)
    }

    /// Number of injection FIFOs of a node that are used.
    pub fn injection_fifos(&self) -> usize {
        let node = &self.parameters.node;
        let high_priority =
            if self.high_priority_vc.is_some() { node.high_priority_injection_fifos } else { 0 };
        usize::from(node.normal_injection_fifos + high_priority)
    }

    /// Whether nodes run software: cores that send generated packets, or other software.
    pub fn has_software(&self) -> bool {
        self.has_other_software || self.has_generating_cores()
    }

    /// Whether cores that send the packets of a source have to be simulated. They must be if writing or reading takes
    /// time, FIFOs are finite, or packets are forwarded. Otherwise FIFOs are filled from the source as they empty.
    pub(crate) fn has_generating_cores(&self) -> bool {
        let node = &self.parameters.node;
        self.forwards || node.injection_fifo != FifoSize::Infinite || node.software != Default::default()
    }
}

/// The range of each number of chunks or credits, for a buffer of `capacity`.
fn ranges(starts: [Share; 3], capacity: u8) -> [u8; 256] {
    let range = |number| starts.iter().filter(|start| start.is_reached_by(number, capacity.into())).count();
    std::array::from_fn(|number| range(number as u32) as u8)
}
