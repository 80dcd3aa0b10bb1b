//! How a rank's messages become packets, and how a core writes them.

use crate::core::{Given, Local, Task};
use crate::lines::Span;
use crate::packetizer::{MAX_MESSAGE_BYTES, Made, PacketRequest, make, packet};
use crate::ranks::{Envelope, Message, MessageId, Operation};
use crate::sends::{Full, Outgoing, Sizes, Way};
use crate::spread::Spreading;
use crate::transfer::Kind;
use crate::turn::{Step, Turn};
use network::node::choice::{FifoRequest, longest_direction};
use network::node::forward::Forwarded;
use network::node::software::{NodeIo, Resume};
use network::packet::{Packet, Stored, Tag};
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
        let lacks_credit = !is_eager && !is_rendezvous;
        if is_local {
            return self.send_local(self.setup.line(target), Local { message, kind, reports }, time);
        }
        let outgoing = Outgoing { lacks_credit, ..self.outgoing(kind, target, message, reports) };
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
        let (core, time) = (self.number, self.core().free_at);
        self.observe_passage(core, MessageId { source, number }, true, time);
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
            span: None,
            message,
            first_packet: 0,
            packets: 0,
            written: 0,
            sent: 0,
            reports,
            lacks_credit: false,
            sizes: None,
            way: Way::Unknown,
        }
    }

    /// Begins a transfer at processor cycle `time`.
    pub fn queue(&mut self, core: usize, outgoing: Outgoing, time: u64) {
        self.begin_transfer(outgoing.receivers());
        let protocol = (self.protocol_of)(outgoing.kind);
        let bytes = outgoing.message.bytes;
        let packets = protocol.packets(self.setup, bytes);
        let sizes = Sizes::of(protocol, self.setup, bytes, packets);
        let (source, smallest) = (outgoing.message.source, sizes.first.min(sizes.last));
        assert!(smallest >= self.setup.smallest_chunks, "rank {source} sends a packet of {smallest} chunks");
        let first_packet = self.shared.packets;
        self.shared.packets += u64::from(packets);
        self.shared.totals.packets_sent += u64::from(packets) * outgoing.receivers();
        let sent = self.clock().cycle_of(time);
        let outgoing = Outgoing { first_packet, packets, sent, sizes: Some(sizes), ..outgoing };
        if self.setup.spreads && outgoing.kind.is_spread() {
            self.spread(&outgoing, time);
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
        match request.choose(self.io, || longest_direction(&offer.hops)) {
            Err(blocked) => Step::Wait(blocked),
            Ok(fifo) => {
                self.core().to_forward.pop_front();
                let start = self.start();
                self.write(fifo, offer.chunks, stored, None, start, 0);
                Step::Done
            }
        }
    }

    pub fn request(&mut self, offer: &Offer, sequence: u64) -> FifoRequest {
        FifoRequest {
            set: self.set,
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
    #[inline]
    pub fn write_next(&mut self) -> Result<(), Resume> {
        let sends = &self.cores[self.number].sends;
        if sends.is_empty() {
            return Err(Resume::IDLE);
        }
        if let Some(Full { fifo, chunks }) = sends.full
            && !self.io.has_room(fifo, chunks, false)
        {
            return Err(Resume::when_room(fifo..fifo + 1));
        }
        if !self.setup.passes {
            return self.write_after(0);
        }
        let mut blocked = Resume::IDLE;
        for passed in 0..self.cores[self.number].sends.peers() {
            match self.write_after(passed) {
                Ok(()) => return Ok(()),
                Err(resume) => blocked = blocked.or(resume),
            }
        }
        Err(blocked)
    }

    /// Begins to write the next packet to the peer after some that are passed over, if there is room for it.
    fn write_after(&mut self, passed: usize) -> Result<(), Resume> {
        if self.setup.dma_line.is_some() && !self.is_dma() {
            return self.describe_next();
        }
        let (fabric, node) = (self.io.fabric, self.io.node);
        if fabric.is_paced(false) && fabric.window_is_full(self.shared.unacknowledged) {
            return Err(Resume::IDLE); // an acknowledgement will wake the software
        }
        let first = self.cores[self.number].sends.after(self.pool, passed).expect("a message is next");
        let (index, packets) = (first.written, first.packets);
        let sequence = first.first_packet + u64::from(index);
        let sizes = *first.sizes.get_or_insert_with(|| {
            Sizes::of((self.protocol_of)(first.kind), self.setup, first.message.bytes, packets)
        });
        let chunks = sizes.chunks(index, packets, fabric.full_packet);
        let costs = self.setup.costs_of(first.kind);
        let is_deterministic = costs.is_deterministic;
        let request = PacketRequest {
            target: first.place,
            span: first.span,
            sequence,
            chunks,
            is_deterministic,
            turns: false,
        };
        if self.setup.has_coprocessors() {
            return self.give_next(&request);
        }
        let made = make(fabric, node, &request, &mut first.way);
        let (source, way) = (first.message.source, first.way);
        let (made, fifo) = match self.fifo_for(&made, source, &request) {
            Ok(fifo) => (made, fifo),
            Err(full) => self.turned(request, way, source).map_err(|other| other.or(full))?,
        };
        self.cores[self.number].sends.pass(passed);
        let (stored, reports) = self.take_packet(made.nameless, made.action, sequence);
        let setup = if index == 0 && !self.is_dma() { costs.setup } else { 0 };
        let start = self.start();
        self.write(fifo, chunks, stored, reports, start, setup);
        Ok(())
    }

    /// The same packet by the other way round a ring, and a FIFO for it, where packets may pass others.
    fn turned(&mut self, request: PacketRequest, mut way: Way, source: u32) -> Result<(Made, usize), Resume> {
        if !self.setup.passes || !matches!(way, Way::Several(_)) {
            return Err(Resume::IDLE);
        }
        let request = PacketRequest { turns: true, ..request };
        let made = make(self.io.fabric, self.io.node, &request, &mut way);
        let fifo = self.fifo_for(&made, source, &request)?;
        Ok((made, fifo))
    }

    /// Begins to give the next packet to the co-processor.
    fn give_next(&mut self, request: &PacketRequest) -> Result<(), Resume> {
        if !self.can_give() {
            return Err(Resume::IDLE);
        }
        let (fabric, node) = (self.io.fabric, self.io.node);
        let first = self.cores[self.number].sends.first(self.pool).expect("a message is next");
        let setup = if first.written == 0 { self.setup.costs_of(first.kind).setup } else { 0 };
        let offer = packet(fabric, node, request, &mut first.way);
        let (nameless, action) = (fabric.layout.nameless(&offer), offer.forward_action.code());
        let (stored, reports) = self.take_packet(nameless, action, request.sequence);
        let packet = Forwarded { offer, stored, number: request.sequence };
        let start = self.start();
        self.begin_give(Given { packet, reports }, start, setup);
        Ok(())
    }

    /// Takes the next packet of the core's messages, announced if it is the first of its message; with the number of that if
    /// it is the last, and its rank is to hear of it.
    fn take_packet(&mut self, nameless: Packet, action: u32, sequence: u64) -> (Stored, Option<u32>) {
        let first = self.cores[self.number].sends.first(self.pool).expect("a message is next");
        // As for packets of a source: the age of what has been waiting since cycle 0 counts from here.
        let offered = if first.sent == 0 { self.io.now } else { first.sent };
        let stored = stored(self.io, first, (nameless, action, sequence));
        let stored = Stored { offered, ..stored };
        let (begins, ends) = (first.written == 0, first.written + 1 == first.packets);
        let outgoing = (begins || ends).then_some(*first);
        if let Some(outgoing) = outgoing.filter(|_| begins) {
            self.announce(&outgoing);
        }
        self.shared.unacknowledged += u32::from(self.io.fabric.is_paced(false));
        self.cores[self.number].sends.advance(self.pool);
        (stored, outgoing.filter(|_| ends).and_then(|outgoing| self.end_making(&outgoing)))
    }

    /// All packets of a message have been made; its number if its rank is to hear when the last has been written.
    fn end_making(&mut self, outgoing: &Outgoing) -> Option<u32> {
        if self.is_dma() {
            self.free_descriptor(outgoing.message.source);
        }
        let is_done = (self.protocol_of)(outgoing.kind).send_done(self, outgoing);
        (is_done && outgoing.reports).then_some(outgoing.message.number)
    }

    /// The FIFO for a packet of a message of a rank of the node.
    fn fifo_for(&mut self, made: &Made, source: u32, packet: &PacketRequest) -> Result<usize, Resume> {
        let (core, set) = match self.is_dma() {
            false => (self.core_number(), self.set),
            true => {
                let core = self.core_of_message(source);
                (core, self.io.fabric.fifo_sets.of_core(core))
            }
        };
        let request = FifoRequest {
            set,
            core,
            high_priority: false,
            in_order: packet.is_deterministic,
            chunks: packet.chunks,
            sequence: packet.sequence,
            written: self.core().written,
            is_finite: false,
        };
        let chosen = request.choose(self.io, || made.direction());
        if chosen.is_err() && request.in_order {
            let fifo = request.fifo_in_order(self.io, made.direction());
            self.core().sends.full = Some(Full { fifo, chunks: packet.chunks });
        }
        chosen
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
    fn spread(&mut self, outgoing: &Outgoing, time: u64) {
        self.announce(outgoing);
        match outgoing.span {
            Some(span) => self.put_in_order(outgoing, span),
            None if outgoing.packets == 1 => self.put_in_emptiest(outgoing),
            None => self.spread_over_all(*outgoing),
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
    fn put_in_emptiest(&mut self, outgoing: &Outgoing) {
        let set = self.set;
        let fifos = self.io.fabric.fifo_sets.fifos(set, false);
        let emptiest = self.levels(fifos.clone()).enumerate().min_by_key(|&(_, level)| level);
        let (place, _) = emptiest.expect("a core has FIFOs");
        let fifo = fifos.start + place;
        let is_next = self.unwritten[fifo] == 0 && self.has_few(fifo);
        self.unwritten[fifo] += u64::from(self.setup.packetizer.chunks(outgoing.message.bytes, 0));
        match is_next {
            true => self.give(fifo, outgoing, 0),
            false => self.spreads[set].push(Spreading::in_one(*outgoing, place)),
        }
    }

    /// Gives a message along a line to the FIFO of its direction.
    fn put_in_order(&mut self, outgoing: &Outgoing, span: Span) {
        let set = self.set;
        let fifos = self.io.fabric.fifo_sets.fifos(set, false);
        let place = span.direction.index() % fifos.len();
        let last = outgoing.packets - 1;
        let chunks = self.setup.packetizer.chunks(outgoing.message.bytes, last);
        self.unwritten[fifos.start + place] += u64::from(last) * self.full_packet() + u64::from(chunks);
        self.spreads[set].push(Spreading::in_one(*outgoing, place));
        self.fill(set);
    }

    fn spread_over_all(&mut self, mut outgoing: Outgoing) {
        let set = self.set;
        make(self.io.fabric, self.io.node, &self.packet_of(&outgoing, 0), &mut outgoing.way);
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
    #[inline]
    pub fn fill(&mut self, set: usize) {
        if self.spreads.get(set).is_some_and(|spread| !spread.is_empty()) {
            self.fill_all(set);
        }
    }

    fn fill_all(&mut self, set: usize) {
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

    /// Packet `index` of a message that is spread.
    fn packet_of(&self, outgoing: &Outgoing, index: u32) -> PacketRequest {
        PacketRequest {
            target: outgoing.place,
            span: outgoing.span,
            sequence: outgoing.first_packet + u64::from(index),
            chunks: self.setup.packetizer.chunks(outgoing.message.bytes, index),
            is_deterministic: false,
            turns: false,
        }
    }

    /// Puts packet `index` of a message into a FIFO, as if it had been there since the message was sent.
    fn give(&mut self, fifo: usize, outgoing: &Outgoing, index: u32) {
        let request = self.packet_of(outgoing, index);
        let PacketRequest { sequence, chunks, .. } = request;
        let Made { nameless, action, .. } =
            make(self.io.fabric, self.io.node, &request, &mut { outgoing.way });
        let stored = stored(self.io, outgoing, (nameless, action, sequence));
        self.unwritten[fifo] -= u64::from(chunks);
        self.io.begin_write(fifo, chunks);
        self.io.write(fifo, stored, outgoing.sent);
    }
}

/// A packet of a message as the network carries it: its record but for the name, its action, and its number.
fn stored(io: &NodeIo<'_>, outgoing: &Outgoing, (nameless, action, sequence): (Packet, u32, u64)) -> Stored {
    Stored {
        packet: io.fabric.layout.named(nameless, io.node, LaneKind::Mixed, sequence),
        offered: outgoing.sent,
        tag: Tag {
            action,
            rank: outgoing.message.source,
            message: outgoing.kind.name(outgoing.message.number),
        },
        source: io.node,
    }
}
