//! Traces of parallel programs, read from files.
//!
//! ```text
//!   liballprof, DUMPI, OTF2   -->   calls of each rank, in order        --+
//!                                                                         +-->  Trace
//!   GOAL, Chakra              -->   a graph of operations of each rank  --+
//! ```
//!
//! A trace keeps the data that the network needs of each call: peer, tag and bytes. It also keeps the time from the
//! end of the previous call to the start of this one, which is computation. Time inside calls is not replayed: it
//! follows from the simulated network. A graph states which operations must end, or begin, before an operation can
//! begin. A rank begins every operation that it can, without blocking.
//!
//! ```
//! use traces::{Part, Trace, TraceFormat};
//!
//! let sender = "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 5\n}\n";
//! let receiver = "rank 1 {\nr: recv 8b from 0 tag 5\nc: calc 100\nc requires r\n}\n";
//! let text = [sender, receiver].concat();
//! let trace = Trace::from_contents(TraceFormat::Goal, vec![("pair.goal".into(), text.into())])?;
//! assert_eq!((trace.ranks(), trace.counts()["send"]), (2, 1));
//! let Part::Graph(receiver) = trace.rank(1) else { panic!("a schedule has operations that wait for one another") };
//! assert_eq!(receiver.works.len(), 2);
//! // A unit of computation is a nanosecond.
//! assert_eq!(receiver.compute_ps(), 100_000);
//! # Ok::<(), traces::TraceError>(())
//! ```
//!
//! Lowest first:
//!
//! ```text
//!   error, receives          the errors of a trace; the receives of a rank
//!   graph, rank              the calls or operations of one rank
//!   files                    the files of a trace
//!   recorder, requests       the calls of a rank as they are read
//!   join                     compares the ranks: their communicators, and whether all call the same collectives
//!   formats                  a reader for each format
//!   others, find             recognizes a format by its content
//!   trace                    the trace of all ranks
//! ```
//!
//! A trace on a machine, its replay and traces that no file holds are in `workloads`.

#![deny(unsafe_code)]

mod call_counts;
mod error;
mod files;
mod find;
mod formats;
mod graph;
mod join;
mod others;
mod rank;
mod receives;
mod recorder;
mod requests;
mod trace;

pub use call_counts::CallCounts;
pub use error::{Place, TraceError};
pub use formats::TraceFormat;
pub use formats::otf2::set_locator as set_otf2_locator;
pub use graph::{Edge, RankGraph, Until, Work};
pub use rank::{Event, Part, RankTrace};
pub use trace::Trace;
