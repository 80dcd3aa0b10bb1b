//! Brings nodes up to date: events of the past are applied, and times are counted from the current epoch.

use super::sets::Tick;
use super::steps::Steps;
use super::subdomain::Subdomain;
use super::visit::Visit;

impl<F: Steps> Subdomain<F> {
    /// Makes a node count its times from the current epoch.
    #[inline(always)]
    pub(super) fn enter_epoch(&mut self, local: usize) {
        if self.nodes[local].epoch != self.epoch {
            self.change_epoch(local);
        }
    }

    /// Changes the epoch of a node. Events of the past are applied first, as the change of epoch discards their times.
    #[cold]
    fn change_epoch(&mut self, local: usize) {
        let now = self.window_start();
        self.settle_node(local, now);
        let late = Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).late_fifos();
        let is_late = self.nodes[local].wake == F::Tick::LATEST;
        let pending_events = &mut self.store.pending_events[self.store.layout.pending_events_of(local)];
        self.nodes[local].enter_epoch(self.epoch, pending_events);
        // Other times are near, so that they are still known in the next epoch.
        Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).restate(late, is_late, now);
        self.update_software_time(local);
    }

    pub(super) fn update_software_time(&mut self, local: usize) {
        Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).update_software_time();
    }

    /// Applies all events before `now` that could not lead to a grant.
    pub fn settle(&mut self, now: u64) {
        for local in 0..self.nodes.len() {
            self.settle_node(local, now);
        }
    }

    pub(super) fn settle_node(&mut self, local: usize, now: u64) {
        Visit::new(&mut self.nodes[local], local, &self.fabric, &mut self.store).settle(now);
    }
}
