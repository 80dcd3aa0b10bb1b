//! A single waiting head packet, the most frequent case under light load: it gets the VC that it chooses, without
//! competition.
//!
//! The VCs behind its ports are examined in all dimensions, because a branch on the dimensions in which it has hops
//! left would be unpredictable.

use super::Arbitration;
use super::blocked_outputs::{Best, candidate};
use crate::pending::Pending;
use crate::queues::RequestVectors;
use crate::sets::BitSet;
use crate::specialization::Specialization;
use crate::vector::Vectors;
use crate::visit::Visit;
use base::draws::{Purpose, pick};

impl<F: Specialization> Visit<'_, F> {
    /// Arbitrates the idle ports if a single head packet waits and can have an adaptive VC behind one of them. Returns
    /// `None` in all other cases, for the general arbitration.
    #[inline(always)]
    pub(super) fn arbitrate_single_request(
        &mut self,
        now: i32,
        candidates: u32,
        bypass: F::Inputs,
    ) -> Option<Arbitration<F>> {
        if F::HAS_OPTIONS {
            return None;
        }
        let waiting = self.node.queues.request_vectors.waiting();
        if waiting.is_empty() | waiting.has_several() {
            return None;
        }
        let input = waiting.first();
        if !F::IS_PLAIN && self.node.queues.request_vectors.arrived().has(input) {
            return self.receive_single_packet(now, input);
        }
        let (hints, is_dimension_ordered) = self.node.queues.request_vectors.request_of(input);
        if is_dimension_ordered | self.node.path_blocked.has(input) {
            return None;
        }
        let port_of = |dimension: usize| 2 * dimension + (hints >> (2 * dimension + 1) & 1) as usize;
        // VC `c` of the port in dimension `d` has number `d x V + c`.
        let mut best = Best::default();
        for dimension in 0..F::PORTS / 2 {
            let port = port_of(dimension);
            let is_candidate = candidates & hints & 1 << port != 0;
            if is_candidate | !F::Pending::HAS_ROWS {
                self.take_credits(port, now);
            }
            let credits = self.node.credits_of(port);
            for (vc, &credits) in credits.iter().enumerate().take(self.adaptive_vcs()) {
                let rank = self.fabric.credit_rank(vc, credits) & u8::from(is_candidate).wrapping_neg();
                best.consider(dimension * F::VCS + vc, rank);
            }
        }
        if best.vcs == 0 {
            return None;
        }
        let bits = self.draws(now).draw(Purpose::RequestTie, candidate::<F>(input));
        let number = F::Processor::nth(best.vcs, pick(bits, best.vcs.count()));
        let (port, vc) = (port_of(number / F::VCS), number % F::VCS);
        self.grant_link(now, input, port, vc, bypass);
        Some(Arbitration { granted: F::Inputs::only(input), taken: 1 << port, ..Arbitration::default() })
    }

    /// Grants the only head packet, which is at its destination, its reception FIFO, if the bus is free and the FIFO has
    /// room. No link is wanted then.
    #[inline(always)]
    fn receive_single_packet(&mut self, now: i32, input: usize) -> Option<Arbitration<F>> {
        let is_granted =
            !self.node.bus_blocked.has(input) && self.begin_reception(now, input, self.is_bus_awaited(input));
        let granted = F::Inputs::only_if(input, is_granted);
        Some(Arbitration { granted, ..Arbitration::default() })
    }
}
