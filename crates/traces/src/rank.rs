//! The calls or operations of one rank, as a trace has them.

use crate::call_counts::CallCounts;
use crate::graph::RankGraph;
use crate::receives::Receives;
use mpi::{Call, Given};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The longest trace of a rank in picoseconds, 53 days, so that sums of times fit 64 bits.
pub const MAX_TRACE_PS: u64 = 1 << 62;

/// A call, and the computation before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Time since the previous event, in picoseconds, without the time inside calls.
    pub compute_ps: u64,
    /// The call. In a recorded run of a program it may also be [`Call::Compute`], which takes its cycles for any
    /// scale.
    pub call: Call,
}

/// The calls of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RankTrace {
    /// The communicators that exist from the start, with numbers from 1.
    #[serde(skip)]
    pub communicators: Vec<Given>,
    /// The calls, in order.
    pub events: Vec<Event>,
    /// Computation after the last event, in picoseconds.
    pub last_compute_ps: u64,
    /// Time inside calls in picoseconds, which is not replayed.
    pub call_ps: u64,
    /// Number of calls left out because they involve no other rank, such as `MPI_Wtime`.
    pub local_calls: u64,
    /// The number of times that the rank makes each call.
    #[serde(skip)]
    pub counts: CallCounts,
    /// The file from which the calls were read.
    #[serde(skip)]
    pub(crate) file: PathBuf,
    #[serde(skip)]
    pub(crate) receives: Receives,
}

/// The part of one rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Part {
    /// Calls in order.
    Calls(RankTrace),
    /// Operations that wait for one another.
    Graph(RankGraph),
}

impl Part {
    /// The number of times that the rank makes each call.
    pub fn counts(&self) -> &CallCounts {
        match self {
            Part::Calls(trace) => &trace.counts,
            Part::Graph(graph) => &graph.counts,
        }
    }

    /// The communicators of the rank that exist from the start, with numbers from 1.
    pub fn communicators(&self) -> &[Given] {
        match self {
            Part::Calls(trace) => &trace.communicators,
            Part::Graph(_) => &[],
        }
    }

    /// Passes the rank's calls to `visit`, in the order of the trace, without times. The calls of a graph are passed
    /// as if they blocked.
    pub fn for_each_call(&self, mut visit: impl FnMut(&Call)) {
        match self {
            Part::Calls(trace) => trace.events.iter().for_each(|event| visit(&event.call)),
            Part::Graph(graph) => graph.calls().for_each(|call| visit(&call)),
        }
    }

    /// All computation of the rank, in picoseconds.
    pub fn compute_ps(&self) -> u64 {
        match self {
            Part::Calls(trace) => trace.compute_ps(),
            Part::Graph(graph) => graph.compute_ps(),
        }
    }

    /// All time inside the rank's calls in picoseconds, which is not replayed. With [`Part::compute_ps`] it is the
    /// time of the recording from the end of `MPI_Init` to `MPI_Finalize`. For a graph, it is the sum of the
    /// durations that it names.
    pub fn call_ps(&self) -> u64 {
        match self {
            Part::Calls(trace) => trace.call_ps,
            Part::Graph(graph) => graph.call_ps,
        }
    }

    /// The file from which the part was read, and its receives.
    pub(crate) fn receives(&self) -> (&Path, &Receives) {
        match self {
            Part::Calls(trace) => (&trace.file, &trace.receives),
            Part::Graph(graph) => (&graph.file, &graph.receives),
        }
    }
}

impl RankTrace {
    /// A trace of calls that no file holds, of a rank that is in the given communicators from the start.
    pub fn of(communicators: Vec<Given>, events: Vec<Event>) -> Self {
        RankTrace { communicators, events, ..RankTrace::default() }
    }

    /// All computation of the rank, in picoseconds.
    pub fn compute_ps(&self) -> u64 {
        self.last_compute_ps + self.events.iter().map(|event| event.compute_ps).sum::<u64>()
    }
}
