//! Traces of parallel programs, read from files and replayed on the network.
//!
//! ```text
//!   liballprof, DUMPI, OTF2   -->   calls of each rank, in order        --+
//!   GOAL, Chakra              -->   a graph of operations of each rank  --+-->  Trace  -->  Replay: mpi::Program
//!   a run of a program        -->   its calls, with what it has heard   --+
//! ```
//!
//! A trace keeps what the network needs of each call: peer, tag and bytes. It also keeps the time from the end of the
//! previous call to the start of this one, which is computation. Time inside calls is not replayed: it follows from the
//! simulated network. A graph says what has to end, or to begin, before an operation can begin; a rank begins what it
//! can, without blocking.
//!
//! [`find`] recognizes a format by its content. A [`recorder`] takes the calls of a rank as they are read, and [`join`]
//! compares the ranks: who is in which communicator, and whether all call the same collectives.

mod chakra;
mod dumpi;
mod error;
mod files;
mod find;
mod format;
mod goal;
mod graph;
mod graph_replay;
mod join;
mod liballprof;
mod line;
mod of_flows;
mod of_program;
pub mod otf2;
mod others;
mod receives;
mod recorder;
mod replay;
mod requests;
mod times;

pub use error::{Place, TraceError};
pub use format::TraceFormat;
pub use graph::{RankGraph, Work};
pub use of_program::{ProgramRecorder, Recording};
pub use replay::Replay;
pub use times::TimeScale;

use error::problem;
use mpi::Call;
use receives::Receives;
use std::collections::BTreeMap;
use std::io::{BufRead, Cursor};
use std::path::{Path, PathBuf};

/// The longest trace of a rank in picoseconds, 53 days, so that sums of times fit 64 bits.
const MAX_TRACE_PS: u64 = 1 << 62;

/// A call, and the computation before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Time since the previous event, in picoseconds, without the time inside calls.
    pub compute_ps: u64,
    /// The call; of a program whose run has been recorded also [`Call::Compute`], which takes its cycles whatever the scale.
    pub call: Call,
}

/// How often the ranks make each call, by the name that the trace has for it.
pub type CallCounts = BTreeMap<&'static str, u64>;

/// The calls of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankTrace {
    /// The calls, in order.
    pub events: Vec<Event>,
    /// Computation after the last of them, in picoseconds.
    pub last_compute_ps: u64,
    /// Time inside calls in picoseconds, which is not replayed.
    pub call_ps: u64,
    /// Number of calls left out because they involve no other rank, such as `MPI_Wtime`.
    pub local_calls: u64,
    /// How often it makes each call.
    pub counts: CallCounts,
    /// The file that it was read from.
    file: PathBuf,
    receives: Receives,
}

/// What one rank did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Calls in order.
    Calls(RankTrace),
    /// Operations that wait for one another.
    Graph(RankGraph),
}

/// What all ranks of a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// None if it was not read from files.
    format: Option<TraceFormat>,
    ranks: Vec<Part>,
}

impl Trace {
    /// Reads a trace: a directory, or one of the files in it. The format is recognized by the content if it is
    /// [`TraceFormat::Auto`].
    ///
    /// # Errors
    /// When there is no trace of that format, or more than one, and for the first place that is truncated, garbled, an
    /// unknown call or inconsistent with the other ranks.
    pub fn read(path: &Path, format: TraceFormat) -> Result<Self, TraceError> {
        let format = find::find(path, format)?;
        let ranks = match format {
            TraceFormat::Liballprof => liballprof::read(path)?,
            TraceFormat::Dumpi => dumpi::read(path)?,
            TraceFormat::Goal => goal::read(path)?,
            TraceFormat::Chakra => chakra::read(path)?,
            TraceFormat::Otf2 => otf2::read(path)?,
            TraceFormat::Auto => unreachable!("a format is found"),
        };
        Ok(Trace { format: Some(format), ranks })
    }

    /// Reads a trace from the contents of its files, those of all ranks in order; their paths are for messages.
    ///
    /// # Errors
    /// As [`Trace::read`].
    ///
    /// # Panics
    /// When the format is none whose files are read one by one.
    pub fn from_contents(format: TraceFormat, files: Vec<(PathBuf, Vec<u8>)>) -> Result<Self, TraceError> {
        let ranks = match format {
            TraceFormat::Liballprof => liballprof::parse(
                files.into_iter().map(|(file, bytes)| (file, Cursor::new(bytes))).collect(),
            )?,
            TraceFormat::Dumpi => dumpi::parse(files.into_iter().map(Ok))?,
            TraceFormat::Goal => goal::parse_all(files)?,
            TraceFormat::Chakra => chakra::parse(files.into_iter().map(Ok))?,
            TraceFormat::Otf2 | TraceFormat::Auto => panic!("{format:?} has no contents of files"),
        };
        Ok(Trace { format: Some(format), ranks })
    }

    /// Reads one text of liballprof for each rank, in order; the paths are for messages.
    ///
    /// # Errors
    /// As [`Trace::read`].
    pub fn from_readers<R: BufRead>(files: Vec<(PathBuf, R)>) -> Result<Self, TraceError> {
        Ok(Trace { format: Some(TraceFormat::Liballprof), ranks: liballprof::parse(files)? })
    }

    /// The format of its files, if there are any; never [`TraceFormat::Auto`].
    pub fn format(&self) -> Option<TraceFormat> {
        self.format
    }

    /// Number of ranks; at least one.
    pub fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// The error of a rank one of whose receives, by number, has matched a message of `source` that is too long.
    pub fn truncation(&self, rank: u32, receive: u32, source: u32, bytes: u32) -> TraceError {
        let (file, receives) = self.rank(rank).receives();
        let (room, place) = receives.get(receive).expect("it is a receive of the trace");
        let found = format!(
            "rank {rank} receives at most {room} bytes, and gets the message of rank {source}, which has {bytes}"
        );
        let place = self.format.map(|format| format.place(place));
        problem(found, "a receive that is at least as long as its message").at(file, place)
    }

    /// What `rank` did.
    pub fn rank(&self, rank: u32) -> &Part {
        &self.ranks[rank as usize]
    }

    /// How often all ranks together make each call.
    pub fn counts(&self) -> CallCounts {
        let mut counts = CallCounts::new();
        for (name, count) in self.ranks.iter().flat_map(Part::counts) {
            *counts.entry(name).or_default() += count;
        }
        counts
    }
}

impl Part {
    /// How often the rank makes each call.
    pub fn counts(&self) -> &CallCounts {
        match self {
            Part::Calls(trace) => &trace.counts,
            Part::Graph(graph) => &graph.counts,
        }
    }

    /// Passes on its calls in the order of the trace, without times; those of a graph as if they blocked.
    pub(crate) fn for_each_call(&self, mut hear: impl FnMut(&Call)) {
        match self {
            Part::Calls(trace) => trace.events.iter().for_each(|event| hear(&event.call)),
            Part::Graph(graph) => graph.calls().for_each(|call| hear(&call)),
        }
    }

    /// All its computation, in picoseconds.
    pub fn compute_ps(&self) -> u64 {
        match self {
            Part::Calls(trace) => trace.compute_ps(),
            Part::Graph(graph) => graph.compute_ps(),
        }
    }

    /// All time inside its calls in picoseconds, which is not replayed. With [`Part::compute_ps`] it is the time of the
    /// recording from the end of `MPI_Init` to `MPI_Finalize`; of a graph, all the durations that it names.
    pub fn call_ps(&self) -> u64 {
        match self {
            Part::Calls(trace) => trace.call_ps,
            Part::Graph(graph) => graph.call_ps,
        }
    }

    /// The file that it was read from, and its receives.
    fn receives(&self) -> (&Path, &Receives) {
        match self {
            Part::Calls(trace) => (&trace.file, &trace.receives),
            Part::Graph(graph) => (&graph.file, &graph.receives),
        }
    }
}

impl RankTrace {
    /// All its computation, in picoseconds.
    pub fn compute_ps(&self) -> u64 {
        self.last_compute_ps + self.events.iter().map(|event| event.compute_ps).sum::<u64>()
    }
}
