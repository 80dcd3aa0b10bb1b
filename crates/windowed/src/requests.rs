//! The requests of head packets, as sets of inputs.

use super::options;
use super::queues::RequestVectors;
use super::sets::BitSet;
use super::specialization::Specialization;
use super::visit::Visit;
use network::packet::Packet;

impl<F: Specialization> Visit<'_, F> {
    /// Registers the request of the packet at `input` if it is the head packet.
    #[inline(always)]
    pub(super) fn request_if(&mut self, is_head: bool, input: usize, packet: Packet) {
        let fabric = self.fabric;
        let is_dimension_ordered = fabric.layout.is_dimension_ordered(packet) | (self.adaptive_vcs() == 0);
        let hints = fabric.layout.hint_bits(packet);
        self.node.request_if(is_head, input, hints, self.ranks(hints), is_dimension_ordered);
        if !F::IS_UNIFORM && fabric.layout.has_adaptive_only() {
            let is_kept_off = is_head & fabric.layout.is_adaptive_only(packet);
            let unchanged = !F::Inputs::only_if(input, is_head);
            self.node.adaptive_only =
                (self.node.adaptive_only & unchanged) | F::Inputs::only_if(input, is_kept_off);
        }
        if is_head {
            options::new_head(self, input, packet);
        }
        if self.high_priority_vc().is_some() {
            let is_high_priority = fabric.layout.is_high_priority(packet);
            self.node.high_priority |= F::Inputs::only_if(input, is_head & is_high_priority);
        }
    }

    /// Inputs whose head packets request a port on an adaptive VC, and inputs whose escape it is.
    #[inline(always)]
    pub(super) fn requesting(&self, port: usize) -> (F::Inputs, F::Inputs) {
        let (wants, escapes) = self.node.queues.request_vectors.requesting(self.rank_of(port));
        (wants, escapes & !self.adaptive_only())
    }

    /// All ports that head packets request.
    #[inline(always)]
    pub(super) fn requested_ports(&self) -> u32 {
        self.ports_of_ranks(self.node.queues.request_vectors.all_hints())
    }
}
