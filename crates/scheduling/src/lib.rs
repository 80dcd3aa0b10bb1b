//! Job scheduling: which jobs wait, which start, when and where, and the measures of the schedule.
//!
//! ```text
//!   log (SWF, Argonne, columns, a model) --> jobs + report
//!                                             |
//!   policy (order) + backfill (rule) -----> Queue (State) <--> Machine (plain nodes | partitions of a room)
//!   site (queues, reservations, dependencies) -'|
//!                                             |
//!                                             +--> records --> measures --> summary, tables, SWF
//! ```
//!
//! Times are 64-bit integers in seconds. Events have one total order (see [`queue`]). Every random draw is a function
//! of a seed. This crate knows machine rooms but not packets: the effect of a partition's shape on a job's run time is
//! an input.

#![forbid(unsafe_code)]

pub mod backfill;
pub mod description;
mod draws;
pub mod job;
pub mod log;
pub mod machine;
pub mod measures;
pub mod policy;
pub mod queue;
mod queue_settings;
pub mod schedule;
pub mod site;
mod site_settings;
pub mod slowdown;
pub mod state;
mod words;
