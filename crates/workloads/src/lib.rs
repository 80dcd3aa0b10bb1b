//! What a machine is asked to do: traffic patterns and traces.
//!
//! ```text
//!   kind + parameters --from_kind--> Workload --plan(machine)--> Plan
//!   (a scenario's table)             (plain data)                |- traffic: a Source that engines ask, or work to post
//!                                                                |- bound:   the theoretical peak
//!                                                                '- packets and hops expected
//! ```
//!
//! A pattern is a plain struct of parameters in a file of its own under `patterns`. It becomes a source of packets
//! (`traffic`), a pure function of node and sequence number that stores nothing, and a statement of what theory says
//! (`bound`). Workloads do not know engines.

mod bound;
mod options;
pub mod patterns;
mod plan;
pub mod trace;
mod traffic;
mod workload;

pub use options::{All, HintBits, Order, PacketBytes, PacketsPerVisit, Priority, Routing};
pub use plan::{Bound, Context, Plan, PlannedTraffic, PostedWork, WorkloadError};
pub use workload::Workload;
