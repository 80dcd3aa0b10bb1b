//! A packet leaves its VC, for a link or for a reception FIFO.

use super::buffers::Buffers;
use super::options;
use super::outgoing::RemoteEvent;
use super::queues::NextHeadRequests;
use super::sets::Tick;
use super::specialization::Specialization;
use super::visit::Visit;
use super::wake_priority::WakePriority;

impl<F: Specialization> Visit<'_, F> {
    /// Records that a packet will have left its VC at `left`. The VC is free then, and its credits return upstream. If
    /// the packet's bus `is_awaited`, the node is to be woken at that time.
    #[inline(always)]
    pub(super) fn finish_vc(&mut self, input: usize, chunks: u8, left: i32, is_awaited: bool) {
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
        // An acknowledgement, which returns the credits, may be due then.
        let is_acknowledged = options::acknowledges_on_links::<F>(self.fabric);
        let wakes = WakePriority::of_departure(is_tracked, hints == 0, is_awaited, is_acknowledged);
        self.set_event(F::VC_SLOT + input, F::Tick::near(left), wakes);
        if is_acknowledged {
            return;
        }
        self.store.outgoing.credits.push(RemoteEvent {
            time: self.cycle(left + self.fabric.credit_latency() as i32),
            node: self.store.neighbors.at(self.local, self.node.edges, receiver),
            port: (receiver ^ 1) as u8,
            vc: vc as u8,
            credits: self.charge(vc, chunks),
            ..RemoteEvent::default()
        });
    }
}
