//! The hot state of one node: one contiguous, aligned block.
//!
//! ```text
//!   event times (16 bits each):  links | channels | injection FIFOs | arrivals
//!   sets of places, as masks:    urgent, blocked, leaving for a reception FIFO, passing by, ...
//!   bytes by place:              what heads ask for, how many wait, how full their buffers are
//!   bytes by channel:            where its ring begins, tokens of the sender
//! ```
//!
//! A *place* is where a head packet waits: channel `c` of receiver `r` is place `r x V + c`, injection FIFO `f` is place
//! `C + f`. Packets themselves lie in arrays of the slab.
//!
//! An event has its effect when the node is next looked at; the node is only woken for those that could let a packet
//! move. While all of its links are busy, that is few: `prompt` names them; `eager` those that count while a link is idle.

use super::family::{Family, QueuesOf};
use super::pending::{Note, Pending};
use super::sets::{BitSet, Tick, is_given};
use crate::counters::NodeCounters;
use crate::draws::NodeKey;
use serde::{Deserialize, Serialize};
use serde_big_array::BigArray;

/// Node of a machine with up to `P` ports and `V` channels; `C = P x V`, and `S` event slots.
///
/// The fields lie in this order, so that mail touches few cache lines: a plain machine's node is seven of them, of which
/// tokens that come back touch three and a head that comes five.
#[repr(C, align(64))]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Node<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> {
    /// Time of each slot's next event, counted from the epoch's start. A link is idle from its time on.
    #[serde(with = "BigArray")]
    pub times: [F::Tick; S],
    /// Slots with an event to come; all links that there are.
    pub armed: F::Slots,
    /// Slots whose event may let a head move even if no link is idle.
    pub prompt: F::Slots,
    /// Slots whose event may let a head move if a link is idle; those of `prompt` too.
    pub eager: F::Slots,
    /// The epoch that times count from.
    pub epoch: u32,
    /// The next cycle at which something could be granted.
    pub wake: F::Tick,
    /// Idle ports for which only tokens are missing.
    pub stalled: u16,
    /// Ports whose link wraps round. They stand between these two, which would else be loaded as one, and wait for the store
    /// of either.
    pub edges: u16,
    /// Idle ports that nobody can have, stalled or unwanted, until tokens come, a head that wants them, or a path.
    pub closed: u16,
    /// Those of the stalled ports, and maybe others, with no dynamic channel open: a head that is still to come could have
    /// them as its escape at most. Plain machines only.
    pub shut: u8,
    /// The same with room for two packets in the escape, for which other heads than those straight on in it may ask.
    pub escapable: u8,
    /// Whether no link was idle after the last visit, so that the node is woken when one is.
    pub is_saturated: bool,
    /// What the node counts.
    pub counters: NodeCounters,
    /// Tokens and heads that are on their way to it; some tokens may have come already.
    pub pending: F::Pending,
    /// Packets of each channel that are not leaving, those on the link included.
    #[serde(with = "BigArray")]
    pub count: [u8; C],
    /// By which it draws.
    pub key: NodeKey,
    /// The queues of places.
    pub queues: QueuesOf<F>,
    /// Where in the ring of each channel the first packet lies that is not leaving.
    #[serde(with = "BigArray")]
    pub first: [u8; C],
    /// Tokens, by sender and channel: those of channel `c` behind port `p` at `p x V + c`.
    #[serde(with = "BigArray")]
    pub tokens: [u8; C],
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
}

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Node<F, P, V, C, S> {
    /// First slot of channels becoming free; links come first.
    pub const CHANNELS: usize = P.next_multiple_of(8);
    /// First slot of the (up to 8) injection FIFOs.
    pub const INJECTION: usize = Self::CHANNELS + C;
    /// First slot of heads arriving.
    pub const ARRIVALS: usize = Self::CHANNELS + C + 8;

    /// A node at rest, whose senders see so many tokens, with the links at `ports`.
    pub fn new(key: NodeKey, tokens: [u8; V], ports: u16, edges: u16) -> Self {
        const { assert!(C == P * V && S >= Self::ARRIVALS + P && S.is_multiple_of(8)) };
        let mut times = [F::Tick::NEVER; S];
        for port in ports.iter() {
            times[port] = F::Tick::after(0);
        }
        Node {
            times,
            wake: F::Tick::NEVER,
            shut: 0,
            escapable: 0,
            is_saturated: false,
            armed: F::slots_of_links(ports.into()),
            queues: F::no_queues(),
            first: [0; C],
            count: [0; C],
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
            tokens: std::array::from_fn(|place| tokens[place % V]),
            pending: F::Pending::none(),
            key,
            counters: NodeCounters::default(),
        }
    }

    /// The links of the node, numbered as those of its slab of which it is node `local`, and whether they are stalled.
    pub fn links(
        &self,
        local: usize,
        ports: usize,
    ) -> impl Iterator<Item = (usize, bool)> + use<F, P, V, C, S> {
        let stalled = self.stalled;
        (0..ports).map(move |port| (local * ports + port, stalled.has(port)))
    }

    /// Counts times from `epoch` on; `notes` are the node's. Times long past are forgotten: nothing is due.
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
    pub fn set_event(&mut self, slot: usize, time: F::Tick, eager: bool, prompt: bool) {
        self.times[slot] = time;
        self.armed |= F::Slots::only(slot);
        self.hurry(slot, eager, prompt);
    }

    /// The node is to be woken for a slot's event if a link is idle, or always.
    #[inline(always)]
    pub fn hurry(&mut self, slot: usize, eager: bool, prompt: bool) {
        self.eager |= F::Slots::only_if(slot, eager | prompt);
        self.prompt |= F::Slots::only_if(slot, prompt);
    }

    /// Nothing more is to happen at some slots.
    #[inline(always)]
    pub fn clear_events(&mut self, slots: F::Slots) {
        self.armed &= !slots;
        self.eager &= !slots;
        self.prompt &= !slots;
    }

    /// Whether something is to happen at a slot.
    #[inline(always)]
    pub fn is_pending(&self, slot: usize) -> bool {
        self.armed.has(slot)
    }

    /// The channels that a packet is leaving.
    #[inline(always)]
    pub fn leaving(&self) -> F::Places {
        F::places(self.armed >> Self::CHANNELS) & F::Places::range(0, C)
    }

    /// Tokens whose time has come by `now` count; `row` is the port's row of notes.
    #[inline(always)]
    pub fn take_tokens(&mut self, port: usize, row: &mut [Note<F::Tick>], now: F::Tick, full_packet: u8) {
        // SAFETY: a port is one of the machine's.
        unsafe { is_given(port < P && C == P * V) };
        let tokens = self.tokens[port * V..].first_chunk_mut().expect("every port has V channels");
        self.pending.take_tokens::<V>(port, now, row, full_packet, tokens);
    }

    /// Notes tokens that come back to a sender; those that have come by `past` may count; `row` is the port's row of notes.
    #[inline(always)]
    pub fn note_tokens(
        &mut self,
        port: usize,
        note: Note<F::Tick>,
        past: F::Tick,
        row: &mut [Note<F::Tick>],
    ) {
        // SAFETY: a port is one of the machine's.
        unsafe { is_given(port < P && C == P * V) };
        let tokens = self.tokens[port * V..].first_chunk_mut().expect("every port has V channels");
        self.pending.note_tokens::<V>(port, note, past, row, tokens);
    }

    /// The tokens of a port's channels.
    #[inline(always)]
    pub fn tokens_of(&self, port: usize) -> &[u8; V] {
        // SAFETY: a port is one of the machine's.
        unsafe { is_given(port < P && C == P * V) };
        self.tokens[port * V..].first_chunk().expect("every port has V channels")
    }

    /// A transfer path of a receiver has been taken into use. What the last of them keeps waiting is woken when one is free.
    #[inline(always)]
    pub fn use_path(&mut self, receiver: usize, paths: u8) {
        let places = F::Places::range(receiver * V, V);
        let used = self.leaving() & !self.to_reception & places;
        let is_last = used.count() == u32::from(paths);
        let blocked = if is_last { places } else { F::Places::default() };
        self.path_blocked |= blocked;
        self.eager |= F::slots_of_places(blocked) << Self::CHANNELS;
    }

    /// Transfer paths that packets from some places took are free.
    #[inline(always)]
    pub fn free_paths(&mut self, places: F::Places) {
        let receivers = places.groups::<V>(P);
        if self.closed != 0 && !(self.path_blocked & receivers).is_empty() {
            self.closed = 0;
        }
        self.path_blocked &= !receivers;
    }

    /// A head waits at `place` with these hint bits (and, in the escape's order, `ranks`), if there is one; `is_rigid` when
    /// it keeps to that order. Without branches: no processor could foretell them.
    #[inline(always)]
    pub fn present_if(&mut self, is_there: bool, place: usize, hints: u32, ranks: u32, is_rigid: bool) {
        F::wish_if(is_there, &mut self.queues.wishes, place, ranks, is_rigid);
        self.closed &= !(hints & u32::from(is_there).wrapping_neg()) as u16;
    }

    /// The head at `place` no longer waits.
    #[inline(always)]
    pub fn withdraw(&mut self, place: usize) {
        F::unwish(&mut self.queues.wishes, place);
        if !F::IS_PLAIN {
            self.urgent &= !F::Places::only(place);
        }
    }
}
