//! The hot state of one node: one contiguous, aligned block.
//!
//! ```text
//!   event times (16 bits each):  tokens | links | channels | injection FIFOs | arrivals | retry
//!   masks of waiting places:     by direction wanted, by escape, at destination, urgent, blocked, ...
//!   bytes:                       tokens by sender and channel, channel queues
//! ```
//!
//! A *place* is where a head packet waits: channel `c` of receiver `r` is place `r x V + c`, injection FIFO `f` is place
//! `C + f`. Packets themselves lie in arrays of the slab.

use super::family::{BitSet, Family, Note, Tick};
use crate::counters::NodeCounters;

/// The queue of a channel: a ring of packets in the slab's arrays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queue {
    /// Where in the ring the head lies.
    pub first: u8,
    /// Packets whose heads have arrived and whose tails have not left.
    pub held: u8,
    /// Packets written into the ring whose heads are on the link still.
    pub flying: u8,
    /// Tokens' worth of packets in the buffer: what fullness is measured by.
    pub occupied: u8,
}

/// Node of a machine with up to `P` ports and `V` channels; `C = P x V`, and `S` event slots.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub struct Node<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    /// Time of each slot's next event, counted from the epoch's start.
    pub times: [F::Tick; S],
    /// Places whose heads want to leave by a port on a dynamic channel.
    pub wants: [F::Places; P],
    /// Places whose heads have a port as their escape (or only) way.
    pub escapes: [F::Places; P],
    /// Places whose heads are at their destination.
    pub receptions: F::Places,
    /// Places whose heads are of high priority.
    pub urgent: F::Places,
    /// Places of receivers all of whose transfer paths are in use.
    pub path_blocked: F::Places,
    /// Places whose bus to the reception FIFO is in use.
    pub bus_blocked: F::Places,
    /// Places whose head is leaving for a reception FIFO.
    pub to_reception: F::Places,
    /// Places whose head is leaving and was never in the buffer.
    pub bypassing: F::Places,
    /// Injection places whose head is leaving.
    pub injecting: F::Places,
    /// The higher bit of how full each place's queue is, in quarters.
    pub fullness_high: F::Places,
    /// The lower bit of it.
    pub fullness_low: F::Places,
    /// Ports whose link is idle.
    pub idle: u16,
    /// Ports for which only tokens are missing.
    pub stalled: u16,
    /// Ports whose link wraps round.
    pub edges: u16,
    /// The epoch that times count from.
    pub epoch: u32,
    /// Transfer paths in use, by receiver.
    pub paths_used: [u8; P],
    /// Tokens, by sender and channel.
    pub tokens: [[u8; V]; P],
    /// Notes of tokens that are coming back, by sender; those of a busy link may have come already.
    pub token_notes: [u8; P],
    /// Notes of heads that are coming, by receiver.
    pub arrival_notes: [u8; P],
    /// Queues of the channels, by place.
    pub queues: [Queue; C],
    /// What the node counts.
    pub counters: NodeCounters,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Node<F, P, V, C, S> {
    /// First slot of tokens coming back, one for each port.
    pub const TOKENS: usize = 0;
    /// First slot of links becoming idle.
    pub const LINKS: usize = P;
    /// First slot of channels becoming free.
    pub const CHANNELS: usize = 2 * P;
    /// First slot of the (up to 8) injection FIFOs.
    pub const INJECTION: usize = 2 * P + C;
    /// First slot of heads arriving.
    pub const ARRIVALS: usize = 2 * P + C + 8;
    /// The slot of arbitrating again after a loss.
    pub const RETRY: usize = 3 * P + C + 8;

    /// A node at rest, whose senders see so many tokens.
    pub fn new(tokens: [u8; V], edges: u16) -> Self {
        const { assert!(C == P * V && S > 3 * P + C + 8 && S.is_multiple_of(8)) };
        Node {
            times: [F::Tick::NEVER; S],
            wants: [F::Places::default(); P],
            escapes: [F::Places::default(); P],
            receptions: F::Places::default(),
            urgent: F::Places::default(),
            path_blocked: F::Places::default(),
            bus_blocked: F::Places::default(),
            to_reception: F::Places::default(),
            bypassing: F::Places::default(),
            injecting: F::Places::default(),
            fullness_high: F::Places::default(),
            fullness_low: F::Places::default(),
            idle: u16::MAX >> (16 - P),
            stalled: 0,
            edges,
            epoch: 0,
            paths_used: [0; P],
            tokens: [tokens; P],
            token_notes: [0; P],
            arrival_notes: [0; P],
            queues: [Queue::default(); C],
            counters: NodeCounters::default(),
        }
    }

    /// Counts times from `epoch` on. Nothing that is due can lie before it.
    #[inline(always)]
    pub fn enter_epoch(&mut self, epoch: u32) {
        if self.epoch != epoch {
            let epochs = u64::from(epoch - self.epoch);
            self.times = self.times.map(|time| if time == F::Tick::NEVER { time } else { time.age(epochs) });
            self.epoch = epoch;
        }
    }

    /// The first cycle of the epoch.
    #[inline(always)]
    pub fn epoch_start(&self) -> u64 {
        u64::from(self.epoch) * F::Tick::EPOCH_CYCLES
    }

    /// Sets when a slot has its next event.
    #[inline(always)]
    pub fn set_time(&mut self, slot: usize, time: u64) {
        self.times[slot] = F::Tick::after(time - self.epoch_start());
    }

    /// Nothing is to happen at a slot.
    #[inline(always)]
    pub fn clear_time(&mut self, slot: usize) {
        self.times[slot] = F::Tick::NEVER;
    }

    /// The cycle of the next event.
    #[inline(always)]
    pub fn next_event(&self) -> Option<u64> {
        let earliest = F::earliest(&self.times);
        (earliest != F::Tick::NEVER).then(|| self.epoch_start() + earliest.cycles())
    }

    /// Tokens whose time has come by `now` count; the notes behind them move up.
    #[inline(always)]
    pub fn take_tokens(&mut self, port: usize, notes: &mut [F::Note], now: u64) {
        let noted = self.token_notes[port] as usize;
        let mut due = 0;
        while due < noted && notes[due].time(now) <= now {
            let note = notes[due].what();
            self.tokens[port][(note >> 8) as usize] += note as u8;
            due += 1;
        }
        for position in due..noted {
            notes[position - due] = notes[position];
        }
        self.token_notes[port] -= due as u8;
    }

    /// Sets how full a place's queue is, in quarters: 0 to 3.
    #[inline(always)]
    pub fn set_fullness(&mut self, place: usize, quarter: u8) {
        let (bit, others) = (F::Places::only(place), !F::Places::only(place));
        self.fullness_high =
            (self.fullness_high & others) | if quarter & 2 != 0 { bit } else { F::Places::default() };
        self.fullness_low =
            (self.fullness_low & others) | if quarter & 1 != 0 { bit } else { F::Places::default() };
    }

    /// Takes a transfer path of a receiver into use.
    #[inline(always)]
    pub fn use_path(&mut self, receiver: usize, paths: u8) {
        self.paths_used[receiver] += 1;
        if self.paths_used[receiver] == paths {
            self.path_blocked |= F::Places::range(receiver * V, V);
        }
    }

    /// A head waits at `place` with these hint bits; `adaptive` when it may take dynamic channels.
    #[inline(always)]
    pub fn present(&mut self, place: usize, hints: u32, adaptive: bool) {
        let bit = F::Places::only(place);
        if hints == 0 {
            self.receptions |= bit;
            return;
        }
        self.escapes[hints.trailing_zeros() as usize] |= bit;
        if adaptive {
            let mut ports = hints;
            while ports != 0 {
                self.wants[ports.first()] |= bit;
                ports = ports.without_first();
            }
        }
    }

    /// The head at `place`, which had these hint bits, no longer waits.
    #[inline(always)]
    pub fn withdraw(&mut self, place: usize, hints: u32) {
        let others = !F::Places::only(place);
        self.receptions &= others;
        self.urgent &= others;
        if hints != 0 {
            self.escapes[hints.trailing_zeros() as usize] &= others;
            let mut ports = hints;
            while ports != 0 {
                self.wants[ports.first()] &= others;
                ports = ports.without_first();
            }
        }
    }
}
