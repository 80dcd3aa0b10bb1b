//! The observer of a part of the machine, with what it has still to hear of time lines that have no task.

use super::Doing;
use super::observer::Observer;

/// The observer of a part of the machine, and what it will hear of time lines that have no task.
pub(crate) struct ObserverState {
    observer: Box<dyn Observer>,
    /// By time line.
    pauses: Vec<Option<Pause>>,
}

/// What a core does, since when, after the end of its last task.
#[derive(Clone, Copy)]
struct Pause {
    free_at: u64,
    since: u64,
    doing: Doing,
}

impl ObserverState {
    /// The observer of so many time lines.
    pub fn new(observer: Box<dyn Observer>, lines: usize) -> Self {
        ObserverState { observer, pauses: vec![None; lines] }
    }

    pub fn observer(&self) -> &dyn Observer {
        &*self.observer
    }

    /// What a time line whose last task has ended at `free_at` does since then, or since that has changed.
    pub fn pause(&self, slot: usize, free_at: u64) -> Option<(u64, Doing)> {
        let pause = self.pauses[slot].filter(|pause| pause.free_at == free_at);
        pause.map(|Pause { since, doing, .. }| (since, doing))
    }

    /// Notes what a time line whose last task has ended at `free_at` does, and since when.
    pub fn note(&mut self, slot: usize, free_at: u64, (since, doing): (u64, Doing)) {
        self.pauses[slot] = Some(Pause { free_at, since, doing });
    }

    pub fn observer_mut(&mut self) -> &mut dyn Observer {
        &mut *self.observer
    }
}
