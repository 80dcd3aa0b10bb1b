//! What few machines have: datelines crossed, pacing, the gap in arbitration, the count of tokens that unblock; copies are in
//! `deposit.rs`, links that make errors in `errors/`. It is compiled into forms of its own ([`Family::HAS_OPTIONS`]), so that
//! it costs others nothing.
//!
//! Acknowledgements, and tokens where they are counted, are events that a node is woken for at their very cycle, with all
//! that came before applied first; what the others do when it makes no difference has to wait for these.

use super::family::Family;
use super::label::Label;
use super::mail::{ACKNOWLEDGEMENT, Mail};
use super::sets::{BitSet, Tick};
use super::visit::Visit;
use crate::draws::Purpose;
use crate::source::Onward;
use std::cmp::Reverse;

impl<F: Family, const P: usize, const V: usize, const C: usize, const S: usize> Visit<'_, F, P, V, C, S> {
    /// When an acknowledgement or tokens that are counted come, if that is earlier than `wake`.
    #[inline(always)]
    pub(super) fn with_options(&self, wake: F::Tick) -> F::Tick {
        let may_be = F::HAS_OPTIONS
            && (self.fabric.parameters.counts_unblocking
                || self.fabric.parameters.node.injection_window_packets.is_some());
        match self.store.optional.get(self.local).filter(|_| may_be) {
            None => wake,
            Some(options) => {
                let acknowledged = options.acknowledgements.peek().map(|Reverse(time)| self.tick_of(*time));
                wake.min(acknowledged.unwrap_or(F::Tick::NEVER)).min(self.next_counted_tokens())
            }
        }
    }

    pub(super) fn next_counted_tokens(&self) -> F::Tick {
        let ports = if self.fabric.parameters.counts_unblocking { self.fabric.ports } else { 0 };
        let times = (0..ports).flat_map(|port| self.token_notes(port).map(|note| note.time));
        times.min().unwrap_or(F::Tick::NEVER)
    }

    /// What has to be seen before the events of this cycle.
    #[inline(always)]
    pub(super) fn before_events(&mut self, now: i32) {
        if F::HAS_OPTIONS && self.fabric.has_gap() {
            self.look_back(now);
        }
        if F::HAS_OPTIONS && self.fabric.parameters.counts_unblocking {
            self.settle(self.cycle(now));
            self.count_tokens(now);
        }
    }

    /// What follows the events of this cycle.
    #[inline(always)]
    pub(super) fn after_events(&mut self, now: i32) {
        if F::HAS_OPTIONS && self.fabric.is_paced(false) {
            self.take_acknowledgements(self.cycle(now));
        }
        if F::HAS_OPTIONS && self.fabric.has_gap() {
            self.held_back = self.late_places(now);
            let shut_out = self.shut_out(now);
            let options = &mut self.store.optional[self.local];
            (options.looked_before, options.shut_out) = (self.epoch_start + now as u64 + 1, shut_out);
        }
    }

    /// An acknowledgement is on its way to the source of a packet whose tail is in its reception FIFO at `received`.
    #[inline(always)]
    pub(super) fn acknowledge(&mut self, index: usize, received: i32) {
        if !F::HAS_OPTIONS
            || !self.fabric.is_paced(self.fabric.layout.is_high_priority(self.store.packet(index)))
        {
            return;
        }
        let label = self.store.label(index);
        if matches!(self.fabric.onward(label.handle()), Onward::To(_)) {
            return; // it goes on from here
        }
        let (number, source) = (self.store.first + self.local as u32, label.source());
        let time = self.cycle(received) + self.fabric.acknowledgement_cycles(number, source);
        let mail = Mail { time, node: source, tokens: ACKNOWLEDGEMENT, ..Mail::default() };
        self.store.mail.acknowledgements.push(mail);
    }

    /// Packets of the node have been acknowledged: the first FIFO that waits for a packet gets one, for each.
    fn take_acknowledgements(&mut self, now: u64) {
        while self.next_acknowledgement().is_some_and(|time| time <= now) {
            let options = &mut self.store.optional[self.local];
            options.acknowledgements.pop();
            match self.store.software_mut(self.local) {
                Some(software) => software.acknowledge(now),
                None => {
                    self.store.optional[self.local].unacknowledged -= 1;
                    let heads = self.store.filling[self.store.filling_of(self.local, 0)].heads;
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

    /// Whether an infinite FIFO has to wait for an acknowledgement before it can have a packet.
    pub(super) fn waits_for_acknowledgement(&self, fifo: usize) -> bool {
        self.fabric.is_paced(!self.fabric.is_normal_fifo(fifo))
            && self.fabric.window_is_full(self.store.optional[self.local].unacknowledged)
    }

    /// Makes sure that it is known who was shut out in the cycle before this.
    fn look_back(&mut self, now: i32) {
        let cycle = self.cycle(now);
        if cycle == 0 || self.store.optional[self.local].looked_before == cycle {
            return;
        }
        // Nothing could be granted since the node was looked at last.
        self.settle(cycle);
        let shut_out = self.shut_out(now - 1);
        self.store.optional[self.local].shut_out = shut_out;
    }

    /// The heads that miss this cycle: shut out in the cycle before, in a receiver on which the gap falls.
    fn late_places(&self, now: i32) -> F::Places {
        let shut_out = self.store.optional[self.local].shut_out;
        let (draws, share) = (self.draws(now), self.fabric.parameters.router.arbitration_gap_share);
        (0..P).fold(F::Places::default(), |late, receiver| {
            let mine = shut_out & F::Places::range(receiver * V, V);
            let is_late = !mine.is_empty() && share.decide(|| draws.draw(Purpose::ArbitrationGap, receiver));
            if is_late { late | mine } else { late }
        })
    }

    /// Heads of receivers for which each possible link is busy at `now`, or without tokens for the channels behind it.
    fn shut_out(&mut self, now: i32) -> F::Places {
        let (mut waiting, mut can_go) = (F::Places::default(), F::Places::default());
        for port in 0..self.fabric.ports {
            let (wants, escapes) = self.wishing(port);
            waiting |= wants | escapes;
            if self.node.times[port].cycles() <= now {
                self.take_tokens_early(port, now);
                can_go |= self.has_tokens_behind(port);
            }
        }
        waiting & !can_go & F::Places::range(0, C)
    }

    /// Takes tokens before arbitration has seen that they have come, and opens their port as it would.
    fn take_tokens_early(&mut self, port: usize, now: i32) {
        let have_come = self.next_tokens_of(port).cycles() <= now;
        self.node.closed &= !u16::only_if(port, have_come);
        self.take_tokens(port, now);
    }

    /// The places that could move through a port, were its link idle and a path free.
    fn has_tokens_behind(&self, port: usize) -> F::Places {
        let (wants, escapes) = self.wishing(port);
        let dynamic = if self.best_channels(port).0 == 0 { F::Places::default() } else { wants };
        dynamic | self.bubble_open_to(port, escapes)
    }

    /// Counts the tokens that come back now, one channel after the other, and those that give some head its first.
    fn count_tokens(&mut self, now: i32) {
        let mut come: Vec<(usize, usize, u8)> = (0..self.fabric.ports)
            .flat_map(|port| {
                let due = self.token_notes(port).filter(|note| note.time.cycles() <= now);
                due.map(move |note| (port, usize::from(note.channel), note.tokens))
            })
            .collect();
        come.sort_unstable();
        let mut blocked = self.without_tokens();
        for &(port, channel, tokens) in &come {
            self.node.tokens[port * V + channel] += tokens;
            let still_blocked = self.without_tokens();
            self.store.totals.token_returns += 1;
            self.store.totals.unblocking_returns += u64::from(still_blocked < blocked);
            blocked = still_blocked;
        }
        for (port, channel, tokens) in come {
            self.node.tokens[port * V + channel] -= tokens;
        }
        (0..self.fabric.ports).for_each(|port| self.take_tokens_early(port, now));
    }

    /// How many heads of receivers have not the tokens for any of their possible moves.
    fn without_tokens(&self) -> u32 {
        let (mut waiting, mut have) = (F::Places::default(), F::Places::default());
        for port in 0..self.fabric.ports {
            let (wants, escapes) = self.wishing(port);
            waiting |= wants | escapes;
            if !self.fabric.is_dead_link(self.store.first + self.local as u32, port) {
                have |= self.has_tokens_behind(port);
            }
        }
        (waiting & !have & F::Places::range(0, C)).count()
    }
}
