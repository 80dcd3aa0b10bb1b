//! A visit to a node: the state of the node and of its subdomain, and the machine, at hand for the code that runs
//! there. The steps of a visit are in [`run`](super::run).

use super::buffers::{Buffers, Vc};
use super::node::Node;
use super::pending::{Pending, PendingEvent};
use super::sets::{Tick, assume};
use super::specialization::Specialization;
use super::store::Store;
use super::wake_priority::WakePriority;
use network::arbitration::Origin;
use network::fabric::Fabric;

/// A node and its share of the arrays of its subdomain.
pub struct Visit<'a, F: Specialization> {
    /// The node's hot state.
    pub(super) node: &'a mut Node<F>,
    /// The node's number within the subdomain.
    pub(super) local: usize,
    /// The machine.
    pub(super) fabric: &'a Fabric,
    /// The arrays of the subdomain.
    pub(super) store: &'a mut Store<F>,
    /// The cycle to which the node's times are relative.
    pub(super) epoch_start: u64,
    /// Inputs whose head packets are held back in this cycle by the gap in their receiver's arbitration.
    pub(super) held_by_gap: F::Inputs,
    /// The next wake-up if no link is idle. The node is woken when a link becomes idle, or for an event that always
    /// wakes it.
    pub(super) next_if_saturated: F::Tick,
    /// The first place of the node in the VC buffers.
    buffers_base: usize,
}

impl<'a, F: Specialization> Visit<'a, F> {
    /// A visit to node number `local` of a subdomain.
    #[inline(always)]
    pub fn new(node: &'a mut Node<F>, local: usize, fabric: &'a Fabric, store: &'a mut Store<F>) -> Self {
        let (epoch_start, buffers_base) = (node.epoch_start(), store.buffers.base(local));
        let (next_if_saturated, held_by_gap) = (F::Tick::NEVER, F::Inputs::default());
        Visit { node, local, fabric, store, epoch_start, held_by_gap, next_if_saturated, buffers_base }
    }

    /// A future cycle, relative to the epoch; see [`Tick::after`] for cycles beyond the range.
    #[inline(always)]
    pub(super) fn tick_of(&self, time: u64) -> F::Tick {
        F::Tick::after((time - self.epoch_start).min(i32::MAX as u64) as i32)
    }

    /// A sender's row of pending credit events; empty if there are no rows.
    #[inline(always)]
    fn credit_row(&self, port: usize) -> &[PendingEvent<F::Tick>] {
        let row = self.store.layout.credit_events(self.local, port);
        if F::Pending::HAS_ROWS { &self.store.pending_events[row] } else { &[] }
    }

    /// The time of a sender's first pending credit event, which may have passed.
    #[inline(always)]
    pub(super) fn next_credit_return_of(&self, port: usize) -> F::Tick {
        // SAFETY: `port` is one of the machine's.
        unsafe { assume(port < F::PORTS) };
        self.node.pending.next_credit_return(port, self.credit_row(port))
    }

    /// The pending credit events of a sender, whose times may have passed.
    #[inline(always)]
    pub(super) fn credit_events(&self, port: usize) -> impl Iterator<Item = PendingEvent<F::Tick>> {
        self.node.pending.credits(port, self.credit_row(port), self.fabric.full_packet)
    }

    /// Converts one of the node's times to a cycle.
    #[inline(always)]
    pub(super) fn cycle(&self, time: i32) -> u64 {
        self.epoch_start.wrapping_add_signed(time.into())
    }

    /// Sets the time of a slot's next event, and whether the event wakes the node. `next_if_saturated` is updated here,
    /// as a later search of the times would have to wait for their stores.
    #[inline(always)]
    pub(super) fn set_event(&mut self, slot: usize, time: F::Tick, wakes: WakePriority) {
        self.node.set_event(slot, time, wakes);
        self.next_if_saturated = self.next_if_saturated.min(if wakes.always { time } else { F::Tick::NEVER });
    }

    /// Where the head packet of an input waits, as both engines name it.
    #[inline(always)]
    pub(super) fn origin(input: usize) -> Origin {
        match input.checked_sub(F::VC_INPUTS) {
            None => Origin::VirtualChannel { port: input / F::VCS, vc: input % F::VCS },
            Some(fifo) => Origin::Injection { fifo },
        }
    }

    /// A VC of the node.
    #[inline(always)]
    pub(super) fn vc(&self, input: usize) -> Vc {
        Vc { base: self.buffers_base, input, first: self.node.first[input] }
    }

    /// Index, in the buffers, of the packet of rank `rank` in a VC; packets that are leaving do not count.
    #[inline(always)]
    pub(super) fn packet_index(&self, input: usize, rank: u8) -> usize {
        self.store.buffers.index(self.vc(input), rank)
    }

    /// Index of the packet that is leaving a VC, or has just left it.
    #[inline(always)]
    pub(super) fn index_of_leaving(&self, input: usize) -> usize {
        self.store.buffers.index_of_leaving(self.vc(input))
    }
}
