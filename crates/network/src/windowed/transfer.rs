//! The beginning of a transfer: everything that will follow from it is known, and noted at once with its future time.

use super::family::{BitSet, Family};
use super::mail::{Content, Mail};
use super::node::Node;
use super::visit::Visit;
use crate::node::software::Stored;
use geometry::Direction;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// The head at `place` begins to flow into its reception FIFO; false if another of this cycle took the room.
    pub(super) fn begin_reception(&mut self, now: u64, place: usize) -> bool {
        let (receiver, channel) = (place / V, place % V);
        let packet = self.store.packets[self.packet_index(place, 0)].packet;
        if let Some(software) = self.store.software.get_mut(self.local) {
            if !software.can_receive(self.fabric, receiver, packet) {
                return false;
            }
            software.begin_reception(self.fabric, receiver, packet);
        }
        let bus = self.places_of_bus(receiver, channel);
        self.node.withdraw(place, 0);
        self.node.bus_blocked |= bus;
        self.node.to_reception |= F::Places::only(place);
        let chunks = self.fabric.layout.chunks(packet);
        self.finish_channel(place, chunks, now + u64::from(self.fabric.reception_cycles(chunks)));
        true
    }

    /// The head at `place` begins to leave through `port` into `channel` of the next node.
    #[inline(always)]
    pub(super) fn begin_transfer(&mut self, now: u64, place: usize, port: usize, channel: usize) {
        let stored = match place < C {
            true => self.store.stored(self.packet_index(place, 0), now),
            false => self.inject(place - C, now),
        };
        let fabric = self.fabric;
        let chunks = fabric.layout.chunks(stored.packet);
        let packet = fabric.layout.after_hop(stored.packet, Direction::from_index(port));
        let left = now + u64::from(fabric.path_cycles(port, chunks));
        let arrives = now + u64::from(fabric.arrival_cycles(port, chunks));
        let node = &mut *self.node;
        node.withdraw(place, fabric.layout.hint_bits(stored.packet));
        node.idle &= !(1 << port);
        node.clear_time(Node::<F, P, V, C, S>::TOKENS + port);
        node.tokens[port][channel] -= fabric.charge(channel, chunks);
        node.set_time(Node::<F, P, V, C, S>::LINKS + port, now + u64::from(fabric.wire_cycles(port, chunks)));
        if place < C {
            node.use_path(place / V, fabric.parameters.router.transfer_paths);
            self.finish_channel(place, chunks, left);
        } else {
            node.set_time(Node::<F, P, V, C, S>::INJECTION + place - C, left);
        }
        self.count_transfer(now, port, channel, chunks, packet.0);
        let next = self.store.neighbor(self.local, self.node.edges, port);
        let content = Content::Head(Stored { packet, ..stored });
        self.store.mail.push_back(Mail {
            time: arrives,
            node: next,
            port: (port ^ 1) as u8,
            channel: channel as u8,
            content,
        });
    }

    fn inject(&mut self, fifo: usize, now: u64) -> Stored {
        self.store.totals.injected += 1;
        self.store.totals.injected_ever += 1;
        self.node.counters.injected += 1;
        self.leave_injection(fifo, now)
    }

    /// A packet will have left its channel at `left`: the channel is free then, and its tokens go back upstream.
    #[inline(always)]
    fn finish_channel(&mut self, place: usize, chunks: u8, left: u64) {
        let (receiver, channel) = (place / V, place % V);
        self.node.set_time(Node::<F, P, V, C, S>::CHANNELS + place, left);
        let upstream = self.store.neighbor(self.local, self.node.edges, receiver);
        self.store.mail.push_back(Mail {
            time: left + u64::from(self.fabric.token_latency()),
            node: upstream,
            port: (receiver ^ 1) as u8,
            channel: channel as u8,
            content: Content::Tokens(self.fabric.charge(channel, chunks)),
        });
    }

    #[inline(always)]
    fn count_transfer(&mut self, now: u64, port: usize, channel: usize, chunks: u8, packet: u64) {
        let store = &mut *self.store;
        store.totals.digest.record(now, store.first + self.local as u32, port, channel, packet);
        store.totals.count_transfer(port, channel, chunks);
        store.count_on_link(self.local * store.layout.ports + port, chunks);
    }
}
