//! The steps of a visit that uniform machines take for all inputs at once, and all others for one input after another.
//!
//! Events of different VCs are independent. Events of earlier cycles, in which nothing could be granted, can be applied
//! together with those of the current cycle.
//!
//! ```text
//!   one_by_one:   what each form can do: the provided functions of [`Steps`]
//!   all_at_once:  the forms of uniform machines, with vectors
//! ```

mod all_at_once;
mod one_by_one;

use super::specialization::{Common, Compact, Specialization, VcCount, Wide, WideVcCount, WithOptions};
use super::vector::Vectors;
use super::visit::Visit;

/// A specialization with its steps. The provided functions are those of the general form.
pub trait Steps: Specialization {
    /// Applies departures from VCs, and arrivals at receivers. Returns the inputs whose head packets arrived in this
    /// cycle at an empty buffer.
    #[inline(always)]
    fn apply_to_queues(
        visit: &mut Visit<'_, Self>,
        left: Self::Inputs,
        reached: u32,
        now: i32,
    ) -> Self::Inputs {
        visit.apply_individually(left, reached, now)
    }

    /// Adds the head packets at some inputs, which did not bypass their buffers, to the buffers' occupancy.
    #[inline(always)]
    fn enter_buffers(visit: &mut Visit<'_, Self>, inputs: Self::Inputs) {
        visit.enter_buffers_individually(inputs);
    }

    /// The next return of credits for which a head packet waits.
    #[inline(always)]
    fn next_credit_return(visit: &Visit<'_, Self>) -> Self::Tick {
        visit.next_credit_return_of_each()
    }

    /// Unblocks the stalled ports whose credits have returned.
    #[inline(always)]
    fn unblock_for_credits(visit: &mut Visit<'_, Self>, now: i32) {
        visit.unblock_each_for_credits(now);
    }

    /// The blocked outputs for which still only credits are missing. After a grant, the packets that requested an
    /// output may have left, or may have no transfer path.
    #[inline(always)]
    fn still_stalled(visit: &Visit<'_, Self>, after_grant: bool) -> u16 {
        visit.still_stalled_each(after_grant)
    }

    /// VCs whose departures would wake the node needlessly while links are stalled. Neither the next head packet nor a
    /// head packet that waits for the transfer path could leave then. Empty unless the form computes them.
    #[inline(always)]
    fn needless_departures(_: &Visit<'_, Self>, _awaited: u8) -> Self::Slots {
        Self::Slots::default()
    }
}

impl<N: VcCount, X: Vectors> Steps for Compact<Common, N, X> {}
impl<N: VcCount, X: Vectors> Steps for Compact<WithOptions, N, X> {}
impl<N: WideVcCount, X: Vectors> Steps for Wide<N, X> {}
