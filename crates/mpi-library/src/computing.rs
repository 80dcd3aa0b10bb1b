//! The time that a program computes between two calls, as the user wants it simulated.
//!
//! ```text
//!   none       calls and sleeping take time                            replay    as an earlier run has measured
//!   measured   the processor time of the thread, times a factor
//! ```
//!
//! Reading the clock of the thread takes time itself, twice for each call. Its median is subtracted.

use crate::error::{Error, Outcome};
use crate::{constants as c, link::Link};
use rank_wire::{Computing, Memory};
use std::cell::{Cell, OnceCell};

/// How the rank computes.
#[derive(Debug)]
pub(crate) struct Computation {
    mode: Cell<Computing>,
    scale: Cell<f64>,
    /// The processor time at which the last call has ended, in nanoseconds.
    since: Cell<u64>,
    /// The time of one look at the clock, in nanoseconds.
    look: Cell<u64>,
    /// For each call of the earlier run, the hash of its name, and the nanoseconds before it.
    replayed: OnceCell<Vec<[u64; 2]>>,
}

impl Computation {
    pub const fn new() -> Self {
        let (mode, scale) = (Cell::new(Computing::None), Cell::new(1.0));
        let (since, look) = (Cell::new(0), Cell::new(0));
        Computation { mode, scale, since, look, replayed: OnceCell::new() }
    }

    /// Begins with the settings of the run.
    pub fn begin(&self, memory: &Memory, rank: u32) {
        let (mode, scale) = memory.computing();
        self.mode.set(mode);
        self.scale.set(scale);
        match mode {
            Computing::None => {}
            Computing::Measured => self.look.set(median_of_looks()),
            Computing::Replayed => {
                let words = memory.replayed(rank).unwrap_or_default();
                self.replayed.get_or_init(|| words.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect());
            }
        }
        self.since.set(processor_time());
    }

    /// Computes before a call, the `number`-th of the program.
    pub fn before_call(&self, link: &mut Link, number: u64, name: &str) -> Outcome {
        let nanoseconds = match self.mode.get() {
            Computing::None => return Ok(()),
            Computing::Measured => processor_time().saturating_sub(self.since.get() + 2 * self.look.get()),
            Computing::Replayed => self.replayed_before(number, name)?,
        };
        link.measured(nanoseconds, self.scale.get(), number, hash(name));
        Ok(())
    }

    fn replayed_before(&self, number: u64, name: &str) -> Outcome<u64> {
        let recorded = self.replayed.get().and_then(|calls| calls.get(number as usize - 1));
        match recorded {
            Some([kind, nanoseconds]) if *kind == hash(name) => Ok(*nanoseconds),
            Some(_) => {
                Err(Error::new(c::ERR_OTHER, "the recording of computing times has another call here"))
            }
            None => Err(Error::new(c::ERR_OTHER, "the recording of computing times has fewer calls")),
        }
    }

    /// Ends a call: what follows is computation.
    pub fn after_call(&self) {
        if self.mode.get() == Computing::Measured {
            self.since.set(processor_time());
        }
    }
}

/// A hash of a name, by which recordings know calls (FNV-1a).
fn hash(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The processor time of this thread in nanoseconds.
fn processor_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a plain system call, with room for the time. The function of that name is the library's own.
    unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn median_of_looks() -> u64 {
    let mut looks: Vec<u64> = (0..1_000)
        .map(|_| {
            let before = processor_time();
            processor_time() - before
        })
        .collect();
    looks.sort_unstable();
    looks[looks.len() / 2] / 2
}
