//! An idle link: the inputs that could request it, and the VCs behind it that they could take.

use crate::options;
use crate::sets::{BitSet, Tick};
use crate::specialization::Specialization;
use crate::visit::Visit;
use base::draws::{Draws, Purpose, pick};
use network::parameters::numbered_vcs;
use std::hint::select_unpredictable;

/// An idle link that can be granted, and the inputs that could request it.
#[derive(Clone, Copy, Default)]
pub(super) struct GrantableOutput<F: Specialization> {
    /// Inputs that could take an adaptive VC behind the link.
    pub(super) adaptive: F::Inputs,
    /// Inputs that can take only their escape VC.
    pub(super) escape: F::Inputs,
    pub(super) port: u8,
    /// The VCs with most credits among the adaptive VCs with room for a full packet, as bits.
    pub(super) best_vcs: u16,
    /// The rank of these VCs, 1 to 4.
    pub(super) best_rank: u8,
}

/// The VCs with most credits among some VCs.
#[derive(Default)]
pub(super) struct Best {
    /// The numbers of these VCs, as bits.
    pub(super) vcs: u32,
    /// The rank of these VCs, 1 to 4; 0 if none has room for a full packet.
    pub(super) rank: u8,
}

impl Best {
    /// Considers a VC of this number and rank ([`Fabric::credit_rank`](network::fabric::Fabric::credit_rank)), without
    /// branches, which would be unpredictable.
    #[inline(always)]
    pub(super) fn consider(&mut self, number: usize, rank: u8) {
        self.vcs = select_unpredictable(rank > self.rank, 0, self.vcs);
        self.rank = self.rank.max(rank);
        self.vcs |= u32::from((rank == self.rank) & (rank > 0)) << number;
    }
}

/// The state of an idle link.
pub(super) enum OutputState<F: Specialization> {
    /// No head packet that could leave requests the link.
    Unwanted,
    /// Only credits are missing.
    Stalled,
    /// Some head packet can be granted the link, if only in the next cycle.
    Grantable(GrantableOutput<F>),
}

impl<F: Specialization> Visit<'_, F> {
    /// Determines which inputs could request an idle link.
    #[inline(always)]
    pub(super) fn examine_output(&mut self, now: i32, port: usize) -> OutputState<F> {
        let (wants, escapes) = self.wanted_by(port);
        if (wants | escapes).is_empty() {
            return OutputState::Unwanted;
        }
        self.take_credits(port, now);
        let (best_vcs, best_rank) = self.best_vcs(port);
        let adaptive = if best_vcs == 0 { F::Inputs::default() } else { wants };
        let escape = self.may_enter_bubble(port, escapes);
        match (adaptive | escape).is_empty() {
            true => {
                if F::IS_UNIFORM {
                    self.record_blocked_output(port, best_vcs == 0);
                }
                OutputState::Stalled
            }
            false => {
                let may_request = !options::held_back(self);
                OutputState::Grantable(GrantableOutput {
                    adaptive: adaptive & may_request,
                    escape: escape & may_request,
                    port: port as u8,
                    best_vcs,
                    best_rank,
                })
            }
        }
    }

    /// Records which VCs behind a stalled port are blocked for future head packets.
    #[inline(always)]
    fn record_blocked_output(&mut self, port: usize, has_no_adaptive_vc: bool) {
        let escape = self.node.credits_of(port)[self.escape_vc()];
        let has_room = escape >= 2 * self.fabric.full_packet;
        let others = !u8::only(port);
        self.node.without_adaptive_vc =
            self.node.without_adaptive_vc & others | u8::only_if(port, has_no_adaptive_vc);
        self.node.with_escape_room = self.node.with_escape_room & others | u8::only_if(port, has_room);
    }

    /// The inputs whose head packets request a port on an adaptive VC, and the inputs whose escape it is. All have a
    /// transfer path and meet the requirements of options.
    #[inline(always)]
    pub(crate) fn wanted_by(&self, port: usize) -> (F::Inputs, F::Inputs) {
        let (wants, escapes) = self.requesting(port);
        let blocked = self.node.path_blocked | options::blocked(self);
        (wants & !blocked, escapes & !blocked)
    }

    /// Adds the credits that have returned to a sender by now.
    #[inline(always)]
    pub(crate) fn take_credits(&mut self, port: usize, now: i32) {
        let row = self.store.layout.credit_events(self.local, port);
        self.node.take_credits(
            port,
            self.store.pending_events(row),
            F::Tick::near(now),
            self.fabric.full_packet,
        );
    }

    /// Takes due credits before arbitration does, and unblocks their output as arbitration would.
    #[inline(always)]
    pub(crate) fn take_credits_early(&mut self, port: usize, now: i32) {
        let are_due = self.next_credit_return_of(port).cycles() <= now;
        self.node.blocked_outputs &= !u16::only_if(port, are_due);
        self.take_credits(port, now);
    }

    /// Inputs whose head packets could move through a port if its link were idle and a path free.
    #[inline(always)]
    pub(crate) fn has_credits_behind(&self, port: usize) -> F::Inputs {
        let (wants, escapes) = self.requesting(port);
        let adaptive = if self.best_vcs(port).0 == 0 { F::Inputs::default() } else { wants };
        adaptive | self.may_enter_bubble(port, escapes)
    }

    /// The VCs with most credits among the adaptive VCs behind a port that have room for a full packet. The second item
    /// is the rank of these VCs ([`Fabric::credit_rank`](network::fabric::Fabric::credit_rank)).
    #[inline(always)]
    fn best_vcs(&self, port: usize) -> (u16, u8) {
        let credits = self.node.credits_of(port);
        let mut best = Best::default();
        for (vc, &credits) in credits.iter().enumerate().take(self.adaptive_vcs()) {
            best.consider(vc, self.fabric.credit_rank(vc, credits));
        }
        (best.vcs as u16, best.rank)
    }

    /// The inputs among `inputs` that may enter their bubble VC behind a port, or continue straight on in it.
    #[inline(always)]
    fn may_enter_bubble(&self, port: usize, inputs: F::Inputs) -> F::Inputs {
        let high_priority = self.high_priority();
        let normal = self.may_take_escape(port) & !high_priority;
        match self.high_priority_vc() {
            Some(vc) if !high_priority.is_empty() => {
                inputs & (normal | (self.may_enter_bubble_vc(port, vc) & high_priority))
            }
            _ => inputs & normal,
        }
    }

    /// The inputs that may take the escape VC behind a port, if it is their escape.
    #[inline(always)]
    fn may_take_escape(&self, port: usize) -> F::Inputs {
        let of_last = self.may_take_escape_of_segment(port, self.escape_vc());
        if !self.has_detours() {
            return of_last;
        }
        let of_first = self.may_take_escape_of_segment(port, self.fabric.first_escape_vc(true));
        (of_last & !self.first_segment()) | (of_first & self.first_segment())
    }

    /// The inputs that may take the escape VC of a route segment behind a port. `first` is the segment's escape VC,
    /// with a dateline pair the first VC of the pair.
    #[inline(always)]
    fn may_take_escape_of_segment(&self, port: usize, first: usize) -> F::Inputs {
        match self.has_datelines() {
            true => self.may_take_dateline_pair(port, first),
            false => self.may_enter_bubble_vc(port, first),
        }
    }

    #[inline(always)]
    fn may_enter_bubble_vc(&self, port: usize, vc: usize) -> F::Inputs {
        let (credits, full_packet) = (self.node.credits_of(port)[vc], self.fabric.full_packet);
        // The number of credits is unpredictable: no branches.
        let (none, all) = (F::Inputs::default(), !F::Inputs::default());
        let straight_on = F::Inputs::only((port ^ 1) * F::VCS + vc);
        let grantable = select_unpredictable(credits >= full_packet, straight_on, none);
        select_unpredictable(credits >= 2 * full_packet, all, grantable)
    }

    /// The VC for an input that can request only one port.
    #[inline(always)]
    pub(super) fn vc_behind(&self, draws: Draws, grantable: &GrantableOutput<F>, input: usize) -> usize {
        if grantable.adaptive.has(input) {
            let vcs = grantable.best_vcs;
            // A single VC is drawn as well: a branch on that would be unpredictable.
            let bits = draws.draw(Purpose::RequestTie, candidate::<F>(input));
            return F::nth_vc(vcs, pick(bits, vcs.count()));
        }
        match self.high_priority_vc() {
            Some(vc) if self.node.high_priority.has(input) => vc,
            _ if self.first_segment().has(input) => {
                self.fabric.first_escape_vc(true) + self.crossed().has(input) as usize
            }
            _ => self.escape_vc() + self.crossed().has(input) as usize,
        }
    }
}

/// The number that identifies an input in random draws, the same in every specialization.
#[inline(always)]
pub(super) fn candidate<F: Specialization>(input: usize) -> usize {
    // VCs are numbered from 0, injection FIFOs behind those of all ports, without a branch: it would be unpredictable.
    let (vcs, ports) = (const { numbered_vcs(F::VCS) }, 2 * geometry::MAX_DIMENSIONS);
    let of_vc = input + input / F::VCS * (vcs - F::VCS);
    let is_fifo = usize::from(input >= F::VC_INPUTS).wrapping_neg();
    (of_vc & !is_fifo) | ((input + ports * vcs - F::VC_INPUTS) & is_fifo)
}
