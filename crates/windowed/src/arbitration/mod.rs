//! The three phases of arbitration, on bit masks of a node's inputs.
//!
//! The rules are the reference engine's. Only what can be granted is examined: the idle links, the inputs that
//! request them, and the credits for them. A single request wins without a random draw; this affects no other draw,
//! because draws are pure functions.
//!
//! ```text
//!   blocked_outputs:  which inputs could request an idle link, and for which VCs behind it    (half of phase 1)
//!   single_request:   a head packet that waits alone gets what it chooses
//!   several_outputs:  which of several grantable links each head packet requests              (the other half)
//!   choice:           which of its inputs a receiver selects, and which one a sender grants   (phases 2 and 3)
//!   rule:             which inputs are preferred there before a random draw
//! ```

mod blocked_outputs;
mod choice;
mod rule;
mod several_outputs;
mod single_request;

use super::options;
use super::queues::RequestVectors;
use super::sets::BitSet;
use super::specialization::Specialization;
use super::steps::Steps;
use super::vector::{Kernel, Vectors};
use super::visit::Visit;
use base::draws::Draws;
use blocked_outputs::{GrantableOutput, OutputState};

/// An arbitration of several idle links.
struct SeveralOutputs<'v, 'a, F: Specialization> {
    visit: &'v mut Visit<'a, F>,
    now: i32,
    candidates: u32,
    receptions: F::Inputs,
    bypass: F::Inputs,
}

impl<F: Specialization> Kernel for SeveralOutputs<'_, '_, F> {
    type Output = Arbitration<F>;

    #[inline(always)]
    fn run(self) -> Arbitration<F> {
        self.visit.arbitrate_several_outputs(self.now, self.candidates, self.receptions, self.bypass)
    }
}

/// The result of an arbitration.
#[derive(Default)]
struct Arbitration<F: Specialization> {
    /// Inputs that were granted.
    granted: F::Inputs,
    /// Ports through which their packets leave.
    taken: u32,
    /// Other examined ports that are still grantable.
    grantable: u32,
    /// Examined ports for which only credits are missing.
    stalled: u16,
    /// Whether the next cycle has to arbitrate again.
    arbitrates_again: bool,
}

impl<F: Steps> Visit<'_, F> {
    /// Arbitrates the `idle` links in one cycle and removes the granted ones from the set. Returns whether the next
    /// cycle has to arbitrate again. `bypass` is the set of inputs whose head packets arrived at an empty buffer in
    /// this cycle.
    #[inline(always)]
    pub(super) fn arbitrate(&mut self, now: i32, idle: &mut u32, bypass: F::Inputs) -> bool {
        if self.node.stalled & self.node.blocked_outputs != 0 {
            F::unblock_for_credits(self, now);
        }
        let candidates = *idle & !u32::from(self.node.blocked_outputs);
        let Arbitration { granted, taken, grantable, stalled, arbitrates_again } =
            match self.arbitrate_single_request(now, candidates, bypass) {
                Some(arbitrated) => arbitrated,
                None => self.arbitrate_all(now, candidates, bypass),
            };
        *idle &= !taken;
        self.node.bypassing |= granted & bypass;
        F::enter_buffers(self, bypass & !granted);
        let stalled = stalled | F::still_stalled(self, !granted.is_empty());
        self.node.blocked_outputs = (*idle & !grantable) as u16;
        if stalled != self.node.stalled {
            self.count_stalls(stalled, self.cycle(now));
        }
        arbitrates_again
    }
}

impl<F: Specialization> Visit<'_, F> {
    /// The general case, with any number of waiting head packets.
    #[inline(always)]
    fn arbitrate_all(&mut self, now: i32, mut candidates: u32, bypass: F::Inputs) -> Arbitration<F> {
        let receptions = self.receptions();
        if candidates.has_several() {
            candidates &= self.requested_ports();
        }
        match candidates.has_several()
            | (options::transfers_use_buses::<F>(self.fabric) && !receptions.is_empty())
        {
            false => self.arbitrate_one(now, candidates, receptions, bypass),
            true => F::Processor::run(SeveralOutputs { visit: self, now, candidates, receptions, bypass }),
        }
    }

    /// The case of at most one port to grant, which is the most frequent under load: no direction has to be chosen. A
    /// reception keeps no packet from the port here; where copies compete for the bus, the general case applies.
    #[inline(always)]
    fn arbitrate_one(
        &mut self,
        now: i32,
        candidate: u32,
        receptions: F::Inputs,
        bypass: F::Inputs,
    ) -> Arbitration<F> {
        let state = match candidate {
            0 => OutputState::Unwanted,
            _ => self.examine_output(now, candidate.first_below(F::PORTS)),
        };
        let (grantable, stalled, is_grantable) = match state {
            OutputState::Unwanted => (GrantableOutput::default(), 0, false),
            OutputState::Stalled => (GrantableOutput::default(), candidate as u16, false),
            OutputState::Grantable(grantable) => (grantable, 0, true),
        };
        let to_link = grantable.adaptive | (grantable.escape & !grantable.adaptive);
        let is_held = F::HAS_OPTIONS && is_grantable && to_link.is_empty();
        if (to_link | receptions).is_empty() {
            let grantable = if is_held { candidate } else { 0 };
            return Arbitration { stalled, grantable, arbitrates_again: is_held, ..Arbitration::default() };
        }
        let draws = self.draws(now);
        let winners = self.choose_at_receivers(now, draws, bypass, to_link | receptions);
        let mut granted = F::Inputs::default();
        if !receptions.is_empty() {
            granted |= self.grant_receptions(now, receptions & winners);
        }
        let is_left = !self.receptions_among(receptions & !granted).is_empty();
        if (to_link & winners).is_empty() {
            let grantable = if to_link.is_empty() & !is_held { 0 } else { candidate };
            return Arbitration {
                granted,
                taken: 0,
                grantable,
                stalled,
                arbitrates_again: is_left | (grantable != 0),
            };
        }
        let input = self.choose_at_sender(now, draws, grantable.port.into(), to_link & winners);
        let vc = self.vc_behind(draws, &grantable, input);
        self.grant_link(now, input, grantable.port.into(), vc, bypass);
        granted |= F::Inputs::only(input);
        Arbitration { granted, taken: candidate, grantable: 0, stalled, arbitrates_again: is_left }
    }

    /// Grants an idle link to an input.
    #[inline(always)]
    fn grant_link(&mut self, now: i32, input: usize, port: usize, vc: usize, bypass: F::Inputs) {
        self.store.totals.bypassed += u64::from(bypass.has(input));
        self.begin_transfer(now, input, port, vc);
    }

    #[inline(always)]
    fn grant_receptions(&mut self, now: i32, mut winners: F::Inputs) -> F::Inputs {
        let mut granted = F::Inputs::default();
        while !winners.is_empty() {
            let input = winners.first();
            if self.begin_reception(now, input, self.is_bus_awaited(input)) {
                granted |= F::Inputs::only(input);
            }
            winners = winners.without_first();
        }
        granted
    }

    /// Inputs that request their reception FIFO.
    #[inline(always)]
    fn receptions(&self) -> F::Inputs {
        self.receptions_among(self.node.queues.request_vectors.arrived())
    }

    /// The inputs in `arrived`, whose head packets are at their destination, that can be received. After a
    /// grant, `arrived` is the set of the inputs that were not granted: reading all request vectors again would wait
    /// for the stores of the grants.
    #[inline(always)]
    fn receptions_among(&self, arrived: F::Inputs) -> F::Inputs {
        let receptions = arrived & !self.node.bus_blocked;
        match receptions.is_empty() || self.store.endpoints().is_none() {
            true => receptions,
            false => self.receptions_with_room(receptions),
        }
    }

    fn receptions_with_room(&self, receptions: F::Inputs) -> F::Inputs {
        let Some(endpoints) = self.store.endpoints() else { return receptions };
        let has_room = |&input: &usize| {
            let packet = self.store.packet(self.packet_index(input, 0));
            endpoints.fifos().can_receive(self.fabric, self.local, input / F::VCS, packet)
        };
        receptions
            .iter()
            .filter(has_room)
            .fold(F::Inputs::default(), |set, input| set | F::Inputs::only(input))
    }

    /// The random draws of this cycle. A packet of others may pass before the node's time begins.
    #[inline(always)]
    pub(super) fn draws(&self, now: i32) -> Draws {
        let start = self.fabric.start_of(self.store.first + self.local as u32);
        self.node.key.at(self.cycle(now).wrapping_sub(start))
    }

    /// Counts the stalls in which only credits are missing, and their cycles: adds the time when a stall ends, and
    /// subtracts it when one begins.
    pub(super) fn count_stalls(&mut self, stalled: u16, now: u64) {
        let was_stalled = std::mem::replace(&mut self.node.stalled, stalled);
        let first = self.local * self.store.layout.ports;
        for port in BitSet::iter(was_stalled & !stalled) {
            self.store.links.stalls.end(first + port, now);
        }
        for port in BitSet::iter(stalled & !was_stalled) {
            self.store.links.stalls.begin(first + port, now);
        }
    }
}
