//! Receptions: a packet flows into its reception FIFO, and is complete there.

use super::options;
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::visit::Visit;
use network::node::software::{Endpoints, Read};

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
        options::granted(self, input, None);
        let bus = self.inputs_of_bus(receiver, vc);
        self.node.withdraw_request(input);
        self.node.bus_blocked |= bus;
        self.node.to_reception |= F::Inputs::only(input);
        let chunks = self.chunks(packet);
        let received = now + self.fabric.reception_cycles(chunks) as i32;
        options::begins_reception(self, self.packet_index(input, 0), received);
        self.finish_vc(input, chunks, received, is_awaited);
        let is_awaited = |endpoints: &Endpoints| endpoints.resume(self.local).when_received != 0;
        if self.has_lazy_software() && self.store.endpoints().is_some_and(is_awaited) {
            self.software_awaits(F::Tick::near(received));
        }
        true
    }

    /// The packet at `index` of the subdomain's arrays is completely in its reception FIFO.
    pub(super) fn reception_ends(&mut self, input: usize, index: usize, now: i32) {
        let (receiver, vc, now) = (input / F::VCS, input % F::VCS, self.cycle(now));
        let bus = self.inputs_of_bus(receiver, vc);
        self.node.to_reception &= !F::Inputs::only(input);
        self.node.bus_blocked &= !bus;
        options::frees_bus(self, bus);
        let stored = self.store.stored(index, now);
        self.store.forget_offer(index, now);
        match self.store.endpoints_mut() {
            Some(endpoints) => {
                endpoints.end_reception(self.fabric, self.local, receiver, stored, now);
                self.software_is_resumed();
            }
            None => self.deliver(Read { time: now, stored, is_relayed: false }),
        }
    }

    /// Counts a packet that has been read.
    #[inline(always)]
    pub(super) fn deliver(&mut self, read: Read) {
        let node = self.store.first + self.local as u32;
        let is_delivered = read.count(self.fabric, node, &mut self.store.totals);
        self.node.counters.delivered += u32::from(is_delivered);
    }
}
