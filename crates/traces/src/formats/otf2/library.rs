//! OTF2's own C library, loaded when the first archive is read: this file declares the functions that the reader
//! calls.

use crate::error::{Problem, problem};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The function that knows the place of the library.
static LOCATOR: OnceLock<fn() -> Option<PathBuf>> = OnceLock::new();

/// Sets the function that is asked for a file with OTF2's C library, such as that of the Python package `otf2`,
/// when the first archive is read. The environment variable `TORUSIM_OTF2_LIBRARY` has precedence over it, and it
/// over the system's library. Only the first call has an effect.
pub fn set_locator(locator: fn() -> Option<PathBuf>) {
    let _ = LOCATOR.set(locator);
}

/// The names under which systems have the library, newest first.
const NAMES: [&str; 4] = ["libotf2.so.12", "libotf2.so.11", "libotf2.so.10", "libotf2.so"];

/// A handle of the library.
pub(super) type Handle = *mut c_void;

/// `OTF2_ErrorCode`, `OTF2_CallbackCode`: 0 is success.
pub(super) type Code = c_int;

/// A callback for errors. Its last parameter is a list of arguments, which is ignored.
type ErrorCallback =
    extern "C" fn(*mut c_void, *const c_char, u64, *const c_char, Code, *const c_char, *mut c_void) -> Code;

/// A callback with any parameters.
pub(super) type Callback = *const c_void;

/// Declares the functions that are called.
macro_rules! functions {
    ($($field:ident: $name:literal = fn($($parameter:ty),*) $(-> $result:ty)?,)*) => {
        /// The functions of the library.
        pub(super) struct Api {
            $(pub $field: unsafe extern "C" fn($($parameter),*) $(-> $result)?,)*
            /// Keeps the functions loaded.
            _library: Library,
        }

        impl Api {
            fn of(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: the types are those of OTF2's headers, versions 2 and 3.
                unsafe {
                    Ok(Api {
                        $($field: *library.get(concat!($name, "\0").as_bytes())?,)*
                        _library: library,
                    })
                }
            }
        }
    };
}

functions! {
    register_error: "OTF2_Error_RegisterCallback" = fn(ErrorCallback, *mut c_void) -> *const c_void,
    error_description: "OTF2_Error_GetDescription" = fn(Code) -> *const c_char,
    open: "OTF2_Reader_Open" = fn(*const c_char) -> Handle,
    close: "OTF2_Reader_Close" = fn(Handle) -> Code,
    set_serial: "OTF2_Reader_SetSerialCollectiveCallbacks" = fn(Handle) -> Code,
    global_definitions: "OTF2_Reader_GetGlobalDefReader" = fn(Handle) -> Handle,
    register_definitions: "OTF2_Reader_RegisterGlobalDefCallbacks" = fn(Handle, Handle, Handle, *mut c_void) -> Code,
    read_definitions: "OTF2_Reader_ReadAllGlobalDefinitions" = fn(Handle, Handle, *mut u64) -> Code,
    select_location: "OTF2_Reader_SelectLocation" = fn(Handle, u64) -> Code,
    open_definitions: "OTF2_Reader_OpenDefFiles" = fn(Handle) -> Code,
    local_definitions: "OTF2_Reader_GetDefReader" = fn(Handle, u64) -> Handle,
    read_local_definitions: "OTF2_Reader_ReadAllLocalDefinitions" = fn(Handle, Handle, *mut u64) -> Code,
    close_local_definitions: "OTF2_Reader_CloseDefReader" = fn(Handle, Handle) -> Code,
    open_events: "OTF2_Reader_OpenEvtFiles" = fn(Handle) -> Code,
    events: "OTF2_Reader_GetEvtReader" = fn(Handle, u64) -> Handle,
    register_events: "OTF2_Reader_RegisterEvtCallbacks" = fn(Handle, Handle, Handle, *mut c_void) -> Code,
    read_events: "OTF2_Reader_ReadAllLocalEvents" = fn(Handle, Handle, *mut u64) -> Code,
    close_events: "OTF2_Reader_CloseEvtReader" = fn(Handle, Handle) -> Code,
    new_definition_callbacks: "OTF2_GlobalDefReaderCallbacks_New" = fn() -> Handle,
    delete_definition_callbacks: "OTF2_GlobalDefReaderCallbacks_Delete" = fn(Handle),
    on_clock: "OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback" = fn(Handle, Callback) -> Code,
    on_location: "OTF2_GlobalDefReaderCallbacks_SetLocationCallback" = fn(Handle, Callback) -> Code,
    on_string: "OTF2_GlobalDefReaderCallbacks_SetStringCallback" = fn(Handle, Callback) -> Code,
    on_region: "OTF2_GlobalDefReaderCallbacks_SetRegionCallback" = fn(Handle, Callback) -> Code,
    on_group: "OTF2_GlobalDefReaderCallbacks_SetGroupCallback" = fn(Handle, Callback) -> Code,
    on_comm: "OTF2_GlobalDefReaderCallbacks_SetCommCallback" = fn(Handle, Callback) -> Code,
    new_event_callbacks: "OTF2_EvtReaderCallbacks_New" = fn() -> Handle,
    delete_event_callbacks: "OTF2_EvtReaderCallbacks_Delete" = fn(Handle),
    on_enter: "OTF2_EvtReaderCallbacks_SetEnterCallback" = fn(Handle, Callback) -> Code,
    on_leave: "OTF2_EvtReaderCallbacks_SetLeaveCallback" = fn(Handle, Callback) -> Code,
    on_send: "OTF2_EvtReaderCallbacks_SetMpiSendCallback" = fn(Handle, Callback) -> Code,
    on_isend: "OTF2_EvtReaderCallbacks_SetMpiIsendCallback" = fn(Handle, Callback) -> Code,
    on_isend_complete: "OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback" = fn(Handle, Callback) -> Code,
    on_irecv_request: "OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback" = fn(Handle, Callback) -> Code,
    on_recv: "OTF2_EvtReaderCallbacks_SetMpiRecvCallback" = fn(Handle, Callback) -> Code,
    on_irecv: "OTF2_EvtReaderCallbacks_SetMpiIrecvCallback" = fn(Handle, Callback) -> Code,
    on_test: "OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback" = fn(Handle, Callback) -> Code,
    on_cancelled: "OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback" = fn(Handle, Callback) -> Code,
    on_collective_begin: "OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback" = fn(Handle, Callback) -> Code,
    on_collective_end: "OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback" = fn(Handle, Callback) -> Code,
    on_window_create: "OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback" = fn(Handle, Callback) -> Code,
    on_window_destroy: "OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback" = fn(Handle, Callback) -> Code,
    on_window_collective: "OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback" = fn(Handle, Callback) -> Code,
    on_group_sync: "OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback" = fn(Handle, Callback) -> Code,
    on_request_lock: "OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback" = fn(Handle, Callback) -> Code,
    on_acquire_lock: "OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback" = fn(Handle, Callback) -> Code,
    on_try_lock: "OTF2_EvtReaderCallbacks_SetRmaTryLockCallback" = fn(Handle, Callback) -> Code,
    on_release_lock: "OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback" = fn(Handle, Callback) -> Code,
    on_window_sync: "OTF2_EvtReaderCallbacks_SetRmaSyncCallback" = fn(Handle, Callback) -> Code,
    on_wait_change: "OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback" = fn(Handle, Callback) -> Code,
    on_put: "OTF2_EvtReaderCallbacks_SetRmaPutCallback" = fn(Handle, Callback) -> Code,
    on_get: "OTF2_EvtReaderCallbacks_SetRmaGetCallback" = fn(Handle, Callback) -> Code,
    on_atomic: "OTF2_EvtReaderCallbacks_SetRmaAtomicCallback" = fn(Handle, Callback) -> Code,
}

/// The records of non-blocking collectives, which are new in OTF2 3.0.
pub(super) const COLLECTIVE_REQUEST: &[u8] =
    b"OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback\0";
pub(super) const COLLECTIVE_COMPLETE: &[u8] =
    b"OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback\0";

impl Api {
    /// The library, which is loaded once.
    pub fn get() -> Result<&'static Api, Problem> {
        static API: OnceLock<Result<Api, String>> = OnceLock::new();
        let api = API.get_or_init(|| {
            let named = std::env::var_os("TORUSIM_OTF2_LIBRARY").map(PathBuf::from);
            let located = || LOCATOR.get().and_then(|locator| locator());
            let candidates = named.or_else(located).into_iter().chain(NAMES.map(PathBuf::from));
            let mut problem = String::new();
            for candidate in candidates {
                // SAFETY: OTF2's library runs no code when it is loaded.
                match unsafe { Library::new(&candidate) }.and_then(Api::of) {
                    Ok(api) => {
                        // SAFETY: the callback has the parameters that the library passes.
                        unsafe { (api.register_error)(ignore_error, std::ptr::null_mut()) };
                        return Ok(api);
                    }
                    Err(cause) if problem.is_empty() => problem = cause.to_string(),
                    Err(_) => {}
                }
            }
            Err(problem)
        });
        api.as_ref().map_err(|cause| {
            problem(
                format!("OTF2's library cannot be loaded ({cause})"),
                "the Python package `otf2`, or the system's OTF2 library (Debian: libotf2-trace-dev)",
            )
        })
    }

    /// A function that only newer versions of the library have, which registers a callback.
    pub fn register_if_known(&self, name: &[u8], callbacks: Handle, callback: Callback) {
        // SAFETY: all functions with these names have these parameters.
        unsafe {
            if let Ok(register) = self._library.get::<unsafe extern "C" fn(Handle, Callback) -> Code>(name) {
                register(callbacks, callback);
            }
        }
    }

    /// The meaning of a code.
    pub fn description(&self, code: Code) -> String {
        // SAFETY: the library returns a string that lives as long as itself.
        unsafe {
            let description = (self.error_description)(code);
            if description.is_null() {
                return format!("code {code}");
            }
            CStr::from_ptr(description).to_string_lossy().into_owned()
        }
    }
}

/// Errors are in the codes that functions return; by default the library prints them too.
extern "C" fn ignore_error(
    _user: *mut c_void,
    _file: *const c_char,
    _line: u64,
    _function: *const c_char,
    code: Code,
    _format: *const c_char,
    _arguments: *mut c_void,
) -> Code {
    code
}
