//! Traces of MPI programs, read from files and replayed on the network.
//!
//! ```text
//!   pmpi-trace-rank-0.txt ...   -->   Trace   -->   Replay: mpi::Program
//!   text, one call per line           events        computation as recorded and scaled, calls as the network allows
//! ```
//!
//! A trace keeps what the network needs of each call: peer, tag and bytes. It also keeps the time from the end of the
//! previous call to the start of this one, which is computation. Time inside calls is not replayed: it follows from the
//! simulated network.

mod error;
mod liballprof;
mod line;
mod replay;

pub use error::TraceError;
pub use replay::{Replay, TimeScale};

use mpi::{Call, Collective};

/// A call, and the computation before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Time since the previous event, in picoseconds, without the time inside calls.
    pub compute_ps: u64,
    /// The call; never [`Call::Compute`].
    pub call: Call,
}

/// What one rank did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankTrace {
    /// Its calls, in order.
    pub events: Vec<Event>,
    /// Computation after the last of them, in picoseconds.
    pub last_compute_ps: u64,
    /// Number of calls left out because they involve no other rank, such as `MPI_Wtime`.
    pub local_calls: u64,
}

/// How many times a rank makes each call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCounts {
    /// `MPI_Send`.
    pub sends: u64,
    /// `MPI_Recv`.
    pub receives: u64,
    /// `MPI_Bcast`.
    pub broadcasts: u64,
    /// `MPI_Allreduce`.
    pub allreduces: u64,
    /// `MPI_Barrier`.
    pub barriers: u64,
}

/// What all ranks of a program did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    ranks: Vec<RankTrace>,
}

impl Trace {
    /// Number of ranks; at least one.
    pub fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// What `rank` did.
    pub fn rank(&self, rank: u32) -> &RankTrace {
        &self.ranks[rank as usize]
    }
}

impl RankTrace {
    /// All its computation, in picoseconds.
    pub fn compute_ps(&self) -> u64 {
        self.last_compute_ps + self.events.iter().map(|event| event.compute_ps).sum::<u64>()
    }

    /// How many times it makes each call.
    pub fn counts(&self) -> CallCounts {
        let mut counts = CallCounts::default();
        for event in &self.events {
            *counts.of(&event.call) += 1;
        }
        counts
    }

    /// The collectives among its calls.
    fn collectives(&self) -> impl Iterator<Item = Collective> + '_ {
        self.events.iter().filter_map(|event| match &event.call {
            Call::Collective(collective) => Some(collective.clone()),
            _ => None,
        })
    }
}

impl CallCounts {
    fn of(&mut self, call: &Call) -> &mut u64 {
        match call {
            Call::Send { .. } => &mut self.sends,
            Call::Receive { .. } => &mut self.receives,
            Call::Collective(Collective::Broadcast { .. }) => &mut self.broadcasts,
            Call::Collective(Collective::Allreduce { .. }) => &mut self.allreduces,
            Call::Collective(Collective::Barrier) => &mut self.barriers,
            call => unreachable!("a trace does not hold {call:?}"),
        }
    }
}
