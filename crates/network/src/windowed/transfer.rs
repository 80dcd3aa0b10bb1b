//! The beginning of a transfer: everything that will follow from it is known, and noted at once with its future time.

use super::family::{BitSet, Family};
use super::node::Node;
use super::slab::{Content, Mail, Slab};
use crate::node::software::Stored;
use geometry::Direction;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Slab<F, P, V, C, S> {
    /// The head at `place` begins to flow into its reception FIFO; false if another of this cycle took the room.
    pub(super) fn begin_reception(&mut self, local: usize, now: u64, place: usize) -> bool {
        let (receiver, channel) = (place / V, place % V);
        let packet = self.packets[self.packet_index(local, place, 0)];
        if let Some(software) = self.software.get_mut(local) {
            if !software.can_receive(&self.fabric, receiver, packet) {
                return false;
            }
            software.begin_reception(&self.fabric, receiver, packet);
        }
        let bus = self.places_of_bus(receiver, channel);
        let node = &mut self.nodes[local];
        node.withdraw(place, 0);
        node.bus_blocked |= bus;
        node.to_reception |= F::Places::only(place);
        let chunks = self.fabric.layout.chunks(packet);
        let left = now + u64::from(self.fabric.reception_cycles(chunks));
        self.finish_channel(local, place, chunks, left);
        true
    }

    /// The head at `place` begins to leave through `port` into `channel` of the next node.
    #[inline]
    pub(super) fn begin_transfer(
        &mut self,
        local: usize,
        now: u64,
        place: usize,
        port: usize,
        channel: usize,
        bypasses: bool,
    ) {
        let stored = match place < C {
            true => self.stored(self.packet_index(local, place, 0), now),
            false => self.inject(local, place - C),
        };
        let chunks = self.fabric.layout.chunks(stored.packet);
        let packet = self.fabric.layout.after_hop(stored.packet, Direction::from_index(port));
        let hints = self.fabric.layout.hint_bits(stored.packet);
        let left = now + u64::from(self.fabric.path_cycles(port, chunks));
        let node = &mut self.nodes[local];
        node.withdraw(place, hints);
        node.idle &= !(1 << port);
        node.tokens[port][channel] -= self.fabric.charge(channel, chunks);
        node.set_time(
            Node::<F, P, V, C, S>::LINKS + port,
            now + u64::from(self.fabric.wire_cycles(port, chunks)),
        );
        if place < C {
            self.use_path(local, place / V);
            self.totals.bypassed += bypasses as u64;
            self.finish_channel(local, place, chunks, left);
        } else {
            node.set_time(Node::<F, P, V, C, S>::INJECTION + place - C, left);
        }
        self.count_transfer(local, now, port, channel, chunks, packet.0);
        self.send(Mail {
            node: self.neighbor(local, port),
            port: (port ^ 1) as u8,
            channel: channel as u8,
            time: now + u64::from(self.fabric.arrival_cycles(port, chunks)),
            content: Content::Head(Stored { packet, ..stored }),
        });
    }

    fn inject(&mut self, local: usize, fifo: usize) -> Stored {
        self.totals.injected += 1;
        self.totals.injected_ever += 1;
        self.counters[local].injected += 1;
        self.leave_injection(local, fifo)
    }

    #[inline]
    fn use_path(&mut self, local: usize, receiver: usize) {
        let node = &mut self.nodes[local];
        node.paths_used[receiver] += 1;
        if node.paths_used[receiver] == self.fabric.parameters.router.transfer_paths {
            node.path_blocked |= F::Places::range(receiver * V, V);
        }
    }

    /// A packet will have left its channel at `left`: the channel is free then, and its tokens go back upstream.
    #[inline]
    fn finish_channel(&mut self, local: usize, place: usize, chunks: u8, left: u64) {
        let (receiver, channel) = (place / V, place % V);
        self.nodes[local].set_time(Node::<F, P, V, C, S>::CHANNELS + place, left);
        self.send(Mail {
            node: self.neighbor(local, receiver),
            port: (receiver ^ 1) as u8,
            channel: channel as u8,
            time: left + u64::from(self.fabric.token_latency()),
            content: Content::Tokens(self.fabric.charge(channel, chunks)),
        });
    }

    #[inline]
    fn count_transfer(
        &mut self,
        local: usize,
        now: u64,
        port: usize,
        channel: usize,
        chunks: u8,
        packet: u64,
    ) {
        self.totals.digest.record(now, self.first + local as u32, port, channel, packet);
        self.totals.count_transfer(port, channel, chunks);
        let link = &mut self.links[local * self.fabric.ports + port];
        link.packets += 1;
        link.chunks += u32::from(chunks);
    }
}
