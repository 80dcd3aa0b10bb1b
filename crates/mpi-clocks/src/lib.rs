//! The clocks of a rank, without MPI: for programs that load their MPI library when they are running, such as Python.
//!
//! The loader puts this library in front of C's. Whatever MPI library the program loads tells it the simulated time.

#![allow(unsafe_code, reason = "exports for C have their names")]

mpi_library::export_clocks!();

/// Takes the time from an MPI library of the process, from now on.
#[unsafe(no_mangle)]
extern "C" fn torusim_take_time_from(source: &'static mpi_library::clocks::Source) {
    mpi_library::clocks::take_time_from(source);
}
