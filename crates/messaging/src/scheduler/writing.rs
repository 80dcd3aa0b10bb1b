//! Writing: the packets of messages into injection FIFOs.

use super::movers::Mover;
use super::{Scheduler, Step};
use crate::node::task::Task;
use crate::transfers::making::{Made, PacketRequest, Route, make};
use crate::transfers::outgoing::{Outgoing, Sizes};
use crate::transfers::send_queues::Full;
use network::node::choice::{FifoRequest, longest_direction};
use network::node::forward::Forwarded;
use network::node::software::{NodeIo, Resume};
use network::packet::{Packet, Stored, Tag};
use network::{LaneKind, Offer};

impl Scheduler<'_, '_> {
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

    /// Begins to write the next packet of the core's messages. If none can be written, returns what the core waits for.
    #[inline]
    pub fn write_next<M: Mover>(&mut self) -> Result<(), Resume> {
        let sends = &self.cores[self.number].sends;
        if sends.is_empty() {
            return Err(Resume::IDLE);
        }
        if let Some(Full { fifo, chunks }) = sends.full
            && !self.io.has_room(fifo, chunks, false)
        {
            return Err(Resume::when_room(fifo..fifo + 1));
        }
        if !self.setup.passes && self.setup.parameters.transfer_start_cycles == 0 {
            return M::write_after(self, 0);
        }
        let mut blocked = Resume::IDLE;
        for passed in 0..self.cores[self.number].sends.peers() {
            match M::write_after(self, passed) {
                Ok(()) => return Ok(()),
                Err(resume) => blocked = blocked.or(resume),
            }
            // A peer whose transfer has not begun is passed over in any case.
            if !self.setup.passes && self.has_begun(passed) {
                break;
            }
        }
        Err(blocked)
    }

    /// Whether the transfer to the peer after `passed` others has begun.
    fn has_begun(&mut self, passed: usize) -> bool {
        let (now, start) = (self.io.now, self.setup.parameters.transfer_start_cycles);
        let next = self.cores[self.number].sends.after(self.pool, passed);
        next.is_none_or(|outgoing| outgoing.begins_at(start) <= now)
    }

    /// The message to the peer after `passed` others, and its next packet; none if too many packets are on their way, or the
    /// transfer has not begun.
    #[inline]
    pub fn next_packet(&mut self, passed: usize) -> Result<(&mut Outgoing, PacketRequest), Resume> {
        let fabric = self.io.fabric;
        if fabric.is_paced(false) && fabric.window_is_full(self.shared.unacknowledged) {
            return Err(Resume::IDLE); // an acknowledgement will wake the software
        }
        let (now, start) = (self.io.now, self.setup.parameters.transfer_start_cycles);
        let first = self.cores[self.number].sends.after(self.pool, passed).expect("a message is next");
        if start > 0 && first.begins_at(start) > now {
            return Err(Resume::at(first.begins_at(start)));
        }
        let (index, packets) = (first.written, first.packets);
        let sizes = *first
            .sizes
            .get_or_insert_with(|| Sizes::of(first.kind, &self.setup.formats, first.message.bytes, packets));
        let request = PacketRequest {
            target: first.place,
            span: first.span,
            sequence: first.first_packet + u64::from(index),
            chunks: sizes.chunks(index, packets, fabric.full_packet),
            is_deterministic: self.setup.costs_of(first.kind).is_deterministic,
            turns: false,
        };
        Ok((first, request))
    }

    /// Begins to write the next packet to the peer after `passed` others, if its FIFO has room.
    #[inline]
    pub fn write_packet<M: Mover>(&mut self, passed: usize) -> Result<(), Resume> {
        let (fabric, node) = (self.io.fabric, self.io.node);
        let (first, request) = self.next_packet(passed)?;
        let made = make(fabric, node, &request, &mut first.route);
        let (source, route, begins, kind) =
            (first.message.source, first.route, first.written == 0, first.kind);
        let (made, fifo) = match self.fifo_for::<M>(&made, source, &request) {
            Ok(fifo) => (made, fifo),
            Err(full) => self.turned::<M>(request, route, source).map_err(|other| other.or(full))?,
        };
        self.cores[self.number].sends.pass(passed);
        let (stored, reports) = self.take_packet::<M>(made.nameless, made.action, request.sequence);
        let setup = if begins && M::PAYS_SETUP { self.setup.costs_of(kind).setup } else { 0 };
        let start = self.start();
        self.write(fifo, request.chunks, stored, reports, start, setup);
        Ok(())
    }

    /// The packet in the other direction round a ring, and a FIFO for it, where packets may pass others.
    fn turned<M: Mover>(
        &mut self,
        request: PacketRequest,
        mut route: Route,
        source: u32,
    ) -> Result<(Made, usize), Resume> {
        if !self.setup.passes || !matches!(route, Route::Several(_)) {
            return Err(Resume::IDLE);
        }
        let request = PacketRequest { turns: true, ..request };
        let made = make(self.io.fabric, self.io.node, &request, &mut route);
        let fifo = self.fifo_for::<M>(&made, source, &request)?;
        Ok((made, fifo))
    }

    /// Takes the next packet of the core's messages, and announces its message if it is the first. Returns the number
    /// of the message if the packet is its last, and its rank is to be notified of that.
    pub fn take_packet<M: Mover>(
        &mut self,
        nameless: Packet,
        action: u32,
        sequence: u64,
    ) -> (Stored, Option<u32>) {
        let first = self.cores[self.number].sends.first(self.pool).expect("a message is next");
        // The age of a packet that has been waiting since cycle 0 counts from here, as for packets of a source.
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
        (stored, outgoing.filter(|_| ends).and_then(|outgoing| self.end_making::<M>(&outgoing)))
    }

    /// All packets of a message have been made. Returns its number if its rank is to be notified when the last is
    /// written.
    fn end_making<M: Mover>(&mut self, outgoing: &Outgoing) -> Option<u32> {
        M::end_making(self, outgoing.message.source);
        let is_reported = self.writing_ends(outgoing);
        (is_reported && outgoing.reports).then_some(outgoing.message.number)
    }

    /// The FIFO for a packet of a message of a rank of the node.
    fn fifo_for<M: Mover>(
        &mut self,
        made: &Made,
        source: u32,
        packet: &PacketRequest,
    ) -> Result<usize, Resume> {
        let (core, set) = M::outlet(self, source);
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

    /// Processor cycles in which the DMA engine or the core writes a packet.
    fn write_cycles(&self, chunks: u8) -> u64 {
        let parameters = &self.setup.parameters;
        parameters.dma.map_or_else(|| parameters.write(chunks), |dma| dma.packet(chunks))
    }

    /// A packet has been written.
    #[inline]
    pub fn end_write(&mut self, fifo: usize, packet: Stored, reports: Option<u32>, time: u64) {
        self.io.write(fifo, packet, time);
        if let Some(number) = reports {
            let time = self.core().free_at;
            self.report(packet.tag.rank, number, time);
        }
    }
}

/// A packet of a message as the network carries it: its record but for the name, its action, and its number.
pub fn stored(
    io: &NodeIo<'_>,
    outgoing: &Outgoing,
    (nameless, action, sequence): (Packet, u32, u64),
) -> Stored {
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
