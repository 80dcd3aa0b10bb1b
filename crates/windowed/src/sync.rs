//! The primitives of the barrier. Its model (`tests/barrier.rs`) replaces this module by the model checker's
//! primitives.

pub use base::yields::Yields;
pub use std::hint::spin_loop;
pub use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
pub use std::sync::{Condvar, Mutex};
pub use std::thread::panicking;

/// Number of checks of the generation before a thread yields its core.
pub const SPINS: u32 = 500;
/// Number of yields before a thread sleeps.
pub const YIELDS: u32 = 20;
/// Number of waits without yields after a long yield.
pub const PAUSE: usize = 1000;
