//! Phases 2 and 3: a receiver lets one of its places ask, a sender grants one of those that do.

use crate::draws::{Draws, Purpose, pick};
use crate::windowed::family::Family;
use crate::windowed::sets::BitSet;
use crate::windowed::visit::Visit;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// Phase 2: of each receiver's places that ask, the one that may; injection FIFOs all may.
    #[inline(always)]
    pub(super) fn choose_at_receivers(
        &self,
        draws: Draws,
        bypass: F::Places,
        asking: F::Places,
    ) -> F::Places {
        // At the first place of each receiver, whether any and whether several of its places ask.
        let first_places =
            (0..P).fold(F::Places::default(), |set, receiver| set | F::Places::only(receiver * V));
        let (mut any, mut several) = (F::Places::default(), F::Places::default());
        for channel in 0..V {
            let asks = (asking >> channel) & first_places;
            several |= any & asks;
            any |= asks;
        }
        let mut winners = asking;
        while !several.is_empty() {
            let first = several.first_below::<C>();
            several = several.without_first();
            let mine = asking & F::Places::range(first, V);
            winners &= !mine;
            winners |= self.choose_at_receiver(draws, bypass, first / V, mine);
        }
        winners
    }

    #[inline(always)]
    fn choose_at_receiver(
        &self,
        draws: Draws,
        bypass: F::Places,
        receiver: usize,
        mine: F::Places,
    ) -> F::Places {
        let mut mine = prefer(prefer(mine, self.urgent()), !bypass);
        let share = self.fabric.parameters.router.serve_longest_queue_share;
        if mine.has_several() && share.decide(|| draws.draw(Purpose::ReceiverServesLongest, receiver)) {
            mine = self.fullest(mine);
        }
        draw_one(mine, || draws.draw(Purpose::ReceiverTie, receiver))
    }

    /// Phase 3: the place that a sender grants.
    #[inline(always)]
    pub(super) fn choose_at_sender(&self, draws: Draws, port: usize, mine: F::Places) -> usize {
        if !mine.has_several() {
            return mine.first();
        }
        let router = self.fabric.parameters.router;
        let urgent = self.urgent() & mine;
        let in_network = F::Places::range(0, C);
        let favors_network = !urgent.is_empty()
            || router.in_network_share.decide(|| draws.draw(Purpose::SenderFavorsNetwork, port));
        let mut mine = prefer(prefer(mine, urgent), if favors_network { in_network } else { !in_network });
        let share = router.serve_longest_queue_share;
        if mine.has_several() && share.decide(|| draws.draw(Purpose::SenderServesLongest, port)) {
            mine = self.fullest(mine);
        }
        draw_one(mine, || draws.draw(Purpose::SenderTie, port)).first()
    }

    /// The places whose queues are in the highest quarter of fullness.
    #[inline(always)]
    fn fullest(&self, places: F::Places) -> F::Places {
        let [high, low] = F::quarter_bits(&self.node.quarters);
        prefer(prefer(places, high), low)
    }
}

/// The preferred places, if there are any.
#[inline(always)]
fn prefer<B: BitSet>(places: B, preferred: B) -> B {
    let some = places & preferred;
    if some.is_empty() { places } else { some }
}

/// One of the places, each as likely.
#[inline(always)]
fn draw_one<B: BitSet>(places: B, bits: impl FnOnce() -> u32) -> B {
    match places.has_several() {
        true => B::only(places.nth(pick(bits(), places.count()))),
        false => places,
    }
}
