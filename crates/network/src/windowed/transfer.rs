//! The start of a transfer. All its consequences are known then, and are recorded at once with their future times.

use super::buffers::Buffers;
use super::lossy_links::Carried;
use super::metadata::Metadata;
use super::outgoing::RemoteEvent;
use super::queues::NextHeadRequests;
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::timestamped::Timestamped;
use super::visit::Visit;
use super::wake::Wakes;
use crate::packet::Packet;

/// A packet that leaves its input.
struct Leaving<L> {
    packet: Packet,
    /// Low bits of the cycle at which it was offered.
    offered: u32,
    metadata: L,
}

impl<F: Specialization> Visit<'_, F> {
    /// The head packet at `input` begins to flow into its reception FIFO. Returns false if another grant of this cycle
    /// took the room. If its bus `is_awaited`, the node is to be woken when the bus becomes free.
    #[inline(never)]
    pub(super) fn begin_reception(&mut self, now: i32, input: usize, is_awaited: bool) -> bool {
        let (receiver, vc) = (input / F::VCS, input % F::VCS);
        let packet = self.store.packet(self.packet_index(input, 0));
        if let Some(endpoints) = self.store.endpoints_mut() {
            if !endpoints.fifos().can_receive(self.fabric, self.local, receiver, packet) {
                return false;
            }
            endpoints.begin_reception(self.fabric, self.local, receiver, packet);
        }
        let bus = self.inputs_of_bus(receiver, vc);
        self.node.withdraw_request(input);
        self.node.bus_blocked |= bus;
        self.node.to_reception |= F::Inputs::only(input);
        let chunks = self.chunks(packet);
        let received = now + self.fabric.reception_cycles(chunks) as i32;
        self.acknowledge(self.packet_index(input, 0), received);
        self.finish_vc(input, chunks, received, is_awaited);
        true
    }

    /// The head packet at `input` begins to leave through `port` into `vc` of the next node.
    #[inline(always)]
    pub(super) fn begin_transfer(&mut self, now: i32, input: usize, port: usize, vc: usize) {
        let leaving = match input < F::VC_INPUTS {
            true => self.head_of_vc(input),
            false => self.inject(input - F::VC_INPUTS, now),
        };
        let fabric = self.fabric;
        let chunks = self.chunks(leaving.packet);
        let packet = self.after_hop(leaving.packet, port);
        let cycles = self.transfer_cycles(port, chunks);
        let left = now + cycles.path as i32;
        let charge = self.charge(vc, chunks);
        let node = &mut *self.node;
        node.withdraw_request(input);
        node.credits[port * F::VCS + vc] -= charge;
        let idle_again = F::Tick::near(now + cycles.wire as i32);
        node.times[port] = idle_again;
        self.next_if_saturated = self.next_if_saturated.min(idle_again);
        if input < F::VC_INPUTS {
            let deposits_here = self.begin_copy(input);
            self.finish_vc(input, chunks, left, deposits_here);
            self.node.use_path(input / F::VCS, fabric.parameters.router.transfer_paths);
        } else {
            self.fifo_is_free_at(input - F::VC_INPUTS, left);
        }
        self.count_transfer(now, port, vc, chunks, packet);
        if self.has_lossy_links() {
            let Leaving { offered, metadata, .. } = leaving;
            let carried = Carried { packet, offered, metadata, vc: vc as u8 };
            return self.send_frame(now, port, carried, input.checked_sub(F::VC_INPUTS));
        }
        self.store.outgoing.heads.push(RemoteEvent {
            time: self.cycle(now + cycles.arrival as i32),
            packet,
            offered: leaving.offered,
            metadata: leaving.metadata,
            node: self.store.neighbor(self.local, self.node.edges, port),
            port: (port ^ 1) as u8,
            vc: vc as u8,
            credits: 0,
        });
    }

    #[inline(always)]
    fn head_of_vc(&self, input: usize) -> Leaving<F::Metadata> {
        let index = self.packet_index(input, 0);
        let timestamped = self.store.buffers.timestamped(index);
        Leaving {
            packet: timestamped.packet(),
            offered: timestamped.offered_low(),
            metadata: self.store.buffers.metadata(index),
        }
    }

    fn inject(&mut self, fifo: usize, now: i32) -> Leaving<F::Metadata> {
        self.store.totals.injected += 1;
        self.store.totals.injected_ever += 1;
        self.node.counters.injected += 1;
        let head = self.leave_injection(fifo, self.cycle(now));
        let metadata = F::Metadata::new(head.tag, head.source);
        Leaving { packet: head.packet, offered: head.offered as u32, metadata }
    }

    /// A packet will have left its VC at `left`. The VC is free then, and its credits return upstream. If the packet's
    /// bus `is_awaited`, the node is to be woken at that time.
    #[inline(always)]
    fn finish_vc(&mut self, input: usize, chunks: u8, left: i32, is_awaited: bool) {
        let (receiver, vc) = (input / F::VCS, input % F::VCS);
        let first = self.store.buffers.begin_leaving(self.vc(input));
        let node = &mut *self.node;
        node.first[input] = first;
        node.count[input] -= 1;
        node.queues.waiting[input] -= 1;
        let is_tracked = node.count[input] > 0;
        let follower = self.store.packet(self.packet_index(input, 0));
        let hints = self.fabric.layout.hint_bits(follower);
        self.node
            .queues
            .next_head_requests
            .entry(is_tracked, input, || self.fabric.layout.request_vector(follower));
        // An acknowledgement, which returns the credits, is due then.
        let is_acknowledged = self.has_lossy_links();
        let wakes = Wakes::of_departure(is_tracked, hints == 0, is_awaited, is_acknowledged);
        self.set_event(F::VC_SLOT + input, F::Tick::near(left), wakes);
        if is_acknowledged {
            return;
        }
        self.store.outgoing.credits.push(RemoteEvent {
            time: self.cycle(left + self.fabric.credit_latency() as i32),
            node: self.store.neighbor(self.local, self.node.edges, receiver),
            port: (receiver ^ 1) as u8,
            vc: vc as u8,
            credits: self.charge(vc, chunks),
            ..RemoteEvent::default()
        });
    }

    #[inline(always)]
    fn count_transfer(&mut self, now: i32, port: usize, vc: usize, chunks: u8, packet: Packet) {
        let now = self.cycle(now);
        let store = &mut *self.store;
        store.totals.digest.record(
            now,
            store.first + self.local as u32,
            port,
            vc,
            self.fabric.layout.identity(packet),
        );
        store.totals.count_transfer(port, vc, chunks);
        store.links.count(self.local * store.layout.ports + port, chunks, F::IS_PLAIN);
    }
}
