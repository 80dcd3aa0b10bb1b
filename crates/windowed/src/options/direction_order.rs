//! Direction order: escape routing takes all plus directions first. The ports of request vectors are then numbered in
//! that order.

use crate::specialization::Specialization;
use crate::visit::Visit;

impl<F: Specialization> Visit<'_, F> {
    /// A set of ports as bits in the order in which the escape VC takes them.
    #[inline(always)]
    pub(crate) fn ranks(&self, ports: u32) -> u32 {
        if F::HAS_OPTIONS { self.fabric.in_escape_order(ports) } else { ports }
    }

    /// The inverse of `ranks`.
    #[inline(always)]
    pub(crate) fn ports_of_ranks(&self, ranks: u32) -> u32 {
        if F::HAS_OPTIONS { self.fabric.from_escape_order(ranks) } else { ranks }
    }

    /// The place of a port in the order of the escape VC.
    #[inline(always)]
    pub(crate) fn rank_of(&self, port: usize) -> usize {
        if F::HAS_OPTIONS { self.fabric.escape_rank(port) } else { port }
    }
}
