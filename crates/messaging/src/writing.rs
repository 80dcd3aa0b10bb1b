//! How a rank's messages become packets, and how a core writes them.

use crate::core::{Given, Local, Task};
use crate::lines::Way;
use crate::packetizer::{MAX_MESSAGE_BYTES, PacketRequest, minimal_routes, packet};
use crate::ranks::{Envelope, Message, Operation};
use crate::sends::{Full, Outgoing};
use crate::spread::Spreading;
use crate::transfer::Kind;
use crate::turn::{Step, Turn};
use network::node::choice::FifoRequest;
use network::node::forward::Forwarded;
use network::node::software::Resume;
use network::packet::{Stored, Tag};
use network::{LaneKind, Offer};
use std::ops::Range;

/// Full packets that are kept in an infinite FIFO over which messages are spread, while there are more: with so many it
/// is as full as routers can tell, also when one of them has left.
const KEPT: u32 = 5;

/// Of the number of a transfer that is no message of its rank.
const CONTROL: u32 = 1 << 31;

impl Turn<'_, '_> {
    /// Sends a message of the rank at processor cycle `time`.
    pub fn send(&mut self, operation: &Operation, time: u64) {
        let Operation::Send { target, bytes, envelope, reports, synchronous } = *operation else {
            unreachable!("it is a send")
        };
        let message = self.new_message((bytes, envelope), 1);
        assert!(
            target < self.setup.map.ranks(),
            "rank {} sends to rank {target}, which does not exist",
            message.source
        );
        let is_local = self.setup.map.place(target).node == self.io.node;
        let is_rendezvous = synchronous || self.setup.parameters.is_rendezvous(bytes);
        let is_eager = !is_rendezvous && (is_local || self.take_credit(target));
        let kind = if is_eager { Kind::Eager } else { Kind::Request };
        if is_local {
            return self.send_local(self.setup.line(target), Local { message, kind, reports }, time);
        }
        let outgoing = self.outgoing(kind, target, message, reports);
        self.queue(self.number, outgoing, time);
    }

    /// The next message of the rank, to so many others.
    pub fn new_message(&mut self, (bytes, envelope): (u64, Envelope), receivers: u32) -> Message {
        let rank = self.rank();
        let (source, number) = (rank.number, rank.messages);
        rank.messages += 1;
        assert!(bytes <= MAX_MESSAGE_BYTES, "rank {source} sends a message of {bytes} bytes");
        let (totals, receivers) = (&mut self.shared.totals, u64::from(receivers));
        totals.messages_sent += receivers;
        totals.bytes_sent += bytes * receivers;
        Message { source, number, bytes, envelope }
    }

    /// Sends what is no message of a rank, from the rank of a core to another.
    pub fn send_control(&mut self, core: usize, target: u32, kind: Kind, envelope: Envelope, time: u64) {
        let rank = self.cores[core].rank.as_mut().expect("a rank answers another");
        let message = Message { source: rank.number, number: CONTROL | rank.controls, bytes: 0, envelope };
        rank.controls += 1;
        let outgoing = self.outgoing(kind, target, message, false);
        self.queue(core, outgoing, time);
    }

    pub fn outgoing(&self, kind: Kind, target: u32, message: Message, reports: bool) -> Outgoing {
        let place = self.setup.map.place(target);
        Outgoing {
            kind,
            target,
            place,
            way: None,
            message,
            first_packet: 0,
            packets: 0,
            written: 0,
            sent: 0,
            reports,
            routes: None,
        }
    }

    /// Begins a transfer at processor cycle `time`.
    pub fn queue(&mut self, core: usize, outgoing: Outgoing, time: u64) {
        self.begin_transfer(outgoing.receivers());
        let protocol = (self.protocol_of)(outgoing.kind);
        let bytes = outgoing.message.bytes;
        let packets = protocol.packets(self.setup, bytes);
        let chunks = |index: u32| protocol.chunks(self.setup, bytes, index);
        let smallest = chunks(0).min(chunks(packets - 1));
        let source = outgoing.message.source;
        assert!(smallest >= self.setup.smallest_chunks, "rank {source} sends a packet of {smallest} chunks");
        let first_packet = self.shared.packets;
        self.shared.packets += u64::from(packets);
        self.shared.totals.packets_sent += u64::from(packets) * outgoing.receivers();
        let sent = self.clock().cycle_of(time);
        let outgoing = Outgoing { first_packet, packets, sent, ..outgoing };
        if self.setup.spreads && outgoing.kind == Kind::Eager {
            self.spread(outgoing, time);
        } else {
            self.cores[core].sends.push(self.pool, outgoing);
            if core != self.number {
                self.hand_over(time);
            }
        }
    }

    /// Begins to write a packet that the node forwards. Until it can, the core reads nothing.
    pub fn forward(&mut self, forwarded: &Forwarded) -> Step {
        let Forwarded { offer, stored, number } = *forwarded;
        let request = FifoRequest { is_finite: true, ..self.request(&offer, number) };
        match request.choose(self.io, || offer.hops) {
            None => Step::Wait(Resume::when_room()),
            Some(fifo) => {
                self.core().to_forward.pop_front();
                let start = self.start();
                self.write(fifo, offer.chunks, stored, None, start, 0);
                Step::Done
            }
        }
    }

    pub fn request(&mut self, offer: &Offer, sequence: u64) -> FifoRequest {
        FifoRequest {
            set: self.set(),
            core: self.core_number(),
            high_priority: offer.class.high_priority,
            in_order: offer.class.deterministic,
            chunks: offer.chunks,
            sequence,
            written: self.core().written,
            is_finite: false,
        }
    }

    /// Begins to write the next packet of the core's messages; if none can be written, tells what it waits for.
    pub fn write_next(&mut self) -> Result<(), Resume> {
        if self.setup.dma_line.is_some() && !self.is_dma() {
            return self.describe_next();
        }
        let (fabric, node) = (self.io.fabric, self.io.node);
        if let Some(Full { fifo, chunks }) = self.cores[self.number].sends.full
            && !self.io.has_room(fifo, chunks, false)
        {
            return Err(Resume::when_room());
        }
        let Some(first) = self.cores[self.number].sends.first(self.pool) else {
            return Err(Resume::IDLE);
        };
        if fabric.is_paced(false) && fabric.window_is_full(self.shared.unacknowledged) {
            return Err(Resume::IDLE); // an acknowledgement will wake the software
        }
        let protocol = (self.protocol_of)(first.kind);
        let index = first.written;
        let sequence = first.first_packet + u64::from(index);
        let chunks = protocol.chunks(self.setup, first.message.bytes, index);
        let (target, way) = (first.place, first.way);
        let is_deterministic = protocol.is_deterministic(self.setup);
        let request = PacketRequest { target, way, sequence, chunks, is_deterministic };
        let offer = packet(fabric, node, request, &mut first.routes);
        let outgoing = *first;
        let fifo = self.fifo_for(&offer, &outgoing, sequence)?;
        if index == 0 {
            self.announce(&outgoing);
        }
        // As for packets of a source: the age of what has been waiting since cycle 0 counts from here.
        let offered = if outgoing.sent == 0 { self.io.now } else { outgoing.sent };
        let stored = Stored { offered, ..self.stored(&outgoing, &offer, sequence) };
        self.shared.unacknowledged += u32::from(fabric.is_paced(false));
        self.cores[self.number].sends.advance(self.pool);
        let is_last = index + 1 == outgoing.packets;
        let reports = (is_last && protocol.send_done(self, &outgoing) && outgoing.reports)
            .then_some(outgoing.message.number);
        let is_described = self.is_dma();
        if is_described && is_last {
            self.free_descriptor(outgoing.message.source);
        }
        let setup = if index == 0 && !is_described { protocol.setup(&self.setup.parameters) } else { 0 };
        let start = self.start();
        match fifo {
            Some(fifo) => self.write(fifo, chunks, stored, reports, start, setup),
            None => {
                let packet = Forwarded { offer, stored, number: sequence };
                self.begin_give(Given { packet, reports }, start, setup);
            }
        }
        Ok(())
    }

    /// The FIFO for a packet of a message; none if the co-processor will choose it.
    fn fifo_for(
        &mut self,
        offer: &Offer,
        outgoing: &Outgoing,
        sequence: u64,
    ) -> Result<Option<usize>, Resume> {
        if self.setup.has_coprocessors() {
            return self.can_give().then_some(None).ok_or(Resume::IDLE);
        }
        let core = if self.is_dma() { self.core_of_message(outgoing) } else { self.core_number() };
        let set = self.io.fabric.fifo_sets.of_core(core);
        let request = FifoRequest { set, core, ..self.request(offer, sequence) };
        if let Some(fifo) = request.choose(self.io, || offer.hops) {
            return Ok(Some(fifo));
        }
        if request.in_order {
            let fifo = request.fifo_in_order(self.io, &offer.hops);
            self.core().sends.full = Some(Full { fifo, chunks: offer.chunks });
        }
        Err(Resume::when_room())
    }

    /// A packet of a message as the network carries it.
    pub fn stored(&self, outgoing: &Outgoing, offer: &Offer, sequence: u64) -> Stored {
        Stored {
            packet: self.io.fabric.layout.pack(self.io.node, LaneKind::Mixed, sequence, offer),
            offered: outgoing.sent,
            tag: Tag {
                action: offer.forward_action.code(),
                rank: outgoing.message.source,
                message: outgoing.kind.name(outgoing.message.number),
            },
            source: self.io.node,
        }
    }

    /// Begins to write a packet, after `setup` processor cycles for its message.
    pub fn write(
        &mut self,
        fifo: usize,
        chunks: u8,
        packet: Stored,
        reports: Option<u32>,
        start: u64,
        setup: u32,
    ) {
        self.io.begin_write(fifo, chunks);
        self.core().written = self.core().written.wrapping_add(1);
        let cycles = self.write_cycles(chunks) + u64::from(setup);
        self.begin(Task::Write { fifo, packet, reports }, start, start + cycles);
    }

    /// Processor cycles to write a packet, of the engine or the core that does.
    fn write_cycles(&self, chunks: u8) -> u64 {
        let parameters = &self.setup.parameters;
        parameters.dma.map_or_else(|| parameters.write(chunks), |dma| dma.packet(chunks))
    }

    /// A packet has been written.
    pub fn end_write(&mut self, fifo: usize, packet: Stored, reports: Option<u32>, time: u64) {
        self.io.write(fifo, packet, time);
        if let Some(number) = reports {
            let time = self.core().free_at;
            self.report(packet.tag.rank, number, time);
        }
    }

    /// Gives the packets of a message to the FIFOs of the core, all in this cycle.
    fn spread(&mut self, mut outgoing: Outgoing, time: u64) {
        self.announce(&outgoing);
        if let Some(way) = outgoing.way {
            self.put_in_order(outgoing, way);
        } else {
            outgoing.routes = minimal_routes(self.io.fabric, self.io.node, outgoing.place.node);
            match outgoing.packets {
                1 => self.put_in_emptiest(outgoing),
                _ => self.spread_over_all(outgoing),
            }
        }
        if outgoing.reports {
            self.report(outgoing.message.source, outgoing.message.number, time);
        }
    }

    /// By FIFO: chunks in it, and chunks still to come.
    fn levels(&self, fifos: Range<usize>) -> impl Iterator<Item = u64> {
        fifos.map(|fifo| u64::from(self.io.chunks(fifo)) + self.unwritten[fifo])
    }

    /// Gives a message of one packet to the emptiest FIFO: at once, if no other is before it.
    fn put_in_emptiest(&mut self, outgoing: Outgoing) {
        let set = self.set();
        let fifos = self.io.fabric.fifo_sets.fifos(set, false);
        let emptiest = self.levels(fifos.clone()).enumerate().min_by_key(|&(_, level)| level);
        let (place, _) = emptiest.expect("a core has FIFOs");
        let fifo = fifos.start + place;
        let is_next = self.unwritten[fifo] == 0 && self.has_few(fifo);
        self.unwritten[fifo] += u64::from(self.setup.packetizer.chunks(outgoing.message.bytes, 0));
        match is_next {
            true => self.give(fifo, &outgoing, 0),
            false => self.spreads[set].push(Spreading::in_one(outgoing, place)),
        }
    }

    /// Gives a message along a line to the FIFO of its direction.
    fn put_in_order(&mut self, outgoing: Outgoing, way: Way) {
        let set = self.set();
        let fifos = self.io.fabric.fifo_sets.fifos(set, false);
        let place = way.direction.index() % fifos.len();
        let last = outgoing.packets - 1;
        let chunks = self.setup.packetizer.chunks(outgoing.message.bytes, last);
        self.unwritten[fifos.start + place] += u64::from(last) * self.full_packet() + u64::from(chunks);
        self.spreads[set].push(Spreading::in_one(outgoing, place));
        self.fill(set);
    }

    fn spread_over_all(&mut self, outgoing: Outgoing) {
        let set = self.set();
        let fifos = self.io.fabric.fifo_sets.fifos(set, false);
        let spreading = Spreading::new(outgoing, self.levels(fifos.clone()));
        let size = self.full_packet();
        for (place, fifo) in fifos.clone().enumerate() {
            self.unwritten[fifo] += u64::from(spreading.packets_of(place, size)) * size;
        }
        let last = self.setup.packetizer.chunks(outgoing.message.bytes, outgoing.packets - 1);
        self.unwritten[fifos.start + spreading.fifo_of_last(size)] -= size - u64::from(last);
        self.spreads[set].push(spreading);
        self.fill(set);
    }

    fn full_packet(&self) -> u64 {
        self.io.fabric.full_packet.into()
    }

    /// Fills the FIFOs of a set with packets of the messages that are spread over them.
    pub fn fill(&mut self, set: usize) {
        if self.spreads.get(set).is_none_or(|spread| spread.is_empty()) {
            return;
        }
        let size = self.full_packet();
        for (place, fifo) in self.io.fabric.fifo_sets.fifos(set, false).enumerate() {
            while self.unwritten[fifo] > 0 && self.has_few(fifo) {
                let next = self.spreads[set].take(place, size);
                let (outgoing, index) = next.expect("a message has packets for the FIFO");
                self.give(fifo, &outgoing, index);
            }
        }
    }

    /// Whether an infinite FIFO may have another packet of a message that is spread.
    fn has_few(&self, fifo: usize) -> bool {
        self.io.chunks(fifo) < KEPT * u32::from(self.io.fabric.full_packet)
    }

    /// Puts packet `index` of a message into a FIFO, as if it had been there since the message was sent.
    fn give(&mut self, fifo: usize, outgoing: &Outgoing, index: u32) {
        let sequence = outgoing.first_packet + u64::from(index);
        let chunks = self.setup.packetizer.chunks(outgoing.message.bytes, index);
        let mut routes = outgoing.routes;
        let Outgoing { place: target, way, .. } = *outgoing;
        let request = PacketRequest { target, way, sequence, chunks, is_deterministic: false };
        let offer = packet(self.io.fabric, self.io.node, request, &mut routes);
        let stored = self.stored(outgoing, &offer, sequence);
        self.unwritten[fifo] -= u64::from(chunks);
        self.io.begin_write(fifo, chunks);
        self.io.write(fifo, stored, outgoing.sent);
    }
}
