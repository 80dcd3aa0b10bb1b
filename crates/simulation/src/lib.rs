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

#![forbid(unsafe_code)]

mod catalogue;
mod division;
mod engine;
mod fluid;
mod host;
mod hot;
mod led;
mod mapping;
mod result;
mod run;
mod scenario;
mod traffic;
mod truncation;
mod twists;
mod view;

pub use self::fluid::FluidRun;
pub use catalogue::{list, schema, template};
pub use engine::{EngineFamily, EngineKind, engines};
pub use hot::{Counted, hot_flows};
pub use input::{InputError, Override, parse_override};
pub use led::{LedRun, end_following, follow, lead_threads};
pub use mapping::{EvaluatedMapping, MappingSearch, Mappings, messages};
pub use network::peers::{Carrier, Lost, lost};
pub use network::{Peers, Processes};
pub use result::{
    Column, NEGLIGIBLE_ESCAPE_SHARE, QUANTITIES, Quantity, RunResult, Table, TimeLineOptions, TimeLines,
};
pub use run::{Progress, Run, check_processes};
pub use scenario::{
    PlacedRanks, Scenario, Sheet, SheetColumn, SheetReader, TABLE_BYTES_PER_LINK, check, check_for, resolve,
    resolve_for, resolve_plain, resolve_plain_for, resolve_program, set_sheet_reader,
};
pub use traces::{Trace, set_otf2_locator};
pub use truncation::truncation;
pub use twists::twists;
pub use view::{View, view};
pub use workloads::trace::{ProgramRecorder, Recording};
