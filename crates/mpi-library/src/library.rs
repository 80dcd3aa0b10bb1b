//! The connection of the process with the simulator, and how far its program is.

use crate::abi::{IntegerKind, Runtime};
use crate::clocks;
use crate::computing::Computation;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::link::{self, Link};
use crate::of_process::OfProcess;
use rank_wire::Memory;
use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far the program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Before `MPI_Init`.
    Before,
    /// Between `MPI_Init` and `MPI_Finalize`.
    Running,
    /// After `MPI_Finalize`.
    Finalized,
    /// In a process that the program has forked off a rank.
    Forked,
}

/// The state of the library.
#[derive(Debug)]
pub(crate) struct Library {
    pub stage: Cell<Stage>,
    /// How far it is with `MPI_Init` and `MPI_Finalize`: a program that uses sessions may call neither.
    pub world: Cell<Stage>,
    /// The function that the program has called last, and the number of its calls.
    pub function: Cell<&'static str>,
    calls: Cell<u64>,
    /// Whether a function runs.
    is_inside: AtomicBool,
    /// Calls before the process became a rank.
    calls_before: Cell<u64>,
    link: RefCell<Option<Link>>,
    memory: OnceCell<Arc<Memory>>,
    pub computation: Computation,
    rank: Cell<u32>,
}

static LIBRARY: OfProcess<Library> = OfProcess::new(Library {
    stage: Cell::new(Stage::Before),
    world: Cell::new(Stage::Before),
    function: Cell::new(""),
    calls: Cell::new(0),
    is_inside: AtomicBool::new(false),
    calls_before: Cell::new(0),
    link: RefCell::new(None),
    memory: OnceCell::new(),
    computation: Computation::new(),
    rank: Cell::new(0),
});

/// Ends the process at a function that is called while another one runs, whose changes are half done. A signal may have
/// interrupted any function of C: this allocates and locks nothing.
fn refuse(name: &str, running: &str) -> ! {
    let why =
        ", by another thread or after a signal: MPI_THREAD_FUNNELED lets a program make one call at a time\n";
    for part in [name, ": it is called while ", running, " runs", why] {
        // SAFETY: the address is that of the text.
        unsafe { libc::write(2, part.as_ptr().cast(), part.len()) };
    }
    // SAFETY: a plain system call, which runs nothing that the program has registered for its end.
    unsafe { libc::_exit(1) }
}

/// The library of this process.
pub(crate) fn library() -> &'static Library {
    &LIBRARY
}

impl Library {
    /// Connects the process with the simulator, as a rank.
    pub fn connect(&self, link: Link) {
        self.rank.set(link.rank);
        let memory = self.memory.get_or_init(|| link.memory().clone());
        memory.slot(link.rank).note_call(self.function.get(), self.calls.get());
        self.computation.begin(link.memory(), link.rank);
        *self.link.borrow_mut() = Some(link);
        self.calls_before.set(self.calls.get());
        self.stage.set(Stage::Running);
    }

    /// The connection with the simulator.
    ///
    /// # Errors
    /// Before `MPI_Init`, and after `MPI_Finalize`.
    pub fn link(&self) -> Outcome<RefMut<'_, Link>> {
        let why = match self.stage.get() {
            Stage::Running => {
                let link = self.link.try_borrow_mut().ok();
                let link = link.and_then(|link| RefMut::filter_map(link, Option::as_mut).ok());
                return link.ok_or_else(|| Error::new(c::ERR_INTERN, "it is called while a clock is read"));
            }
            Stage::Before => "it is called before MPI_Init",
            Stage::Finalized => "it is called after MPI_Finalize",
            Stage::Forked => "a process that a rank has forked off calls it, and is no rank",
        };
        Err(Error::new(c::ERR_OTHER, why))
    }

    /// The rank, once the process is one.
    pub fn rank(&self) -> u32 {
        self.rank.get()
    }

    /// The memory of all ranks.
    ///
    /// # Errors
    /// Before `MPI_Init`.
    pub fn memory(&self) -> Outcome<&Memory> {
        let memory = self.memory.get().map(|memory| &**memory);
        memory.ok_or_else(|| Error::new(c::ERR_OTHER, "it is called before MPI_Init"))
    }

    /// The connection with the simulator, also after `MPI_Finalize`: its clock.
    pub fn connection(&self) -> Option<RefMut<'_, Link>> {
        RefMut::filter_map(self.link.try_borrow_mut().ok()?, Option::as_mut).ok()
    }

    /// Begins a call; returns the function that makes it, by one of the program's own that MPI has called.
    pub fn begin(&self, name: &'static str) -> &'static str {
        if self.is_inside.swap(true, Ordering::AcqRel) {
            refuse(name, self.function.get());
        }
        self.enter(name)
    }

    /// Ends a call that a function has made.
    pub fn end(&self, outer: &'static str) {
        self.function.set(outer);
        self.is_inside.store(false, Ordering::Release);
    }

    /// Whether a function runs: the one that has called this, or one that another thread or a signal has interrupted.
    pub fn is_inside(&self) -> bool {
        self.is_inside.load(Ordering::Acquire)
    }

    /// Runs a function of the program, which may call MPI.
    pub fn outside<T>(&self, function: impl FnOnce() -> T) -> T {
        let was_inside = self.is_inside.swap(false, Ordering::AcqRel);
        let value = function();
        self.is_inside.store(was_inside, Ordering::Release);
        value
    }

    /// Makes this process one that a rank has forked off; returns how far the rank is.
    pub fn leave(&self) -> Stage {
        self.is_inside.store(false, Ordering::Release);
        self.stage.replace(Stage::Forked)
    }

    /// Notes a call; returns the function that makes it.
    pub fn enter(&self, name: &'static str) -> &'static str {
        self.calls.set(self.calls.get() + 1);
        if let Some(memory) = self.memory.get().filter(|_| self.stage.get() != Stage::Forked) {
            memory.slot(self.rank.get()).note_call(name, self.calls.get());
        }
        if self.stage.get() == Stage::Running
            && let Ok(mut link) = self.link.try_borrow_mut()
            && let Some(link) = &mut *link
            && let Err(error) =
                self.computation.before_call(link, self.calls.get() - self.calls_before.get(), name)
        {
            let words = format!("{name} (call {}): {}", self.calls.get(), error.words);
            link.fail(error.code, &words);
        }
        self.function.replace(name)
    }

    /// The simulated time in seconds, as the clocks of [`Source`](crate::clocks::Source) have it. The thread that calls
    /// MPI asks for it; others get that of its last call.
    pub fn seconds(&self, calls_mpi: bool) -> f64 {
        if calls_mpi
            && self.stage.get() == Stage::Running
            && let Ok(mut link) = self.link.try_borrow_mut()
            && let Some(link) = &mut *link
        {
            if clocks::is_python() {
                link.seconds_in_python();
            } else {
                link.seconds();
            }
        }
        self.known_seconds()
    }

    /// The simulated time in seconds as far as it is known, for any thread.
    pub fn known_seconds(&self) -> f64 {
        match self.stage.get() {
            Stage::Before => -1.0,
            Stage::Running | Stage::Finalized => link::noted_seconds(),
            Stage::Forked => f64::NAN,
        }
    }

    /// Computes for a time, if the process is a rank; returns whether it is.
    pub fn compute(&self, seconds: f64) -> bool {
        let mut link = self.link.try_borrow_mut().ok();
        match link.as_mut().and_then(|link| link.as_mut()).filter(|_| self.stage.get() == Stage::Running) {
            Some(link) => {
                link.compute(seconds);
                true
            }
            None => false,
        }
    }

    /// An error of the function that the program has called, in words.
    pub fn in_words(&self, error: &Error) -> String {
        format!("{} (call {}): {}", self.function.get(), self.calls.get(), error.words)
    }

    /// Ends the program with an error.
    pub fn fail(&self, error: &Error) -> ! {
        let words = self.in_words(error);
        if self.stage.get() == Stage::Running
            && let Some(mut link) = self.connection()
        {
            link.fail(Runtime::raw_integer(error.code, IntegerKind::Error), &words);
        }
        eprintln!("{words}");
        std::process::exit(1);
    }
}
