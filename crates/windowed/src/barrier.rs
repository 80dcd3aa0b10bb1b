//! A barrier that spins briefly, then yields, then sleeps: pure spinning collapses on a busy host. When a thread
//! panics, the threads that wait for it panic as well instead of waiting forever.
//!
//! No wake-up can be lost. A thread sleeps only inside `wake.wait`, which it enters holding the lock and having seen
//! the old generation under it. The last thread to arrive changes the generation under the same lock and then notifies.
//! If the change comes first, the waiting thread sees it and does not sleep; if the check comes first, the wait has
//! released the lock before the change, so that the notification finds the thread asleep. `tests/barrier.rs` checks
//! this, and that no thread runs ahead of another, over all interleavings of the model.

use super::sync::{
    AtomicBool, AtomicUsize, Condvar, Mutex, Ordering, PAUSE, SPINS, YIELDS, Yields, panicking, spin_loop,
};

/// A point at which threads wait for one another.
#[derive(Debug)]
pub struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    generation: AtomicUsize,
    broken: AtomicBool,
    yields: Yields,
    sleepers: Mutex<()>,
    wake: Condvar,
}

impl Barrier {
    /// A barrier for `threads` threads.
    pub fn new(threads: usize) -> Self {
        Barrier {
            threads,
            arrived: AtomicUsize::new(0),
            generation: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            yields: Yields::new(YIELDS, PAUSE),
            sleepers: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    /// Breaks the barrier if the thread panics before the guard is dropped.
    pub fn guard(&self) -> Guard<'_> {
        Guard(self)
    }

    /// Returns when all threads have called it as often as this one.
    ///
    /// # Panics
    /// When another thread has panicked.
    pub fn wait(&self) {
        let generation = self.generation.load(Ordering::Acquire);
        self.check_whole(); // a panic before this call has changed the generation already, and will not do so again
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            // No thread of the next generation can arrive before `release`.
            self.arrived.store(0, Ordering::Relaxed);
            self.release();
            return;
        }
        let has_passed = || self.has_passed(generation);
        let spun_until = |_| {
            spin_loop();
            has_passed()
        };
        if (0..SPINS).any(spun_until) || self.yields.until(has_passed) {
            return;
        }
        let mut sleepers = self.sleepers.lock().expect("no thread panics with the lock");
        while self.generation.load(Ordering::Acquire) == generation {
            sleepers = self.wake.wait(sleepers).expect("no thread panics with the lock");
        }
        drop(sleepers);
        self.has_passed(generation);
    }

    fn release(&self) {
        let _sleepers = self.sleepers.lock().expect("no thread panics with the lock");
        self.generation.fetch_add(1, Ordering::Release);
        self.wake.notify_all();
    }

    fn has_passed(&self, generation: usize) -> bool {
        let has_passed = self.generation.load(Ordering::Acquire) != generation;
        if has_passed {
            self.check_whole();
        }
        has_passed
    }

    /// Panics if the barrier is broken; the first panic has been printed, if it was to be. A relaxed load suffices: the
    /// flag is set before the generation changes, and read after that.
    fn check_whole(&self) {
        if self.broken.load(Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new("another thread has panicked"));
        }
    }
}

/// See [`Barrier::guard`].
#[derive(Debug)]
pub struct Guard<'a>(&'a Barrier);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
            self.0.release();
        }
    }
}
