//! State of the process.

use std::ops::Deref;

/// A value that belongs to the process. One thread at a time uses it: the one that calls MPI, as the level of thread
/// support (`MPI_THREAD_FUNNELED`) says.
#[derive(Debug)]
pub(crate) struct OfProcess<T>(T);

// SAFETY: only the thread that calls MPI uses the value.
unsafe impl<T> Sync for OfProcess<T> {}

impl<T> OfProcess<T> {
    pub const fn new(value: T) -> Self {
        OfProcess(value)
    }
}

impl<T> Deref for OfProcess<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
