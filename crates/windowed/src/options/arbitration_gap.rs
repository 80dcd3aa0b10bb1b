//! The gap in the arbitration of receivers (row S30): head packets that found all their outputs busy in the previous
//! cycle miss this one, by a random draw.

use super::machine_option::MachineOption;
use crate::sets::{BitSet, Tick};
use crate::specialization::Specialization;
use crate::steps::Steps;
use crate::visit::Visit;
use base::draws::Purpose;
use network::fabric::Fabric;

/// The gap in the arbitration of receivers.
pub struct ArbitrationGap;

impl MachineOption for ArbitrationGap {
    fn is_on(fabric: &Fabric) -> bool {
        fabric.has_arbitration_gap()
    }

    /// Ensures that `found_outputs_busy` describes the previous cycle.
    fn before_events<F: Steps>(visit: &mut Visit<'_, F>, now: i32) {
        let cycle = visit.cycle(now);
        if cycle == 0 || visit.store.optional[visit.local].examined_before == cycle {
            return;
        }
        // Nothing could be granted since the last visit.
        visit.settle(cycle);
        let found_outputs_busy = visit.found_outputs_busy(now - 1);
        visit.store.optional[visit.local].found_outputs_busy = found_outputs_busy;
    }

    fn after_events<F: Specialization>(visit: &mut Visit<'_, F>, now: i32, _: &mut u32) {
        visit.held_by_gap = visit.inputs_in_gap(now);
        let (next, found_outputs_busy) = (visit.cycle(now + 1), visit.found_outputs_busy(now));
        let state = &mut visit.store.optional[visit.local];
        (state.examined_before, state.found_outputs_busy) = (next, found_outputs_busy);
    }

    fn held_back<F: Specialization>(visit: &Visit<'_, F>) -> F::Inputs {
        visit.held_by_gap
    }
}

impl<F: Specialization> Visit<'_, F> {
    /// Inputs whose head packets miss this cycle. They found all outputs busy in the previous one, and the random draw
    /// of their receiver gives a gap.
    fn inputs_in_gap(&self, now: i32) -> F::Inputs {
        let found_outputs_busy = self.store.optional[self.local].found_outputs_busy;
        let (draws, share) = (self.draws(now), self.fabric.parameters.router.arbitration_gap_share);
        (0..F::PORTS).fold(F::Inputs::default(), |late, receiver| {
            let mine = found_outputs_busy & F::Inputs::range(receiver * F::VCS, F::VCS);
            let misses_cycle =
                !mine.is_empty() && share.decide(|| draws.draw(Purpose::ArbitrationGap, receiver));
            if misses_cycle { late | mine } else { late }
        })
    }

    /// Inputs of receivers whose head packets find each possible link busy at `now`, or without credits for its VCs.
    fn found_outputs_busy(&mut self, now: i32) -> F::Inputs {
        let (mut waiting, mut can_go) = (F::Inputs::default(), F::Inputs::default());
        for port in 0..self.fabric.ports {
            let (wants, escapes) = self.requesting(port);
            waiting |= wants | escapes;
            if self.node.times[port].cycles() <= now {
                self.take_credits_early(port, now);
                can_go |= self.has_credits_behind(port);
            }
        }
        waiting & !can_go & F::Inputs::range(0, F::VC_INPUTS)
    }
}
