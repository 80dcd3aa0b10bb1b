//! Looks at the clock of Python itself, of which the program does not know.

use std::ffi::{CStr, c_int, c_void};
use std::ops::Range;
use std::sync::OnceLock;

unsafe extern "C" {
    /// C's function of this name, which the crate `libc` does not have: with flag 1 it stores the entry of a symbol.
    fn dladdr1(
        address: *const c_void,
        found: *mut libc::Dl_info,
        extra: *mut *mut c_void,
        flags: c_int,
    ) -> c_int;
}

/// The functions by which Python acquires a lock. A compiler may have copied the one into the other.
const FUNCTIONS: [&CStr; 2] = [c"PyThread_acquire_lock_timed", c"PyThread_acquire_lock"];

/// Where the code of these functions is; nowhere in other programs.
fn code_of_locks() -> &'static [Range<usize>] {
    static CODE: OnceLock<Vec<Range<usize>>> = OnceLock::new();
    CODE.get_or_init(|| FUNCTIONS.into_iter().filter_map(code_of).collect())
}

/// Where the code of a function is.
fn code_of(function: &CStr) -> Option<Range<usize>> {
    const OF_SYMBOLS: c_int = 1;
    let mut entry: *mut c_void = std::ptr::null_mut();
    // SAFETY: the name ends with a null byte, and there is room for the description and the entry's address.
    unsafe {
        let at = libc::dlsym(libc::RTLD_DEFAULT, function.as_ptr());
        let mut found = std::mem::zeroed();
        let is_found = !at.is_null() && dladdr1(at, &raw mut found, &raw mut entry, OF_SYMBOLS) != 0;
        let entry = is_found.then(|| entry.cast::<libc::Elf64_Sym>().as_ref()).flatten()?;
        Some(at as usize..at as usize + entry.st_size as usize)
    }
}

/// Whether the program is one of Python.
pub(crate) fn is_python() -> bool {
    !code_of_locks().is_empty()
}

/// Whether Python looks at the clock because it acquires a lock. Some versions do so for every lock, even if they do not
/// wait for it, such as the lock of each file: hundreds of times in a program that looks never. Copies of the functions
/// that a compiler has made have no names: their looks count, and are few between two calls.
pub(super) fn acquires_a_lock() -> bool {
    if !is_python() {
        return false;
    }
    const FRAMES: usize = 8;
    let mut frames = [std::ptr::null_mut(); FRAMES];
    // SAFETY: there is room for as many addresses.
    let count = unsafe { libc::backtrace(frames.as_mut_ptr(), FRAMES as c_int) };
    frames[..count.clamp(0, FRAMES as c_int) as usize]
        .iter()
        .any(|frame| code_of_locks().iter().any(|code| code.contains(&(*frame as usize))))
}
