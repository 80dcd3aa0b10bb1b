//! What the simulator's side knows of a rank: its communicators, its requests, and the call that it has made.

use crate::tables::Key;
use mpi::Members;
use rank_wire::Records;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The ranks of a communicator, as all of its members share them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub id: u32,
    /// The members, as ranks of the machine.
    pub members: Vec<u32>,
}

impl Group {
    pub fn size(&self) -> u32 {
        self.members.len() as u32
    }

    /// The rank of the machine that is a rank of the communicator.
    pub fn place(&self, rank: u32) -> Option<u32> {
        self.members.get(rank as usize).copied()
    }
}

/// A communicator of a rank.
#[derive(Clone, Debug)]
pub(crate) struct Communicator {
    pub group: Arc<Group>,
    /// This rank in it.
    pub rank: u32,
    /// The collectives that the rank has called on it.
    pub collectives: u32,
}

/// The operation of a request's number.
#[derive(Clone, Debug)]
pub(crate) enum Use {
    Free,
    Send,
    /// A receive on a communicator.
    Receive(Arc<Group>),
    /// A collective; whether the rank reads its data.
    Collective(Key, bool),
    /// A persistent send, and its receiver, as a rank of the machine.
    PersistentSend(Arc<Group>, u32),
    /// A persistent receive.
    PersistentReceive(Arc<Group>),
    /// The rank has freed the request, whose operation has not ended.
    Freed(Box<Use>),
}

/// The answer that a rank's last call waits for.
#[derive(Clone, Debug, Default)]
pub(crate) enum Awaits {
    #[default]
    Nothing,
    /// Requests, which the rank hears of.
    Requests,
    /// The data of a message on a communicator.
    Message(Arc<Group>),
    /// A message that a probe finds on a communicator.
    Probe(Arc<Group>),
    /// A collective; whether the rank reads its data.
    Collective(Key, bool),
    /// A communicator: its number, and its members as ranks of the machine.
    Communicator(u32, Vec<u32>),
}

/// How far a rank is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    #[default]
    Running,
    /// It has called `MPI_Finalize`.
    Finished,
    /// It has failed.
    Failed,
}

/// The state of a rank.
#[derive(Debug, Default)]
pub(crate) struct Rank {
    pub rank: u32,
    pub stage: Stage,
    /// The processor cycle at which its last call has ended.
    pub time: u64,
    /// Processor cycles of computation since then.
    pub computed: u64,
    /// The records that the rank has handed over and that have not taken effect.
    pub records: Records,
    pub communicators: Vec<Option<Communicator>>,
    pub requests: Vec<Use>,
    /// Persistent requests whose operations are in progress.
    pub started: FxHashSet<u32>,
    /// Requests that the rank had freed and that have ended since it has been resumed.
    pub freed: Vec<u32>,
    /// The communicators of messages that matched probes have taken, by handle.
    pub taken: FxHashMap<u32, Arc<Group>>,
    pub awaits: Awaits,
}

impl Rank {
    /// The members of a group as ranks of the machine.
    pub fn members_of(of: &Group, members: &Members) -> Option<Vec<u32>> {
        match members {
            Members::All => Some(of.members.clone()),
            Members::Stride { first, stride, count } => {
                (0..*count).map(|rank| of.place(first.checked_add(rank.checked_mul(*stride)?)?)).collect()
            }
            Members::List(ranks) => ranks.iter().map(|rank| of.place(*rank)).collect(),
        }
    }
}
