//! The primitives of the barrier. Its model (`tests/barrier.rs`) replaces this module by the model checker's
//! primitives.

pub use std::hint::spin_loop;
pub use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
pub use std::sync::{Condvar, Mutex};
pub use std::thread::panicking;
use std::thread::yield_now;
use std::time::{Duration, Instant};

/// Number of checks of the generation before a thread yields its core.
pub const SPINS: u32 = 500;
/// Number of yields before a thread sleeps.
const YIELDS: u32 = 20;
/// The longest yield after which another one is tried. A longer one gave the core to another program, for a time slice
/// of milliseconds. Each further yield would wait as long. A thread that sleeps gets a core back when it is woken.
const LONGEST_YIELD: Duration = Duration::from_micros(500);
/// Number of waits without yields after a long yield.
const WAITS_WITHOUT: usize = 1000;

/// Yields of the core while another thread is expected in a moment; none on a busy host.
#[derive(Debug, Default)]
pub struct Yields {
    /// Number of waits that still go without yields. It is relaxed, and approximate where threads change it together:
    /// results do not depend on it.
    waits_without: AtomicUsize,
}

impl Yields {
    /// Yields until a condition holds, and returns whether it does.
    pub fn until(&self, holds: impl Fn() -> bool) -> bool {
        let waits_without = self.waits_without.load(Ordering::Relaxed);
        if waits_without > 0 {
            self.waits_without.store(waits_without - 1, Ordering::Relaxed);
            return holds();
        }
        for _ in 0..YIELDS {
            let start = Instant::now();
            yield_now();
            if start.elapsed() > LONGEST_YIELD {
                self.waits_without.store(WAITS_WITHOUT, Ordering::Relaxed);
                break;
            }
            if holds() {
                return true;
            }
        }
        holds()
    }
}
