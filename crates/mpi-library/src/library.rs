//! The connection of the process with the simulator, and how far its program is.

use crate::abi::{IntegerKind, Runtime};
use crate::computing::Computation;
use crate::constants as c;
use crate::error::{Error, Outcome};
use crate::link::{self, Link};
use crate::of_process::OfProcess;
use rank_wire::Memory;
use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::sync::Arc;

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
    calls_before: Cell::new(0),
    link: RefCell::new(None),
    memory: OnceCell::new(),
    computation: Computation::new(),
    rank: Cell::new(0),
});

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
                let link = RefMut::filter_map(self.connection(), Option::as_mut);
                return link.map_err(|_| Error::new(c::ERR_INTERN, "the rank is not connected"));
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
    pub fn connection(&self) -> RefMut<'_, Option<Link>> {
        self.link.try_borrow_mut().unwrap_or_else(|_| self.refuse_thread())
    }

    /// Ends the process: another thread uses the connection, and waits for the simulator.
    fn refuse_thread(&self) -> ! {
        eprintln!(
            "torusim: rank {} calls {} while another of its threads is in a call of MPI: torusim has \
             MPI_THREAD_FUNNELED, and one thread makes all calls",
            self.rank.get(),
            self.function.get()
        );
        // SAFETY: a plain system call, which runs nothing that the program has registered for its end.
        unsafe { libc::_exit(1) }
    }

    /// Notes a call; returns the function that makes it, by one of the program's own that MPI has called.
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
            link.seconds();
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
            && let Some(link) = &mut *self.connection()
        {
            link.fail(Runtime::raw_integer(error.code, IntegerKind::Error), &words);
        }
        eprintln!("{words}");
        std::process::exit(1);
    }
}
