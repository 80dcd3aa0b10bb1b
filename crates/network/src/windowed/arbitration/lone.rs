//! A head that waits alone, as most do under light load: it gets the channel that it chooses, and nobody has to be asked.
//!
//! What could be had behind each of its ports is worked out for all dimensions, as no processor could foretell in how many
//! of them it has hops to make.

use super::Arbitrated;
use super::opening::{Best, candidate};
use crate::draws::{Purpose, pick};
use crate::windowed::family::Family;
use crate::windowed::pending::Pending;
use crate::windowed::sets::BitSet;
use crate::windowed::vector::Vectors;
use crate::windowed::visit::Visit;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// The arbitration of some idle ports, if a head waits alone, can have a dynamic channel of one, and asks for nothing
    /// else.
    #[inline(always)]
    pub(super) fn arbitrate_lone(
        &mut self,
        now: i32,
        candidates: u32,
        bypass: F::Places,
    ) -> Option<Arbitrated<F>> {
        if F::HAS_OPTIONS {
            return None;
        }
        let waiting = F::waiting(&self.node.queues.wishes);
        if waiting.is_empty() | waiting.has_several() {
            return None;
        }
        let place = waiting.first();
        let (hints, is_rigid) = F::wish_of(&self.node.queues.wishes, place);
        if is_rigid | self.node.path_blocked.has(place) {
            return None;
        }
        let port_of = |dimension: usize| 2 * dimension + (hints >> (2 * dimension + 1) & 1) as usize;
        // Channel `c` of the port in dimension `d` is number `d x V + c`.
        let mut best = Best::default();
        for dimension in 0..P / 2 {
            let port = port_of(dimension);
            let is_candidate = candidates & hints & 1 << port != 0;
            if is_candidate | !F::Pending::HAS_ROWS {
                self.take_tokens(port, now);
            }
            let tokens = self.node.tokens_of(port);
            for (channel, &tokens) in tokens.iter().enumerate().take(self.dynamic_channels()) {
                let rank = self.fabric.open_rank(channel, tokens) & u8::from(is_candidate).wrapping_neg();
                best.consider(dimension * V + channel, rank);
            }
        }
        if best.channels == 0 {
            return None;
        }
        let bits = self.draws(now).draw(Purpose::RequestTie, candidate::<V, C>(place));
        let number = F::Processor::nth(best.channels, pick(bits, best.channels.count()));
        let (port, channel) = (port_of(number / V), number % V);
        self.grant_link(now, place, port, channel, bypass);
        Some(Arbitrated { granted: F::Places::only(place), taken: 1 << port, ..Arbitrated::default() })
    }
}
