//! MPI on both engines: programs of calls, their waits and costs, and that every engine and number of threads
//! agrees.

mod beside;
mod calls;
mod digests;
mod engines;
mod october_2003;
mod programs;
mod rules;
mod support;
mod waits;
