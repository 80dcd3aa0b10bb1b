//! The clocks of the host that a program reads: those of a rank show simulated time, from a fixed date on.
//!
//! ```text
//!   before MPI_Init        a date, and a microsecond for each look, so that who waits for time to pass gets on
//!   a rank                 the date + simulated time
//!   all other processes    the clocks of the host
//! ```
//!
//! The exports replace those of C's library, which comes later in the order in which the loader looks for a name. Clocks
//! of processor time are the host's. Sleeping is computation.

use crate::library::library;
use rank_wire::process::VARIABLE;
use std::cell::Cell;
use std::ffi::{c_int, c_long, c_uint, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The date at the beginning of a run, in seconds of Unix: 1 January 2026. It is always the same, so that a program that
/// takes its random numbers from the time repeats.
const BEGINNING: f64 = 1_767_225_600.0;

/// Looks at a clock before `MPI_Init`.
static LOOKS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Whether this thread calls MPI.
    static CALLS_MPI: Cell<bool> = const { Cell::new(false) };
}

/// Lets this thread see the time of the rank exactly. Others see that of its last call.
pub(crate) fn begin() {
    CALLS_MPI.set(true);
}

fn is_of_a_run() -> bool {
    static IS_OF_A_RUN: OnceLock<bool> = OnceLock::new();
    *IS_OF_A_RUN.get_or_init(|| std::env::var_os(VARIABLE).is_some())
}

/// The simulated date in seconds; none where the clocks are the host's.
fn date() -> Option<f64> {
    if let Some(seconds) = library().seconds(CALLS_MPI.get()) {
        return Some(BEGINNING + seconds);
    }
    let has_begun = library().has_begun();
    (is_of_a_run() && !has_begun)
        .then(|| BEGINNING - 1.0 + LOOKS.fetch_add(1, Ordering::Relaxed) as f64 / 1e6)
}

/// Computes for a time, if this process is a rank.
fn slept(seconds: f64) -> bool {
    CALLS_MPI.get() && library().compute(seconds) || is_of_a_run() && !library().has_begun()
}

fn timespec(seconds: f64) -> libc::timespec {
    let whole = seconds.floor();
    let nanoseconds = ((seconds - whole) * 1e9).round().min(999_999_999.0);
    libc::timespec { tv_sec: whole as libc::time_t, tv_nsec: nanoseconds as c_long }
}

fn seconds_of(time: &libc::timespec) -> f64 {
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Whether a clock shows time, and not the work of processors.
fn shows_time(clock: libc::clockid_t) -> bool {
    matches!(
        clock,
        libc::CLOCK_REALTIME
            | libc::CLOCK_MONOTONIC
            | libc::CLOCK_MONOTONIC_RAW
            | libc::CLOCK_REALTIME_COARSE
            | libc::CLOCK_MONOTONIC_COARSE
            | libc::CLOCK_BOOTTIME
    )
}

/// `clock_gettime`.
///
/// # Safety
/// As that of C: there is room for a time.
pub unsafe fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> c_int {
    match shows_time(clock).then(date).flatten() {
        // SAFETY: the caller says so.
        Some(seconds) if !time.is_null() => unsafe { time.write(timespec(seconds)) },
        // SAFETY: a plain system call.
        _ => return unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int },
    }
    0
}

/// `gettimeofday`.
///
/// # Safety
/// As that of C: there is room for a time, and for a time zone if one is given.
pub unsafe fn gettimeofday(time: *mut libc::timeval, zone: *mut c_void) -> c_int {
    match date() {
        Some(seconds) if !time.is_null() && zone.is_null() => {
            let time_of = timespec(seconds);
            let value = libc::timeval { tv_sec: time_of.tv_sec, tv_usec: time_of.tv_nsec / 1_000 };
            // SAFETY: the caller says so.
            unsafe { time.write(value) };
            0
        }
        // SAFETY: a plain system call.
        _ => unsafe { libc::syscall(libc::SYS_gettimeofday, time, zone) as c_int },
    }
}

/// `time`.
///
/// # Safety
/// As that of C: there is room for a time, if an address is given.
pub unsafe fn time(at: *mut libc::time_t) -> libc::time_t {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    unsafe { clock_gettime(libc::CLOCK_REALTIME, &raw mut now) };
    if !at.is_null() {
        // SAFETY: the caller says so.
        unsafe { at.write(now.tv_sec) };
    }
    now.tv_sec
}

/// `nanosleep`.
///
/// # Safety
/// As that of C: the addresses are those of times, the second one may be null.
pub unsafe fn nanosleep(time: *const libc::timespec, left: *mut libc::timespec) -> c_int {
    // SAFETY: the caller says so.
    match unsafe { time.as_ref() } {
        Some(time) if slept(seconds_of(time)) => 0,
        // SAFETY: a plain system call; its error is in errno.
        _ => unsafe { libc::syscall(libc::SYS_nanosleep, time, left) as c_int },
    }
}

/// `clock_nanosleep`, which returns its error.
///
/// # Safety
/// As that of C: the addresses are those of times, the second one may be null.
pub unsafe fn clock_nanosleep(
    clock: libc::clockid_t,
    flags: c_int,
    time: *const libc::timespec,
    left: *mut libc::timespec,
) -> c_int {
    // SAFETY: the caller says so.
    if let Some(time) = unsafe { time.as_ref() }
        && shows_time(clock)
    {
        let until = seconds_of(time);
        let seconds =
            if flags & libc::TIMER_ABSTIME == 0 { Some(until) } else { date().map(|now| until - now) };
        if seconds.is_some_and(|seconds| slept(seconds.max(0.0))) {
            return 0;
        }
    }
    // SAFETY: a plain system call.
    let result = unsafe { libc::syscall(libc::SYS_clock_nanosleep, clock, flags, time, left) };
    if result == 0 { 0 } else { std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL) }
}

/// `usleep`.
pub fn usleep(microseconds: c_uint) -> c_int {
    let (tv_sec, tv_nsec) =
        (i64::from(microseconds / 1_000_000), i64::from(microseconds % 1_000_000) * 1_000);
    // SAFETY: the address is that of a time.
    unsafe { nanosleep(&libc::timespec { tv_sec, tv_nsec }, std::ptr::null_mut()) }
}

/// `sleep`, which returns the seconds that are left.
pub fn sleep(seconds: c_uint) -> c_uint {
    let mut left = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let time = libc::timespec { tv_sec: seconds.into(), tv_nsec: 0 };
    // SAFETY: the addresses are those of times.
    if unsafe { nanosleep(&raw const time, &raw mut left) } == 0 { 0 } else { left.tv_sec as c_uint }
}

/// Exports the clocks.
#[macro_export]
macro_rules! export_clocks {
    () => {
        const _: () = {
            use core::ffi::{c_int, c_uint, c_void};
            use $crate::libc::{clockid_t, time_t, timespec, timeval};
            $crate::export_clocks! {
                clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int;
                gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int;
                time(at: *mut time_t) -> time_t;
                nanosleep(time: *const timespec, left: *mut timespec) -> c_int;
                clock_nanosleep(clock: clockid_t, flags: c_int, time: *const timespec, left: *mut timespec) -> c_int;
                usleep(microseconds: c_uint) -> c_int;
                sleep(seconds: c_uint) -> c_uint;
            }
        };
    };
    ($($name:ident($($parameter:ident: $type:ty),*) -> $value:ty;)+) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($parameter: $type),*) -> $value {
            #[allow(unused_unsafe, reason = "some of them are safe")]
            // SAFETY: the program passes what C's function needs.
            unsafe { $crate::clocks::$name($($parameter),*) }
        }
    )+};
}
