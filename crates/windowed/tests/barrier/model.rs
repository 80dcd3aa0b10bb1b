//! All interleavings of a few threads, by loom.

mod sync {
    pub use loom::hint::spin_loop;
    pub use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    pub use loom::sync::{Condvar, Mutex};
    pub use std::thread::panicking;

    // Each check adds interleavings; one of a kind shows all that many would.
    pub const SPINS: u32 = 1;
    pub const YIELDS: u32 = 1;
    pub const PAUSE: usize = 1;

    #[derive(Debug)]
    pub struct Yields {}

    impl Yields {
        pub fn new(_: u32, _: usize) -> Self {
            Yields {}
        }

        pub fn until(&self, _: impl Fn() -> bool) -> bool {
            false
        }
    }
}
#[path = "../../src/barrier.rs"]
mod barrier;

use barrier::Barrier;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};

/// Lets threads meet `rounds` times; each checks that all have arrived before it goes on. A lost wake-up is a deadlock,
/// which loom reports.
fn meet(threads: usize, rounds: usize, preemptions: Option<usize>) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = preemptions;
    model.check(move || {
        let barrier = Arc::new(Barrier::new(threads));
        let arrivals = Arc::new(AtomicUsize::new(0));
        let run = move |barrier: Arc<Barrier>, arrivals: Arc<AtomicUsize>| {
            for round in 1..=rounds {
                // Relaxed: the barrier alone has to order it.
                arrivals.fetch_add(1, Ordering::Relaxed);
                barrier.wait();
                assert!(arrivals.load(Ordering::Relaxed) >= threads * round);
            }
        };
        let others: Vec<_> = (1..threads)
            .map(|_| {
                let (barrier, arrivals) = (barrier.clone(), arrivals.clone());
                loom::thread::spawn(move || run(barrier, arrivals))
            })
            .collect();
        run(barrier, arrivals);
        others.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn two_threads_meet_in_every_interleaving() {
    meet(2, 2, None);
}

#[test]
fn three_threads_meet_in_every_interleaving_with_one_preemption() {
    meet(3, 2, Some(1));
}

#[test]
#[ignore = "half a minute"]
fn three_threads_meet_in_every_interleaving_with_two_preemptions() {
    meet(3, 2, Some(2));
}
