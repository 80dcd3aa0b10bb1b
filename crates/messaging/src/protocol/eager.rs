//! Eager: packets are sent without a handshake, and a message is delivered when its last packet has been read.

use crate::core::Notice;
use crate::packetizer::{MAX_MESSAGE_BYTES, minimal_routes, packet};
use crate::ranks::{Completion, Envelope, Message};
use crate::sends::Outgoing;
use crate::spread::Spreading;
use crate::turn::Turn;
use network::packet::Tag;

/// Full packets that are kept in an infinite FIFO over which messages are spread, while there are more: with so many it
/// is as full as routers can tell, also when one of them has left.
const KEPT: u32 = 5;

impl Turn<'_, '_> {
    /// Sends a message at processor cycle `time`.
    pub fn send(&mut self, target: u32, bytes: u64, envelope: Envelope, reports: bool, time: u64) {
        let rank = self.cores[self.number].rank.as_mut().expect("a rank sends");
        let (source, number) = (rank.number, rank.messages);
        rank.messages += 1;
        assert!(
            target < self.setup.map.ranks(),
            "rank {source} sends to rank {target}, which does not exist"
        );
        assert!(bytes <= MAX_MESSAGE_BYTES, "rank {source} sends a message of {bytes} bytes");
        let totals = &mut self.shared.totals;
        totals.messages_sent += 1;
        totals.bytes_sent += bytes;
        self.counts.sent += 1;
        let place = self.setup.map.place(target);
        let message = Message { source, number, bytes, envelope };
        if place.node == self.io.node {
            self.deliver(place.core.into(), message, time);
            if reports {
                self.report(number, time);
            }
            return;
        }
        let packets = self.setup.packetizer.packets(bytes);
        let smallest = self.setup.packetizer.chunks(bytes, packets - 1);
        assert!(smallest >= self.setup.smallest_chunks, "rank {source} sends a packet of {smallest} chunks");
        let first_packet = self.shared.packets;
        self.shared.packets += u64::from(packets);
        self.shared.totals.packets_sent += u64::from(packets);
        let sent = self.io.fabric.parameters.node.clock.cycle_of(time);
        let outgoing = Outgoing {
            target,
            place,
            message,
            first_packet,
            packets,
            written: 0,
            sent,
            reports,
            routes: None,
        };
        if self.setup.spreads {
            self.spread(outgoing, time);
        } else {
            self.cores[self.number].sends.push(self.pool, outgoing);
        }
    }

    /// A packet of a message has been read.
    pub fn receive(&mut self, tag: Tag) {
        self.shared.totals.packets_received += 1;
        if let Some(arrived) = self.shared.receiving.count(tag) {
            let time = self.cores[self.number].free_at;
            self.deliver(arrived.core.into(), arrived.message, time);
        }
    }

    /// A message is complete at `time`: its rank sees it one polling interval later.
    fn deliver(&mut self, core: usize, message: Message, time: u64) {
        let totals = &mut self.shared.totals;
        totals.messages_received += 1;
        totals.bytes_received += message.bytes;
        self.counts.received += 1;
        let time = time.saturating_add(self.setup.polling_interval);
        let completion = Completion::Arrived(message);
        self.notify(core, Notice { time, message: (message.source, message.number), completion });
    }

    /// Gives the packets of a message to the FIFOs of the core, all in this cycle.
    fn spread(&mut self, mut outgoing: Outgoing, time: u64) {
        outgoing.routes = minimal_routes(self.io.fabric, self.io.node, outgoing.place.node);
        self.io.announce(outgoing.header().announce_to(outgoing.place.node));
        let set = self.io.fabric.fifo_sets.of_core(self.number);
        let fifos = self.io.fabric.fifo_sets.fifos(set, false);
        let levels =
            fifos.clone().map(|fifo| u64::from(self.io.chunks(fifo)) + self.unwritten[fifo]).collect();
        let spreading = Spreading::new(outgoing, levels);
        let size = self.full_packet();
        for (place, fifo) in fifos.clone().enumerate() {
            self.unwritten[fifo] += u64::from(spreading.packets_of(place, size)) * size;
        }
        let last = self.setup.packetizer.chunks(outgoing.message.bytes, outgoing.packets - 1);
        self.unwritten[fifos.start + spreading.fifo_of_last(size)] -= size - u64::from(last);
        self.spreads[set].push(spreading);
        self.fill(set);
        if outgoing.reports {
            self.report(outgoing.message.number, time);
        }
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
            while self.io.chunks(fifo) < KEPT * size as u32 {
                let Some((outgoing, index)) = self.spreads[set].take(place, size) else { break };
                self.give(fifo, &outgoing, index);
            }
        }
    }

    /// Puts packet `index` of a message into a FIFO, as if it had been there since the message was sent.
    fn give(&mut self, fifo: usize, outgoing: &Outgoing, index: u32) {
        let sequence = outgoing.first_packet + u64::from(index);
        let chunks = self.setup.packetizer.chunks(outgoing.message.bytes, index);
        let mut routes = outgoing.routes;
        let offer = packet(self.io.fabric, self.io.node, outgoing.place, &mut routes, sequence, chunks);
        let stored = self.stored(outgoing, &offer, sequence);
        self.unwritten[fifo] -= u64::from(chunks);
        self.io.begin_write(fifo, chunks);
        self.io.write(fifo, stored, outgoing.sent);
    }
}
