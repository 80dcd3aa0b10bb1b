//! The links of the engine where they make errors: what goes over each wire, and when.
//!
//! ```text
//!   begin_on_link   a granted packet is kept and sent
//!   Frame           its head arrives: judged whole, and passed on if it is accepted
//!   FrameEnd        its tail arrives: an acknowledgement is due
//!   Ack             an acknowledgement, or a probe, arrives
//!   LinkTimer       is it time to send again, or to ask where tokens are?
//!   run_links       once a node and cycle: acknowledgements first, then what is to be sent again, then arbitration
//! ```

use super::{Event, ReferenceEngine};
use crate::deadlock::Snapshot;
use crate::draws::NodeKey;
use crate::fabric::{Fabric, TransferCycles};
use crate::link::{
    ACK_BYTES, Ack, BitErrors, Checksum, Kept, LinkProtocol, LinkReport, LinkTotals, PacketBytes, Receiver,
    Reception, Sender, Transmission,
};
use crate::node::software::Stored;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// A frame on the wire, as it will arrive.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Flight {
    packet: Kept,
    /// Whether some bits are wrong.
    is_wrong: bool,
}

/// A node's end of a pair of links: its sender for one, its receiver for the other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LinkEnd {
    sender: Sender,
    receiver: Receiver,
    /// From when on nothing holds the wire that leaves.
    wire_free_at: u64,
    /// Frames that come to the receiver.
    frames: VecDeque<Flight>,
    /// Acknowledgements and probes that come.
    acks: VecDeque<[u8; ACK_BYTES]>,
    is_ack_due: bool,
    is_probe_due: bool,
    is_timer_set: bool,
}

/// All links of a machine.
pub(super) struct Links {
    protocol: LinkProtocol,
    errors: BitErrors,
    /// Ports of each node behind which there are live links, as bits.
    live_ports: Vec<u16>,
    /// By node and port.
    pub(super) ends: Vec<LinkEnd>,
    pub(super) state: LinkState,
}

/// What belongs to no single link.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LinkState {
    totals: LinkTotals,
    /// By node and FIFO.
    injection: Vec<Vec<Checksum>>,
    /// Payloads that errors have changed unseen, by the packet's name.
    damaged: BTreeMap<u64, Vec<u8>>,
}

impl Links {
    pub(super) fn new(fabric: &Fabric) -> Option<Self> {
        let protocol = fabric.parameters.link_protocol?;
        let nodes = fabric.parameters.shape.nodes() as usize;
        let most_bits = 8 * fabric.frame_bytes(fabric.full_packet).max(ACK_BYTES);
        let node = &fabric.parameters.node;
        let fifos = usize::from(node.normal_injection_fifos + node.high_priority_injection_fifos);
        Some(Links {
            protocol,
            errors: BitErrors::new(protocol.bit_error_rate, most_bits),
            live_ports: (0..nodes as u32)
                .map(|node| {
                    let live = (0..fabric.ports).filter(|&port| fabric.has_live_link(node, port));
                    live.fold(0, |set, port| set | 1 << port)
                })
                .collect(),
            ends: vec![LinkEnd::default(); nodes * fabric.ports],
            state: LinkState {
                injection: vec![vec![Checksum::default(); fifos]; nodes],
                ..LinkState::default()
            },
        })
    }
}

/// The bytes of a packet's record for a channel.
fn bytes_of<'a>(fabric: &Fabric, packet: &Kept, damaged: &'a BTreeMap<u64, Vec<u8>>) -> PacketBytes<'a> {
    let (record, way_bits) = (packet.packet.0, fabric.layout.way_bits());
    PacketBytes {
        record,
        way_bits,
        channel: packet.channel.into(),
        bytes: fabric.packet_bytes(packet.chunks),
        damaged: damaged.get(&(record >> way_bits)).map(Vec::as_slice),
    }
}

impl ReferenceEngine {
    fn links_mut(&mut self) -> &mut Links {
        self.protocol.as_mut().expect("links have a protocol where their events happen")
    }

    fn end(&mut self, node: u32, port: usize) -> &mut LinkEnd {
        let place = node as usize * self.fabric.ports + port;
        &mut self.links_mut().ends[place]
    }

    /// Sends a granted packet; `packet` is its record behind the link. `fifo` is the injection FIFO that it leaves, if any.
    pub(super) fn begin_on_link(
        &mut self,
        node: u32,
        port: usize,
        channel: usize,
        stored: Stored,
        fifo: Option<usize>,
    ) {
        let Stored { packet, offered, handle, source } = stored;
        let chunks = self.fabric.layout.chunks(packet);
        let mut kept = Kept {
            packet,
            offered,
            handle,
            source,
            channel: channel as u8,
            chunks,
            frame: Vec::new(),
            sent_at: self.now,
        };
        let place = node as usize * self.fabric.ports + port;
        let links = self.protocol.as_mut().expect("links have a protocol where their events happen");
        let bytes = bytes_of(&self.fabric, &kept, &links.state.damaged);
        let sender = &mut links.ends[place].sender;
        kept.frame = bytes.frame(sender.next_sequence(), self.fabric.frame_bytes(chunks));
        if let Some(fifo) = fifo {
            links.state.injection[node as usize][fifo].add(bytes.payload(&kept.frame));
        }
        sender.keep(kept.clone());
        self.transmit(node, port, kept);
        let timeout_cycles = self.links_mut().protocol.timeout_cycles;
        self.set_timer(node, port, self.now + u64::from(timeout_cycles));
    }

    /// Puts a frame on the wire.
    fn transmit(&mut self, node: u32, port: usize, mut packet: Kept) {
        let TransferCycles { wire, path, arrival } = *self.fabric.transfer_cycles(port, packet.chunks);
        let hop = u64::from(self.fabric.parameters.links[port / 2].hop_latency_cycles);
        let (now, next) = (self.now, self.fabric.neighbor(node, port));
        let wrong = self.make_errors(node, port, &mut packet.frame);
        self.links_mut().state.totals.frames += 1;
        self.end(node, port).wire_free_at = now + u64::from(wire);
        self.end(next, port ^ 1).frames.push_back(Flight { packet, is_wrong: wrong });
        self.schedule(now + u64::from(wire), node, Event::LinkFree { port });
        self.schedule(now + u64::from(arrival), next, Event::Frame { port: port ^ 1 });
        self.schedule(now + hop + u64::from(path), next, Event::FrameEnd { port: port ^ 1 });
    }

    /// Lets the wire behind a port change bits; whether it has.
    fn make_errors(&mut self, node: u32, port: usize, bytes: &mut [u8]) -> bool {
        let number = self.end(node, port).sender.count_transmission();
        let key = NodeKey::new(self.fabric.parameters.seed, node);
        let mut wrong = false;
        self.links_mut().errors.draw(&Transmission { key, port, number }, 8 * bytes.len(), |bit| {
            bytes[bit / 8] ^= 1 << (bit % 8);
            wrong = true;
        });
        wrong
    }

    fn set_timer(&mut self, node: u32, port: usize, time: u64) {
        if !std::mem::replace(&mut self.end(node, port).is_timer_set, true) {
            self.schedule(time, node, Event::LinkTimer { port });
        }
    }

    /// The head of a frame has come.
    pub(super) fn frame_arrives(&mut self, node: u32, port: usize) {
        let Flight { packet, is_wrong } =
            self.end(node, port).frames.pop_front().expect("a frame that arrives was sent");
        let bytes = self.fabric.packet_bytes(packet.chunks);
        let reception = self.end(node, port).receiver.receive(&packet.frame, bytes);
        let totals = &mut self.links_mut().state.totals;
        match reception {
            Reception::Accepted => self.accept(node, port, packet, is_wrong),
            Reception::OutOfSequence => totals.out_of_sequence += 1,
            Reception::Corrupted { in_header } => {
                totals.corrupted += 1;
                totals.corrupted_headers += u64::from(in_header);
            }
        }
    }

    fn accept(&mut self, node: u32, port: usize, packet: Kept, is_wrong: bool) {
        let links = self.protocol.as_mut().expect("links have a protocol where their events happen");
        let bytes = bytes_of(&self.fabric, &packet, &links.state.damaged);
        let (name, payload) = (bytes.record >> bytes.way_bits, bytes.payload(&packet.frame));
        let is_at_destination = self.fabric.layout.hint_bits(packet.packet) == 0;
        let is_received = is_at_destination || self.fabric.leaves_a_copy(packet.packet);
        let is_damaged = (is_wrong || is_received) && !bytes.is_intact(&packet.frame);
        links.state.totals.escapes += u64::from(is_wrong);
        links.state.totals.damaged_packets += u64::from(is_received && is_damaged);
        if is_at_destination {
            links.state.damaged.remove(&name);
        } else if is_damaged {
            links.state.damaged.insert(name, payload.to_vec());
        }
        let Kept { packet, offered, handle, source, channel, .. } = packet;
        let stored = Stored { packet, offered, handle, source };
        self.nodes[node as usize].arrive(&self.fabric, self.now, port, channel.into(), stored);
    }

    /// The tail of a frame has come: what has been accepted is acknowledged, and what was sent twice once more.
    pub(super) fn frame_ends(&mut self, node: u32, port: usize) {
        let end = self.end(node, port);
        end.receiver.announce();
        end.is_ack_due = true;
    }

    /// A packet has left a channel.
    pub(super) fn free_on_link(&mut self, node: u32, port: usize, channel: usize, tokens: u8) {
        let end = self.end(node, port);
        end.receiver.free(channel, tokens);
        end.is_ack_due = true;
    }

    /// An acknowledgement or a probe has come.
    pub(super) fn ack_arrives(&mut self, node: u32, port: usize) {
        let bytes = self.end(node, port).acks.pop_front().expect("an acknowledgement that arrives was sent");
        let (now, chunk_bytes) = (self.now, self.fabric.packet_bytes(1));
        match Ack::read(&bytes) {
            None => self.links_mut().state.totals.lost_acks += 1,
            Some(Ack { is_probe: true, .. }) => self.end(node, port).is_ack_due = true,
            Some(ack) => {
                let packet_bytes = |chunks| chunk_bytes * usize::from(chunks);
                let tokens = self.end(node, port).sender.acknowledge(&ack, now, packet_bytes);
                let sum = self.nodes[node as usize].tokens[port].iter_mut().zip(tokens);
                sum.for_each(|(all, back)| *all += back);
            }
        }
    }

    /// It may be time to send again, or to ask where tokens are.
    pub(super) fn link_timer(&mut self, node: u32, port: usize) {
        let (now, timeout_cycles) = (self.now, self.links_mut().protocol.timeout_cycles);
        let is_missing =
            |channel| self.nodes[node as usize].tokens[port][channel] < self.fabric.capacity[channel];
        let are_tokens_missing = (0..self.fabric.channels).any(is_missing);
        let end = self.end(node, port);
        end.is_timer_set = false;
        let due = match end.sender.deadline(timeout_cycles) {
            Some(deadline) => deadline,
            None if are_tokens_missing => end.sender.probe_deadline(timeout_cycles),
            None => return,
        };
        if due > now {
            return self.set_timer(node, port, due);
        }
        if end.sender.deadline(timeout_cycles).is_some() {
            end.sender.rewind();
            self.links_mut().state.totals.timeouts += 1;
        } else {
            end.sender.count_probe(now);
            end.is_probe_due = true;
        }
        self.set_timer(node, port, now + u64::from(timeout_cycles));
    }

    /// What goes out before new packets: acknowledgements and probes, then what is sent again. Tells arbitration which links
    /// it can have.
    pub(super) fn run_links(&mut self, node: u32) {
        let Some(links) = &self.protocol else { return };
        let LinkProtocol { explicit_acks, retransmission_fifo_bytes, .. } = links.protocol;
        let live_ports = links.live_ports[node as usize];
        let capacity_chunks = retransmission_fifo_bytes / self.fabric.parameters.packet.chunk_bytes;
        let (now, full_packet) = (self.now, self.fabric.full_packet);
        for port in (0..self.fabric.ports).filter(|port| live_ports >> port & 1 == 1) {
            let end = self.end(node, port);
            let is_free = end.wire_free_at <= now;
            if (end.is_ack_due || end.is_probe_due) && (is_free || !explicit_acks) {
                self.send_acks(node, port, explicit_acks);
            }
            let end = self.end(node, port);
            let again = if end.wire_free_at <= now { end.sender.send_again(now) } else { None };
            if let Some(packet) = again {
                self.links_mut().state.totals.retransmissions += 1;
                self.transmit(node, port, packet);
            }
            let end = self.end(node, port);
            let is_busy = end.wire_free_at > now || !end.sender.has_room(full_packet, capacity_chunks);
            self.nodes[node as usize].link_busy[port] = is_busy;
        }
    }

    /// Sends the acknowledgement and the probe that are due, one after the other where they hold the wire.
    fn send_acks(&mut self, node: u32, port: usize, hold_wire: bool) {
        let end = self.end(node, port);
        let ack = std::mem::take(&mut end.is_ack_due).then(|| end.receiver.ack());
        let probe = std::mem::take(&mut end.is_probe_due).then(|| Ack { is_probe: true, ..Ack::default() });
        let rate = u64::from(self.fabric.parameters.links[port / 2].cycles_per_byte);
        for frame in ack.into_iter().chain(probe) {
            let mut bytes = frame.bytes();
            self.make_errors(node, port, &mut bytes);
            let totals = &mut self.links_mut().state.totals;
            totals.acks += u64::from(!frame.is_probe);
            totals.probes += u64::from(frame.is_probe);
            let mut start = self.now;
            if hold_wire {
                let end = self.end(node, port);
                start = end.wire_free_at.max(start) + ACK_BYTES as u64 * rate;
                end.wire_free_at = start;
                self.schedule(start, node, Event::LinkFree { port });
            }
            let next = self.fabric.neighbor(node, port);
            self.end(next, port ^ 1).acks.push_back(bytes);
            let arrives = start + u64::from(self.fabric.token_latency());
            self.schedule(arrives, next, Event::Ack { port: port ^ 1, is_probe: frame.is_probe });
        }
    }

    /// Packets that a sender keeps and the other end has not accepted.
    pub(super) fn on_link(&self, node: u32, port: usize) -> impl Iterator<Item = &Kept> {
        self.protocol.iter().flat_map(move |links| {
            let next = self.fabric.neighbor(node, port);
            let accepted = links.ends[next as usize * self.fabric.ports + (port ^ 1)].receiver.expected();
            links.ends[node as usize * self.fabric.ports + port].sender.kept_from(accepted)
        })
    }

    /// Tokens that the other end has freed and a sender has not heard of.
    pub(super) fn unheard_tokens(&self, node: u32, port: usize, channel: usize) -> u8 {
        let Some(links) = &self.protocol else { return 0 };
        let next = self.fabric.neighbor(node, port);
        let freed = links.ends[next as usize * self.fabric.ports + (port ^ 1)].receiver.freed()[channel];
        freed.wrapping_sub(links.ends[node as usize * self.fabric.ports + port].sender.heard()[channel])
    }

    /// Writes down what is on its way over the links.
    pub(super) fn describe_links(&self, snapshot: &mut Snapshot) {
        for node in 0..self.nodes.len() as u32 {
            for port in (0..self.fabric.ports).filter(|&port| self.fabric.has_live_link(node, port)) {
                let next = self.fabric.neighbor(node, port);
                for kept in self.on_link(node, port) {
                    snapshot.packet_moves(next, port ^ 1, kept.channel.into());
                }
                for channel in (0..self.fabric.channels).filter(|&c| self.unheard_tokens(node, port, c) > 0) {
                    snapshot.tokens_return(node, port, channel);
                }
            }
        }
    }

    /// What can be said of the links.
    pub(super) fn report_on_links(&self) -> Option<LinkReport> {
        let links = self.protocol.as_ref()?;
        let ports = self.fabric.ports;
        let differs = |&(node, port): &(u32, usize)| {
            let next = self.fabric.neighbor(node, port) as usize;
            let (sent, sum) = links.ends[node as usize * ports + port].sender.checksum();
            let (received, other) = links.ends[next * ports + (port ^ 1)].receiver.checksum();
            sent == received && sum != other
        };
        let all = (0..self.nodes.len() as u32).flat_map(|node| (0..ports).map(move |port| (node, port)));
        let live = all.filter(|&(node, port)| self.fabric.has_live_link(node, port));
        let values = |fifos: &Vec<Checksum>| fifos.iter().map(|sum| sum.value()).collect();
        Some(LinkReport {
            totals: links.state.totals,
            mismatched: live.filter(differs).collect(),
            injection_checksums: links.state.injection.iter().map(values).collect(),
        })
    }
}
