//! The three phases of arbitration, with masks over the waiting places of a node.
//!
//! The rules are those of [`crate::reference`]; here only what can be granted is looked at: the idle links, the places
//! that want them, and the tokens for them. A lone request wins without a draw, draws being functions.

use super::family::{BitSet, Family, Tick, is_given};
use super::node::Note;
use super::visit::Visit;
use crate::counters::MAX_CHANNELS;
use crate::draws::{Draws, Purpose, pick};

/// An idle link that somebody can have.
#[derive(Clone, Copy, Default)]
struct OpenPort<F: Family> {
    /// Places that could take a dynamic channel behind it.
    dynamic: F::Places,
    /// Places that can only take their escape.
    escape: F::Places,
    port: u8,
    /// The open dynamic channels with most tokens, as bits.
    best_channels: u8,
    /// Their range of tokens, 0 to 3.
    best_range: u8,
}

/// What a look at an idle link shows.
enum Opening<F: Family> {
    /// Nobody wants it who could leave.
    Unwanted,
    /// Only tokens are missing.
    Stalled,
    /// Somebody can have it.
    Open(OpenPort<F>),
}

/// What came of an arbitration.
#[derive(Default)]
struct Arbitrated<F: Family> {
    /// The places that leave.
    granted: F::Places,
    /// The ports by which they do.
    taken: u32,
    /// Of the other ports that were looked at, those that can be had still.
    open: u32,
    /// And those for which only tokens are missing.
    stalled: u16,
    /// Whether something is left to arbitrate in the next cycle.
    is_again: bool,
}

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
    /// One cycle's arbitration of the `idle` links, those granted being taken from them; whether anything is left to
    /// arbitrate in the next cycle. `bypass` are the places whose heads arrived in this cycle at an empty buffer.
    #[inline(always)]
    pub(super) fn arbitrate(&mut self, now: i32, idle: &mut u32, bypass: F::Places) -> bool {
        if self.node.stalled & self.node.closed != 0 {
            self.open_to_tokens(now);
        }
        let receptions = self.receptions();
        let mut candidates = *idle & !u32::from(self.node.closed);
        if candidates.has_several() {
            candidates &= F::all_hints(&self.node.hints);
        }
        if (candidates == 0) & receptions.is_empty() {
            self.enter_buffers(bypass);
            return false;
        }
        let Arbitrated { granted, taken, open, stalled, is_again } = match candidates.has_several() {
            false => self.arbitrate_one(now, candidates, receptions, bypass),
            true => self.arbitrate_several(now, candidates, receptions, bypass),
        };
        *idle &= !taken;
        self.node.bypassing |= granted & bypass;
        self.enter_buffers(bypass & !granted);
        let stalled = stalled | self.still_stalled(!granted.is_empty());
        self.node.closed = (*idle & !open) as u16;
        if stalled != self.node.stalled {
            self.count_stalls(stalled, self.cycle(now));
        }
        is_again
    }

    /// Opens the ports whose tokens have come back.
    fn open_to_tokens(&mut self, now: i32) {
        for port in (self.node.stalled & self.node.closed).iter() {
            let has_come = |note: &Note<F::Tick>| note.time.cycles() <= now;
            self.node.closed &= !u16::only_if(port, self.token_notes(port).iter().any(has_come));
        }
    }

    /// Of the closed ports, those for which still only tokens are missing. After a grant, those who wanted them may have
    /// left, or have no path.
    #[inline(always)]
    fn still_stalled(&self, after_grant: bool) -> u16 {
        let mut stalled = self.node.stalled & self.node.closed;
        if after_grant && stalled != 0 {
            for port in stalled.iter() {
                let (wants, escapes) = self.wanted_by(port);
                stalled &= !u16::only_if(port, (wants | escapes).is_empty());
            }
        }
        stalled
    }

    /// The same where no more than one port can be had, as is mostly so under load: no direction is to be chosen.
    #[inline(always)]
    fn arbitrate_one(
        &mut self,
        now: i32,
        candidate: u32,
        receptions: F::Places,
        bypass: F::Places,
    ) -> Arbitrated<F> {
        let opening = match candidate {
            0 => Opening::Unwanted,
            _ => self.open_port(now, candidate.first_below::<P>()),
        };
        let (open, stalled) = match opening {
            Opening::Unwanted => (OpenPort::default(), 0),
            Opening::Stalled => (OpenPort::default(), candidate as u16),
            Opening::Open(open) => (open, 0),
        };
        let to_link = open.dynamic | (open.escape & !open.dynamic);
        if (to_link | receptions).is_empty() {
            return Arbitrated { stalled, ..Arbitrated::default() };
        }
        let draws = self.draws(now);
        let winners = self.choose_at_receivers(draws, bypass, to_link | receptions);
        let mut granted = F::Places::default();
        if !receptions.is_empty() {
            granted |= self.grant_receptions(now, receptions & winners);
        }
        let is_left = !receptions.is_empty() && !self.receptions().is_empty();
        if (to_link & winners).is_empty() {
            let open = if to_link.is_empty() { 0 } else { candidate };
            return Arbitrated { granted, taken: 0, open, stalled, is_again: is_left | (open != 0) };
        }
        let place = self.choose_at_sender(draws, open.port.into(), to_link & winners);
        let channel = self.channel_behind(draws, &open, place);
        self.grant_link(now, place, open.port.into(), channel, bypass);
        granted |= F::Places::only(place);
        Arbitrated { granted, taken: candidate, open: 0, stalled, is_again: is_left }
    }

    /// A place leaves through an idle link.
    #[inline(always)]
    fn grant_link(&mut self, now: i32, place: usize, port: usize, channel: usize, bypass: F::Places) {
        self.store.totals.bypassed += u64::from(bypass.has(place));
        self.begin_transfer(now, place, port, channel);
    }

    /// The same in general.
    #[inline(never)]
    fn arbitrate_several(
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

    /// The draws of this cycle.
    #[inline(always)]
    fn draws(&self, now: i32) -> Draws {
        let number = self.store.first + self.local as u32;
        self.fabric.seed_key.of_node(number).at(self.cycle(now))
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

    fn grant_receptions(&mut self, now: i32, mut winners: F::Places) -> F::Places {
        let mut granted = F::Places::default();
        while !winners.is_empty() {
            let place = winners.first();
            if self.begin_reception(now, place) {
                granted |= F::Places::only(place);
            }
            winners = winners.without_first();
        }
        granted
    }

    /// Places that ask for their reception FIFO.
    #[inline(always)]
    fn receptions(&self) -> F::Places {
        let receptions = self.node.receptions & !self.node.bus_blocked;
        match receptions.is_empty() || self.store.software.is_empty() {
            true => receptions,
            false => self.receptions_with_room(receptions),
        }
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

    /// Who could ask for an idle link.
    #[inline(always)]
    fn open_port(&mut self, now: i32, port: usize) -> Opening<F> {
        let (wants, escapes) = self.wanted_by(port);
        if (wants | escapes).is_empty() {
            return Opening::Unwanted;
        }
        self.take_tokens(port, now);
        let (best_channels, best_range) = self.best_channels(port);
        let dynamic = if best_channels == 0 { F::Places::default() } else { wants };
        let escape = self.bubble_open_to(port, escapes);
        match (dynamic | escape).is_empty() {
            true => Opening::Stalled,
            false => Opening::Open(OpenPort { dynamic, escape, port: port as u8, best_channels, best_range }),
        }
    }

    /// The places with a path whose heads want a port on a dynamic channel, and those whose escape it is.
    #[inline(always)]
    fn wanted_by(&self, port: usize) -> (F::Places, F::Places) {
        let (hinted, first_hinted) = F::hinted(&self.node.hints, port);
        (hinted & !self.node.rigid & !self.node.path_blocked, first_hinted & !self.node.path_blocked)
    }

    /// Tokens that have come back to a sender by now count.
    #[inline(always)]
    fn take_tokens(&mut self, port: usize, now: i32) {
        if self.node.token_notes[port] > 0 {
            let notes = self.store.layout.token_notes(self.local, port);
            self.node.take_tokens(port, self.store.notes(notes), F::Tick::after(now));
        }
    }

    fn receptions_with_room(&self, receptions: F::Places) -> F::Places {
        let software = &self.store.software[self.local];
        let has_room = |&place: &usize| {
            software.can_receive(
                self.fabric,
                place / V,
                self.store.packets[self.packet_index(place, 0)].packet,
            )
        };
        receptions
            .iter()
            .filter(has_room)
            .fold(F::Places::default(), |set, place| set | F::Places::only(place))
    }

    /// Of the dynamic channels behind a port that have room for a full packet, those with most tokens, and their range;
    /// all of them where heads pick at random.
    #[inline(always)]
    fn best_channels(&self, port: usize) -> (u8, u8) {
        let fabric = self.fabric;
        let (mut best, mut most) = (0u8, 0);
        // SAFETY: a port is one of the machine's.
        unsafe { is_given(port < P && C == P * V) };
        for channel in 0..fabric.dynamic_channels.min(V) {
            let tokens = self.node.tokens[port * V + channel];
            if tokens >= fabric.full_packet {
                let range = if fabric.parameters.router.join_shortest_queue {
                    fabric.quarter(channel, tokens)
                } else {
                    0
                };
                if range > most {
                    (best, most) = (0, range);
                }
                best |= ((range == most) as u8) << channel;
            }
        }
        (best, most)
    }

    /// Those of `places` that may enter their bubble channel behind a port, or go straight on in it.
    #[inline(always)]
    fn bubble_open_to(&self, port: usize, places: F::Places) -> F::Places {
        let urgent = self.node.urgent;
        let normal = self.bubble_channel_open_to(port, self.fabric.escape_channel) & !urgent;
        match self.fabric.high_priority_channel {
            Some(channel) if !urgent.is_empty() => {
                places & (normal | (self.bubble_channel_open_to(port, channel) & urgent))
            }
            _ => places & normal,
        }
    }

    #[inline(always)]
    fn bubble_channel_open_to(&self, port: usize, channel: usize) -> F::Places {
        let (tokens, full_packet) = (self.node.tokens[port * V + channel], self.fabric.full_packet);
        if tokens >= 2 * full_packet {
            !F::Places::default()
        } else if tokens >= full_packet {
            F::Places::only((port ^ 1) * V + channel)
        } else {
            F::Places::default()
        }
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

    /// The channel that a place takes which can ask for one port only.
    #[inline(always)]
    fn channel_behind(&self, draws: Draws, open: &OpenPort<F>, place: usize) -> usize {
        if open.dynamic.has(place) {
            let channels = open.best_channels;
            // A lone channel is drawn from as well: whether there is one could not be foretold.
            let bits = draws.draw(Purpose::RequestTie, candidate::<V, C>(place));
            return nth_channel(channels, pick(bits, channels.count()));
        }
        match self.fabric.high_priority_channel {
            Some(channel) if self.node.urgent.has(place) => channel,
            _ => self.fabric.escape_channel,
        }
    }

    /// Phase 2: of each receiver's places that ask, the one that may; injection FIFOs all may.
    #[inline(always)]
    fn choose_at_receivers(&self, draws: Draws, bypass: F::Places, asking: F::Places) -> F::Places {
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
        let mut mine = prefer(prefer(mine, self.node.urgent), !bypass);
        let share = self.fabric.parameters.router.serve_longest_queue_share;
        if mine.has_several() && share.decide(|| draws.draw(Purpose::ReceiverServesLongest, receiver)) {
            mine = self.fullest(mine);
        }
        draw_one(mine, || draws.draw(Purpose::ReceiverTie, receiver))
    }

    /// Phase 3: the place that a sender grants.
    #[inline(always)]
    fn choose_at_sender(&self, draws: Draws, port: usize, mine: F::Places) -> usize {
        if !mine.has_several() {
            return mine.first();
        }
        let router = self.fabric.parameters.router;
        let urgent = self.node.urgent & mine;
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
        prefer(prefer(places, self.node.fullness_high), self.node.fullness_low)
    }

    /// Keeps account of the cycles in which only tokens are missing: adds the time when the state ends, and takes it
    /// off when it begins.
    fn count_stalls(&mut self, stalled: u16, now: u64) {
        let was_stalled = std::mem::replace(&mut self.node.stalled, stalled);
        let first = self.local * self.store.layout.ports;
        for port in BitSet::iter(was_stalled & !stalled) {
            let counter = &mut self.store.link_stalls[first + port];
            *counter = counter.wrapping_add(now);
        }
        for port in BitSet::iter(stalled & !was_stalled) {
            let counter = &mut self.store.link_stalls[first + port];
            *counter = counter.wrapping_sub(now);
        }
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

/// The channel of rank `rank` among the (up to four) dynamic channels of a set.
#[inline(always)]
fn nth_channel(channels: u8, rank: u32) -> usize {
    const CHANNELS: [[u8; 4]; 16] = {
        let mut table = [[0; 4]; 16];
        let mut set = 0;
        while set < 16 {
            let (mut channel, mut rank) = (0, 0);
            while channel < 4 {
                if set >> channel & 1 == 1 {
                    table[set][rank] = channel as u8;
                    rank += 1;
                }
                channel += 1;
            }
            set += 1;
        }
        table
    };
    CHANNELS[usize::from(channels & 15)][rank as usize & 3].into()
}

/// The number by which draws name a waiting place, whatever the family.
#[inline(always)]
fn candidate<const V: usize, const C: usize>(place: usize) -> usize {
    match place < C {
        true => place / V * MAX_CHANNELS + place % V,
        false => 2 * geometry::MAX_DIMENSIONS * MAX_CHANNELS + (place - C),
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
