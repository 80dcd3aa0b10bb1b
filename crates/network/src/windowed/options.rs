//! Options that few machines have: injection pacing, the arbitration gap, and the count of returning credits that
//! unblock head packets. Datelines are in `machine.rs`, deposit copies in `deposit.rs`, lossy links in `lossy_links/`.
//! Options are compiled only into specializations with [`Specialization::HAS_OPTIONS`], so that other machines pay
//! nothing for them.
//!
//! A node is woken at the exact cycle of an acknowledgement, and of returning credits if they are counted, after all
//! earlier events have been applied. Without these options, returning credits are applied lazily.

use super::buffers::Buffers;
use super::metadata::Metadata;
use super::outgoing::{ACKNOWLEDGEMENT, RemoteEvent};
use super::sets::{BitSet, Tick};
use super::specialization::Specialization;
use super::visit::Visit;
use crate::draws::Purpose;
use crate::source::ForwardAction;
use std::cmp::Reverse;

impl<F: Specialization> Visit<'_, F> {
    /// Handles the options that act before the events of this cycle.
    #[inline(always)]
    pub(super) fn before_events(&mut self, now: i32) {
        if F::HAS_OPTIONS && self.fabric.has_arbitration_gap() {
            self.update_found_outputs_busy(now);
        }
        if F::HAS_OPTIONS && self.fabric.parameters.counts_unblocking {
            self.settle(self.cycle(now));
            self.count_credits(now);
        }
    }

    /// Handles the options that act after the events of this cycle.
    #[inline(always)]
    pub(super) fn after_events(&mut self, now: i32) {
        if F::HAS_OPTIONS && self.fabric.is_paced(false) {
            self.take_acknowledgements(self.cycle(now));
        }
        if F::HAS_OPTIONS && self.fabric.has_arbitration_gap() {
            self.held_by_gap = self.inputs_in_gap(now);
            let found_outputs_busy = self.found_outputs_busy(now);
            let options = &mut self.store.optional[self.local];
            (options.examined_before, options.found_outputs_busy) =
                (self.epoch_start + now as u64 + 1, found_outputs_busy);
        }
    }

    /// Sends an acknowledgement to the source of a packet whose tail enters its reception FIFO at `received`.
    #[inline(always)]
    pub(super) fn acknowledge(&mut self, index: usize, received: i32) {
        if !F::HAS_OPTIONS
            || !self.fabric.is_paced(self.fabric.layout.is_high_priority(self.store.packet(index)))
        {
            return;
        }
        let metadata = self.store.buffers.metadata(index);
        if matches!(self.fabric.forward_action(metadata.tag()), ForwardAction::RelayTo(_)) {
            return; // a relay forwards the packet
        }
        let (number, source) = (self.store.first + self.local as u32, metadata.source());
        let time = self.cycle(received) + self.fabric.acknowledgement_cycles(number, source);
        let event = RemoteEvent { time, node: source, credits: ACKNOWLEDGEMENT, ..RemoteEvent::default() };
        self.store.outgoing.acknowledgements.push(event);
    }

    /// Takes the acknowledgements due by `now`. For each, the first normal FIFO without a head packet gets one.
    fn take_acknowledgements(&mut self, now: u64) {
        while self.next_acknowledgement().is_some_and(|time| time <= now) {
            let local = self.local;
            self.store.optional[local].acknowledgements.pop();
            match self.store.endpoints_mut() {
                Some(endpoints) => {
                    endpoints.acknowledge(local, now);
                    self.update_software_time();
                }
                None => {
                    self.store.optional[self.local].unacknowledged -= 1;
                    let heads = self.store.fifo_state[self.store.fifo_state_of(self.local, 0)].heads;
                    let normal = usize::from(self.fabric.parameters.node.normal_injection_fifos);
                    if let Some(fifo) = (0..normal).find(|&fifo| !heads.has(fifo)) {
                        self.refill(fifo, now, now);
                    }
                }
            }
        }
    }

    fn next_acknowledgement(&self) -> Option<u64> {
        self.store.optional[self.local].acknowledgements.peek().map(|Reverse(time)| *time)
    }

    /// Whether an infinite FIFO must wait for an acknowledgement before it gets a packet.
    pub(super) fn waits_for_acknowledgement(&self, fifo: usize) -> bool {
        self.fabric.is_paced(!self.fabric.is_normal_fifo(fifo))
            && self.fabric.window_is_full(self.store.optional[self.local].unacknowledged)
    }

    /// Ensures that `found_outputs_busy` is that of the previous cycle.
    fn update_found_outputs_busy(&mut self, now: i32) {
        let cycle = self.cycle(now);
        if cycle == 0 || self.store.optional[self.local].examined_before == cycle {
            return;
        }
        // Nothing could be granted since the last visit.
        self.settle(cycle);
        let found_outputs_busy = self.found_outputs_busy(now - 1);
        self.store.optional[self.local].found_outputs_busy = found_outputs_busy;
    }

    /// Inputs whose head packets miss this cycle: they found all outputs busy in the previous one, and the random draw
    /// of their receiver gives a gap.
    fn inputs_in_gap(&self, now: i32) -> F::Inputs {
        let found_outputs_busy = self.store.optional[self.local].found_outputs_busy;
        let (draws, share) = (self.draws(now), self.fabric.parameters.router.arbitration_gap_share);
        (0..F::PORTS).fold(F::Inputs::default(), |late, receiver| {
            let mine = found_outputs_busy & F::Inputs::range(receiver * F::VCS, F::VCS);
            let misses_cycle =
                !mine.is_empty() && share.decide(|| draws.draw(Purpose::ArbitrationGap, receiver));
            if misses_cycle { late | mine } else { late }
        })
    }

    /// Inputs of receivers whose head packets find each possible link busy at `now`, or without credits for its VCs.
    fn found_outputs_busy(&mut self, now: i32) -> F::Inputs {
        let (mut waiting, mut can_go) = (F::Inputs::default(), F::Inputs::default());
        for port in 0..self.fabric.ports {
            let (wants, escapes) = self.requesting(port);
            waiting |= wants | escapes;
            if self.node.times[port].cycles() <= now {
                self.take_credits_early(port, now);
                can_go |= self.has_credits_behind(port);
            }
        }
        waiting & !can_go & F::Inputs::range(0, F::VC_INPUTS)
    }

    /// Takes due credits before arbitration does, and unblocks their output as arbitration would.
    fn take_credits_early(&mut self, port: usize, now: i32) {
        let are_due = self.next_credit_return_of(port).cycles() <= now;
        self.node.blocked_outputs &= !u16::only_if(port, are_due);
        self.take_credits(port, now);
    }

    /// Inputs whose head packets could move through a port if its link were idle and a path free.
    fn has_credits_behind(&self, port: usize) -> F::Inputs {
        let (wants, escapes) = self.requesting(port);
        let adaptive = if self.best_vcs(port).0 == 0 { F::Inputs::default() } else { wants };
        adaptive | self.may_enter_bubble(port, escapes)
    }

    /// Counts the credits that return now, VC by VC, and the returns that give a head packet enough credits for its
    /// first possible move.
    fn count_credits(&mut self, now: i32) {
        let mut arriving: Vec<(usize, usize, u8)> = (0..self.fabric.ports)
            .flat_map(|port| {
                let due = self.credit_events(port).filter(|entry| entry.time.cycles() <= now);
                due.map(move |entry| (port, usize::from(entry.vc), entry.credits))
            })
            .collect();
        arriving.sort_unstable();
        let mut blocked = self.without_credits();
        for &(port, vc, credits) in &arriving {
            self.node.credits[port * F::VCS + vc] += credits;
            let still_blocked = self.without_credits();
            self.store.totals.credit_returns += 1;
            self.store.totals.unblocking_returns += u64::from(still_blocked < blocked);
            blocked = still_blocked;
        }
        for (port, vc, credits) in arriving {
            self.node.credits[port * F::VCS + vc] -= credits;
        }
        (0..self.fabric.ports).for_each(|port| self.take_credits_early(port, now));
    }

    /// Number of head packets in receivers without enough credits for any of their possible moves.
    fn without_credits(&self) -> u32 {
        let (mut waiting, mut have) = (F::Inputs::default(), F::Inputs::default());
        for port in 0..self.fabric.ports {
            let (wants, escapes) = self.requesting(port);
            waiting |= wants | escapes;
            if !self.fabric.is_dead_link(self.store.first + self.local as u32, port) {
                have |= self.has_credits_behind(port);
            }
        }
        (waiting & !have & F::Inputs::range(0, F::VC_INPUTS)).count()
    }
}
