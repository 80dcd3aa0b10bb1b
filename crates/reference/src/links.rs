//! Lossy links of the engine: the frames that cross each wire, and their times.
//!
//! ```text
//!   begin_on_link   stores and sends a granted packet
//!   Frame           its head arrives: the whole frame is checked, and passed on if it is accepted
//!   FrameEnd        its tail arrives: an acknowledgement is due
//!   Ack             an acknowledgement, or a probe, arrives
//!   LinkTimer       a retransmission or a probe may be due
//!   run_links       once per node per cycle: acknowledgements first, then retransmissions, then arbitration
//! ```

use super::{Event, ReferenceEngine};
use base::draws::NodeKey;
use network::deadlock::Snapshot;
use network::fabric::{Fabric, TransferCycles};
use network::link::{
    ACK_BYTES, Acceptance, Ack, AckState, BitErrors, Checksum, DamagedPayloads, Due, LinkProtocol,
    LinkReport, LinkTotals, Reception, Sender, Transmission, Unacknowledged, flip, verdict,
};
use network::packet::Stored;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A packet on a link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FramedPacket {
    /// The packet, with its record after the hop.
    pub(super) stored: Stored,
    /// The VC for which the packet is meant.
    pub(super) vc: u8,
    /// The packet's frame, as it was first sent.
    frame: Vec<u8>,
}

/// A frame on the wire, as it will arrive.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FrameInFlight {
    packet: FramedPacket,
    /// Whether some bits of the frame are wrong.
    is_wrong: bool,
}

/// A node's end of a pair of links: the sender of the outgoing link, and the receiver of the incoming one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LinkEnd {
    sender: Sender<FramedPacket>,
    /// Checksum of all packets acknowledged.
    sent_checksum: Checksum,
    acceptance: Acceptance,
    /// Checksum of all packets accepted.
    accepted_checksum: Checksum,
    /// The state that the next acknowledgement reports.
    announcement: AckState,
    /// The cycle from which the outgoing wire is free.
    wire_free_at: u64,
    /// Frames in flight to the receiver.
    frames: VecDeque<FrameInFlight>,
    /// Acknowledgements and probes in flight to this end.
    acks: VecDeque<[u8; ACK_BYTES]>,
    is_ack_due: bool,
    is_probe_due: bool,
    is_timer_set: bool,
}

/// All links of a machine.
pub(super) struct Links {
    protocol: LinkProtocol,
    errors: BitErrors,
    /// Ports of each node that have live links, as bits.
    live_ports: Vec<u16>,
    /// The link ends, by node and port.
    pub(super) ends: Vec<LinkEnd>,
    pub(super) state: LinkState,
}

/// The state that belongs to no single link.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LinkState {
    totals: LinkTotals,
    /// The checksum of each injection FIFO, by node and FIFO.
    injection: Vec<Vec<Checksum>>,
    damage: DamagedPayloads,
}

impl Links {
    pub(super) fn new(fabric: &Fabric) -> Option<Self> {
        let protocol = fabric.parameters.link_protocol?;
        let nodes = fabric.parameters.shape.nodes() as usize;
        let fifos = fabric.parameters.node.injection_fifos();
        Some(Links {
            protocol,
            errors: fabric.bit_errors(&protocol),
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

impl ReferenceEngine {
    fn links_mut(&mut self) -> &mut Links {
        self.protocol.as_mut().expect("only lossy links have these events")
    }

    fn end(&mut self, node: u32, port: usize) -> &mut LinkEnd {
        let index = node as usize * self.fabric.ports + port;
        &mut self.links_mut().ends[index]
    }

    /// Sends a granted packet. `stored` has its record after the hop. `fifo` is the injection FIFO that it leaves, if
    /// any.
    pub(super) fn begin_on_link(
        &mut self,
        node: u32,
        port: usize,
        vc: usize,
        stored: Stored,
        fifo: Option<usize>,
    ) {
        let chunks = self.fabric.layout.chunks(stored.packet);
        let (now, index) = (self.now, node as usize * self.fabric.ports + port);
        let links = self.protocol.as_mut().expect("only lossy links have these events");
        let bytes = links.state.damage.bytes_of(&self.fabric, stored.packet, vc);
        let sender = &mut links.ends[index].sender;
        let frame = bytes.frame(sender.next_sequence(), self.fabric.frame_bytes(chunks));
        if let Some(fifo) = fifo {
            links.state.injection[node as usize][fifo].add(bytes.payload(&frame));
        }
        let packet = FramedPacket { stored, vc: vc as u8, frame };
        sender.keep(Unacknowledged { content: packet.clone(), chunks, sent_at: now });
        let timeout_cycles = links.protocol.timeout_cycles;
        self.transmit(node, port, chunks, packet);
        self.set_timer(node, port, now + u64::from(timeout_cycles));
    }

    /// Puts a frame on the wire.
    fn transmit(&mut self, node: u32, port: usize, chunks: u8, mut packet: FramedPacket) {
        let TransferCycles { wire, path, arrival } = *self.fabric.transfer_cycles(port, chunks);
        let hop = u64::from(self.fabric.parameters.links[port / 2].hop_latency_cycles);
        let (now, next) = (self.now, self.fabric.neighbor(node, port));
        let wrong = self.apply_bit_errors(node, port, &mut packet.frame);
        self.links_mut().state.totals.frames += 1;
        self.end(node, port).wire_free_at = now + u64::from(wire);
        self.end(next, port ^ 1).frames.push_back(FrameInFlight { packet, is_wrong: wrong });
        self.schedule(now + u64::from(wire), node, Event::LinkFree { port });
        self.schedule(now + u64::from(arrival), next, Event::Frame { port: port ^ 1 });
        self.schedule(now + hop + u64::from(path), next, Event::FrameEnd { port: port ^ 1 });
    }

    /// Applies the bit errors of a port's wire; returns whether any occurred.
    fn apply_bit_errors(&mut self, node: u32, port: usize, bytes: &mut [u8]) -> bool {
        let number = self.end(node, port).sender.count_transmission();
        let key = NodeKey::new(self.fabric.parameters.seed, node);
        let mut wrong = false;
        self.links_mut().errors.draw(&Transmission { key, port, number }, 8 * bytes.len(), |bit| {
            flip(bytes, bit);
            wrong = true;
        });
        wrong
    }

    fn set_timer(&mut self, node: u32, port: usize, time: u64) {
        if !std::mem::replace(&mut self.end(node, port).is_timer_set, true) {
            self.schedule(time, node, Event::LinkTimer { port });
        }
    }

    /// The head of a frame has arrived.
    pub(super) fn frame_arrives(&mut self, node: u32, port: usize) {
        let FrameInFlight { packet, is_wrong } =
            self.end(node, port).frames.pop_front().expect("a frame that arrives was sent");
        let bytes = self.fabric.packet_bytes(self.fabric.layout.chunks(packet.stored.packet));
        let end = self.end(node, port);
        let reception = end.acceptance.judge(verdict(&packet.frame, bytes));
        match reception {
            Reception::Accepted => {
                end.accepted_checksum.add(&packet.frame[..bytes]);
                self.accept(node, port, packet, is_wrong);
            }
            Reception::OutOfSequence | Reception::Corrupted { .. } => {
                self.links_mut().state.totals += reception.counted();
            }
        }
    }

    fn accept(&mut self, node: u32, port: usize, packet: FramedPacket, is_wrong: bool) {
        let FramedPacket { stored, vc, frame } = packet;
        let links = self.protocol.as_mut().expect("only lossy links have these events");
        links.state.totals += links.state.damage.accept(&self.fabric, stored.packet, &frame, is_wrong);
        self.nodes[node as usize].arrive(&self.fabric, self.now, port, vc.into(), stored);
    }

    /// The tail of a frame has arrived: an acknowledgement of all accepted packets is due, also after a duplicate
    /// frame.
    pub(super) fn frame_ends(&mut self, node: u32, port: usize) {
        let end = self.end(node, port);
        end.announcement.set_accepted(end.acceptance.expected());
        end.is_ack_due = true;
    }

    /// A packet has left a VC.
    pub(super) fn free_on_link(&mut self, node: u32, port: usize, vc: usize, credits: u8) {
        let end = self.end(node, port);
        end.announcement.free(vc, credits);
        end.is_ack_due = true;
    }

    /// An acknowledgement or a probe has arrived.
    pub(super) fn ack_arrives(&mut self, node: u32, port: usize) {
        let bytes = self.end(node, port).acks.pop_front().expect("an acknowledgement that arrives was sent");
        let (now, chunk_bytes) = (self.now, self.fabric.packet_bytes(1));
        match Ack::read(&bytes) {
            None => self.links_mut().state.totals.lost_acks += 1,
            Some(Ack { is_probe: true, .. }) => self.end(node, port).is_ack_due = true,
            Some(ack) => {
                let LinkEnd { sender, sent_checksum, .. } = self.end(node, port);
                let credits = sender.acknowledge(&ack, now, |kept| {
                    sent_checksum.add(&kept.content.frame[..chunk_bytes * usize::from(kept.chunks)]);
                });
                let sum = self.nodes[node as usize].credits[port].iter_mut().zip(credits);
                sum.for_each(|(all, back)| *all += back);
            }
        }
    }

    /// A retransmission or a probe may be due.
    pub(super) fn link_timer(&mut self, node: u32, port: usize) {
        let (now, timeout_cycles) = (self.now, self.links_mut().protocol.timeout_cycles);
        let is_missing = |vc| self.nodes[node as usize].credits[port][vc] < self.fabric.capacity[vc];
        let are_credits_missing = (0..self.fabric.vcs).any(is_missing);
        let end = self.end(node, port);
        end.is_timer_set = false;
        let next = match end.sender.check_timer(now, timeout_cycles, are_credits_missing) {
            Due::Nothing => return,
            Due::Later(time) => time,
            Due::Retransmit => {
                self.links_mut().state.totals.timeouts += 1;
                now + u64::from(timeout_cycles)
            }
            Due::Probe => {
                end.is_probe_due = true;
                now + u64::from(timeout_cycles)
            }
        };
        self.set_timer(node, port, next);
    }

    /// Sends all that precedes new packets: acknowledgements and probes, then retransmissions. Marks the links that
    /// arbitration may not use.
    pub(super) fn run_links(&mut self, node: u32) {
        let Some(links) = &self.protocol else { return };
        let explicit_acks = links.protocol.explicit_acks;
        let live_ports = links.live_ports[node as usize];
        let capacity_chunks = self.fabric.retransmission_chunks(&links.protocol);
        let (now, full_packet) = (self.now, self.fabric.full_packet);
        for port in (0..self.fabric.ports).filter(|port| live_ports >> port & 1 == 1) {
            let end = self.end(node, port);
            let is_free = end.wire_free_at <= now;
            if (end.is_ack_due || end.is_probe_due) && (is_free || !explicit_acks) {
                self.send_acks(node, port, explicit_acks);
            }
            let end = self.end(node, port);
            let again = if end.wire_free_at <= now { end.sender.retransmit(now) } else { None };
            if let Some(Unacknowledged { content, chunks, .. }) = again.map(|(_, kept)| kept.clone()) {
                self.links_mut().state.totals.retransmissions += 1;
                self.transmit(node, port, chunks, content);
            }
            let end = self.end(node, port);
            let is_busy = end.wire_free_at > now || !end.sender.has_room(full_packet, capacity_chunks);
            self.nodes[node as usize].link_busy[port] = is_busy;
        }
    }

    /// Sends the acknowledgement and the probe that are due. If `hold_wire`, they occupy the wire, one after the other.
    fn send_acks(&mut self, node: u32, port: usize, hold_wire: bool) {
        let end = self.end(node, port);
        let ack = std::mem::take(&mut end.is_ack_due).then(|| end.announcement.ack());
        let probe = std::mem::take(&mut end.is_probe_due).then(|| Ack { is_probe: true, ..Ack::default() });
        let rate = self.fabric.parameters.links[port / 2].cycles_per_byte;
        for frame in ack.into_iter().chain(probe) {
            let mut bytes = frame.bytes();
            self.apply_bit_errors(node, port, &mut bytes);
            let totals = &mut self.links_mut().state.totals;
            totals.acks += u64::from(!frame.is_probe);
            totals.probes += u64::from(frame.is_probe);
            let mut start = self.now;
            if hold_wire {
                let end = self.end(node, port);
                start = end.wire_free_at.max(start) + u64::from(rate.cycles_of(ACK_BYTES as u32));
                end.wire_free_at = start;
                self.schedule(start, node, Event::LinkFree { port });
            }
            let next = self.fabric.neighbor(node, port);
            self.end(next, port ^ 1).acks.push_back(bytes);
            let arrives = start + u64::from(self.fabric.credit_latency());
            self.schedule(arrives, next, Event::Ack { port: port ^ 1, is_probe: frame.is_probe });
        }
    }

    /// Packets that the sender at `port` stores and the other end has not accepted.
    pub(super) fn on_link(&self, node: u32, port: usize) -> impl Iterator<Item = &FramedPacket> {
        self.protocol.iter().flat_map(move |links| {
            let next = self.fabric.neighbor(node, port);
            let accepted = links.ends[next as usize * self.fabric.ports + (port ^ 1)].acceptance.expected();
            let sender = &links.ends[node as usize * self.fabric.ports + port].sender;
            sender.stored_from(accepted).map(|kept| &kept.content)
        })
    }

    /// Credits that the other end has freed and not yet reported to the sender.
    pub(super) fn unreported_credits(&self, node: u32, port: usize, vc: usize) -> u8 {
        let Some(links) = &self.protocol else { return 0 };
        let next = self.fabric.neighbor(node, port);
        let freed = links.ends[next as usize * self.fabric.ports + (port ^ 1)].announcement.freed()[vc];
        freed.wrapping_sub(links.ends[node as usize * self.fabric.ports + port].sender.reported_freed()[vc])
    }

    /// Adds the packets and credits in flight on the links to a snapshot.
    pub(super) fn add_links_to(&self, snapshot: &mut Snapshot) {
        for node in 0..self.nodes.len() as u32 {
            for port in (0..self.fabric.ports).filter(|&port| self.fabric.has_live_link(node, port)) {
                let next = self.fabric.neighbor(node, port);
                for kept in self.on_link(node, port) {
                    snapshot.packet_moves(next, port ^ 1, kept.vc.into());
                }
                for vc in (0..self.fabric.vcs).filter(|&c| self.unreported_credits(node, port, c) > 0) {
                    snapshot.credits_return(node, port, vc);
                }
            }
        }
    }

    /// The report on the links.
    pub(super) fn report_on_links(&self) -> Option<LinkReport> {
        let links = self.protocol.as_ref()?;
        let ports = self.fabric.ports;
        let differs = |&(node, port): &(u32, usize)| {
            let next = self.fabric.neighbor(node, port) as usize;
            let (here, there) =
                (&links.ends[node as usize * ports + port], &links.ends[next * ports + (port ^ 1)]);
            here.sender.acknowledged() == there.acceptance.expected()
                && here.sent_checksum != there.accepted_checksum
        };
        let retransmissions = |(node, port): (u32, usize)| {
            let number = links.ends[node as usize * ports + port].sender.retransmissions();
            (number > 0).then_some((node, port, number))
        };
        let all = (0..self.nodes.len() as u32).flat_map(|node| (0..ports).map(move |port| (node, port)));
        let live = all.filter(|&(node, port)| self.fabric.has_live_link(node, port));
        let values = |fifos: &Vec<Checksum>| fifos.iter().map(|sum| sum.value()).collect();
        Some(LinkReport {
            totals: links.state.totals,
            retransmissions: live.clone().filter_map(retransmissions).collect(),
            mismatched: live.filter(differs).collect(),
            injection_checksums: links.state.injection.iter().map(values).collect(),
        })
    }
}
