//! Workloads: traffic patterns, kernels, collectives and traces.
//!
//! ```text
//!   kind + parameters --from_kind--> Workload --plan(machine)--> Plan
//!   (a scenario's table)             (plain data)                |- traffic: a Source for engines, or what ranks do
//!                                                                |- bound:   the theoretical peak
//!                                                                '- packets and hops expected
//! ```
//!
//! A pattern is a plain struct of parameters in its own file under `patterns`. Its plan consists of a source of packets
//! (`traffic`), which is a pure function of node and sequence number and stores nothing, and of its theoretical peak
//! (`bound`). Workloads do not know engines.

mod bound;
pub mod collective;
pub mod flows;
pub mod kernels;
mod options;
pub mod patterns;
mod plan;
pub mod trace;
mod traffic;
mod workload;

pub use options::{All, HintBits, Order, PacketBytes, PacketsPerVisit, Priority, Routing};
pub use plan::{Bound, Context, Placement, Plan, PlannedTraffic, RankWork, WorkloadError, world_networks};
pub use workload::Workload;
