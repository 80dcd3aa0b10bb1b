//! Waiting for a word of shared memory to change, and waking those that wait.

use std::ptr;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Waits until the word is no longer `expected`, at most for `limit`; returns whether the word may have changed.
pub fn is_woken(word: &AtomicU32, expected: u32, limit: Option<Duration>) -> bool {
    let limit = limit.map(|limit| libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: limit.subsec_nanos().into(),
    });
    let limit = limit.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: the kernel reads the word and the time, which both outlive the call.
    let result = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, expected, limit) };
    result == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ETIMEDOUT)
}

/// Wakes up to `count` of those that wait for the word.
pub(crate) fn wake(word: &AtomicU32, count: i32) {
    // SAFETY: the kernel uses the address of the word as a name.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, count) };
}
