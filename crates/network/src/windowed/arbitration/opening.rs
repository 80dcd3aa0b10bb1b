//! An idle link: who could ask for it, and for which channels behind it.

use crate::counters::MAX_CHANNELS;
use crate::draws::{Draws, Purpose, pick};
use crate::windowed::family::Family;
use crate::windowed::sets::{BitSet, Tick};
use crate::windowed::visit::Visit;
use std::hint::select_unpredictable;

/// An idle link that somebody can have.
#[derive(Clone, Copy, Default)]
pub(super) struct OpenPort<F: Family> {
    /// Places that could take a dynamic channel behind it.
    pub(super) dynamic: F::Places,
    /// Places that can only take their escape.
    pub(super) escape: F::Places,
    pub(super) port: u8,
    /// The open dynamic channels with most tokens, as bits.
    pub(super) best_channels: u8,
    /// Their rank, 1 to 4.
    pub(super) best_rank: u8,
}

/// Of some channels, those with most tokens.
#[derive(Default)]
pub(super) struct Best {
    /// Their numbers.
    pub(super) channels: u32,
    /// Their rank, 1 to 4; 0 where none is open.
    pub(super) rank: u8,
}

impl Best {
    /// A channel has this number and rank ([`Fabric::open_rank`](crate::fabric::Fabric::open_rank)). No processor could
    /// foretell how it compares.
    #[inline(always)]
    pub(super) fn consider(&mut self, number: usize, rank: u8) {
        self.channels = select_unpredictable(rank > self.rank, 0, self.channels);
        self.rank = self.rank.max(rank);
        self.channels |= u32::from((rank == self.rank) & (rank > 0)) << number;
    }
}

/// What a look at an idle link shows.
pub(super) enum Opening<F: Family> {
    /// Nobody wants it who could leave.
    Unwanted,
    /// Only tokens are missing.
    Stalled,
    /// Somebody can have it, if only in the next cycle.
    Open(OpenPort<F>),
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// Who could ask for an idle link.
    #[inline(always)]
    pub(super) fn open_port(&mut self, now: i32, port: usize) -> Opening<F> {
        let (wants, escapes) = self.wanted_by(port);
        if (wants | escapes).is_empty() {
            return Opening::Unwanted;
        }
        self.take_tokens(port, now);
        let (best_channels, best_rank) = self.best_channels(port);
        let dynamic = if best_channels == 0 { F::Places::default() } else { wants };
        let escape = self.bubble_open_to(port, escapes);
        match (dynamic | escape).is_empty() {
            true => {
                if F::IS_PLAIN {
                    self.note_shut(port, best_channels == 0);
                }
                Opening::Stalled
            }
            false => {
                let (dynamic, escape) = (self.not_held_back(dynamic), self.not_held_back(escape));
                Opening::Open(OpenPort { dynamic, escape, port: port as u8, best_channels, best_rank })
            }
        }
    }

    /// Notes how far a port that is stalled is closed to heads that are still to come.
    #[inline(always)]
    fn note_shut(&mut self, port: usize, are_dynamic_closed: bool) {
        let escape = self.node.tokens_of(port)[self.escape_channel()];
        let has_room = escape >= 2 * self.fabric.full_packet;
        let others = !u8::only(port);
        self.node.shut = self.node.shut & others | u8::only_if(port, are_dynamic_closed);
        self.node.escapable = self.node.escapable & others | u8::only_if(port, has_room);
    }

    /// Those that may ask in this cycle.
    #[inline(always)]
    fn not_held_back(&self, places: F::Places) -> F::Places {
        if F::HAS_OPTIONS { places & !self.held_back } else { places }
    }

    /// The places with a path, and room for a copy if they leave one, whose heads want a port on a dynamic channel, and those whose escape it is.
    #[inline(always)]
    pub(super) fn wanted_by(&self, port: usize) -> (F::Places, F::Places) {
        let (wants, escapes) = self.wishing(port);
        let blocked = self.node.path_blocked | self.without_copy();
        (wants & !blocked, escapes & !blocked)
    }

    /// Tokens that have come back to a sender by now count.
    #[inline(always)]
    pub(in crate::windowed) fn take_tokens(&mut self, port: usize, now: i32) {
        let row = self.store.layout.token_notes(self.local, port);
        self.node.take_tokens(port, self.store.notes(row), F::Tick::near(now), self.fabric.full_packet);
    }

    /// Of the dynamic channels behind a port that have room for a full packet, those with most tokens, and their rank
    /// ([`Fabric::open_rank`]).
    #[inline(always)]
    pub(in crate::windowed) fn best_channels(&self, port: usize) -> (u8, u8) {
        let tokens = self.node.tokens_of(port);
        let mut best = Best::default();
        for (channel, &tokens) in tokens.iter().enumerate().take(self.dynamic_channels()) {
            best.consider(channel, self.fabric.open_rank(channel, tokens));
        }
        (best.channels as u8, best.rank)
    }

    /// Those of `places` that may enter their bubble channel behind a port, or go straight on in it.
    #[inline(always)]
    pub(in crate::windowed) fn bubble_open_to(&self, port: usize, places: F::Places) -> F::Places {
        let urgent = self.urgent();
        let normal = self.escape_open_to(port) & !urgent;
        match self.high_priority_channel() {
            Some(channel) if !urgent.is_empty() => {
                places & (normal | (self.bubble_channel_open_to(port, channel) & urgent))
            }
            _ => places & normal,
        }
    }

    /// The places that may take the escape behind a port, if it is theirs.
    #[inline(always)]
    fn escape_open_to(&self, port: usize) -> F::Places {
        let escape = self.escape_channel();
        if !(F::HAS_OPTIONS && self.fabric.has_datelines) {
            return self.bubble_channel_open_to(port, escape);
        }
        let has_room = |channel: usize| self.node.tokens_of(port)[channel] >= self.fabric.full_packet;
        let all_if = |is_open: bool| if is_open { !F::Places::default() } else { F::Places::default() };
        let crossed = self.crossed();
        (all_if(has_room(escape)) & !crossed) | (all_if(has_room(escape + 1)) & crossed)
    }

    #[inline(always)]
    fn bubble_channel_open_to(&self, port: usize, channel: usize) -> F::Places {
        let (tokens, full_packet) = (self.node.tokens_of(port)[channel], self.fabric.full_packet);
        // No processor could foretell how many tokens there are.
        let (none, all) = (F::Places::default(), !F::Places::default());
        let straight_on = F::Places::only((port ^ 1) * V + channel);
        let open = select_unpredictable(tokens >= full_packet, straight_on, none);
        select_unpredictable(tokens >= 2 * full_packet, all, open)
    }

    /// The channel that a place takes which can ask for one port only.
    #[inline(always)]
    pub(super) fn channel_behind(&self, draws: Draws, open: &OpenPort<F>, place: usize) -> usize {
        if open.dynamic.has(place) {
            let channels = open.best_channels;
            // A lone channel is drawn from as well: whether there is one could not be foretold.
            let bits = draws.draw(Purpose::RequestTie, candidate::<V, C>(place));
            return nth_channel(channels, pick(bits, channels.count()));
        }
        match self.high_priority_channel() {
            Some(channel) if self.node.urgent.has(place) => channel,
            _ => self.escape_channel() + self.crossed().has(place) as usize,
        }
    }
}

/// The channel of rank `rank` among the (up to four) dynamic channels of a set.
#[inline(always)]
pub(super) fn nth_channel(channels: u8, rank: u32) -> usize {
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
pub(super) fn candidate<const V: usize, const C: usize>(place: usize) -> usize {
    // Channels from the first number on, injection FIFOs from another: no processor could foretell which it is.
    const FIFOS: usize = 2 * geometry::MAX_DIMENSIONS * MAX_CHANNELS;
    let of_channel = place + place / V * (MAX_CHANNELS - V);
    let is_fifo = usize::from(place >= C).wrapping_neg();
    (of_channel & !is_fifo) | ((place + FIFOS - C) & is_fifo)
}
