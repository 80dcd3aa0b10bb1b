//! Phases 2 and 3: a receiver selects one of its requesting inputs, and a sender grants one of the selected ones.

use crate::sets::{BitSet, prefer};
use crate::specialization::Specialization;
use crate::visit::Visit;
use base::draws::{Draws, Purpose, pick};
use network::arbitration::Arbiter;

impl<F: Specialization> Visit<'_, F> {
    /// Phase 2: the requesting input that each receiver selects; injection FIFOs are all selected.
    #[inline(always)]
    pub(super) fn choose_at_receivers(
        &self,
        now: i32,
        draws: Draws,
        bypass: F::Inputs,
        requesting: F::Inputs,
    ) -> F::Inputs {
        // At the first input of each receiver: whether any, and whether several, of its inputs make requests.
        let first_inputs = (0..F::PORTS)
            .fold(F::Inputs::default(), |set, receiver| set | F::Inputs::only(receiver * F::VCS));
        let (mut any, mut several) = (F::Inputs::default(), F::Inputs::default());
        for vc in 0..F::VCS {
            let requests = (requesting >> vc) & first_inputs;
            several |= any & requests;
            any |= requests;
        }
        let mut winners = requesting;
        while !several.is_empty() {
            let first = several.first_below(F::VC_INPUTS);
            several = several.without_first();
            let mine = requesting & F::Inputs::range(first, F::VCS);
            winners &= !mine;
            winners |= self.choose_at_receiver(now, draws, bypass, first / F::VCS, mine);
        }
        winners
    }

    #[inline(always)]
    fn choose_at_receiver(
        &self,
        now: i32,
        draws: Draws,
        bypass: F::Inputs,
        receiver: usize,
        mine: F::Inputs,
    ) -> F::Inputs {
        let mine = prefer(prefer(mine, self.high_priority()), !bypass);
        let rule = self.rule(draws, Purpose::ReceiverServesLongest, receiver);
        let mine = self.preferred_by(now, rule, Arbiter::Receiver(receiver), mine);
        F::Inputs::only(draw_one::<F>(mine, draws.draw(Purpose::ReceiverTie, receiver)))
    }

    /// Phase 3: the input that a sender grants.
    #[inline(always)]
    pub(super) fn choose_at_sender(&self, now: i32, draws: Draws, port: usize, mine: F::Inputs) -> usize {
        if !mine.has_several() {
            return mine.first();
        }
        let router = self.fabric.parameters.router;
        let high_priority = self.high_priority() & mine;
        let in_network = F::Inputs::range(0, F::VC_INPUTS);
        let favors_network = !high_priority.is_empty()
            || router.in_network_share.decide(|| draws.draw(Purpose::SenderFavorsNetwork, port));
        let mine = prefer(prefer(mine, high_priority), if favors_network { in_network } else { !in_network });
        let rule = self.rule(draws, Purpose::SenderServesLongest, port);
        let mine = self.preferred_by(now, rule, Arbiter::Sender(port), mine);
        draw_one::<F>(mine, draws.draw(Purpose::SenderTie, port))
    }
}

/// One of the inputs, all equally likely. A single one is drawn as well: a branch on that would be unpredictable.
#[inline(always)]
fn draw_one<F: Specialization>(inputs: F::Inputs, bits: u32) -> usize {
    F::nth(inputs, pick(bits, inputs.count()))
}
