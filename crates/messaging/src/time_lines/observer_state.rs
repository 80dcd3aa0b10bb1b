//! The observer of a part of the machine, with the pauses of time lines that it is still to be notified of.

use super::DetailedActivity;
use super::observer::Observer;

/// The observer of a part of the machine, and the pauses of time lines that it will be notified of.
pub(crate) struct ObserverState {
    observer: Box<dyn Observer>,
    /// The pauses, by time line.
    pauses: Vec<Option<Pause>>,
}

/// The activity of a core after the end of its last task, and the time since which it lasts.
#[derive(Clone, Copy)]
struct Pause {
    free_at: u64,
    since: u64,
    detailed: DetailedActivity,
}

impl ObserverState {
    /// The observer of `lines` time lines.
    pub fn new(observer: Box<dyn Observer>, lines: usize) -> Self {
        ObserverState { observer, pauses: vec![None; lines] }
    }

    pub fn observer(&self) -> &dyn Observer {
        &*self.observer
    }

    /// The activity of a time line whose last task has ended at `free_at`, and the time since which it lasts.
    pub fn pause(&self, slot: usize, free_at: u64) -> Option<(u64, DetailedActivity)> {
        let pause = self.pauses[slot].filter(|pause| pause.free_at == free_at);
        pause.map(|Pause { since, detailed, .. }| (since, detailed))
    }

    /// Notes the activity of a time line whose last task has ended at `free_at`, and the time since which it lasts.
    pub fn note(&mut self, slot: usize, free_at: u64, (since, detailed): (u64, DetailedActivity)) {
        self.pauses[slot] = Some(Pause { free_at, since, detailed });
    }

    pub fn observer_mut(&mut self) -> &mut dyn Observer {
        &mut *self.observer
    }
}
