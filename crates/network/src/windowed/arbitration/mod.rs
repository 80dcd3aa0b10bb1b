//! The three phases of arbitration, with masks over the waiting places of a node.
//!
//! The rules are those of [`crate::reference`]; here only what can be granted is looked at: the idle links, the places
//! that want them, and the tokens for them. A lone request wins without a draw, draws being functions.
//!
//! ```text
//!   opening:  who could ask for an idle link, and for which channels behind it      (half of phase 1)
//!   lone:     a head that waits alone gets what it chooses
//!   several:  which of several open links each head asks for                        (the other half)
//!   choice:   which of its places a receiver lets ask, and which a sender grants    (phases 2 and 3)
//! ```

mod choice;
mod lone;
mod opening;
mod several;

use super::family::Family;
use super::pending::Pending;
use super::sets::{BitSet, Tick};
use super::vector::{Vectors, Work};
use super::visit::Visit;
use crate::draws::Draws;
use opening::{OpenPort, Opening};

/// An arbitration of several links.
struct Several<'v, 'a, F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    visit: &'v mut Visit<'a, F, P, V, C, S>,
    now: i32,
    candidates: u32,
    receptions: F::Places,
    bypass: F::Places,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Work
    for Several<'_, '_, F, P, V, C, S>
{
    type Output = Arbitrated<F>;

    #[inline(always)]
    fn run(self) -> Arbitrated<F> {
        self.visit.arbitrate_several(self.now, self.candidates, self.receptions, self.bypass)
    }
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

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// One cycle's arbitration of the `idle` links, those granted being taken from them; whether anything is left to
    /// arbitrate in the next cycle. `bypass` are the places whose heads arrived in this cycle at an empty buffer.
    #[inline(always)]
    pub(super) fn arbitrate(&mut self, now: i32, idle: &mut u32, bypass: F::Places) -> bool {
        if self.node.stalled & self.node.closed != 0 {
            self.open_to_tokens(now);
        }
        let candidates = *idle & !u32::from(self.node.closed);
        let Arbitrated { granted, taken, open, stalled, is_again } =
            match self.arbitrate_lone(now, candidates, bypass) {
                Some(arbitrated) => arbitrated,
                None => self.arbitrate_all(now, candidates, bypass),
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

    /// The same whoever waits.
    #[inline(always)]
    fn arbitrate_all(&mut self, now: i32, mut candidates: u32, bypass: F::Places) -> Arbitrated<F> {
        let receptions = self.receptions();
        if candidates.has_several() {
            candidates &= self.wanted();
        }
        match candidates.has_several() | (self.has_copies() && !receptions.is_empty()) {
            false => self.arbitrate_one(now, candidates, receptions, bypass),
            true => F::Processor::run(Several { visit: self, now, candidates, receptions, bypass }),
        }
    }

    /// The same where no more than one port can be had, as is mostly so under load: no direction is to be chosen. A
    /// reception keeps nobody from the port here, as it may where copies need the bus.
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
        let (open, stalled, is_open) = match opening {
            Opening::Unwanted => (OpenPort::default(), 0, false),
            Opening::Stalled => (OpenPort::default(), candidate as u16, false),
            Opening::Open(open) => (open, 0, true),
        };
        let to_link = open.dynamic | (open.escape & !open.dynamic);
        let is_held = F::HAS_OPTIONS && is_open && to_link.is_empty();
        if (to_link | receptions).is_empty() {
            let open = if is_held { candidate } else { 0 };
            return Arbitrated { stalled, open, is_again: is_held, ..Arbitrated::default() };
        }
        let draws = self.draws(now);
        let winners = self.choose_at_receivers(draws, bypass, to_link | receptions);
        let mut granted = F::Places::default();
        if !receptions.is_empty() {
            granted |= self.grant_receptions(now, receptions & winners);
        }
        let is_left = !self.receptions_among(receptions & !granted).is_empty();
        if (to_link & winners).is_empty() {
            let open = if to_link.is_empty() & !is_held { 0 } else { candidate };
            return Arbitrated { granted, taken: 0, open, stalled, is_again: is_left | (open != 0) };
        }
        let place = self.choose_at_sender(draws, open.port.into(), to_link & winners);
        let channel = self.channel_behind(draws, &open, place);
        self.grant_link(now, place, open.port.into(), channel, bypass);
        granted |= F::Places::only(place);
        Arbitrated { granted, taken: candidate, open: 0, stalled, is_again: is_left }
    }

    /// Opens the ports whose tokens have come back.
    fn open_to_tokens(&mut self, now: i32) {
        if !F::Pending::HAS_ROWS {
            let come = self.node.pending.ports_with_tokens(F::Tick::near(now));
            self.node.closed &= !(self.node.stalled & come as u16);
            return;
        }
        for port in (self.node.stalled & self.node.closed).iter() {
            let have_come = self.next_tokens_of(port).cycles() <= now;
            self.node.closed &= !u16::only_if(port, have_come);
        }
    }

    /// Of the closed ports, those for which still only tokens are missing. After a grant, those who wanted them may have
    /// left, or have no path.
    #[inline(always)]
    fn still_stalled(&self, after_grant: bool) -> u16 {
        let mut stalled = self.node.stalled & self.node.closed;
        if F::IS_PLAIN && stalled != 0 {
            let with_path = F::Places::range(0, C + 8) & !self.node.path_blocked;
            return stalled & F::wanted_by_some(&self.node.queues.wishes, with_path) as u16;
        }
        if after_grant && stalled != 0 {
            for port in stalled.iter() {
                let (wants, escapes) = self.wanted_by(port);
                stalled &= !u16::only_if(port, (wants | escapes).is_empty());
            }
        }
        stalled
    }

    /// A place leaves through an idle link.
    #[inline(always)]
    fn grant_link(&mut self, now: i32, place: usize, port: usize, channel: usize, bypass: F::Places) {
        self.store.totals.bypassed += u64::from(bypass.has(place));
        self.begin_transfer(now, place, port, channel);
    }

    #[inline(always)]
    fn grant_receptions(&mut self, now: i32, mut winners: F::Places) -> F::Places {
        let mut granted = F::Places::default();
        while !winners.is_empty() {
            let place = winners.first();
            if self.begin_reception(now, place, self.is_bus_awaited(place)) {
                granted |= F::Places::only(place);
            }
            winners = winners.without_first();
        }
        granted
    }

    /// Places that ask for their reception FIFO.
    #[inline(always)]
    fn receptions(&self) -> F::Places {
        self.receptions_among(F::arrived(&self.node.queues.wishes))
    }

    /// Those of some places whose heads are at their destination. Behind a grant they are the ones that were not granted:
    /// what all places ask for is not read again then, which would wait for the stores of those granted.
    #[inline(always)]
    fn receptions_among(&self, arrived: F::Places) -> F::Places {
        let receptions = arrived & !self.node.bus_blocked;
        match receptions.is_empty() || self.store.software(self.local).is_none() {
            true => receptions,
            false => self.receptions_with_room(receptions),
        }
    }

    fn receptions_with_room(&self, receptions: F::Places) -> F::Places {
        let software = &self.store.software[self.local];
        let has_room = |&place: &usize| {
            software.can_receive(self.fabric, place / V, self.store.packet(self.packet_index(place, 0)))
        };
        receptions
            .iter()
            .filter(has_room)
            .fold(F::Places::default(), |set, place| set | F::Places::only(place))
    }

    /// The draws of this cycle.
    #[inline(always)]
    pub(super) fn draws(&self, now: i32) -> Draws {
        self.node.key.at(self.cycle(now))
    }

    /// Keeps account of the cycles in which only tokens are missing: adds the time when the state ends, and takes it
    /// off when it begins.
    pub(super) fn count_stalls(&mut self, stalled: u16, now: u64) {
        let was_stalled = std::mem::replace(&mut self.node.stalled, stalled);
        let first = self.local * self.store.layout.ports;
        for port in BitSet::iter(was_stalled & !stalled) {
            self.store.stalls.end(first + port, now);
        }
        for port in BitSet::iter(stalled & !was_stalled) {
            self.store.stalls.begin(first + port, now);
        }
    }
}
