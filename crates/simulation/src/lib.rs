//! Scenario in, result out: the one place where machine, workload and engine meet.
//!
//! ```text
//!   text, dict, overrides --resolve--> Scenario --Run::new--> Run --advance...--finish--> RunResult
//!         (input)                     (scenario)             (run)                        (result)
//! ```
//!
//! A scenario and a result are plain data with a schema version; what runs in between is thrown away. Bad input is an
//! [`InputError`], found before anything runs; how a run ends (deadlock and stuck ranks included) is never an error but
//! an outcome in its summary. Simulation reads the files that a scenario names, and how much memory there is; it writes
//! nothing but checkpoints, and knows no screens.

mod catalogue;
mod engine;
mod host;
mod result;
mod run;
mod scenario;
mod traffic;

pub use catalogue::{list, schema, template};
pub use engine::EngineKind;
pub use input::{InputError, Override, parse_override};
pub use result::{Column, RunResult, Table};
pub use run::{Progress, Run};
pub use scenario::{Scenario, check, resolve, resolve_plain};
