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
        let mine = prefer(prefer(mine, self.urgent()), !bypass);
        let serves_longest = self.serves_longest(draws, Purpose::ReceiverServesLongest, receiver);
        let mine = self.fullest_if(serves_longest, mine);
        F::Places::only(draw_one::<F>(mine, draws.draw(Purpose::ReceiverTie, receiver)))
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
        let mine = prefer(prefer(mine, urgent), if favors_network { in_network } else { !in_network });
        let serves_longest = self.serves_longest(draws, Purpose::SenderServesLongest, port);
        let mine = self.fullest_if(serves_longest, mine);
        draw_one::<F>(mine, draws.draw(Purpose::SenderTie, port))
    }

    /// Whether the longest queue is served in this cycle.
    #[inline(always)]
    fn serves_longest(&self, draws: Draws, purpose: Purpose, port: usize) -> bool {
        let share = self.fabric.parameters.router.serve_longest_queue_share;
        share.decide(|| draws.draw(purpose, port))
    }

    /// The places whose queues are in the highest quarter of fullness, or all of them. On plain machines both are worked
    /// out, as no processor could foretell which is asked for.
    #[inline(always)]
    fn fullest_if(&self, is_asked: bool, places: F::Places) -> F::Places {
        if !(F::IS_PLAIN || is_asked) {
            return places;
        }
        let reaches = |quarter: usize| {
            F::at_least(places, &self.node.queues.occupied, &self.store.layout.quarters[quarter])
        };
        let (second, third, last) = (reaches(0), reaches(1), reaches(2));
        let fullest = prefer(prefer(places, third), last | (second & !third));
        if is_asked { fullest } else { places }
    }
}

/// The preferred places, if there are any.
#[inline(always)]
fn prefer<B: BitSet>(places: B, preferred: B) -> B {
    let some = places & preferred;
    if some.is_empty() { places } else { some }
}

/// One of the places, each as likely. A lone one is drawn as well: whether there are several could not be foretold.
#[inline(always)]
fn draw_one<F: Family>(places: F::Places, bits: u32) -> usize {
    F::nth(places, pick(bits, places.count()))
}
