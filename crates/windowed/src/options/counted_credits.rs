//! What is counted when buffers are observed: returning credits that unblock head packets, and the packets of each link by
//! VC. The node is visited at the exact cycle of each return,
//! after all earlier events have been applied. Without this option, returning credits are applied lazily.

use super::machine_option::MachineOption;
use crate::outgoing::RemoteEvent;
use crate::sets::{BitSet, Tick};
use crate::specialization::Specialization;
use crate::steps::Steps;
use crate::visit::Visit;
use network::fabric::Fabric;

/// The counts of an observation of buffers.
pub struct CountedCredits;

impl MachineOption for CountedCredits {
    const WAKES_FOR_CREDITS: bool = true;

    fn is_on(fabric: &Fabric) -> bool {
        fabric.parameters.counts_unblocking
    }

    fn before_events<F: Steps>(visit: &mut Visit<'_, F>, now: i32) {
        visit.settle(visit.cycle(now));
        visit.count_credits(now);
    }

    fn carries<F: Specialization>(
        visit: &mut Visit<'_, F>,
        _now: i32,
        port: usize,
        arrival: &RemoteEvent<F::Metadata>,
        _fifo: Option<usize>,
    ) -> bool {
        let link = visit.local * visit.fabric.ports + port;
        visit.store.link_vcs[link * F::VCS + usize::from(arrival.vc)] += 1;
        false
    }

    fn after_step<F: Specialization>(visit: &mut Visit<'_, F>) {
        let returns =
            (0..visit.fabric.ports).flat_map(|port| visit.credit_events(port).map(|entry| entry.time));
        let next = returns.min().unwrap_or(F::Tick::NEVER);
        visit.node.wake = visit.node.wake.min(next);
    }
}

impl<F: Specialization> Visit<'_, F> {
    /// Counts the credits that return now, VC by VC. Also counts the returns that give a head packet enough credits for
    /// its first possible move.
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
