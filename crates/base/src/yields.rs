//! Waits for something that another thread or process does in a moment: they yield the core, unless the host is busy.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::yield_now;
use std::time::{Duration, Instant};

/// The longest yield after which another one is tried. A longer one gave the core to another program, for a time slice
/// of milliseconds. Each further yield would wait as long. A thread that sleeps gets a core back when it is woken.
const LONGEST_YIELD: Duration = Duration::from_micros(500);

/// Yields of the core; none on a busy host.
#[derive(Debug)]
pub struct Yields {
    /// Number of yields in a wait.
    most: u32,
    /// Number of waits without yields after a long yield.
    pause: usize,
    /// Number of waits that still go without yields. It is relaxed, and approximate where threads change it together:
    /// results do not depend on it.
    waits_without: AtomicUsize,
}

impl Yields {
    /// At most as many yields in a wait, and `pause` waits without after one that took long.
    pub fn new(most: u32, pause: usize) -> Self {
        Yields { most, pause, waits_without: AtomicUsize::new(0) }
    }

    /// Yields until a condition holds, and returns whether it does.
    pub fn until(&self, mut holds: impl FnMut() -> bool) -> bool {
        let waits_without = self.waits_without.load(Ordering::Relaxed);
        if waits_without > 0 {
            self.waits_without.store(waits_without - 1, Ordering::Relaxed);
            return holds();
        }
        for _ in 0..self.most {
            let start = Instant::now();
            yield_now();
            if start.elapsed() > LONGEST_YIELD {
                self.waits_without.store(self.pause, Ordering::Relaxed);
                break;
            }
            if holds() {
                return true;
            }
        }
        holds()
    }
}
