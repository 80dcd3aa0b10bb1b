//! Several idle links: each head chooses one of those it could have before its receiver does.

use super::Arbitrated;
use super::opening::{OpenPort, Opening, candidate, nth_channel};
use crate::draws::{Draws, Purpose, pick};
use crate::windowed::family::Family;
use crate::windowed::sets::{BitSet, is_given};
use crate::windowed::visit::Visit;

/// Phase 1, before directions are chosen: who could ask for what.
struct Requests<F: Family, const P: usize> {
    /// Places that ask for their reception FIFO.
    receptions: F::Places,
    /// Places that could take a dynamic channel of some port.
    any_dynamic: F::Places,
    ports: [OpenPort<F>; P],
    open: usize,
    /// Idle ports for which only tokens are missing.
    stalled: u16,
}

impl<F: Family, const P: usize> Requests<F, P> {
    #[inline(always)]
    fn none() -> Self {
        Requests {
            receptions: F::Places::default(),
            any_dynamic: F::Places::default(),
            ports: [OpenPort::default(); P],
            open: 0,
            stalled: 0,
        }
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.open == 0 && self.receptions.is_empty()
    }

    #[inline(always)]
    fn open_ports(&self) -> &[OpenPort<F>] {
        // SAFETY: no more ports are open than there are.
        unsafe { is_given(self.open <= P) };
        &self.ports[..self.open]
    }

    /// The places that could ask several ports.
    #[inline(always)]
    fn contested(&self) -> F::Places {
        let (mut seen, mut contested) = (F::Places::default(), F::Places::default());
        for open in self.open_ports() {
            contested |= seen & open.dynamic;
            seen |= open.dynamic;
        }
        contested
    }
}

/// A place may leave through a port, into a channel.
#[derive(Clone, Copy, Default)]
struct Grant {
    place: u8,
    port: u8,
    channel: u8,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// The same in general.
    #[inline(always)]
    pub(super) fn arbitrate_several(
        &mut self,
        now: i32,
        candidates: u32,
        receptions: F::Places,
        bypass: F::Places,
    ) -> Arbitrated<F> {
        let mut requests = Requests::none();
        self.look(now, candidates, receptions, &mut requests);
        if requests.is_empty() {
            return Arbitrated { stalled: requests.stalled, ..Arbitrated::default() };
        }
        let (granted, taken) = self.grant(now, bypass, &requests);
        let receptions = self.receptions_among(receptions & !granted);
        let candidates = candidates & !taken & self.wanted();
        if (candidates == 0) & receptions.is_empty() {
            return Arbitrated { granted, taken, ..Arbitrated::default() };
        }
        let mut left = Requests::none();
        self.look(now, candidates, receptions, &mut left);
        let open = left.open_ports().iter().fold(0, |set, open| set | 1 << open.port);
        Arbitrated { granted, taken, open, stalled: left.stalled, is_again: !left.is_empty() }
    }

    /// Who could ask for what, into `requests`, which are none: returned, they would be copied.
    #[inline(always)]
    fn look(&mut self, now: i32, candidates: u32, receptions: F::Places, requests: &mut Requests<F, P>) {
        requests.receptions = receptions;
        for port in candidates.iter() {
            match self.open_port(now, port) {
                Opening::Unwanted => {}
                Opening::Stalled => requests.stalled |= 1 << port,
                Opening::Open(open) => {
                    requests.any_dynamic |= open.dynamic;
                    requests.ports[requests.open] = open;
                    requests.open += 1;
                }
            }
        }
        for open in &mut requests.ports[..requests.open] {
            open.escape &= !requests.any_dynamic;
        }
    }

    /// Phases 1 to 3, and the transfers that follow; the places that are granted, and the ports.
    #[inline(always)]
    fn grant(&mut self, now: i32, bypass: F::Places, requests: &Requests<F, P>) -> (F::Places, u32) {
        let draws = self.draws(now);
        let contested = requests.contested();
        let mut to_sender = [F::Places::default(); P];
        choose_directions::<F, P, V, C>(draws, requests, contested, &mut to_sender);
        let asking = to_sender[..requests.open].iter().fold(requests.receptions, |all, &places| all | places);
        let winners = self.choose_at_receivers(draws, bypass, asking);
        let mut grants = [Grant::default(); P];
        let mut count = 0;
        for (open, &asking) in requests.open_ports().iter().zip(&to_sender) {
            let mine = asking & winners;
            if !mine.is_empty() {
                let place = self.choose_at_sender(draws, open.port.into(), mine);
                let channel = match contested.has(place) {
                    true => choose_channel::<F, P, V, C>(draws, requests, place).1,
                    false => self.channel_behind(draws, open, place),
                };
                grants[count] = Grant { place: place as u8, port: open.port, channel: channel as u8 };
                count += 1;
            }
        }
        let mut taken = 0;
        let mut granted = self.grant_receptions(now, requests.receptions & winners);
        for grant in &grants[..count] {
            let Grant { place, port, channel } = *grant;
            self.grant_link(now, place.into(), port.into(), channel.into(), bypass);
            granted |= F::Places::only(place.into());
            taken |= 1 << port;
        }
        (granted, taken)
    }
}

/// Phase 1: the places that ask each open port, into `to_sender`, where `contested` ones could ask several.
#[inline(always)]
fn choose_directions<F: Family, const P: usize, const V: usize, const C: usize>(
    draws: Draws,
    requests: &Requests<F, P>,
    contested: F::Places,
    to_sender: &mut [F::Places; P],
) {
    for (to_port, open) in to_sender.iter_mut().zip(requests.open_ports()) {
        *to_port = open.escape | (open.dynamic & !contested);
    }
    if let [one, other] = requests.open_ports() {
        // All of them prefer the one with more tokens behind it.
        if one.best_rank != other.best_rank {
            to_sender[usize::from(one.best_rank < other.best_rank)] |= contested;
            return;
        }
    }
    let mut contested = contested;
    while !contested.is_empty() {
        let place = contested.first();
        let (open, _) = choose_channel::<F, P, V, C>(draws, requests, place);
        to_sender[open] |= F::Places::only(place);
        contested = contested.without_first();
    }
}

/// The open port (its number among them) and channel with most tokens behind it; equals are drawn from.
#[inline(always)]
fn choose_channel<F: Family, const P: usize, const V: usize, const C: usize>(
    draws: Draws,
    requests: &Requests<F, P>,
    place: usize,
) -> (usize, usize) {
    let (mut most, mut count) = (0, 0);
    for open in requests.open_ports() {
        if open.dynamic.has(place) {
            let channels = open.best_channels.count();
            count = if open.best_rank > most || count == 0 { 0 } else { count };
            count += if open.best_rank >= most { channels } else { 0 };
            most = most.max(open.best_rank);
        }
    }
    let mut tie = pick(draws.draw(Purpose::RequestTie, candidate::<V, C>(place)), count);
    for (number, open) in requests.open_ports().iter().enumerate() {
        if open.best_rank == most && open.dynamic.has(place) {
            let channels = open.best_channels.count();
            if tie < channels {
                return (number, nth_channel(open.best_channels, tie));
            }
            tie -= channels;
        }
    }
    unreachable!("a tie is less than the number of equals")
}
