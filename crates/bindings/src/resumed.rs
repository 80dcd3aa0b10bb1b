//! Panics of resumed runs, as errors that name the checkpoint.
//!
//! A panic is a bug, and reaches Python as such. But a checkpoint may have been forged, with right seals and a state
//! to which no run leads, and then break an assertion. In that case the file is to blame, or a bug.

use pyo3::PyResult;
use simulation::InputError;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};

/// Number of calls in progress whose panics become errors. Worker threads panic too, so that the number is global
/// to the process.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// The message of the first panic in these calls.
static FIRST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Calls `work`. If the run was resumed from `checkpoint`, a panic becomes an `InputError`, and is not reported
/// otherwise.
pub fn guarded<T>(checkpoint: Option<&Path>, work: impl FnOnce() -> T) -> PyResult<T> {
    let Some(checkpoint) = checkpoint else { return Ok(work()) };
    record_panics();
    CALLS.fetch_add(1, Ordering::SeqCst);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CALLS.fetch_sub(1, Ordering::SeqCst);
    result.map_err(|_| {
        let first = FIRST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
        let problem = format!(
            "the run cannot go on from it: {}. Either it was altered, or this is a bug of torusim; remove it to \
             resume from an earlier checkpoint, or start the run again",
            first.unwrap_or_default()
        );
        crate::input_error(InputError::at(checkpoint.display().to_string(), problem))
    })
}

/// Installs a hook that records panics while such calls are in progress, and reports them as before otherwise.
fn record_panics() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| match CALLS.load(Ordering::SeqCst) {
            0 => report(panic),
            _ => {
                let mut first = FIRST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert_with(|| described(panic));
            }
        }));
    });
}

/// The message of a panic, and its place in the source.
fn described(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let message = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    match panic.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message.to_owned(),
    }
}
