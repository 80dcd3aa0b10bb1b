//! What an observer hears of a core's turn, if there is one.

use crate::Place;
use crate::core::Task;
use crate::observer::{Activity, Interval};
use crate::ranks::MessageId;
use crate::turn::Turn;

impl Turn<'_, '_> {
    /// The core begins a task.
    #[cold]
    pub fn observe_begin(&mut self, task: &Task, start: u64, end: u64) {
        self.observe_gap(start);
        if !self.observes_at_end(task) {
            let (activity, message) = Activity::of(task);
            self.observe(activity, message, start, end);
        }
    }

    /// The core has had no task since its last one; now, at `end`, it continues with something else.
    #[inline]
    pub fn observe_gap(&mut self, end: u64) {
        let core = &self.cores[self.number];
        if self.observer.is_some() && core.free_at < end {
            self.observe(Activity::between_tasks(core.rank.as_ref()), None, core.free_at, end);
        }
    }

    pub fn observe(&mut self, activity: Activity, message: Option<MessageId>, start: u64, end: u64) {
        let core = if self.is_dma() { self.number } else { self.core_number() };
        let place = Place { node: self.io.node, core: core as u8 };
        let is_coprocessor = self.is_coprocessor();
        let core = self.number - self.number % self.setup.lines_of_core;
        let rank = self.cores[core].rank.as_ref().map(|rank| rank.number);
        if let Some(observer) = &mut self.observer {
            observer.observe(&Interval { place, is_coprocessor, rank, activity, message, start, end });
        }
    }
}
