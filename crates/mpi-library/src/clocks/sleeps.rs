//! Sleeps: those of the thread that calls MPI are computation, and take no time of the host. Before `MPI_Init` they take
//! none at all. Other threads sleep on the host.
//!
//! A program that the rank has started runs in the host's time. A rank that asks whether it has ended, and sleeps, and
//! asks again, as Python's `subprocess` does, would find its own time over before the other one has begun.

use super::source::{has_waited, known, pass};
use super::{beginning, seconds_from, timespec_of};
use libc::{clockid_t, timespec};
use std::ffi::{c_int, c_uint};

/// The longest sleep on the host for a program that the rank has started, in seconds: how often Python asks for its end.
const LONGEST_FOR_CHILD: f64 = 0.05;

/// Computes for a time; returns whether the sleep has passed by it.
pub(super) fn has_slept(seconds: f64) -> bool {
    let has_passed = pass(seconds) || known().is_some_and(|now| now < 0.0);
    if has_passed && has_running_child() {
        let time = timespec_of(0, seconds.min(LONGEST_FOR_CHILD));
        // SAFETY: the address is that of a time.
        unsafe { host_nanosleep(libc::CLOCK_MONOTONIC, 0, &raw const time, std::ptr::null_mut()) };
    }
    has_passed
}

/// Whether a program that this rank has started is running, and none has ended that the rank has not asked for.
fn has_running_child() -> bool {
    // SAFETY: a description of zeros is one of no child.
    let mut ended: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let ask = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: there is room for the description, in which the call leaves a child's number, or zero.
    unsafe { libc::waitid(libc::P_ALL, 0, &raw mut ended, ask) == 0 && ended.si_pid() == 0 }
}

/// `nanosleep`.
///
/// # Safety
/// As that of C: the addresses are those of times, the second one may be null.
pub unsafe fn nanosleep(time: *const timespec, left: *mut timespec) -> c_int {
    // SAFETY: the caller says so.
    let seconds = unsafe { time.as_ref() }.map_or(0.0, |time| seconds_from(0, time));
    if has_slept(seconds) {
        return 0;
    }
    // SAFETY: a plain system call; its error is in errno.
    let result = unsafe { libc::syscall(libc::SYS_nanosleep, time, left) as c_int };
    has_waited(if result == 0 { seconds } else { 0.0 });
    result
}

/// `clock_nanosleep`, which returns its error.
///
/// # Safety
/// As that of C: the addresses are those of times, the second one may be null.
pub unsafe fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    time: *const timespec,
    left: *mut timespec,
) -> c_int {
    // SAFETY: the caller says so.
    let given = unsafe { time.as_ref() };
    let Some((beginning, now, given)) = beginning(clock).zip(known()).zip(given).map(|((a, b), c)| (a, b, c))
    else {
        // SAFETY: the caller says so.
        return unsafe { host_nanosleep(clock, flags, time, left) };
    };
    let is_absolute = flags & libc::TIMER_ABSTIME != 0;
    let until = if is_absolute { seconds_from(beginning, given) - now } else { seconds_from(0, given) };
    let seconds = until.max(0.0);
    if has_slept(seconds) {
        return 0;
    }
    // Another thread: the simulated time until which it sleeps means nothing to the host.
    let time = timespec_of(0, seconds);
    let left = if is_absolute { std::ptr::null_mut() } else { left };
    // SAFETY: the addresses are those of times.
    let result = unsafe { host_nanosleep(libc::CLOCK_MONOTONIC, 0, &raw const time, left) };
    has_waited(if result == 0 { seconds } else { 0.0 });
    result
}

unsafe fn host_nanosleep(
    clock: clockid_t,
    flags: c_int,
    time: *const timespec,
    left: *mut timespec,
) -> c_int {
    // SAFETY: a plain system call.
    let result = unsafe { libc::syscall(libc::SYS_clock_nanosleep, clock, flags, time, left) };
    if result == 0 { 0 } else { std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL) }
}

/// `usleep`.
pub fn usleep(microseconds: c_uint) -> c_int {
    let (tv_sec, tv_nsec) =
        (i64::from(microseconds / 1_000_000), i64::from(microseconds % 1_000_000) * 1_000);
    // SAFETY: the address is that of a time.
    unsafe { nanosleep(&timespec { tv_sec, tv_nsec }, std::ptr::null_mut()) }
}

/// `sleep`, which returns the seconds that are left.
pub fn sleep(seconds: c_uint) -> c_uint {
    let mut left = timespec { tv_sec: 0, tv_nsec: 0 };
    let time = timespec { tv_sec: seconds.into(), tv_nsec: 0 };
    // SAFETY: the addresses are those of times.
    if unsafe { nanosleep(&raw const time, &raw mut left) } == 0 { 0 } else { left.tv_sec as c_uint }
}
