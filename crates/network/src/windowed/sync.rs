//! The primitives of the barrier. Its model (`tests/barrier.rs`) replaces this module by one of the model checker's.

pub use std::hint::spin_loop;
pub use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
pub use std::sync::{Condvar, Mutex};
pub use std::thread::{panicking, yield_now};

/// Checks of the generation before a thread yields its core.
pub const SPINS: u32 = 500;
/// Yields before it sleeps.
pub const YIELDS: u32 = 20;
