//! Workloads: traffic patterns, kernels, collectives and replays of traces.
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
//!
//! Lowest first:
//!
//! ```text
//!   error, options               faults of workloads, and shared options
//!   targets                      the targets of nodes, and lists of a user
//!   job_nodes, context           the context of a plan: a machine, or a job's nodes on it
//!   exchange, trace              the calls of ranks; replays of recorded ones
//!   flows                        the data sent from each source to each target
//!   bound                        the theoretical peak
//!   ranks                        the work of ranks on a machine
//!   plan                         the plan of a workload
//!   traffic                      sources of packets, and their plans
//!   kind                         the questions that every kind of workload answers
//!   patterns, kernels, collective, workload
//! ```

#![forbid(unsafe_code)]

mod bound;
pub mod collective;
mod context;
mod error;
pub mod exchange;
pub mod flows;
mod job_nodes;
pub mod kernels;
mod kind;
mod message_size;
mod options;
pub mod patterns;
mod plan;
pub mod ranks;
mod selection;
pub mod targets;
pub mod trace;
mod traffic;
mod workload;

pub use bound::Bound;
pub use bound::lines::all_to_all_cycles_per_byte;
pub use context::{Context, Placement};
pub use error::WorkloadError;
pub use job_nodes::JobNodes;
pub use kind::{CallOrigin, Senders};
pub use message_size::MessageSize;
pub use options::{
    All, Burst, Distribution, HintBits, LengthsFile, MessageBytes, Order, PacketBytes, PacketsPerVisit,
    Priority, Routing,
};
pub use patterns::Job;
pub use plan::{JobPlan, Plan, PlannedTraffic};
pub use ranks::RankWork;
pub use selection::selection;
pub use traffic::jobs::{JobPlaces, JobSources};
pub use workload::Workload;
