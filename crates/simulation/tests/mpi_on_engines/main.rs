//! MPI on both engines: programs of calls, their waits and costs, and that every engine and number of threads
//! agrees.

mod calls;
mod checked;
mod collective_networks;
mod costs;
mod damaged;
mod digests;
mod engines;
mod october_2003;
mod programs;
mod rules;
mod support;
mod waits;
