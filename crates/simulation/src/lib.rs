//! Runs scenarios: combines machine, workload and engine, and returns results.
//!
//! ```text
//!   text, dict, overrides --resolve--> Scenario --Run::new--> Run --advance...--finish--> RunResult
//!         (input)                     (scenario)             (run)                        (result)
//! ```
//!
//! Scenarios and results are plain data with a schema version; the state in between is discarded. Invalid input is an
//! [`InputError`], reported before the run starts. The way a run ends (deadlock and stuck ranks included) is never an
//! error but an outcome in its summary. This crate reads the files that a scenario names and the size of the available
//! memory. It writes only checkpoints and displays nothing.

mod catalogue;
mod engine;
mod host;
mod result;
mod run;
mod scenario;
mod time_lines;
mod traffic;

pub use catalogue::{list, schema, template};
pub use engine::EngineKind;
pub use input::{InputError, Override, parse_override};
pub use result::{Column, RunResult, Table};
pub use run::{Progress, Run};
pub use scenario::{Scenario, check, resolve, resolve_plain, resolve_program};
pub use time_lines::{TimeLineOptions, TimeLines};
