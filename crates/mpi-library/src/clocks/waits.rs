//! Waits for threads and files until a time: they wait on the host, as long as the program wants. Times until which they
//! wait are those of the simulated clocks, which mean nothing to the host. If nobody ends a wait of the thread that calls
//! MPI, its time has passed in the simulation, too.

use super::sleeps::has_slept;
use super::source::{has_waited, known};
use super::{NANOSECONDS, beginning, seconds_from, timespec_of};
use libc::{clockid_t, epoll_event, fd_set, nfds_t, pollfd, sigset_t, timespec, timeval};
use std::ffi::{CStr, c_int, c_long, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// A function of C's library, which an export replaces.
struct Replaced {
    name: &'static CStr,
    at: AtomicPtr<c_void>,
}

impl Replaced {
    const fn new(name: &'static CStr) -> Self {
        Replaced { name, at: AtomicPtr::new(std::ptr::null_mut()) }
    }

    fn get(&self) -> *mut c_void {
        let known = self.at.load(Ordering::Relaxed);
        if !known.is_null() {
            return known;
        }
        // Of a function with several versions, the newest one; the first one of `pthread_cond_timedwait` has another
        // form of conditions.
        const NEWEST: &CStr = if cfg!(target_arch = "x86_64") { c"GLIBC_2.3.2" } else { c"GLIBC_2.17" };
        // SAFETY: the names end with a null byte.
        let found = unsafe {
            let newest = libc::dlvsym(libc::RTLD_NEXT, self.name.as_ptr(), NEWEST.as_ptr());
            if newest.is_null() { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) } else { newest }
        };
        self.at.store(found, Ordering::Relaxed);
        found
    }
}

/// The function of C's library of the same name as an export.
macro_rules! replaced {
    ($name:ident: fn($($parameter:ty),*)) => {{
        static REPLACED: Replaced = Replaced::new(
            // SAFETY: the text ends with a null byte.
            unsafe { CStr::from_bytes_with_nul_unchecked(concat!(stringify!($name), "\0").as_bytes()) }
        );
        // SAFETY: C's function has this type.
        unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn($($parameter),*) -> c_int>>(REPLACED.get()) }
    }};
}

/// The host's time at which as many seconds have passed from now.
fn later(clock: clockid_t, seconds: f64) -> timespec {
    let mut now = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a plain system call, with room for the time.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, &raw mut now) };
    let wait = timespec_of(0, seconds);
    let nanoseconds = now.tv_nsec + wait.tv_nsec;
    timespec {
        tv_sec: now.tv_sec + wait.tv_sec + nanoseconds / NANOSECONDS,
        tv_nsec: nanoseconds % NANOSECONDS,
    }
}

/// The longest wait, in seconds: a century. Longer ones overflow the host's.
const LONGEST: f64 = 3e9;

/// Waits until a simulated time of a clock. `wait` does so until a time of the host, and `has_ended_late` says whether
/// its result is that nobody has ended the wait.
fn until(
    clock: clockid_t,
    deadline: *const timespec,
    has_ended_late: impl FnOnce(c_int) -> bool,
    wait: impl FnOnce(*const timespec) -> c_int,
) -> c_int {
    // SAFETY: it is null, or the program has passed the address of a time.
    let given = unsafe { deadline.as_ref() };
    let (Some(beginning), Some(now), Some(given)) = (beginning(clock), known(), given) else {
        return wait(deadline);
    };
    let seconds = (seconds_from(beginning, given) - now).clamp(0.0, LONGEST);
    let result = wait(&later(clock, seconds));
    if has_ended_late(result) {
        has_waited(seconds);
    }
    result
}

/// The clock of a time until which a condition waits: the condition knows it, and the time, too.
fn clock_of(deadline: *const timespec) -> clockid_t {
    // SAFETY: it is null, or the program has passed the address of a time.
    match unsafe { deadline.as_ref() } {
        Some(deadline) if deadline.tv_sec < super::DATE / 2 => libc::CLOCK_MONOTONIC,
        _ => libc::CLOCK_REALTIME,
    }
}

/// Whether a condition is that of Python's global lock. Its threads wait for it for 5 ms at a time, until another one
/// leaves it: no time that the program knows of.
fn is_of_the_global_lock(condition: *const c_void) -> bool {
    let mut found = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: there is room for the description.
    let is_found = unsafe { libc::dladdr(condition, &raw mut found) } != 0 && !found.dli_sname.is_null();
    // SAFETY: the name of a symbol ends with a null byte.
    is_found && unsafe { CStr::from_ptr(found.dli_sname) } == c"_PyRuntime"
}

/// `pthread_cond_timedwait`.
///
/// # Safety
/// As that of C.
pub unsafe fn pthread_cond_timedwait(
    condition: *mut c_void,
    mutex: *mut c_void,
    deadline: *const timespec,
) -> c_int {
    let Some(wait) = replaced!(pthread_cond_timedwait: fn(*mut c_void, *mut c_void, *const timespec)) else {
        return libc::ENOSYS;
    };
    let is_late = |result| result == libc::ETIMEDOUT && !is_of_the_global_lock(condition);
    // SAFETY: the caller says so.
    until(clock_of(deadline), deadline, is_late, |deadline| unsafe { wait(condition, mutex, deadline) })
}

/// `pthread_cond_clockwait`.
///
/// # Safety
/// As that of C.
pub unsafe fn pthread_cond_clockwait(
    condition: *mut c_void,
    mutex: *mut c_void,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    let wait = replaced!(pthread_cond_clockwait: fn(*mut c_void, *mut c_void, clockid_t, *const timespec));
    let Some(wait) = wait else { return libc::ENOSYS };
    let is_late = |result| result == libc::ETIMEDOUT && !is_of_the_global_lock(condition);
    // SAFETY: the caller says so.
    until(clock, deadline, is_late, |deadline| unsafe { wait(condition, mutex, clock, deadline) })
}

/// Whether a wait for a semaphore has ended because of its time.
fn is_late(result: c_int) -> bool {
    result != 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ETIMEDOUT)
}

/// `sem_timedwait`.
///
/// # Safety
/// As that of C.
pub unsafe fn sem_timedwait(semaphore: *mut c_void, deadline: *const timespec) -> c_int {
    let Some(wait) = replaced!(sem_timedwait: fn(*mut c_void, *const timespec)) else { return -1 };
    // SAFETY: the caller says so.
    until(libc::CLOCK_REALTIME, deadline, is_late, |deadline| unsafe { wait(semaphore, deadline) })
}

/// `sem_clockwait`.
///
/// # Safety
/// As that of C.
pub unsafe fn sem_clockwait(semaphore: *mut c_void, clock: clockid_t, deadline: *const timespec) -> c_int {
    let Some(wait) = replaced!(sem_clockwait: fn(*mut c_void, clockid_t, *const timespec)) else {
        return -1;
    };
    // SAFETY: the caller says so.
    until(clock, deadline, is_late, |deadline| unsafe { wait(semaphore, clock, deadline) })
}

/// Waits for files for a time. Without a file it is a sleep.
fn for_files(seconds: Option<f64>, has_files: bool, wait: impl FnOnce() -> c_int) -> c_int {
    let seconds = seconds.filter(|seconds| *seconds > 0.0);
    if !has_files && seconds.is_some_and(has_slept) {
        return 0;
    }
    let result = wait();
    if let Some(seconds) = seconds.filter(|_| result == 0) {
        has_waited(seconds);
    }
    result
}

fn of_milliseconds(milliseconds: c_int) -> Option<f64> {
    (milliseconds > 0).then(|| f64::from(milliseconds) / 1e3)
}

/// `poll`.
///
/// # Safety
/// As that of C.
pub unsafe fn poll(files: *mut pollfd, count: nfds_t, milliseconds: c_int) -> c_int {
    let Some(wait) = replaced!(poll: fn(*mut pollfd, nfds_t, c_int)) else { return -1 };
    // SAFETY: the caller says so.
    for_files(of_milliseconds(milliseconds), count > 0, || unsafe { wait(files, count, milliseconds) })
}

/// `ppoll`.
///
/// # Safety
/// As that of C.
pub unsafe fn ppoll(
    files: *mut pollfd,
    count: nfds_t,
    timeout: *const timespec,
    signals: *const sigset_t,
) -> c_int {
    let Some(wait) = replaced!(ppoll: fn(*mut pollfd, nfds_t, *const timespec, *const sigset_t)) else {
        return -1;
    };
    // SAFETY: it is null, or the caller has passed the address of a time.
    let seconds = unsafe { timeout.as_ref() }.map(|timeout| seconds_from(0, timeout));
    // SAFETY: the caller says so.
    for_files(seconds, count > 0, || unsafe { wait(files, count, timeout, signals) })
}

/// `select`.
///
/// # Safety
/// As that of C.
pub unsafe fn select(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    timeout: *mut timeval,
) -> c_int {
    let wait = replaced!(select: fn(c_int, *mut fd_set, *mut fd_set, *mut fd_set, *mut timeval));
    let Some(wait) = wait else { return -1 };
    // SAFETY: it is null, or the caller has passed the address of a time.
    let seconds =
        unsafe { timeout.as_ref() }.map(|timeout| timeout.tv_sec as f64 + timeout.tv_usec as f64 / 1e6);
    let has_files = count > 0 && !(read.is_null() && write.is_null() && except.is_null());
    // SAFETY: the caller says so.
    for_files(seconds, has_files, || unsafe { wait(count, read, write, except, timeout) })
}

/// `pselect`.
///
/// # Safety
/// As that of C.
pub unsafe fn pselect(
    count: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    except: *mut fd_set,
    timeout: *const timespec,
    signals: *const sigset_t,
) -> c_int {
    let wait = replaced!(pselect: fn(c_int, *mut fd_set, *mut fd_set, *mut fd_set, *const timespec, *const sigset_t));
    let Some(wait) = wait else { return -1 };
    // SAFETY: it is null, or the caller has passed the address of a time.
    let seconds = unsafe { timeout.as_ref() }.map(|timeout| seconds_from(0, timeout));
    let has_files = count > 0 && !(read.is_null() && write.is_null() && except.is_null());
    // SAFETY: the caller says so.
    for_files(seconds, has_files, || unsafe { wait(count, read, write, except, timeout, signals) })
}

/// `epoll_wait`.
///
/// # Safety
/// As that of C.
pub unsafe fn epoll_wait(file: c_int, events: *mut epoll_event, most: c_int, milliseconds: c_int) -> c_int {
    let Some(wait) = replaced!(epoll_wait: fn(c_int, *mut epoll_event, c_int, c_int)) else { return -1 };
    // SAFETY: the caller says so.
    for_files(of_milliseconds(milliseconds), true, || unsafe { wait(file, events, most, milliseconds) })
}

/// `epoll_pwait`.
///
/// # Safety
/// As that of C.
pub unsafe fn epoll_pwait(
    file: c_int,
    events: *mut epoll_event,
    most: c_int,
    milliseconds: c_int,
    signals: *const sigset_t,
) -> c_int {
    let wait = replaced!(epoll_pwait: fn(c_int, *mut epoll_event, c_int, c_int, *const sigset_t));
    let Some(wait) = wait else { return -1 };
    // SAFETY: the caller says so.
    for_files(of_milliseconds(milliseconds), true, || unsafe {
        wait(file, events, most, milliseconds, signals)
    })
}

const _: () = assert!(size_of::<c_long>() == 8, "times of the host have 64 bits");
