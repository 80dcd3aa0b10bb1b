//! The work of ranks, on the machine for which it is planned.
//!
//! # To add one
//!
//! 1. A `mpi::Program`, whose state is what a checkpoint stores.
//! 2. A variant of `RankWork`.
//! 3. Its arm in `simulation/src/traffic.rs`, with the `Messages` that it may send: from these the network
//!    knows its smallest packet.
//! 4. Its arm in `simulation/src/run/feed.rs`.

mod collective;
mod kernel;

pub use collective::{CollectivePlan, CollectiveRun};
pub use kernel::KernelPlan;
use messaging::RankMap;
use std::sync::Arc;
use traces::{Trace, TraceFormat};

/// The work of ranks. Their packets depend on arrivals, so no pure source can generate them.
#[derive(Clone, Debug)]
pub enum RankWork {
    /// A message back and forth between two nodes.
    PingPong(PingPongPlan),
    /// A recorded program.
    Trace(Recording),
    /// Flows that wait for one another.
    Flows(FlowReplay),
    /// A kernel.
    Kernel(KernelPlan),
    /// A collective call.
    Collective(CollectivePlan),
    /// A program outside the simulator.
    Program {
        /// The places of the ranks.
        map: RankMap,
        /// The calls of the ranks in an earlier run, which are replayed.
        recorded: Option<Arc<Trace>>,
    },
}

/// The nodes and the message of a ping-pong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PingPongPlan {
    /// The node that starts.
    pub source: u32,
    /// The node that answers.
    pub target: u32,
    /// Payload of the message in bytes.
    pub payload_bytes: u64,
    /// Number of round trips.
    pub repetitions: u64,
}

/// A recorded program, and the settings of its replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Directory of the trace, or one of the files in it.
    pub path: String,
    /// Format of the trace.
    pub format: TraceFormat,
    /// Factor that multiplies the recorded compute time.
    pub compute_scale: f64,
}

/// Flows that wait for one another, as a program.
#[derive(Clone, Debug)]
pub struct FlowReplay {
    /// The operations of each rank.
    pub trace: Arc<Trace>,
    /// The place of each rank.
    pub map: RankMap,
}
