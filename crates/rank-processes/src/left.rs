//! The remains of processes that have ended: their statuses, and measured times.

use crate::ending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// For each rank, for each call of its program, the hash of the call's name, and nanoseconds of computation before it.
pub type Measured = Vec<Vec<[u64; 2]>>;

/// The remains of processes, which are there when they have ended.
#[derive(Clone, Debug, Default)]
pub struct Left(Arc<Mutex<Remains>>);

#[derive(Debug, Default)]
pub(crate) struct Remains {
    /// The status of each process, as `waitpid` gives it; none for one that has been ended.
    pub statuses: Vec<Option<i32>>,
    pub measured: Measured,
}

impl Left {
    /// Keeps what is left.
    pub(crate) fn keep(&self, remains: Remains) {
        *self.get() = remains;
    }

    fn get(&self) -> MutexGuard<'_, Remains> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first rank that has ended by itself with another status than 0, and that status, as a shell has it.
    pub fn first_nonzero_exit(&self) -> Option<(u32, i32)> {
        self.first(|status| status.map(ending::shell_status).filter(|status| *status != 0))
    }

    /// The first rank that something has killed, and by which signal, in words.
    pub fn first_killed(&self) -> Option<(u32, String)> {
        self.first(|status| {
            status.filter(|status| ending::exit_code(*status).is_none()).map(ending::in_words)
        })
    }

    fn first<T>(&self, of_status: impl Fn(Option<i32>) -> Option<T>) -> Option<(u32, T)> {
        let remains = self.get();
        let of_rank = |(rank, status): (u32, &Option<i32>)| Some((rank, of_status(*status)?));
        (0..).zip(&remains.statuses).find_map(of_rank)
    }

    /// The first rank that had not ended by itself.
    pub fn first_ended(&self) -> Option<u32> {
        self.first(|status| status.is_none().then_some(())).map(|(rank, ())| rank)
    }

    /// Takes the measured times of computation.
    pub fn take_measured(&self) -> Measured {
        std::mem::take(&mut self.get().measured)
    }
}
