//! The exports of clocks.

/// Exports the clocks.
#[macro_export]
macro_rules! export_clocks {
    () => {
        const _: () = {
            use core::ffi::{c_int, c_uint, c_void};
            use $crate::libc::{clockid_t, epoll_event, fd_set, nfds_t, pollfd, sigset_t, time_t, timespec, timeval};
            $crate::export_clocks! {
                clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int;
                gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int;
                time(at: *mut time_t) -> time_t;

                nanosleep(time: *const timespec, left: *mut timespec) -> c_int;
                clock_nanosleep(clock: clockid_t, flags: c_int, time: *const timespec, left: *mut timespec) -> c_int;
                usleep(microseconds: c_uint) -> c_int;
                sleep(seconds: c_uint) -> c_uint;

                pthread_cond_timedwait(condition: *mut c_void, mutex: *mut c_void, deadline: *const timespec) -> c_int;
                pthread_cond_clockwait(condition: *mut c_void, mutex: *mut c_void, clock: clockid_t,
                    deadline: *const timespec) -> c_int;
                sem_timedwait(semaphore: *mut c_void, deadline: *const timespec) -> c_int;
                sem_clockwait(semaphore: *mut c_void, clock: clockid_t, deadline: *const timespec) -> c_int;
                poll(files: *mut pollfd, count: nfds_t, milliseconds: c_int) -> c_int;
                ppoll(files: *mut pollfd, count: nfds_t, timeout: *const timespec, signals: *const sigset_t) -> c_int;
                select(count: c_int, read: *mut fd_set, write: *mut fd_set, except: *mut fd_set,
                    timeout: *mut timeval) -> c_int;
                pselect(count: c_int, read: *mut fd_set, write: *mut fd_set, except: *mut fd_set,
                    timeout: *const timespec, signals: *const sigset_t) -> c_int;
                epoll_wait(file: c_int, events: *mut epoll_event, most: c_int, milliseconds: c_int) -> c_int;
                epoll_pwait(file: c_int, events: *mut epoll_event, most: c_int, milliseconds: c_int,
                    signals: *const sigset_t) -> c_int;
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
