//! Messages that are spread over infinite injection FIFOs in the cycle in which they are sent ([`crate::transfers::spread`]).

use super::Scheduler;
use super::writing::stored;
use crate::transfers::making::{Made, PacketRequest, make};
use crate::transfers::outgoing::Outgoing;
use crate::transfers::span::Span;
use crate::transfers::spread::Spreading;
use std::ops::Range;

/// Full packets that are kept in an infinite FIFO over which messages are spread, while there are more. With these, the
/// FIFO has the highest level that routers distinguish, also when one of them has left.
const KEPT: u32 = 5;

impl Scheduler<'_, '_> {
    /// Gives the packets of a message to the FIFOs of the core, all in this cycle.
    pub fn spread(&mut self, outgoing: &Outgoing, time: u64) {
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
        self.unwritten[fifo] += u64::from(self.setup.formats.eager.chunks(outgoing.message.bytes, 0));
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
        let chunks = self.setup.formats.eager.chunks(outgoing.message.bytes, last);
        self.unwritten[fifos.start + place] += u64::from(last) * self.full_packet() + u64::from(chunks);
        self.spreads[set].push(Spreading::in_one(*outgoing, place));
        self.fill(set);
    }

    fn spread_over_all(&mut self, mut outgoing: Outgoing) {
        let set = self.set;
        make(self.io.fabric, self.io.node, &self.packet_of(&outgoing, 0), &mut outgoing.route);
        let fifos = self.io.fabric.fifo_sets.fifos(set, false);
        let spreading = Spreading::new(outgoing, self.levels(fifos.clone()));
        let size = self.full_packet();
        for (place, fifo) in fifos.clone().enumerate() {
            self.unwritten[fifo] += u64::from(spreading.packets_of(place, size)) * size;
        }
        let last = self.setup.formats.eager.chunks(outgoing.message.bytes, outgoing.packets - 1);
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
            chunks: self.setup.formats.eager.chunks(outgoing.message.bytes, index),
            is_deterministic: false,
            turns: false,
        }
    }

    /// Puts packet `index` of a message into a FIFO, as if it had been there since the transfer began.
    fn give(&mut self, fifo: usize, outgoing: &Outgoing, index: u32) {
        let request = self.packet_of(outgoing, index);
        let PacketRequest { sequence, chunks, .. } = request;
        let Made { nameless, action, .. } =
            make(self.io.fabric, self.io.node, &request, &mut { outgoing.route });
        let stored = stored(self.io, outgoing, (nameless, action, sequence));
        self.unwritten[fifo] -= u64::from(chunks);
        self.io.begin_write(fifo, chunks);
        self.io.write(fifo, stored, outgoing.begins_at(self.setup.parameters.transfer_start_cycles));
    }
}
