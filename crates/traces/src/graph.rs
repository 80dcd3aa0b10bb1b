//! Operations of a rank that wait for one another: a graph, checked for circles.

use crate::call_counts::CallCounts;
use crate::error::{Problem, problem};
use crate::receives::Receives;
use mpi::{Call, Collective, Members, ReceiveFrom, SendTo, Transfer};
use serde::Serialize;
use std::path::PathBuf;

/// The work of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Work {
    /// Sends a message, and ends when its last packet has been written.
    Send(SendTo),
    /// Receives a message.
    Receive(ReceiveFrom),
    /// Computes for this number of picoseconds; the rank does one computation at a time.
    Compute(u64),
    /// Takes part in a collective.
    Collect {
        /// The collective.
        collective: Collective,
        /// The number of the communicator: 0 for all ranks, or one more than the place in [`RankGraph::groups`].
        communicator: u32,
    },
}

impl Work {
    /// The call that begins the operation, with a request if it does not block; none if it computes.
    pub fn call(&self, request: Option<u32>) -> Option<Call> {
        match self {
            Work::Send(send) => Some(Call::Begin { transfer: Transfer::Send(*send), request }),
            Work::Receive(receive) => Some(Call::Begin { transfer: Transfer::Receive(*receive), request }),
            Work::Collect { collective, communicator } => Some(Call::Collect {
                collective: collective.clone(),
                communicator: *communicator,
                request,
                tuning: Box::default(),
            }),
            Work::Compute(_) => None,
        }
    }
}

/// The event of an operation for which another waits before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Until {
    /// The end of the operation.
    Ended,
    /// The beginning of the operation.
    Begun,
}

/// An operation, one that waits for it, and the awaited event.
pub type Edge = (u32, u32, Until);

/// The operations of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RankGraph {
    /// The operations. Those that can begin at one time begin in this order, communication first.
    pub works: Vec<Work>,
    /// The communicators other than that of all ranks, with their ids.
    pub groups: Vec<(Members, u32)>,
    /// The number of times that the rank makes each operation.
    #[serde(skip)]
    pub counts: CallCounts,
    /// Durations of communication in picoseconds, which are not replayed.
    pub call_ps: u64,
    /// The file from which the graph was read, if any.
    #[serde(skip)]
    pub(crate) file: PathBuf,
    #[serde(skip)]
    pub(crate) receives: Receives,
    /// The number of others for which each operation waits.
    waits_for: Vec<u32>,
    /// The place in `successors` where the operations begin that wait for each operation, and the end.
    firsts: Vec<u32>,
    successors: Vec<(u32, Until)>,
}

impl RankGraph {
    /// A graph of operations.
    ///
    /// # Errors
    /// The number of an operation that waits for itself, possibly through others.
    pub fn new(works: Vec<Work>, edges: &[Edge]) -> Result<Self, u32> {
        let mut firsts = vec![0u32; works.len() + 1];
        let mut waits_for = vec![0u32; works.len()];
        for &(before, after, _) in edges {
            firsts[before as usize + 1] += 1;
            waits_for[after as usize] += 1;
        }
        for place in 1..firsts.len() {
            firsts[place] += firsts[place - 1];
        }
        let mut next = firsts.clone();
        let mut successors = vec![(0, Until::Ended); edges.len()];
        for &(before, after, until) in edges {
            let place = &mut next[before as usize];
            successors[*place as usize] = (after, until);
            *place += 1;
        }
        let graph = RankGraph { works, waits_for, firsts, successors, ..RankGraph::default() };
        match graph.first_in_a_circle() {
            Some(operation) => Err(operation),
            None => Ok(graph),
        }
    }

    /// The first operation that can never begin.
    fn first_in_a_circle(&self) -> Option<u32> {
        let mut waits_for = self.waits_for.clone();
        let mut free: Vec<u32> =
            (0..self.works.len() as u32).filter(|&work| waits_for[work as usize] == 0).collect();
        while let Some(work) = free.pop() {
            for &(after, _) in self.successors(work) {
                waits_for[after as usize] -= 1;
                if waits_for[after as usize] == 0 {
                    free.push(after);
                }
            }
        }
        waits_for.iter().position(|&left| left > 0).map(|work| work as u32)
    }

    /// The operations that wait for this one, and the awaited event of each.
    pub fn successors(&self, work: u32) -> &[(u32, Until)] {
        &self.successors[self.firsts[work as usize] as usize..self.firsts[work as usize + 1] as usize]
    }

    /// The number of others for which each operation waits at first.
    pub fn waits_for(&self) -> &[u32] {
        &self.waits_for
    }

    /// The calls of the rank in the order of its operations, as if they blocked; communicators first.
    pub fn calls(&self) -> impl Iterator<Item = Call> + '_ {
        let define = |(new, (members, id)): (u32, &(Members, u32))| Call::Define {
            members: members.clone(),
            new,
            id: *id,
        };
        let defined = (1..).zip(&self.groups).map(define);
        defined.chain(self.works.iter().filter_map(|work| work.call(None)))
    }

    /// All computation of the rank, in picoseconds.
    pub fn compute_ps(&self) -> u64 {
        let of = |work: &Work| if let Work::Compute(compute_ps) = work { *compute_ps } else { 0 };
        self.works.iter().map(of).sum()
    }
}

/// The problem of an operation that waits for itself.
pub(crate) fn circle(name: &str) -> Problem {
    problem(format!("{name} waits for itself, through others perhaps"), "dependencies without circles")
}
