//! The beginning of a transfer: everything that will follow from it is known, and noted at once with its future time.

use super::dated::Dated;
use super::errors::Carried;
use super::family::Family;
use super::label::Label;
use super::mail::Mail;
use super::node::Node;
use super::queues::Nexts;
use super::sets::{BitSet, Tick};
use super::visit::Visit;
use crate::packet::Packet;

/// A packet that leaves its place.
struct Leaving<L> {
    packet: Packet,
    /// Low bits of the cycle at which it was offered.
    offered: u32,
    label: L,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// The head at `place` begins to flow into its reception FIFO; false if another of this cycle took the room. If its bus
    /// `is_awaited`, the node is to be woken when it is free.
    #[inline(never)]
    pub(super) fn begin_reception(&mut self, now: i32, place: usize, is_awaited: bool) -> bool {
        let (receiver, channel) = (place / V, place % V);
        let packet = self.store.packet(self.packet_index(place, 0));
        if let Some(software) = self.store.software_mut(self.local) {
            if !software.can_receive(self.fabric, receiver, packet) {
                return false;
            }
            software.begin_reception(self.fabric, receiver, packet);
        }
        let bus = self.places_of_bus(receiver, channel);
        self.node.withdraw(place);
        self.node.bus_blocked |= bus;
        self.node.to_reception |= F::Places::only(place);
        let chunks = self.chunks(packet);
        let received = now + self.fabric.reception_cycles(chunks) as i32;
        self.acknowledge(self.packet_index(place, 0), received);
        self.finish_channel(place, chunks, received, is_awaited);
        true
    }

    /// The head at `place` begins to leave through `port` into `channel` of the next node.
    #[inline(always)]
    pub(super) fn begin_transfer(&mut self, now: i32, place: usize, port: usize, channel: usize) {
        let leaving = match place < C {
            true => self.head_of_channel(place),
            false => self.inject(place - C, now),
        };
        let fabric = self.fabric;
        let chunks = self.chunks(leaving.packet);
        let packet = self.after_hop(leaving.packet, port);
        let cycles = self.transfer_cycles(port, chunks);
        let left = now + cycles.path as i32;
        let charge = self.charge(channel, chunks);
        let node = &mut *self.node;
        node.withdraw(place);
        node.tokens[port * V + channel] -= charge;
        let idle_again = F::Tick::near(now + cycles.wire as i32);
        node.times[port] = idle_again;
        self.next_if_saturated = self.next_if_saturated.min(idle_again);
        if place < C {
            let leaves_a_copy = self.begin_copy(place);
            self.finish_channel(place, chunks, left, leaves_a_copy);
            self.node.use_path(place / V, fabric.parameters.router.transfer_paths);
        } else {
            self.fifo_is_free_at(place - C, left);
        }
        self.count_transfer(now, port, channel, chunks, packet);
        if self.has_noisy_links() {
            let Leaving { offered, label, .. } = leaving;
            let carried = Carried { packet, offered, label, channel: channel as u8 };
            return self.send_frame(now, port, carried, place.checked_sub(C));
        }
        self.store.mail.heads.push(Mail {
            time: self.cycle(now + cycles.arrival as i32),
            packet,
            offered: leaving.offered,
            label: leaving.label,
            node: self.store.neighbor(self.local, self.node.edges, port),
            port: (port ^ 1) as u8,
            channel: channel as u8,
            tokens: 0,
        });
    }

    #[inline(always)]
    fn head_of_channel(&self, place: usize) -> Leaving<F::Label> {
        let index = self.packet_index(place, 0);
        let dated = self.store.packets[index];
        Leaving { packet: dated.packet(), offered: dated.offered_low(), label: self.store.label(index) }
    }

    fn inject(&mut self, fifo: usize, now: i32) -> Leaving<F::Label> {
        self.store.totals.injected += 1;
        self.store.totals.injected_ever += 1;
        self.node.counters.injected += 1;
        let head = self.leave_injection(fifo, self.cycle(now));
        let label = F::Label::new(head.handle, head.source);
        Leaving { packet: head.packet, offered: head.offered as u32, label }
    }

    /// A packet will have left its channel at `left`: the channel is free then, and its tokens go back upstream. If its bus
    /// `is_awaited`, the node is to be woken for that.
    #[inline(always)]
    fn finish_channel(&mut self, place: usize, chunks: u8, left: i32, is_awaited: bool) {
        let (receiver, channel) = (place / V, place % V);
        let node = &mut *self.node;
        node.first[place] = node.first[place].wrapping_add(1);
        node.count[place] -= 1;
        node.queues.waiting[place] -= 1;
        let is_followed = node.count[place] > 0;
        let follower = self.store.packet(self.packet_index(place, 0));
        let hints = self.fabric.layout.hint_bits(follower);
        self.node.queues.nexts.note(is_followed, place, || self.fabric.layout.wish(follower));
        // An acknowledgement is due then, which brings the tokens.
        let is_acknowledged = self.has_noisy_links();
        let is_prompt = is_awaited | (is_followed & (hints == 0)) | is_acknowledged;
        self.set_event(Node::<F, P, V, C, S>::CHANNELS + place, F::Tick::near(left), is_followed, is_prompt);
        if is_acknowledged {
            return;
        }
        self.store.mail.tokens.push(Mail {
            time: self.cycle(left + self.fabric.token_latency() as i32),
            node: self.store.neighbor(self.local, self.node.edges, receiver),
            port: (receiver ^ 1) as u8,
            channel: channel as u8,
            tokens: self.charge(channel, chunks),
            ..Mail::default()
        });
    }

    #[inline(always)]
    fn count_transfer(&mut self, now: i32, port: usize, channel: usize, chunks: u8, packet: Packet) {
        let now = self.cycle(now);
        let store = &mut *self.store;
        store.totals.digest.record(
            now,
            store.first + self.local as u32,
            port,
            channel,
            self.fabric.layout.identity(packet),
        );
        store.totals.count_transfer(port, channel, chunks);
        store.count_on_link(self.local * store.layout.ports + port, chunks);
    }
}
