//! Several idle links: each head chooses one of those it could have before its receiver does.

use super::Arbitrated;
use super::opening::{OpenPort, Opening, candidate};
use crate::draws::{Draws, Purpose, pick};
use crate::windowed::family::{BitSet, Family};
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
    fn is_empty(&self) -> bool {
        self.open == 0 && self.receptions.is_empty()
    }

    #[inline(always)]
    fn open_ports(&self) -> &[OpenPort<F>] {
        &self.ports[..self.open]
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
    #[inline(never)]
    pub(super) fn arbitrate_several(
        &mut self,
        now: i32,
        candidates: u32,
        receptions: F::Places,
        bypass: F::Places,
    ) -> Arbitrated<F> {
        let requests = self.requests(now, candidates, receptions);
        if requests.is_empty() {
            return Arbitrated { stalled: requests.stalled, ..Arbitrated::default() };
        }
        let (granted, taken) = self.grant(now, bypass, &requests);
        let receptions = self.receptions();
        let candidates = candidates & !taken & F::all_hints(&self.node.hints);
        if (candidates == 0) & receptions.is_empty() {
            return Arbitrated { granted, taken, ..Arbitrated::default() };
        }
        let left = self.requests(now, candidates, receptions);
        let open = left.open_ports().iter().fold(0, |set, open| set | 1 << open.port);
        Arbitrated { granted, taken, open, stalled: left.stalled, is_again: !left.is_empty() }
    }

    /// Who could ask for what.
    fn requests(&mut self, now: i32, candidates: u32, receptions: F::Places) -> Requests<F, P> {
        let mut requests = Requests::<F, P> {
            receptions,
            any_dynamic: F::Places::default(),
            ports: [OpenPort::default(); P],
            open: 0,
            stalled: 0,
        };
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
        requests
    }

    /// Phases 1 to 3, and the transfers that follow; the places that are granted, and the ports.
    fn grant(&mut self, now: i32, bypass: F::Places, requests: &Requests<F, P>) -> (F::Places, u32) {
        let draws = self.draws(now);
        let directions = choose_directions::<F, P, V, C>(draws, requests);
        let asking = directions.to_sender[..requests.open]
            .iter()
            .fold(requests.receptions, |all, &places| all | places);
        let winners = self.choose_at_receivers(draws, bypass, asking);
        let mut grants = [Grant::default(); P];
        let mut count = 0;
        for (open, &asking) in requests.open_ports().iter().zip(&directions.to_sender) {
            let mine = asking & winners;
            if !mine.is_empty() {
                let place = self.choose_at_sender(draws, open.port.into(), mine);
                let channel = self.channel_of(draws, open, &directions, place);
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

    /// The channel that a place takes behind the port it asks for.
    fn channel_of(
        &self,
        draws: Draws,
        open: &OpenPort<F>,
        directions: &Directions<F, P>,
        place: usize,
    ) -> usize {
        if directions.contested.has(place) {
            let [low, high] = directions.channel_bits;
            return low.has(place) as usize | (high.has(place) as usize) << 1;
        }
        self.channel_behind(draws, open, place)
    }
}

/// What phase 1 decided.
struct Directions<F: Family, const P: usize> {
    /// The places that ask each open port.
    to_sender: [F::Places; P],
    /// The places that could have asked several ports, whose channels are chosen with the port.
    contested: F::Places,
    /// The lower and the higher bit of those channels.
    channel_bits: [F::Places; 2],
}

/// Phase 1: the places that ask each open port.
fn choose_directions<F: Family, const P: usize, const V: usize, const C: usize>(
    draws: Draws,
    requests: &Requests<F, P>,
) -> Directions<F, P> {
    let mut directions = Directions::<F, P> {
        to_sender: [F::Places::default(); P],
        contested: F::Places::default(),
        channel_bits: [F::Places::default(); 2],
    };
    let mut seen = F::Places::default();
    for open in requests.open_ports() {
        directions.contested |= seen & open.dynamic;
        seen |= open.dynamic;
    }
    for (to_port, open) in directions.to_sender.iter_mut().zip(requests.open_ports()) {
        *to_port = open.escape | (open.dynamic & !directions.contested);
    }
    let mut contested = directions.contested;
    while !contested.is_empty() {
        let place = contested.first();
        let (open, channel) = choose_channel::<F, P, V, C>(draws, requests, place);
        let bit = F::Places::only(place);
        directions.to_sender[open] |= bit;
        for (digit, channels) in directions.channel_bits.iter_mut().enumerate() {
            *channels |= if channel >> digit & 1 == 1 { bit } else { F::Places::default() };
        }
        contested = contested.without_first();
    }
    directions
}

/// The open port (its number among them) and channel with most tokens behind it; equals are drawn from.
fn choose_channel<F: Family, const P: usize, const V: usize, const C: usize>(
    draws: Draws,
    requests: &Requests<F, P>,
    place: usize,
) -> (usize, usize) {
    let (mut most, mut count) = (0, 0);
    for open in requests.open_ports() {
        if open.dynamic.has(place) {
            let channels = open.best_channels.count();
            count = if open.best_range > most || count == 0 { 0 } else { count };
            count += if open.best_range >= most { channels } else { 0 };
            most = most.max(open.best_range);
        }
    }
    let mut tie = match count {
        1 => 0,
        _ => pick(draws.draw(Purpose::RequestTie, candidate::<V, C>(place)), count),
    };
    for (number, open) in requests.open_ports().iter().enumerate() {
        if open.best_range == most && open.dynamic.has(place) {
            let channels = open.best_channels.count();
            if tie < channels {
                return (number, open.best_channels.nth(tie));
            }
            tie -= channels;
        }
    }
    unreachable!("a tie is less than the number of equals")
}
