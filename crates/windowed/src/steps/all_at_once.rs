//! The forms of uniform machines: full-size packets, as in the papers' studies. The events at all inputs are computed
//! at once, with a few vector operations on sets of inputs and bytes. The number of events hardly affects cost or
//! branches.

use super::Steps;
use crate::array::Array;
use crate::node::Node;
use crate::queues::{HINTS, ORDERED_BIT, Queues};
use crate::sets::{BitSet, Tick};
use crate::specialization::{Compact, ThreeVcs, UniformForm, Width};
use crate::vector::Vectors;
use crate::visit::Visit;
use crate::wake_priority::WakePriority;

type Machine<M, X> = Compact<M, ThreeVcs, X>;

/// Number of VCs of a port.
const VCS: usize = 3;

impl<M: UniformForm, X: Vectors> Steps for Machine<M, X> {
    #[inline(always)]
    fn apply_to_queues(visit: &mut Visit<'_, Self>, left: u32, reached: u32, now: i32) -> u32 {
        visit.apply_batched(left, reached, now)
    }

    #[inline(always)]
    fn enter_buffers(visit: &mut Visit<'_, Self>, inputs: u32) {
        let occupied = &mut visit.node.queues.occupied;
        let full_packets = X::all_in(inputs, visit.fabric.full_packet);
        X::store(X::add(X::load(&occupied.0), full_packets), &mut occupied.0);
    }

    #[inline(always)]
    fn next_credit_return(visit: &Visit<'_, Self>) -> i16 {
        visit.node.pending.next_credit_return_of(visit.node.stalled.into())
    }

    #[inline(always)]
    fn unblock_for_credits(visit: &mut Visit<'_, Self>, now: i32) {
        let arriving = visit.node.pending.ports_with_due_credits(i16::near(now));
        visit.node.blocked_outputs &= !(visit.node.stalled & arriving as u16);
    }

    #[inline(always)]
    fn still_stalled(visit: &Visit<'_, Self>, _: bool) -> u16 {
        let stalled = visit.node.stalled & visit.node.blocked_outputs;
        if stalled == 0 {
            return stalled;
        }
        let with_path = u32::range(0, Self::VC_INPUTS + 8) & !visit.node.path_blocked;
        stalled & visit.ports_requested_by(with_path) as u16
    }

    #[inline(always)]
    fn needless_departures(visit: &Visit<'_, Self>, awaited: u8) -> u64 {
        visit.needless_departures(awaited)
    }
}

/// For each set of up to six ports, the VCs of these ports.
const VCS_OF_PORTS: [u32; 64] = {
    let mut vcs = [0; 64];
    let mut ports = 1usize;
    while ports < 64 {
        let first = ports & ports.wrapping_neg();
        let mine = ((1 << VCS) - 1) << (VCS * first.trailing_zeros() as usize);
        vcs[ports] = vcs[ports - first] | mine;
        ports += 1;
    }
    vcs
};

/// The VCs of some ports.
#[inline(always)]
fn vcs_of(ports: u32) -> u32 {
    VCS_OF_PORTS[ports as usize & 63]
}

/// Ports through which head packets could leave.
struct AvailableOutputs<'a> {
    /// Ports available on any VC.
    any: u8,
    /// Ports available on the escape VC only.
    escape: u8,
    /// Ports available on the escape VC only, for head packets that go straight on in it. The second item is the
    /// straight-on port of each input, as a bit.
    straight_on: (u8, &'a Array<u8, 32>),
}

/// Updates the queues for packets that have left their VC and packets that arrive. Arriving packets may bypass an empty
/// buffer at some VCs. Each packet takes `charge` credits. Returns the inputs whose head packets bypass. Also returns
/// the VCs that became free whose next head packet is still on the link.
#[inline(always)]
fn update_queues<M: UniformForm, X: Vectors>(
    node: &mut Node<Machine<M, X>>,
    left: u32,
    arriving: u32,
    may_bypass: u32,
    charge: u8,
) -> (u32, u32) {
    let (busy, released) = (node.leaving(), left & !node.bypassing);
    let needs_hints = node.blocked_outputs != 0;
    let Queues { request_vectors, next_head_requests, waiting, occupied } = &mut node.queues;
    let counts = X::add(X::load(&waiting.0), X::all_in(arriving, 1));
    X::store(counts, &mut waiting.0);
    let are_waiting = !X::equal(counts, X::all(0));
    let first = arriving & X::equal(counts, X::all(1)) & !busy;
    let heads = (left & are_waiting) | first;
    let bypass = first & may_bypass;
    let fullness = X::sub(X::load(&occupied.0), X::all_in(released, charge));
    let fullness = X::add(fullness, X::all_in(arriving & !bypass, charge));
    X::store(fullness, &mut occupied.0);
    let next_head_requests = X::load(next_head_requests);
    let new = X::and(next_head_requests, X::all_in(heads, u8::MAX));
    let requests = &mut request_vectors.bytes.0;
    X::store(X::or(X::load(requests), new), requests);
    let is_coming = left & !are_waiting & !X::equal(next_head_requests, X::all(0));
    let hints = if needs_hints { u32::from(X::any(new)) & HINTS } else { 0 };
    node.blocked_outputs &= !hints as u16;
    (bypass, is_coming)
}

impl<M: UniformForm, X: Vectors> Visit<'_, Machine<M, X>> {
    /// Applies departures from VCs and arrivals at receivers together.
    #[inline(always)]
    fn apply_batched(&mut self, left: u32, reached: u32, now: i32) -> u32 {
        let arrivals = self.node.times.last_chunk().expect("there are at least eight slots");
        let are_now = u32::from(X::are_now(arrivals, i16::after(now)))
            >> (8 + Machine::<M, X>::ARRIVAL_SLOT - Machine::<M, X>::SLOTS);
        let node = &mut *self.node;
        node.clear_events(
            u64::from(left) << Machine::<M, X>::VC_SLOT | u64::from(reached) << Machine::<M, X>::ARRIVAL_SLOT,
        );
        let arriving = node.pending.take_arrivals(vcs_of(reached));
        let may_bypass = if self.fabric.parameters.router.bypass { vcs_of(are_now) } else { 0 };
        let (bypass, is_coming) = update_queues(node, left, arriving, may_bypass, self.fabric.full_packet);
        node.bypassing &= !left;
        for input in is_coming.iter() {
            node.raise_wake_priority(
                Machine::<M, X>::ARRIVAL_SLOT + input / VCS,
                WakePriority::of_expected_arrival(true),
            );
        }
        let received = left & node.to_reception;
        node.free_paths(left & !received);
        if received != 0 {
            self.end_receptions(received, now);
        }
        bypass
    }

    /// Applies the ends of receptions. Without software the node may not have been woken for them: they ended at their
    /// own times. Software is notified of them now, and reads the packets in the order of these times.
    #[inline(always)]
    fn end_receptions(&mut self, mut received: u32, now: i32) {
        let time_of = |visit: &Self, input: usize| visit.node.times[Machine::<M, X>::VC_SLOT + input];
        while received != 0 {
            let first = match M::IS_PLAIN {
                true => received.first(),
                false => received.iter().min_by_key(|&input| time_of(self, input)).expect("some are left"),
            };
            received &= !u32::only(first);
            let time = if M::IS_PLAIN { time_of(self, first).cycles() } else { now };
            self.reception_ends(first, self.index_of_leaving(first), time);
        }
    }

    /// Ports that the head packets of some inputs request, on an adaptive VC or as their escape.
    #[inline(always)]
    fn ports_requested_by(&self, inputs: u32) -> u32 {
        let requests = &self.node.queues.request_vectors.bytes;
        let bytes = X::load(&requests.0);
        let dimension_ordered = X::with_bit(bytes, ORDERED_BIT) & inputs;
        let by_any = u32::from(X::any(X::and(bytes, X::all_in(inputs & !dimension_ordered, u8::MAX))));
        let first_of = |input: usize| u32::from(requests[input] & requests[input].wrapping_neg());
        (by_any | dimension_ordered.iter().fold(0, |ports, input| ports | first_of(input))) & HINTS
    }

    /// VCs whose departures would wake the node needlessly while links are stalled. Neither the next head packet nor a
    /// head packet that waits for the transfer path could leave then. Each output that they request is blocked, or is
    /// busy and `awaited`. The node is woken anyway when a busy one becomes idle.
    #[inline(always)]
    fn needless_departures(&self, awaited: u8) -> u64 {
        let without_adaptive_vc = self.node.without_adaptive_vc & self.node.stalled as u8;
        let available = AvailableOutputs {
            any: !(awaited | without_adaptive_vc),
            escape: without_adaptive_vc & self.node.with_escape_room,
            straight_on: (without_adaptive_vc, &self.store.layout.straight_on),
        };
        let (heads, next_heads) = self.with_available_output(&available);
        let useful = next_heads | (heads & self.node.path_blocked).groups(VCS, Machine::<M, X>::PORTS);
        u64::from(u32::range(0, Machine::<M, X>::VC_INPUTS) & !useful) << Machine::<M, X>::VC_SLOT
    }

    /// Inputs whose head packets could leave through one of the available outputs, and inputs whose next head packets
    /// could.
    #[inline(always)]
    fn with_available_output(&self, available: &AvailableOutputs<'_>) -> (u32, u32) {
        let (without_adaptive_vc, straight_on) = available.straight_on;
        let straight_on = X::and(X::load(&straight_on.0), X::all(without_adaptive_vc));
        let (any, escape) = (X::all(available.any), X::or(X::all(available.escape), straight_on));
        let with_bit = |request_vectors: X::Bytes| {
            let lowest = X::and(request_vectors, X::sub(X::all(0), request_vectors)); // set bit of each
            !X::equal(X::or(X::and(request_vectors, any), X::and(lowest, escape)), X::all(0))
        };
        let queues = &self.node.queues;
        (with_bit(X::load(&queues.request_vectors.bytes.0)), with_bit(X::load(&queues.next_head_requests)))
    }
}
