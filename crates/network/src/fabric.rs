//! The parameters worked out into tables: what both engines look up, computed once.

use crate::draws::{SeedKey, Share};
use crate::link::{ACK_BYTES, BitErrors, LinkProtocol};
use crate::packet::{Packet, PacketLayout};
use crate::parameters::{BubbleRule, EscapeKind, EscapeOrder, FifoSize, MAX_CHUNKS, Parameters};
use crate::source::{Onward, Traffic};
use geometry::{Direction, MAX_DIMENSIONS};
use std::ops::Range;

/// The hint bits of all plus directions.
const PLUS_DIRECTIONS: u32 = 0x5555_5555;

/// Cycles by size in chunks.
type CyclesBySize = [u32; MAX_CHUNKS as usize + 1];

/// Everything an engine asks about the machine while it runs.
#[derive(Clone, Debug)]
pub struct Fabric {
    /// What it was made from.
    pub parameters: Parameters,
    /// How packet records are read.
    pub layout: PacketLayout,
    /// Directions, and so senders and receivers, of a node.
    pub ports: usize,
    /// Dynamic channels: 0 to this, not included.
    pub dynamic_channels: usize,
    /// The escape channel; of a dateline pair the first, for those who have not crossed.
    pub escape_channel: usize,
    /// Whether the escape is a pair with datelines.
    pub has_datelines: bool,
    /// The first channel with the rules of a bubble: the escape, or the one behind a dateline pair.
    pub first_bubble_channel: usize,
    /// The hint bits of the directions that the escape takes first.
    first_directions: u32,
    /// The high-priority channel, where it is used.
    pub high_priority_channel: Option<usize>,
    /// Channels that are not of high priority.
    pub normal_channels: usize,
    /// Channels in all.
    pub channels: usize,
    /// Whether what software has received makes it send other packets.
    turns: bool,
    /// Whether any packet leaves copies at the nodes that it passes.
    pub deposits: bool,
    /// Whether packets that software has received make it write others: in turn, or as a relay past what is dead.
    pub sends_on: bool,
    /// Tokens of a full packet.
    pub full_packet: u8,
    /// Tokens of each channel's whole buffer.
    pub capacity: [u8; crate::counters::MAX_CHANNELS],
    /// Smallest packet ever sent, in chunks.
    pub smallest_chunks: u8,
    /// The key of all draws.
    pub seed_key: SeedKey,
    quarters: [[u8; 256]; crate::counters::MAX_CHANNELS],
    token_ranges: [[u8; 256]; crate::counters::MAX_CHANNELS],
    open_ranks: [[u8; 256]; crate::counters::MAX_CHANNELS],
    transfers: [[TransferCycles; MAX_CHUNKS as usize + 1]; MAX_DIMENSIONS],
    reception_cycles: CyclesBySize,
    /// A full packet's way over a link of the first dimension.
    pub full_transfer: TransferCycles,
}

/// What a transfer's beginning sets the times of, in cycles from then.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransferCycles {
    /// For so long the packet holds the link.
    pub wire: u32,
    /// For so long it holds its channel and transfer path.
    pub path: u32,
    /// Then its head may ask at the next node.
    pub arrival: u32,
}

impl Fabric {
    /// Works out the tables for parameters and the traffic to come.
    pub fn for_traffic(parameters: Parameters, traffic: &Traffic) -> Self {
        let (smallest_chunks, high_priority) = (traffic.smallest_chunks(), traffic.uses_high_priority());
        debug_assert!(
            parameters.faults.is_empty() || !(traffic.turns() || traffic.deposits()),
            "copies and turns have no way round what is dead"
        );
        let is_posted = matches!(traffic, Traffic::Posted { .. });
        let Parameters { packet, router, links, shape, .. } = &parameters;
        let has_datelines = router.escape == EscapeKind::Dateline;
        let Range { start: dynamic, end: normal } = router.escape_channels();
        let capacity: [u8; crate::counters::MAX_CHANNELS] =
            std::array::from_fn(|channel| (router.channel_bytes(channel) / packet.chunk_bytes) as u8);
        let fastest = links.iter().map(|link| link.cycles_per_byte).min().unwrap_or(1);
        let has_explicit_acks = parameters.link_protocol.is_some_and(|protocol| protocol.explicit_acks);
        let uncharged_bytes = if has_explicit_acks { packet.token_ack_bytes } else { 0 };
        let transfer = |dimension: usize, chunks| {
            let link = links[dimension];
            let path = packet.transfer_bytes(chunks) * link.cycles_per_byte;
            TransferCycles {
                wire: (packet.wire_bytes(chunks) - uncharged_bytes) * link.cycles_per_byte,
                path,
                // A packet from a slow link may go on over the fastest: its head waits until the tail cannot be late.
                arrival: link.hop_latency_cycles + path - packet.transfer_bytes(chunks) * fastest,
            }
        };
        let token_ranges = capacity.map(|capacity| ranges(router.token_ranges, capacity));
        let open_rank = |range: u8, tokens: usize| match tokens < usize::from(packet.max_chunks) {
            true => 0,
            false => 1 + if router.join_shortest_queue { range } else { 0 },
        };
        Fabric {
            layout: PacketLayout::new(shape, parameters.extra_bits()),
            full_transfer: transfer(0, packet.max_chunks),
            ports: 2 * shape.dimensions(),
            dynamic_channels: dynamic,
            escape_channel: dynamic,
            has_datelines,
            first_bubble_channel: if has_datelines { normal } else { dynamic },
            first_directions: match router.escape_order {
                EscapeOrder::Dimension => !0,
                EscapeOrder::Direction => PLUS_DIRECTIONS,
            },
            high_priority_channel: high_priority.then_some(normal),
            normal_channels: normal,
            channels: normal + high_priority as usize,
            turns: traffic.turns(),
            deposits: traffic.deposits(),
            sends_on: traffic.turns() || (!is_posted && !parameters.faults.is_empty()),
            full_packet: packet.max_chunks,
            capacity,
            smallest_chunks,
            seed_key: SeedKey::new(parameters.seed),
            quarters: capacity.map(|capacity| ranges([0.25, 0.5, 0.75].map(Share::new), capacity)),
            token_ranges,
            open_ranks: token_ranges
                .map(|ranges| std::array::from_fn(|tokens| open_rank(ranges[tokens], tokens))),
            transfers: std::array::from_fn(|dimension| match dimension < links.len() {
                true => std::array::from_fn(|chunks| transfer(dimension, chunks as u8)),
                false => Default::default(),
            }),
            reception_cycles: std::array::from_fn(|chunks| packet.transfer_bytes(chunks as u8) * fastest),
            parameters,
        }
    }

    /// Cycles that a packet's way through `port` takes.
    #[inline(always)]
    pub fn transfer_cycles(&self, port: usize, chunks: u8) -> &TransferCycles {
        &self.transfers[port / 2][chunks as usize]
    }

    /// Cycles for which a packet holds its channel while it goes to a reception FIFO.
    #[inline(always)]
    pub fn reception_cycles(&self, chunks: u8) -> u32 {
        self.reception_cycles[chunks as usize]
    }

    /// Cycles from a tail's leaving to its tokens' counting upstream.
    pub fn token_latency(&self) -> u32 {
        self.parameters.router.token_latency_cycles
    }

    /// Tokens that a packet is charged on a channel (row S10).
    #[inline(always)]
    pub fn charge(&self, channel: usize, chunks: u8) -> u8 {
        let full_size = channel >= self.first_bubble_channel
            && self.parameters.router.bubble_rule == BubbleRule::FullSize;
        if full_size { self.full_packet } else { chunks }
    }

    /// The same for a packet, which is looked at only if that matters.
    #[inline(always)]
    pub fn charge_of(&self, channel: usize, packet: impl FnOnce() -> Packet) -> u8 {
        match self.packets_are_full() {
            true => self.full_packet,
            false => self.charge(channel, self.layout.chunks(packet())),
        }
    }

    /// Whether all packets are of full size.
    #[inline(always)]
    pub fn packets_are_full(&self) -> bool {
        self.smallest_chunks == self.full_packet
    }

    /// The most packets that a channel's buffer can hold.
    pub fn packets_held(&self, channel: usize) -> usize {
        (self.capacity[channel] / self.charge(channel, self.smallest_chunks)) as usize
    }

    /// Which quarter of a buffer so many chunks reach into: 0 to 3, the 2-bit ranges of fullness of the papers.
    #[inline(always)]
    pub fn quarter(&self, channel: usize, chunks: u8) -> u8 {
        self.quarters[channel][chunks as usize]
    }

    /// Which of the four ranges so many tokens of a channel reach into: 0 to 3, by which heads find the shortest queue.
    #[inline(always)]
    pub fn token_range(&self, channel: usize, tokens: u8) -> u8 {
        self.token_ranges[channel][tokens as usize]
    }

    /// How a dynamic channel with so many tokens ranks among those that a head could take: 0 if it has no room for a full
    /// packet, and above that by its range, or all alike where heads pick at random.
    #[inline(always)]
    pub fn open_rank(&self, channel: usize, tokens: u8) -> u8 {
        self.open_ranks[channel][tokens as usize]
    }

    /// The direction and channel of the escape's order: the escape of a normal packet, the only way of a high-priority
    /// one. None at the destination, and for packets that keep off it.
    #[inline(always)]
    pub fn escape(&self, packet: Packet) -> Option<(usize, usize)> {
        let hints = self.layout.hint_bits(packet);
        let first = hints & self.first_directions;
        let port = if first != 0 { first } else { hints }.trailing_zeros() as usize;
        let may_escape = hints != 0 && !self.layout.is_dynamic_only(packet);
        may_escape.then(|| (port, self.escape_channel_of(packet, port)))
    }

    /// All directions and channels that a packet could take: the dynamic ones, then its escape.
    pub fn choices(&self, packet: Packet) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.dynamic_choices(packet).chain(self.escape(packet))
    }

    /// The dynamic directions and channels that a packet could take, in order.
    pub fn dynamic_choices(&self, packet: Packet) -> impl Iterator<Item = (usize, usize)> + '_ {
        let adaptive = !self.layout.is_deterministic(packet) && !self.layout.is_high_priority(packet);
        let hints = if adaptive { self.layout.hint_bits(packet) } else { 0 };
        (0..self.ports)
            .filter(move |port| hints >> port & 1 == 1)
            .flat_map(|port| (0..self.dynamic_channels).map(move |channel| (port, channel)))
    }

    /// The channel behind `port` that a packet may use when no dynamic one is left.
    #[inline(always)]
    fn escape_channel_of(&self, packet: Packet, port: usize) -> usize {
        match self.high_priority_channel {
            Some(channel) if self.layout.is_high_priority(packet) => channel,
            _ if self.has_datelines => {
                self.escape_channel + self.layout.has_crossed(packet, port / 2) as usize
            }
            _ => self.escape_channel,
        }
    }

    /// Tokens that a channel must show before a packet may move through `port`: one full packet, and two for one that
    /// enters a bubble channel rather than going straight on in it. `from` is where it waits: receiver and channel, or
    /// none for an injection FIFO.
    pub fn tokens_needed(&self, from: Option<(usize, usize)>, port: usize, channel: usize) -> u8 {
        let enters_a_bubble = channel >= self.first_bubble_channel && from != Some((port ^ 1, channel));
        if enters_a_bubble { 2 * self.full_packet } else { self.full_packet }
    }

    /// The packet after a hop through `port` of `node`, whose dateline, between the ends of each dimension, it may cross.
    pub fn after_hop(&self, packet: Packet, node: u32, port: usize) -> Packet {
        let direction = Direction::from_index(port);
        let moved = self.layout.after_hop(packet, direction);
        let wraps = || (self.neighbor(node, port) > node) != direction.is_plus();
        match self.has_datelines && wraps() {
            true => self.layout.across_dateline(moved, direction.dimension()),
            false => moved,
        }
    }

    /// The errors of wires that keep to a protocol, which carry nothing longer than the frame of a full packet.
    pub fn bit_errors(&self, protocol: &LinkProtocol) -> BitErrors {
        let most_bits = 8 * self.frame_bytes(self.full_packet).max(ACK_BYTES);
        BitErrors::new(protocol.bit_error_rate, most_bits)
    }

    /// Room of a link's sender for what it keeps, in chunks.
    pub fn retransmission_chunks(&self, protocol: &LinkProtocol) -> u32 {
        protocol.retransmission_fifo_bytes / self.parameters.packet.chunk_bytes
    }

    /// What software makes of a packet from a source, by its handle.
    pub fn onward(&self, handle: u32) -> Onward {
        match handle.checked_sub(1) {
            _ if !self.sends_on => Onward::Ends,
            _ if self.turns => Onward::Turns(handle),
            None => Onward::Ends,
            Some(node) => Onward::To(node),
        }
    }

    /// Whether a packet is to be left here too as it goes on.
    pub fn leaves_a_copy(&self, packet: Packet) -> bool {
        self.layout.is_deposit(packet) && self.layout.hint_bits(packet) != 0
    }

    /// Whether the machine has what few have, and the common forms of the windowed engine do without.
    pub fn has_options(&self) -> bool {
        self.has_datelines
            || self.keeps_direction_order()
            || self.has_gap()
            || self.is_paced(false)
            || self.parameters.counts_unblocking
            || self.deposits
            || self.parameters.link_protocol.is_some()
    }

    /// Whether the escape takes plus directions first.
    fn keeps_direction_order(&self) -> bool {
        self.first_directions == PLUS_DIRECTIONS
    }

    /// The place of a port in the escape's order.
    pub fn escape_rank(&self, port: usize) -> usize {
        match self.keeps_direction_order() {
            true => port % 2 * (self.ports / 2) + port / 2,
            false => port,
        }
    }

    /// A bit for each place in the escape's order whose port's bit is set.
    pub fn in_escape_order(&self, ports: u32) -> u32 {
        (0..self.ports).fold(0, |ranks, port| ranks | (ports >> port & 1) << self.escape_rank(port))
    }

    /// The same the other way round.
    pub fn from_escape_order(&self, ranks: u32) -> u32 {
        (0..self.ports).fold(0, |ports, port| ports | (ranks >> self.escape_rank(port) & 1) << port)
    }

    /// Whether receivers' arbitration has gaps.
    pub fn has_gap(&self) -> bool {
        self.parameters.router.arbitration_gap_share != Share::new(0.0)
    }

    /// Whether packets of a priority are acknowledged, so that a window bounds how many of a node are under way. Those of
    /// high priority never are (assumed): nothing may hold up what is to come through. Nor is traffic that turns
    /// corners in software, which would wait for itself. What a relay sends on needs no place in the window: it has one at its
    /// source until its last target acknowledges it.
    pub fn is_paced(&self, high_priority: bool) -> bool {
        !high_priority && !self.turns && self.parameters.node.injection_window_packets.is_some()
    }

    /// Whether a node with so many packets that have not been acknowledged has to wait.
    pub fn window_is_full(&self, unacknowledged: u32) -> bool {
        self.parameters.node.injection_window_packets.is_some_and(|window| unacknowledged >= window)
    }

    /// Cycles that an acknowledgement takes from a packet's target back to its source: as the head of a packet would,
    /// the shortest way (assumed).
    pub fn acknowledgement_cycles(&self, target: u32, source: u32) -> u64 {
        let Parameters { shape, links, .. } = &self.parameters;
        let (from, to) = (shape.coordinates(target), shape.coordinates(source));
        let along = |dimension: usize| {
            let hops = shape.distance_along(dimension, from[dimension], to[dimension]);
            u64::from(hops) * u64::from(links[dimension].hop_latency_cycles)
        };
        (0..shape.dimensions()).map(along).sum()
    }

    /// The shortest time in which anything can pass between nodes: within it, nodes are independent. Tokens are told of long
    /// before; but a packet for which they make room is not to be told of in the window in which the room is made.
    pub fn window_cycles(&self) -> u32 {
        let hop = self.parameters.links.iter().map(|link| link.hop_latency_cycles).min().unwrap_or(1);
        hop.min(self.token_latency())
    }

    /// The node at the other end of a link.
    ///
    /// # Panics
    /// When there is no such link.
    pub fn neighbor(&self, node: u32, port: usize) -> u32 {
        self.parameters
            .shape
            .neighbor(node, Direction::from_index(port))
            .expect("packets follow links that exist")
    }

    /// Bytes of a packet of so many chunks, without what is added on the wire.
    pub fn packet_bytes(&self, chunks: u8) -> usize {
        usize::from(chunks) * self.parameters.packet.chunk_bytes as usize
    }

    /// Bytes of its frame on a wire that makes errors: as many as hold the link.
    pub fn frame_bytes(&self, chunks: u8) -> usize {
        (self.transfers[0][chunks as usize].wire / self.parameters.links[0].cycles_per_byte) as usize
    }

    /// Whether there is a link behind a port, and it is alive.
    pub fn has_live_link(&self, node: u32, port: usize) -> bool {
        let direction = Direction::from_index(port);
        self.parameters.shape.neighbor(node, direction).is_some() && !self.is_dead_link(node, port)
    }

    /// Whether the link behind a port can carry nothing: it, or a node at its end, is dead.
    pub fn is_dead_link(&self, node: u32, port: usize) -> bool {
        let Parameters { shape, faults, .. } = &self.parameters;
        !faults.is_empty() && faults.is_dead_link(shape, node, Direction::from_index(port))
    }

    /// Whether an injection FIFO is one for normal packets: those come first.
    #[inline(always)]
    pub fn is_normal_fifo(&self, fifo: usize) -> bool {
        fifo < usize::from(self.parameters.node.normal_injection_fifos)
    }

    /// Injection FIFOs of a node that are used.
    pub fn injection_fifos(&self) -> usize {
        let node = &self.parameters.node;
        let high_priority =
            if self.high_priority_channel.is_some() { node.high_priority_injection_fifos } else { 0 };
        usize::from(node.normal_injection_fifos + high_priority)
    }

    /// Whether cores have to be simulated one by one: where writing or reading costs time, FIFOs are real, or packets are
    /// posted, or sent on once they have been read. Otherwise FIFOs are filled from the source as they empty.
    pub fn has_software(&self, posted: bool) -> bool {
        let node = &self.parameters.node;
        posted
            || self.sends_on
            || node.injection_fifo != FifoSize::Infinite
            || node.software != Default::default()
    }
}

/// The range that each number of chunks or tokens reaches into, of a buffer of `capacity`.
fn ranges(starts: [Share; 3], capacity: u8) -> [u8; 256] {
    let range = |number| starts.iter().filter(|start| start.is_reached_by(number, capacity.into())).count();
    std::array::from_fn(|number| range(number as u32) as u8)
}
