//! The hot state of one node: one contiguous, aligned block.
//!
//! ```text
//!   event times (16 bits each):  links | VCs | injection FIFOs | arrivals
//!   sets of inputs, as masks:    urgent, blocked, leaving for a reception FIFO, bypassing, ...
//!   bytes by input:              request vectors, packets waiting, buffer occupancy
//!   bytes by VC:                 ring position of the first packet, credits of the sender
//! ```
//!
//! An *input* is a place where a head packet waits. A *slot* is a kind of event that can happen at one future time.
//! Their numbers are described in [`Width`](super::specialization::Width). The packets themselves are in arrays of the
//! subdomain.
//!
//! An event is applied when the node is next visited. A node is woken only for events that could let a packet move
//! ([`wake`](super::wake)): while all of its links are busy, the few in `wakes_always`; while a link is idle, those in
//! `wakes_if_idle`.
//!
//! A checkpoint omits the part that follows from the rest of the state, and `restored.rs` rebuilds it.

use super::array::Items;
use super::pending::{Pending, PendingEvent};
use super::queues::RequestVectors;
use super::sets::{BitSet, Tick, assume};
use super::specialization::{QueuesOf, Specialization};
use super::wake_priority::WakePriority;
use base::draws::NodeKey;
use network::counters::NodeCounters;
use serde::{Deserialize, Serialize};

/// A node. The order of the fields keeps the number of cache lines low that an event from another node touches. A node
/// of a plain machine has seven cache lines. Returning credits touch three of them, an arriving packet five.
#[repr(C, align(64))]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Node<F: Specialization> {
    /// Time of each slot's next event, from the start of the epoch. A link is idle from its time on.
    pub times: F::Times,
    /// Slots with a scheduled event, and all existing links.
    pub armed: F::Slots,
    /// Slots whose event may let a head packet move even if no link is idle.
    pub wakes_always: F::Slots,
    /// Slots whose event may let a head packet move if a link is idle; a superset of `wakes_always`.
    pub wakes_if_idle: F::Slots,
    /// The epoch from whose start times count.
    pub epoch: u32,
    /// The next cycle at which something could be granted.
    pub wake: F::Tick,
    /// Idle ports that lack only credits.
    pub stalled: u16,
    /// Ports whose link crosses the dateline of its ring: without a twist, those whose link wraps around. The field
    /// separates `stalled` and `blocked_outputs`. If these were adjacent, they would be loaded as one word. The load would
    /// wait for the store of either.
    #[serde(skip)]
    pub edges: u16,
    /// Idle ports that no head packet can be granted, stalled or not requested. They stay blocked until credits return
    /// or a head packet requests them. A free transfer path, or room for a copy, unblocks them too.
    pub blocked_outputs: u16,
    /// Stalled ports without a grantable adaptive VC: a later head packet could take them only as its escape. Bits of
    /// ports that are not stalled may be stale. Kept for uniform machines only.
    pub without_adaptive_vc: u8,
    /// Stalled ports with room for two packets in the escape VC, which a head packet may then enter. With less room it
    /// may only go straight on in it. Bits may be stale, as in `without_adaptive_vc`. Kept for uniform machines only.
    pub with_escape_room: u8,
    /// Whether all links were busy after the last visit, so that the node is woken when one becomes idle.
    pub is_saturated: bool,
    /// The node's counters.
    pub counters: NodeCounters,
    /// Credits and packets in flight to the node. Some of the credits may have arrived already.
    pub pending: F::Pending,
    /// Number of packets of each VC that are not leaving, including packets on the link.
    pub count: F::PerVc,
    /// Key of the node's random draws.
    #[serde(skip)]
    pub key: NodeKey,
    /// The queues of the inputs.
    #[serde(skip)]
    pub queues: QueuesOf<F>,
    /// Ring position of each VC's first packet that is not leaving.
    pub first: F::PerVc,
    /// Credits by sender and VC. The credits of a VC behind a port are at the place of the input with these numbers.
    pub credits: F::PerVc,
    /// Inputs whose head packets must not use the escape VC.
    #[serde(skip)]
    pub adaptive_only: F::Inputs,
    /// Inputs whose head packets are of high priority.
    #[serde(skip)]
    pub high_priority: F::Inputs,
    /// Inputs of receivers whose transfer paths are all in use.
    #[serde(skip)]
    pub path_blocked: F::Inputs,
    /// Inputs whose bus to the reception FIFOs is in use.
    #[serde(skip)]
    pub bus_blocked: F::Inputs,
    /// Inputs with a packet leaving for a reception FIFO.
    #[serde(skip)]
    pub to_reception: F::Inputs,
    /// Inputs with a packet leaving that was never in the buffer.
    pub bypassing: F::Inputs,
    /// Injection FIFOs, as inputs, with a packet leaving.
    pub injecting: F::Inputs,
}

impl<F: Specialization> Node<F> {
    /// An idle node with links at `ports`, of which the links at `edges` cross datelines. `credits_of` gives the initial
    /// credits of each VC.
    pub fn new(key: NodeKey, credits_of: impl Fn(usize) -> u8, ports: u16, edges: u16) -> Self {
        const { assert!(F::SLOTS >= F::ARRIVAL_SLOT + F::PORTS && F::SLOTS.is_multiple_of(8)) };
        let mut credits = F::PerVc::filled(0);
        credits.iter_mut().enumerate().for_each(|(input, credits)| *credits = credits_of(input % F::VCS));
        let mut times = F::Times::filled(F::Tick::NEVER);
        for port in ports.iter() {
            times[port] = F::Tick::after(0);
        }
        Node {
            times,
            wake: F::Tick::NEVER,
            without_adaptive_vc: 0,
            with_escape_room: 0,
            is_saturated: false,
            armed: F::slots_of_links(ports.into()),
            queues: QueuesOf::<F>::default(),
            first: F::PerVc::filled(0),
            count: F::PerVc::filled(0),
            adaptive_only: F::Inputs::default(),
            high_priority: F::Inputs::default(),
            path_blocked: F::Inputs::default(),
            bus_blocked: F::Inputs::default(),
            to_reception: F::Inputs::default(),
            bypassing: F::Inputs::default(),
            injecting: F::Inputs::default(),
            wakes_always: F::Slots::default(),
            wakes_if_idle: F::Slots::default(),
            stalled: 0,
            blocked_outputs: 0,
            edges,
            epoch: 0,
            credits,
            pending: F::Pending::none(),
            key,
            counters: NodeCounters::default(),
        }
    }

    /// The links of the node, which is node `local` of its subdomain. Each has its number within the subdomain, and
    /// whether it is stalled.
    pub fn links(&self, local: usize, ports: usize) -> impl Iterator<Item = (usize, bool)> + use<F> {
        let stalled = self.stalled;
        (0..ports).map(move |port| (local * ports + port, stalled.has(port)))
    }

    /// Rebases all times to `epoch`; `pending_events` are the node's. Times far in the past are clamped, so that no
    /// event may be due.
    pub fn enter_epoch(&mut self, epoch: u32, pending_events: &mut [PendingEvent<F::Tick>]) {
        let epochs = epoch - self.epoch;
        self.times.iter_mut().for_each(|time| *time = time.age(epochs));
        self.wake = self.wake.age(epochs);
        self.pending.age(epochs);
        pending_events.iter_mut().for_each(|entry| entry.time = entry.time.age(epochs));
        self.epoch = epoch;
    }

    /// The first cycle of the epoch.
    #[inline(always)]
    pub fn epoch_start(&self) -> u64 {
        u64::from(self.epoch) * F::Tick::EPOCH_CYCLES as u64
    }

    /// Schedules the next event of a slot, and whether it wakes the node.
    #[inline(always)]
    pub fn set_event(&mut self, slot: usize, time: F::Tick, wakes: WakePriority) {
        self.times[slot] = time;
        self.armed |= F::Slots::only(slot);
        self.raise_wake_priority(slot, wakes);
    }

    /// Makes the event of a slot wake the node.
    #[inline(always)]
    pub fn raise_wake_priority(&mut self, slot: usize, wakes: WakePriority) {
        self.wakes_if_idle |= F::Slots::only_if(slot, wakes.if_idle | wakes.always);
        self.wakes_always |= F::Slots::only_if(slot, wakes.always);
    }

    /// Makes the events of some slots always wake the node.
    #[inline(always)]
    pub fn await_slots(&mut self, slots: F::Slots) {
        self.wakes_always |= slots;
        self.wakes_if_idle |= slots;
    }

    /// Lets packets that leave the VCs at `inputs` wake the node if a link is idle. All transfer paths of their
    /// receivers are in use, and each such packet frees one. The head packets that wait for a path need an idle link
    /// too.
    #[inline(always)]
    pub fn await_path(&mut self, inputs: F::Inputs) {
        self.wakes_if_idle |= F::slots_of_inputs(inputs) << F::VC_SLOT;
    }

    /// Clears the events of some slots.
    #[inline(always)]
    pub fn clear_events(&mut self, slots: F::Slots) {
        self.armed &= !slots;
        self.wakes_if_idle &= !slots;
        self.wakes_always &= !slots;
    }

    /// Whether a slot has a scheduled event.
    #[inline(always)]
    pub fn is_pending(&self, slot: usize) -> bool {
        self.armed.has(slot)
    }

    /// The VCs that a packet is leaving.
    #[inline(always)]
    pub fn leaving(&self) -> F::Inputs {
        F::inputs(self.armed >> F::VC_SLOT) & F::Inputs::range(0, F::VC_INPUTS)
    }

    /// Adds the credits that are due by `now`; `row` is the port's row of pending events.
    #[inline(always)]
    pub fn take_credits(
        &mut self,
        port: usize,
        row: &mut [PendingEvent<F::Tick>],
        now: F::Tick,
        full_packet: u8,
    ) {
        // SAFETY: `port` is a port of the machine.
        unsafe { assume(port < F::PORTS) };
        let credits = &mut self.credits[port * F::VCS..][..F::VCS];
        self.pending.take_credits(port, now, row, full_packet, credits);
    }

    /// Records credits that will return to a sender. Credits that are due by `past` may be added to make room; `row` is
    /// the port's row of pending events.
    #[inline(always)]
    pub fn record_credits(
        &mut self,
        port: usize,
        entry: PendingEvent<F::Tick>,
        past: F::Tick,
        row: &mut [PendingEvent<F::Tick>],
    ) {
        // SAFETY: `port` is a port of the machine.
        unsafe { assume(port < F::PORTS) };
        let credits = &mut self.credits[port * F::VCS..][..F::VCS];
        self.pending.record_credits(port, entry, past, row, credits);
    }

    /// The credits of a port's VCs.
    #[inline(always)]
    pub fn credits_of(&self, port: usize) -> &[u8] {
        // SAFETY: `port` is a port of the machine.
        unsafe { assume(port < F::PORTS) };
        &self.credits[port * F::VCS..][..F::VCS]
    }

    /// Records that one more transfer path of a receiver is in use. If it was the last free one, the receiver's inputs
    /// are blocked. A path that becomes free then wakes the node if a link is idle.
    #[inline(always)]
    pub fn use_path(&mut self, receiver: usize, paths: u8) {
        let inputs = F::Inputs::range(receiver * F::VCS, F::VCS);
        let used = self.leaving() & !self.to_reception & inputs;
        let is_last = used.count() == u32::from(paths);
        let blocked = if is_last { inputs } else { F::Inputs::default() };
        self.path_blocked |= blocked;
        self.await_path(blocked);
    }

    /// Frees the transfer paths used by packets from some inputs. If one of their receivers was blocked, unblocks all
    /// outputs.
    #[inline(always)]
    pub fn free_paths(&mut self, inputs: F::Inputs) {
        let receivers = inputs.groups(F::VCS, F::PORTS);
        if self.blocked_outputs != 0 && !(self.path_blocked & receivers).is_empty() {
            self.blocked_outputs = 0;
        }
        self.path_blocked &= !receivers;
    }

    /// If `is_there`, registers the request of the head packet at `input` and unblocks its outputs. `ranks` are the
    /// `hints` in the order of the escape VC. `is_dimension_ordered` states whether the packet keeps to that order. It
    /// has no branch, as branches would be unpredictable.
    #[inline(always)]
    pub fn request_if(
        &mut self,
        is_there: bool,
        input: usize,
        hints: u32,
        ranks: u32,
        is_dimension_ordered: bool,
    ) {
        self.queues.request_vectors.request_if(is_there, input, ranks, is_dimension_ordered);
        self.blocked_outputs &= !(hints & u32::from(is_there).wrapping_neg()) as u16;
    }

    /// Withdraws the request of the head packet at `input`.
    #[inline(always)]
    pub fn withdraw_request(&mut self, input: usize) {
        self.queues.request_vectors.withdraw(input);
        if !F::IS_UNIFORM {
            self.high_priority &= !F::Inputs::only(input);
        }
    }
}
