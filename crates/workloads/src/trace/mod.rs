//! Traces on a machine: programs that replay them, and traces that no file holds.
//!
//! ```text
//!   traces::Trace, read from files        --+
//!   a list of flows that wait             --+-->  Trace  -->  Replay: mpi::Program
//!   a run of a program, with its outcomes --+
//! ```
//!
//! Traces themselves, and all their readers, are in the crate `traces`. This module runs them, or builds them from
//! data in memory.

mod graph_replay;
mod of_flows;
mod of_program;
mod replay;
mod times;

pub(crate) use of_flows::of_flows;
pub use of_program::{ProgramRecorder, Recording};
pub use replay::Replay;
pub use times::TimeScale;
