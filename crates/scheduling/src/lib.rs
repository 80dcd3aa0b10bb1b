//! The queue in front of a machine: who waits, who starts, where, and what came of it.
//!
//! ```text
//!   log (SWF, Argonne, columns, a model) --> jobs + report
//!                                             |
//!   policy (order) + backfill (who may) --> Queue (State) <--> Machine (plain nodes | partitions of a room)
//!                                             |
//!                                             +--> records --> measures --> summary, tables, SWF
//! ```
//!
//! One unit of time, the second, in 64-bit integers; one total order of events (see [`queue`]); no draw that is not a
//! function of a seed. This crate knows machine rooms, and does not know packets: what a partition's shape does to a
//! job's run time comes to it as a number.

pub mod backfill;
pub mod description;
mod draws;
pub mod job;
pub mod log;
pub mod machine;
pub mod measures;
pub mod policy;
pub mod queue;
pub mod schedule;
pub mod slowdown;
pub mod state;
