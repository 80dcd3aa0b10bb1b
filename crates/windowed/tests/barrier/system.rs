//! The barrier with the system's threads.

#[path = "../../src/barrier.rs"]
mod barrier;
#[path = "../../src/sync.rs"]
mod sync;

use barrier::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_panic_releases_waiting_threads() {
    let barrier = Barrier::new(2);
    let results = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| barrier.wait());
        let panicking = scope.spawn(|| {
            let _guard = barrier.guard();
            panic!("a panic, as the test needs it");
        });
        [waiting.join().is_err(), panicking.join().is_err()]
    });
    assert_eq!(results, [true, true]);
}

#[test]
fn a_thread_that_arrives_after_a_panic_does_not_wait() {
    let barrier = Barrier::new(2);
    let panic_in_a_thread = |wait: bool| {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let _guard = barrier.guard();
                assert!(wait, "a panic, as the test needs it");
                barrier.wait();
            });
            thread.join().is_err()
        })
    };
    assert!(panic_in_a_thread(false));
    assert!(panic_in_a_thread(true));
}

#[test]
fn no_thread_runs_ahead() {
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
