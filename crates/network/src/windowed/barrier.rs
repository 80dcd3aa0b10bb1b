//! A barrier that spins briefly, then yields, then sleeps: pure spinning collapses on a busy machine. When a thread
//! panics, those that wait for it do not wait for ever.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

/// Turns of the loop before a thread gives its core to another.
const SPINS: u32 = 500;
/// Times it does so before it sleeps.
const YIELDS: u32 = 20;

/// Threads wait here for one another.
#[derive(Debug)]
pub struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    generation: AtomicUsize,
    broken: AtomicBool,
    sleepers: Mutex<()>,
    wake: Condvar,
}

impl Barrier {
    /// A barrier for so many threads.
    pub fn new(threads: usize) -> Self {
        Barrier {
            threads,
            arrived: AtomicUsize::new(0),
            generation: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
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
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.open();
            return;
        }
        for turn in 0..SPINS + YIELDS {
            if self.has_passed(generation) {
                return;
            }
            if turn < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        let mut sleepers = self.sleepers.lock().expect("nothing panics with the lock");
        while self.generation.load(Ordering::Acquire) == generation {
            sleepers = self.wake.wait(sleepers).expect("nothing panics with the lock");
        }
        drop(sleepers);
        self.has_passed(generation);
    }

    fn open(&self) {
        let _sleepers = self.sleepers.lock().expect("nothing panics with the lock");
        self.generation.fetch_add(1, Ordering::Release);
        self.wake.notify_all();
    }

    fn has_passed(&self, generation: usize) -> bool {
        let has_passed = self.generation.load(Ordering::Acquire) != generation;
        assert!(!(has_passed && self.broken.load(Ordering::Relaxed)), "another thread has panicked");
        has_passed
    }
}

/// See [`Barrier::guard`].
#[derive(Debug)]
pub struct Guard<'a>(&'a Barrier);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
            self.0.open();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_releases_those_who_wait() {
        let barrier = Barrier::new(2);
        let results = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| barrier.wait());
            let panicking = scope.spawn(|| {
                let _guard = barrier.guard();
                panic!("as the test wants it");
            });
            [waiting.join().is_err(), panicking.join().is_err()]
        });
        assert_eq!(results, [true, true]);
    }

    #[test]
    fn nobody_runs_ahead() {
        const ROUNDS: usize = 2_000;
        let (barrier, arrivals) = (Barrier::new(3), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=ROUNDS {
                        arrivals.fetch_add(1, Ordering::SeqCst);
                        barrier.wait();
                        assert!(arrivals.load(Ordering::SeqCst) >= 3 * round);
                        barrier.wait();
                        assert!(arrivals.load(Ordering::SeqCst) <= 3 * round + 2);
                    }
                });
            }
        });
    }
}
