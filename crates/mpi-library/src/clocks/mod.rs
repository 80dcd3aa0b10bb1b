//! The clocks of the host that a program reads, and its waits: those of a rank are in simulated time.
//!
//! ```text
//!   before MPI_Init        a date, and a microsecond for each look, so that who waits for time to pass gets on
//!   a rank                 the date + simulated time
//!   all other processes    the clocks of the host
//!
//!   sleeping is computation                    (sleeps)
//!   a wait for a thread or a file takes the host's time; if nobody ends it, that time has passed in the simulation, too
//!                                              (waits)
//! ```
//!
//! The exports ([`export`]) replace those of C's library, which comes later in the order in which the loader looks for a
//! name. Clocks of processor time are the host's.
//!
//! A program that loads its MPI library when it is running, such as Python, has loaded C's library before. Then a library
//! with these exports alone is loaded first, whatever MPI library the program chooses, and the latter tells it the time
//! ([`Source`]).

mod export;
mod python;
mod sleeps;
mod source;
mod waits;

pub(crate) use python::is_python;
pub use sleeps::{clock_nanosleep, nanosleep, sleep, usleep};
pub use source::{Source, share, take_time_from};
pub(crate) use source::{begin, calls_mpi};
pub use waits::{
    epoll_pwait, epoll_wait, poll, ppoll, pselect, pthread_cond_clockwait, pthread_cond_timedwait, select,
    sem_clockwait, sem_timedwait,
};

use libc::{clockid_t, time_t, timespec, timeval};
use source::{is_exact, known, look};
use std::ffi::{c_int, c_long, c_void};

/// The date at the beginning of a run, in seconds of Unix: 1 January 2026. It is always the same, so that a program that
/// takes its random numbers from the time repeats.
const DATE: time_t = 1_767_225_600;

/// What the clocks that count from the start of the host show at the beginning of a run, in seconds. The host's show more:
/// a wait until such a time that is none of the exports ends at once, and not never.
const SINCE_START: time_t = 10;

const NANOSECONDS: c_long = 1_000_000_000;

/// What a clock shows at the beginning of a run; none for one of processor time.
fn beginning(clock: clockid_t) -> Option<time_t> {
    match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => Some(DATE),
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_BOOTTIME => Some(SINCE_START),
        _ => None,
    }
}

/// A number of seconds after a whole one.
fn timespec_of(whole: time_t, seconds: f64) -> timespec {
    let nanoseconds = (seconds.rem_euclid(1.0) * NANOSECONDS as f64).round() as c_long;
    timespec {
        tv_sec: whole + seconds.floor() as time_t + nanoseconds / NANOSECONDS,
        tv_nsec: nanoseconds % NANOSECONDS,
    }
}

/// The seconds from a whole one to a time.
fn seconds_from(whole: time_t, time: &timespec) -> f64 {
    (time.tv_sec - whole) as f64 + time.tv_nsec as f64 / NANOSECONDS as f64
}

/// The simulated time in seconds, as a look at a clock that counts from the start of the host shows it.
fn glance() -> Option<f64> {
    if is_exact() && python::acquires_a_lock() { known() } else { look() }
}

/// `clock_gettime`.
///
/// # Safety
/// As that of C: there is room for a time.
pub unsafe fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    let beginning = beginning(clock).filter(|_| !time.is_null());
    match beginning.and_then(|whole| Some((whole, if whole == SINCE_START { glance() } else { look() }?))) {
        Some((beginning, seconds)) => {
            // SAFETY: the caller says so.
            unsafe { time.write(timespec_of(beginning, seconds)) };
            0
        }
        // SAFETY: a plain system call.
        None => unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int },
    }
}

/// `gettimeofday`.
///
/// # Safety
/// As that of C: there is room for a time, and for a time zone if one is given.
pub unsafe fn gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int {
    let is_asked = !time.is_null() && zone.is_null();
    match is_asked.then(look).flatten() {
        Some(seconds) => {
            let now = timespec_of(DATE, seconds);
            // SAFETY: the caller says so.
            unsafe { time.write(timeval { tv_sec: now.tv_sec, tv_usec: now.tv_nsec / 1_000 }) };
            0
        }
        // SAFETY: a plain system call.
        None => unsafe { libc::syscall(libc::SYS_gettimeofday, time, zone) as c_int },
    }
}

/// `time`.
///
/// # Safety
/// As that of C: there is room for a time, if an address is given.
pub unsafe fn time(at: *mut time_t) -> time_t {
    let mut now = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    unsafe { clock_gettime(libc::CLOCK_REALTIME, &raw mut now) };
    if !at.is_null() {
        // SAFETY: the caller says so.
        unsafe { at.write(now.tv_sec) };
    }
    now.tv_sec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        for (seconds, expected) in [
            (0.0, (DATE, 0)),
            (1.234_567_891, (DATE + 1, 234_567_891)),
            (0.999_999_999_9, (DATE + 1, 0)),
            (-0.25, (DATE - 1, 750_000_000)),
        ] {
            let time = timespec_of(DATE, seconds);
            assert_eq!((time.tv_sec, time.tv_nsec), expected);
            assert!((seconds_from(DATE, &time) - seconds).abs() < 1e-9);
        }
    }

    #[test]
    fn outside_a_run_clocks_are_the_hosts() {
        let mut times = [timespec { tv_sec: 0, tv_nsec: 0 }; 2];
        // SAFETY: there is room for the times.
        unsafe {
            clock_gettime(libc::CLOCK_MONOTONIC, &raw mut times[0]);
            libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_MONOTONIC, &raw mut times[1]);
        }
        assert!((0.0..5.0).contains(&(seconds_from(0, &times[1]) - seconds_from(0, &times[0]))));
        assert_eq!((look(), known()), (None, None));
    }
}
