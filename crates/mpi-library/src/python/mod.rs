//! Python before its ranks are forked: what all of them import is imported once, and they share its memory.
//!
//! MPI is initialized when mpi4py is imported, often as the first module of a program. What is imported behind it each
//! rank would import by itself, in its own memory: NumPy alone takes 10 MB and 0.1 s of each.

use std::ffi::{CStr, c_char, c_int, c_void};

/// The imports of Python before its ranks are forked.
const PREPARE: &str = include_str!("prepare.py");

/// Lets Python prepare, if this is a program of Python, and its thread has the global lock.
pub(crate) fn prepare() {
    let (Some(is_initialized), Some(has_lock), Some(run)) =
        (symbol(c"Py_IsInitialized"), symbol(c"PyGILState_Check"), symbol(c"PyRun_SimpleString"))
    else {
        return;
    };
    // The names of the program stay as they are: the code has its own.
    let code = format!("exec({PREPARE:?}, {{'__builtins__': __builtins__}})\0");
    // SAFETY: functions of these names have these types; the code is a text that ends with a null byte.
    unsafe {
        let is_initialized = std::mem::transmute::<*mut c_void, extern "C" fn() -> c_int>(is_initialized);
        let has_lock = std::mem::transmute::<*mut c_void, extern "C" fn() -> c_int>(has_lock);
        let run = std::mem::transmute::<*mut c_void, extern "C" fn(*const c_char) -> c_int>(run);
        if is_initialized() != 0 && has_lock() != 0 {
            run(code.as_ptr().cast());
        }
    }
}

/// A function of the program, or of a library that it has loaded.
fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name ends with a null byte.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}
