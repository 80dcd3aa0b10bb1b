//! The start of a transfer. All its consequences are known then, and are recorded at once with their future times.

use super::buffers::Buffers;
use super::metadata::Metadata;
use super::offered::Offered;
use super::options;
use super::outgoing::RemoteEvent;
use super::sets::{Tick, assume};
use super::specialization::Specialization;
use super::timestamped::Timestamped;
use super::visit::Visit;
use network::packet::Packet;

/// A packet that leaves its input.
struct Leaving<L> {
    packet: Packet,
    offered: Offered,
    metadata: L,
}

impl<F: Specialization> Visit<'_, F> {
    /// The head packet at `input` begins to leave through `port` into `vc` of the next node.
    #[inline(always)]
    pub(super) fn begin_transfer(&mut self, now: i32, input: usize, port: usize, vc: usize) {
        options::granted(self, input, Some(port));
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
            let is_awaited = options::begins_transfer(self, input);
            self.finish_vc(input, chunks, left, is_awaited);
            self.node.use_path(input / F::VCS, fabric.parameters.router.transfer_paths);
        } else {
            self.fifo_is_free_at(input - F::VC_INPUTS, left);
        }
        self.count_transfer(now, port, vc, chunks, packet);
        let arrival = RemoteEvent {
            time: self.cycle(now + cycles.arrival as i32),
            packet,
            offered: leaving.offered,
            metadata: leaving.metadata,
            node: self.store.neighbors.at(self.local, self.node.edges, port),
            port: (port ^ 1) as u8,
            vc: vc as u8,
            credits: 0,
        };
        if !options::carries(self, now, port, &arrival, input.checked_sub(F::VC_INPUTS)) {
            self.store.outgoing.heads.push(arrival);
        }
    }

    #[inline(always)]
    fn head_of_vc(&self, input: usize) -> Leaving<F::Metadata> {
        let index = self.packet_index(input, 0);
        let timestamped = self.store.buffers.timestamped(index);
        Leaving {
            packet: timestamped.packet(),
            offered: timestamped.offered(),
            metadata: self.store.buffers.metadata(index),
        }
    }

    fn inject(&mut self, fifo: usize, now: i32) -> Leaving<F::Metadata> {
        self.store.totals.injected += 1;
        self.store.totals.injected_ever += 1;
        self.node.counters.injected += 1;
        let now = self.cycle(now);
        let head = self.leave_injection(fifo, now);
        let metadata = F::Metadata::new(head.tag, head.source);
        Leaving { packet: head.packet, offered: self.store.far.store(head.offered, now), metadata }
    }

    #[inline(always)]
    fn count_transfer(&mut self, now: i32, port: usize, vc: usize, chunks: u8, packet: Packet) {
        let now = self.cycle(now);
        let store = &mut *self.store;
        // SAFETY: the VC is one of a port. The digest treats VCs above 15 differently.
        unsafe { assume(vc < F::VCS) };
        store.totals.digest.record(
            now,
            store.first + self.local as u32,
            port,
            vc,
            self.fabric.layout.identity(packet),
        );
        store.totals.count_transfer(port, vc, chunks);
        store.links.count(self.local * store.layout.ports + port, chunks, F::IS_UNIFORM);
    }
}
