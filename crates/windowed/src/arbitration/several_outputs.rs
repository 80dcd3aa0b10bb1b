//! Several idle links: each head packet chooses one of the links that it could have, before its receiver selects an
//! input.

use super::Arbitration;
use super::blocked_outputs::{GrantableOutput, OutputState, candidate};
use crate::array::Items;
use crate::sets::{BitSet, assume};
use crate::specialization::Specialization;
use crate::visit::Visit;
use base::draws::{Draws, Purpose, pick};

/// Phase 1, before directions are chosen: the requests that inputs could make.
struct Requests<F: Specialization> {
    /// Inputs that request their reception FIFO.
    receptions: F::Inputs,
    /// Inputs that could take an adaptive VC of some port.
    any_adaptive: F::Inputs,
    ports: F::PerPort<GrantableOutput<F>>,
    grantable: usize,
    /// Idle ports for which only credits are missing.
    stalled: u16,
}

impl<F: Specialization> Requests<F> {
    #[inline(always)]
    fn none() -> Self {
        Requests {
            receptions: F::Inputs::default(),
            any_adaptive: F::Inputs::default(),
            ports: F::PerPort::filled(GrantableOutput::default()),
            grantable: 0,
            stalled: 0,
        }
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.grantable == 0 && self.receptions.is_empty()
    }

    #[inline(always)]
    fn grantable_outputs(&self) -> &[GrantableOutput<F>] {
        // SAFETY: at most all ports are grantable.
        unsafe { assume(self.grantable <= F::PORTS) };
        &self.ports[..self.grantable]
    }

    /// The inputs that could request several ports.
    #[inline(always)]
    fn contested(&self) -> F::Inputs {
        let (mut seen, mut contested) = (F::Inputs::default(), F::Inputs::default());
        for grantable in self.grantable_outputs() {
            contested |= seen & grantable.adaptive;
            seen |= grantable.adaptive;
        }
        contested
    }
}

/// An input that may leave, its port, and the VC behind that port.
#[derive(Clone, Copy, Default)]
struct Grant {
    input: u8,
    port: u8,
    vc: u8,
}

impl<F: Specialization> Visit<'_, F> {
    /// Arbitrates any number of idle links.
    #[inline(always)]
    pub(super) fn arbitrate_several_outputs(
        &mut self,
        now: i32,
        candidates: u32,
        receptions: F::Inputs,
        bypass: F::Inputs,
    ) -> Arbitration<F> {
        let mut requests = Requests::none();
        self.look(now, candidates, receptions, &mut requests);
        if requests.is_empty() {
            return Arbitration { stalled: requests.stalled, ..Arbitration::default() };
        }
        let (granted, taken) = self.grant(now, bypass, &requests);
        let receptions = self.receptions_among(receptions & !granted);
        let candidates = candidates & !taken & self.requested_ports();
        if (candidates == 0) & receptions.is_empty() {
            return Arbitration { granted, taken, ..Arbitration::default() };
        }
        let mut left = Requests::none();
        self.look(now, candidates, receptions, &mut left);
        let grantable = left.grantable_outputs().iter().fold(0, |set, grantable| set | 1 << grantable.port);
        Arbitration { granted, taken, grantable, stalled: left.stalled, arbitrates_again: !left.is_empty() }
    }

    /// Stores the requests that inputs could make in `requests`, which is empty. A return value would be copied.
    #[inline(always)]
    fn look(&mut self, now: i32, candidates: u32, receptions: F::Inputs, requests: &mut Requests<F>) {
        requests.receptions = receptions;
        for port in candidates.iter() {
            match self.examine_output(now, port) {
                OutputState::Unwanted => {}
                OutputState::Stalled => requests.stalled |= 1 << port,
                OutputState::Grantable(grantable) => {
                    requests.any_adaptive |= grantable.adaptive;
                    requests.ports[requests.grantable] = grantable;
                    requests.grantable += 1;
                }
            }
        }
        for grantable in &mut requests.ports[..requests.grantable] {
            grantable.escape &= !requests.any_adaptive;
        }
    }

    /// Runs phases 1 to 3 and begins the transfers that follow. Returns the granted inputs and their ports.
    #[inline(always)]
    fn grant(&mut self, now: i32, bypass: F::Inputs, requests: &Requests<F>) -> (F::Inputs, u32) {
        let draws = self.draws(now);
        let contested = requests.contested();
        let mut to_sender = F::PerPort::filled(F::Inputs::default());
        choose_directions::<F>(draws, requests, contested, &mut to_sender);
        let requesting =
            to_sender[..requests.grantable].iter().fold(requests.receptions, |all, &inputs| all | inputs);
        let winners = self.choose_at_receivers(now, draws, bypass, requesting);
        let mut grants = F::PerPort::filled(Grant::default());
        let mut count = 0;
        for (grantable, &requesting) in requests.grantable_outputs().iter().zip(&*to_sender) {
            let mine = requesting & winners;
            if !mine.is_empty() {
                let input = self.choose_at_sender(now, draws, grantable.port.into(), mine);
                let vc = match contested.has(input) {
                    true => choose_vc::<F>(draws, requests, input).1,
                    false => self.vc_behind(draws, grantable, input),
                };
                grants[count] = Grant { input: input as u8, port: grantable.port, vc: vc as u8 };
                count += 1;
            }
        }
        let mut taken = 0;
        let mut granted = self.grant_receptions(now, requests.receptions & winners);
        for grant in &grants[..count] {
            let Grant { input, port, vc } = *grant;
            self.grant_link(now, input.into(), port.into(), vc.into(), bypass);
            granted |= F::Inputs::only(input.into());
            taken |= 1 << port;
        }
        (granted, taken)
    }
}

/// Phase 1: stores in `to_sender` the inputs that request each grantable port. The `contested` ones could request
/// several.
#[inline(always)]
fn choose_directions<F: Specialization>(
    draws: Draws,
    requests: &Requests<F>,
    contested: F::Inputs,
    to_sender: &mut [F::Inputs],
) {
    for (to_port, grantable) in to_sender.iter_mut().zip(requests.grantable_outputs()) {
        *to_port = grantable.escape | (grantable.adaptive & !contested);
    }
    if let [one, other] = requests.grantable_outputs() {
        // All contested inputs prefer the port with more credits behind it.
        if one.best_rank != other.best_rank {
            to_sender[usize::from(one.best_rank < other.best_rank)] |= contested;
            return;
        }
    }
    let mut contested = contested;
    while !contested.is_empty() {
        let input = contested.first();
        let (grantable, _) = choose_vc::<F>(draws, requests, input);
        to_sender[grantable] |= F::Inputs::only(input);
        contested = contested.without_first();
    }
}

/// The grantable port (its index among the grantable ports) and VC with most credits behind it. A random draw breaks
/// ties.
#[inline(always)]
fn choose_vc<F: Specialization>(draws: Draws, requests: &Requests<F>, input: usize) -> (usize, usize) {
    let (mut max, mut count) = (0, 0);
    for grantable in requests.grantable_outputs() {
        if grantable.adaptive.has(input) {
            let vcs = grantable.best_vcs.count();
            count = if grantable.best_rank > max || count == 0 { 0 } else { count };
            count += if grantable.best_rank >= max { vcs } else { 0 };
            max = max.max(grantable.best_rank);
        }
    }
    let mut tie = pick(draws.draw(Purpose::RequestTie, candidate::<F>(input)), count);
    for (number, grantable) in requests.grantable_outputs().iter().enumerate() {
        if grantable.best_rank == max && grantable.adaptive.has(input) {
            let vcs = grantable.best_vcs.count();
            if tie < vcs {
                return (number, F::nth_vc(grantable.best_vcs, tie));
            }
            tie -= vcs;
        }
    }
    unreachable!("a tie is less than the number of equals")
}
