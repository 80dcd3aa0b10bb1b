//! A barrier that spins briefly and then yields: pure spinning collapses on a busy machine.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Turns of the loop before a thread gives its core to another, where every thread can have a core of its own.
const SPINS: u32 = 500;

/// Threads wait here for one another.
#[derive(Debug)]
pub struct Barrier {
    threads: usize,
    spins: u32,
    arrived: AtomicUsize,
    generation: AtomicUsize,
}

impl Barrier {
    /// A barrier for so many threads.
    pub fn new(threads: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let spins = if threads <= cores { SPINS } else { 0 };
        Barrier { threads, spins, arrived: AtomicUsize::new(0), generation: AtomicUsize::new(0) }
    }

    /// Returns when all threads have called it as often as this one.
    pub fn wait(&self) {
        let generation = self.generation.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.generation.store(generation.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut spins = 0;
        while self.generation.load(Ordering::Acquire) == generation {
            if spins < self.spins {
                spins += 1;
                std::hint::spin_loop();
            } else {
                std::thread::yield_now()
            }
        }
    }
}
