//! The MPI library of a program on the simulated machine: what happens in the process of a rank.
//!
//! ```text
//!   program --> exports of one ABI (mpi-abi, mpi-mpich, mpi-openmpi)
//!                 | values of the standard ABI (abi)
//!                 v
//!               calls: arguments, handles, data        groups, datatypes, attributes ... stay here
//!                 | records, blocks of data (link)
//!                 v
//!               rank-wire --> the simulator: times, matching, collectives
//! ```
//!
//! A call that returns nothing that the simulator has to find out is a record, and the program goes on: a send copies
//! its data, and when it ends tells nothing. A call that does, such as a receive, hands all records over and waits. The
//! simulator makes one call at a time at its own time, so that neither the data nor how far the program has run ahead
//! changes a time.

#![allow(unsafe_code, reason = "a library for C gets addresses from its caller")]

pub mod abi;
pub mod attribute_functions;
pub mod calls;
pub mod clocks;
mod computing;
pub mod constants;
mod entry;
mod error;
mod export;
pub mod extension;
pub mod functions;
mod handles;
mod library;
mod link;
mod objects;
mod of_process;
mod python;

pub use entry::{call, missing, named};
pub use error::Error;
pub use libc;
pub use std::ffi::c_int;
