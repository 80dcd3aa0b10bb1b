//! Where clocks get the time of the rank.

use crate::library::library;
use rank_wire::process::VARIABLE;
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// The time of the rank: of this library, or of another one of the process.
#[repr(C)]
#[derive(Debug)]
pub struct Source {
    /// The simulated time in seconds, of which a second look without a call between costs one. Below 0 before `MPI_Init`;
    /// not a number where the clocks are the host's.
    look: extern "C" fn() -> f64,
    /// The time as far as it is known.
    known: extern "C" fn() -> f64,
    /// Lets a time pass, if the thread that calls MPI wants it; returns whether it does.
    pass: extern "C" fn(f64) -> bool,
    /// Whether the thread calls MPI.
    calls_mpi: extern "C" fn() -> bool,
}

static OWN: Source =
    Source { look: look_here, known: known_here, pass: pass_here, calls_mpi: calls_mpi_here };

/// The source that another library has shared; the own one if it is null.
static SHARED: AtomicPtr<Source> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    /// Whether this thread calls MPI.
    static CALLS_MPI: Cell<bool> = const { Cell::new(false) };
}

/// Lets this thread see the time of the rank exactly.
pub(crate) fn begin() {
    CALLS_MPI.set(true);
}

/// Whether this thread calls MPI.
pub(crate) fn calls_mpi() -> bool {
    CALLS_MPI.get()
}

extern "C" fn calls_mpi_here() -> bool {
    calls_mpi()
}

extern "C" fn look_here() -> f64 {
    library().seconds(CALLS_MPI.get())
}

extern "C" fn known_here() -> f64 {
    library().known_seconds()
}

extern "C" fn pass_here(seconds: f64) -> bool {
    CALLS_MPI.get() && library().compute(seconds)
}

/// The name of [`take_time_from`], as a library of clocks exports it.
const TAKES: &std::ffi::CStr = c"torusim_take_time_from";

/// Shares the time of this library with a library of clocks, if one has been loaded.
pub fn share() {
    // SAFETY: the name ends with a null byte.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, TAKES.as_ptr()) };
    if !found.is_null() {
        // SAFETY: a function of this name has this type.
        let take = unsafe { std::mem::transmute::<*mut libc::c_void, extern "C" fn(&'static Source)>(found) };
        take(&OWN);
    }
}

/// Takes the time from another library, from now on.
pub fn take_time_from(source: &'static Source) {
    SHARED.store(std::ptr::from_ref(source).cast_mut(), Ordering::Release);
}

fn source() -> &'static Source {
    let shared = SHARED.load(Ordering::Acquire);
    // SAFETY: it is null, or a source that lives as long as the process.
    unsafe { shared.as_ref() }.unwrap_or(&OWN)
}

/// Looks at a clock before `MPI_Init`.
static LOOKS: AtomicU64 = AtomicU64::new(0);

/// Before `MPI_Init`, looks take a microsecond each, from one second before the beginning on.
fn before_the_beginning(looks: u64) -> Option<f64> {
    static IS_OF_A_RUN: OnceLock<bool> = OnceLock::new();
    let is_of_a_run = *IS_OF_A_RUN.get_or_init(|| std::env::var_os(VARIABLE).is_some());
    is_of_a_run.then(|| (looks as f64 / 1e6 - 1.0).min(0.0))
}

thread_local! {
    /// The time that a thread that does not call MPI has seen.
    static SEEN: Cell<f64> = const { Cell::new(0.0) };
}

/// What a look takes in a thread that does not call MPI, in seconds.
const LOOK: f64 = 1e-6;

/// The time of a thread: one that does not call MPI sees that of the rank's last call, unless time has passed for it by
/// its own sleeps and looks. It may be the one for which the rank waits.
fn of_thread(seconds: f64, passes: f64) -> f64 {
    if (source().calls_mpi)() {
        return seconds;
    }
    let now = seconds.max(SEEN.get()) + passes;
    SEEN.set(now);
    now
}

/// Whether this thread sees the time of the rank exactly, by looks that may cost a call.
pub(super) fn is_exact() -> bool {
    (source().calls_mpi)() && (source().known)() >= 0.0
}

/// The simulated time in seconds, as a program that looks at a clock sees it; none where the clocks are the host's.
pub(super) fn look() -> Option<f64> {
    match (source().look)() {
        seconds if seconds >= 0.0 => Some(of_thread(seconds, LOOK)),
        seconds if seconds < 0.0 => before_the_beginning(LOOKS.fetch_add(1, Ordering::Relaxed)),
        _ => None,
    }
}

/// The simulated time in seconds, as far as it is known; none where the clocks are the host's.
pub(super) fn known() -> Option<f64> {
    match (source().known)() {
        seconds if seconds >= 0.0 => Some(of_thread(seconds, 0.0)),
        seconds if seconds < 0.0 => before_the_beginning(LOOKS.load(Ordering::Relaxed)),
        _ => None,
    }
}

/// Lets a time pass in the simulation, if this is the thread that calls MPI; returns whether it does.
pub(super) fn pass(seconds: f64) -> bool {
    (source().pass)(seconds)
}

/// Notes that the thread has waited for a time on the host.
pub(super) fn has_waited(seconds: f64) {
    if !pass(seconds) {
        let now = (source().known)();
        if now >= 0.0 && !(source().calls_mpi)() {
            of_thread(now, seconds);
        }
    }
}
