//! The hot state of one node: one contiguous, aligned block.
//!
//! ```text
//!   event times (16 bits each):  links | channels | injection FIFOs | arrivals
//!   masks of waiting places:     by direction wanted, by escape, at destination, urgent, blocked, ...
//!   bytes:                       tokens by sender and channel, channel queues
//! ```
//!
//! A *place* is where a head packet waits: channel `c` of receiver `r` is place `r x V + c`, injection FIFO `f` is place
//! `C + f`. Packets themselves lie in arrays of the slab.
//!
//! An event has its effect when the node is next looked at; the node is only woken for those that could let a packet
//! move. While all of its links are busy, that is few: `prompt` names them; `eager` those that count while a link is idle.

use super::family::Family;
use super::pending::{Note, Pending};
use super::sets::{BitSet, Tick, is_given};
use crate::counters::NodeCounters;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;

/// The queue of a channel: a ring of packets in the slab's arrays.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Node<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    /// Time of each slot's next event, counted from the epoch's start. A link is idle from its time on.
    #[serde(with = "BigArray")]
    pub times: [F::Tick; S],
    /// The next cycle at which something could be granted.
    pub wake: F::Tick,
    /// Whether no link was idle after the last visit, so that the node is woken when one is.
    pub is_saturated: bool,
    /// What the heads that wait ask for, by place.
    pub wishes: F::Wishes,
    /// How full each place's queue is, in quarters.
    pub quarters: F::Quarters,
    /// Places whose heads keep off the escape channel.
    pub dynamic_only: F::Places,
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
    /// Slots whose event may let a head move even if no link is idle.
    pub prompt: F::Slots,
    /// Slots whose event may let a head move if a link is idle; those of `prompt` too.
    pub eager: F::Slots,
    /// Idle ports for which only tokens are missing.
    pub stalled: u16,
    /// Idle ports that nobody can have, stalled or unwanted, until tokens come, a head that wants them, or a path.
    pub closed: u16,
    /// Ports whose link wraps round.
    pub edges: u16,
    /// The epoch that times count from.
    pub epoch: u32,
    /// Transfer paths in use, by receiver.
    #[serde(with = "BigArray")]
    pub paths_used: [u8; P],
    /// Tokens, by sender and channel: those of channel `c` behind port `p` at `p x V + c`.
    #[serde(with = "BigArray")]
    pub tokens: [u8; C],
    /// Tokens and heads that are on their way to it; some tokens may have come already.
    pub pending: F::Pending,
    /// Queues of the channels, by place.
    #[serde(with = "BigArray")]
    pub queues: [Queue; C],
    /// What the node counts.
    pub counters: NodeCounters,
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Node<F, P, V, C, S> {
    /// First slot of channels becoming free; links come first.
    pub const CHANNELS: usize = P.next_multiple_of(8);
    /// First slot of the (up to 8) injection FIFOs.
    pub const INJECTION: usize = Self::CHANNELS + C;
    /// First slot of heads arriving.
    pub const ARRIVALS: usize = Self::CHANNELS + C + 8;

    /// A node at rest, whose senders see so many tokens, with the links at `ports`.
    pub fn new(tokens: [u8; V], ports: u16, edges: u16) -> Self {
        const { assert!(C == P * V && S >= Self::ARRIVALS + P && S.is_multiple_of(8)) };
        let mut times = [F::Tick::NEVER; S];
        for port in ports.iter() {
            times[port] = F::Tick::after(0);
        }
        Node {
            times,
            wake: F::Tick::NEVER,
            is_saturated: false,
            wishes: F::no_wishes(),
            quarters: F::no_quarters(),
            dynamic_only: F::Places::default(),
            urgent: F::Places::default(),
            path_blocked: F::Places::default(),
            bus_blocked: F::Places::default(),
            to_reception: F::Places::default(),
            bypassing: F::Places::default(),
            injecting: F::Places::default(),
            prompt: F::Slots::default(),
            eager: F::Slots::default(),
            stalled: 0,
            closed: 0,
            edges,
            epoch: 0,
            paths_used: [0; P],
            tokens: std::array::from_fn(|place| tokens[place % V]),
            pending: F::Pending::none(),
            queues: [Queue::default(); C],
            counters: NodeCounters::default(),
        }
    }

    /// Counts times from `epoch` on; `notes` are the node's.
    #[cold]
    pub fn enter_epoch(&mut self, epoch: u32, notes: &mut [Note<F::Tick>]) {
        let epochs = epoch - self.epoch;
        self.times = self.times.map(|time| time.age(epochs));
        self.wake = self.wake.age(epochs);
        self.pending.age(epochs);
        notes.iter_mut().for_each(|note| note.time = note.time.age(epochs));
        self.epoch = epoch;
    }

    /// The first cycle of the epoch.
    #[inline(always)]
    pub fn epoch_start(&self) -> u64 {
        u64::from(self.epoch) * F::Tick::EPOCH_CYCLES as u64
    }

    /// The cycle at which something could be granted next.
    #[inline(always)]
    pub fn next_wake(&self) -> Option<u64> {
        let wake = self.epoch_start().wrapping_add_signed(self.wake.cycles().into());
        (self.wake != F::Tick::NEVER).then_some(wake)
    }

    /// Sets when a slot has its next event; whether the node is to be woken for it if a link is idle, or always.
    #[inline(always)]
    pub fn set_event(&mut self, slot: usize, time: i32, eager: bool, prompt: bool) {
        self.times[slot] = F::Tick::after(time);
        self.hurry(slot, eager, prompt);
    }

    /// The node is to be woken for a slot's event if a link is idle, or always.
    #[inline(always)]
    pub fn hurry(&mut self, slot: usize, eager: bool, prompt: bool) {
        self.eager |= F::Slots::only_if(slot, eager | prompt);
        self.prompt |= F::Slots::only_if(slot, prompt);
    }

    /// Nothing more is to happen at a slot.
    #[inline(always)]
    pub fn clear_event(&mut self, slot: usize) {
        let others = !F::Slots::only(slot);
        self.times[slot] = F::Tick::NEVER;
        self.eager &= others;
        self.prompt &= others;
    }

    /// Whether something is to happen at a slot.
    #[inline(always)]
    pub fn is_pending(&self, slot: usize) -> bool {
        self.times[slot] != F::Tick::NEVER
    }

    /// Tokens whose time has come by `now` count; `row` is the port's row of notes.
    #[inline(always)]
    pub fn take_tokens(&mut self, port: usize, row: &mut [Note<F::Tick>], now: F::Tick, full_packet: u8) {
        // SAFETY: a port is one of the machine's.
        unsafe { is_given(port < P && C == P * V) };
        let tokens = self.tokens[port * V..].first_chunk_mut().expect("every port has V channels");
        self.pending.take_tokens::<V>(port, now, row, full_packet, tokens);
    }

    /// The tokens of a port's channels.
    #[inline(always)]
    pub fn tokens_of(&self, port: usize) -> &[u8; V] {
        // SAFETY: a port is one of the machine's.
        unsafe { is_given(port < P && C == P * V) };
        self.tokens[port * V..].first_chunk().expect("every port has V channels")
    }

    /// Takes a transfer path of a receiver into use. What the last of them keeps waiting is woken when one is free.
    #[inline(always)]
    pub fn use_path(&mut self, receiver: usize, paths: u8) {
        self.paths_used[receiver] += 1;
        if self.paths_used[receiver] == paths {
            self.path_blocked |= F::Places::range(receiver * V, V);
            self.eager |= F::Slots::range(Self::CHANNELS + receiver * V, V);
        }
    }

    /// Gives a transfer path of a receiver back.
    #[inline(always)]
    pub fn free_path(&mut self, receiver: usize) {
        self.paths_used[receiver] -= 1;
        let places = F::Places::range(receiver * V, V);
        let was_blocked = !(self.path_blocked & places).is_empty();
        self.closed &= u16::from(was_blocked).wrapping_sub(1); // no bits if it was, or all
        self.path_blocked &= !places;
    }

    /// A head waits at `place` with these hint bits (and, in the escape's order, `ranks`), if there is one; `is_rigid` when
    /// it keeps to that order. Without branches: no processor could foretell them.
    #[inline(always)]
    pub fn present_if(&mut self, is_there: bool, place: usize, hints: u32, ranks: u32, is_rigid: bool) {
        F::wish_if(is_there, &mut self.wishes, place, ranks, is_rigid);
        self.closed &= !(hints & u32::from(is_there).wrapping_neg()) as u16;
    }

    /// The head at `place` no longer waits.
    #[inline(always)]
    pub fn withdraw(&mut self, place: usize) {
        F::unwish(&mut self.wishes, place);
        if !F::IS_PLAIN {
            self.urgent &= !F::Places::only(place);
        }
    }
}
