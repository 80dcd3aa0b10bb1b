//! Deadlock: packets that can never move again, and the ring in which they wait for one another.
//!
//! A ring may include software that forwards received packets: a packet then waits for room in a reception FIFO, the
//! core that should read it waits for room in an injection FIFO, and the head packet of that FIFO waits for credits.

use crate::fabric::Fabric;
use crate::packet::Packet;
use crate::parameters::MAX_VCS;
use crate::peers::Peers;
use geometry::Direction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// A head packet that waits, in a ring of such packets or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingPacket {
    /// The node whose receiver holds the packet.
    pub node: u32,
    /// The direction that the receiver faces.
    pub receiver: Direction,
    /// The VC of which the packet is the head packet.
    pub vc: usize,
    /// The packet's size in chunks.
    pub chunks: u8,
    /// The node to which the packet goes, or a relay on the way to that node.
    pub target: u32,
    /// The direction in which the packet is to move; the first of several.
    pub toward: Direction,
    /// The downstream VC for which credits are missing; the first of several.
    pub toward_vc: usize,
    /// The credits that the packet's sender has for that VC.
    pub credits: u8,
    /// The credits that the sender must have before the packet may move.
    pub credits_needed: u8,
}

/// A deadlock: a ring (cycle) in the wait-for graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blockage {
    /// The cycle at which the deadlock was found.
    pub cycle: u64,
    /// The waiting packets. Each waits for the VC in which the next one is the head packet. The last waits for the VC
    /// of the first.
    pub ring: Vec<WaitingPacket>,
    /// Number of head packets that can never move, those in the ring included.
    pub blocked_heads: usize,
}

/// The result of a search for a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The deadlock, if one was found.
    pub deadlock: Option<Blockage>,
    /// Whether no packet or credit is on its way: until the next event, later searches find the same.
    pub is_still: bool,
}

/// `1 chunk`, `2 chunks`.
fn counted(number: u8, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

impl fmt::Display for WaitingPacket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitingPacket { node, receiver, vc, chunks, toward, toward_vc, credits, credits_needed, .. } =
            self;
        write!(
            f,
            "node {node}, receiver {receiver}, VC {vc}: a packet of {} waits for {toward}, VC {toward_vc} \
             ({} left, {credits_needed} needed)",
            counted(*chunks, "chunk"),
            counted(*credits, "credit"),
        )
    }
}

/// A process's part of a snapshot.
#[derive(Serialize, Deserialize)]
struct Part {
    /// The first input of its nodes.
    first: usize,
    credits: Vec<u8>,
    heads: Vec<(usize, Head)>,
    /// Packets on their way to the nodes of others.
    heads_outside: Vec<(usize, Head)>,
    credits_return: Vec<usize>,
    software: BTreeMap<usize, Vec<Packet>>,
}

/// A head packet in a snapshot of the network.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Head {
    packet: Packet,
    /// Whether the packet is leaving, or will leave without waiting for another packet.
    moves: bool,
}

/// The wait-for relations of the whole network at one cycle. Filled by an engine, read by [`Snapshot::find_deadlock`].
///
/// A head packet is *live* if it can move eventually. It can if it is leaving or is at its destination. It also can if
/// one of the VCs that it could take has enough credits, or has credits in flight to its sender. A live head packet
/// downstream suffices too, as it frees some credits when it leaves. When this rule yields no more live packets, the
/// other head packets are blocked forever. Each of them waits for another blocked one.
pub struct Snapshot<'a> {
    fabric: &'a Fabric,
    cycle: u64,
    heads: Vec<Option<Head>>,
    credits: Vec<u8>,
    credits_return: Vec<bool>,
    /// Head packets that wait for software. Each has the head packets of injection FIFOs of which one has to leave
    /// first.
    software: BTreeMap<usize, Vec<Packet>>,
}

impl<'a> Snapshot<'a> {
    /// An empty network at `cycle`.
    pub fn new(fabric: &'a Fabric, cycle: u64) -> Self {
        let inputs = fabric.parameters.shape.nodes() as usize * fabric.ports * fabric.vcs;
        Snapshot {
            fabric,
            cycle,
            heads: vec![None; inputs],
            credits: vec![0; inputs],
            credits_return: vec![false; inputs],
            software: BTreeMap::new(),
        }
    }

    fn input(&self, node: u32, port: usize, vc: usize) -> usize {
        (node as usize * self.fabric.ports + port) * self.fabric.vcs + vc
    }

    /// The credits of a sender, by VC.
    pub fn credits(&mut self, node: u32, port: usize, credits: &[u8]) {
        let input = self.input(node, port, 0);
        self.credits[input..input + credits.len()].copy_from_slice(credits);
    }

    /// The head packet of a VC, and whether it is leaving.
    pub fn head(&mut self, node: u32, port: usize, vc: usize, packet: Packet, moves: bool) {
        let input = self.input(node, port, vc);
        self.heads[input] = Some(Head { packet, moves });
    }

    /// The head packet of a VC waits for software, which waits until one of some packets leaves its injection FIFO.
    pub fn waits_for_software(&mut self, node: u32, port: usize, vc: usize, waited_for: Vec<Packet>) {
        let input = self.input(node, port, vc);
        self.software.insert(input, waited_for);
    }

    /// Credits are in flight to a sender.
    pub fn credits_return(&mut self, node: u32, port: usize, vc: usize) {
        let input = self.input(node, port, vc);
        self.credits_return[input] = true;
    }

    /// A packet is on the link toward a VC.
    pub fn packet_moves(&mut self, node: u32, port: usize, vc: usize) {
        let input = self.input(node, port, vc);
        self.heads[input].get_or_insert(Head { packet: Packet::default(), moves: true });
    }

    /// This snapshot of a process's `own` nodes, with what the other processes have seen of theirs.
    pub fn joined(mut self, peers: &Peers, own: Range<u32>) -> Self {
        if peers.is_alone() {
            return self;
        }
        let row = self.fabric.ports * self.fabric.vcs;
        let parts = peers.gather(self.part(own.start as usize * row..own.end as usize * row));
        let outside: Vec<(usize, Head)> = parts.iter().flat_map(|part| part.heads_outside.clone()).collect();
        for part in parts {
            self.credits[part.first..part.first + part.credits.len()].copy_from_slice(&part.credits);
            let inputs = part.first..part.first + part.credits.len();
            self.heads[inputs].fill(None);
            part.heads.into_iter().for_each(|(input, head)| self.heads[input] = Some(head));
            part.credits_return.into_iter().for_each(|input| self.credits_return[input] = true);
            self.software.extend(part.software);
        }
        for (input, head) in outside {
            self.heads[input].get_or_insert(head);
        }
        self
    }

    /// The part of some inputs, and the packets that move toward others.
    fn part(&self, own: Range<usize>) -> Part {
        let heads = self.heads.iter().enumerate().filter_map(|(input, head)| Some((input, (*head)?)));
        let (heads, heads_outside) = heads.partition(|(input, _)| own.contains(input));
        let returns = self.credits_return.iter().enumerate().filter(|(_, returns)| **returns);
        Part {
            first: own.start,
            credits: self.credits[own].to_vec(),
            heads,
            heads_outside,
            credits_return: returns.map(|(input, _)| input).collect(),
            software: self.software.clone(),
        }
    }

    /// Credits in use of some nodes, by VC. They are those of packets on the link toward a VC, in the VC, or just departed from it.
    pub fn credits_out(&self, nodes: Range<u32>) -> [u64; MAX_VCS] {
        let mut out = [0; MAX_VCS];
        let row = self.fabric.ports * self.fabric.vcs;
        let inputs = nodes.start as usize * row..nodes.end as usize * row;
        for (input, &credits) in inputs.clone().zip(&self.credits[inputs]) {
            let (node, port, vc) = self.location(input);
            let shape = &self.fabric.parameters.shape;
            if shape.neighbor(node, Direction::from_index(port)).is_some() {
                out[vc] += u64::from(self.fabric.capacity[vc] - credits);
            }
        }
        out
    }

    /// The head packets of some nodes that wait for a link, in order of nodes, receivers and VCs.
    pub fn waiting(&self, nodes: Range<u32>) -> Vec<WaitingPacket> {
        let row = self.fabric.ports * self.fabric.vcs;
        let inputs = nodes.start as usize * row..nodes.end as usize * row;
        let waits = |input: &usize| self.heads[*input].is_some() && self.choices(*input).next().is_some();
        inputs.filter(waits).map(|input| self.waiting_packet(input)).collect()
    }

    /// Searches for a deadlock.
    pub fn search(&self) -> Search {
        let moves = self.heads.iter().flatten().any(|head| head.moves);
        let is_still = !moves && !self.credits_return.contains(&true);
        Search { deadlock: self.find_deadlock(), is_still }
    }

    /// The head packets that can never move, and a ring among them.
    fn find_deadlock(&self) -> Option<Blockage> {
        let live = self.live_heads();
        let blocked: Vec<usize> =
            (0..self.heads.len()).filter(|&input| self.heads[input].is_some() && !live[input]).collect();
        let ring = self.ring_from(*blocked.first()?);
        Some(Blockage { cycle: self.cycle, ring, blocked_heads: blocked.len() })
    }

    /// Propagates liveness upstream until nothing changes.
    fn live_heads(&self) -> Vec<bool> {
        let mut live: Vec<bool> = (0..self.heads.len()).map(|input| self.is_initially_live(input)).collect();
        let mut changed: Vec<usize> = (0..live.len()).filter(|&input| live[input]).collect();
        while let Some(input) = changed.pop() {
            for waiting in self.heads_upstream(input) {
                if !live[waiting] && self.choices(waiting).any(|choice| self.downstream(choice) == input) {
                    live[waiting] = true;
                    changed.push(waiting);
                }
            }
        }
        live
    }

    fn is_initially_live(&self, input: usize) -> bool {
        let Some(head) = self.heads[input] else { return false };
        let is_at_destination =
            self.fabric.layout.hint_bits(head.packet) == 0 && !self.software.contains_key(&input);
        head.moves || is_at_destination || {
            self.choices(input).any(|(node, port, vc)| {
                let sender = self.input(node, port, vc);
                self.credits_return[sender] || self.credits[sender] >= self.credits_needed(input, port, vc)
            })
        }
    }

    fn credits_needed(&self, input: usize, port: usize, vc: usize) -> u8 {
        let (_, receiver, waiting) = self.location(input);
        let from = (!self.software.contains_key(&input)).then_some((receiver, waiting));
        self.fabric.credits_needed(from, port, vc)
    }

    fn location(&self, input: usize) -> (u32, usize, usize) {
        let (rest, vc) = (input / self.fabric.vcs, input % self.fabric.vcs);
        ((rest / self.fabric.ports) as u32, rest % self.fabric.ports, vc)
    }

    /// The senders and VCs that the head packet at `input` could take. If it waits for software, these are the choices
    /// of the packets that block the software.
    fn choices(&self, input: usize) -> impl Iterator<Item = (u32, usize, usize)> + '_ {
        let (node, ..) = self.location(input);
        let head = self.heads[input].filter(|head| !head.moves).map(|head| head.packet);
        let waited_for = self.software.get(&input);
        let head = head.filter(|_| waited_for.is_none());
        head.into_iter().chain(waited_for.into_iter().flatten().copied()).flat_map(move |packet| {
            let live =
                self.fabric.choices(packet).filter(move |&(port, _)| !self.fabric.is_dead_link(node, port));
            live.map(move |(port, vc)| (node, port, vc))
        })
    }

    fn downstream(&self, (node, port, vc): (u32, usize, usize)) -> usize {
        self.input(self.fabric.neighbor(node, port), port ^ 1, vc)
    }

    /// Head packets of the node upstream of the receiver at `input`.
    fn heads_upstream(&self, input: usize) -> std::ops::Range<usize> {
        let (node, port, _) = self.location(input);
        let first = self.input(self.fabric.neighbor(node, port), 0, 0);
        first..first + self.fabric.ports * self.fabric.vcs
    }

    /// Follows blocked head packets from one to the next until one repeats.
    fn ring_from(&self, start: usize) -> Vec<WaitingPacket> {
        let mut order = vec![start];
        loop {
            let last = *order.last().expect("the walk begins with one head");
            let next = self.downstream(self.choices(last).next().expect("a blocked head has choices"));
            if let Some(first) = order.iter().position(|&input| input == next) {
                return order[first..].iter().map(|&input| self.waiting_packet(input)).collect();
            }
            order.push(next);
        }
    }

    fn waiting_packet(&self, input: usize) -> WaitingPacket {
        let (node, receiver, vc) = self.location(input);
        let (_, toward, toward_vc) = self.choices(input).next().expect("a blocked head has choices");
        WaitingPacket {
            node,
            receiver: Direction::from_index(receiver),
            vc,
            chunks: self.heads[input].map_or(0, |head| self.fabric.layout.chunks(head.packet)),
            target: self.heads[input].map_or(node, |head| self.fabric.target(node, head.packet)),
            toward: Direction::from_index(toward),
            toward_vc,
            credits: self.credits[self.input(node, toward, toward_vc)],
            credits_needed: self.fabric.credits_needed(Some((receiver, vc)), toward, toward_vc),
        }
    }
}
