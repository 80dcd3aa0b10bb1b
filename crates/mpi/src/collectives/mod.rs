//! Collectives: the algorithm for each size, and its schedule at every rank.
//!
//! The algorithms are those of MPICH2, chosen as it does (Thakur, Rabenseifner and Gropp, "Optimization of
//! Collective Communication Operations in MPICH", 2005): those with few messages for short data, those that send
//! little for long. Others can be named ([`Algorithm`]), including those that know where ranks are in a torus
//! ([`Grid`]); their data are cut into [`parts`]. Each algorithm is a [`schedule::Schedule`] in its own file.
//! Operators are taken to be commutative.
//!
//! # To add one
//!
//! 1. A variant of `Collective`. The compiler asks for its answers: the algorithm by length and number of
//!    ranks (`visit`), its `operation`, its names, its root and lists, its `data`, and its number in `kind`.
//! 2. If no schedule here suits it: a file with a `Schedule`. It returns how many rounds this rank's part
//!    has, and step `index` of each, as a function, so that nothing is stored for the ranks. Steps of a round
//!    begin together. What depends on others is in a later round. `Chain`, `Rooted` and `Fold` join
//!    schedules, and `Sizes` has the lengths of their blocks.
//! 3. Its case in `assert_right` (`tests.rs`), where a plain model follows every contribution to every block.
//! 4. Its case in `collective` of `simulation/tests/mpi_on_engines/rules.rs`, which runs it under every
//!    protocol.
//! 5. A row in `docs/models/messages.md`.
//!
//! Programs in Python and readers of traces make it once they name it: see the heads of
//! `bindings/src/program.rs` and of the crate `traces`. An algorithm with a name has its steps in
//! `algorithm.rs`.

mod algorithm;
mod barrier;
mod broadcast;
mod bruck;
mod bucket;
mod choice;
mod cycle;
mod deposit;
mod direct;
mod directions;
mod doubling;
mod fold;
mod forest;
mod grid;
mod halving;
mod hypercube;
mod linear;
pub(crate) mod on_network;
mod pairwise;
pub(crate) mod parts;
mod pipeline;
mod prediction;
mod rectangle;
mod red_blue;
mod reduce;
mod ring;
mod scan;
mod scattered;
pub(crate) mod schedule;
mod swing;
mod tree;
mod two_phase;

use crate::layout::Layout;
use crate::lengths::Lengths;
pub use algorithm::{Algorithm, Ground, Operands, Operation, Tuning};
use barrier::Dissemination;
use broadcast::DownTree;
pub use directions::Directions;
use doubling::Doubling;
use fold::{Fold, Folding, Pairing, power_of_two};
pub(crate) use grid::Branch;
pub use grid::{Grid, MAX_GRID_DIMENSIONS};
use halving::Halving;
use linear::Linear;
use messaging::MAX_MESSAGE_BYTES;
use pairwise::Pairwise;
pub use prediction::{Machine, Near};
use reduce::UpTree;
use scan::Scan;
use scattered::{BATCH, Scattered};
use schedule::{Blocks, Chain, Group, Rooted, Schedule, Sizes, Then};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::mem::discriminant;

/// Lengths in bytes at which data count as long, by MPICH2's defaults (`mpiimpl.h`, version 1.0).
mod long {
    /// A broadcast of at least the first is scattered and gathered, and of at least the second gathered around a
    /// ring.
    pub const BROADCAST: [u64; 2] = [12_288, 524_288];
    /// The least number of ranks of such a broadcast.
    pub const BROADCAST_RANKS: u32 = 8;
    /// All blocks of an allgather together, for numbers of ranks other than `2^n`, and for these.
    pub const ALLGATHER: [u64; 2] = [81_920, 524_288];
    /// A reduction of more bytes is scattered.
    pub const REDUCE: u64 = 2_048;
    /// All blocks of a reduce-scatter together.
    pub const REDUCE_SCATTER: u64 = 524_288;
    /// The longest blocks of an alltoall by Bruck's algorithm, and of one that posts everything at once.
    pub const ALLTOALL: [u64; 2] = [256, 32_768];
    /// The least number of ranks for Bruck's algorithm.
    pub const BRUCK_RANKS: u32 = 8;
}

/// Length of an element of a reduction, which is not cut (assumed: the calls here count bytes).
const ELEMENT_BYTES: u64 = 8;

/// A collective call, which all ranks of a communicator make in the same order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Collective {
    /// `MPI_Bcast`.
    Broadcast {
        /// The rank that has the data.
        root: u32,
        /// Length of the data in bytes.
        bytes: u64,
    },
    /// `MPI_Allreduce`.
    Allreduce {
        /// Length of each operand, and of the result, in bytes.
        bytes: u64,
    },
    /// `MPI_Barrier`.
    Barrier,
    /// `MPI_Reduce`.
    Reduce {
        /// The rank that gets the result.
        root: u32,
        /// Length of each operand in bytes.
        bytes: u64,
    },
    /// `MPI_Gather`.
    Gather {
        /// The rank that gets all blocks.
        root: u32,
        /// Length of each rank's block in bytes.
        bytes: u64,
    },
    /// `MPI_Gatherv`.
    Gatherv {
        /// The rank that gets all blocks.
        root: u32,
        /// The lengths of all ranks' blocks; a rank other than the root may give only its own.
        lengths: Lengths,
    },
    /// `MPI_Scatter`.
    Scatter {
        /// The rank that has all blocks.
        root: u32,
        /// Length of each rank's block in bytes.
        bytes: u64,
    },
    /// `MPI_Scatterv`.
    Scatterv {
        /// The rank that has all blocks.
        root: u32,
        /// The lengths of all ranks' blocks; a rank other than the root may give only its own.
        lengths: Lengths,
    },
    /// `MPI_Allgather`.
    Allgather {
        /// Length of each rank's block in bytes.
        bytes: u64,
    },
    /// `MPI_Allgatherv`.
    Allgatherv {
        /// The lengths of all ranks' blocks.
        lengths: Lengths,
    },
    /// `MPI_Alltoall`.
    Alltoall {
        /// Length in bytes of each block; a rank has one block for each rank.
        bytes: u64,
    },
    /// `MPI_Alltoallv`, and `MPI_Alltoallw` of data in one piece, whose lengths in bytes are the same.
    Alltoallv {
        /// The lengths of the blocks for each rank.
        sent: Lengths,
        /// The lengths of the blocks from each rank.
        received: Lengths,
    },
    /// `MPI_Alltoallw` of data that may lie in several pieces.
    Alltoallw(Box<TypedExchange>),
    /// `MPI_Reduce_scatter`.
    ReduceScatter {
        /// The lengths of the blocks of the result that each rank gets.
        lengths: Lengths,
    },
    /// `MPI_Reduce_scatter_block`.
    ReduceScatterBlock {
        /// Length of each rank's block of the result in bytes.
        bytes: u64,
    },
    /// `MPI_Scan`.
    Scan {
        /// Length of each operand in bytes.
        bytes: u64,
    },
    /// `MPI_Exscan`.
    Exscan {
        /// Length of each operand in bytes.
        bytes: u64,
    },
}

/// The data that a rank exchanges with each rank, and the number of blocks in which they lie. Fewer than two are
/// one piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedExchange {
    /// The lengths of the data for each rank.
    pub sent: Lengths,
    /// The lengths of the data from each rank.
    pub received: Lengths,
    /// The blocks of the data for each rank.
    pub blocks_sent: Lengths,
    /// The blocks of the data from each rank.
    pub blocks_received: Lengths,
}

/// A pair of ranks that do not agree on the number of bytes that one sends and the other receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The rank that sends, in the communicator.
    pub sender: u32,
    /// The rank that receives.
    pub receiver: u32,
    /// Bytes that the sender sends.
    pub sent: u64,
    /// Bytes that the receiver receives.
    pub received: u64,
}

/// A step as the library performs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Send {
        target: u32,
        bytes: u64,
    },
    /// A message to all ranks of a branch, which the network copies to them.
    Deposit {
        branch: Branch,
        bytes: u64,
    },
    /// The forwarding to a neighbor that the network does as it copies.
    Pass {
        target: u32,
        bytes: u64,
    },
    /// A send that nothing but the end of the collective waits for.
    Post {
        target: u32,
        bytes: u64,
    },
    /// From a rank, or from any.
    Receive {
        source: Option<u32>,
        then: Then,
    },
    Copy {
        bytes: u64,
    },
    /// The operation that all ranks perform together on a collective network.
    Join {
        turn: u32,
    },
    Skip,
}

impl Action {
    /// Bytes of the message that the rank sends in this step.
    fn bytes_sent(&self) -> u64 {
        match *self {
            Action::Send { bytes, .. } | Action::Post { bytes, .. } | Action::Deposit { bytes, .. } => bytes,
            Action::Pass { .. }
            | Action::Receive { .. }
            | Action::Copy { .. }
            | Action::Join { .. }
            | Action::Skip => 0,
        }
    }
}

/// The data of a collective, as far as lengths and cuts depend on them.
enum Data<'a> {
    /// A vector of each rank; messages have at least a share of it.
    Shared(u64),
    /// A vector that messages carry as a whole, unless an algorithm cuts it.
    Vector(u64),
    /// A block for each rank, or from each.
    Blocks(u64),
    /// A vector that no algorithm cuts.
    Uncut(u64),
    /// Blocks with these lengths; without any, no data.
    Listed([Option<&'a Lengths>; 4]),
}

impl<'a> Data<'a> {
    fn of(lengths: &'a Lengths) -> Self {
        Data::Listed([Some(lengths), None, None, None])
    }
}

/// A collective's row in the table of all: the number of its kind, the names of its calls, blocking and not, and its
/// operation, root and data.
struct Facts<'a> {
    kind: u32,
    names: (&'static str, &'static str),
    operation: Operation,
    root: Option<u32>,
    data: Data<'a>,
}

/// Lengths that are known only to the ranks that have or get the blocks.
enum OwnLists<'a> {
    /// The lengths of the blocks that a root gets.
    ToRoot(u32, &'a Lengths),
    /// The lengths of the blocks that a root has.
    FromRoot(u32, &'a Lengths),
    /// The lengths of the blocks for each rank and from each.
    Exchanged { sent: &'a Lengths, received: &'a Lengths },
}

impl Collective {
    /// Visits the schedule of a rank by MPICH2's algorithm, with the lengths of the blocks that it names, and the
    /// algorithm's name.
    fn visit<R>(&self, group: Group, look: impl FnOnce(&dyn Schedule, &Sizes<'_>, &'static str) -> R) -> R {
        let size = group.size;
        match *self {
            Collective::Barrier => look(&Dissemination(group), &Sizes::whole(0), "dissemination"),
            Collective::Broadcast { root, bytes } => visit_broadcast(group, root, bytes, look),
            Collective::Reduce { root, bytes } => visit_reduce(group, root, bytes, look),
            Collective::Allreduce { bytes } => visit_allreduce(group, bytes, look),
            Collective::Gather { root, bytes } => {
                let schedule = UpTree { group: group.relative_to(root), gathers: true };
                look(&Rooted { root, size, schedule }, &Sizes::each(bytes, size), "binomial")
            }
            Collective::Scatter { root, bytes } => {
                let schedule = DownTree { group: group.relative_to(root), scatters: true };
                look(&Rooted { root, size, schedule }, &Sizes::each(bytes, size), "binomial")
            }
            Collective::Gatherv { root, ref lengths } => {
                let sizes = Sizes::Listed(lengths);
                look(&Linear { group, root, sizes, gathers: true }, &sizes, "linear")
            }
            Collective::Scatterv { root, ref lengths } => {
                let sizes = Sizes::Listed(lengths);
                look(&Linear { group, root, sizes, gathers: false }, &sizes, "linear")
            }
            Collective::Allgather { bytes } => visit_allgather(group, Sizes::each(bytes, size), look),
            Collective::Allgatherv { ref lengths } => visit_allgather(group, Sizes::Listed(lengths), look),
            Collective::Alltoall { bytes } => visit_alltoall(group, bytes, look),
            Collective::Alltoallv { ref sent, ref received } => visit_exchange(group, sent, received, look),
            Collective::Alltoallw(ref exchange) => {
                visit_exchange(group, &exchange.sent, &exchange.received, look)
            }
            Collective::ReduceScatter { ref lengths } => {
                visit_reduce_scatter(group, Sizes::Listed(lengths), look)
            }
            Collective::ReduceScatterBlock { bytes } => {
                visit_reduce_scatter(group, Sizes::each(bytes, size), look)
            }
            Collective::Scan { bytes } | Collective::Exscan { bytes } => {
                look(&Scan(group), &Sizes::whole(bytes), "recursive-doubling")
            }
        }
    }
}

/// The binomial tree for short data; otherwise scatter and allgather.
fn visit_broadcast<R>(
    group: Group,
    root: u32,
    bytes: u64,
    look: impl FnOnce(&dyn Schedule, &Sizes<'_>, &'static str) -> R,
) -> R {
    let size = group.size;
    let [short, medium] = long::BROADCAST;
    let sizes = Sizes::Even { bytes, parts: size, block: bytes.div_ceil(size.into()) };
    if bytes < short || size < long::BROADCAST_RANKS {
        let schedule = DownTree { group: group.relative_to(root), scatters: false };
        look(&Rooted { root, size, schedule }, &Sizes::whole(bytes), "binomial")
    } else if bytes < medium && size.is_power_of_two() {
        let group = group.relative_to(root);
        let scatter = DownTree { group, scatters: true };
        let schedule = Chain(scatter, Doubling { group, gathers: true });
        look(&Rooted { root, size, schedule }, &sizes, "scatter-recursive-doubling-allgather")
    } else {
        look(&scatter_and_ring(group, root), &sizes, "scatter-allgather")
    }
}

/// A broadcast as a binomial scatter and an allgather around a ring.
fn scatter_and_ring(group: Group, root: u32) -> impl Schedule {
    let (size, group) = (group.size, group.relative_to(root));
    let scatter = DownTree { group, scatters: true };
    Rooted { root, size, schedule: Chain(scatter, ring::Allgather(group)) }
}

/// Whether operands are cut into a block for each of a power of two ranks.
fn is_cut(bytes: u64, size: u32) -> bool {
    bytes > long::REDUCE && bytes >= ELEMENT_BYTES * u64::from(power_of_two(size))
}

/// The blocks of operands that are cut.
fn cut<'a>(bytes: u64, size: u32) -> Sizes<'a> {
    let parts = power_of_two(size);
    Sizes::Even { bytes, parts, block: bytes / ELEMENT_BYTES / u64::from(parts) * ELEMENT_BYTES }
}

/// The binomial tree for short data; otherwise Rabenseifner's reduce-scatter and gather.
fn visit_reduce<R>(
    group: Group,
    root: u32,
    bytes: u64,
    look: impl FnOnce(&dyn Schedule, &Sizes<'_>, &'static str) -> R,
) -> R {
    let (size, group) = (group.size, group.relative_to(root));
    if !is_cut(bytes, size) {
        let schedule = UpTree { group, gathers: false };
        return look(&Rooted { root, size, schedule }, &Sizes::whole(bytes), "binomial");
    }
    let folding = Folding::new(group, Pairing::Even);
    let schedule = Chain(Halving(folding.inner()), halving::Gather(folding.inner()));
    look(
        &Rooted { root, size, schedule: Fold { folding, schedule } },
        &cut(bytes, size),
        "reduce-scatter-gather",
    )
}

/// Recursive doubling for short data; otherwise Rabenseifner's reduce-scatter and allgather.
fn visit_allreduce<R>(
    group: Group,
    bytes: u64,
    look: impl FnOnce(&dyn Schedule, &Sizes<'_>, &'static str) -> R,
) -> R {
    if is_cut(bytes, group.size) {
        look(&halving_allreduce(group), &cut(bytes, group.size), "halving-doubling")
    } else {
        look(&doubling_allreduce(group), &Sizes::whole(bytes), "recursive-doubling")
    }
}

fn halving_allreduce(group: Group) -> impl Schedule {
    let folding = Folding::new(group, Pairing::OddReturnsAll);
    Fold { folding, schedule: Chain(Halving(folding.inner()), halving::Allgather(folding.inner())) }
}

fn doubling_allreduce(group: Group) -> impl Schedule {
    let folding = Folding::new(group, Pairing::OddReturnsAll);
    Fold { folding, schedule: Doubling { group: folding.inner(), gathers: false } }
}

/// Recursive doubling among `2^n` ranks and Bruck's algorithm among others for short data; otherwise the ring.
fn visit_allgather<R>(
    group: Group,
    sizes: Sizes<'_>,
    look: impl FnOnce(&dyn Schedule, &Sizes<'_>, &'static str) -> R,
) -> R {
    let (bytes, [short, medium]) = (sizes.bytes(Blocks::All), long::ALLGATHER);
    if bytes < medium && group.size.is_power_of_two() {
        look(&Doubling { group, gathers: true }, &sizes, "halving-doubling")
    } else if bytes < short {
        look(&bruck::Allgather(group), &sizes, "bruck")
    } else {
        look(&ring::Allgather(group), &sizes, "ring")
    }
}

/// Bruck's algorithm for short blocks, everything at once for longer ones, and pairwise exchange for long ones.
fn visit_alltoall<R>(
    group: Group,
    bytes: u64,
    look: impl FnOnce(&dyn Schedule, &Sizes<'_>, &'static str) -> R,
) -> R {
    let (sizes, [short, medium]) = (Sizes::each(bytes, group.size), long::ALLTOALL);
    if bytes <= short && group.size >= long::BRUCK_RANKS {
        look(&bruck::Alltoall(group), &sizes, "bruck")
    } else if bytes <= medium {
        look(&Scattered { group, batch: BATCH, sent: sizes, received: sizes }, &sizes, "scattered")
    } else {
        look(&Pairwise { group, then: Then::Keep }, &sizes, "pairwise")
    }
}

/// Everything at once.
fn visit_exchange<R>(
    group: Group,
    sent: &Lengths,
    received: &Lengths,
    look: impl FnOnce(&dyn Schedule, &Sizes<'_>, &'static str) -> R,
) -> R {
    let (sent, received) = (Sizes::Listed(sent), Sizes::Listed(received));
    look(&Scattered { group, batch: BATCH, sent, received }, &sent, "scattered")
}

/// Recursive halving for short data; otherwise pairwise exchange.
fn visit_reduce_scatter<R>(
    group: Group,
    sizes: Sizes<'_>,
    look: impl FnOnce(&dyn Schedule, &Sizes<'_>, &'static str) -> R,
) -> R {
    if sizes.bytes(Blocks::All) >= long::REDUCE_SCATTER {
        look(&Pairwise { group, then: Then::Combine(1) }, &sizes, "pairwise")
    } else {
        look(&halving_reduce_scatter(group), &sizes, "halving-doubling")
    }
}

fn halving_reduce_scatter(group: Group) -> impl Schedule {
    let folding = Folding::new(group, Pairing::OddReturnsBlock);
    Fold { folding, schedule: halving::ReduceScatter { group: folding.inner(), pairs: folding.pairs } }
}

impl Collective {
    /// One row for each collective.
    #[inline(always)]
    fn facts(&self) -> Facts<'_> {
        use Data::*;
        use Operation::*;
        let (kind, names, operation, root, data) = match *self {
            Self::Broadcast { root, bytes } => {
                (0, ("MPI_Bcast", "MPI_Ibcast"), Broadcast, Some(root), Vector(bytes))
            }
            Self::Allreduce { bytes } => {
                (1, ("MPI_Allreduce", "MPI_Iallreduce"), AllReduce, None, Shared(bytes))
            }
            Self::Barrier => (2, ("MPI_Barrier", "MPI_Ibarrier"), Barrier, None, Listed([None; 4])),
            Self::Reduce { root, bytes } => {
                (3, ("MPI_Reduce", "MPI_Ireduce"), Reduce, Some(root), Vector(bytes))
            }
            Self::Gather { root, bytes } => {
                (4, ("MPI_Gather", "MPI_Igather"), Gather, Some(root), Blocks(bytes))
            }
            Self::Gatherv { root, ref lengths } => {
                (5, ("MPI_Gatherv", "MPI_Igatherv"), Other, Some(root), Data::of(lengths))
            }
            Self::Scatter { root, bytes } => {
                (6, ("MPI_Scatter", "MPI_Iscatter"), Scatter, Some(root), Blocks(bytes))
            }
            Self::Scatterv { root, ref lengths } => {
                (7, ("MPI_Scatterv", "MPI_Iscatterv"), Other, Some(root), Data::of(lengths))
            }
            Self::Allgather { bytes } => {
                (8, ("MPI_Allgather", "MPI_Iallgather"), AllGather, None, Blocks(bytes))
            }
            Self::Allgatherv { ref lengths } => {
                (9, ("MPI_Allgatherv", "MPI_Iallgatherv"), Other, None, Data::of(lengths))
            }
            Self::Alltoall { bytes } => {
                (10, ("MPI_Alltoall", "MPI_Ialltoall"), AllToAll, None, Blocks(bytes))
            }
            Self::Alltoallv { ref sent, ref received } => {
                let data = Listed([Some(sent), Some(received), None, None]);
                (11, ("MPI_Alltoallv", "MPI_Ialltoallv"), AllToAllV, None, data)
            }
            Self::ReduceScatter { ref lengths } => {
                (12, ("MPI_Reduce_scatter", "MPI_Ireduce_scatter"), Other, None, Data::of(lengths))
            }
            Self::ReduceScatterBlock { bytes } => {
                let names = ("MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block");
                (13, names, ReduceScatter, None, Blocks(bytes))
            }
            Self::Scan { bytes } => (14, ("MPI_Scan", "MPI_Iscan"), Other, None, Uncut(bytes)),
            Self::Exscan { bytes } => (15, ("MPI_Exscan", "MPI_Iexscan"), Other, None, Uncut(bytes)),
            // Number 16 is that of agreements.
            Self::Alltoallw(ref exchange) => {
                let TypedExchange { sent, received, blocks_sent, blocks_received } = &**exchange;
                let data = Listed([sent, received, blocks_sent, blocks_received].map(Some));
                (17, ("MPI_Alltoallw", "MPI_Ialltoallw"), AllToAllV, None, data)
            }
        };
        Facts { kind, names, operation, root, data }
    }

    /// The operation of the collective.
    pub fn operation(&self) -> Operation {
        self.facts().operation
    }

    /// The name of the MPI call.
    pub fn name(&self) -> &'static str {
        self.facts().names.0
    }

    /// The name of the call that begins the collective without blocking.
    pub fn nonblocking_name(&self) -> &'static str {
        self.facts().names.1
    }

    fn root(&self) -> Option<u32> {
        self.facts().root
    }

    fn data(&self) -> Data<'_> {
        self.facts().data
    }

    /// The fault of the collective as a call of a rank of a communicator of `size` ranks, if any. Examples are a
    /// root that is no rank, data that are too long, and lists of other lengths.
    pub fn fault_of(&self, rank: u32, size: u32) -> Option<String> {
        let group = Group { rank, size };
        self.fault(group).or_else(|| Tuning::default().for_length(self).fault(self, group))
    }

    /// Whether this can be the same call of another rank: everything on which all ranks of a communicator have to
    /// agree is equal.
    pub fn agrees_with(&self, other: &Collective) -> bool {
        if self.has_lists() {
            return discriminant(self) == discriminant(other) && self.root() == other.root();
        }
        self == other
    }

    /// Whether the collective names lengths of several blocks, of which ranks know different ones.
    pub fn has_lists(&self) -> bool {
        self.own_lists().is_some()
    }

    /// The sizes that the rank sends to each other rank and receives from each, if these are lists.
    fn exchanged(&self) -> Option<(Sizes<'_>, Sizes<'_>)> {
        match self.own_lists()? {
            OwnLists::Exchanged { sent, received } => Some((Sizes::Listed(sent), Sizes::Listed(received))),
            OwnLists::ToRoot(..) | OwnLists::FromRoot(..) => None,
        }
    }

    fn own_lists(&self) -> Option<OwnLists<'_>> {
        match self {
            Collective::Gatherv { root, lengths } => Some(OwnLists::ToRoot(*root, lengths)),
            Collective::Scatterv { root, lengths } => Some(OwnLists::FromRoot(*root, lengths)),
            Collective::Alltoallv { sent, received } => Some(OwnLists::Exchanged { sent, received }),
            Collective::Alltoallw(exchange) => {
                let TypedExchange { sent, received, .. } = &**exchange;
                Some(OwnLists::Exchanged { sent, received })
            }
            Collective::Broadcast { .. }
            | Collective::Allreduce { .. }
            | Collective::Barrier
            | Collective::Reduce { .. }
            | Collective::Gather { .. }
            | Collective::Scatter { .. }
            | Collective::Allgather { .. }
            | Collective::Allgatherv { .. }
            | Collective::Alltoall { .. }
            | Collective::ReduceScatter { .. }
            | Collective::ReduceScatterBlock { .. }
            | Collective::Scan { .. }
            | Collective::Exscan { .. } => None,
        }
    }

    /// The first two ranks that disagree on the length that one sends and the other receives. `calls` are those of
    /// all ranks of a communicator, in their order, which [agree](Self::agrees_with) and have no
    /// [fault](Self::fault_of).
    pub fn disagreement(calls: &[&Collective]) -> Option<Disagreement> {
        let all = 0..calls.len() as u32;
        let (senders, receivers) = match calls.first()?.own_lists()? {
            OwnLists::ToRoot(root, _) => (all, root..root + 1),
            OwnLists::FromRoot(root, _) => (root..root + 1, all),
            OwnLists::Exchanged { .. } => (all.clone(), all),
        };
        let mut pairs = senders.flat_map(|sender| receivers.clone().map(move |receiver| (sender, receiver)));
        pairs.find_map(|(sender, receiver)| {
            let sent = calls[sender as usize].sent(sender, receiver)?;
            let received = calls[receiver as usize].received(sender, receiver)?;
            (sent != received).then_some(Disagreement { sender, receiver, sent, received })
        })
    }

    /// The length that `sender` sends, by its own list.
    fn sent(&self, sender: u32, receiver: u32) -> Option<u64> {
        Some(match self.own_lists()? {
            OwnLists::ToRoot(_, lengths) => lengths.of(if lengths.len() == 1 { 0 } else { sender }),
            OwnLists::FromRoot(_, lengths) => lengths.of(receiver),
            OwnLists::Exchanged { sent, .. } => sent.of(receiver),
        })
    }

    /// The length that `receiver` receives, by its own list.
    fn received(&self, sender: u32, receiver: u32) -> Option<u64> {
        Some(match self.own_lists()? {
            OwnLists::ToRoot(_, lengths) => lengths.of(sender),
            OwnLists::FromRoot(_, lengths) => lengths.of(if lengths.len() == 1 { 0 } else { receiver }),
            OwnLists::Exchanged { received, .. } => received.of(sender),
        })
    }

    /// The fault of the collective as a call of a rank of `group`, if any.
    pub(crate) fn fault(&self, group: Group) -> Option<String> {
        let size = group.size;
        let root = self.root().filter(|&root| root >= size);
        if let Some(root) = root {
            return Some(format!("root {root} is none of {size} ranks"));
        }
        let bytes = match self.data() {
            Data::Shared(bytes) => bytes.div_ceil(size.max(1).into()),
            Data::Vector(_) | Data::Blocks(_) | Data::Uncut(_) | Data::Listed(_) => self.block_bytes(),
        };
        if bytes > MAX_MESSAGE_BYTES {
            return Some(format!("{bytes} bytes are more than {MAX_MESSAGE_BYTES}"));
        }
        let own_only = self.root().is_some_and(|root| root != group.rank);
        let fits = |lengths: &&Lengths| lengths.len() == size || own_only && lengths.len() == 1;
        let wrong = self.lists().into_iter().flatten().find(|lengths| !fits(lengths));
        wrong.map(|lengths| format!("{} lengths are given for {size} ranks", lengths.len()))
    }

    /// The longest of the lengths that the collective names.
    pub(crate) fn block_bytes(&self) -> u64 {
        match self.data() {
            Data::Shared(bytes) | Data::Vector(bytes) | Data::Blocks(bytes) | Data::Uncut(bytes) => bytes,
            Data::Listed(lists) => {
                let longest = |lengths: &Lengths| (0..lengths.len()).map(|rank| lengths.of(rank)).max();
                lists.into_iter().flatten().filter_map(longest).max().unwrap_or(0)
            }
        }
    }

    /// All data that a named algorithm cuts: a rank's vector, or the blocks of all ranks.
    pub(crate) fn cut_bytes(&self, ranks: u32) -> u64 {
        match self.data() {
            Data::Shared(bytes) | Data::Vector(bytes) => bytes,
            Data::Blocks(bytes) => bytes.saturating_mul(ranks.into()),
            Data::Uncut(_) | Data::Listed(_) => 0,
        }
    }

    fn lists(&self) -> [Option<&Lengths>; 4] {
        match self.data() {
            Data::Listed(lists) => lists,
            Data::Shared(_) | Data::Vector(_) | Data::Blocks(_) | Data::Uncut(_) => [None; 4],
        }
    }

    /// The layout of the data for a rank.
    pub(crate) fn layout_to(&self, rank: u32) -> Layout {
        self.layout(|exchange| &exchange.blocks_sent, rank)
    }

    /// The layout of the data from a rank.
    pub(crate) fn layout_from(&self, rank: u32) -> Layout {
        self.layout(|exchange| &exchange.blocks_received, rank)
    }

    fn layout(&self, blocks: impl Fn(&TypedExchange) -> &Lengths, rank: u32) -> Layout {
        let Collective::Alltoallw(exchange) = self else { return Layout::Contiguous };
        Layout::of(blocks(exchange).of(rank) as u32)
    }

    /// Bytes of the lists of lengths.
    pub(crate) fn bytes(&self) -> usize {
        self.lists().into_iter().flatten().map(Lengths::bytes).sum()
    }

    /// The tag for the messages of a communicator's `number`-th collective. Ranks that disagree about which
    /// collective that is then block and are reported, instead of matching by accident.
    pub(crate) fn tag(&self, number: u32) -> u32 {
        let kind = self.facts().kind;
        (number << 2 | kind & 3) ^ (kind >> 2) << 29
    }

    /// The tag of the agreement that makes a communicator.
    pub(crate) fn agreement_tag(number: u32) -> u32 {
        number << 2 ^ 4 << 29
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Facts { names: (name, _), root, data, .. } = self.facts();
        f.write_str(name)?;
        if let Data::Shared(bytes) | Data::Vector(bytes) | Data::Blocks(bytes) | Data::Uncut(bytes) = data {
            write!(f, " of {bytes} bytes")?;
        }
        let is_from_root =
            matches!(self, Self::Broadcast { .. } | Self::Scatter { .. } | Self::Scatterv { .. });
        let direction = if is_from_root { "from" } else { "to" };
        root.map_or(Ok(()), |root| write!(f, " {direction} rank {root}"))
    }
}

#[cfg(test)]
mod tests;
