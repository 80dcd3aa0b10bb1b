//! Deadlock: packets that can never move again, and the ring in which they wait for one another.
//!
//! A ring may lead through software that sends on what it has received: a packet then waits for room in a reception FIFO,
//! the core that should read for room in an injection FIFO, and the packet at the head of that for tokens.

use crate::counters::MAX_CHANNELS;
use crate::fabric::Fabric;
use crate::packet::Packet;
use geometry::Direction;
use std::collections::BTreeMap;
use std::fmt;

/// A head packet in a closed ring of waiting packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingPacket {
    /// The node whose receiver holds it.
    pub node: u32,
    /// The direction that receiver faces.
    pub receiver: Direction,
    /// The channel it heads.
    pub channel: usize,
    /// Its size.
    pub chunks: u8,
    /// The direction in which it waits to move.
    pub toward: Direction,
    /// The channel downstream for which tokens are missing.
    pub toward_channel: usize,
    /// The tokens of that channel that it sees.
    pub tokens: u8,
}

/// A deadlock: a closed ring in the wait-for graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blockage {
    /// When it was found.
    pub cycle: u64,
    /// Each packet waits for the channel that the next one heads, the last for that of the first.
    pub ring: Vec<WaitingPacket>,
    /// How many head packets can never move, those of the ring included.
    pub blocked_heads: usize,
}

/// `1 chunk`, `2 chunks`.
fn counted(number: u8, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

impl fmt::Display for WaitingPacket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitingPacket { node, receiver, channel, chunks, toward, toward_channel, tokens } = self;
        write!(
            f,
            "node {node}, receiver {receiver}, channel {channel}: a packet of {} waits for {toward}, channel {toward_channel} \
             ({} left)",
            counted(*chunks, "chunk"),
            counted(*tokens, "token"),
        )
    }
}

/// A head packet in a snapshot of the network.
#[derive(Clone, Copy, Debug)]
struct Head {
    packet: Packet,
    /// It is leaving, or will without waiting for another packet.
    moves: bool,
}

/// Who waits for what, in the whole network at one moment. Filled by an engine, read by [`Snapshot::find_deadlock`].
///
/// A head is *live* when it can move some day: it is leaving; or it is at its destination; or for one of the channels
/// it could take there are tokens enough, or on their way, or a live head downstream whose leaving frees some. Heads
/// that are not live once nothing more follows are blocked for ever, and each waits for one that is blocked as well.
pub struct Snapshot<'a> {
    fabric: &'a Fabric,
    cycle: u64,
    heads: Vec<Option<Head>>,
    tokens: Vec<u8>,
    tokens_return: Vec<bool>,
    /// Of heads that wait for software: the packets at the heads of injection FIFOs one of which has to leave before.
    software: BTreeMap<usize, Vec<Packet>>,
}

impl<'a> Snapshot<'a> {
    /// An empty network at `cycle`.
    pub fn new(fabric: &'a Fabric, cycle: u64) -> Self {
        let places = fabric.parameters.shape.nodes() as usize * fabric.ports * fabric.channels;
        Snapshot {
            fabric,
            cycle,
            heads: vec![None; places],
            tokens: vec![0; places],
            tokens_return: vec![false; places],
            software: BTreeMap::new(),
        }
    }

    fn place(&self, node: u32, port: usize, channel: usize) -> usize {
        (node as usize * self.fabric.ports + port) * self.fabric.channels + channel
    }

    /// The tokens that a sender sees, by channel.
    pub fn tokens(&mut self, node: u32, port: usize, tokens: &[u8]) {
        let place = self.place(node, port, 0);
        self.tokens[place..place + tokens.len()].copy_from_slice(tokens);
    }

    /// The head of a channel, and whether it is leaving.
    pub fn head(&mut self, node: u32, port: usize, channel: usize, packet: Packet, moves: bool) {
        let place = self.place(node, port, channel);
        self.heads[place] = Some(Head { packet, moves });
    }

    /// The head of a channel waits for software, which waits until one of some packets leaves its injection FIFO.
    pub fn waits_for_software(&mut self, node: u32, port: usize, channel: usize, waited_for: Vec<Packet>) {
        let place = self.place(node, port, channel);
        self.software.insert(place, waited_for);
    }

    /// Tokens are on their way to a sender.
    pub fn tokens_return(&mut self, node: u32, port: usize, channel: usize) {
        let place = self.place(node, port, channel);
        self.tokens_return[place] = true;
    }

    /// A packet is on the link towards a channel.
    pub fn packet_moves(&mut self, node: u32, port: usize, channel: usize) {
        let place = self.place(node, port, channel);
        self.heads[place].get_or_insert(Head { packet: Packet::default(), moves: true });
    }

    /// Tokens that senders are without, by channel: those of packets on the way to a channel, in it, or just left.
    pub fn tokens_out(&self) -> [u64; MAX_CHANNELS] {
        let mut out = [0; MAX_CHANNELS];
        for (place, &tokens) in self.tokens.iter().enumerate() {
            let (node, port, channel) = self.where_is(place);
            let shape = &self.fabric.parameters.shape;
            if shape.neighbor(node, Direction::from_index(port)).is_some() {
                out[channel] += u64::from(self.fabric.capacity[channel] - tokens);
            }
        }
        out
    }

    /// The heads that can never move, and a ring among them.
    pub fn find_deadlock(&self) -> Option<Blockage> {
        let live = self.live_heads();
        let blocked: Vec<usize> =
            (0..self.heads.len()).filter(|&place| self.heads[place].is_some() && !live[place]).collect();
        let ring = self.ring_from(*blocked.first()?);
        Some(Blockage { cycle: self.cycle, ring, blocked_heads: blocked.len() })
    }

    /// Spreads liveness upstream until nothing changes.
    fn live_heads(&self) -> Vec<bool> {
        let mut live: Vec<bool> = (0..self.heads.len()).map(|place| self.is_live_alone(place)).collect();
        let mut changed: Vec<usize> = (0..live.len()).filter(|&place| live[place]).collect();
        while let Some(place) = changed.pop() {
            for waiting in self.heads_upstream(place) {
                if !live[waiting] && self.choices(waiting).any(|choice| self.downstream(choice) == place) {
                    live[waiting] = true;
                    changed.push(waiting);
                }
            }
        }
        live
    }

    fn is_live_alone(&self, place: usize) -> bool {
        let Some(head) = self.heads[place] else { return false };
        let is_at_its_end =
            self.fabric.layout.hint_bits(head.packet) == 0 && !self.software.contains_key(&place);
        head.moves || is_at_its_end || {
            self.choices(place).any(|(node, port, channel)| {
                let sender = self.place(node, port, channel);
                self.tokens_return[sender] || self.tokens[sender] >= self.tokens_needed(place, port, channel)
            })
        }
    }

    fn tokens_needed(&self, place: usize, port: usize, channel: usize) -> u8 {
        let (_, receiver, waiting) = self.where_is(place);
        let from = (!self.software.contains_key(&place)).then_some((receiver, waiting));
        self.fabric.tokens_needed(from, port, channel)
    }

    fn where_is(&self, place: usize) -> (u32, usize, usize) {
        let (rest, channel) = (place / self.fabric.channels, place % self.fabric.channels);
        ((rest / self.fabric.ports) as u32, rest % self.fabric.ports, channel)
    }

    /// The senders and channels that the head at `place` could take, or those that software holds it up for.
    fn choices(&self, place: usize) -> impl Iterator<Item = (u32, usize, usize)> + '_ {
        let (node, ..) = self.where_is(place);
        let head = self.heads[place].filter(|head| !head.moves).map(|head| head.packet);
        let waited_for = self.software.get(&place);
        let head = head.filter(|_| waited_for.is_none());
        head.into_iter().chain(waited_for.into_iter().flatten().copied()).flat_map(move |packet| {
            let live =
                self.fabric.choices(packet).filter(move |&(port, _)| !self.fabric.is_dead_link(node, port));
            live.map(move |(port, channel)| (node, port, channel))
        })
    }

    fn downstream(&self, (node, port, channel): (u32, usize, usize)) -> usize {
        self.place(self.fabric.neighbor(node, port), port ^ 1, channel)
    }

    /// Heads of the node upstream of the receiver at `place`.
    fn heads_upstream(&self, place: usize) -> std::ops::Range<usize> {
        let (node, port, _) = self.where_is(place);
        let first = self.place(self.fabric.neighbor(node, port), 0, 0);
        first..first + self.fabric.ports * self.fabric.channels
    }

    /// Follows blocked heads from one to the next until one comes round again.
    fn ring_from(&self, start: usize) -> Vec<WaitingPacket> {
        let mut order = vec![start];
        loop {
            let last = *order.last().expect("the walk begins with one head");
            let next = self.downstream(self.choices(last).next().expect("a blocked head has choices"));
            if let Some(first) = order.iter().position(|&place| place == next) {
                return order[first..].iter().map(|&place| self.waiting_packet(place)).collect();
            }
            order.push(next);
        }
    }

    fn waiting_packet(&self, place: usize) -> WaitingPacket {
        let (node, receiver, channel) = self.where_is(place);
        let (_, toward, toward_channel) = self.choices(place).next().expect("a blocked head has choices");
        WaitingPacket {
            node,
            receiver: Direction::from_index(receiver),
            channel,
            chunks: self.heads[place].map_or(0, |head| self.fabric.layout.chunks(head.packet)),
            toward: Direction::from_index(toward),
            toward_channel,
            tokens: self.tokens[self.place(node, toward, toward_channel)],
        }
    }
}
